/**
 * All of a server's open links, whatever carries them. They share the numbers that the log uses for
 * links, the limits on messages, and the way they end. A link that breaks a limit is closed without
 * affecting others.
 */
import type { Rate } from "../../shared/flags.ts";
import type { Clock, Link } from "../../shared/netcode/link.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { AddressBuckets } from "../addresses/address_buckets.ts";
import { TokenBucket } from "../addresses/token_bucket.ts";
import { type Log, messageOf } from "../ground/log.ts";
import type { Peer, Transport } from "../match/clients/peer.ts";
import type { CloseInitiator } from "../metrics/metrics.ts";
import type { Stalls } from "../ground/stalls.ts";
import type { PathOffers } from "./path_offers.ts";
import { PathLink } from "./path_link.ts";
import type { ServerLink } from "./server_link.ts";
import { clock as systemClock } from "../ground/ticker.ts";

/**
 * How many links of one address the log names. Each gets lines for its begin, end, join and room.
 */
const LINKS_LOGGED: Rate = { burst: 100, perSecond: 5 };

/** A new link's client. */
export type NewClient = Omit<Peer, "link"> & {
  /**
   * The place that the link takes, which a newcomer may be given instead; undefined for a link that
   * keeps its place.
   */
  readonly place?: { hold(link: Pick<Link, "close">, id: number): void } | undefined;
};

/**
 * How many messages one link may send between two ticks before a late tick stops waiting for them.
 * An honest client sends one or two with each tick, so more come only if the process paused for a
 * second.
 */
const MESSAGES_PER_TICK = 32;

/** The ticks, which no flood of messages may delay. */
export interface TickRunner {
  /** Ticks run so far. */
  readonly ticks: number;
  /**
   * Reports that a link sends more messages than honest ones do, or a message that takes long. Late
   * ticks then run within this call instead of waiting for all messages.
   */
  hurry(): void;
}

export interface LinksOptions {
  /**
   * Called once with each new link, before any of its messages. If it throws, the link is closed.
   */
  readonly admit: (link: Link, peer: Peer) => void;
  readonly messagesPerLink: Rate;
  readonly messagesPerAddress: Rate;
  /** The process's stalls; by default none. */
  readonly stalls?: Stalls | undefined;
  /** Runs the rooms' ticks; without it messages cannot delay anything that matters. */
  readonly tickRunner?: TickRunner | undefined;
  readonly log: Log;
  /** Offers sockets datagram paths; without it there are none. */
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
  /** How many links there have been, which also numbers them in the log. */
  #admitted = 0;
  /** Links left out since the log's last line about a link. */
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

  /** How many links use a transport. */
  countOf(transport: Transport): number {
    let count = 0;
    for (const link of this.#links) if (link.transport === transport) count++;
    return count;
  }

  /** Sockets that use a datagram path beside them. */
  get pathCount(): number {
    let count = 0;
    for (const { transport, ordered } of this.#links) {
      if (transport === "websocket" && !ordered) count++;
    }
    return count;
  }

  /** Bytes on all links that have not left this process: the memory that slow readers cost it. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const link of this.#links) bytes += link.bufferedBytes;
    return bytes;
  }

  /** Makes a new link's limits. */
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

  /** Admits an open link. @param guard its limits */
  admit(bare: ServerLink, guard: LinkGuard, { place, ...client }: NewClient): void {
    const { admit, log, onClosed, paths, tickRunner } = this.#options;
    const id = ++this.#admitted;
    const { transport } = bare;

    // A crowd that comes at once causes hundreds of handshakes in one turn of the event loop.
    tickRunner?.hurry();

    const link = paths !== undefined && bare.ordered ? new PathLink(bare, paths) : bare;
    this.#links.add(link);
    place?.hold(link, id);

    // Log its begin and its end.
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

  /** Closes every link. @returns when the last peer has answered or taken too long */
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
  /** Takes one of the address's tokens. @returns false if none is left */
  readonly takeOfAddress: () => boolean;
}

/** One link's limits. */
export class LinkGuard {
  readonly #options: GuardOptions;
  readonly #bucket: TokenBucket;
  /** Whether the hello has arrived. */
  #isGreeted = false;
  /** Messages since the newest tick, and that tick's number. */
  #messages = 0;
  #tick = -1;

  constructor(options: GuardOptions) {
    const { clock, messagesPerLink, stalls } = options;
    this.#options = options;
    this.#bucket = new TokenBucket(messagesPerLink, clock.now(), stalls?.totalMs(clock.now()));
  }

  /**
   * Notes that a message has arrived, perhaps on a link that is closing. Call it first, because
   * late ticks may run within it.
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

  /** Takes a token for one message, or closes the link. @returns whether a token was left */
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

  /** Runs a caller's code. If it throws, the link is closed. */
  run(link: Link, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.log("link_failed", { error: messageOf(error) });
      link.close(1011, "an error of the server");
    }
  }
}
