/** How much of their time the ticks take, so that the server admits no client it cannot serve. */

/** Ticks that count: 5 s at 20 Hz. */
const TICKS = 100;
/**
 * A few slow ticks, such as the first ones of a process, say nothing: the sixth slowest of a
 * hundred is the p95.
 */
const SLOWEST = 5;

/** The load of the ticks of one tick rate. */
export class TickLoad {
  readonly #periodMs: number;
  readonly #durationsMs = new Float64Array(TICKS);
  #observed = 0;

  constructor(tickHz: number) {
    this.#periodMs = 1000 / tickHz;
  }

  observe(durationMs: number): void {
    this.#durationsMs[this.#observed++ % TICKS] = durationMs;
  }

  /**
   * The p95 of the newest hundred ticks' durations as a share of a tick; above 1 the ticks take too
   * long.
   */
  get share(): number {
    return this.#durationsMs.toSorted()[TICKS - 1 - SLOWEST]! / this.#periodMs;
  }
}
