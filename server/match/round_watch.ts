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
  /** As pages show it: the player's name, or the NPC's, such as "Hunter 3". */
  readonly name: string;
  readonly score: number;
  /** The team that the seat plays for; undefined without teams. */
  readonly team?: string | undefined;
  /** Undefined for whom the round does not count in the table of the best. */
  readonly player?: RankedPlayer | undefined;
}

/** A player as the table of the best knows them. */
export interface RankedPlayer {
  /** A digest of their device, or of the name that an operator's hook gave them. */
  readonly account: string;
  /** The name that they have typed. */
  readonly name: string;
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
  readonly #onOver: ((round: RoundOver, since: Tick) => void) | undefined;
  #wasOver = false;
  /** The first tick of the round, as far as it was observed. */
  #since: Tick | undefined;

  /** @param onOver called once for each round that ends, with its first observed tick */
  constructor(
    rounds: GameRounds<Sim> | undefined,
    onOver: ((round: RoundOver, since: Tick) => void) | undefined,
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
    if (this.#wasOver || this.#since === undefined) this.#since = tick;
    if (isOver && !this.#wasOver) {
      const { round, scores } = this.#rounds!.result(simulation);
      const named = scores.map(({ seat, score, team, npcName }) => ({
        seat,
        name: npcName ?? presence.nameOf(seat),
        score,
        ...team !== undefined && { team },
      }));
      this.#onOver?.({ round, tick, scores: named }, this.#since);
    }
    this.#wasOver = isOver;
  }
}
