/**
 * The largest value of about the last minute, so that a scrape once a minute sees every peak, while
 * old peaks disappear.
 */

/** The length of each of the two successive windows, ms. */
const WINDOW_MS = 30_000;

export class RecentMax {
  #windowBeganMs = -Infinity;
  #current = 0;
  #previous = 0;

  /** @param value at least 0 */
  observe(value: number, nowMs: number): void {
    this.#moveWindow(nowMs);
    if (value > this.#current) this.#current = value;
  }

  /** The largest value of the last 30 to 60 s; 0 if there is none. */
  value(nowMs: number): number {
    this.#moveWindow(nowMs);
    return Math.max(this.#current, this.#previous);
  }

  #moveWindow(nowMs: number): void {
    const passedMs = nowMs - this.#windowBeganMs;
    if (passedMs < WINDOW_MS) return;
    this.#previous = passedMs < 2 * WINDOW_MS ? this.#current : 0;
    this.#current = 0;
    this.#windowBeganMs = nowMs;
  }
}
