/**
 * Chooses the place to which "Play now" leads, among all nodes. The page has measured its round
 * trip to each region and sends the results along. The place with the least cost is chosen:
 *
 *     cost(room)     = round trip − 5 ms · company     a room with a free seat, on a node that is not full
 *     cost(new room) = round trip + 40 ms              on the less busy of two nodes that are drawn
 *
 * A room's company counts its players up to half of its seats, because more do not make it better.
 *
 * Only regions within a cap count. The cap begins near the best region and relaxes while the player
 * waits, so that they play far away rather than not at all:
 *
 *     cap = max( 80 ms, best + 20 ms ) + 40 ms · seconds waited, at most 300 ms or best + 20 ms
 *
 * The view is as old as the last heartbeats, so the room is a hint, and many players may get the
 * same one. The node that they come to knows its own rooms, and sends those who no longer fit to
 * another of them (`roomAtNode`).
 */
import type { OpenRooms, RoomView } from "./open_rooms.ts";

/** Lowest cap, ms. Players feel no difference below it, because two ticks and a frame hide it. */
export const CAP_MS_MIN = 80;
/** How much two equally near regions differ from one measurement to the next, ms. */
export const CAP_MARGIN_MS = 20;
export const CAP_MS_PER_SECOND = 40;
/**
 * Highest cap, ms, unless all regions are farther away. Beyond it predictions are mostly wrong, so
 * no wait leads there.
 */
export const CAP_MS_MAX = 300;
/**
 * How much longer a round trip one more person in a room is worth, ms. A lively room of 16 seats is
 * worth 40 ms.
 */
const PERSON_WORTH_MS = 5;
/**
 * A new room holds only NPCs, so it costs this much, ms. People wait less for company if rooms fill
 * up before new ones open.
 */
const NEW_ROOM_COST_MS = 40;
/** How long a player waits for the next try if all nodes within the cap are full, ms. */
export const WAIT_MS = 1000;
/** How many regions a page may name. Further ones are ignored. */
export const REGIONS_MAX = 32;

/** A player's request for a seat. */
export interface SeatRequest {
  /**
   * By region, as the page has measured them, ms. A false claim harms only the player who makes it.
   */
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

/**
 * The longest round trip that counts for a player, ms.
 * @param bestMs to their nearest region
 */
export function roundTripCapMs(bestMs: number, waitedMs: number): number {
  const atOnceMs = Math.max(CAP_MS_MIN, bestMs + CAP_MARGIN_MS);
  return Math.min(
    atOnceMs + CAP_MS_PER_SECOND * waitedMs / 1000,
    Math.max(CAP_MS_MAX, bestMs + CAP_MARGIN_MS),
  );
}

/**
 * Chooses a place. If the node has become full in the meantime, it refuses the player, and they ask
 * again.
 * @param options.draw a random number in [0, 1): it spreads players over rooms and nodes that are
 * equally good
 */
export function placeFor(
  { roundTripsMs, waitedMs }: SeatRequest,
  { rooms, draw }: { rooms: OpenRooms; draw: () => number },
): Place {
  const capMs = roundTripCapMs(Math.min(...roundTripsMs.values()), waitedMs);

  // The region with the least cost, by its best room or by a new one
  let leastMs = Infinity;
  let region: string | undefined;
  let opensRoom = false;
  let asked = 0;
  for (const [name, roundTripMs] of roundTripsMs) {
    if (asked++ === REGIONS_MAX) break;
    if (!(roundTripMs <= capMs)) continue;

    const company = rooms.bestCompany(name);
    const costMs = company === undefined
      ? roundTripMs + NEW_ROOM_COST_MS
      : roundTripMs - PERSON_WORTH_MS * company;
    if (costMs >= leastMs || company === undefined && !rooms.takesRooms(name)) continue;

    leastMs = costMs;
    region = name;
    opensRoom = company === undefined;
  }

  if (region === undefined) return { kind: "wait" };
  if (opensRoom) return { kind: "new room", node: rooms.drawNode(region, draw)! };
  return { kind: "room", ...rooms.drawRoom(region, draw)! };
}

/**
 * Chooses the room in which a node seats a player who pressed "Play now".
 * @param hint the room that the matchmaker named, if it named one
 * @param own the node's open rooms by code; their players include those who hold a ticket and have
 * not arrived yet
 * @returns the hint, or the fullest own room with a free seat if the hint has none; undefined for a
 * new room
 */
export function roomAtNode(
  hint: string | undefined,
  own: ReadonlyMap<string, Pick<RoomView, "players" | "seats">>,
): string | undefined {
  const hinted = hint === undefined ? undefined : own.get(hint);
  if (hinted !== undefined && hinted.players < hinted.seats) return hint;

  let fullest: string | undefined;
  let most = -1;
  for (const [code, { players, seats }] of own) {
    if (players >= seats || players <= most) continue;
    fullest = code;
    most = players;
  }
  return fullest;
}

/** A process that takes matches, as its heartbeats show it. */
export interface Taker {
  /**
   * The share of a tick's time that its ticks take, including what was given to it since its last
   * heartbeat.
   */
  readonly load: number;
  /** How many matches it has, those included. */
  readonly matches: number;
}

/**
 * Chooses the process that takes the next match: the least busy one, and among equally busy ones
 * that with fewer matches. A node that was just restarted is empty, so when all nodes are deployed
 * one after another, most matches move only once. If ranks decided, matches would pile up on the
 * nodes that stop last.
 * @param takers the first of those that are equal is chosen
 * @param options.equalLoad loads that differ by less count as equal
 * @returns undefined if there are none
 */
export function leastBusy<T extends Taker>(
  takers: Iterable<T>,
  { equalLoad }: { equalLoad: number },
): T | undefined {
  let least: T | undefined;
  for (const taker of takers) {
    if (least === undefined || isLessBusy(taker, least, equalLoad)) least = taker;
  }
  return least;
}

function isLessBusy(one: Taker, other: Taker, equalLoad: number): boolean {
  if (Math.abs(one.load - other.load) >= equalLoad && one.load !== other.load) {
    return one.load < other.load;
  }
  return one.matches < other.matches;
}
