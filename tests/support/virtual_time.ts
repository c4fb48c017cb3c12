/**
 * A clock and timers that stand still until a test lets time pass. Promises are resolved between
 * two timers.
 */
import type { Scheduler } from "../../server/ground/ticker.ts";

/** Promises that wait for each other one after another: those of one event are fewer. */
const PROMISES_MAX = 24;

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

export class VirtualTime implements Scheduler {
  #nowMs = 1_000;
  /** The first one last; of the same time, the one that was set first. */
  readonly #timers: Timer[] = [];

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), action };
    let at = this.#timers.length;
    while (at > 0 && this.#timers[at - 1]!.atMs <= timer.atMs) at--;
    this.#timers.splice(at, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  readonly wait = (ms: number): Promise<void> => new Promise((resolve) => this.after(ms, resolve));

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await resolved();
    for (
      let timer = this.#timers.at(-1);
      timer !== undefined && timer.atMs <= endMs;
      timer = this.#timers.at(-1)
    ) {
      this.#timers.pop();
      this.#nowMs = Math.max(this.#nowMs, timer.atMs);
      timer.action();
      await resolved();
    }
    this.#nowMs = endMs;
  }
}

async function resolved(): Promise<void> {
  for (let i = 0; i < PROMISES_MAX; i++) await Promise.resolve();
}
