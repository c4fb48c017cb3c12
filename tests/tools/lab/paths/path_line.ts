/**
 * A socket that may get a datagram path, over one network in virtual time: the real links at both
 * ends, and between them two simulated connections. UDP can be blocked from the start, and cut
 * during play.
 */
import { openPathLink } from "../../../../client/net/path_link.ts";
import type { LinkEnd } from "../../../../server/links/server_link.ts";
import { PathLink as HostPathLink } from "../../../../server/links/path_link.ts";
import type { ClientLink, Clock, Link, MessageHandler } from "../../../../shared/netcode/link.ts";
import { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";
import type { NetworkModel } from "../../../../shared/netcode/simulated_network/network_model.ts";
import { SimulatedLink } from "../../../../shared/netcode/simulated_network/simulated_link.ts";
import type { Random } from "../../../../shared/random.ts";

/** The rest of a server's link. In virtual time promises do not resolve. */
const HOSTED = { closed: new Promise<LinkEnd>(() => {}), transport: "websocket" } as const;

/** The client's end of a connection that loses datagrams in a cut direction. */
class CutLink implements Link {
  readonly ordered = false;
  readonly #inner: Link;
  readonly #cut: PathLine["cut"];

  constructor(inner: Link, cut: PathLine["cut"]) {
    this.#inner = inner;
    this.#cut = cut;
  }

  send(message: Uint8Array): void {
    if (!this.#cut.up) this.#inner.send(message);
  }

  sendReliably(message: Uint8Array): void {
    this.#inner.sendReliably(message);
  }

  onMessage(handler: MessageHandler): void {
    this.#inner.onMessage((message, reliably) =>
      this.#cut.down && !reliably ? undefined : handler(message, reliably)
    );
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#inner.onClose(handler);
  }

  close(code: number, reason: string): void {
    this.#inner.close(code, reason);
  }

  /** A session that does not open keeps its first message. */
  get bufferedBytes(): number {
    return this.#cut.up && this.#cut.down ? 1 : 0;
  }
}

interface PathLineOptions {
  readonly model: NetworkModel;
  readonly random: Random;
  readonly clock: Clock;
  readonly isForAll: boolean;
}

export class PathLine implements ClientLink {
  readonly serverEnd: LocalLink;
  /** The server's link. */
  readonly host: HostPathLink;
  /** The directions in which UDP delivers nothing. */
  readonly cut = { up: false, down: false };
  /** Offers that the server has made. */
  offers = 0;
  readonly #client: ClientLink;
  readonly #socket: SimulatedLink;
  #session: SimulatedLink | undefined;
  /** The server's end of the newest session. */
  sessionEnd: LocalLink | undefined;

  constructor({ model, random, clock, isForAll }: PathLineOptions) {
    const [clientEnd, serverEnd] = LocalLink.pair();
    this.serverEnd = serverEnd;
    this.#socket = new SimulatedLink(clientEnd, { model, seed: random.bits(), clock });
    this.host = new HostPathLink(Object.assign(serverEnd, HOSTED), {
      isForAll,
      offerTo: () => ({ port: 1, token: String(this.offers++).padStart(32, "0") }),
    });
    this.#client = openPathLink(this.#socket, () => {
      const [near, far] = LocalLink.pair({ ordered: false });
      this.sessionEnd = far;
      this.#session = new SimulatedLink(near, { model, seed: random.bits(), clock });
      if (!this.cut.up) this.host.attach(Object.assign(far, HOSTED));
      return new CutLink(this.#session, this.cut);
    });
  }

  get path(): ClientLink["path"] {
    return this.#client.path;
  }

  get ordered(): boolean {
    return this.#client.ordered;
  }

  get bufferedBytes(): number {
    return this.#client.bufferedBytes;
  }

  send(message: Uint8Array): void {
    this.#client.send(message);
  }

  sendReliably(message: Uint8Array): void {
    this.#client.sendReliably(message);
  }

  onMessage(handler: MessageHandler): void {
    this.#client.onMessage(handler);
  }

  onClose(handler: (code: number, reason: string) => void): void {
    this.#client.onClose(handler);
  }

  close(code: number, reason: string): void {
    this.#client.close(code, reason);
  }

  get nextDueMs(): number {
    return Math.min(this.#socket.nextDueMs, this.#session?.nextDueMs ?? Infinity);
  }

  advance(nowMs: number): void {
    this.#socket.advance(nowMs);
    this.#session?.advance(nowMs);
  }
}
