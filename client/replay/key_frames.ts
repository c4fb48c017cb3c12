/**
 * Keeps a match's states now and then, so that every tick is near one. They are made as the log is
 * checked.
 */
import type { Tick } from "../../shared/netcode/game.ts";
import type { KeyFrame } from "./log_cursor.ts";

/**
 * The initial distance between key frames, ticks: a second at 20 Hz, which a page steps in a few
 * ms.
 */
const DISTANCE_MIN = 20;
/**
 * The most key frames, at some kilobytes each. Beyond it, every second one goes, and the distance
 * doubles.
 */
export const KEY_FRAMES_MAX = 512;

export class KeyFrames<Command> {
  /** Ascending by tick. */
  #all: KeyFrame<Command>[] = [];
  #distance = DISTANCE_MIN;

  get count(): number {
    return this.#all.length;
  }

  /** Whether the match needs a key frame at a tick that is newer than all others. */
  isDue(tick: Tick): boolean {
    const newest = this.#all.at(-1);
    return newest === undefined || tick >= newest.tick + this.#distance;
  }

  add(keyFrame: KeyFrame<Command>): void {
    this.#all.push(keyFrame);
    if (this.#all.length <= KEY_FRAMES_MAX) return;
    this.#all = this.#all.filter((_, i) => i % 2 === 0);
    this.#distance *= 2;
  }

  /** Finds the newest key frame up to a tick. @throws RangeError if there is none */
  before(tick: Tick): KeyFrame<Command> {
    const found = this.#all.findLast((each) => each.tick <= tick);
    if (found === undefined) throw new RangeError(`no key frame before tick ${tick}`);
    return found;
  }
}
