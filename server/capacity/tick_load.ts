/**
 * Measures how much of their time the ticks take, so that the server admits only clients it can
 * serve.
 */

/** How many ticks count: 5 s at 20 Hz. */
const TICKS = 100;
/**
 * How many of the slowest ticks are ignored, because a few slow ones, such as a process's first,
 * prove nothing: the sixth slowest of a hundred is the p95.
 */
const SLOWEST = 5;

/** The load that ticks of one rate cause. */
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
   * The p95 of the newest hundred ticks' durations, as a share of a tick; above 1 the ticks take
   * too long.
   */
  get share(): number {
    return this.#durationsMs.toSorted()[TICKS - 1 - SLOWEST]! / this.#periodMs;
  }
}
