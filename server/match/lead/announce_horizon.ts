/**
 * Estimates how many ticks before their use one client needs NPCs' commands (DESIGN 9). The
 * estimate slightly exceeds what nearly all of the client's own recent commands needed:
 *
 *     need    = command's tick − newest definitive tick received when the client gave the command
 *     horizon = min( p99.9 + 2, max( p98, worst of the last second ) + 1 ), in ticks
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { DecayingHistogram } from "./decaying_histogram.ts";

/**
 * Half of the weight is gone after 70 s of commands, which is long enough to show what one command
 * in a hundred needs.
 */
const LONG = { from: 0, bins: 64, width: 1, decay: 0.9995 };
/**
 * Shows a network that has just become worse: each of the newest 16 commands, 0.8 s, carries more
 * than 2 % of the weight.
 */
const SHORT = { from: 0, bins: 64, width: 1, decay: 0.965 };
/**
 * The share of needs that each quantile leaves uncovered, and the spare ticks added to it, for the
 * long ("common") and the short ("recent") histogram. A quantile below p99 is enough, because of
 * the spare ticks and because the neediest client decides for all. Over all of the lab's rows at
 * least 99.6 % of NPC commands are known in time, while the queues are less than 3 ticks longer
 * than p99 would need.
 */
const COMMON_MISSED_SHARE = 0.02;
const COMMON_SPARE_TICKS = 1;
const RECENT_MISSED_SHARE = 0.02;
const RECENT_SPARE_TICKS = 1;
/** The upper limit: two ticks beyond what all but one command in a thousand needed. */
const NEARLY_ALL_MISSED_SHARE = 0.001;
const NEARLY_ALL_SPARE_TICKS = 2;

/**
 * More commands than this between two ticks, half a second's worth, were held up together. They do
 * not count as needs.
 */
const COMMANDS_PER_TICK_MAX = 10;

/** Estimates one client's horizon. */
export class AnnounceHorizon {
  readonly #long = new DecayingHistogram(LONG);
  readonly #short = new DecayingHistogram(SHORT);
  readonly #pending = new Int32Array(COMMANDS_PER_TICK_MAX);
  #pendingCount = 0;
  #horizonTicks = 0;

  /** Records the need of one command, in ticks. */
  observe(needTicks: Tick): void {
    if (this.#pendingCount < COMMANDS_PER_TICK_MAX) this.#pending[this.#pendingCount] = needTicks;
    this.#pendingCount++;
  }

  /** Ends a tick, after its commands were observed. */
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

  /** The horizon in ticks; 0 before the first command. */
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

/**
 * The lowest number of ticks into which all but this share of the needs fit. A need of n ticks
 * falls into the bin that ends at n + 1.
 */
function ticksFor(histogram: DecayingHistogram, missedShare: number): Tick {
  return histogram.bound(missedShare) - 1;
}
