/**
 * The matches by room code. The first hello with a code opens its room. A room does not tick while nobody is connected,
 * and is removed after a minute. An error in one room ends only that room.
 */
import { WireError } from "../shared/netcode/wire/range_coder.ts";
import { type Game, PLAYER_SEATS } from "../shared/netcode/game.ts";
import { choicesFaultOf } from "../shared/netcode/choices.ts";
import type { Clock, Link } from "../shared/netcode/link.ts";
import {
  CloseCode,
  type Hello,
  PROTOCOL_VERSION,
  type ResumeToken,
  ROOM_CODE,
} from "../shared/netcode/wire/messages.ts";
import { decodeHello } from "../shared/netcode/wire/client_messages.ts";
import type { ContractFault } from "../shared/netcode/twin_check.ts";
import { hashOf } from "../shared/random.ts";
import type { Log } from "./log.ts";
import { addStats, type MatchStats, newMatchStats } from "./match/match_stats.ts";
import type { Deflate } from "../shared/netcode/wire/packed_snapshot.ts";
import { Match } from "./match/match.ts";

/** Limit on rooms: each costs a megabyte and a share of the core. Honest use of one machine needs fewer. */
const ROOMS_MAX = 200;
/** How long an empty room is kept, s. A player who reloads the page returns to the same match. */
const EMPTY_SECONDS_MAX = 60;
/** How long a link may be open without a hello, s. */
const HELLO_SECONDS_MAX = 5;
/**
 * Limit on the rooms that run their tick before the first of them broadcasts. Ticks and writes to sockets compete for
 * the processor's caches: if both alternate for each room, forty rooms take a tenth longer. The first room of eight
 * waits 3 ms. In the mean over forty rooms the wait is the same, because all finish earlier.
 */
const BROADCAST_BATCH = 8;

/** One room in the lobby's list. */
export interface RoomListing {
  readonly code: string;
  /** Connected players. */
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
  /** Unsigned, 32 bits. Each room derives its own seed from it and the room's code. */
  readonly seed: number;
  readonly stream: "commands" | "state";
  readonly log: Log;
  /** @returns a token that cannot be guessed; by default 64 random bits of the machine */
  readonly newToken?: () => ResumeToken;
  /** Compresses states; without it they are sent uncompressed. */
  readonly deflate?: Deflate | undefined;
  /** Whether a twin checks each tick of each match (SPEC 1.20). */
  readonly checkTwin?: boolean;
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
  /** Links that have not sent their hello. */
  readonly #pendingLinks = new Set<PendingLink>();
  /** Rooms that have run their tick but not broadcast it; at most `BROADCAST_BATCH`. */
  readonly #pendingBroadcast: Room<Command>[] = [];
  /** Sums over the removed rooms. */
  readonly #closedTotals = newMatchStats();
  /** Due time of the newest tick, ms. A room that is opened between two ticks counts from it. */
  #dueMs: number;

  constructor(options: RoomsOptions<Command>) {
    this.#options = options;
    this.#dueMs = options.clock.now();
  }

  get roomCount(): number {
    return this.#rooms.size;
  }

  /** Connected clients in all rooms, including spectators. */
  get clientCount(): number {
    let count = 0;
    for (const { match } of this.#rooms.values()) count += match.clientCount;
    return count;
  }

  /** The rooms with connected clients, the fullest first, equals by their codes. */
  list(): RoomListing[] {
    const listings: RoomListing[] = [];
    for (const { code, match } of this.#rooms.values()) {
      const watchers = match.spectatorCount, players = match.clientCount - watchers;
      if (match.clientCount > 0) listings.push({ code, players, seats: PLAYER_SEATS, watchers });
    }
    return listings.sort((a, b) => b.players - a.players || (a.code < b.code ? -1 : 1));
  }

  /** Sums over all rooms since the server's start. */
  totals(): MatchStats {
    const total = newMatchStats();
    addStats(total, this.#closedTotals);
    for (const { match } of this.#rooms.values()) addStats(total, match.stats);
    return total;
  }

  /** The match of a room for tests and tools; undefined for an unknown code. */
  matchOf(code: string): Match<Command> | undefined {
    return this.#rooms.get(code)?.match;
  }

  /** Accepts a new link. Its first message must be a hello. */
  admit(link: Link): void {
    const pending = { link, ticks: 0 };
    this.#pendingLinks.add(pending);
    link.onClose(() => this.#pendingLinks.delete(pending));
    link.onMessage((bytes, reliably) => {
      // A datagram can overtake the hello, which travels on the reliable channel.
      if (!reliably || !this.#pendingLinks.delete(pending)) return;
      this.#onHello(link, bytes);
    });
  }

  /** Runs one tick of every room with connected clients. @param dueMs due time of the tick on the clock */
  tick(dueMs: number): void {
    this.#dueMs = dueMs;
    for (const pending of this.#pendingLinks) this.#closeIfOverdue(pending);
    for (const room of this.#rooms.values()) {
      if (this.#runRoom(room, dueMs)) this.#pendingBroadcast.push(room);
      if (this.#pendingBroadcast.length === BROADCAST_BATCH) this.#broadcast();
    }
    this.#broadcast();
  }

  /** Announces urgent commands to far clients in every room. Call it in the middle between two ticks. */
  announceEarly(): void {
    for (const room of this.#rooms.values()) {
      try {
        room.match.announceEarly();
      } catch (error) {
        this.#failRoom(room, error);
      }
    }
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
    const room = this.#rooms.get(hello.room) ?? this.#openRoom(hello.room, hello.choices);
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
    const choicesFault = choicesFaultOf(game, hello.choices);
    return choicesFault === undefined ? undefined : { code: CloseCode.game, reason: choicesFault };
  }

  #openRoom(code: string, choices: readonly number[]): Room<Command> {
    const { game, npcs, stream, clock, log, deflate, checkTwin, newToken = randomToken } = this.#options;
    const seed = hashOf(this.#options.seed, parseInt(code, 36));
    const onFault = checkTwin
      ? ({ tick, field, text }: ContractFault) => log("contract_broken", { room: code, tick, field, text })
      : undefined;
    const match = new Match(game, {
      npcs,
      choices,
      stream,
      clock,
      dueMs: this.#dueMs,
      seed,
      newToken,
      deflate,
      onFault,
    });
    const room = { code, match, emptyTicks: 0 };
    this.#rooms.set(code, room);
    log("room_opened", { room: code, seed });
    return room;
  }

  #removeRoom(room: Room<Command>): void {
    this.#rooms.delete(room.code);
    addStats(this.#closedTotals, room.match.stats);
  }

  /** Runs a room's tick if any client is connected. @returns whether there is a tick to broadcast */
  #runRoom(room: Room<Command>, dueMs: number): boolean {
    const { game, log } = this.#options;
    if (room.match.clientCount === 0) {
      room.match.pause(dueMs);
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

  /** Broadcasts the ticks that have run. */
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

/** 64 random bits of the machine. */
function randomToken(): ResumeToken {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Longer names do not fit above a dragon. */
const NAME_CHARACTERS_MAX = 24;

/** Makes a name printable: no control or formatting characters (such as bidi overrides), and not too long. */
function printableName(name: string): string {
  const clean = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
  return [...clean].slice(0, NAME_CHARACTERS_MAX).join("");
}
