/**
 * One line for each thing that happened: `event key=value …`. Whatever runs the server adds the time. A value may come from a
 * stranger, so nothing in it can end the line, colour the terminal or look like a field of its own.
 */
import { quoted } from "../shared/quoted.ts";

export interface Log {
  /** @param event a word of ours, snake_case @param fields what an operator wants to know about it, in this order */
  (event: string, fields?: Record<string, string | number | boolean>): void;
}

/** What may stand without quotes: nothing that a reader could take for a separator. */
const PLAIN = /^[\w.:/@+-]{1,200}$/;

/** The line for one event, without its end. */
export function formatLine(event: string, fields: Record<string, string | number | boolean> = {}): string {
  let line = event;
  for (const [key, value] of Object.entries(fields)) {
    const text = String(value);
    line += ` ${key}=${PLAIN.test(text) ? text : quoted(text)}`;
  }
  return line;
}

/** A log whose lines go to `write`. */
export function logTo(write: (line: string) => void): Log {
  return (event, fields) => write(formatLine(event, fields));
}

/** What to say of something thrown: its own words, not where it was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
