/**
 * The rooms of one game, by code. The first player's hello with a code opens its room. While no
 * client is connected, a room does not tick. If players lost their connections, it waits a minute
 * for them; otherwise it is removed at once. Spectators alone keep a room for half a minute. An
 * error in one room ends only that room.
 */
import type { RoomRequest } from "../capacity/request_fault.ts";
import type { RoomDetails } from "../match/client_details.ts";
import type { Game } from "../../shared/netcode/game.ts";
import type { Link } from "../../shared/netcode/link.ts";
import { CloseCode, type Hello } from "../../shared/netcode/wire/messages.ts";
import { GOING_AWAY, StopReason } from "../../shared/netcode/wire/stop_reasons.ts";
import { DISPLACED, type HelloRefusal, type Places } from "../capacity/capacity_check.ts";
import { clientInFullRoom } from "../fairness/held_clients.ts";
import { type HeldRoom, HeldRooms } from "../fairness/held_rooms.ts";
import type { JoinRequest } from "../match/match_options.ts";
import type { Peer, TicketClaims } from "../match/clients/peer.ts";
import { roomRefusalOf, roomTaken, unauthorised } from "../capacity/room_refusal.ts";
import type { MatchLog } from "../match/match_recorder.ts";
import { NOBODY } from "../match/seats/player.ts";
import type { ResumedMatch } from "../match_log/resume_match.ts";
import { AbsentRooms } from "./absent_rooms.ts";
import type { Drain } from "./drain.ts";
import type { Limits } from "../settings/limits.ts";
import type { Match } from "../match/match.ts";
import { MatchOpener, type MatchOpenerOptions } from "./match_opener.ts";
import { addStats, type MatchStats, newMatchStats } from "../match/match_stats.ts";
import { RecentMax } from "../metrics/recent_max.ts";
import { printableName } from "../names/printable_name.ts";
import {
  Heartbeat,
  type Phase,
  type SubjectBytes,
  subjectBytesOf,
} from "../supervision/heartbeat.ts";
import { inOrder, listingOf, type RoomListing } from "../messages/room_listing.ts";

/** How long an empty room waits for a player who lost the connection, s. */
const EMPTY_SECONDS_MAX = 60;
/** How long spectators keep a room without players, s, in case a player who left comes back. */
const PLAYERLESS_SECONDS_MAX = 30;
/**
 * How many rooms may run their tick before the first of them broadcasts. Ticks and socket writes
 * compete for the processor's caches: alternating between them for each room makes forty rooms take
 * a tenth longer. The first room of a batch of eight waits 3 ms, but averaged over forty rooms a
 * broadcast goes out no later, because all finish earlier.
 */
const BROADCAST_BATCH = 8;

/** A link that asks to enter a room. */
interface NewInRoom {
  readonly link: Link;
  readonly request: JoinRequest & { readonly peer: Peer };
}

/** What a room's clients read after an error has ended it. */
const FAILED = "This match failed and is over. Enter the room again for a new one.";

/** What the heartbeat reports as under way for a room. */
type WorkPhase = Exclude<Phase, "idle">;

export interface GameRoomsOptions<Command> extends MatchOpenerOptions<Command> {
  /** By default the limits of a server without settings. */
  readonly limits?: Limits;
  /** Decides which matches stand still while the server stops; without it none does. */
  readonly drain?: Pick<Drain, "isStopping" | "isCordoned" | "holds"> | undefined;
  /** Is told which match is being stepped; by default a heartbeat that nothing reads. */
  readonly heartbeat?: Heartbeat | undefined;
  /** Takes the error that ended a room. */
  readonly onRoomFailed?: (error: unknown) => void;
  /** Holds the rooms of all games together; by default only those opened here. */
  readonly heldRooms?: HeldRooms;
}

interface Room<Command> extends HeldRoom {
  readonly code: string;
  readonly match: Match<Command>;
  /** Names the match for the heartbeat. */
  readonly subject: SubjectBytes;
  /** The peer that opened the room or, for a resumed match, the first player who came back. */
  opener: Peer;
  /** The digest of the room's key; undefined for a public room. */
  readonly key: string | undefined;
  emptyTicks: number;
  /** Ticks with clients since a seat was last taken. */
  playerlessTicks: number;
  /**
   * Whether a tick has run that may not be broadcast yet, because its record is still being
   * written.
   */
  isRecording: boolean;
  /** Whether the match is being handed over to another machine. */
  isHeld: boolean;
}

export class GameRooms<Command> {
  readonly game: Game<Command>;
  /** Rooms with matches that this server expects, or has set aside for good. */
  readonly absent: AbsentRooms;
  readonly #options: GameRoomsOptions<Command>;
  readonly #opener: MatchOpener<Command>;
  readonly #heartbeat: Heartbeat;
  readonly #rooms = new Map<string, Room<Command>>();
  readonly #heldRooms: HeldRooms;
  /** Rooms that have run their tick but not broadcast it; at most `BROADCAST_BATCH`. */
  readonly #pendingBroadcast: Room<Command>[] = [];
  readonly #slowestTickMs = new RecentMax();
  /** Sums over the removed rooms. */
  readonly #closedTotals = newMatchStats();
  /**
   * Due time of the newest tick, ms. A room that opens between two ticks starts counting from it.
   */
  #dueMs: number;

  constructor(options: GameRoomsOptions<Command>) {
    this.game = options.game;
    this.#options = options;
    this.#opener = new MatchOpener(options);
    this.#heartbeat = options.heartbeat ?? new Heartbeat();
    this.#heldRooms = options.heldRooms ?? new HeldRooms();
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

  /** Seats in all rooms that are reserved for players who lost their connection. */
  get reservedSeats(): number {
    let count = 0;
    for (const { match } of this.#rooms.values()) count += match.reservedSeats;
    return count;
  }

  /** Rooms whose matches are only ordered here. */
  get orderedRooms(): number {
    let count = 0;
    for (const { match } of this.#rooms.values()) count += Number(!match.isSimulated);
    return count;
  }

  /** The longest tick of one room in the last minute, ms. */
  get slowestTickMs(): number {
    return this.#slowestTickMs.value(this.#options.clock.now());
  }

  /**
   * Lists the public rooms that have connected clients: the fullest first, equally full ones by
   * code.
   */
  list(): RoomListing[] {
    const listed = [...this.#rooms.values()].filter(({ match, key }) =>
      match.clientCount > 0 && key === undefined
    );
    return listed.map(({ code, match }) => listingOf(code, match, this.game)).sort(inOrder);
  }

  /**
   * Counts the players in each public room that has clients, by code. A reserved seat counts as a
   * player.
   */
  openRooms(): Map<string, number> {
    const open = new Map<string, number>();
    for (const { code, match, key } of this.#rooms.values()) {
      const players = match.clients.playerCount + match.reservedSeats;
      if (match.clientCount > 0 && key === undefined) open.set(code, players);
    }
    return open;
  }

  /** Sums over all rooms since the server started. */
  totals(): MatchStats {
    const total = newMatchStats();
    addStats(total, this.#closedTotals);
    for (const { match } of this.#rooms.values()) addStats(total, match.stats);
    return total;
  }

  /**
   * The codes of all rooms, including empty and private ones, and of rooms that still await their
   * matches.
   */
  codes(): string[] {
    return [...this.#rooms.keys(), ...this.absent.awaited];
  }

  has(code: string): boolean {
    return this.#rooms.has(code);
  }

  /** Counts the places that an address uses in all rooms of this game. */
  placesOf(addressBlock: string): Pick<Places, "rooms" | "seats" | "watchers"> {
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
    return Array.from(this.#rooms.values(), ({ code, key, match }) => ({
      room: code,
      isPrivate: key !== undefined,
      tick: match.tick,
      reservedSeats: match.reservedSeats,
      clients: match.clients.details,
    }));
  }

  /** Closes the links of the peers that `isMeant` selects. @returns how many */
  closeLinks(isMeant: (peer: Peer) => boolean, code: number, reason: string): number {
    let closed = 0;
    for (const { match } of this.#rooms.values()) {
      closed += match.clients.closeLinks(isMeant, code, reason);
    }
    return closed;
  }

  /** Sends a sentence to every client in every room. @returns how many clients */
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

  /**
   * Makes a room's match stand still and records its state, because another machine is taking it
   * over.
   */
  hold(code: string): void {
    const room = this.#rooms.get(code);
    if (room === undefined) return;
    room.isHeld = true;
    this.#guard(room, "record", () => room.match.recordState());
  }

  /** Lets a match that stands still go on, because no other machine has taken it. */
  release(code: string): void {
    const room = this.#rooms.get(code);
    if (room !== undefined) room.isHeld = false;
  }

  /**
   * Closes every link of a room and removes it, but leaves its log open, because another machine
   * continues the match.
   */
  forget(code: string): void {
    const room = this.#rooms.get(code);
    if (room === undefined) return;
    this.#dropRoom(room);
    room.match.close(GOING_AWAY, StopReason.moved);
  }

  matches(): Match<Command>[] {
    return Array.from(this.#rooms.values(), ({ match }) => match);
  }

  /** The match of a room; undefined for an unknown code. */
  matchOf(code: string): Match<Command> | undefined {
    return this.#rooms.get(code)?.match;
  }

  /**
   * Whether a client returns to a seat of a room. For such a client the room counts neither as
   * private nor as full.
   */
  hasSeat({ room, spectate, resume }: RoomRequest, ticket: TicketClaims | undefined): boolean {
    return !spectate && (this.#rooms.get(room)?.match.seats.hasSeat({ resume, ticket }) ?? false);
  }

  /**
   * @returns why a room is closed to a client without a seat in it; undefined if the room is open,
   * or does not exist yet
   */
  refusalOf(request: RoomRequest, ticket: TicketClaims | undefined): HelloRefusal | undefined {
    const room = this.#rooms.get(request.room);
    if (ticket?.opensRoom === true && (room !== undefined || this.absent.awaits(request.room))) {
      return roomTaken(request.room);
    }
    if (room !== undefined) return roomRefusalOf(room, ticket);
    return ticket?.role === "operator"
      ? unauthorised("This room is gone.")
      : this.absent.refusalOf(request);
  }

  /**
   * Lets a client with a valid hello into its room, opening the room if necessary. A client that
   * finds no place in a full room is refused.
   * @returns whether the client is in
   */
  join(link: Link, hello: Hello, peer: Peer): boolean {
    const { room: code, name: sentName, spectate, bodyStreamMode, resume, choices } = hello;
    const room = this.#rooms.get(code) ?? this.#openRoom(code, { choices, peer });

    const { ticket } = peer;
    const name = printableName(ticket?.name ?? sentName);
    const request = { name, spectate, bodyStreamMode, resume, peer };
    const hasJoined = this.#watched(room, "join", () => {
      return room.match.join(link, request) || this.#joinInPlaceOfAnother(room, { link, request });
    });
    if (!hasJoined) return false;

    // The first player to come back becomes the resumed match's opener, so its network pays for the
    // room.
    if (room.opener === NOBODY && !spectate) {
      room.opener = peer;
      this.#heldRooms.add(room);
    }

    if (peer.isUnlogged) return true;
    const { link: number, address } = peer;
    const clients = room.match.clientCount;
    const operator = ticket?.role === "operator" ? { operator: true } : {};
    this.#options.log("joined", {
      room: code,
      name,
      watch: spectate,
      clients,
      link: number,
      address,
      ...operator,
    });
    return true;
  }

  /**
   * In a full room a newcomer may replace a client from a network that holds more of the room: a
   * spectator replaces a spectator, and a player replaces a player who is idle. Otherwise the
   * newcomer's link is closed.
   * @returns whether the client is in
   */
  #joinInPlaceOfAnother({ code, match }: Room<Command>, { link, request }: NewInRoom): boolean {
    const { peer, spectate } = request;
    const seat = peer.ticket?.seat;
    if (seat !== undefined) {
      link.close(CloseCode.busy, `seat ${seat} gets free in a moment; try again in 10 s`);
      return false;
    }

    const displaced = clientInFullRoom(match.clients.all, { peer, spectate });
    if (displaced === undefined) {
      link.close(CloseCode.roomFull, `room ${code} is full`);
      return false;
    }
    match.displace(
      displaced.link,
      `room ${code} is full, and your network holds the most places in it`,
    );

    // A player's seat becomes free only some ticks later, when every client has heard of it.
    if (match.join(link, request)) return true;
    link.close(CloseCode.busy, `a place in room ${code} gets free in a moment; try again in 10 s`);
    return false;
  }

  /**
   * Runs one tick of every room with connected clients.
   * @param dueMs due time of the tick on the clock
   * @param beganMs when the tick of all games' rooms began; nothing has been read since
   */
  tick(dueMs: number, beganMs: number): void {
    this.#dueMs = dueMs;
    for (const room of this.#rooms.values()) {
      this.#guard(room, "tick", () => {
        if (this.#runRoom(room, { dueMs, beganMs })) this.#pendingBroadcast.push(room);
      });
      if (this.#pendingBroadcast.length === BROADCAST_BATCH) this.#broadcast();
    }
    this.#broadcast();
  }

  /**
   * Announces urgent commands to clients on slow connections in every room. Call it halfway between
   * two ticks.
   */
  announceEarly(): void {
    for (const room of this.#rooms.values()) {
      this.#guard(room, "early", () => this.#standsStill(room) || room.match.announceEarly());
    }
  }

  #openRoom(
    code: string,
    { choices, peer }: { choices: readonly number[]; peer: Peer },
  ): Room<Command> {
    const key = peer.ticket?.key;
    const match = this.#begun(
      code,
      "open",
      () => this.#opener.open(code, { choices, key, dueMs: this.#dueMs }),
    );
    if (!peer.isUnlogged) {
      this.#options.log("room_opened", { room: code, seed: match.seed, link: peer.link });
    }
    return this.#addRoom(code, match, { opener: peer, key });
  }

  /**
   * Reopens a room for a match that another process began. No client is connected yet.
   * @throws RangeError if the room is open
   */
  restore(
    resumed: Pick<ResumedMatch<Command>, "header" | "state" | "rounds">,
    log: MatchLog,
  ): void {
    const { room: code, key } = resumed.header;
    if (this.#rooms.has(code)) throw new RangeError(`room ${code} is open`);
    const match = this.#begun(
      code,
      "resume",
      () => this.#opener.reopen(resumed, { log, dueMs: this.#dueMs }),
    );
    this.#addRoom(code, match, { opener: NOBODY, key });
  }

  #addRoom(
    code: string,
    match: Match<Command>,
    owned: Pick<Room<Command>, "opener" | "key">,
  ): Room<Command> {
    const room: Room<Command> = {
      code,
      match,
      subject: subjectBytesOf({ game: this.game.id, room: code, match: match.matchId }),
      ...owned,
      emptyTicks: 0,
      playerlessTicks: 0,
      isRecording: false,
      isHeld: false,
      displace: () => this.#displace(room),
    };
    this.absent.opened(code);
    this.#rooms.set(code, room);
    this.#heldRooms.add(room);
    return room;
  }

  /** Ends a room because another network gets its place. */
  #displace(room: Room<Command>): void {
    const { code, match, opener: { address, isUnlogged } } = room;
    this.#removeRoom(room, "displaced");
    match.close(CloseCode.displaced, DISPLACED);
    if (!isUnlogged) this.#options.log("room_displaced", { room: code, tick: match.tick, address });
  }

  /**
   * Notes that a match of this game was set aside.
   * @param match the name of its log, and its room's code
   */
  setAside({ id, room }: { id: string; room: string }): void {
    this.absent.setAside(room);
    this.#options.results?.endMatch(id, "set aside");
  }

  /** @param reason why the match is over, in a word or two */
  #removeRoom(room: Room<Command>, reason: string): void {
    this.#dropRoom(room);
    const { matchId } = room.match;
    room.match.end(reason, () => {
      if (matchId !== undefined) this.#options.results?.endMatch(matchId, reason);
    });
  }

  #dropRoom(room: Room<Command>): void {
    this.#rooms.delete(room.code);
    addStats(this.#closedTotals, room.match.stats);
    this.#heldRooms.delete(room);
  }

  /**
   * Runs a room's tick if any client is connected.
   * @returns whether there is a tick to broadcast
   */
  #runRoom(
    room: Room<Command>,
    { dueMs, beganMs }: { readonly dueMs: number; readonly beganMs: number },
  ): boolean {
    const { game, clock } = this.#options;
    const roomBeganMs = clock.now();

    // Nobody is connected
    if (room.match.clientCount === 0) {
      room.match.pause(dueMs);
      room.emptyTicks++;
      if (room.match.reservedSeats > 0 && room.emptyTicks <= EMPTY_SECONDS_MAX * game.tickHz) {
        return false;
      }
      this.#removeEmpty(room);
      return false;
    }

    room.emptyTicks = 0;
    if (this.#standsStill(room)) {
      room.match.pause(dueMs);
      return false;
    }

    // Only spectators
    const hasPlayers = room.match.clients.playerCount > 0 || room.match.reservedSeats > 0;
    room.playerlessTicks = hasPlayers ? 0 : room.playerlessTicks + 1;
    if (room.playerlessTicks > PLAYERLESS_SECONDS_MAX * game.tickHz) {
      this.#removeEmpty(room);
      room.match.close(CloseCode.noRoom, `nobody plays in room ${room.code} any more`);
      return false;
    }

    room.match.run(dueMs, beganMs);
    const endedMs = clock.now();
    this.#slowestTickMs.observe(endedMs - roomBeganMs, endedMs);
    return true;
  }

  #removeEmpty(room: Room<Command>): void {
    this.#removeRoom(room, "empty");
    if (!room.opener.isUnlogged) {
      this.#options.log("room_removed", { room: room.code, tick: room.match.tick });
    }
  }

  /**
   * Whether a match with clients skips its ticks, because its disk or the network is slower than a
   * tick, because it is being handed over, or because the server stops. The other matches do not
   * wait for it.
   */
  #standsStill({ isRecording, isHeld, match }: Room<Command>): boolean {
    return isRecording || isHeld || this.#options.drain?.holds(match) === true;
  }

  /** Broadcasts the ticks that have run. */
  #broadcast(): void {
    for (const room of this.#pendingBroadcast) {
      this.#guard(room, "record", () => {
        const written = room.match.record();
        if (written === undefined) return room.match.broadcast();

        // The match stands still until its log holds the tick.
        room.isRecording = true;
        const broadcast = () => {
          room.isRecording = false;
          this.#guard(room, "record", () => room.match.broadcast());
        };
        written.then(broadcast, (error) => this.#failRoom(room, error));
      });
    }
    this.#pendingBroadcast.length = 0;
  }

  /** Runs an action for a room. Any error that it throws ends that room and no other. */
  #guard(room: Room<Command>, phase: WorkPhase, action: () => void): void {
    try {
      this.#watched(room, phase, action);
    } catch (error) {
      this.#failRoom(room, error);
    }
  }

  /** Tells the heartbeat what is under way for a room. */
  #watched<Result>(
    { subject, match }: Room<Command>,
    phase: WorkPhase,
    action: () => Result,
  ): Result {
    this.#heartbeat.enter(subject, phase, match.tick);
    try {
      return action();
    } finally {
      this.#heartbeat.leave();
    }
  }

  /** The same as `#watched`, while a match is made that does not belong to a room yet. */
  #begun(code: string, phase: WorkPhase, begin: () => Match<Command>): Match<Command> {
    this.#heartbeat.enter(subjectBytesOf({ game: this.game.id, room: code }), phase, -1);
    try {
      return begin();
    } finally {
      this.#heartbeat.leave();
    }
  }

  /**
   * Ends a room after an error. Ending it may throw as well; the other rooms go on nevertheless.
   */
  #failRoom(room: Room<Command>, error: unknown): void {
    const { code, match } = room;
    const { seed, tick, matchId } = match;
    const named = { room: code, seed, tick, ...matchId !== undefined && { id: matchId } };
    this.#options.log("room_failed", { ...named, error: withStack(error) });
    this.#options.onRoomFailed?.(error);

    const steps = [
      // A record may fail after its room has ended, when another room may already use the code.
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
