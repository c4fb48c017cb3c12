/**
 * One bot on a server: the page's session without a screen, on its own connection, which can be
 * worsened. A timer replaces a page's frames. Like a page, it comes back to its seat after a lost
 * connection.
 */
import type { Game, Simulation, Tick } from "../../shared/netcode/game.ts";
import { type ClientLink, CUT } from "../../shared/netcode/link.ts";
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import type { NetworkModel } from "../../shared/netcode/simulated_network/network_model.ts";
import { SimulatedLink } from "../../shared/netcode/simulated_network/simulated_link.ts";
import type { Random } from "../../shared/random.ts";
import { openPathSession, openWholeSession } from "../net/datagram_session.ts";
import { joinedSocketUrl } from "../net/join.ts";
import { openNodeWebSocketLink } from "../net/node_websocket_link.ts";
import { openPathLink } from "../net/path_link.ts";
import { FINAL_CODES } from "../net/final_codes.ts";
import { Attempts } from "../net/retry_delay.ts";
import { Servers } from "../net/servers.ts";
import { SessionDatagrams } from "../session/datagrams/session_datagrams.ts";
import { bodyStreamSupport } from "../session/body_stream_client.ts";
import { Session } from "../session/session.ts";
import { addSessionStats, newSessionStats, type SessionStats } from "../session/session_stats.ts";
import type { BotPlayer } from "./npc_bot.ts";

export const clock = { now: () => performance.now() };

/** Sixty frames a second. */
export const FRAME_MS = 16;

/** Any game's simulation. A game with contacts counts those that began in its newest step. */
export type BotSimulation = Simulation<unknown> & { readonly contactsBegun?: number };

export interface BotOptions {
  readonly game: Game<unknown, BotSimulation>;
  readonly newBot: (seed: number) => BotPlayer<unknown>;
  readonly network: NetworkModel;
  /** The server's address, ws: or wss:. */
  readonly url: string;
  readonly room: string;
  readonly stream: "commands" | "state";
  /** What carries the messages; by default a WebSocket. */
  readonly transport?: "websocket" | "webtransport" | "auto";
}

/** One bot, its connection, and the timer that drives it. */
export class BotClient {
  readonly #options: BotOptions;
  readonly #name: string;
  readonly #random: Random;
  readonly #attempts = new Attempts();
  /** The nodes that it heard of, one of which runs its match. */
  readonly #servers: Servers;
  #session!: Session<unknown, BotSimulation>;
  #link!: SimulatedLink;
  /** The token for its seat, from the newest welcome. */
  #resume: ResumeToken | undefined;
  #hasPlayed = false;
  /** The counts from earlier sessions. */
  readonly #past = newSessionStats();
  /** How many contacts between entities began, counted when their tick is first simulated. */
  contacts = 0;
  /** How often it came back into a match after a lost connection. */
  returns = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #newestTick: Tick = 0;
  /** Why it stopped playing; undefined while it plays, or tries to. */
  error: string | undefined;

  /** @param index counts from 0; the bot's name counts from 1 */
  constructor(options: BotOptions, index: number, random: Random) {
    this.#options = options;
    this.#name = `bot ${index + 1}`;
    this.#random = random;
    this.#servers = new Servers(options.url.replace("ws", "http").replace(/\/$/, ""));
    this.#join();
    this.#drive();
  }

  /** The newest session. */
  get session(): Session<unknown, BotSimulation> {
    return this.#session;
  }

  get isPlaying(): boolean {
    const { phase, seat, poses } = this.#session;
    return phase === "playing" && poses.head.findBySeat(seat) !== undefined;
  }

  get isClosed(): boolean {
    return this.#session.phase === "closed";
  }

  /** How its last connection ended, in words; empty if none did. */
  get lastEnd(): string {
    const { closeCode, closeReason } = this.#session;
    return this.isClosed ? `closed: ${closeCode} ${closeReason}` : "";
  }

  /** The counts from all its sessions together. */
  get stats(): SessionStats {
    const sum = { ...this.#past };
    addSessionStats(sum, this.#session.stats);
    return sum;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (!this.isClosed) this.#session.close();
  }

  #join(): void {
    const { game, newBot, network, room, stream } = this.#options;

    // A new bot, because its press counters belong to one connection.
    const bot = newBot(this.#random.bits());

    this.#attempts.begin(clock.now());

    // A session over a simulated network
    const link = this.#link = new SimulatedLink(this.#openLink(), {
      model: network,
      seed: this.#random.bits(),
      clock,
    });
    this.#session = new Session({
      game,
      bodyStream: bodyStreamSupport(game),
      startOnBodyStream: stream === "state",
      link,
      clock,
      datagramSupport: (use) => use(SessionDatagrams),
      room,
      name: this.#name,
      commandSource: bot,
      patience: this.#attempts.patience,
      resume: this.#resume,
      onEvents: () => this.#countContacts(),
    });
    bot.attach(this.#session);
  }

  #openLink(): ClientLink {
    const { game, room, transport = "websocket" } = this.#options;
    const joinRequest = {
      gameId: game.id,
      room,
      name: this.#name,
      spectate: false,
      resume: this.#resume,
    };
    if (transport === "webtransport") return openWholeSession(this.#servers, joinRequest);
    const request = new AbortController();
    const socketUrl = joinedSocketUrl(this.#servers, { ...joinRequest, signal: request.signal });
    const socket = openNodeWebSocketLink(socketUrl, request);
    return transport === "auto"
      ? openPathLink(socket, (offer) => openPathSession(socketUrl, offer))
      : socket;
  }

  #countContacts(): void {
    const { tick, contactsBegun = 0 } = this.#session.simulation!;
    if (tick > this.#newestTick) this.contacts += contactsBegun;
    this.#newestTick = Math.max(this.#newestTick, tick);
  }

  #drive(): void {
    if (this.#stopped) return;
    try {
      this.#advance();
    } catch (error) {
      this.error ??= String(error);
      this.#session.close();
    }
    if (this.error !== undefined) return;
    // As often as a page draws, or sooner if something is due.
    const dueMs = Math.min(this.#attempts.dueMs, this.#link.nextDueMs, this.#session.nextDueMs);
    this.#timer = setTimeout(
      () => this.#drive(),
      Math.min(FRAME_MS, Math.max(0, Math.ceil(dueMs - clock.now()))),
    );
  }

  #advance(): void {
    if (clock.now() >= this.#attempts.dueMs) this.#join();
    this.#link.advance(clock.now());
    const session = this.#session;
    session.advance();
    this.#resume = session.resume ?? this.#resume;
    if (session.phase === "playing") this.#onPlaying();
    if (session.phase === "closed" && this.#attempts.dueMs === Infinity) this.#onClosed(session);
  }

  #onPlaying(): void {
    if (this.#hasPlayed && this.#attempts.failed > 0) this.returns++;
    this.#hasPlayed = true;
    this.#attempts.succeeded();
  }

  #onClosed({ closeCode, closeReason, endedIn, stats }: Session<unknown, BotSimulation>): void {
    // If no server listens, more attempts would only delay the message.
    const isNoServer = !this.#hasPlayed && endedIn === "address" && closeReason !== "" &&
      closeCode === CUT;
    if (isNoServer || FINAL_CODES.has(closeCode)) {
      this.error ??= this.lastEnd;
      return;
    }
    addSessionStats(this.#past, stats);
    Object.assign(stats, newSessionStats());
    this.#attempts.ended(clock.now(), { closeCode, random: this.#random.fraction(), endedIn });
  }
}
