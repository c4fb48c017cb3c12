/** Counts of tests, read from deno's summaries and written as one. */

export interface Counts {
  readonly passed: number;
  readonly steps: number;
  readonly failed: number;
  readonly ignored: number;
}

/** One call of `deno test` that has ended. */
export interface PartResult {
  readonly code: number;
  /** Undefined if it ended without a summary. */
  readonly counts: Counts | undefined;
  readonly isInterrupted: boolean;
}

/** Escape sequences of colours. */
// deno-lint-ignore no-control-regex
const COLOURS = /\x1b\[[\d;]*m/g;
/** The summary that `deno test` prints at its end: `ok | 12 passed (3 steps) | 0 failed | 1 ignored (4s)`. */
const SUMMARY =
  /^(?:ok|FAILED) \| (\d+) passed(?: \((\d+) steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?(?: \| (\d+) ignored)?/gm;

/** @param output all that `deno test` wrote @returns the counts of its last summary; undefined if it has none */
export function countsOf(output: string): Counts | undefined {
  const [, passed, steps, failed, ignored] = [...output.replace(COLOURS, "").matchAll(SUMMARY)].at(-1) ?? [];
  if (passed === undefined) return undefined;
  return { passed: Number(passed), steps: Number(steps ?? 0), failed: Number(failed), ignored: Number(ignored ?? 0) };
}

/**
 * One summary of several parts, in deno's format. A part that ended wrongly but counts no failed test, for example
 * because a file does not load, counts as one failure.
 */
export function summaryOf(parts: readonly PartResult[], tookMs: number): string {
  let passed = 0, steps = 0, failed = 0, ignored = 0;
  for (const { code, counts } of parts) {
    passed += counts?.passed ?? 0;
    steps += counts?.steps ?? 0;
    failed += Math.max(counts?.failed ?? 0, code === 0 ? 0 : 1);
    ignored += counts?.ignored ?? 0;
  }
  const seconds = Math.round(tookMs / 1000), more = ignored > 0 ? ` | ${ignored} ignored` : "";
  const took = seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  return `${failed === 0 ? "ok" : "FAILED"} | ${passed} passed (${steps} steps) | ${failed} failed${more} (${took})`;
}
