/** The datagrams of one session: its path, if its link may have one, and what became of the datagrams that came. */
import type { ClientLink } from "../../shared/netcode/link.ts";
import type { Tick } from "../../shared/netcode/game.ts";
import type { Offer, Ping, ServerMessage } from "../../shared/netcode/wire/messages.ts";
import { DatagramStats } from "./datagram_stats.ts";
import { PathKeeper, type PathReport } from "./path_keeper.ts";

interface SessionDatagramsOptions {
  /** @returns the id of a ping that is sent now */
  readonly newPing: () => number;
  /** @returns the ping as a datagram, valid until the next call */
  readonly encodePing: (ping: Ping) => Uint8Array;
  /** Says by the reliable channel that this client is back. */
  readonly sendBack: () => void;
}

export class SessionDatagrams {
  readonly #link: ClientLink;
  /** Undefined for a link that cannot have a path. */
  readonly #keeper: PathKeeper | undefined;
  readonly stats = new DatagramStats();

  constructor(link: ClientLink, { newPing, encodePing, sendBack }: SessionDatagramsOptions) {
    const { path } = link;
    this.#link = link;
    this.#keeper = path && new PathKeeper(path, {
      sendPing: () => path.send(encodePing({ type: "ping", id: newPing() })),
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

  /** A message was given to the link's `send`. */
  onSent({ type }: { readonly type: string }): void {
    if (type === "ping" && !this.#link.ordered) this.stats.pings++;
  }

  /** A datagram has arrived. @param received the newest tick up to which the client had all before it */
  onDatagram(message: ServerMessage<unknown>, { nowMs, received }: { nowMs: number; received: Tick }): void {
    if (message.type === "pong") {
      if (!this.#link.ordered) this.stats.pongs++;
      this.#keeper?.onDatagram(nowMs, true);
    } else if (message.type === "ticks") {
      const first = message.ticks[0]!.tick;
      this.stats.onTicks(first, { newest: message.ticks.at(-1)!.tick, received });
      this.#keeper?.onDatagram(nowMs, false);
    }
  }
}
