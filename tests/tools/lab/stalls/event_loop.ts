/**
 * A process's timers on a clock that others set. As in an event loop, the process's sockets are
 * read between two calls of `fireTimers`, so a timer of 0 ms fires after the sockets have been read
 * once.
 */
import type { Scheduler } from "../../../../server/ground/ticker.ts";
import type { Clock } from "../../../../shared/netcode/link.ts";

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

export class EventLoop implements Scheduler {
  readonly #clock: Clock;
  /** In the order in which they were set. */
  readonly #timers = new Set<Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { atMs: this.now() + delayMs, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** When the first timer is due, ms; Infinity if there is none. */
  get nextDueMs(): number {
    let dueMs = Infinity;
    for (const { atMs } of this.#timers) dueMs = Math.min(dueMs, atMs);
    return dueMs;
  }

  /** Fires what is due, earliest first. A timer that one of them sets waits for the next call. */
  fireTimers(): void {
    const nowMs = this.now();
    const due = [...this.#timers].filter(({ atMs }) => atMs <= nowMs);
    for (const timer of due.sort((a, b) => a.atMs - b.atMs)) {
      // An earlier one may have cancelled it.
      if (this.#timers.delete(timer)) timer.action();
    }
  }
}
