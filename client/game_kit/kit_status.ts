/** Makes the HUD's numbers for a kit game from the view's `status` and the world. */
import { PLAYER_SEATS, type SeatId, SEATS } from "../../shared/netcode/game.ts";
import type { GameStatus, Score, TeamScore } from "../presentation/view.ts";
import type { KitPalette } from "./kit_palette.ts";
import { guarded } from "./guarded.ts";
import { nameOf } from "./kit_frame.ts";
import type { LooseDefinition, LooseStatus } from "./loose_definition.ts";
import type { LooseSimulation, LooseWorld } from "./loose_types.ts";

interface StatusOptions {
  readonly names: ReadonlyMap<SeatId, string>;
  readonly ownSeat: SeatId;
}

export class KitStatusReader {
  readonly #definition: Pick<LooseDefinition, "status" | "words">;
  readonly #palette: KitPalette;
  /** How many players and NPCs the match waits for. */
  readonly #playersMin: number;
  /** The words for the kinds of NPCs. */
  readonly #npcs: Readonly<Record<string, string>>;
  readonly #npcNames: readonly string[];
  /** Each NPC seat's kind in the newest world, for the marks in lists. */
  readonly #kinds: (string | undefined)[] = new Array(SEATS).fill(undefined);
  /** Each seat's team in the newest world, for the marks in lists. */
  readonly #teams: unknown[] = new Array(SEATS).fill(undefined);

  constructor(
    definition: Pick<LooseDefinition, "status" | "words">,
    { palette, playersMin, npcs = {}, npcNames = [] }: {
      palette: KitPalette;
      playersMin: number;
      npcs?: Readonly<Record<string, string>> | undefined;
      npcNames?: readonly string[] | undefined;
    },
  ) {
    this.#definition = definition;
    this.#palette = palette;
    this.#playersMin = playersMin;
    this.#npcs = npcs;
    this.#npcNames = npcNames;
  }

  /** The name of the NPC on a seat: the word for its kind, and its own name or a number. */
  readonly npcName = (world: LooseWorld, seat: SeatId): string => {
    const kind = world.npcKind(seat);
    const word = (kind && this.#npcs[kind]) ?? this.#definition.words?.npc ?? "Bot";
    const index = seat - PLAYER_SEATS;
    return `${word} ${this.#npcNames[index] ?? index + 1}`;
  };

  kindOf(seat: SeatId): string | undefined {
    return this.#kinds[seat];
  }

  teamOf(seat: SeatId): unknown {
    return this.#teams[seat];
  }

  read({ world }: LooseSimulation, { names, ownSeat }: StatusOptions): GameStatus {
    const status = this.#statusOf(world);
    let present = 0;
    for (let seat = 0; seat < SEATS; seat++) {
      const thing = world.player(seat);
      this.#teams[seat] = thing?.fields.team;
      this.#kinds[seat] = world.npcKind(seat);
      if (thing !== undefined) present++;
    }
    return {
      scores: scoresOf(status, world).map(({ seat, score }) => (
        {
          seat,
          score,
          name: nameOf(seat, names, () => this.npcName(world, seat)),
          npc: seat >= PLAYER_SEATS,
        }
      )),
      round: status.round,
      ready: ownSeat >= 0 &&
        guarded("status", () => status.ready?.(ownSeat) ?? false, () => false),
      teams: status.teams?.map(({ team, score }) => this.#teamScore(team, score, ownSeat)),
      clock: status.clock,
      banner: waitingText(this.#playersMin - present) ?? status.banner,
      hasScores: status.scores !== undefined,
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
      colour: this.#palette.teamColour(team) ?? "#808996",
      pattern: this.#palette.patternOf(-1, team),
      score,
      own: this.#teams[ownSeat] === team,
    };
  }
}

/** Says that the match waits for more players; undefined once enough play. */
function waitingText(missing: number): string | undefined {
  if (missing <= 0) return undefined;
  return missing === 1 ? "Waiting for another player" : `Waiting for ${missing} more players`;
}

/** Without declared scores, every player gets a row with 0. */
function scoresOf(
  { scores }: LooseStatus,
  world: LooseWorld,
): readonly Pick<Score, "seat" | "score">[] {
  if (scores !== undefined) return scores;
  const present: Pick<Score, "seat" | "score">[] = [];
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
