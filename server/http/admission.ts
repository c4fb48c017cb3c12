/**
 * Decides from the HTTP request alone whether a socket is admitted, before the WebSocket handshake.
 * The checks, in order: the address's rate, path, server name, origin, bans, the address's sockets,
 * all sockets. The ticket is checked last, because checking it uses it up.
 *
 * When all sockets are taken, the network that holds most of them loses one to a newcomer: first a
 * socket that is not being played with (`HeldPlaces`).
 */
import { type Clock, type Link, SOCKET_PATH } from "../../shared/netcode/link.ts";
import { INTRODUCTIONS_PATH } from "../../shared/introductions.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { DISPLACED } from "../capacity/capacity_check.ts";
import { HeldPlaces } from "../fairness/held_places.ts";
import { NetworkBuckets } from "../fairness/network_buckets.ts";
import type { RefusalCause } from "../metrics/refusal_causes.ts";
import { clock } from "../ground/ticker.ts";
import type { Limits } from "../settings/limits.ts";
import type { SiteRules } from "./site_rules.ts";

/** What decides about an upgrade request. */
export interface UpgradeRequest {
  /** The request's path, without its query. */
  readonly path: string;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** The customer behind the client's address. */
  readonly addressBlock: string;
}

/** A refusal as an HTTP answer. */
export interface Refusal {
  readonly status: 403 | 404 | 421 | 429 | 503;
  readonly cause: RefusalCause;
  readonly reason: string;
  /** When the client may come again, s; by default the answer does not say. */
  readonly retryAfterSeconds?: number;
}

/** The limits of admission. */
export type AdmissionLimits = Pick<Limits, "sockets" | "socketsPerAddress" | "upgradesPerAddress">;

/**
 * How many displaced sockets may still be closing. Their peers get two seconds to answer, so for a
 * moment the server exceeds its limit by this many sockets. Further newcomers are refused
 * meanwhile.
 */
const CLOSING_MAX = 256;

/** One socket's place. */
export interface SocketPlace {
  /**
   * Reports that the socket has become a link, which can be closed for a newcomer.
   * @param id the link's number
   */
  hold(link: Pick<Link, "close">, id: number): void;
  /** Gives the place back. Further calls do nothing. */
  release(): void;
}

interface HeldSocket {
  /** Undefined during the handshake, and for a datagram path beside a socket. */
  link: { readonly link: Pick<Link, "close">; readonly id: number } | undefined;
}

export interface AdmissionOptions {
  readonly site: SiteRules;
  readonly clock?: Clock;
  /** Whether pages may open sockets that introduce them to others. */
  readonly introduces?: boolean | undefined;
  /** @returns whether an operator has banned the address; by default none is banned */
  readonly isBanned?: ((addressBlock: string) => boolean) | undefined;
  /** @returns the numbers of the links being played with now; by default none */
  readonly activeLinks?: (() => ReadonlySet<number>) | undefined;
}

export class AdmissionControl {
  readonly #limits: AdmissionLimits;
  readonly #options: AdmissionOptions;
  readonly #upgrades: NetworkBuckets;
  readonly #held = new HeldPlaces<HeldSocket>();
  /** Displaced sockets that are not closed yet. */
  readonly #closing = new Set<HeldSocket>();

  constructor(limits: AdmissionLimits, options: AdmissionOptions) {
    this.#limits = limits;
    this.#options = options;
    this.#upgrades = new NetworkBuckets(limits.upgradesPerAddress, options.clock ?? clock);
  }

  get openSockets(): number {
    return this.#held.size;
  }

  /** How many addresses' new sockets are counted at the moment. */
  get trackedAddresses(): number {
    return this.#upgrades.trackedAddresses;
  }

  /**
   * Admits one socket and counts it until its place is released.
   * @returns its place, or why it gets none
   */
  acquire(request: UpgradeRequest): SocketPlace | Refusal {
    const { addressBlock } = request;
    const { site, isBanned } = this.#options;

    // Too often
    if (!this.#upgrades.take(addressBlock)) {
      return {
        status: 429,
        cause: "rate",
        reason: "too many new connections from your address; wait a few seconds",
      };
    }

    // To the wrong place, or from the wrong page
    const isPath = request.path === SOCKET_PATH ||
      request.path === INTRODUCTIONS_PATH && this.#options.introduces;
    if (!isPath) {
      return { status: 404, cause: "path", reason: `no socket here; it is at ${SOCKET_PATH}` };
    }
    if (!site.allowsHost(request.host)) {
      return { status: 421, cause: "host", reason: "this server has another name" };
    }
    if (!site.allowsOrigin(request)) {
      return { status: 403, cause: "origin", reason: "a page of another site may not play here" };
    }

    if (isBanned?.(addressBlock)) {
      return {
        status: 403,
        cause: "banned",
        reason: "an operator has banned your address for a while",
      };
    }

    // No place left for this address, or for anyone
    if (this.#held.of(addressBlock).size >= this.#limits.socketsPerAddress) {
      return {
        status: 503,
        cause: "address_full",
        reason: "too many connections from your address",
      };
    }
    if (this.#held.size >= this.#limits.sockets && !this.#displaceFor(addressBlock)) {
      return { status: 503, cause: "house_full", reason: "the server is full" };
    }

    return this.#newPlace(addressBlock);
  }

  #newPlace(addressBlock: string): SocketPlace {
    const socket: HeldSocket = { link: undefined };
    this.#held.add(socket, addressBlock);
    return {
      hold(link, id) {
        socket.link = { link, id };
      },
      release: () => {
        this.#held.delete(socket);
        this.#closing.delete(socket);
      },
    };
  }

  /** Closes a link to give its place to a newcomer. @returns whether one could be closed */
  #displaceFor(addressBlock: string): boolean {
    if (this.#closing.size >= CLOSING_MAX) return false;

    const active = this.#options.activeLinks?.() ?? new Set();
    const worthOf = ({ link }: HeldSocket) => {
      if (link === undefined) return Infinity;
      return active.has(link.id) ? 1 : 0;
    };
    // Whether the newcomer will play is unknown until its hello.
    const socket = this.#held.placeFor({ addressBlock, isIdle: true }, worthOf);
    if (socket === undefined) return false;

    this.#held.delete(socket);
    this.#closing.add(socket);
    socket.link!.link.close(CloseCode.displaced, DISPLACED);
    return true;
  }
}
