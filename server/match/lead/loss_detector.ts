/**
 * Detects losses on a reliable link from the delays of commands.
 *
 * The server does not see losses. But a lost segment is missed and sent again, so it arrives a
 * round trip later than usual, or a little more. Jitter causes delays of every length, the longer
 * the rarer. Losses therefore make a bump in the distribution of delays. With R as the round trip,
 * and e as the time by which a command is later than usual:
 *
 *     before = count(R/2 ≤ e < R)      resent = count(R ≤ e < 1.5 R)      after = count(1.5 R ≤ e < 2 R)
 *     a smooth tail has  resent ≤ sqrt(before · after)
 *
 * The bump appears only on networks with a jitter that is narrow compared with their round trip. On
 * others a loss costs hardly more than the jitter itself.
 */

/**
 * The least time beyond the usual delay that counts as a round trip, ms. A shorter one is no longer
 * than a timer's delay.
 */
const ROUND_TRIP_MS_MIN = 40;
/** How much the shortest delay grows each tick, ms, so that a longer route shows after a minute. */
const SHORTEST_MS_GROWTH = 0.02;
/**
 * Commands within this time of each other, ms, arrive together: the later ones share the first
 * one's delay.
 */
const TOGETHER_MS = 5;
/** How far each command moves the usual delay, a running median, ms. */
const USUAL_MS_STEP = 1;
/** The share of each count that is forgotten in a tick: half of it is gone after 5 min. */
const FORGOTTEN = 1 / 9000;
/** The multiples of the smooth tail at which the bump begins and ends. */
const BUMP_BEGIN = 1.3;
const BUMP_END = 1.1;
/** The fewest commands beyond that multiple; fewer may be chance. */
const BUMP_COMMANDS_MIN = 6;

/** One command that arrived. */
export interface ArrivedCommand {
  /** ms on the server's clock. */
  readonly atMs: number;
  /**
   * How long it took to the server, ms. The client's clock assumes half of its shortest round trip
   * for this, so the shortest delay is that half.
   */
  readonly delayMs: number;
}

/** Tracks whether losses show in one client's command delays. */
export class LossDetector {
  #shortestMs = Infinity;
  #usualMs: number | undefined;
  #newestAtMs = -Infinity;
  #before = 0;
  #resent = 0;
  #after = 0;
  #hasLosses = false;

  observe({ atMs, delayMs }: ArrivedCommand): void {
    this.#shortestMs = Math.min(this.#shortestMs, delayMs);
    this.#usualMs ??= delayMs;
    this.#usualMs += delayMs > this.#usualMs ? USUAL_MS_STEP : -USUAL_MS_STEP;

    const isHeld = atMs - this.#newestAtMs < TOGETHER_MS;
    this.#newestAtMs = atMs;
    if (isHeld) return;

    const roundTrips = (delayMs - this.#usualMs) /
      Math.max(ROUND_TRIP_MS_MIN, 2 * this.#shortestMs);
    if (roundTrips < 0.5 || roundTrips >= 2) return;
    if (roundTrips < 1) this.#before++;
    else if (roundTrips < 1.5) this.#resent++;
    else this.#after++;
  }

  endTick(): void {
    this.#shortestMs += SHORTEST_MS_GROWTH;
    this.#before *= 1 - FORGOTTEN;
    this.#resent *= 1 - FORGOTTEN;
    this.#after *= 1 - FORGOTTEN;
    const smooth = Math.sqrt((this.#before + 1) * (this.#after + 1));
    this.#hasLosses =
      this.#resent > (this.#hasLosses ? BUMP_END : BUMP_BEGIN) * smooth + BUMP_COMMANDS_MIN;
  }

  get hasLosses(): boolean {
    return this.#hasLosses;
  }
}
