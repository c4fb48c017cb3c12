/**
 * The largest value of the last minute, or a little less: a scrape once a minute sees every peak,
 * and old peaks go.
 */

/** Two windows follow each other, ms. */
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

  /** The largest value of the last 30 to 60 s; 0 without any. */
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
