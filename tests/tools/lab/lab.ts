/**
 * The whole system in one process on a virtual clock: the real rooms and match, real sessions,
 * simulated links, and one seed. The clock jumps from one due time to the next, so a minute of play
 * takes only as long as its computation.
 */
import { seededSecret } from "../../support/seeded_secret.ts";
import { SessionDatagrams } from "../../../client/session/datagrams/session_datagrams.ts";
import {
  type CommandSource,
  Session,
  type SessionOptions,
} from "../../../client/session/session.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { bodyStreamSupport } from "../../../client/session/body_stream_client.ts";
import { tapLink } from "../../../client/net/link_tap.ts";
import type { Peer } from "../../../server/match/clients/peer.ts";
import type { Match } from "../../../server/match/match.ts";
import { Rooms } from "../../../server/rooms/rooms.ts";
import type { MatchLogs } from "../../../server/match_log/match_logs.ts";
import type { Log } from "../../../server/ground/log.ts";
import { resumedMatchOf } from "../../../server/match_log/resume_match.ts";
import { resume, setAside } from "../../../server/rooms/resume_matches.ts";
import { ownReferee, Referee } from "../../../server/referee/referee.ts";
import { Ticker } from "../../../server/ground/ticker.ts";
import { outcomeOf } from "../../../server/trial/tried_match.ts";
import type { Game, Simulation, Tick } from "../../../shared/netcode/game.ts";
import type { ClientLink, Link } from "../../../shared/netcode/link.ts";
import type { ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import type { NetworkModel } from "../../../shared/netcode/simulated_network/network_model.ts";
import { SimulatedLink } from "../../../shared/netcode/simulated_network/simulated_link.ts";
import { Random } from "../../../shared/random.ts";
import type { ResultSink } from "../../../server/match/result_sink.ts";
import type { Snapshot } from "../../../shared/snapshot.ts";
import { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";
import { LossyLink, type LossyModel } from "./links/lossy_link.ts";
import { EventLoop } from "./stalls/event_loop.ts";
import { PathLine } from "./paths/path_line.ts";

export interface LabOptions<Command, Sim extends Simulation<Command>> {
  readonly game: Game<Command, Sim>;
  readonly seed: number;
  readonly npcs: number;
  readonly stream?: "commands" | "state";
  readonly deflate?: (bytes: Uint8Array) => Uint8Array;
  /** Without it each run draws different seat tokens, the only bytes that then differ. */
  readonly newToken?: () => ResumeToken;
  /** Whether a twin checks each of the server's ticks. */
  readonly checkTwin?: boolean;
  /** Whether the server lets players tune the game's constants. */
  readonly isTunable?: boolean;
  /**
   * Lets the server only order commands. How long each of the referee's turns takes to come, ms on
   * the lab's clock.
   */
  readonly refereeMs?: () => number;
  /** Whether the referee judges every tick, and not only what clients disagree on. */
  readonly judgesAll?: boolean;
  /** Like `--idle`; by default players may stand still for ever. */
  readonly idleSeconds?: number;
  /** Keeps the server's logs, so that the server can be killed. */
  readonly logs?: MatchLogs;
  /** Receives the rounds' results. */
  readonly results?: ResultSink;
  /** Called when the server has run a tick. The state is valid only during the call. */
  readonly onDefinitive?: (simulation: Sim, state: Snapshot) => void;
}

export interface Player<
  Command,
  Sim extends Simulation<Command> = Simulation<Command>,
  PlayerLink = SimulatedLink,
> {
  readonly session: Session<Command, Sim>;
  readonly link: PlayerLink;
  /** The server's end of the link, behind the simulated network, for tests that tap or close it. */
  readonly serverEnd: LocalLink;
  /** How much faster its clock runs than the lab's. */
  readonly clockRate: number;
  /** Its clock, which tests set forward; without it the clock never jumps. */
  readonly clock?: { aheadMs: number };
  /**
   * Until then, on the lab's clock, the client does nothing; a hidden page still hears messages,
   * but a stalled one does not.
   */
  sleep?: { readonly untilMs: number; readonly hearsMessages: boolean };
}

type JoinOptions<Command, Sim extends Simulation<Command>> =
  & {
    readonly commandSource: CommandSource<Command>;
    /** Receives each message that arrives at the client, before the client does. */
    readonly onArrival?: (message: Uint8Array) => void;
    /** The client, as the server has admitted it; by default one without a ticket. */
    readonly peer?: Peer | undefined;
    /** Wraps the end of the connection nearest to the server. */
    readonly around?: (end: LocalLink) => Link;
  }
  & Partial<SessionOptions<Command, Sim>>;

const ROOM = "LABS";

export class Lab<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly #options: LabOptions<Command, Sim>;
  readonly random: Random;
  readonly #tickMs: number;
  #nowMs = 1000;
  /** When the server's next tick is due, ms on the lab's clock. */
  #nextTickMs = 1000;
  /**
   * When the server's present stall ends, ms on the lab's clock; undefined if it is not stalled.
   */
  #stalledUntilMs: number | undefined;
  readonly #eventLoop: EventLoop;
  #ticker: Ticker;
  /** Called after each tick while the lab runs. */
  #onTick: (() => void) | undefined;
  rooms: Rooms<Command>;
  readonly players: Player<Command, Sim, SimulatedLink | LossyLink | PathLine>[] = [];
  /**
   * By player: when the session is due, ms. Updated after the player's own events and after each
   * tick.
   */
  #sessionsDueMs: number[] = [];
  /** The server's hash of S(tick), by tick. */
  readonly definitiveHashes = new Map<Tick, number>();
  serverSimulation: Sim | undefined;
  /** All log entries of the rooms, and when they came, ms on the lab's clock. */
  readonly log: { event: string; fields: Record<string, unknown>; atMs: number }[] = [];
  readonly #log: Log = (event, fields = {}) =>
    void this.log.push({ event, fields, atMs: this.#nowMs });

  readonly clock = { now: () => this.#nowMs };

  constructor(options: LabOptions<Command, Sim>) {
    this.#options = options;
    this.random = new Random(options.seed);
    this.#tickMs = 1000 / options.game.tickHz;
    this.#eventLoop = new EventLoop(this.clock);
    this.rooms = this.#newRooms();
    this.#ticker = this.#startTicker();
  }

  #newRooms(): Rooms<Command> {
    const {
      game,
      npcs,
      seed,
      stream = "commands",
      deflate,
      checkTwin = false,
      isTunable = false,
      idleSeconds = 0,
      newToken,
      logs,
      results,
      judgesAll = false,
    } = this.#options;
    const { refereeMs } = this.#options;
    const log = this.#log;
    const referee = refereeMs && this.#newReferee(refereeMs, log);
    return new Rooms({
      ...referee && { referee, authority: "order", verify: judgesAll ? "all" : "differences" },
      games: { [game.id]: this.#recordHashes(game) },
      clock: this.clock,
      npcs,
      secret: seededSecret(seed),
      stream,
      deflate,
      checkTwin,
      isTunable,
      idleSeconds,
      logs,
      results,
      ...(newToken !== undefined && { newToken }),
      log,
    });
  }

  #newReferee(refereeMs: () => number, log: Log): Referee {
    const { game } = this.#options;
    return new Referee({
      begin: ownReferee({
        gameOf: (id) => id === game.id ? game as Game<unknown> : undefined,
        clock: this.clock,
        later: (work) => void this.#eventLoop.after(refereeMs(), work),
      }),
      scheduler: this.#eventLoop,
      onFailed: (error) => log("referee_failed", { error }),
    });
  }

  /**
   * Kills the server: every link is cut, and another server continues from the logs.
   * @param downMs until the other one runs
   */
  killServer(downMs = 0): void {
    for (const { serverEnd } of this.players) serverEnd.close(1006, "killed");
    this.players.length = 0;
    this.restartServer(downMs);
  }

  /**
   * Lets another server continue from the logs. No link leads to it yet.
   * @param downMs until it runs
   */
  restartServer(downMs = 0): void {
    this.#stalledUntilMs = undefined;
    this.#ticker.stop();
    this.#nextTickMs = Math.max(this.#nextTickMs, this.#nowMs + downMs);
    this.rooms = this.#newRooms();
    this.#ticker = this.#startTicker();

    const rooms = this.rooms as Rooms<unknown>;
    const log = this.#log;
    const gameOf = (id: string) =>
      [...rooms.byGame.values()].find(({ game }) => game.id === id)?.game;

    // In virtual time nothing happens beside a trial, and its ticks beyond the log are not
    // definitive.
    for (const unfinished of this.#options.logs!.unfinished()) {
      const outcome = outcomeOf(() => resumedMatchOf(unfinished.read(), gameOf));
      const failure = "failure" in outcome
        ? outcome.failure
        : resume(unfinished, outcome, { rooms, log });
      const match = { id: unfinished.id, gameId: "", room: "" };
      if (failure !== undefined) setAside(unfinished, { match, why: failure.error, rooms, log });
    }
  }

  /**
   * Lets a player join now.
   * @param ordered true for a reliable link, otherwise a datagram link
   * @param clockPpm how much too fast the player's clock runs, in millionths
   */
  join(
    name: string,
    { network, ordered = true, clockPpm = 0, around = (end) => end, ...joinOptions }:
      & JoinOptions<Command, Sim>
      & { network: NetworkModel; ordered?: boolean; clockPpm?: number },
  ): Player<Command, Sim> {
    const [clientEnd, serverEnd] = LocalLink.pair({ ordered });
    const link = new SimulatedLink(around(clientEnd), {
      model: network,
      seed: this.random.bits(),
      clock: this.clock,
    });
    return this.#addPlayer(name, { link, serverEnd, clockRate: 1 + clockPpm / 1e6 }, joinOptions);
  }

  /** Lets a player join now over datagrams that are lost, duplicated and reordered. */
  joinByDatagrams(
    name: string,
    { network, around = (end) => end, ...joinOptions }: JoinOptions<Command, Sim> & {
      network: LossyModel;
    },
  ): Player<Command, Sim, LossyLink> {
    const [clientEnd, serverEnd] = LocalLink.pair({ ordered: false });
    const link = new LossyLink(around(clientEnd), {
      model: network,
      seed: this.random.bits(),
      clock: this.clock,
    });
    return this.#addPlayer(name, { link, serverEnd, clockRate: 1 }, joinOptions);
  }

  /**
   * Lets a player join now over a socket that may get a datagram path.
   * @param isForAll whether every player gets one
   */
  joinByPath(
    name: string,
    { network, isForAll = false, ...joinOptions }:
      & Omit<JoinOptions<Command, Sim>, "around">
      & { network: NetworkModel; isForAll?: boolean },
  ): Player<Command, Sim, PathLine> {
    const line = new PathLine({ model: network, random: this.random, clock: this.clock, isForAll });
    return this.#addPlayer(
      name,
      { link: line, serverEnd: line.serverEnd, clockRate: 1 },
      joinOptions,
    );
  }

  #addPlayer<PlayerLink extends SimulatedLink | LossyLink | PathLine>(
    name: string,
    { link, serverEnd, clockRate }: { link: PlayerLink; serverEnd: LocalLink; clockRate: number },
    { onArrival, peer, ...joinOptions }: Omit<JoinOptions<Command, Sim>, "around">,
  ): Player<Command, Sim, PlayerLink> {
    this.rooms.admit(link instanceof PathLine ? link.host : serverEnd, peer);
    const clock = { aheadMs: 0, now: () => this.#nowMs * clockRate + clock.aheadMs };
    const tappedLink: ClientLink = onArrival === undefined
      ? link
      : tapLink(link, { onReceived: onArrival });
    const { game } = this.#options;
    const bodyStream = bodyStreamSupport(joinOptions.game ?? game);
    const datagramSupport = (use: (Datagrams: typeof SessionDatagrams) => void) =>
      use(SessionDatagrams);
    const session = new Session({
      game,
      bodyStream,
      datagramSupport,
      link: tappedLink,
      clock,
      room: ROOM,
      name,
      ...joinOptions,
    });
    const player = { session, link, serverEnd, clockRate, clock };
    this.players.push(player);
    return player;
  }

  leave(player: Player<Command, Sim, SimulatedLink | LossyLink | PathLine>): void {
    player.session.close();
    this.players.splice(this.players.indexOf(player), 1);
  }

  /**
   * Stops the server's process for `ms`: its timers do not fire, and messages wait in its sockets.
   * When it goes on, its timers come first, and then its sockets are read. The server's own ticker
   * decides what becomes of the ticks.
   */
  stallServer(ms: number): void {
    this.#stalledUntilMs = Math.max(this.#stalledUntilMs ?? 0, this.#nowMs + ms);
    for (const { serverEnd } of this.players) serverEnd.pause();
  }

  /**
   * Ends a stall: the timers that came due meanwhile fire, and only then what waits in the sockets
   * is handled.
   */
  #resumeServer(): void {
    this.#stalledUntilMs = undefined;
    this.#eventLoop.fireTimers();
    for (const { serverEnd } of this.players) serverEnd.resume();
  }

  /** The server's own ticker, whose first tick is due at `#nextTickMs`. */
  #startTicker(): Ticker {
    const { game: { tickHz: hz } } = this.#options;
    const ticker = new Ticker({
      hz,
      scheduler: this.#eventLoop,
      onTick: (dueMs) => this.#tick(dueMs),
      onMidTick: () => this.rooms.announceEarly(),
      onDropped: (ticks) => void (this.#nextTickMs += ticks * this.#tickMs),
    });
    // A ticker's first tick is due one period after its start.
    const nowMs = this.#nowMs;
    this.#nowMs = this.#nextTickMs - this.#tickMs;
    ticker.start();
    this.#nowMs = nowMs;
    return ticker;
  }

  #tick(dueMs: number): void {
    this.rooms.tick(dueMs);
    this.#nextTickMs = dueMs + this.#tickMs;
    this.#onTick?.();
    this.#refreshDueTimes();
  }

  /** Lets virtual time pass. @param onTick called after each of the server's ticks */
  run(seconds: number, onTick?: () => void): void {
    const endMs = this.#nowMs + seconds * 1000;
    this.#onTick = onTick;
    this.#refreshDueTimes();
    while (true) {
      const dueMs = this.#nextDueMs();
      if (dueMs > endMs) break;
      this.#nowMs = Math.max(this.#nowMs, dueMs);
      if (this.#stalledUntilMs === undefined) this.#eventLoop.fireTimers();
      else if (this.#stalledUntilMs <= this.#nowMs) this.#resumeServer();
      for (let i = 0; i < this.players.length; i++) this.#advance(i);
    }
    this.#nowMs = endMs;
  }

  /**
   * When the server runs or ran a tick, ms on the lab's clock. The room must not have been empty
   * since its first tick.
   */
  tickDueMs(tick: Tick): number {
    return this.#nextTickMs + (tick - 1 - (this.match?.tick ?? 0)) * this.#tickMs;
  }

  /** The room's match; undefined before the first player joins. */
  get match(): Match<Command> | undefined {
    return this.rooms.matchOf(ROOM);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  #nextDueMs(): number {
    let dueMs = this.#stalledUntilMs ?? this.#eventLoop.nextDueMs;
    for (let i = 0; i < this.players.length; i++) {
      // A session that has just been advanced is never due at the same instant again.
      const { link, sleep } = this.players[i]!;
      const asleepUntilMs = sleep?.untilMs ?? 0;
      const sessionMs = Math.max(this.#sessionsDueMs[i]!, this.#nowMs + EPSILON_MS, asleepUntilMs);
      const linkMs = sleep === undefined || sleep.hearsMessages
        ? link.nextDueMs
        : Math.max(link.nextDueMs, asleepUntilMs);
      dueMs = Math.min(dueMs, linkMs, sessionMs);
    }
    return dueMs;
  }

  /** Recomputes all sessions' due times after an event that does not belong to one player. */
  #refreshDueTimes(): void {
    this.#sessionsDueMs = this.players.map(sessionDueMs);
  }

  /** Advances the player's link and session if either is due. */
  #advance(index: number): void {
    const player = this.players[index]!;
    const { link, session, sleep } = player;
    const hasArrivals = link.nextDueMs <= this.#nowMs;
    const isAsleep = sleep !== undefined && sleep.untilMs > this.#nowMs;
    if (isAsleep) return hasArrivals && sleep.hearsMessages ? link.advance(this.#nowMs) : undefined;
    if (!hasArrivals && this.#sessionsDueMs[index]! > this.#nowMs + EPSILON_MS) return;
    if (hasArrivals) link.advance(this.#nowMs);
    session.advance();
    this.#sessionsDueMs[index] = sessionDueMs(player);
  }

  /** The same game for the server, which records the hash of every state that the match saves. */
  #recordHashes(game: Game<Command, Sim>): Game<Command, Sim> {
    return {
      ...game,
      start: (options, seed) => {
        const simulation = game.start(options, seed);
        // The match starts before its twin.
        if (this.#options.checkTwin && this.serverSimulation !== undefined) return simulation;
        this.serverSimulation = simulation;
        const save = simulation.save.bind(simulation);
        simulation.save = (into) => {
          save(into);
          // The match may save the same tick more than once.
          if (this.definitiveHashes.has(simulation.tick)) return;
          this.definitiveHashes.set(simulation.tick, hashOfSnapshot(into));
          this.#options.onDefinitive?.(simulation, into);
        };
        return simulation;
      },
    };
  }
}

/**
 * The least time between two advances of one session, ms: far less than a browser clock's
 * resolution.
 */
const EPSILON_MS = 0.001;

/** When a session is due, on the lab's clock, ms. */
function sessionDueMs(
  { session, clockRate, clock }: {
    session: { nextDueMs: number };
    clockRate: number;
    clock?: { aheadMs: number };
  },
): number {
  return (session.nextDueMs - (clock?.aheadMs ?? 0)) / clockRate;
}
