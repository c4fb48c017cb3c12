/**
 * The rooms of all hosted games. A room is a game and a code: the hello's game id picks the game,
 * and that game's `GameRooms` holds its rooms.
 */
import type { BarredPeer } from "../bans/bans.ts";
import type { RoomDetails } from "../match/client_details.ts";
import { choicesFaultOf } from "../../shared/netcode/choices.ts";
import { WireError } from "../../shared/netcode/wire/range_coder.ts";
import { type Game, playersOf } from "../../shared/netcode/game.ts";
import type { Link } from "../../shared/netcode/link.ts";
import { CloseCode, type Hello } from "../../shared/netcode/wire/messages.ts";
import { GOING_AWAY, StopReason } from "../../shared/netcode/wire/stop_reasons.ts";
import { decodeHello } from "../../shared/netcode/wire/client_messages.ts";
import {
  CapacityCheck,
  type Decision,
  type Displaceable,
  DISPLACED,
  type HelloRefusal,
  type Places,
} from "../capacity/capacity_check.ts";
import type { Rate } from "../../shared/flags.ts";
import { NetworkBuckets } from "../fairness/network_buckets.ts";
import { HeldClients } from "../fairness/held_clients.ts";
import type { Newcomer } from "../fairness/held_places.ts";
import { HeldRooms } from "../fairness/held_rooms.ts";
import { type EntryRequest, requestFaultOf } from "../capacity/request_fault.ts";
import type { Authorities, NpcCounts } from "../settings/settings.ts";
import { GameRooms, type GameRoomsOptions } from "./game_rooms.ts";
import { inOrder, type RoomListing } from "../messages/room_listing.ts";
import type { Stalls } from "../ground/stalls.ts";
import { gameResultsOf, type ResultSink } from "../match/result_sink.ts";
import { TickLoad } from "../capacity/tick_load.ts";
import { DEFAULT_LIMITS } from "../settings/limits.ts";
import { LOCAL_PEER, type Peer, type TicketClaims } from "../match/clients/peer.ts";
import type { Match } from "../match/match.ts";

/** How long a link may be open without a hello, s. */
const HELLO_SECONDS_MAX = 5;

/**
 * How many places one address may take from others. The measured load falls only some seconds after
 * a room has closed, so without this limit a client that comes and goes meanwhile could close one
 * room after another.
 */
const DISPLACEMENTS_PER_ADDRESS: Rate = { burst: 4, perSecond: 0.5 };

/** A room of one of several games. */
export interface GameRoomListing extends RoomListing {
  readonly game: string;
}

export interface RoomsOptions<Command> extends
  Omit<
    GameRoomsOptions<Command>,
    "game" | "results" | "heldRooms" | "observer" | "npcs" | "authority"
  > {
  /** By name, in the order of lists; at least one. With several, log lines name the game. */
  readonly games: Readonly<Record<string, Game<Command>>>;
  /** NPCs in each room of all games, or of some by their names; by default as the games say. */
  readonly npcs?: NpcCounts | undefined;
  /** Who computes the matches of all games, or of some by their names; by default as they say. */
  readonly authority?: Authorities | undefined;
  /** Called when all rooms of a game have run a tick. @param ms duration of the tick */
  readonly onGameTicked?: (game: string, ms: number) => void;
  /** Receives the rounds' results. */
  readonly results?: ResultSink | undefined;
  /**
   * The process's stalls; by default none. A stall extends the time that waiting links are given.
   */
  readonly stalls?: Stalls;
  /**
   * Whether a hello may open a room; by default any may. If machines share the matches, the room
   * must be claimed first.
   */
  readonly mayOpen?: ((gameId: string, code: string) => boolean) | undefined;
  /** Whether an operator keeps somebody out of a room; by default nobody is kept out. */
  readonly isBarred?: ((gameId: string, room: string, peer: BarredPeer) => boolean) | undefined;
  /** Called with the close code of each refused hello. */
  readonly onHelloRefused?: (code: number) => void;
}

/**
 * A client that asks to come in. `elsewhere` counts its address's places in other processes, if
 * any.
 */
type Entrant = Pick<Peer, "addressBlock" | "ticket"> & { readonly elsewhere?: Places };

const NOBODY_DISPLACED: Decision = { displaced: [] };

interface PendingLink {
  readonly link: Link;
  readonly peer: Peer;
  readonly sinceMs: number;
  /** The process's stalls until `sinceMs`, ms in total. */
  readonly stalledMs: number;
}

export class Rooms<Command> {
  /** By the game's name, in the order of the options. */
  readonly byGame: ReadonlyMap<string, GameRooms<Command>>;
  /** The different tick rates of the games, ascending. */
  readonly tickRates: readonly number[];
  readonly #options: RoomsOptions<Command>;
  readonly #capacity: CapacityCheck;
  /** By tick rate. */
  readonly #loads: ReadonlyMap<number, TickLoad>;
  readonly #byGameId: ReadonlyMap<string, GameRooms<Command>>;
  /** Links that have not sent a hello yet. */
  readonly #pendingLinks = new Set<PendingLink>();
  /** The rooms of all games, grouped by opener. */
  readonly #heldRooms = new HeldRooms();
  readonly #displacements: NetworkBuckets;
  /** The clients in all rooms. */
  readonly #heldClients = new HeldClients();
  /** Matches that could not go on here, since the start. */
  setAsideCount = 0;

  /** @throws RangeError if two games have the same id */
  constructor(options: RoomsOptions<Command>) {
    this.#options = options;
    this.#capacity = new CapacityCheck(this, options.limits ?? DEFAULT_LIMITS);
    this.#displacements = new NetworkBuckets(DISPLACEMENTS_PER_ADDRESS, options.clock);

    // Each game's rooms. With several games, log lines name the game.
    const games = Object.entries(options.games);
    const logOf = (name: string): GameRoomsOptions<Command>["log"] =>
      games.length === 1
        ? options.log
        : (event, fields) => options.log(event, { game: name, ...fields });
    const byGame = new Map<string, GameRooms<Command>>();
    for (const [name, game] of games) {
      const rooms = new GameRooms({
        ...options,
        heldRooms: this.#heldRooms,
        observer: this.#heldClients,
        game,
        npcs: npcsOf(options.npcs, name) ?? playersOf(game).npcs,
        authority: typeof options.authority === "object"
          ? options.authority[name]
          : options.authority,
        log: logOf(name),
        results: gameResultsOf(options.results, name),
      });
      byGame.set(name, rooms);
    }
    this.byGame = byGame;
    this.#byGameId = new Map([...this.byGame.values()].map((rooms) => [rooms.game.id, rooms]));
    if (this.#byGameId.size < games.length) throw new RangeError("two games have the same id");

    // Games with the same rate share their ticks, and therefore their load.
    this.tickRates = [...new Set(games.map(([, { tickHz }]) => tickHz))].sort((a, b) => a - b);
    this.#loads = new Map(this.tickRates.map((hz) => [hz, new TickLoad(hz)]));
  }

  /**
   * The share of real time that the ticks take, judged by their p95. Above 1 the machine is too
   * slow.
   */
  get tickLoad(): number {
    let share = 0;
    for (const load of this.#loads.values()) share += load.share;
    return share;
  }

  /** Describes every room of every game with its clients. */
  details(): RoomDetails[] {
    return [...this.byGame].flatMap(([game, rooms]) =>
      rooms.details().map((room) => ({ game, ...room }))
    );
  }

  /**
   * Closes the links of the peers that `isMeant` selects, also before their hello.
   * @returns how many
   */
  closeLinks(isMeant: (peer: Peer) => boolean, code: number, reason: string): number {
    const pending = [...this.#pendingLinks].filter(({ peer }) => isMeant(peer));
    let closed = pending.length;
    for (const rooms of this.byGame.values()) closed += rooms.closeLinks(isMeant, code, reason);
    for (const { link } of pending) link.close(code, reason);
    return closed;
  }

  /**
   * Sends a sentence to every client.
   * @param text at most `NOTICE_BYTES_MAX` in UTF-8
   * @returns how many clients
   */
  announce(text: string): number {
    let clients = 0;
    for (const rooms of this.byGame.values()) clients += rooms.announce(text);
    return clients;
  }

  /** Closes every link of a room and removes it. @returns whether there was one */
  closeRoom(game: string, code: string, reason: string): boolean {
    return this.byGame.get(game)?.closeRoom(code, reason) ?? false;
  }

  /** Counts a match that was set aside, and refuses its players when they come back. */
  setAside({ id, gameId, room }: { id: string; gameId: string; room: string }): void {
    this.setAsideCount++;
    this.#byGameId.get(gameId)?.setAside({ id, room });
  }

  /** Refuses the players of a match that another machine has set aside. */
  refuseSetAside({ gameId, room }: { gameId: string; room: string }): void {
    this.#byGameId.get(gameId)?.absent.setAside(room);
  }

  /**
   * Makes a match stand still, because another machine is taking it over.
   * @param gameId `Game.id`
   */
  hold(gameId: string, code: string): void {
    this.#byGameId.get(gameId)?.hold(code);
  }

  /** Lets a match that stands still go on. @param gameId `Game.id` */
  release(gameId: string, code: string): void {
    this.#byGameId.get(gameId)?.release(code);
  }

  /** Closes a room after another machine has taken its match. @param gameId `Game.id` */
  forget(gameId: string, code: string): void {
    this.#byGameId.get(gameId)?.forget(code);
  }

  /** Counts the places that an address uses in the rooms of all games. */
  placesOf(addressBlock: string): Places {
    const networkRooms = this.#heldRooms.countsOf(addressBlock);
    const networkClients = this.#heldClients.countsOf(addressBlock);
    const places = { rooms: 0, seats: 0, watchers: 0, networkRooms, networkClients };
    for (const each of this.byGame.values()) {
      const { rooms, seats, watchers } = each.placesOf(addressBlock);
      places.rooms += rooms;
      places.seats += seats;
      places.watchers += watchers;
    }
    return places;
  }

  /** Finds the room that a newcomer may replace with a new one; undefined if all stay. */
  roomFor(newcomer: Newcomer): Displaceable | undefined {
    return this.#heldRooms.roomFor(newcomer);
  }

  /**
   * Finds a client that a newcomer may displace, because that client does not play; undefined if
   * all stay.
   */
  clientFor(newcomer: Newcomer): Displaceable | undefined {
    const client = this.#heldClients.clientFor(newcomer);
    return client && {
      displace: () => {
        this.#heldClients.left(client);
        client.link.close(CloseCode.displaced, DISPLACED);
      },
    };
  }

  /** The link numbers of active players and of operators. */
  activeLinks(): Set<number> {
    return this.#heldClients.activeLinks;
  }

  /** Whether the server takes no new room, player or spectator, because it is stopping. */
  get isStopping(): boolean {
    return this.#options.drain?.isStopping ?? false;
  }

  /** Whether an operator has closed this process to newcomers. */
  get isCordoned(): boolean {
    return this.#options.drain?.isCordoned ?? false;
  }

  /** Closes this process to newcomers, or opens it again. Its matches go on. */
  cordon(isCordoned: boolean): void {
    const { drain } = this.#options;
    if (drain !== undefined) drain.isCordoned = isCordoned;
  }

  matches(): Match<Command>[] {
    return [...this.byGame.values()].flatMap((rooms) => rooms.matches());
  }

  get roomCount(): number {
    let count = 0;
    for (const rooms of this.byGame.values()) count += rooms.roomCount;
    return count;
  }

  /** Connected clients in all rooms, including spectators. */
  get clientCount(): number {
    let count = 0;
    for (const rooms of this.byGame.values()) count += rooms.clientCount;
    return count;
  }

  /**
   * Lists the rooms that have connected clients, the fullest first, equally full ones by code. On a
   * server with several games each entry names its game.
   */
  list(): readonly (RoomListing | GameRoomListing)[] {
    const [first] = this.byGame.values();
    if (this.byGame.size === 1) return first!.list();
    const listings = [...this.byGame].flatMap(([game, rooms]) =>
      rooms.list().map((each) => ({ game, ...each }))
    );
    return listings.sort(inOrder);
  }

  /**
   * Finds the match in a room of the first game, for tests and tools; undefined for an unknown
   * code.
   */
  matchOf(code: string): Match<Command> | undefined {
    const [first] = this.byGame.values();
    return first!.matchOf(code);
  }

  /** Accepts a new link. Its first message must be a hello. */
  admit(link: Link, peer: Peer = LOCAL_PEER): void {
    const sinceMs = this.#options.clock.now();
    const pending = { link, peer, sinceMs, stalledMs: this.#stalledMs(sinceMs) };
    this.#pendingLinks.add(pending);
    link.onClose(() => this.#pendingLinks.delete(pending));
    link.onMessage((bytes, reliably) => {
      // A datagram may overtake the hello, which travels on the reliable channel.
      if (!reliably || !this.#pendingLinks.delete(pending)) return;
      this.#onHello(pending, bytes);
    });
  }

  /**
   * Runs one tick of every room with connected clients.
   * @param dueMs due time of the tick on the clock
   * @param tickHz only games of this tick rate, if it is given
   */
  tick(dueMs: number, tickHz?: number): void {
    for (const pending of this.#pendingLinks) this.#closeIfOverdue(pending, dueMs);

    const { clock, onGameTicked } = this.#options;
    const beganMs = clock.now();
    for (const [name, rooms] of this.byGame) {
      if (tickHz !== undefined && rooms.game.tickHz !== tickHz) continue;
      const startMs = clock.now();
      rooms.tick(dueMs, beganMs);
      onGameTicked?.(name, clock.now() - startMs);
    }
    this.#loads.get(tickHz ?? this.tickRates[0]!)!.observe(clock.now() - beganMs);
  }

  /**
   * Announces urgent commands to clients on slow connections in every room. Call it halfway between
   * two ticks.
   * @param tickHz only games of this tick rate, if it is given
   */
  announceEarly(tickHz?: number): void {
    for (const rooms of this.byGame.values()) {
      if (tickHz === undefined || rooms.game.tickHz === tickHz) rooms.announceEarly();
    }
  }

  #closeIfOverdue(pending: PendingLink, dueMs: number): void {
    const stalledMs = this.#stalledMs(this.#options.clock.now()) - pending.stalledMs;
    if (dueMs - pending.sinceMs - stalledMs <= HELLO_SECONDS_MAX * 1000) return;
    this.#pendingLinks.delete(pending);
    pending.link.close(CloseCode.helloMissing, "no hello");
  }

  #stalledMs(nowMs: number): number {
    return this.#options.stalls?.totalMs(nowMs) ?? 0;
  }

  #onHello({ link, peer }: PendingLink, bytes: Uint8Array): void {
    let hello: Hello;
    try {
      hello = decodeHello(bytes);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return link.close(CloseCode.protocol, error.message);
    }

    // Whether the client may come in, and which places it gets
    const decision = this.#decideOnHello(hello, peer);
    if ("code" in decision) {
      this.#options.onHelloRefused?.(decision.code);
      return link.close(decision.code, decision.reason);
    }
    const mayDisplace = decision.displaced.length === 0 ||
      this.#displacements.take(peer.addressBlock);
    if (!mayDisplace) return link.close(CloseCode.busy, "the server is full; try again in 10 s");

    // Displaced clients lose their places only once the newcomer is in.
    const isIn = this.#byGameId.get(hello.gameId)!.join(link, hello, peer);
    if (!isIn) return;
    for (const place of decision.displaced) place.displace();
  }

  #decideOnHello(hello: Hello, peer: Peer): Decision {
    const fault = this.faultOf(hello);
    if (fault !== undefined) return fault;
    const choicesFault = choicesFaultOf(this.#byGameId.get(hello.gameId)!.game, hello.choices);
    if (choicesFault !== undefined) return { code: CloseCode.game, reason: choicesFault };

    const { ticket } = peer;
    if (ticket !== undefined && !isFor(ticket, hello)) {
      return {
        code: CloseCode.unauthorised,
        reason: "The ticket is for another game, room or role.",
      };
    }

    // Another machine may hold the room
    const { gameId, room } = hello;
    const isOpen = this.#byGameId.get(gameId)!.has(room);
    if (!isOpen && this.#options.mayOpen?.(gameId, room) === false) {
      return { code: GOING_AWAY, reason: StopReason.moved };
    }
    return this.#decide(hello, peer);
  }

  /**
   * @returns why this request could never let a client in: another version, an unknown game, or a
   * code that no room can have
   */
  faultOf(hello: EntryRequest): HelloRefusal | undefined {
    return requestFaultOf(hello, [...this.#byGameId.keys()]);
  }

  /**
   * Decides whether a client may come in now. A player with a seat returns to it. Others need the
   * key of a private room, and a free place. An operator needs neither.
   * @param request one without a fault
   * @param peer.elsewhere places of its address in other processes; by default none
   * @returns why a client may not come in at the moment; undefined if it may
   */
  refusalOf(request: EntryRequest, peer: Entrant): HelloRefusal | undefined {
    const decision = this.#decide(request, peer);
    return "code" in decision ? decision : undefined;
  }

  /** A player whom the operator's function knows is kept out by name, and others by address. */
  #isBarred({ gameId, room }: EntryRequest, { addressBlock, ticket }: Entrant): boolean {
    if (ticket?.role === "operator") return false;
    const account = ticket?.identity === undefined ? undefined : ticket.account;
    return this.#options.isBarred?.(gameId, room, { addressBlock, account }) ?? false;
  }

  #decide(request: EntryRequest, { addressBlock, ticket, elsewhere }: Entrant): Decision {
    const rooms = this.#byGameId.get(request.gameId)!;
    if (this.#isBarred(request, { addressBlock, ticket })) return BARRED;
    if (rooms.hasSeat(request, ticket)) return NOBODY_DISPLACED;
    const refusal = rooms.refusalOf(request, ticket);
    if (refusal !== undefined) return refusal;
    if (ticket?.role === "operator") return NOBODY_DISPLACED;

    const { room, spectate } = request;
    return this.#capacity.decide({
      room,
      opensRoom: !rooms.has(room),
      spectate,
      addressBlock,
      elsewhere,
    });
  }
}

/** What somebody reads whom an operator has taken out of the room. */
const BARRED: HelloRefusal = {
  code: CloseCode.kicked,
  reason: "an operator has taken you out of this match; you may come back in some minutes",
};

/** Whether a hello asks for exactly what its ticket allows. */
function isFor({ gameId, room, role, protocolVersion }: TicketClaims, hello: Hello): boolean {
  const isSameRole = (role === "player") !== hello.spectate;
  return isSameRole && gameId === hello.gameId && room === hello.room &&
    protocolVersion === hello.protocolVersion;
}

function npcsOf(counts: NpcCounts | undefined, game: string): number | undefined {
  if (typeof counts === "number" || counts === undefined) return counts;
  return Object.hasOwn(counts, game) ? counts[game] : undefined;
}
