/**
 * A clock that can stand still or go slowly, for a match that only this page plays:
 *
 *     now = held + (real − since) · pace        held and since: where the pace last changed
 */
import type { Clock } from "../../shared/netcode/link.ts";

export class PacedClock implements Clock {
  readonly #real: Clock;
  #pace = 1;
  #sinceMs: number;
  #heldMs: number;

  constructor(real: Clock) {
    this.#real = real;
    this.#sinceMs = this.#heldMs = real.now();
  }

  /** How much of the real time passes: 0 stands still, 1 is real time. */
  get pace(): number {
    return this.#pace;
  }

  /** @throws RangeError if it is not 0 … 1 */
  set pace(pace: number) {
    if (!(pace >= 0 && pace <= 1)) throw new RangeError(`the pace ${pace} is not 0 … 1`);
    this.#heldMs = this.now();
    this.#sinceMs = this.#real.now();
    this.#pace = pace;
  }

  now(): number {
    return this.#heldMs + (this.#real.now() - this.#sinceMs) * this.#pace;
  }

  lagMs(): number {
    return (this.#real.lagMs?.() ?? 0) * this.#pace;
  }

  /** Converts a moment on this clock to the real one's, ms; Infinity while it stands still. */
  realMs(atMs: number): number {
    if (this.#pace === 0) return Infinity;
    return this.#sinceMs + (atMs - this.#heldMs) / this.#pace;
  }
}
