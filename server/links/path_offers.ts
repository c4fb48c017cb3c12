/**
 * Offers datagram paths. It gives clients the tokens with which they open paths, and knows which
 * link a token belongs to. A client with a token needs no ticket, because the token is 128 random
 * bits that only one admitted client received.
 */
import type { Clock, DatagramOffer, PathOffer } from "../../shared/netcode/link.ts";
import { randomHex } from "../ground/server_secret.ts";
import type { PathLink } from "./path_link.ts";

/**
 * How long a token is valid, ms. Clients give up after two seconds, and an offer may wait for a
 * lost packet.
 */
const TOKEN_MS = 10_000;
const TOKEN_BYTES = 16;
/** How many tokens may be out: more than a process has players. */
const TOKENS_MAX = 1024;

export interface PathOffersOptions {
  /** Where the server takes datagrams now; undefined without them. */
  readonly datagrams: () => DatagramOffer | undefined;
  /** Whether every client gets a path, not only those who gain by it. */
  readonly isForAll: boolean;
  readonly clock: Clock;
}

interface Holder {
  readonly link: PathLink;
  readonly untilMs: number;
}

export class PathOffers {
  readonly #options: PathOffersOptions;
  /** By token, oldest first. */
  readonly #holders = new Map<string, Holder>();

  constructor(options: PathOffersOptions) {
    this.#options = options;
  }

  get isForAll(): boolean {
    return this.#options.isForAll;
  }

  /**
   * @returns the offer for a link's client; undefined without datagrams, or with too many tokens
   * out
   */
  offerTo(link: PathLink): PathOffer | undefined {
    const nowMs = this.#options.clock.now();

    // Drop expired tokens.
    for (const [token, { untilMs }] of this.#holders) {
      if (untilMs > nowMs) break;
      this.#holders.delete(token);
    }

    const datagrams = this.#options.datagrams();
    if (datagrams === undefined || this.#holders.size >= TOKENS_MAX) return undefined;
    const token = randomHex(TOKEN_BYTES);
    this.#holders.set(token, { link, untilMs: nowMs + TOKEN_MS });
    return { ...datagrams, token };
  }

  /**
   * Redeems a token, once.
   * @returns the link that the path belongs to; undefined for an unknown or expired token
   */
  redeem(token: string): PathLink | undefined {
    const holder = this.#holders.get(token);
    this.#holders.delete(token);
    return holder !== undefined && holder.untilMs > this.#options.clock.now()
      ? holder.link
      : undefined;
  }
}
