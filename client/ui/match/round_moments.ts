/**
 * Remembers when each seat last did what decides rounds, so that the moment which decided one can be
 * shown again. It knows only definitive events.
 */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import { outcomeOf } from "../../../shared/netcode/round_outcome.ts";
import type { Caption, Score } from "../../presentation/view.ts";

/** A moment, with what happened in it. */
export interface RoundMoment {
  readonly tick: Tick;
  readonly caption: Caption;
}

export class RoundMoments {
  /** By the seat that did it; at most one for each. */
  readonly #newest = new Map<SeatId, RoundMoment>();

  note(moment: RoundMoment): void {
    this.#newest.set(moment.caption.doer, moment);
  }

  /** Forgets all, because another round has begun. */
  clear(): void {
    this.#newest.clear();
  }

  /** The last moment of those who won; undefined after a draw, and if they won otherwise. */
  decidingOf(scores: readonly Score[]): RoundMoment | undefined {
    return outcomeOf(scores).winners
      .flatMap(({ seat }) => this.#newest.get(seat) ?? [])
      .reduce<RoundMoment | undefined>(
        (last, moment) => last === undefined || moment.tick > last.tick ? moment : last,
        undefined,
      );
  }
}
