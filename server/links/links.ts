/**
 * All open links of one server, whatever carries them. They share the numbers by which the log
 * names links, the limits of messages, and the way they end. A link that breaks a limit is closed
 * alone.
 */
import type { Rate } from "../../shared/flags.ts";
import type { Clock, Link } from "../../shared/netcode/link.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { AddressBuckets } from "../http/address_buckets.ts";
import { TokenBucket } from "../http/token_bucket.ts";
import { type Log, messageOf } from "../log.ts";
import type { Peer, Transport } from "../match/clients/peer.ts";
import type { CloseInitiator } from "../metrics/metrics.ts";
import type { Stalls } from "../stalls.ts";
import type { PathOffers } from "./path_offers.ts";
import { PathLink } from "./path_link.ts";
import type { ServerLink } from "./server_link.ts";
import { clock as systemClock } from "../ticker.ts";

/** Links of one address that the log names. Each has lines for its begin, end, join and room. */
const LINKS_LOGGED: Rate = { burst: 100, perSecond: 5 };

/** The client of a new link. */
export type NewClient = Omit<Peer, "link"> & {
  /**
   * The place that the link takes, from which a newcomer may displace it; undefined for a link that
   * keeps its place.
   */
  readonly place?: { hold(link: Pick<Link, "close">, id: number): void } | undefined;
};

/**
 * Messages of one link between two ticks that may keep a late tick waiting. An honest client sends
 * one or two with each tick, so more come only if the process has paused for a second.
 */
const MESSAGES_PER_TICK = 32;

/** The ticks that no flood of messages may delay. */
export interface TickRunner {
  /** Ticks that have run. */
  readonly ticks: number;
  /**
   * A link brings more messages than honest ones do, or one that takes long. Late ticks run within
   * this call instead of waiting for all messages.
   */
  hurry(): void;
}

export interface LinksOptions {
  /**
   * Called with each new link, once, before any of its messages. An error thrown by it closes that
   * link.
   */
  readonly admit: (link: Link, peer: Peer) => void;
  readonly messagesPerLink: Rate;
  readonly messagesPerAddress: Rate;
  /** The process's stalls; by default it has none. */
  readonly stalls?: Stalls | undefined;
  /** The ticks of the rooms; without it messages delay nothing that matters. */
  readonly tickRunner?: TickRunner | undefined;
  readonly log: Log;
  /** Gives datagram paths to sockets; without it there are none. */
  readonly paths?: PathOffers | undefined;
  /** Called when a link has ended. */
  readonly onClosed?:
    | ((code: number, how: { by: CloseInitiator; transport: Transport }) => void)
    | undefined;
  readonly clock?: Clock | undefined;
}

export class Links {
  readonly #options: LinksOptions;
  readonly #clock: Clock;
  readonly #links = new Set<ServerLink>();
  readonly #logged: AddressBuckets;
  readonly #messages: AddressBuckets;
  /** Number of links so far. The log numbers links by it. */
  #admitted = 0;
  /** Links that the log lacks since its last line about one. */
  #unlogged = 0;

  constructor(options: LinksOptions) {
    const { clock = systemClock, messagesPerAddress, stalls } = options;
    this.#options = options;
    this.#clock = clock;
    this.#logged = new AddressBuckets(LINKS_LOGGED, clock);
    this.#messages = new AddressBuckets(messagesPerAddress, clock, stalls);
  }

  get count(): number {
    return this.#links.size;
  }

  /** The links of one transport. */
  countOf(transport: Transport): number {
    let count = 0;
    for (const link of this.#links) if (link.transport === transport) count++;
    return count;
  }

  /** Sockets whose datagrams go by a path beside them. */
  get pathCount(): number {
    let count = 0;
    for (const { transport, ordered } of this.#links) {
      if (transport === "websocket" && !ordered) count++;
    }
    return count;
  }

  /** Bytes of all links that have not left this process: the memory that slow readers cost it. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const link of this.#links) bytes += link.bufferedBytes;
    return bytes;
  }

  /** The limits of a new link. */
  newGuard({ addressBlock }: Pick<Peer, "addressBlock">): LinkGuard {
    const { log, messagesPerLink, stalls, tickRunner } = this.#options;
    const takeOfAddress = () => this.#messages.take(addressBlock);
    return new LinkGuard({
      log,
      clock: this.#clock,
      messagesPerLink,
      stalls,
      tickRunner,
      takeOfAddress,
    });
  }

  /** Admits a link that is open. @param guard its own */
  admit(bare: ServerLink, guard: LinkGuard, { place, ...client }: NewClient): void {
    const { admit, log, onClosed, paths, tickRunner } = this.#options;
    const id = ++this.#admitted;
    const { transport } = bare;

    // A crowd that comes at once brings hundreds of handshakes in one turn of the event loop.
    tickRunner?.hurry();

    const link = paths !== undefined && bare.ordered ? new PathLink(bare, paths) : bare;
    this.#links.add(link);
    place?.hold(link, id);

    // Lines for its begin and its end
    const isLogged = this.#logged.take(client.addressBlock);
    const named = { link: id, address: client.address, transport };
    if (isLogged) log("link_opened", { ...named, unlogged: this.#takeUnlogged() });
    else this.#unlogged++;
    link.closed.then(({ code, reason, by }) => {
      this.#links.delete(link);
      if (isLogged) log("link_closed", { ...named, code, by, reason });
      onClosed?.(code, { by, transport });
    });

    guard.run(link, () => admit(link, { link: id, transport, isUnlogged: !isLogged, ...client }));
  }

  /** Closes every link. @returns when the last peer has answered or has taken too long */
  async close(code: number, reason: string): Promise<void> {
    await Promise.all([...this.#links].map((link) => {
      link.close(code, reason);
      return link.closed;
    }));
  }

  #takeUnlogged(): number {
    const unlogged = this.#unlogged;
    this.#unlogged = 0;
    return unlogged;
  }
}

interface GuardOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly messagesPerLink: Rate;
  readonly stalls: Stalls | undefined;
  readonly tickRunner: TickRunner | undefined;
  /** Takes a token of the address. @returns false if there is none */
  readonly takeOfAddress: () => boolean;
}

/** The limits of one link. */
export class LinkGuard {
  readonly #options: GuardOptions;
  readonly #bucket: TokenBucket;
  /** Whether the hello has come. */
  #isGreeted = false;
  /** Messages since a tick has run, and the number of that tick. */
  #messages = 0;
  #tick = -1;

  constructor(options: GuardOptions) {
    const { clock, messagesPerLink, stalls } = options;
    this.#options = options;
    this.#bucket = new TokenBucket(messagesPerLink, clock.now(), stalls?.totalMs(clock.now()));
  }

  /**
   * A message has arrived, perhaps on a link that is closing. Call it first: late ticks may run
   * within it.
   */
  arrived(): void {
    const { tickRunner } = this.#options;
    if (tickRunner === undefined) return;
    if (this.#tick !== tickRunner.ticks) {
      this.#tick = tickRunner.ticks;
      this.#messages = 0;
    }
    // A hello may open a match, which takes as long as hundreds of commands.
    const isHello = !this.#isGreeted;
    this.#isGreeted = true;
    if (++this.#messages > MESSAGES_PER_TICK || isHello) tickRunner.hurry();
  }

  /** Takes a token for one message, or closes the link. @returns whether there was a token */
  takeOrClose(link: Link): boolean {
    const { clock, stalls, takeOfAddress } = this.#options;
    const nowMs = clock.now();
    if (!this.#bucket.take(nowMs, stalls?.totalMs(nowMs))) {
      link.close(CloseCode.flood, "too many messages");
    } else if (!takeOfAddress()) {
      link.close(CloseCode.addressFull, "too many messages of your address");
    } else return true;
    return false;
  }

  /** Runs a caller's code. An error thrown by it closes the link. */
  run(link: Link, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.log("link_failed", { error: messageOf(error) });
      link.close(1011, "an error of the server");
    }
  }
}
