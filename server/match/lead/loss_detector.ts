/**
 * Detects losses on a reliable link by the delays of commands.
 *
 * The server sees no losses. But a lost segment is missed and sent again, so it arrives a round
 * trip later than usual, or a little more. Jitter causes delays of every length, and the longer
 * ones are rarer. Losses therefore make a bump in the distribution of delays. With R as the round
 * trip, and e as the time that a command is later than usual:
 *
 *     before = count(R/2 ≤ e < R)      resent = count(R ≤ e < 1.5 R)      after = count(1.5 R ≤ e < 2 R)
 *     a smooth tail has  resent ≤ sqrt(before · after)
 *
 * Only networks with a jitter that is narrow next to their round trip show the bump. On the others
 * a loss costs hardly more than the jitter itself.
 */

/**
 * Least time beyond the usual delay that counts as a round trip, ms. A shorter one is no longer
 * than a timer's delay.
 */
const ROUND_TRIP_MS_MIN = 40;
/** The shortest delay grows by this each tick, ms, so that a longer way shows after a minute. */
const SHORTEST_MS_GROWTH = 0.02;
/**
 * Commands that arrive within this time, ms, arrive together: the delay of the later ones is that
 * of the first.
 */
const TOGETHER_MS = 5;
/** The usual delay, a running median, moves by this with each command, ms. */
const USUAL_MS_STEP = 1;
/** Share of each count that is forgotten in a tick: half of it is gone after 5 min. */
const FORGOTTEN = 1 / 9000;
/** The bump begins at this multiple of the smooth tail, and ends at that one. */
const BUMP_BEGIN = 1.3;
const BUMP_END = 1.1;
/** Least number of commands beyond that multiple. Fewer may be chance. */
const BUMP_COMMANDS_MIN = 6;

/** One command that arrived. */
export interface ArrivedCommand {
  /** ms on the server's clock. */
  readonly atMs: number;
  /**
   * Its way to the server, ms. The client's clock takes half of its shortest round trip for the
   * way, so the shortest delay is this half.
   */
  readonly delayMs: number;
}

/** Tracks whether losses show in the delays of one client's commands. */
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
