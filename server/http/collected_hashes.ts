/**
 * The table of `--collect-hashes`: how often visitors' devices reported which hash. It is in memory
 * alone, has no addresses and no times, and proves nothing, because anybody can report anything.
 */
import type { CollectedRow, HashReport } from "../../shared/hash_reports.ts";

/**
 * Different reports. There are some ten browsers with a few current versions on two kinds of
 * processors; the bound is for strangers who invent others.
 */
export const HASH_ROWS_MAX = 200;
/** Where a row stops counting. */
const COUNT_MAX = 1_000_000_000;

export class CollectedHashes {
  /** By their texts, the one that was reported longest ago first. */
  readonly #rows = new Map<string, CollectedRow>();

  /** A report that makes the table too long takes the place of the rarest row, and of these the oldest. */
  add(report: HashReport): void {
    const key = JSON.stringify([report.engine, report.processor, report.ticks, report.hash]);
    const count = Math.min((this.#rows.get(key)?.count ?? 0) + 1, COUNT_MAX);
    if (!this.#rows.delete(key) && this.#rows.size >= HASH_ROWS_MAX) this.#removeRarest();
    this.#rows.set(key, { ...report, count });
  }

  /** The most frequent first. */
  rows(): readonly CollectedRow[] {
    return [...this.#rows.values()].sort((a, b) => b.count - a.count);
  }

  #removeRarest(): void {
    let rarest: readonly [key: string, count: number] | undefined;
    for (const [key, { count }] of this.#rows) {
      if (rarest === undefined || count < rarest[1]) rarest = [key, count];
    }
    if (rarest !== undefined) this.#rows.delete(rarest[0]);
  }
}
