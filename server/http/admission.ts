/**
 * Decides from the HTTP request alone whether a socket is admitted, before the WebSocket handshake. The checks in
 * order: rate of the address, path, origin, number of all sockets, sockets of the address. Each successful `acquire` is
 * paired with one `release`.
 */
import { type Clock, SOCKET_PATH } from "../../shared/netcode/link.ts";
import { clock } from "../ticker.ts";
import type { Limits } from "../settings/limits.ts";
import { addressBlockOf } from "./peer.ts";
import { TokenBucket } from "./token_bucket.ts";

/**
 * Limit on the buckets that are kept. Full buckets are dropped anyway; above the limit the least recently used one is.
 * An attacker with more addresses needs no second request from any of them.
 */
const TRACKED_ADDRESSES_MAX = 4_096;

/** The parts of an upgrade request that decide on its admission. */
export interface UpgradeRequest {
  /** Path of the request, without its query. */
  readonly path: string;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** IP address of the peer. */
  readonly address: string;
}

/** Causes of refusals, as the metrics and the log name them. */
export const REFUSAL_CAUSES = ["path", "origin", "rate", "house_full", "address_full"] as const;
export type RefusalCause = typeof REFUSAL_CAUSES[number];

/** A refusal as an HTTP answer. */
export interface Refusal {
  readonly status: 403 | 404 | 429 | 503;
  readonly cause: RefusalCause;
  readonly reason: string;
}

/** The limits of admission. */
export type AdmissionLimits = Pick<Limits, "sockets" | "socketsPerAddress" | "upgradesPerAddress">;

export class AdmissionControl {
  readonly #limits: AdmissionLimits;
  readonly #clock: Clock;
  readonly #openSocketsByBlock = new Map<string, number>();
  /** Buckets that may not be full, the least recently used first. */
  readonly #bucketByBlock = new Map<string, TokenBucket>();
  #openSockets = 0;

  constructor(limits: AdmissionLimits, options: { readonly clock?: Clock } = {}) {
    this.#limits = limits;
    this.#clock = options.clock ?? clock;
  }

  /** Sockets acquired and not released. */
  get openSockets(): number {
    return this.#openSockets;
  }

  /** Addresses whose buckets are kept at the moment. */
  get trackedAddresses(): number {
    return this.#bucketByBlock.size;
  }

  /** Admits one socket and counts it until `release`. @returns the refusal, or undefined if the socket is admitted */
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
    if (this.#openSockets >= this.#limits.sockets) {
      return { status: 503, cause: "house_full", reason: "the server is full" };
    }
    const blockSockets = this.#openSocketsByBlock.get(addressBlock) ?? 0;
    if (blockSockets >= this.#limits.socketsPerAddress) {
      return { status: 503, cause: "address_full", reason: "too many connections from your address" };
    }
    this.#openSocketsByBlock.set(addressBlock, blockSockets + 1);
    this.#openSockets++;
    return undefined;
  }

  /**
   * Gives a socket's place back.
   * @param address the address of the `acquire`
   * @throws RangeError if no socket of the address is open
   */
  release(address: string): void {
    const addressBlock = addressBlockOf(address);
    const blockSockets = this.#openSocketsByBlock.get(addressBlock);
    if (blockSockets === undefined) throw new RangeError(`no socket of ${address} is open`);
    if (blockSockets === 1) this.#openSocketsByBlock.delete(addressBlock);
    else this.#openSocketsByBlock.set(addressBlock, blockSockets - 1);
    this.#openSockets--;
  }

  #takeToken(addressBlock: string): boolean {
    const nowMs = this.#clock.now();
    const bucket = this.#bucketByBlock.get(addressBlock) ?? new TokenBucket(this.#limits.upgradesPerAddress, nowMs);
    // A map keeps the order of insertion. Deleted and set again, a bucket moves to the end.
    this.#bucketByBlock.delete(addressBlock);
    this.#bucketByBlock.set(addressBlock, bucket);
    const taken = bucket.take(nowMs);
    this.#evict(nowMs);
    return taken;
  }

  /** Drops buckets from the least recently used on: those that are full again, and all beyond the bound. */
  #evict(nowMs: number): void {
    for (const [addressBlock, bucket] of this.#bucketByBlock) {
      const tooMany = this.#bucketByBlock.size > TRACKED_ADDRESSES_MAX;
      if (!tooMany && !bucket.isFull(nowMs)) return;
      this.#bucketByBlock.delete(addressBlock);
    }
  }
}

/**
 * A browser always sends the origin of the page. A request without one comes from a bot, which carries no visitor's
 * rights.
 */
function isAllowedOrigin({ origin, host }: UpgradeRequest): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
