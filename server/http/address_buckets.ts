/** One token bucket for each address that needs one. */
import type { Rate } from "../../shared/flags.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { Stalls } from "../stalls.ts";
import { TokenBucket } from "./token_bucket.ts";

/**
 * Limit on the buckets that are kept. Full buckets are dropped anyway; above the limit the least
 * recently used one is. An attacker with more addresses needs no second request from any of them.
 */
const TRACKED_ADDRESSES_MAX = 4_096;

export class AddressBuckets {
  readonly #rate: Rate;
  readonly #clock: Clock;
  readonly #stalls: Stalls | undefined;
  /** Buckets that may not be full, by address block, the least recently used first. */
  readonly #buckets = new Map<string, TokenBucket>();

  /** @param stalls those for which addresses get tokens; by default none */
  constructor(rate: Rate, clock: Clock, stalls?: Stalls) {
    this.#rate = rate;
    this.#clock = clock;
    this.#stalls = stalls;
  }

  /** Addresses whose buckets are kept at the moment, at most 4,096. */
  get trackedAddresses(): number {
    return this.#buckets.size;
  }

  /** Takes a token of an address. @returns false, with nothing taken, if there is none */
  take(addressBlock: string): boolean {
    const nowMs = this.#clock.now();
    const stalledMs = this.#stalls?.totalMs(nowMs);
    const bucket = this.#buckets.get(addressBlock) ?? new TokenBucket(this.#rate, nowMs, stalledMs);
    // A map keeps the order of insertion. Deleted and set again, a bucket moves to the end.
    this.#buckets.delete(addressBlock);
    this.#buckets.set(addressBlock, bucket);
    const isTaken = bucket.take(nowMs, stalledMs);
    this.#evict(nowMs);
    return isTaken;
  }

  /**
   * Drops buckets from the least recently used on: those that are full again, and all beyond the
   * bound.
   */
  #evict(nowMs: number): void {
    for (const [addressBlock, bucket] of this.#buckets) {
      const tooMany = this.#buckets.size > TRACKED_ADDRESSES_MAX;
      if (!tooMany && !bucket.isFull(nowMs)) return;
      this.#buckets.delete(addressBlock);
    }
  }
}
