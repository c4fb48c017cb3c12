/**
 * Which match runs under which code. A room is made by the first hello with its code, does not tick while nobody is
 * connected, and is removed after a minute empty. What goes wrong in one room ends that room only.
 */
import { WireError } from "../shared/netcode/wire/range_coder.ts";
import { type Game, PLAYER_SEATS } from "../shared/netcode/game.ts";
import type { Clock, Link } from "../shared/netcode/link.ts";
import {
  CloseCode,
  type Hello,
  PROTOCOL_VERSION,
  type ResumeToken,
  ROOM_CODE,
} from "../shared/netcode/wire/messages.ts";
import { decodeHello } from "../shared/netcode/wire/client_messages.ts";
import { hashOf } from "../shared/random.ts";
import type { Log } from "./log.ts";
import { addStats, type MatchStats, newMatchStats } from "./match/match_stats.ts";
import type { Deflate } from "./match/broadcast/tick_broadcaster.ts";
import { Match } from "./match/match.ts";

/** A room costs a megabyte and a share of the core; more than this is no honest use of one machine. */
const ROOMS_MAX = 200;
/** How long an empty room is kept, in seconds: a reload of the page comes back to the same match. */
const EMPTY_SECONDS_MAX = 60;
/** How long a link may be open without saying hello, in seconds. */
const HELLO_SECONDS_MAX = 5;
/**
 * So many rooms run their tick before the first of them is told, at most: to run a tick and to write to sockets take turns in the
 * processor's caches, and where they do so for each room forty of them cost a tenth more. The first of eight waits 3 ms for it; over all
 * forty, who are through that much sooner, the wait is the same in the mean.
 */
const BROADCAST_BATCH = 8;

/** What a lobby shows of a room. */
export interface RoomListing {
  readonly code: string;
  /** Connected ones. */
  readonly players: number;
  /** Seats for players. */
  readonly seats: number;
  readonly watchers: number;
}

export interface RoomsOptions<Command> {
  readonly game: Game<Command>;
  readonly clock: Clock;
  /** NPC seats per room, 0 … 16. */
  readonly npcs: number;
  /** Unsigned, 32 bits; each room's own seed follows from it and the code. */
  readonly seed: number;
  readonly stream: "commands" | "state";
  readonly log: Log;
  /** Tokens that nobody can guess; drawn from the machine where not given. */
  readonly newToken?: () => ResumeToken;
  /** How states are made shorter; without it they travel as they are. */
  readonly deflate?: Deflate | undefined;
}

interface Room<Command> {
  readonly code: string;
  readonly match: Match<Command>;
  emptyTicks: number;
}

interface PendingLink {
  readonly link: Link;
  ticks: number;
}

export class Rooms<Command> {
  readonly #options: RoomsOptions<Command>;
  readonly #rooms = new Map<string, Room<Command>>();
  /** Links that have not said hello. */
  readonly #pendingLinks = new Set<PendingLink>();
  /** Rooms whose tick has run and has not been told; at most `BROADCAST_BATCH`. */
  readonly #pendingBroadcast: Room<Command>[] = [];
  /** Of the rooms that are no more. */
  readonly #closedTotals = newMatchStats();
  /** When the newest tick was due: rooms that are opened between two ticks count from there. */
  #dueMs: number;

  constructor(options: RoomsOptions<Command>) {
    this.#options = options;
    this.#dueMs = options.clock.now();
  }

  get roomCount(): number {
    return this.#rooms.size;
  }

  /** Connected clients in all rooms, watchers among them. */
  get clientCount(): number {
    let count = 0;
    for (const { match } of this.#rooms.values()) count += match.clientCount;
    return count;
  }

  /** The rooms that somebody is in, the fullest first, and in a defined order. */
  list(): RoomListing[] {
    const listings: RoomListing[] = [];
    for (const { code, match } of this.#rooms.values()) {
      const watchers = match.spectatorCount, players = match.clientCount - watchers;
      if (match.clientCount > 0) listings.push({ code, players, seats: PLAYER_SEATS, watchers });
    }
    return listings.sort((a, b) => b.players - a.players || (a.code < b.code ? -1 : 1));
  }

  /** What all rooms have done since the server began. */
  totals(): MatchStats {
    const total = newMatchStats();
    addStats(total, this.#closedTotals);
    for (const { match } of this.#rooms.values()) addStats(total, match.stats);
    return total;
  }

  /** The match of a room, for whoever watches over it; undefined where there is none. */
  matchOf(code: string): Match<Command> | undefined {
    return this.#rooms.get(code)?.match;
  }

  /** Takes a new link: its first message must be a hello. */
  admit(link: Link): void {
    const pending = { link, ticks: 0 };
    this.#pendingLinks.add(pending);
    link.onClose(() => this.#pendingLinks.delete(pending));
    link.onMessage((bytes, reliably) => {
      // A datagram may have overtaken the hello, which comes by the stream.
      if (!reliably || !this.#pendingLinks.delete(pending)) return;
      this.#onHello(link, bytes);
    });
  }

  /** Runs one tick of every room that somebody is in. @param dueMs the tick's absolute deadline on the clock */
  tick(dueMs: number): void {
    this.#dueMs = dueMs;
    for (const pending of this.#pendingLinks) this.#closeIfOverdue(pending);
    for (const room of this.#rooms.values()) {
      if (this.#runRoom(room, dueMs)) this.#pendingBroadcast.push(room);
      if (this.#pendingBroadcast.length === BROADCAST_BATCH) this.#broadcast();
    }
    this.#broadcast();
  }

  #closeIfOverdue(pending: PendingLink): void {
    pending.ticks++;
    if (pending.ticks > HELLO_SECONDS_MAX * this.#options.game.tickHz) {
      this.#pendingLinks.delete(pending);
      pending.link.close(CloseCode.helloMissing, "no hello");
    }
  }

  #onHello(link: Link, bytes: Uint8Array): void {
    let hello: Hello;
    try {
      hello = decodeHello(bytes);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return link.close(CloseCode.protocol, error.message);
    }
    const refusal = this.#refusalOf(hello);
    if (refusal !== undefined) return link.close(refusal.code, refusal.reason);
    const room = this.#rooms.get(hello.room) ?? this.#openRoom(hello.room);
    const name = printableName(hello.name);
    const { spectate, bodyStreamMode, resume } = hello;
    if (!room.match.join(link, { name, spectate, bodyStreamMode, resume })) {
      return link.close(CloseCode.roomFull, `room ${room.code} is full`);
    }
    this.#options.log("joined", { room: room.code, name, watch: spectate, clients: room.match.clientCount });
  }

  #refusalOf(hello: Hello): { code: number; reason: string } | undefined {
    const { game } = this.#options;
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      return { code: CloseCode.version, reason: `protocol ${PROTOCOL_VERSION} is spoken here` };
    }
    if (hello.gameId !== game.id) return { code: CloseCode.game, reason: `${game.id} is played here` };
    if (!ROOM_CODE.test(hello.room)) return { code: CloseCode.roomCode, reason: "a room code is four letters, A to Z" };
    if (!this.#rooms.has(hello.room) && this.#rooms.size >= ROOMS_MAX) {
      return { code: CloseCode.roomFull, reason: "no more rooms can be opened here" };
    }
    return undefined;
  }

  #openRoom(code: string): Room<Command> {
    const { game, npcs, stream, clock, log, deflate, newToken = randomToken } = this.#options;
    const seed = hashOf(this.#options.seed, parseInt(code, 36));
    const match = new Match(game, { npcs, stream, clock, dueMs: this.#dueMs, seed, newToken, deflate });
    const room = { code, match, emptyTicks: 0 };
    this.#rooms.set(code, room);
    log("room_opened", { room: code, seed });
    return room;
  }

  #removeRoom(room: Room<Command>): void {
    this.#rooms.delete(room.code);
    addStats(this.#closedTotals, room.match.stats);
  }

  /** Runs a room's tick, unless nobody is in it. @returns whether there is something to tell */
  #runRoom(room: Room<Command>, dueMs: number): boolean {
    const { game, log } = this.#options;
    if (room.match.clientCount === 0) {
      room.emptyTicks++;
      if (room.emptyTicks <= EMPTY_SECONDS_MAX * game.tickHz) return false;
      this.#removeRoom(room);
      log("room_removed", { room: room.code, tick: room.match.tick });
      return false;
    }
    room.emptyTicks = 0;
    try {
      room.match.run(dueMs);
      return true;
    } catch (error) {
      this.#failRoom(room, error);
      return false;
    }
  }

  /** What has been run is told. */
  #broadcast(): void {
    for (let i = 0; i < this.#pendingBroadcast.length; i++) {
      const room = this.#pendingBroadcast[i]!;
      try {
        room.match.broadcast();
      } catch (error) {
        this.#failRoom(room, error);
      }
    }
    this.#pendingBroadcast.length = 0;
  }

  #failRoom(room: Room<Command>, error: unknown): void {
    this.#removeRoom(room);
    room.match.close(CloseCode.roomFailed, "this room failed; join again");
    const message = error instanceof Error ? error.stack ?? error.message : String(error);
    const { code, match: { seed, tick } } = room;
    this.#options.log("room_failed", { room: code, seed, tick, error: message });
  }
}

/** 64 bits from the machine's own source. */
function randomToken(): ResumeToken {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Names longer than this do not fit above a dragon. */
const NAME_CHARACTERS_MAX = 24;

/** A name that can be shown: no control or formatting characters (bidi overrides among them), not too long, never empty. */
function printableName(name: string): string {
  const clean = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
  return [...clean].slice(0, NAME_CHARACTERS_MAX).join("") || "Rider";
}
