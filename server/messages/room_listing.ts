/** A room as lists show it. */
import { type Game, playersOf } from "../../shared/netcode/game.ts";
import type { Match } from "../match/match.ts";

/** One room in the lobby's list. */
export interface RoomListing {
  readonly code: string;
  /** Connected players. */
  readonly players: number;
  /** Seats for players. */
  readonly seats: number;
  /** "Play now" leads here while there are fewer players. */
  readonly playNow: number;
  readonly watchers: number;
  /** The match's id, under which its log is served; undefined where matches are not logged. */
  readonly match?: string | undefined;
  /** The words of the room's options, by option name; only for a game with options. */
  readonly options?: Readonly<Record<string, string>> | undefined;
}

/** Makes a room's listing. @param game the match's */
export function listingOf<Command>(
  code: string,
  match: Match<Command>,
  game: Game<Command>,
): RoomListing {
  const { playerCount: players, spectatorCount: watchers } = match.clients;
  const { max: seats, playNow } = playersOf(game);
  const { matchId } = match;
  return {
    code,
    players,
    seats,
    playNow,
    watchers,
    ...matchId !== undefined && { match: matchId },
    ...optionsOf(match, game),
  };
}

/** Compares rooms for lists: the fullest first, equally full ones by code. */
export function inOrder(left: RoomListing, right: RoomListing): number {
  if (left.players !== right.players) return right.players - left.players;
  if (left.code === right.code) return 0;
  return left.code < right.code ? -1 : 1;
}

function optionsOf<Command>(
  { choices }: Match<Command>,
  game: Game<Command>,
): Pick<RoomListing, "options"> {
  const described = game.description?.choices ?? [];
  if (described.length === 0) return {};
  return {
    options: Object.fromEntries(described.map(({ name, names }, i) => [name, names[choices[i]!]!])),
  };
}
