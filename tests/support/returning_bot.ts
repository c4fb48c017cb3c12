/**
 * A bot that comes back by itself, as the page does: with a ticket, the token of its seat, and the
 * page's waits. It remembers the hash of every tick that it has seen proven, and the connection by
 * which it had it.
 */
import type { DragonCommand, DragonSimulation } from "../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { Bot } from "../../client/games/dragons/bot.ts";
import { joinedSocketUrl } from "../../client/net/join.ts";
import { openNodeWebSocketLink } from "../../client/net/node_websocket_link.ts";
import { Attempts } from "../../client/net/retry_delay.ts";
import type { Servers } from "../../client/net/servers.ts";
import { Session } from "../../client/session/session.ts";
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import type { Link } from "../../shared/netcode/link.ts";
import type { NetworkModel } from "../../shared/netcode/simulated_network/network_model.ts";
import { SimulatedLink } from "../../shared/netcode/simulated_network/simulated_link.ts";
import { Random } from "../../shared/random.ts";

/** It advances as often as a page draws, and sooner if something is due. */
const FRAME_MS = 16;
/** Ticks whose hashes a session still knows. */
const PROVEN_TICKS_MAX = 30;
/** Arrivals of ticks that are remembered: minutes. */
const ARRIVALS_MAX = 4_096;
const clock = { now: () => performance.now() };

export interface ReturningBotOptions {
  readonly name: string;
  readonly seed: number;
  readonly room: string;
  /** Several machines that share the matches. The bot asks them for a ticket, as the page does. */
  readonly servers?: Servers;
  /** The network of its line; by default that of this machine. */
  readonly network?: NetworkModel;
}

/** A tick of which a bot knows the server's hash, and has the same itself. */
export interface ProvenTick {
  readonly hash: number;
  /** When the bot had it, ms on the clock of `performance.now`. */
  readonly atMs: number;
}

/** One connection of a bot to a server. */
export interface BotConnection {
  /**
   * The socket's address, and when the bot got it with its ticket, ms on the clock of
   * `performance.now`.
   */
  socket: { readonly url: URL; readonly atMs: number } | undefined;
  readonly ticks: Map<Tick, ProvenTick>;
  /** The newest definitive tick; −1 before the first. */
  newestTick: Tick;
}

export class ReturningBot {
  readonly #url: string;
  readonly #options: ReturningBotOptions;
  readonly #random: Random;
  #session!: Session<DragonCommand, DragonSimulation>;
  #simulated: SimulatedLink | undefined;
  readonly #attempts = new Attempts();
  /** The token of the newest welcome, and the one with which it has last played. */
  #resume: string | undefined;
  #playedToken: string | undefined;
  /** When a new definitive tick came, ms, of the newest ones. */
  readonly #arrivalsMs: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #waiting = new Set<{ condition: () => boolean; resolve: () => void }>();
  /** The seat of each connection that has led into a match. */
  readonly seats: SeatId[] = [];
  /** The oldest first. */
  readonly connections: BotConnection[] = [];
  /** The newest definitive tick of all its connections. */
  newestTick: Tick = -1;
  desyncs = 0;

  /** Joins a room. @param url http://… of the server */
  constructor(url: string, options: ReturningBotOptions) {
    this.#url = url;
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#join();
    this.#advance();
  }

  get session(): Session<DragonCommand, DragonSimulation> {
    return this.#session;
  }

  /**
   * By tick: the hash on which this client and the server agreed, in the connection that had the
   * tick first.
   */
  get hashes(): Map<Tick, number> {
    const hashes = new Map<Tick, number>();
    for (const { ticks } of this.connections) {
      for (const [tick, { hash }] of ticks) if (!hashes.has(tick)) hashes.set(tick, hash);
    }
    return hashes;
  }

  /** Whether its dragon is in the game. */
  get isPlaying(): boolean {
    const { phase, simulation, seat } = this.#session;
    return phase === "playing" && simulation?.world.player(seat) !== undefined;
  }

  /**
   * The longest time without a new definitive tick since a moment, ms: what a player sees of a
   * fault.
   */
  longestGapMs(sinceMs: number): number {
    const times = [sinceMs, ...this.#arrivalsMs.filter((ms) => ms > sinceMs), clock.now()];
    return Math.max(...times.slice(1).map((ms, i) => ms - times[i]!));
  }

  #noteArrival(): void {
    this.#arrivalsMs.push(clock.now());
    if (this.#arrivalsMs.length > ARRIVALS_MAX) this.#arrivalsMs.splice(0, ARRIVALS_MAX / 2);
  }

  /** Resolves when the condition holds. It is evaluated every frame. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => this.#waiting.add({ condition, resolve }));
  }

  /**
   * Resolves when its dragon has been in the game for so many definitive ticks. For so long its
   * seat is kept (SPEC 3.3). On a busy machine a match has run for seconds before its first player
   * is in.
   */
  untilPlayed(ticks: number): Promise<void> {
    let since: Tick | undefined;
    return this.until(() => {
      if (!this.isPlaying) return false;
      since ??= this.#session.head;
      return this.newestTick > since + ticks;
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    if (this.#session.phase !== "closed") this.#session.close();
  }

  #join(): void {
    this.#attempts.begin(clock.now());
    const { name, seed, room } = this.#options;
    const bot = new Bot(seed);
    const link = this.#openLink();
    const joining = {
      game: dragonGame,
      link,
      clock,
      room,
      name,
      commandSource: bot,
      resume: this.#resume,
    };
    this.#session = new Session(joining);
    bot.attach(this.#session);
  }

  #openLink(): Link {
    const { name, room, servers, network } = this.#options;
    const gameId = dragonGame.id;
    const resume = this.#resume;
    const request = new AbortController();
    const { signal } = request;
    const joinRequest = { gameId, room, name, spectate: false, resume, signal };
    const connection: BotConnection = { socket: undefined, ticks: new Map(), newestTick: -1 };
    this.connections.push(connection);
    const url = joinedSocketUrl(servers ?? new URL(this.#url).origin, joinRequest).then((text) => {
      connection.socket = { url: new URL(text), atMs: clock.now() };
      return text;
    });
    const link = openNodeWebSocketLink(url, request);
    if (network === undefined) return link;
    return this.#simulated = new SimulatedLink(link, {
      model: network,
      seed: this.#random.bits(),
      clock,
    });
  }

  #advance(): void {
    const session = this.#session;
    this.#simulated?.advance(clock.now());
    session.advance();
    this.#resume = session.resume ?? this.#resume;
    if (session.phase === "playing") this.#onPlaying();

    if (session.phase === "closed" && this.#attempts.dueMs === Infinity) {
      this.#attempts.ended(clock.now(), {
        closeCode: session.closeCode,
        random: this.#random.fraction(),
      });
      this.desyncs += session.stats.desyncs;
    }

    if (clock.now() >= this.#attempts.dueMs) this.#join();
    for (const waiting of this.#waiting) {
      if (!waiting.condition()) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }

    const dueMs = Math.min(
      this.#attempts.dueMs,
      this.#session.nextDueMs,
      this.#simulated?.nextDueMs ?? Infinity,
    );
    this.#timer = setTimeout(
      () => this.#advance(),
      Math.min(FRAME_MS, Math.max(1, dueMs - clock.now())),
    );
  }

  #onPlaying(): void {
    const session = this.#session;
    const { seat, resume, definitiveTick } = session;
    if (this.#playedToken !== resume) this.seats.push(seat);
    this.#playedToken = resume;
    this.#attempts.succeeded();
    const { ticks, newestTick } = this.connections.at(-1)!;
    const atMs = clock.now();

    for (
      let tick = Math.max(newestTick + 1, definitiveTick - PROVEN_TICKS_MAX);
      tick <= definitiveTick;
      tick++
    ) {
      const hash = session.provenHash(tick);
      if (hash !== undefined) ticks.set(tick, { hash, atMs });
    }

    this.connections.at(-1)!.newestTick = Math.max(newestTick, definitiveTick);
    if (definitiveTick > this.newestTick) this.#noteArrival();
    this.newestTick = Math.max(this.newestTick, definitiveTick);
  }
}
