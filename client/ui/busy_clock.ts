/**
 * The page's clock. It also reports how long an event may have waited while the page was busy. The
 * page sets one timer again and again, and a busy page makes that timer late:
 *
 *     lag = now − due(timer)      0 if the timer is not due
 *
 * Because a browser orders events as it likes, those that waited may be handled after the late
 * timer. So for a moment after a late timer the lag still counts from when that timer was due.
 */
import type { Clock } from "../../shared/netcode/link.ts";

export class BusyClock implements Clock {
  readonly now: () => number;
  readonly #momentMs: number;
  #dueMs = Infinity;
  #busyFromMs = -Infinity;
  #busyUntilMs = -Infinity;

  /**
   * @param momentMs a timer that is later than this was held up, and for as long after it events
   *   may have waited, too
   */
  constructor(now: () => number, momentMs: number) {
    this.now = now;
    this.#momentMs = momentMs;
  }

  /**
   * Call it at the end of the timer's handler.
   * @param dueMs when the timer is due again, ms on this clock
   */
  setTimer(dueMs: number): void {
    const nowMs = this.now();
    if (nowMs - this.#dueMs > this.#momentMs) {
      this.#busyFromMs = this.#dueMs;
      this.#busyUntilMs = nowMs;
    }
    this.#dueMs = dueMs;
  }

  lagMs(): number {
    const nowMs = this.now();
    const wasBusy = nowMs <= this.#busyUntilMs + this.#momentMs;
    return Math.max(0, nowMs - (wasBusy ? this.#busyFromMs : this.#dueMs));
  }
}
