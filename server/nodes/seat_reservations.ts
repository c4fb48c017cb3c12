/**
 * The seats that this node gives to players who press "Play now", here or at another node. The node
 * knows its own rooms and the players who are expected there, so two players never get the same
 * last seat.
 */
import * as z from "zod";
import type { Clock } from "../../shared/netcode/link.ts";
import { PLAYER_SEATS, playersOf } from "../../shared/netcode/game.ts";
import { PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import type { Rooms } from "../rooms/rooms.ts";
import type { ClusterLogs } from "./cluster_logs.ts";
import { GAME_ID, messageFrom, ROOM_NAME } from "../messages/message_parts.ts";
import type { RoomView } from "./open_rooms.ts";
import { roomAtNode } from "./placement.ts";
import { advertisedOf, type AdvertisedRooms, GAMES_ADVERTISED_MAX } from "./advertised_rooms.ts";

/** How long a player is expected, ms: getting a ticket and a socket takes three round trips. */
const PENDING_MS = 5_000;
/**
 * How many rooms made for newcomers may still be empty. Beyond that, newcomers find the node full.
 */
const EMPTY_ROOMS_MAX = 64;
/**
 * How often a new room's code is drawn. Beside 50 rooms, one draw in 9,000 hits a taken code among
 * the 456,976.
 */
const NEW_ROOM_TRIES = 3;
/** How many requests may wait for their turn. Each takes a few ms. */
const WAITING_MAX = 128;

const SEAT_REQUEST = z.object({
  game: GAME_ID,
  /** The room that the asking node would choose. */
  hint: ROOM_NAME.optional(),
});

export type SeatRequest = z.output<typeof SEAT_REQUEST>;

/** A seat with the number of its room's taken seats; without a seat if the node is full. */
export const SEAT_ANSWER = z.object({
  seat: z.object({ code: ROOM_NAME, players: z.int().min(0).max(PLAYER_SEATS) }).optional(),
});

export type Seat = NonNullable<z.output<typeof SEAT_ANSWER>["seat"]>;

/** The subject on which a node is asked for a seat. */
export function seatSubject(node: string): string {
  return `seat.${node}`;
}

export interface SeatReservationsOptions {
  readonly node: string;
  readonly rooms: Pick<Rooms<unknown>, "byGame" | "refusalOf">;
  readonly logs: Pick<ClusterLogs, "claim">;
  /** Called when a seat is given, so that the other nodes soon know. */
  readonly onGiven: () => void;
  /** @returns a code for a new room */
  readonly newCode: () => string;
  readonly clock: Clock;
}

/** A room's pending players. */
interface Expected {
  readonly game: string;
  readonly code: string;
  /** The room's players when it was last checked. */
  players: number;
  /** Until when each pending player is expected, earliest first. */
  readonly dueMs: number[];
}

export class SeatReservations {
  readonly #options: SeatReservationsOptions;
  /** By game and code. */
  readonly #expected = new Map<string, Expected>();
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: SeatReservationsOptions) {
    this.#options = options;
  }

  /** Answers another node. */
  async answer(bytes: Uint8Array): Promise<string> {
    const request = messageFrom(SEAT_REQUEST, bytes);
    const seat = request && await this.seat(request);
    return JSON.stringify({ seat });
  }

  /**
   * Keeps a seat for a newcomer: in the hinted room, else in the fullest room with a free seat,
   * else in a new one.
   * @returns undefined if this node takes no players
   */
  async seat(request: SeatRequest): Promise<Seat | undefined> {
    if (this.#waiting >= WAITING_MAX) return undefined;
    this.#waiting++;
    const seat = this.#turn.then(() => this.#seat(request)).finally(() => this.#waiting--);
    this.#turn = seat.catch(() => {});
    return await seat;
  }

  /** This node's rooms, as advertised to the other nodes. */
  advertised(): AdvertisedRooms {
    const { node, rooms } = this.#options;
    const hosted = [...rooms.byGame.values()].slice(0, GAMES_ADVERTISED_MAX);
    const games = hosted.map(({ game }) => [game.id, advertisedOf(this.#roomsOf(game.id))]);
    return { node, games: Object.fromEntries(games) };
  }

  async #seat({ game, hint }: SeatRequest): Promise<Seat | undefined> {
    const own = this.#roomsOf(game);
    const code = roomAtNode(hint, own);
    if (code !== undefined) {
      return this.#isRefused(game, code)
        ? undefined
        : this.#given(game, { code, players: own.get(code)!.players + 1 });
    }

    // A new room
    const empty = [...this.#expected.values()].filter(({ players }) => players === 0).length;
    for (let tries = 0; tries < NEW_ROOM_TRIES && empty < EMPTY_ROOMS_MAX; tries++) {
      const fresh = this.#options.newCode();
      if (this.#isRefused(game, fresh)) return undefined;
      if (await this.#options.logs.claim(game, fresh, "none")) {
        return this.#given(game, { code: fresh, players: 1 });
      }
    }
    return undefined;
  }

  /**
   * Whether the node refuses newcomers, because it is too busy, has too many rooms, or is stopping.
   * An address's own limits apply later, when the player comes in.
   */
  #isRefused(gameId: string, room: string): boolean {
    const { rooms } = this.#options;
    if (!rooms.byGame.values().some(({ game }) => game.id === gameId)) return true;
    const request = { protocolVersion: PROTOCOL_VERSION, gameId, room, spectate: false };
    return rooms.refusalOf({ ...request, resume: undefined }, {
      addressBlock: "",
      ticket: undefined,
    }) !== undefined;
  }

  #given(game: string, seat: Seat): Seat {
    const { clock, onGiven } = this.#options;
    const key = keyOf(game, seat.code);
    let expected = this.#expected.get(key);
    if (expected === undefined) {
      const players = this.#playersOf(game).get(seat.code) ?? 0;
      this.#expected.set(key, expected = { game, code: seat.code, players, dueMs: [] });
    }
    expected.dueMs.push(clock.now() + PENDING_MS);
    onGiven();
    return seat;
  }

  /** A game's public rooms. Expected players count as players. */
  #roomsOf(game: string): Map<string, Pick<RoomView, "players" | "seats">> {
    const players = this.#playersOf(game);
    const nowMs = this.#options.clock.now();
    for (const expected of this.#expected.values()) {
      if (expected.game !== game) continue;
      const { code } = expected;
      const present = players.get(code) ?? 0;
      this.#update(expected, { present, nowMs });
      if (expected.dueMs.length > 0) players.set(code, present + expected.dueMs.length);
    }

    const seats = this.#playNowOf(game);
    return new Map(Array.from(players, ([code, taken]) => [code, { players: taken, seats }]));
  }

  /** Stops expecting players who have come, or have not come in time. */
  #update(expected: Expected, { present, nowMs }: { present: number; nowMs: number }): void {
    const { game, code, dueMs } = expected;
    dueMs.splice(0, Math.max(0, present - expected.players));
    expected.players = present;
    while (dueMs.length > 0 && dueMs[0]! <= nowMs) dueMs.shift();
    if (dueMs.length === 0) this.#expected.delete(keyOf(game, code));
  }

  #playersOf(gameId: string): Map<string, number> {
    return this.#gameRooms(gameId)?.openRooms() ?? new Map();
  }

  #playNowOf(gameId: string): number {
    const found = this.#gameRooms(gameId);
    return found === undefined ? 0 : playersOf(found.game).playNow;
  }

  #gameRooms(gameId: string) {
    return this.#options.rooms.byGame.values().find(({ game }) => game.id === gameId);
  }
}

function keyOf(game: string, code: string): string {
  return `${code} ${game}`;
}
