/**
 * Measures how many of the last seconds' ticks a server has run. Dropped ticks and late ones are
 * missing.
 */

/** The window that a probe sees, s: long enough to smooth over a pause of the garbage collector. */
const SECONDS = 5;

export class RecentTicks {
  readonly #hz: number;
  /** Dropped ticks by second, and the second that each entry stands for. */
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

  /** Counts ticks that will never run. */
  share(nowMs: number, overdueMs: number): number {
    let missing = Math.floor(overdueMs * this.#hz / 1000);
    for (const [entry, second] of this.#seconds.entries()) {
      if (nowMs / 1000 - second <= SECONDS) missing += this.#dropped[entry]!;
    }
    return Math.max(0, 1 - missing / (SECONDS * this.#hz));
  }
}
