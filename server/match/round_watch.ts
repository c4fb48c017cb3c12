/** Notices the tick at which a round ends, and reports the scores. */
import type { GameRounds, SeatId, Tick } from "../../shared/netcode/game.ts";
import type { Presence } from "../../shared/netcode/presence.ts";

/** A round's result, based only on definitive ticks. */
export interface RoundOver {
  /** The round's number in its match, from 1. */
  readonly round: number;
  /** The tick that ended it. */
  readonly tick: Tick;
  readonly scores: readonly NamedScore[];
}

export interface NamedScore {
  readonly seat: SeatId;
  /** The player's name; empty for an NPC. */
  readonly name: string;
  readonly score: number;
}

/** What the end of a round is read from, at the newest definitive tick. */
export interface WatchedMatch<Sim> {
  readonly tick: Tick;
  readonly simulation: Sim;
  readonly presence: Pick<Presence<unknown>, "nameOf">;
}

/** Watches the rounds of one match. */
export class RoundWatch<Sim> {
  readonly #rounds: GameRounds<Sim> | undefined;
  readonly #onOver: ((round: RoundOver) => void) | undefined;
  #wasOver = false;

  /** @param onOver called once for each round that ends */
  constructor(
    rounds: GameRounds<Sim> | undefined,
    onOver: ((round: RoundOver) => void) | undefined,
  ) {
    this.#rounds = rounds;
    this.#onOver = onOver;
  }

  /** Marks a state as seen, so that a round that is already over in it is not reported again. */
  begin(simulation: Sim): void {
    this.#wasOver = this.#rounds?.isOver(simulation) ?? false;
  }

  /** Call it with every definitive tick. */
  observe({ simulation, tick, presence }: WatchedMatch<Sim>): void {
    const isOver = this.#rounds?.isOver(simulation) ?? false;
    if (isOver && !this.#wasOver) {
      const { round, scores } = this.#rounds!.result(simulation);
      const named = scores.map(({ seat, score }) => ({ seat, name: presence.nameOf(seat), score }));
      this.#onOver?.({ round, tick, scores: named });
    }
    this.#wasOver = isOver;
  }
}
