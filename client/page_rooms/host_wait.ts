/**
 * How long the host's own messages wait, so that it is no advantage to host.
 *
 * Between what a player sees and the tick that has the answer pass half a round trip and the lead.
 * The lead depends on the whole line, its jitter and its loss, so equal round trips would not be
 * enough. The host's round trip therefore moves until the sum of both is that of the median player:
 *
 *     response = lead + round trip / 2        wait ← wait + gain · (response of the median − own response)
 */

/** How often it moves, ms: a lead follows a changed round trip within a few of these. */
const EVERY_MS = 500;
/** A longer round trip makes the lead longer, too, but later: a higher gain would overshoot. */
const GAIN = 0.15;
/** A player on a line that is slower than this does not make the host wait for longer, ms. */
const WAIT_MS_MAX = 500;

export class HostWait {
  #atMs = -Infinity;
  #ms = 0;

  /** The round trip of the host's own link, ms. */
  get ms(): number {
    return this.#ms;
  }

  /**
   * @param own the host's own response, ms; 0 while it does not play
   * @param others those of the players on other pages, ms
   */
  advance(nowMs: number, { own, others }: { own: number; others: readonly number[] }): void {
    if (nowMs < this.#atMs + EVERY_MS) return;
    this.#atMs = nowMs;
    if (others.length === 0) this.#ms = 0;
    else if (own > 0) {
      const moved = this.#ms + GAIN * (medianOf(others) - own);
      this.#ms = Math.min(WAIT_MS_MAX, Math.max(0, moved));
    }
  }
}

/** Of an even number it is the mean of the two in the middle. */
function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const last = sorted.length - 1;
  return (sorted[Math.floor(last / 2)]! + sorted[Math.ceil(last / 2)]!) / 2;
}
