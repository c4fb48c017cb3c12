/** Makes the HUD's numbers for a kit game from the view's `status` and the world. */
import { npcNameOf } from "../../shared/game_kit/npc_name.ts";
import {
  type GameRounds,
  PLAYER_SEATS,
  type RoundResult,
  type RoundScore,
  type SeatId,
  SEATS,
} from "../../shared/netcode/game.ts";
import type { GameStatus, TeamScore, VoteChoice } from "../presentation/view.ts";
import type { KitPalette } from "./kit_palette.ts";
import { guarded } from "./guarded.ts";
import { nameOf } from "./kit_frame.ts";
import type { LooseDefinition, LooseStatus } from "./loose_definition.ts";
import type { LooseSimulation, LooseWorld } from "./loose_types.ts";
import type { KitVote } from "./view_definition.ts";

interface StatusOptions {
  readonly names: ReadonlyMap<SeatId, string>;
  readonly ownSeat: SeatId;
}

interface ReaderOptions {
  readonly palette: KitPalette;
  /** How many players and NPCs the match waits for. */
  readonly playersMin: number;
  /** The words for the kinds of NPCs. */
  readonly npcs?: Readonly<Record<string, string>> | undefined;
  readonly npcNames?: readonly string[] | undefined;
  /** The game's rounds, as the server stores them. */
  readonly rounds?: GameRounds<LooseSimulation> | undefined;
}

export class KitStatusReader {
  readonly #definition: Pick<LooseDefinition, "status">;
  readonly #options: ReaderOptions;
  /** Each NPC seat's kind in the newest world, for the marks in lists. */
  readonly #kinds: (string | undefined)[] = new Array(SEATS).fill(undefined);
  /** Each seat's team in the newest world, for the marks in lists. */
  readonly #teams: unknown[] = new Array(SEATS).fill(undefined);

  constructor(definition: Pick<LooseDefinition, "status">, options: ReaderOptions) {
    this.#definition = definition;
    this.#options = options;
  }

  /** The name of the NPC on a seat. */
  readonly npcName = (world: LooseWorld, seat: SeatId): string =>
    npcNameOf(this.#options, { kind: world.npcKind(seat), seat });

  kindOf(seat: SeatId): string | undefined {
    return this.#kinds[seat];
  }

  teamOf(seat: SeatId): unknown {
    return this.#teams[seat];
  }

  read(simulation: LooseSimulation, { names, ownSeat }: StatusOptions): GameStatus {
    const { world } = simulation;
    const { rounds, playersMin } = this.#options;
    const status = this.#statusOf(world);
    let present = 0;
    for (let seat = 0; seat < SEATS; seat++) {
      const thing = world.player(seat);
      this.#teams[seat] = thing?.fields.team;
      this.#kinds[seat] = world.npcKind(seat);
      if (thing !== undefined) present++;
    }

    const result = status.round && rounds?.result(simulation);
    const isResult = status.round?.phase === "result";
    const readyOf = (seat: SeatId) =>
      seat >= 0 && guarded("status", () => status.ready?.(seat) ?? false, () => false);
    const hasReady = isResult && status.ready !== undefined;

    return {
      scores: scoresOf(status, { world, result, isResult }).map((score) => {
        const { seat } = score;
        const npc = seat >= PLAYER_SEATS;
        return {
          ...score,
          name: nameOf(seat, names, () => this.npcName(world, seat)),
          npc,
          ready: hasReady && !npc ? readyOf(seat) : undefined,
        };
      }),
      round: status.round && { ...status.round, set: result?.set },
      ready: readyOf(ownSeat),
      teams: status.teams?.map(({ team, score }) => this.#teamScore(team, score, ownSeat)),
      vote: status.vote && votesOf(status.vote, ownSeat),
      clock: status.clock,
      note: ownSeat < 0 ? undefined : guarded(
        "status",
        () => status.note?.(ownSeat),
        () => undefined,
      ),
      banner: waitingText(playersMin - present) ?? status.banner,
      hasScores: status.scores !== undefined || result !== undefined && status.teams === undefined,
    };
  }

  #statusOf(world: LooseWorld): LooseStatus {
    const { status } = this.#definition;
    return status === undefined ? {} : guarded("status", () => status(world), () => ({}));
  }

  #teamScore(team: string, score: number, ownSeat: SeatId): TeamScore {
    const name = team.charAt(0).toUpperCase() + team.slice(1).replaceAll("_", " ");
    return {
      name,
      colour: this.#options.palette.teamColour(team) ?? "#808996",
      pattern: this.#options.palette.patternOf(-1, team),
      score,
      own: this.#teams[ownSeat] === team,
    };
  }
}

/** Counts the votes of all players. */
function votesOf({ choices, of }: KitVote, ownSeat: SeatId): readonly VoteChoice[] {
  const votes: (number | undefined)[] = [];
  for (let seat = 0; seat < PLAYER_SEATS; seat++) {
    votes[seat] = guarded("status", () => of(seat), () => undefined);
  }
  return choices.map((label, choice) => ({
    label,
    votes: votes.filter((vote) => vote === choice).length,
    own: votes[ownSeat] === choice,
  }));
}

/** Says that the match waits for more players; undefined once enough play. */
function waitingText(missing: number): string | undefined {
  if (missing <= 0) return undefined;
  return missing === 1 ? "Waiting for another player" : `Waiting for ${missing} more players`;
}

/** Without scores, every player gets a row with 0. */
function scoresOf(
  { scores }: LooseStatus,
  { world, result, isResult }: {
    readonly world: LooseWorld;
    readonly result: RoundResult | undefined;
    readonly isResult: boolean;
  },
): readonly RoundScore[] {
  if (scores !== undefined && !(isResult && result !== undefined)) return scores;
  if (result !== undefined) return result.scores;
  const present: RoundScore[] = [];
  for (let seat = 0; seat < SEATS; seat++) {
    if (world.player(seat) !== undefined) present.push({ seat, score: 0 });
  }
  return present;
}

/** Says in a sentence how a round between teams ended; undefined for a game without teams. */
export function teamVerdict({ teams, round }: GameStatus): string | undefined {
  if (teams === undefined || teams.length === 0 || round === undefined) return undefined;
  const best = Math.max(...teams.map(({ score }) => score));
  const winners = teams.filter(({ score }) => score === best);
  const result = teams.map(({ score }) => score).sort((a, b) => b - a).join(" : ");
  if (winners.length > 1) return `Round ${round.number} is a draw, ${result}.`;
  const [{ name, own }] = winners as [TeamScore];
  return own
    ? `Your team wins round ${round.number}, ${result}!`
    : `${name} wins round ${round.number}, ${result}.`;
}
