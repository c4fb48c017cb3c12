/**
 * The datagrams of one session: its path, if its link may have one, and what becomes of the datagrams that come. Pages
 * load this file with all that it imports when a server first offers datagrams (`client/ui/datagram_loader.ts`).
 */
import type { ClientLink } from "../../../shared/netcode/link.ts";
import type { Codec, Tick } from "../../../shared/netcode/game.ts";
import { DatagramEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import type { Offer, ServerMessage } from "../../../shared/netcode/wire/messages.ts";
import { DownlinkMeter } from "./downlink_meter.ts";
import { PathKeeper, type PathReport } from "./path_keeper.ts";
import type { SessionStats } from "../session_stats.ts";

interface SessionDatagramsOptions<Command> {
  readonly codec: Codec<Command>;
  readonly stats: SessionStats;
  /** @returns the id of a ping that is sent now */
  readonly newPing: () => number;
  /** Says by the reliable channel that this client is back. */
  readonly sendBack: () => void;
}

export class SessionDatagrams<Command> {
  readonly encoder: DatagramEncoder<Command>;
  /** Undefined for a link that cannot have a path. */
  readonly #keeper: PathKeeper | undefined;
  readonly #downlink: DownlinkMeter;

  constructor({ path }: ClientLink, { codec, stats, newPing, sendBack }: SessionDatagramsOptions<Command>) {
    this.encoder = new DatagramEncoder(codec);
    this.#downlink = new DownlinkMeter(stats);
    this.#keeper = path && new PathKeeper(path, {
      sendPing: () => path.send(this.encoder.encode({ type: "ping", id: newPing() })),
      onUse: () => this.#downlink.reset(),
      sendBack,
    });
  }

  /** Which way messages take, and why; undefined for a link that has one way alone. */
  get report(): PathReport | undefined {
    return this.#keeper?.report;
  }

  get nextDueMs(): number {
    return this.#keeper?.nextDueMs ?? Infinity;
  }

  /** Does what is due. @param announcedTick the newest tick for which a command of this client has been announced */
  advance(nowMs: number, announcedTick: Tick): void {
    this.#keeper?.advance(nowMs, announcedTick);
  }

  onOffer(offer: Offer, socket: { readonly nowMs: number; readonly roundTripMs: number }): void {
    this.#keeper?.onOffer(offer, socket);
  }

  /** A message has arrived. @param arrival.reliably whether by the reliable channel */
  onArrival(message: ServerMessage<unknown>, { nowMs, reliably }: { nowMs: number; reliably: boolean }): void {
    if (message.type === "tick" && message.state !== undefined) this.#downlink.state(message.tick);
    if (reliably) return;
    if (message.type === "ticks") this.#downlink.datagram(message.ticks[0]!.tick, message.ticks.at(-1)!.tick);
    this.#keeper?.onDatagram(nowMs, message.type === "pong");
  }
}
