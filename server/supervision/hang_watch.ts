/**
 * Decides from successive heartbeat readings whether the thread that runs matches hangs. Time
 * counts only while the watcher itself runs: if the process was stopped or the machine slept, both
 * threads stood still, and at most one late look counts.
 */
import type { HeartbeatReading } from "./heartbeat.ts";

/** How often the heartbeat is read, ms. */
export const LOOK_EVERY_MS = 50;
/**
 * How many usual intervals one look may count. If more time has passed, the watcher was late too.
 */
const LATE_LOOKS_MAX = 2;
/**
 * A step of one match, or a turn of the event loop, that takes longer than this hangs, ms. An
 * honest match-tick takes 0.5 to 3 ms, a process's first ones 50, and a garbage collection in a 2
 * GB heap some hundred.
 */
export const STEP_MS_MAX = 2_000;
/**
 * From this time on the parent is told what is under way, ms, because a process that later runs out
 * of memory can no longer report it.
 */
const SUSPECT_MS = 250;

/** What a look found. "hangs" is repeated every `STEP_MS_MAX`. */
export type HangSign = "suspect" | "cleared" | "hangs";

export class HangWatch {
  #sequence = -1;
  #stuckMs = 0;
  #lookedAtMs: number;
  #isSuspect = false;
  /** When the next "hangs" is due, as a duration without progress, ms. */
  #hangsAtMs = STEP_MS_MAX;

  /** @param nowMs on any clock that does not go back, as for `look` */
  constructor(nowMs: number) {
    this.#lookedAtMs = nowMs;
  }

  /** How long there has been no progress, ms of the watcher's own time. */
  get stuckMs(): number {
    return this.#stuckMs;
  }

  /** @returns what has changed; undefined if nothing has */
  look({ sequence, isWatched }: HeartbeatReading, nowMs: number): HangSign | undefined {
    const sinceMs = Math.min(nowMs - this.#lookedAtMs, LATE_LOOKS_MAX * LOOK_EVERY_MS);
    this.#lookedAtMs = nowMs;

    // It makes progress.
    if (!isWatched || sequence !== this.#sequence) {
      this.#sequence = sequence;
      this.#stuckMs = 0;
      this.#hangsAtMs = STEP_MS_MAX;
      const wasSuspect = this.#isSuspect;
      this.#isSuspect = false;
      return wasSuspect ? "cleared" : undefined;
    }

    // It is still where it was.
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
