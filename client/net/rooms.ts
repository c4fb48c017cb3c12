/** Asks a server for its open rooms, and chooses one of them for "Play now". */

/** How long the answer may take, ms. Shorter than a lobby's period, so requests cannot pile up. */
const TIMEOUT_MS = 2000;
/** More rooms than a list shows or a choice needs; the rest of a longer answer is left out. */
const ROOMS_MAX = 10_000;

/** A game at a server. */
export interface HostedGame {
  /** http://… or https://…, without a path. */
  readonly origin: string;
  /** The game's name there; empty for a game that is hosted alone. */
  readonly name: string;
}

/** One room in the answer to `GET /api/rooms`. */
export interface Listing {
  readonly code: string;
  readonly players: number;
  readonly seats: number;
  /** How many players are enough for "Play now". */
  readonly playNow: number;
  readonly watchers: number;
  /** The match's id, under which its log may be fetched; undefined where none is kept. */
  readonly match?: string;
  /** The room's options in words, by their names. */
  readonly options?: Readonly<Record<string, string>>;
}

/** An answer, and the address that it came from. */
export interface RoomsAnswer {
  readonly rooms: readonly Listing[];
  readonly url: string;
}

/**
 * Asks for the open rooms of a game.
 * @throws Error if the server does not answer in time, or something else answers
 */
export async function fetchRooms(
  { origin, name }: HostedGame,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<RoomsAnswer> {
  const query = name === "" ? "" : `?game=${encodeURIComponent(name)}`;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(`${origin}/api/rooms${query}`, {
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  });
  const { rooms } = await answer.json() as { rooms: unknown };
  if (!Array.isArray(rooms)) throw new Error(`${answer.url} is no list of rooms`);
  return { rooms: rooms.slice(0, ROOMS_MAX).filter(isListing), url: answer.url };
}

/** Whether it has what lists and choices read. */
function isListing(room: Partial<Listing> | null): room is Listing {
  const numbers = [room?.players, room?.seats, room?.playNow, room?.watchers];
  return typeof room?.code === "string" && numbers.every((number) => Number.isInteger(number));
}

/** Finds the room with most players that still has space; undefined if only a new room will do. */
export function bestRoom(listings: readonly Listing[]): string | undefined {
  const open = listings.filter(({ players, playNow }) => players > 0 && players < playNow);
  return open.reduce<Listing | undefined>(
    (best, each) => best && best.players >= each.players ? best : each,
    undefined,
  )
    ?.code;
}
