/**
 * One bot on a server: the page's session without a screen, on a connection of its own that can be worsened. A timer
 * replaces a page's frames.
 */
import type { Game, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { NetworkModel } from "../../shared/netcode/simulated_network/network_model.ts";
import { SimulatedLink } from "../../shared/netcode/simulated_network/simulated_link.ts";
import type { Random } from "../../shared/random.ts";
import { openPathSession, openWholeSession } from "../net/datagram_session.ts";
import { joinedSocketUrl } from "../net/join.ts";
import { openNodeWebSocketLink } from "../net/node_websocket_link.ts";
import { openPathLink } from "../net/path_link.ts";
import { SessionDatagrams } from "../session/datagrams/session_datagrams.ts";
import { bodyStreamSupport } from "../session/body_stream_client.ts";
import { Session } from "../session/session.ts";
import type { BotPlayer } from "./npc_bot.ts";

export const clock = { now: () => performance.now() };

/** Sixty frames a second. */
export const FRAME_MS = 16;

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
  readonly session: Session<unknown, BotSimulation>;
  /** Contacts between entities that began, counted at the first simulation of their tick. */
  contacts = 0;
  readonly #link: SimulatedLink;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #newestTick: Tick = 0;
  error: string | undefined;

  /** @param index from 0; the bot's name is one more */
  constructor(
    { game, newBot, network, url, room, stream, transport = "websocket" }: BotOptions,
    index: number,
    random: Random,
  ) {
    const name = `bot ${index + 1}`, server = url.replace("ws", "http").replace(/\/$/, "");
    const wish = { gameId: game.id, room, name, spectate: false };
    const openSocket = () => {
      const socketUrl = joinedSocketUrl(server, wish), socket = openNodeWebSocketLink(socketUrl);
      return transport === "auto" ? openPathLink(socket, (offer) => openPathSession(socketUrl, offer)) : socket;
    };
    const link = transport === "webtransport" ? openWholeSession(server, wish) : openSocket();
    this.#link = new SimulatedLink(link, { model: network, seed: random.bits(), clock });
    const bot = newBot(random.bits());
    this.session = new Session({
      game,
      bodyStream: bodyStreamSupport(game),
      startOnBodyStream: stream === "state",
      link: this.#link,
      clock,
      datagramSupport: (use) => use(SessionDatagrams),
      room,
      name,
      commandSource: bot,
      onEvents: () => this.#countContacts(),
    });
    bot.attach(this.session);
    this.#drive();
  }

  get isPlaying(): boolean {
    const { phase, seat, poses } = this.session;
    return phase === "playing" && poses.head.findBySeat(seat) !== undefined;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    if (this.session.phase !== "closed") this.session.close();
  }

  #countContacts(): void {
    const { tick, contactsBegun = 0 } = this.session.simulation!;
    if (tick > this.#newestTick) this.contacts += contactsBegun;
    this.#newestTick = Math.max(this.#newestTick, tick);
  }

  #drive(): void {
    if (this.#stopped) return;
    try {
      this.#link.advance(clock.now());
      this.session.advance();
    } catch (error) {
      this.error ??= String(error);
      this.session.close();
    }
    if (this.session.phase === "closed") {
      this.error ??= `closed: ${this.session.closeCode} ${this.session.closeReason}`;
      return;
    }
    // As often as a page draws, and sooner if something is due.
    const waitMs = Math.min(this.#link.nextDueMs, this.session.nextDueMs) - clock.now();
    this.#timer = setTimeout(() => this.#drive(), Math.min(FRAME_MS, Math.max(0, Math.ceil(waitMs))));
  }
}
