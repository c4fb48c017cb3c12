/**
 * A rate limit as a token bucket. Each event takes a token; time adds tokens:
 *
 *     tokens(t) = min(burst, tokens(t₀) + (t − t₀) · perSecond) + stalled · perSecond
 *
 * While the server stood still, events went on and waited, so the time of stalls adds tokens beyond
 * the burst.
 */
import type { Rate } from "../../shared/flags.ts";

/** One bucket, which begins full. The caller supplies the time. */
export class TokenBucket {
  readonly #limit: Rate;
  #tokens: number;
  #atMs: number;
  #stalledMs: number;

  constructor(limit: Rate, nowMs: number, stalledMs = 0) {
    this.#limit = limit;
    this.#tokens = limit.burst;
    this.#atMs = nowMs;
    this.#stalledMs = stalledMs;
  }

  /**
   * Takes one token.
   * @param stalledMs how long the server has stood still since its start, ms
   * @returns false, with nothing taken, if none is left
   */
  take(nowMs: number, stalledMs = 0): boolean {
    this.#refill(nowMs, stalledMs);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /**
   * Whether the bucket equals a new one, so that it need not be kept. With a stall's tokens it
   * holds more.
   */
  isFull(nowMs: number): boolean {
    this.#refill(nowMs, this.#stalledMs);
    return this.#tokens === this.#limit.burst;
  }

  #refill(nowMs: number, stalledMs: number): void {
    const { burst, perSecond } = this.#limit;
    const refilled = Math.min(burst, this.#tokens + (nowMs - this.#atMs) * perSecond / 1000);
    this.#tokens = Math.max(this.#tokens, refilled) +
      (stalledMs - this.#stalledMs) * perSecond / 1000;
    this.#atMs = nowMs;
    this.#stalledMs = stalledMs;
  }
}
