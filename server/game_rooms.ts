/**
 * The rooms of one game, by code. The first hello with a code opens its room. A room does not tick while nobody is
 * connected. It waits a minute for players whose connection was lost, and otherwise it is removed at once. An error in
 * one room ends only that room.
 */
import type { RoomDetails } from "./match/client_details.ts";
import { type Game, PLAYER_SEATS } from "../shared/netcode/game.ts";
import type { Clock, Link } from "../shared/netcode/link.ts";
import { CloseCode, type Hello, type ResumeToken } from "../shared/netcode/wire/messages.ts";
import type { ContractFault } from "../shared/netcode/twin_check.ts";
import type { Deflate } from "../shared/netcode/wire/packed_snapshot.ts";
import { randomHex, type RoomSecret } from "./server_secret.ts";
import type { Peer } from "./match/clients/peer.ts";
import { type MatchLog, MatchRecorder } from "./match/match_recorder.ts";
import type { MatchOptions } from "./match/match_options.ts";
import type { RoundOver } from "./match/round_watch.ts";
import type { HashToken } from "./match/seats/player.ts";
import type { MatchLogs } from "./match_log/match_logs.ts";
import type { ResumedMatch } from "./match_log/resume_match.ts";
import { roomChoicesOf } from "../shared/netcode/choices.ts";
import type { Drain } from "./drain.ts";
import type { GameResults } from "./results/result_sink.ts";
import type { Limits } from "./settings/limits.ts";
import type { Log } from "./log.ts";
import { Match } from "./match/match.ts";
import { addStats, type MatchStats, newMatchStats } from "./match/match_stats.ts";

/** How long an empty room is kept for a player whose connection was lost, s. */
const EMPTY_SECONDS_MAX = 60;
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
  /** The words of the room's options by their names; only for a game that has options. */
  readonly options?: Readonly<Record<string, string>>;
}

/** What one address has: rooms that it opened, seats, reserved ones included, and places of spectators. */
export interface Places {
  readonly rooms: number;
  readonly seats: number;
  readonly watchers: number;
}

/** 128 random bits of the machine. */
const TOKEN_BYTES = 16;

export interface GameRoomsOptions<Command> {
  readonly game: Game<Command>;
  readonly clock: Clock;
  /** NPC seats per room, 0 … 16. */
  readonly npcs: number;
  /** What the seeds of rooms come from, and what NPCs draw from. */
  readonly secret: RoomSecret;
  readonly stream: "commands" | "state";
  /** By default those of a server without settings. */
  readonly limits?: Limits;
  readonly log: Log;
  /** @returns a token that cannot be guessed; by default 128 random bits of the machine */
  readonly newToken?: () => ResumeToken;
  /** Compresses states; without it they are sent uncompressed. */
  readonly deflate?: Deflate | undefined;
  /** Whether a twin checks each tick of each match (SPEC 1.20). */
  readonly checkTwin?: boolean;
  /** Where the matches' logs are; without it a match ends with its process. */
  readonly logs?: MatchLogs | undefined;
  /** @returns ms since 1970; needed with `logs` */
  readonly wallClock?: (() => number) | undefined;
  /** Where the results of rounds go; only matches with a log have any. */
  readonly results?: GameResults | undefined;
  /** Which matches stand still, because the server stops; without it none. */
  readonly drain?: Pick<Drain, "isStopping" | "holds"> | undefined;
  /** Hashes seat tokens; by default they are kept as they are. */
  readonly hashToken?: HashToken | undefined;
}

interface Room<Command> {
  readonly code: string;
  readonly match: Match<Command>;
  /** The address that opened it. */
  readonly addressBlock: string;
  emptyTicks: number;
  /** Whether a tick has run that may not be broadcast yet, because its record is still on its way. */
  isRecording: boolean;
}

export class GameRooms<Command> {
  readonly game: Game<Command>;
  readonly #options: GameRoomsOptions<Command>;
  readonly #rooms = new Map<string, Room<Command>>();
  /** Rooms that have run their tick but not broadcast it; at most `BROADCAST_BATCH`. */
  readonly #pendingBroadcast: Room<Command>[] = [];
  /** Sums over the removed rooms. */
  readonly #closedTotals = newMatchStats();
  /** Due time of the newest tick, ms. A room that is opened between two ticks counts from it. */
  #dueMs: number;
  /** Rooms opened so far, so that a code that is used again begins another match. */
  #opened = 0;

  constructor(options: GameRoomsOptions<Command>) {
    this.game = options.game;
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
      const watchers = match.clients.spectatorCount, players = match.clientCount - watchers;
      if (match.clientCount > 0) {
        listings.push({ code, players, seats: PLAYER_SEATS, watchers, ...this.#optionsOf(match) });
      }
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

  has(code: string): boolean {
    return this.#rooms.has(code);
  }

  /** What an address has in all rooms of this game. */
  placesOf(addressBlock: string): Places {
    const places = { rooms: 0, seats: 0, watchers: 0 };
    for (const room of this.#rooms.values()) {
      const { seats, watchers } = room.match.placesOf(addressBlock);
      if (room.addressBlock === addressBlock) places.rooms++;
      places.seats += seats;
      places.watchers += watchers;
    }
    return places;
  }

  /** Every room with its clients, without the game's name. */
  details(): Omit<RoomDetails, "game">[] {
    return [...this.#rooms.values()].map(({ code, match: { tick, reservedSeats, clients } }) => (
      { room: code, tick, reservedSeats, clients: clients.details }
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

  matches(): Match<Command>[] {
    return Array.from(this.#rooms.values(), ({ match }) => match);
  }

  /** The match of a room; undefined for an unknown code. */
  matchOf(code: string): Match<Command> | undefined {
    return this.#rooms.get(code)?.match;
  }

  /** Lets a client with a valid hello into its room, and opens the room if there is none. It refuses a full room. */
  join(link: Link, hello: Hello, peer: Peer): void {
    const { room: code, name: sentName, spectate, bodyStreamMode, resume, choices } = hello;
    const room = this.#rooms.get(code) ?? this.#openRoom(code, { choices, peer });
    const name = printableName(sentName);
    if (!room.match.join(link, { name, spectate, bodyStreamMode, resume, peer })) {
      return link.close(CloseCode.roomFull, `room ${code} is full`);
    }
    const { link: number, address } = peer, clients = room.match.clientCount;
    this.#options.log("joined", { room: code, name, watch: spectate, clients, link: number, address });
  }

  /** Runs one tick of every room with connected clients. @param dueMs due time of the tick on the clock */
  tick(dueMs: number): void {
    this.#dueMs = dueMs;
    for (const room of this.#rooms.values()) {
      if (this.#runRoom(room, dueMs)) this.#pendingBroadcast.push(room);
      if (this.#pendingBroadcast.length === BROADCAST_BATCH) this.#broadcast();
    }
    this.#broadcast();
  }

  /** Announces urgent commands to far clients in every room. Call it in the middle between two ticks. */
  announceEarly(): void {
    for (const room of this.#rooms.values()) {
      if (!this.#standsStill(room)) this.#guard(room, () => room.match.announceEarly());
    }
  }

  #optionsOf({ choices }: Match<Command>): Pick<RoomListing, "options"> {
    const described = this.game.description?.choices ?? [];
    if (described.length === 0) return {};
    return { options: Object.fromEntries(described.map(({ name, names }, i) => [name, names[choices[i]!]!])) };
  }

  #openRoom(code: string, { choices, peer }: { choices: readonly number[]; peer: Peer }): Room<Command> {
    const { game, npcs, secret, log, logs } = this.#options;
    const which = [game.id, code, this.#opened++] as const;
    const seed = secret.seedOf(...which), npcRandom = secret.npcRandomOf(...which);
    const recorder = logs && this.#recorderOf(logs.create(code));
    const roomChoices = roomChoicesOf(game, choices);
    recorder?.begin({ gameId: game.id, room: code, npcs, seed, choices: roomChoices, startedAt: this.#wallSeconds });
    const match = this.#newMatch(code, { npcs, npcRandom, choices: roomChoices, seed, recorder });
    log("room_opened", { room: code, seed, link: peer.link });
    return this.#addRoom(code, match, peer.addressBlock);
  }

  /**
   * Opens a room again whose match another process has begun. Nobody is connected yet.
   * @throws RangeError if the room is open
   */
  restore(
    { header, state, rounds }: Omit<ResumedMatch<Command>, "bytes" | "epoch" | "steppedTicks">,
    log: MatchLog,
  ): void {
    const { room: code, npcs, seed, choices } = header;
    if (this.#rooms.has(code)) throw new RangeError(`room ${code} is open`);
    const npcRandom = this.#options.secret.npcRandomOf(this.game.id, code, this.#opened++);
    const recorder = this.#recorderOf(log);
    recorder.takeOver(this.#wallSeconds);
    const match = this.#newMatch(code, { npcs, npcRandom, choices, seed, recorder, from: state });
    this.#addRoom(code, match, "");
    for (const round of rounds) this.#options.results?.addRound({ id: log.id, room: code }, round);
  }

  #addRoom(code: string, match: Match<Command>, addressBlock: string): Room<Command> {
    const room = { code, match, addressBlock, emptyTicks: 0, isRecording: false };
    this.#rooms.set(code, room);
    return room;
  }

  #newMatch(
    code: string,
    own: Pick<MatchOptions<Command>, "npcs" | "npcRandom" | "choices" | "seed" | "recorder" | "from">,
  ): Match<Command> {
    const { game, stream, clock, log, deflate, checkTwin, hashToken } = this.#options;
    const { newToken = () => randomHex(TOKEN_BYTES) } = this.#options;
    const onFault = checkTwin
      ? ({ tick, field, text }: ContractFault) => log("contract_broken", { room: code, tick, field, text })
      : undefined;
    const { results } = this.#options, id = own.recorder?.matchId;
    const onRoundOver = results && id !== undefined
      ? (round: RoundOver) => results.addRound({ id, room: code }, round)
      : undefined;
    const common = { stream, clock, dueMs: this.#dueMs, newToken, hashToken, deflate, onFault, onRoundOver };
    return new Match(game, { ...own, ...common });
  }

  #recorderOf(log: MatchLog): MatchRecorder<Command> {
    const { game: { command, tickHz }, deflate } = this.#options;
    return new MatchRecorder(command, { log, tickHz, deflate });
  }

  get #wallSeconds(): number {
    return Math.floor((this.#options.wallClock?.() ?? 0) / 1000);
  }

  /** @param reason why the match is over, in a word or two */
  #removeRoom(room: Room<Command>, reason: string): void {
    const { matchId } = room.match;
    if (matchId !== undefined) this.#options.results?.endMatch(matchId, reason);
    room.match.end(reason);
    this.#rooms.delete(room.code);
    addStats(this.#closedTotals, room.match.stats);
  }

  /** Runs a room's tick if any client is connected. @returns whether there is a tick to broadcast */
  #runRoom(room: Room<Command>, dueMs: number): boolean {
    const { game, log } = this.#options;
    if (room.match.clientCount === 0) {
      room.match.pause(dueMs);
      room.emptyTicks++;
      if (room.match.reservedSeats > 0 && room.emptyTicks <= EMPTY_SECONDS_MAX * game.tickHz) return false;
      this.#removeRoom(room, "empty");
      log("room_removed", { room: room.code, tick: room.match.tick });
      return false;
    }
    room.emptyTicks = 0;
    if (this.#standsStill(room)) {
      room.match.pause(dueMs);
      return false;
    }
    try {
      room.match.run(dueMs);
      return true;
    } catch (error) {
      this.#failRoom(room, error);
      return false;
    }
  }

  /**
   * Whether a match with clients runs no tick: its disk, or the network, is slower than a tick, or the server stops. No
   * other match waits for it.
   */
  #standsStill({ isRecording, match }: Room<Command>): boolean {
    return isRecording || this.#options.drain?.holds(match) === true;
  }

  /** Broadcasts the ticks that have run. */
  #broadcast(): void {
    for (let i = 0; i < this.#pendingBroadcast.length; i++) {
      const room = this.#pendingBroadcast[i]!;
      this.#guard(room, () => {
        const written = room.match.record();
        if (written === undefined) return room.match.broadcast();
        room.isRecording = true;
        written.then(() => {
          room.isRecording = false;
          this.#guard(room, () => room.match.broadcast());
        });
      });
    }
    this.#pendingBroadcast.length = 0;
  }

  /** An error of a room ends that room. */
  #guard(room: Room<Command>, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#failRoom(room, error);
    }
  }

  #failRoom(room: Room<Command>, error: unknown): void {
    this.#removeRoom(room, "failed");
    room.match.close(CloseCode.roomFailed, "this room failed; join again");
    const message = error instanceof Error ? error.stack ?? error.message : String(error);
    const { code, match: { seed, tick } } = room;
    this.#options.log("room_failed", { room: code, seed, tick, error: message });
  }
}

/** Longer names do not fit above a dragon. */
const NAME_CHARACTERS_MAX = 24;

/** Makes a name printable: no control or formatting characters (such as bidi overrides), and not too long. */
function printableName(name: string): string {
  const clean = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
  return [...clean].slice(0, NAME_CHARACTERS_MAX).join("");
}
