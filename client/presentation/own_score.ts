/**
 * Counts the own points before the tick that gave them is settled. That tick waits for the commands
 * of everybody, but what gave the points may be settled long before, because nobody else was near
 * (`settlement.ts`):
 *
 *     own score = score of the settled tick + all later gains up to the first one that is not certain
 *
 * A gain is certain if the own seat had a part in events of its tick that wait until they are settled
 * (`View.isConfirmedOnly`), and all of these are.
 * Points once shown stay until the settled tick has reached theirs. So they fall only if an own
 * command that they counted on comes late (SPEC 8.23).
 */
import type { Tick } from "../../shared/netcode/game.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";

export interface OwnScoreMoment {
  readonly head: Tick;
  /** The newest tick in which all commands are known. */
  readonly settledTick: Tick;
  /** Whether the own seat had a part in confirmed events of a tick, and all of these are settled. */
  readonly isCertain: (tick: Tick) => boolean;
}

export class OwnScore {
  readonly #scores = new TickRing<{ score: number }>(HISTORY_TICKS, () => ({ score: 0 }));
  /** The newest score that was shown early, and the tick that gave it. */
  #shown = { score: 0, tick: -1 };

  /** Call it after each step, resimulated ones included. @param score the one after the tick */
  record(tick: Tick, score: number): void {
    this.#scores.claim(tick).score = score;
  }

  /** The score to show now; undefined before the settled tick was stepped here. */
  at({ head, settledTick, isCertain }: OwnScoreMoment): number | undefined {
    const settled = this.#scores.get(settledTick);
    if (settled === undefined) return undefined;
    let { score } = settled;
    for (let tick = settledTick + 1; tick <= head; tick++) {
      const after = this.#scores.get(tick)?.score;
      if (after === score) continue;
      if (after === undefined || after < score || !isCertain(tick)) break;
      score = after;
      if (tick > this.#shown.tick || score > this.#shown.score) this.#shown = { score, tick };
    }
    return this.#shown.tick > settledTick ? Math.max(score, this.#shown.score) : score;
  }
}
