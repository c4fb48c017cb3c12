/**
 * The files of the vectors as text. Each case is a line; its rows, such as the messages of a
 * connection, are a line each. So a change of one message is a change of one line.
 */
import { PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";

/** The files, in the order of WIRE 13. */
export const FILES = [
  "games",
  "coder",
  "client_messages",
  "server_messages",
  "predictions",
  "checksums",
  "clock",
  "snapshots",
] as const;

/**
 * Where the files are. Authors of other clients read them there, so they stand apart from the code
 * that makes them.
 */
const FOLDER = new URL("../../vectors/", import.meta.url);

export type FileName = typeof FILES[number];

export interface VectorFile {
  readonly protocol: number;
  readonly about: string;
  readonly cases: readonly unknown[];
}

/** The keys of a case whose elements have lines of their own. */
const ROW_KEYS = new Set([
  "messages",
  "rows",
  "clocks",
  "events",
  "bodies",
  "entities",
  "contacts",
  "kinds",
]);

/** A file's text. Equal cases give equal text. */
export function formatFile(about: string, cases: readonly object[]): string {
  const head = `{"protocol": ${PROTOCOL_VERSION}, "about": ${JSON.stringify(about)}, "cases": [\n`;
  return `${head}${cases.map(formatCase).join(",\n")}\n]}\n`;
}

function formatCase(each: object): string {
  const parts = Object.entries(each).filter(([, value]) => value !== undefined).map(
    ([key, value]) => {
      if (!ROW_KEYS.has(key) || !Array.isArray(value)) return `"${key}": ${JSON.stringify(value)}`;
      return `"${key}": [\n${value.map((row) => JSON.stringify(row)).join(",\n")}\n]`;
    },
  );
  return `{${parts.join(", ")}}`;
}

/** The place of a file. */
export function urlOf(name: FileName): URL {
  return new URL(`${name}.json`, FOLDER);
}

/** A file of the repository. @throws Deno.errors.NotFound if it is missing */
export function readFile(name: FileName): VectorFile {
  return JSON.parse(Deno.readTextFileSync(urlOf(name)));
}
