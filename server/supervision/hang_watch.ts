/**
 * Decides from one reading of a heartbeat after the other whether the thread of matches hangs. Time
 * counts only while the watcher itself runs: if the process was stopped or the machine slept, both
 * threads stood still, and no more than one late look is counted.
 */
import type { HeartbeatReading } from "./heartbeat.ts";

/** How often the heartbeat is read, ms. */
export const LOOK_EVERY_MS = 50;
/**
 * One look counts at most so many times the time between two looks: a later one says that the
 * watcher was late, too.
 */
const LATE_LOOKS_MAX = 2;
/**
 * A step of one match, or a turn of the event loop, that takes longer hangs, ms. An honest
 * match-tick takes 0.5 to 3 ms, the first ones of a process 50, and a pause of the garbage
 * collector for a heap of 2 GB some hundred.
 */
export const STEP_MS_MAX = 2_000;
/**
 * From here on it is told what is under way, ms: a process that dies of it, for want of memory, can
 * no longer say so.
 */
const SUSPECT_MS = 250;

/** What a look has found. "hangs" comes again each `STEP_MS_MAX`. */
export type HangSign = "suspect" | "cleared" | "hangs";

export class HangWatch {
  #sequence = -1;
  #stuckMs = 0;
  #lookedAtMs: number;
  #isSuspect = false;
  /** The age at which it is said next that the thread hangs, ms. */
  #hangsAtMs = STEP_MS_MAX;

  /** @param nowMs on any clock that does not go back, as for `look` */
  constructor(nowMs: number) {
    this.#lookedAtMs = nowMs;
  }

  /** How long the same has been under way, ms of the watcher's own time. */
  get stuckMs(): number {
    return this.#stuckMs;
  }

  /** @returns what is new; undefined for nothing */
  look({ sequence, isWatched }: HeartbeatReading, nowMs: number): HangSign | undefined {
    const sinceMs = Math.min(nowMs - this.#lookedAtMs, LATE_LOOKS_MAX * LOOK_EVERY_MS);
    this.#lookedAtMs = nowMs;

    if (!isWatched || sequence !== this.#sequence) {
      this.#sequence = sequence;
      this.#stuckMs = 0;
      this.#hangsAtMs = STEP_MS_MAX;
      const wasSuspect = this.#isSuspect;
      this.#isSuspect = false;
      return wasSuspect ? "cleared" : undefined;
    }

    this.#stuckMs += sinceMs;
    if (this.#stuckMs >= this.#hangsAtMs) {
      this.#hangsAtMs += STEP_MS_MAX;
      return "hangs";
    }
    if (this.#isSuspect || this.#stuckMs < SUSPECT_MS) return undefined;
    this.#isSuspect = true;
    return "suspect";
  }
}
