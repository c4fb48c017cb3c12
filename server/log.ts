/**
 * One line for each thing that happened: `event key=value …`, or the same as one JSON object. Whatever runs the server adds the
 * time. A value may come from a stranger, so nothing in it can end the line, colour the terminal or look like a field of its own.
 */
import { quoted } from "../shared/quoted.ts";

/** What an operator wants to know about an event, in this order. `event` is the event's own key. */
export type LogFields = Readonly<Record<string, string | number | boolean>> & { readonly event?: never };

export interface Log {
  /** @param event a word of ours, snake_case */
  (event: string, fields?: LogFields): void;
}

/** What may stand without quotes: nothing that a reader could take for a separator. */
const UNQUOTED = /^[\w.:/@+-]{1,200}$/;

/** The line for one event, without its end. */
export function formatLine(event: string, fields: LogFields = {}): string {
  let line = event;
  for (const [key, value] of Object.entries(fields)) {
    const text = String(value);
    line += ` ${key}=${UNQUOTED.test(text) ? text : quoted(text)}`;
  }
  return line;
}

/** The same as one JSON object on one line, the event under "event". Numbers that JSON cannot write are null. */
export function formatJsonLine(event: string, fields: LogFields = {}): string {
  let line = `{"event":${quoted(event)}`;
  for (const [key, value] of Object.entries(fields)) {
    line += `,${quoted(key)}:${typeof value === "string" ? quoted(value) : JSON.stringify(value)}`;
  }
  return `${line}}`;
}

/** A log whose lines go to `write`. */
export function logTo(write: (line: string) => void, format = formatLine): Log {
  return (event, fields) => write(format(event, fields));
}

/** What to say of something thrown: its own words, not where it was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
