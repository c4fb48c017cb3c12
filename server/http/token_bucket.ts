/**
 * How often something may happen: a bucket holds tokens, each event takes one, time puts them back.
 *
 *     tokens(t) = min(atOnce, tokens(t₀) + (t − t₀) · perSecond)
 */

/** The size of a bucket and how fast it fills. */
export interface Allowance {
  /** Tokens in a full bucket: what may happen at one instant. */
  readonly atOnce: number;
  /** Tokens that come back in a second: what may go on for ever. */
  readonly perSecond: number;
}

/** One bucket. It begins full. The clock is the caller's. */
export class TokenBucket {
  readonly #allowance: Allowance;
  #tokens: number;
  #atMs: number;

  constructor(allowance: Allowance, nowMs: number) {
    this.#allowance = allowance;
    this.#tokens = allowance.atOnce;
    this.#atMs = nowMs;
  }

  /** Takes one token. @returns false where there is none; nothing is taken then */
  take(nowMs: number): boolean {
    this.#fill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** Whether it can be forgotten: a new one would be the same. */
  isFull(nowMs: number): boolean {
    this.#fill(nowMs);
    return this.#tokens >= this.#allowance.atOnce;
  }

  #fill(nowMs: number): void {
    const { atOnce, perSecond } = this.#allowance;
    this.#tokens = Math.min(atOnce, this.#tokens + (nowMs - this.#atMs) * perSecond / 1000);
    this.#atMs = nowMs;
  }
}
