/**
 * The log: one line for each event, as `time level event key=value …` or as one JSON object. Values
 * may come from strangers, so a value can neither end the line nor colour the terminal nor imitate
 * another field.
 */
import { quoted } from "../../shared/quoted.ts";

/** An event's fields in the line's order. `event`, `time` and `level` are reserved. */
export type LogFields = Readonly<Record<string, string | number | boolean>> & {
  readonly event?: never;
  readonly time?: never;
  readonly level?: never;
};

/** What each line begins with. */
export interface LineStart {
  /** ISO 8601. */
  readonly time: string;
  readonly level: string;
}

/** Formats one event as a line without its newline. */
export type Format = (event: string, fields?: LogFields, start?: LineStart) => string;

export interface Log {
  /** @param event a fixed name in snake_case */
  (event: string, fields?: LogFields): void;
}

/** Values that need no quotes, because a reader can take nothing in them for a separator. */
const UNQUOTED = /^[\w.:/@+-]{1,200}$/;

/** A line for people: `event key=value …`, after time and level if they are given. */
export function formatLine(event: string, fields: LogFields = {}, start?: LineStart): string {
  let line = start === undefined ? event : `${start.time} ${start.level} ${event}`;
  for (const [key, value] of Object.entries(fields)) {
    const text = String(value);
    line += ` ${key}=${UNQUOTED.test(text) ? text : quoted(text)}`;
  }
  return line;
}

/**
 * Formats one event as a JSON object on one line, with the event's name under "event". NaN and
 * infinities become null.
 */
export function formatJsonLine(event: string, fields: LogFields = {}, start?: LineStart): string {
  let line = `{"event":${quoted(event)}`;
  for (const [key, value] of Object.entries({ ...start, ...fields })) {
    line += `,${quoted(key)}:${typeof value === "string" ? quoted(value) : JSON.stringify(value)}`;
  }
  return `${line}}`;
}

/** A log that passes each line to `write`. */
export function logTo(write: (line: string) => void, format: Format = formatLine): Log {
  return (event, fields) => write(format(event, fields));
}

/** Describes a thrown value by its name and message, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
