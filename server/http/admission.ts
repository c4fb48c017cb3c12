/**
 * Who may come in, decided from the request alone, before a byte of WebSocket is spoken: the right path, a page of our own (or no
 * page at all: bots send no Origin), not too often, and room for one more. Each `acquire` that let somebody in is paired with one
 * `release`.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { clock } from "../ticker.ts";
import { type RateLimit, TokenBucket } from "./token_bucket.ts";

/** The one place where a socket is spoken. */
export const SOCKET_PATH = "/socket";

/**
 * Sockets in all. A core runs some 80 full matches of 16 players, 1,280 sockets; beyond that everyone would lose ticks, so it is kinder
 * to refuse.
 */
export const SOCKETS_MAX = 2_000;

/** Sockets of one address: a lecture hall behind one router, or a load test on this machine; not one stranger's script. */
const SOCKETS_PER_ADDRESS_MAX = 256;

/**
 * New sockets of one address. A load test brings 64 at once, a lecture hall comes back within 10 s of a restart, and somebody who
 * knocks a hundred times a second does so on purpose: each handshake costs some 0.2 ms of the ticks' core.
 */
export const UPGRADES_PER_ADDRESS: RateLimit = { burst: 100, perSecond: 20 };

/** Addresses whose knocks are remembered. Full buckets are forgotten; a stranger with more addresses than this needs no second knock. */
const TRACKED_ADDRESSES_MAX = 4_096;

/** What the gate looks at. */
export interface UpgradeRequest {
  /** Path of the request, without its query. */
  readonly path: string;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** IP address of the peer. */
  readonly address: string;
}

/** Why somebody is refused; a word for the metrics and the log. */
export const REFUSAL_CAUSES = ["path", "origin", "rate", "house_full", "address_full"] as const;
export type RefusalCause = typeof REFUSAL_CAUSES[number];

/** Why not, as an HTTP answer. */
export interface Refusal {
  readonly status: 403 | 404 | 429 | 503;
  readonly cause: RefusalCause;
  readonly reason: string;
}

export interface AdmissionOptions {
  readonly socketsMax?: number;
  readonly socketsPerAddressMax?: number;
  readonly upgradesPerAddress?: RateLimit;
  readonly clock?: Clock;
}

export class AdmissionControl {
  readonly #socketsMax: number;
  readonly #socketsPerAddressMax: number;
  readonly #upgradesPerAddress: RateLimit;
  readonly #clock: Clock;
  readonly #openSocketsByBlock = new Map<string, number>();
  /** Whose bucket may not be full, the longest untouched first. */
  readonly #bucketByBlock = new Map<string, TokenBucket>();
  #openSockets = 0;

  constructor(options: AdmissionOptions = {}) {
    this.#socketsMax = options.socketsMax ?? SOCKETS_MAX;
    this.#socketsPerAddressMax = options.socketsPerAddressMax ?? SOCKETS_PER_ADDRESS_MAX;
    this.#upgradesPerAddress = options.upgradesPerAddress ?? UPGRADES_PER_ADDRESS;
    this.#clock = options.clock ?? clock;
  }

  /** Sockets that are in. */
  get openSockets(): number {
    return this.#openSockets;
  }

  /** Addresses whose knocks are remembered at the moment. */
  get trackedAddresses(): number {
    return this.#bucketByBlock.size;
  }

  /** Lets one in and counts it, until `release`. @returns why not; undefined where it is in */
  acquire(request: UpgradeRequest): Refusal | undefined {
    const addressBlock = addressBlockOf(request.address);
    if (!this.#takeToken(addressBlock)) {
      return { status: 429, cause: "rate", reason: "too many new connections from your address; wait a few seconds" };
    }
    if (request.path !== SOCKET_PATH) {
      return { status: 404, cause: "path", reason: `no socket here; it is at ${SOCKET_PATH}` };
    }
    if (!isAllowedOrigin(request)) {
      return { status: 403, cause: "origin", reason: "a page of another site may not play here" };
    }
    if (this.#openSockets >= this.#socketsMax) {
      return { status: 503, cause: "house_full", reason: "the server is full" };
    }
    const blockSockets = this.#openSocketsByBlock.get(addressBlock) ?? 0;
    if (blockSockets >= this.#socketsPerAddressMax) {
      return { status: 503, cause: "address_full", reason: "too many connections from your address" };
    }
    this.#openSocketsByBlock.set(addressBlock, blockSockets + 1);
    this.#openSockets++;
    return undefined;
  }

  /** Gives the place back. @param address as in the `acquire` that it belongs to @throws RangeError where nobody of it is in */
  release(address: string): void {
    const addressBlock = addressBlockOf(address);
    const blockSockets = this.#openSocketsByBlock.get(addressBlock);
    if (blockSockets === undefined) throw new RangeError(`nobody of ${address} is in`);
    if (blockSockets === 1) this.#openSocketsByBlock.delete(addressBlock);
    else this.#openSocketsByBlock.set(addressBlock, blockSockets - 1);
    this.#openSockets--;
  }

  #takeToken(addressBlock: string): boolean {
    const nowMs = this.#clock.now();
    const bucket = this.#bucketByBlock.get(addressBlock) ?? new TokenBucket(this.#upgradesPerAddress, nowMs);
    // Taken out and put back: the map keeps the order of insertion, so the longest untouched stays in front.
    this.#bucketByBlock.delete(addressBlock);
    this.#bucketByBlock.set(addressBlock, bucket);
    const taken = bucket.take(nowMs);
    this.#evict(nowMs);
    return taken;
  }

  #evict(nowMs: number): void {
    for (const [addressBlock, bucket] of this.#bucketByBlock) {
      const tooMany = this.#bucketByBlock.size > TRACKED_ADDRESSES_MAX;
      if (!tooMany && !bucket.isFull(nowMs)) return;
      this.#bucketByBlock.delete(addressBlock);
    }
  }
}

/** A browser always says which page asks; what says nothing is no browser and cannot carry a visitor's rights. */
function isAllowedOrigin({ origin, host }: UpgradeRequest): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/**
 * Whose address it is. One customer holds one IPv4 address, or a whole IPv6 network of 2^64 addresses (RFC 6177), which count
 * as one.
 */
function addressBlockOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address; // IPv4, also as ::ffff:192.0.2.1
  const [left = "", right] = address.split("%", 1)[0]!.split("::");
  const before = left === "" ? [] : left.split(":"),
    after = right === undefined || right === "" ? [] : right.split(":");
  const zeros = right === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...new Array<string>(zeros).fill("0"), ...after].slice(0, 4).join(":");
}
