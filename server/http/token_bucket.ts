/**
 * How often something may happen: a bucket holds tokens, each event takes one, time puts them back.
 *
 *     tokens(t) = min(burst, tokens(t₀) + (t − t₀) · perSecond)
 */

/** The size of a bucket and how fast it fills. */
export interface RateLimit {
  /** Tokens in a full bucket: what may happen at one instant. */
  readonly burst: number;
  /** Tokens that come back in a second: what may go on for ever. */
  readonly perSecond: number;
}

/** One bucket. It begins full. The clock is the caller's. */
export class TokenBucket {
  readonly #limit: RateLimit;
  #tokens: number;
  #atMs: number;

  constructor(limit: RateLimit, nowMs: number) {
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#atMs = nowMs;
  }

  /** Takes one token. @returns false where there is none; nothing is taken then */
  take(nowMs: number): boolean {
    this.#refill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** Whether it can be forgotten: a new one would be the same. */
  isFull(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#tokens >= this.#limit.burst;
  }

  #refill(nowMs: number): void {
    const { burst, perSecond } = this.#limit;
    this.#tokens = Math.min(burst, this.#tokens + (nowMs - this.#atMs) * perSecond / 1000);
    this.#atMs = nowMs;
  }
}
