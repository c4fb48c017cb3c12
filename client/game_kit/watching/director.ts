/**
 * Chooses for a spectator who chooses nobody: it goes where the match is decided.
 *
 *     interest = nearest fight (0 … 1) + ¼ for the leader + ½ for a person + what the view adds
 *
 * It stays with a player for some seconds, because a picture that jumps to and fro shows nothing.
 */
import { PLAYER_SEATS, type SeatId } from "../../../shared/netcode/game.ts";
import type { Score } from "../../presentation/view.ts";
import type { ShownThing } from "../shown_thing.ts";

/** How long the director stays with a player at least, s. */
const STAY_SECONDS = 4;
/** Rivals farther apart than this share of the view's width do not fight. */
const FIGHT_SHARE = 0.3;
const LEADER_INTEREST = 0.25;
/** People watch people: a fight between NPCs counts less than any of a player's. */
const PERSON_INTEREST = 0.5;

export interface DirectorOptions {
  /** How wide the view is, metres. */
  readonly viewWidth: number;
  /** What the view adds to a player's interest. */
  readonly interestOf: (player: ShownThing) => number;
  /** The scores of the newest frame, which say who leads. */
  readonly scores: () => readonly Pick<Score, "seat" | "score">[];
}

export class Director {
  readonly #options: DirectorOptions;
  #seat: SeatId = -1;
  /** When the director went to this player, s. */
  #sinceSeconds = -Infinity;

  constructor(options: DirectorOptions) {
    this.#options = options;
  }

  /** Begins anew, as after a seek in a replay, whose picture follows from its tick alone. */
  restart(): void {
    this.#seat = -1;
  }

  /**
   * Chooses for one frame.
   * @param players the things that seats drive, in any order
   * @param seconds the frame's time in the match, which a replay may set back
   * @returns undefined if there are none
   */
  choose(players: readonly ShownThing[], seconds: number): ShownThing | undefined {
    const current = players.find(({ seat }) => seat === this.#seat);
    const isStaying = Math.abs(seconds - this.#sinceSeconds) < STAY_SECONDS;
    if (current !== undefined && isStaying) return current;

    let best: ShownThing | undefined;
    let most = -Infinity;
    const scores = this.#options.scores();
    const lead = Math.max(1, ...scores.map(({ score }) => score));
    for (const player of players) {
      const leads = scores.some(({ seat, score }) => seat === player.seat && score === lead);
      const interest = this.#fightOf(player, players) + this.#options.interestOf(player) +
        (leads ? LEADER_INTEREST : 0) + (player.seat < PLAYER_SEATS ? PERSON_INTEREST : 0);
      // Of equals the lowest seat, whatever the order of things is.
      const isBetter = interest > most ||
        (interest === most && best !== undefined && player.seat < best.seat);
      if (!isBetter) continue;
      best = player;
      most = interest;
    }

    if (best !== undefined && best !== current) this.#sinceSeconds = seconds;
    this.#seat = best?.seat ?? -1;
    return best;
  }

  /** @returns 1 where a rival is at the same place, 0 where none is near */
  #fightOf(player: ShownThing, players: readonly ShownThing[]): number {
    const reach = FIGHT_SHARE * this.#options.viewWidth;
    const { team } = player.fields;
    let nearest = reach;
    for (const rival of players) {
      if (rival === player || (team !== undefined && rival.fields.team === team)) continue;
      nearest = Math.min(nearest, Math.hypot(rival.x - player.x, rival.y - player.y));
    }
    return 1 - nearest / reach;
  }
}
