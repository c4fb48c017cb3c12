/**
 * One session's datagrams: its path, if its link supports one, and what arrives. Pages load this
 * file with all that it imports when a server first offers datagrams
 * (`client/ui/script_loader.ts`).
 */
import type { ClientLink } from "../../../shared/netcode/link.ts";
import type { Game, Tick } from "../../../shared/netcode/game.ts";
import { DatagramEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import type {
  CommandsMessage,
  Offer,
  ServerMessage,
} from "../../../shared/netcode/wire/messages.ts";
import { DatagramSender } from "./datagram_sender.ts";
import { newDatagramStats } from "./datagram_stats.ts";
import { DownlinkMeter } from "./downlink_meter.ts";
import { PathKeeper, type PathReport } from "./path_keeper.ts";

interface SessionDatagramsOptions<Command> {
  readonly game: Pick<Game<Command>, "command" | "tickHz">;
  /** Registers a ping that is sent now. @returns its id */
  readonly newPing: () => number;
  /** Sends a datagram by whichever way is in use. */
  readonly send: (message: CommandsMessage<Command>) => void;
  /** Says by the reliable channel that this client is back. */
  readonly sendBack: () => void;
}

export class SessionDatagrams<Command> {
  readonly sender: DatagramSender<Command>;
  readonly stats = newDatagramStats();
  readonly #game: Pick<Game<Command>, "command">;
  #encoder: DatagramEncoder<Command>;
  /** Undefined for a link that cannot have a path. */
  readonly #keeper: PathKeeper | undefined;
  readonly #downlink: DownlinkMeter;

  constructor(
    { path }: ClientLink,
    { game, newPing, send, sendBack }: SessionDatagramsOptions<Command>,
  ) {
    this.#game = game;
    this.#encoder = new DatagramEncoder(game.command);
    this.sender = new DatagramSender({ tickMs: 1000 / game.tickHz, stats: this.stats, send });
    this.#downlink = new DownlinkMeter(this.stats);
    this.#keeper = path && new PathKeeper(path, {
      sendPing: () => path.send(this.#encoder.encode({ type: "ping", id: newPing() })),
      onUse: () => this.#beginPath(),
      sendBack: () => {
        this.sender.reset(); // cancels pending copies
        sendBack();
      },
    });
  }

  /** The encoder for the link's datagrams, or for its newest path. */
  get encoder(): DatagramEncoder<Command> {
    return this.#encoder;
  }

  /**
   * Begins anew, because what was sent or measured before does not count on another path; the
   * server's end does the same.
   */
  #beginPath(): void {
    this.#encoder = new DatagramEncoder(this.#game.command);
    this.sender.reset();
    this.#downlink.reset();
  }

  /** Which way messages take, and why; undefined if the link offers only one. */
  get report(): PathReport | undefined {
    return this.#keeper?.report;
  }

  get nextDueMs(): number {
    return Math.min(this.#keeper?.nextDueMs ?? Infinity, this.sender.nextRepeatMs);
  }

  /**
   * Does what is due.
   * @param announcedTick the newest tick with an announced command from this client
   */
  advance(nowMs: number, announcedTick: Tick): void {
    this.#keeper?.advance(nowMs, announcedTick);
  }

  onOffer(offer: Offer, socket: { readonly nowMs: number; readonly roundTripMs: number }): void {
    this.#keeper?.onOffer(offer, socket);
  }

  /**
   * Registers an arrived message.
   * @param arrival.reliably whether it came by the reliable channel
   */
  onArrival(
    message: ServerMessage<unknown>,
    { nowMs, reliably }: { nowMs: number; reliably: boolean },
  ): void {
    if (message.type === "tick" && message.state !== undefined) this.#downlink.state(message.tick);
    if (reliably) return;
    if (message.type === "ticks") {
      const { ticks, arrivals } = message;
      this.#downlink.datagram(ticks[0]!.tick, ticks.at(-1)!.tick);
      if (arrivals !== undefined) this.sender.acknowledge(arrivals, ticks[0]!.slackMs);
    }
    this.#keeper?.onDatagram(nowMs, message.type === "pong");
  }
}
