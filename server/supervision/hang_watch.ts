/**
 * Decides from successive readings of a heartbeat whether the thread of matches hangs. Time counts
 * only while the watcher itself runs: if the process was stopped or the machine slept, both threads
 * stood still, and at most one late look counts.
 */
import type { HeartbeatReading } from "./heartbeat.ts";

/** How often the heartbeat is read, ms. */
export const LOOK_EVERY_MS = 50;
/**
 * One look counts at most so many times the usual interval: if more has passed, the watcher was
 * late, too.
 */
const LATE_LOOKS_MAX = 2;
/**
 * A step of one match, or a turn of the event loop, that takes longer hangs, ms. An honest
 * match-tick takes 0.5 to 3 ms, the first ones of a process 50, and a pause of the garbage
 * collector for a heap of 2 GB some hundred.
 */
export const STEP_MS_MAX = 2_000;
/**
 * From here on the parent is told what is under way, ms, because a process that runs out of memory
 * later cannot tell it any more.
 */
const SUSPECT_MS = 250;

/** What a look has found. "hangs" comes again each `STEP_MS_MAX`. */
export type HangSign = "suspect" | "cleared" | "hangs";

export class HangWatch {
  #sequence = -1;
  #stuckMs = 0;
  #lookedAtMs: number;
  #isSuspect = false;
  /** The age at which the next "hangs" is due, ms. */
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

    // It goes on.
    if (!isWatched || sequence !== this.#sequence) {
      this.#sequence = sequence;
      this.#stuckMs = 0;
      this.#hangsAtMs = STEP_MS_MAX;
      const wasSuspect = this.#isSuspect;
      this.#isSuspect = false;
      return wasSuspect ? "cleared" : undefined;
    }

    // It is where it was.
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
