/** The rows as text, for people. */
import type { Row } from "./compare.ts";

/** A column: its title, and a row's value in it. */
type Column = readonly [title: string, text: (row: Row) => string];

const mm = (metres: number | null) => metres === null ? "–" : (metres * 1000).toFixed(1);

const COLUMNS: readonly Column[] = [
  ["stream  ", ({ stream }) => stream],
  ["RTT ms", ({ rttMs }) => `${rttMs}`],
  ["ticks", ({ ticks }) => `${ticks}`],
  ["undecoded", ({ decodeErrors }) => `${decodeErrors}`],
  ["checksums", ({ checksums }) => `${checksums}`],
  ["differ", ({ checksumsDiffer }) => `${checksumsDiffer}`],
  ["commands", ({ commandsSent }) => `${commandsSent}`],
  ["taken", ({ takenShare }) => `${(takenShare * 100).toFixed(1)} %`],
  ["own mm", ({ ownErrorMeanM }) => mm(ownErrorMeanM)],
  ["worst", ({ ownErrorWorstM }) => mm(ownErrorWorstM)],
  ["others mm", ({ othersErrorMeanM }) => mm(othersErrorMeanM)],
  ["worst", ({ othersErrorWorstM }) => mm(othersErrorWorstM)],
  ["missing", ({ missingBodies }) => `${missingBodies}`],
  ["B/s", ({ bytesDownPerSecond }) => bytesDownPerSecond.toFixed(0)],
  ["", ({ failures }) => failures.length === 0 ? "ok" : "NOT OK"],
];

/** Room for the longest usual value, or for the title. */
const WIDTH_MIN = 7;

const lineOf = (cells: readonly string[]) =>
  cells.map((cell, i) => cell.padStart(Math.max(WIDTH_MIN, COLUMNS[i]![0].length))).join("  ");

export const HEADING = lineOf(COLUMNS.map(([title]) => title));

/** One row as a line below the heading. */
export function textOf(row: Row): string {
  return lineOf(COLUMNS.map(([, text]) => text(row)));
}
