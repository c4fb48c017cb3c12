/** One token bucket for each address that needs one. */
import type { Rate } from "../../shared/flags.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { Stalls } from "../ground/stalls.ts";
import { TokenBucket } from "./token_bucket.ts";

/**
 * How many buckets are kept. Full ones are dropped anyway; above the limit the least recently used
 * one goes. An attacker with more addresses than this needs no second request from any of them.
 */
const TRACKED_ADDRESSES_MAX = 4_096;

export class AddressBuckets {
  readonly #rate: Rate;
  readonly #clock: Clock;
  readonly #stalls: Stalls | undefined;
  /** Buckets that may not be full, by address block, least recently used first. */
  readonly #buckets = new Map<string, TokenBucket>();

  /** @param stalls for which addresses get extra tokens; by default none */
  constructor(rate: Rate, clock: Clock, stalls?: Stalls) {
    this.#rate = rate;
    this.#clock = clock;
    this.#stalls = stalls;
  }

  /** How many addresses' buckets are kept at the moment, at most 4,096. */
  get trackedAddresses(): number {
    return this.#buckets.size;
  }

  /** Takes one of an address's tokens. @returns false, with nothing taken, if none is left */
  take(addressBlock: string): boolean {
    const nowMs = this.#clock.now();
    const stalledMs = this.#stalls?.totalMs(nowMs);
    const bucket = this.#buckets.get(addressBlock) ?? new TokenBucket(this.#rate, nowMs, stalledMs);
    // A map keeps the order of insertion, so deleting and setting a bucket moves it to the end.
    this.#buckets.delete(addressBlock);
    this.#buckets.set(addressBlock, bucket);
    const isTaken = bucket.take(nowMs, stalledMs);
    this.#evict(nowMs);
    return isTaken;
  }

  /**
   * Drops buckets, least recently used first: those that are full again, and all beyond the limit.
   */
  #evict(nowMs: number): void {
    for (const [addressBlock, bucket] of this.#buckets) {
      const tooMany = this.#buckets.size > TRACKED_ADDRESSES_MAX;
      if (!tooMany && !bucket.isFull(nowMs)) return;
      this.#buckets.delete(addressBlock);
    }
  }
}
