/**
 * How many of the last seconds' ticks a server has run. Those that it dropped or that are late are
 * missing.
 */

/** What a probe should know: long enough to skip a pause of the garbage collector. */
const SECONDS = 5;

export class RecentTicks {
  readonly #hz: number;
  /** Dropped ticks by second, and the second that each entry is of. */
  readonly #dropped = new Float64Array(SECONDS + 1);
  readonly #seconds = new Float64Array(SECONDS + 1).fill(-Infinity);

  /** @param hz ticks per second */
  constructor(hz: number) {
    this.#hz = hz;
  }

  /** Counts ticks that will never run. */
  drop(ticks: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    const entry = second % this.#seconds.length;
    if (this.#seconds[entry] !== second) this.#dropped[entry] = 0;
    this.#seconds[entry] = second;
    this.#dropped[entry]! += ticks;
  }

  /**
   * The share of the last five seconds' ticks that have run, 0 … 1.
   * @param overdueMs how late the next tick is
   */
  share(nowMs: number, overdueMs: number): number {
    let missing = Math.floor(overdueMs * this.#hz / 1000);
    for (const [entry, second] of this.#seconds.entries()) {
      if (nowMs / 1000 - second <= SECONDS) missing += this.#dropped[entry]!;
    }
    return Math.max(0, 1 - missing / (SECONDS * this.#hz));
  }
}
