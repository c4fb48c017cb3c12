/**
 * What the page `/same-bits` and a server with `--collect-hashes` tell each other. A report comes
 * from a stranger, and every visitor reads the table, so a report has few words, and short ones.
 */

/** The address of the page, below which the server takes reports. */
export const SAME_BITS_PATH = "/same-bits/";
/** Below it: `POST` adds a `HashReport`, and `GET` answers with a `Collection`; so does `POST`. */
export const REPORTS_NAME = "results";

/** What a visitor's page reports. */
export interface HashReport {
  /** Such as "Firefox 140"; "unknown" if the browser is none of the known ones. */
  readonly engine: string;
  readonly processor: Processor;
  /** How many ticks of the scene it ran. */
  readonly ticks: number;
  /** Eight hexadecimal digits. */
  readonly hash: string;
}

/** As far as a browser tells. */
const PROCESSORS = ["x86", "ARM", "unknown"] as const;
export type Processor = typeof PROCESSORS[number];

/** Equal reports are one row. */
export interface CollectedRow extends HashReport {
  readonly count: number;
}

/** What the server answers. */
export interface Collection {
  /** Whether it takes reports. */
  readonly collects: boolean;
  /** The most frequent first; empty if it takes none. */
  readonly rows: readonly CollectedRow[];
}

/** Words with an optional version: "Samsung Internet 29". */
const ENGINE = /^[A-Za-z]{1,16}( [A-Za-z]{1,16})?( \d{1,4})?$/;
const HASH = /^[0-9a-f]{8}$/;
/** A page that ran longer than this is none of ours. */
const TICKS_MAX = 100_000;

/**
 * @param value a request's JSON value; undefined if it is not JSON
 * @returns the report with these four fields alone, or what is wrong with it, as a sentence
 */
export function hashReportOf(value: unknown): HashReport | string {
  if (typeof value !== "object" || value === null) return "A report is a JSON object.";
  const { engine, processor, ticks, hash } = value as Readonly<Record<string, unknown>>;
  if (typeof engine !== "string" || !ENGINE.test(engine)) {
    return "engine is a browser's name and version, such as Firefox 140.";
  }
  const known = PROCESSORS.find((name) => name === processor);
  if (known === undefined) return `processor is one of ${PROCESSORS.join(", ")}.`;
  if (typeof ticks !== "number" || !Number.isInteger(ticks) || ticks < 1 || ticks > TICKS_MAX) {
    return `ticks is a whole number from 1 to ${TICKS_MAX}.`;
  }
  if (typeof hash !== "string" || !HASH.test(hash)) {
    return "hash has eight hexadecimal digits.";
  }
  return { engine, processor: known, ticks, hash };
}
