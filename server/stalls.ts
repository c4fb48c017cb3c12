/**
 * How long this process stood still: it was stopped, or the machine slept. What its clients sent
 * meanwhile arrives at once, and that is not their fault.
 */

/**
 * A longer time between two ticks than this is a stall, ms: ten ticks at 20 Hz. A busy machine is
 * never as late.
 */
const STALL_MS_MIN = 500;

/** The stalls of one process. The loop that runs the ticks reports itself to it. */
export class Stalls {
  #beatMs: number;
  #stalledMs = 0;

  /** @param nowMs the time now; later calls give it on the same clock */
  constructor(nowMs: number) {
    this.#beatMs = nowMs;
  }

  /** The loop runs. Call it with each tick. */
  beat(nowMs: number): void {
    this.#stalledMs += this.#gapMs(nowMs);
    this.#beatMs = nowMs;
  }

  /** All stalls together, ms, with one whose end the loop has not seen yet. */
  totalMs(nowMs: number): number {
    return this.#stalledMs + this.#gapMs(nowMs);
  }

  #gapMs(nowMs: number): number {
    const gapMs = nowMs - this.#beatMs;
    return gapMs > STALL_MS_MIN ? gapMs : 0;
  }
}
