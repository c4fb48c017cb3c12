/**
 * One bot on a server: the page's session without a screen, on a connection of its own that can be worsened. A timer
 * replaces a page's frames. After a lost connection it comes back to its seat, as a page does.
 */
import type { Game, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { Link } from "../../shared/netcode/link.ts";
import type { NetworkModel } from "../../shared/netcode/simulated_network/network_model.ts";
import { SimulatedLink } from "../../shared/netcode/simulated_network/simulated_link.ts";
import type { Random } from "../../shared/random.ts";
import { openPathSession, openWholeSession } from "../net/datagram_session.ts";
import { joinedSocketUrl } from "../net/join.ts";
import { FINAL_CODES, retryDelayMs } from "../net/retry_delay.ts";
import { Servers } from "../net/servers.ts";
import { openNodeWebSocketLink } from "../net/node_websocket_link.ts";
import { openPathLink } from "../net/path_link.ts";
import { SessionDatagrams } from "../session/datagrams/session_datagrams.ts";
import { bodyStreamSupport } from "../session/body_stream_client.ts";
import { Session } from "../session/session.ts";
import { addSessionStats, newSessionStats, type SessionStats } from "../session/session_stats.ts";
import type { BotPlayer } from "./npc_bot.ts";

export const clock = { now: () => performance.now() };

/** Sixty frames a second. */
export const FRAME_MS = 16;

/** No answer came (RFC 6455 §7.4.1). */
const NO_ANSWER = 1006;

/** The simulation of any game. A game with contacts counts those that began in its newest step. */
export type BotSimulation = Simulation<unknown> & { readonly contactsBegun?: number };

export interface BotOptions {
  readonly game: Game<unknown, BotSimulation>;
  readonly newBot: (seed: number) => BotPlayer<unknown>;
  readonly network: NetworkModel;
  /** The server's address, ws: or wss:. */
  readonly url: string;
  readonly room: string;
  readonly stream: "commands" | "state";
  /** The carrier of the messages; by default a WebSocket. */
  readonly transport?: "websocket" | "webtransport" | "auto";
}

/** One bot, its connection, and the timer that drives it. */
export class BotClient {
  readonly #options: BotOptions;
  readonly #name: string;
  readonly #random: Random;
  readonly #servers: Servers;
  #session!: Session<unknown, BotSimulation>;
  #link!: SimulatedLink;
  /** Contacts between entities that began, counted at the first simulation of their tick. */
  contacts = 0;
  /** How often it was in a match again after a lost connection. */
  returns = 0;
  /** Why it comes no more. */
  error: string | undefined;
  /** The counters of its earlier sessions. */
  readonly #earlier = newSessionStats();
  /** The token of the newest welcome. */
  #resume: string | undefined;
  #wasJoined = false;
  /** Attempts since it was last in a match. */
  #failedAttempts = 0;
  /** When it joins again; Infinity while it is there, or joins. */
  #retryAtMs = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #newestTick: Tick = 0;

  /** @param index from 0; the bot's name is one more */
  constructor(options: BotOptions, index: number, random: Random) {
    this.#options = options;
    this.#name = `bot ${index + 1}`;
    this.#random = random;
    this.#servers = new Servers(options.url.replace("ws", "http").replace(/\/$/, ""));
    this.#join();
    this.#drive();
  }

  /** The newest one. */
  get session(): Session<unknown, BotSimulation> {
    return this.#session;
  }

  /** The counters of all its sessions together. */
  get stats(): SessionStats {
    const sum = newSessionStats();
    addSessionStats(sum, this.#earlier);
    addSessionStats(sum, this.#session.stats);
    return sum;
  }

  get isPlaying(): boolean {
    const { phase, seat, poses } = this.#session;
    return phase === "playing" && poses.head.findBySeat(seat) !== undefined;
  }

  /** Why it is in no match; undefined if it is. */
  get fault(): string | undefined {
    const { phase, closeCode, closeReason } = this.#session;
    if (this.error !== undefined || phase === "playing") return this.error;
    return phase === "closed" ? `closed: ${closeCode} ${closeReason}` : "no answer yet";
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (this.#session.phase !== "closed") this.#session.close();
  }

  #join(): void {
    const { game, newBot, network, room, stream } = this.#options;
    this.#retryAtMs = Infinity;
    this.#newestTick = 0;
    this.#link = new SimulatedLink(this.#openLink(), { model: network, seed: this.#random.bits(), clock });
    const bot = newBot(this.#random.bits());
    this.#session = new Session({
      game,
      bodyStream: bodyStreamSupport(game),
      startOnBodyStream: stream === "state",
      link: this.#link,
      clock,
      datagramSupport: (use) => use(SessionDatagrams),
      room,
      name: this.#name,
      resume: this.#resume,
      commandSource: bot,
      onEvents: () => this.#countContacts(),
    });
    bot.attach(this.#session);
  }

  #openLink(): Link {
    const { game, room, transport = "websocket" } = this.#options;
    const wish = { gameId: game.id, room, name: this.#name, spectate: false, resume: this.#resume };
    if (transport === "webtransport") return openWholeSession(this.#servers, wish);
    const socketUrl = joinedSocketUrl(this.#servers, wish);
    const socket = openNodeWebSocketLink(socketUrl);
    return transport === "auto" ? openPathLink(socket, (offer) => openPathSession(socketUrl, offer)) : socket;
  }

  #countContacts(): void {
    const { tick, contactsBegun = 0 } = this.#session.simulation!;
    if (tick > this.#newestTick) this.contacts += contactsBegun;
    this.#newestTick = Math.max(this.#newestTick, tick);
  }

  #drive(): void {
    if (this.#stopped) return;
    if (clock.now() >= this.#retryAtMs) {
      addSessionStats(this.#earlier, this.#session.stats);
      this.#join();
    }
    try {
      this.#link.advance(clock.now());
      this.#session.advance();
    } catch (error) {
      this.error ??= String(error);
      this.#session.close();
    }

    const { phase, resume } = this.#session;
    this.#resume = resume ?? this.#resume;
    if (phase === "playing") this.#onPlaying();
    if (phase === "closed" && this.#retryAtMs === Infinity) this.#onClosed();
    if (this.error !== undefined) return;

    // As often as a page draws, and sooner if something is due.
    const dueMs = phase === "closed" ? this.#retryAtMs : Math.min(this.#link.nextDueMs, this.#session.nextDueMs);
    this.#timer = setTimeout(() => this.#drive(), Math.min(FRAME_MS, Math.max(0, Math.ceil(dueMs - clock.now()))));
  }

  #onPlaying(): void {
    if (this.#wasJoined && this.#failedAttempts > 0) this.returns++;
    this.#wasJoined = true;
    this.#failedAttempts = 0;
  }

  #onClosed(): void {
    const { closeCode, closeReason } = this.#session;
    // Nobody answers at a mistyped address: that shows at once.
    const hasNoServer = !this.#wasJoined && this.#failedAttempts === 0 && closeCode === NO_ANSWER;
    if (FINAL_CODES.has(closeCode) || hasNoServer) {
      this.error ??= `closed: ${closeCode} ${closeReason}`;
      return;
    }
    const random = this.#random.fraction();
    this.#retryAtMs = clock.now() + retryDelayMs(this.#failedAttempts++, { closeCode, random });
  }
}
