/**
 * Measures how long this process stood still, because it was stopped or the machine slept. What its
 * clients sent meanwhile arrives all at once, and they are not to blame for that.
 */

/**
 * A longer gap between two ticks is a stall, ms: ten ticks at 20 Hz. Even a busy machine is never
 * this late.
 */
const STALL_MS_MIN = 500;

/** One process's stalls. The loop that runs the ticks reports to it. */
export class Stalls {
  #beatMs: number;
  #stalledMs = 0;

  /** @param nowMs the present time; later calls use the same clock */
  constructor(nowMs: number) {
    this.#beatMs = nowMs;
  }

  /** Notes that the loop runs. Call it with each tick. */
  beat(nowMs: number): void {
    this.#stalledMs += this.#gapMs(nowMs);
    this.#beatMs = nowMs;
  }

  /** Total duration of all stalls, ms, including one that the loop has not seen the end of yet. */
  totalMs(nowMs: number): number {
    return this.#stalledMs + this.#gapMs(nowMs);
  }

  #gapMs(nowMs: number): number {
    const gapMs = nowMs - this.#beatMs;
    return gapMs > STALL_MS_MIN ? gapMs : 0;
  }
}
