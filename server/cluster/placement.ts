/**
 * Where "Play now" leads, over all nodes. The page has measured its round trip to each region and sends them along. What
 * costs a player least is chosen:
 *
 *     cost(room)     = round trip − 4 ms · players in it      a room with a free seat, on a node that is not full
 *     cost(new room) = round trip + 40 ms                     on the less busy of two nodes that are drawn
 *
 * Only regions within a cap count. It begins near the best region and relaxes while the player waits, so that they play
 * far away rather than not at all:
 *
 *     cap = max( 80 ms, best + 20 ms ) + 40 ms · seconds waited, at most 300 ms or best + 20 ms
 */
import type { OpenRooms } from "./open_rooms.ts";

/** A player feels no difference below it: two ticks and a frame hide it. */
export const CAP_MS_MIN = 80;
/** Two regions that are equally near differ by so much from one measurement to the next. */
export const CAP_MARGIN_MS = 20;
export const CAP_MS_PER_SECOND = 40;
/** Beyond it predictions are mostly wrong, so no wait leads there, unless all regions are that far. */
export const CAP_MS_MAX = 300;
/** One more person in a room is worth a round trip that is so much longer. A full room is worth 60 ms. */
const PERSON_WORTH_MS = 4;
/** A new room has NPCs alone. People wait less for company if rooms fill up before new ones open. */
const NEW_ROOM_COST_MS = 40;
/** How long a player waits for the next try if all nodes within the cap are full, ms. */
export const WAIT_MS = 1000;
/** Regions that a page may name. Further ones are ignored. */
export const REGIONS_MAX = 32;

/** A player's request for a seat. */
export interface SeatRequest {
  /** By region, as the page has measured them, ms. They are the player's claims, and harm nobody else. */
  readonly roundTripsMs: ReadonlyMap<string, number>;
  /** Since the player's first try, ms. */
  readonly waitedMs: number;
}

/** Where a player is sent. */
export type Place =
  | { readonly kind: "room"; readonly code: string; readonly node: string }
  | { readonly kind: "new room"; readonly node: string }
  /** Try again after `WAIT_MS`. */
  | { readonly kind: "wait" };

/** The longest round trip that counts for a player. @param bestMs to their nearest region */
export function roundTripCapMs(bestMs: number, waitedMs: number): number {
  const atOnceMs = Math.max(CAP_MS_MIN, bestMs + CAP_MARGIN_MS);
  return Math.min(atOnceMs + CAP_MS_PER_SECOND * waitedMs / 1000, Math.max(CAP_MS_MAX, bestMs + CAP_MARGIN_MS));
}

/**
 * Chooses a place. The view may be old: the node refuses a player for whom it has no place, and the player asks again.
 * @param options.draw a random number in [0, 1): it spreads players over rooms and nodes that are equally good
 */
export function placeFor(
  { roundTripsMs, waitedMs }: SeatRequest,
  { rooms, draw }: { rooms: OpenRooms; draw: () => number },
): Place {
  const capMs = roundTripCapMs(Math.min(...roundTripsMs.values()), waitedMs);
  let leastMs = Infinity, region: string | undefined, opensRoom = false, asked = 0;
  for (const [name, roundTripMs] of roundTripsMs) {
    if (asked++ === REGIONS_MAX) break;
    if (!(roundTripMs <= capMs)) continue;
    const players = rooms.mostPlayers(name);
    const costMs = players === undefined ? roundTripMs + NEW_ROOM_COST_MS : roundTripMs - PERSON_WORTH_MS * players;
    if (costMs >= leastMs || players === undefined && !rooms.takesRooms(name)) continue;
    leastMs = costMs;
    region = name;
    opensRoom = players === undefined;
  }
  if (region === undefined) return { kind: "wait" };
  return opensRoom ? { kind: "new room", node: rooms.drawNode(region, draw)! } : {
    kind: "room",
    ...rooms.drawRoom(region, draw)!,
  };
}
