/**
 * The rooms of one game, by code. The first hello with a code opens its room. A room does not tick while nobody is
 * connected. It waits a minute for players whose connection was lost, and otherwise it is removed at once. An error in
 * one room ends only that room.
 */
import type { RoomDetails } from "./match/client_details.ts";
import { type Game, PLAYER_SEATS } from "../shared/netcode/game.ts";
import type { Link } from "../shared/netcode/link.ts";
import { CloseCode, type Hello } from "../shared/netcode/wire/messages.ts";
import { GOING_AWAY, StopReason } from "../shared/netcode/wire/stop_reasons.ts";
import type { HelloRefusal, Places } from "./capacity/capacity_check.ts";
import type { Peer, TicketClaims } from "./match/clients/peer.ts";
import { roomRefusalOf, unauthorised } from "./capacity/room_refusal.ts";
import type { MatchLog } from "./match/match_recorder.ts";
import { NOBODY } from "./match/seats/player.ts";
import type { ResumedMatch } from "./match_log/resume_match.ts";
import { AbsentRooms } from "./trial/absent_rooms.ts";
import type { Drain } from "./drain.ts";
import type { Limits } from "./settings/limits.ts";
import type { Match } from "./match/match.ts";
import { MatchOpener, type MatchOpenerOptions } from "./match_opener.ts";
import { addStats, type MatchStats, newMatchStats } from "./match/match_stats.ts";
import { RecentMax } from "./metrics/recent_max.ts";
import { printableName } from "./names/printable_name.ts";

/** How long an empty room is kept for a player whose connection was lost, s. */
const EMPTY_SECONDS_MAX = 60;
/**
 * Limit on the rooms that run their tick before the first of them broadcasts. Ticks and writes to sockets compete for
 * the processor's caches: if both alternate for each room, forty rooms take a tenth longer. The first room of eight
 * waits 3 ms. In the mean over forty rooms the wait is the same, because all finish earlier.
 */
const BROADCAST_BATCH = 8;

const FAILED = "This match failed and is over. Enter the room again for a new one.";

/** One room in the lobby's list. */
export interface RoomListing {
  readonly code: string;
  /** Connected players. */
  readonly players: number;
  /** Seats for players. */
  readonly seats: number;
  readonly watchers: number;
  /** The words of the room's options by their names; only for a game that has options. */
  readonly options?: Readonly<Record<string, string>> | undefined;
}

/** The room that a client wants to enter, and how. */
export type RoomWish = Pick<Hello, "room" | "spectate" | "resume">;

export interface GameRoomsOptions<Command> extends MatchOpenerOptions<Command> {
  /** By default those of a server without settings. */
  readonly limits?: Limits;
  /** Which matches stand still, because the server stops; without it none. */
  readonly drain?: Pick<Drain, "isStopping" | "holds"> | undefined;
}

interface Room<Command> {
  readonly code: string;
  readonly match: Match<Command>;
  /** The peer that opened it. */
  readonly opener: Peer;
  /** The digest of its key if it is private. */
  readonly key: string | undefined;
  emptyTicks: number;
  /** Whether a tick has run that may not be broadcast yet, because its record is still on its way. */
  isRecording: boolean;
  /** Whether another machine takes its match. */
  isHeld: boolean;
}

export class GameRooms<Command> {
  readonly game: Game<Command>;
  /** Rooms whose matches may go on here, or never do. */
  readonly absent: AbsentRooms;
  readonly #options: GameRoomsOptions<Command>;
  readonly #opener: MatchOpener<Command>;
  readonly #rooms = new Map<string, Room<Command>>();
  /** Rooms that have run their tick but not broadcast it; at most `BROADCAST_BATCH`. */
  readonly #pendingBroadcast: Room<Command>[] = [];
  readonly #slowestTickMs = new RecentMax();
  /** Sums over the removed rooms. */
  readonly #closedTotals = newMatchStats();
  /** Due time of the newest tick, ms. A room that is opened between two ticks counts from it. */
  #dueMs: number;

  constructor(options: GameRoomsOptions<Command>) {
    this.game = options.game;
    this.#options = options;
    this.#opener = new MatchOpener(options);
    this.absent = new AbsentRooms(options.clock);
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

  /** Seats in all rooms that wait for players whose connection was lost. */
  get reservedSeats(): number {
    let count = 0;
    for (const { match } of this.#rooms.values()) count += match.reservedSeats;
    return count;
  }

  /** The longest tick of one room in the last minute, ms. */
  get slowestTickMs(): number {
    return this.#slowestTickMs.value(this.#options.clock.now());
  }

  /** The rooms with connected clients that are not private, the fullest first, equals by their codes. */
  list(): RoomListing[] {
    const listings: RoomListing[] = [];
    for (const { code, match, key } of this.#rooms.values()) {
      const watchers = match.clients.spectatorCount, players = match.clientCount - watchers;
      if (match.clientCount > 0 && key === undefined) {
        listings.push({ code, players, seats: PLAYER_SEATS, watchers, ...this.#optionsOf(match) });
      }
    }
    return listings.sort((a, b) => b.players - a.players || (a.code < b.code ? -1 : 1));
  }

  /** By code the rooms that anybody may enter, with their players. A reserved seat counts as one. */
  openRooms(): Map<string, number> {
    const open = new Map<string, number>();
    for (const { code, match, key } of this.#rooms.values()) {
      const players = match.clientCount - match.clients.spectatorCount + match.reservedSeats;
      if (match.clientCount > 0 && key === undefined) open.set(code, players);
    }
    return open;
  }

  /** Sums over all rooms since the server's start. */
  totals(): MatchStats {
    const total = newMatchStats();
    addStats(total, this.#closedTotals);
    for (const { match } of this.#rooms.values()) addStats(total, match.stats);
    return total;
  }

  /** The codes of all rooms, empty and private ones among them, and of rooms that wait for their matches. */
  codes(): string[] {
    return [...this.#rooms.keys(), ...this.absent.awaited];
  }

  has(code: string): boolean {
    return this.#rooms.has(code);
  }

  /** What an address has in all rooms of this game. */
  placesOf(addressBlock: string): Places {
    const places = { rooms: 0, seats: 0, watchers: 0 };
    for (const room of this.#rooms.values()) {
      const { seats, watchers } = room.match.placesOf(addressBlock);
      if (room.opener.addressBlock === addressBlock) places.rooms++;
      places.seats += seats;
      places.watchers += watchers;
    }
    return places;
  }

  /** Every room with its clients, without the game's name. */
  details(): Omit<RoomDetails, "game">[] {
    return [...this.#rooms.values()].map(({ code, key, match: { tick, reservedSeats, clients } }) => (
      { room: code, isPrivate: key !== undefined, tick, reservedSeats, clients: clients.details }
    ));
  }

  /** Closes the links of some peers. @returns their number */
  closeLinks(isMeant: (peer: Peer) => boolean, code: number, reason: string): number {
    let closed = 0;
    for (const { match } of this.#rooms.values()) closed += match.clients.closeLinks(isMeant, code, reason);
    return closed;
  }

  /** Sends a sentence to every client of every room. @returns their number */
  announce(text: string): number {
    let clients = 0;
    for (const { match } of this.#rooms.values()) clients += match.announce(text);
    return clients;
  }

  /** Closes every link of a room and removes it. @returns whether there was one */
  closeRoom(code: string, reason: string): boolean {
    const room = this.#rooms.get(code);
    if (room === undefined) return false;
    this.#removeRoom(room, "closed");
    room.match.close(CloseCode.roomClosed, reason);
    return true;
  }

  /** Lets a room's match stand still, and writes its state, because another machine takes it. */
  hold(code: string): void {
    const room = this.#rooms.get(code);
    if (room === undefined) return;
    room.isHeld = true;
    this.#guard(room, () => room.match.recordState());
  }

  /** Closes every link of a room and removes it. Another machine goes on with its match, so its log is not ended. */
  forget(code: string): void {
    const room = this.#rooms.get(code);
    if (room === undefined) return;
    this.#rooms.delete(code);
    addStats(this.#closedTotals, room.match.stats);
    room.match.close(GOING_AWAY, StopReason.moved);
  }

  matches(): Match<Command>[] {
    return Array.from(this.#rooms.values(), ({ match }) => match);
  }

  /** The match of a room; undefined for an unknown code. */
  matchOf(code: string): Match<Command> | undefined {
    return this.#rooms.get(code)?.match;
  }

  /** Whether a client returns to a seat of a room, which then is neither private nor full for it. */
  hasSeat({ room, spectate, resume }: RoomWish, ticket: TicketClaims | undefined): boolean {
    return !spectate && (this.#rooms.get(room)?.match.seats.hasSeat({ resume, ticket }) ?? false);
  }

  /** @returns why a room is closed to a client that has no seat in it; undefined if it is open, or not there yet */
  refusalOf(wish: RoomWish, ticket: TicketClaims | undefined): HelloRefusal | undefined {
    const room = this.#rooms.get(wish.room);
    if (room !== undefined) return roomRefusalOf(room, ticket);
    return ticket?.role === "operator" ? unauthorised("This room is gone.") : this.absent.refusalOf(wish);
  }

  /** Lets a client with a valid hello into its room, and opens the room if there is none. It refuses a full room. */
  join(link: Link, hello: Hello, peer: Peer): void {
    const { room: code, name: sentName, spectate, bodyStreamMode, resume, choices } = hello;
    const room = this.#rooms.get(code) ?? this.#openRoom(code, { choices, peer });
    const { ticket } = peer, name = printableName(ticket?.name ?? sentName);
    if (!room.match.join(link, { name, spectate, bodyStreamMode, resume, peer })) {
      return ticket?.seat === undefined
        ? link.close(CloseCode.roomFull, `room ${code} is full`)
        : link.close(CloseCode.busy, `seat ${ticket.seat} gets free in a moment; try again in 10 s`);
    }
    if (peer.isUnlogged) return;
    const { link: number, address } = peer, clients = room.match.clientCount;
    const operator = ticket?.role === "operator" ? { operator: true } : {};
    this.#options.log("joined", { room: code, name, watch: spectate, clients, link: number, address, ...operator });
  }

  /** Runs one tick of every room with connected clients. @param dueMs due time of the tick on the clock */
  tick(dueMs: number): void {
    this.#dueMs = dueMs;
    for (const room of this.#rooms.values()) {
      this.#guard(room, () => {
        if (this.#runRoom(room, dueMs)) this.#pendingBroadcast.push(room);
      });
      if (this.#pendingBroadcast.length === BROADCAST_BATCH) this.#broadcast();
    }
    this.#broadcast();
  }

  /** Announces urgent commands to far clients in every room. Call it in the middle between two ticks. */
  announceEarly(): void {
    for (const room of this.#rooms.values()) {
      this.#guard(room, () => this.#standsStill(room) || room.match.announceEarly());
    }
  }

  #optionsOf({ choices }: Match<Command>): Pick<RoomListing, "options"> {
    const described = this.game.description?.choices ?? [];
    if (described.length === 0) return {};
    return { options: Object.fromEntries(described.map(({ name, names }, i) => [name, names[choices[i]!]!])) };
  }

  #openRoom(code: string, { choices, peer }: { choices: readonly number[]; peer: Peer }): Room<Command> {
    const key = peer.ticket?.key, match = this.#opener.open(code, { choices, key, dueMs: this.#dueMs });
    if (!peer.isUnlogged) this.#options.log("room_opened", { room: code, seed: match.seed, link: peer.link });
    return this.#addRoom(code, match, { opener: peer, key });
  }

  /**
   * Opens a room again whose match another process has begun. Nobody is connected yet.
   * @throws RangeError if the room is open
   */
  restore(resumed: Pick<ResumedMatch<Command>, "header" | "state" | "rounds">, log: MatchLog): void {
    const { room: code, key } = resumed.header;
    if (this.#rooms.has(code)) throw new RangeError(`room ${code} is open`);
    this.#addRoom(code, this.#opener.reopen(resumed, { log, dueMs: this.#dueMs }), { opener: NOBODY, key });
  }

  #addRoom(code: string, match: Match<Command>, owned: Pick<Room<Command>, "opener" | "key">): Room<Command> {
    const room = { code, match, ...owned, emptyTicks: 0, isRecording: false, isHeld: false };
    this.#rooms.set(code, room);
    return room;
  }

  /** A match of this game was set aside. @param match the name of its log, and the code of its room */
  setAside({ id, room }: { id: string; room: string }): void {
    this.absent.setAside(room);
    this.#options.results?.endMatch(id, "set aside");
  }

  /** @param reason why the match is over, in a word or two */
  #removeRoom(room: Room<Command>, reason: string): void {
    this.#rooms.delete(room.code);
    addStats(this.#closedTotals, room.match.stats);
    const { matchId } = room.match;
    if (matchId !== undefined) this.#options.results?.endMatch(matchId, reason);
    room.match.end(reason);
  }

  /** Runs a room's tick if any client is connected. @returns whether there is a tick to broadcast */
  #runRoom(room: Room<Command>, dueMs: number): boolean {
    if (room.match.clientCount === 0) {
      room.match.pause(dueMs);
      room.emptyTicks++;
      this.#removeIfEmpty(room);
      return false;
    }
    room.emptyTicks = 0;
    if (this.#standsStill(room)) {
      room.match.pause(dueMs);
      return false;
    }
    const { clock } = this.#options, beganMs = clock.now();
    room.match.run(dueMs);
    const endedMs = clock.now();
    this.#slowestTickMs.observe(endedMs - beganMs, endedMs);
    return true;
  }

  /** Removes a room in which nobody is, unless it waits for players whose connection was lost. */
  #removeIfEmpty(room: Room<Command>): void {
    const { game, log } = this.#options, { match, emptyTicks, code, opener } = room;
    if (match.reservedSeats > 0 && emptyTicks <= EMPTY_SECONDS_MAX * game.tickHz) return;
    this.#removeRoom(room, "empty");
    if (!opener.isUnlogged) log("room_removed", { room: code, tick: match.tick });
  }

  /**
   * Whether a match with clients runs no tick: its disk, or the network, is slower than a tick, or the server stops. No
   * other match waits for it.
   */
  #standsStill({ isRecording, isHeld, match }: Room<Command>): boolean {
    return isRecording || isHeld || this.#options.drain?.holds(match) === true;
  }

  /** Broadcasts the ticks that have run. */
  #broadcast(): void {
    for (const room of this.#pendingBroadcast) {
      this.#guard(room, () => {
        const written = room.match.record();
        if (written === undefined) return room.match.broadcast();
        room.isRecording = true;
        const broadcast = () => {
          room.isRecording = false;
          this.#guard(room, () => room.match.broadcast());
        };
        written.then(broadcast, (error) => this.#failRoom(room, error));
      });
    }
    this.#pendingBroadcast.length = 0;
  }

  /** An error of a room ends that room, whatever it is. */
  #guard(room: Room<Command>, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#failRoom(room, error);
    }
  }

  /** Ends a room in which something was thrown. Its end may throw as well: every other room goes on nevertheless. */
  #failRoom(room: Room<Command>, error: unknown): void {
    const { code, match } = room, { seed, tick, matchId } = match;
    const named = { room: code, seed, tick, ...matchId !== undefined && { id: matchId } };
    this.#options.log("room_failed", { ...named, error: withStack(error) });
    const steps = [
      // A record that was on its way may fail when the room has ended already, and another one may have its code.
      () => this.#rooms.get(code) === room && this.#removeRoom(room, "failed"),
      () => match.close(CloseCode.roomFailed, FAILED),
    ];
    for (const step of steps) {
      try {
        step();
      } catch (further) {
        this.#options.log("room_not_ended", { ...named, error: withStack(further) });
      }
    }
  }
}

function withStack(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}
