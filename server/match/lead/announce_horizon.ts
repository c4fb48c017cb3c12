/**
 * How many ticks before their use a client must be told of NPCs' commands: a little more than nearly all of its own commands
 * have needed lately.
 *
 *     need at a command = the command's tick − newest definitive tick received when it was given
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { DecayingHistogram } from "./decaying_histogram.ts";

/** Half forgotten after 70 s of commands: long enough to know what one in a hundred needs. */
const LONG = { from: 0, bins: 64, width: 1, decay: 0.9995 };
/** A line that has just become worse: nothing of it is older than a second or so. */
const SHORT = { from: 0, bins: 64, width: 1, decay: 0.965 };
/**
 * What all but this share needed is met with so many ticks to spare: of the long memory, and of the short one, where that share
 * is no command of the newest second. Aimed below 99 %, because of the ticks to spare, and because the neediest client decides
 * for all: over all of the lab's rows 99.6 % and more are foreknown, with queues less than 3 ticks longer than 99 % would need.
 */
const COMMON_MISSED_SHARE = 0.02, COMMON_SPARE_TICKS = 1;
const RECENT_MISSED_SHARE = 0.02, RECENT_SPARE_TICKS = 1;
/** … but no more than two ticks beyond what all but one in a thousand needed. */
const NEARLY_ALL_MISSED_SHARE = 0.001, NEARLY_ALL_SPARE_TICKS = 2;

/** What was held up with more commands than this, half a second of them, was no client at play. It teaches nothing. */
const COMMANDS_PER_TICK_MAX = 10;

/** One client's needs. */
export class AnnounceHorizon {
  readonly #long = new DecayingHistogram(LONG);
  readonly #short = new DecayingHistogram(SHORT);
  readonly #pending = new Int32Array(COMMANDS_PER_TICK_MAX);
  #pendingCount = 0;
  #horizonTicks = 0;

  /** Takes note of one command's need. */
  observe(needTicks: Tick): void {
    if (this.#pendingCount < COMMANDS_PER_TICK_MAX) this.#pending[this.#pendingCount] = needTicks;
    this.#pendingCount++;
  }

  /** Once a tick, when its commands have been observed. */
  endTick(): void {
    const count = this.#pendingCount;
    this.#pendingCount = 0;
    if (count === 0 || count > COMMANDS_PER_TICK_MAX) return;
    for (let i = 0; i < count; i++) {
      this.#long.add(this.#pending[i]!);
      this.#short.add(this.#pending[i]!);
    }
    this.#horizonTicks = this.#estimate();
  }

  /** In ticks; 0 while nothing is known. */
  get horizonTicks(): Tick {
    return this.#horizonTicks;
  }

  #estimate(): Tick {
    const nearlyAll = ticksFor(this.#long, NEARLY_ALL_MISSED_SHARE) + NEARLY_ALL_SPARE_TICKS;
    const common = ticksFor(this.#long, COMMON_MISSED_SHARE) + COMMON_SPARE_TICKS;
    const recent = ticksFor(this.#short, RECENT_MISSED_SHARE) + RECENT_SPARE_TICKS;
    return Math.min(nearlyAll, Math.max(common, recent));
  }
}

/** A need of n ticks is in the bin that ends at n + 1. */
function ticksFor(histogram: DecayingHistogram, missedShare: number): Tick {
  return histogram.bound(missedShare) - 1;
}
