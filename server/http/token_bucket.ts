/**
 * A rate limit as a token bucket. Each event takes a token; time adds tokens:
 *
 *     tokens(t) = min(burst, tokens(t₀) + (t − t₀) · perSecond)
 */
import type { Rate } from "../../shared/flags.ts";

/** One bucket. It begins full. The caller supplies the time. */
export class TokenBucket {
  readonly #limit: Rate;
  #tokens: number;
  #atMs: number;

  constructor(limit: Rate, nowMs: number) {
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#atMs = nowMs;
  }

  /** Takes one token. @returns false, with nothing taken, if there is none */
  take(nowMs: number): boolean {
    this.#refill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** Whether the bucket equals a new one, so that it need not be kept. */
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
