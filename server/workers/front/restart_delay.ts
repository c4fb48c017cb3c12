/** How long a match process that has ended stays away. */

/** The wait before each start, ms. The first one is for players who are in a match; a process that cannot live waits. */
const DELAYS_MS = [0, 500, 1_000, 2_000, 5_000, 10_000] as const;
/** A process that has lived for so long, ms, begins anew. */
const LIVED_MS = 30_000;

export class RestartDelay {
  #failures = 0;

  /** @param livedMs how long the process was up @returns the wait before the next start, ms */
  next(livedMs: number): number {
    if (livedMs >= LIVED_MS) this.#failures = 0;
    return DELAYS_MS[Math.min(this.#failures++, DELAYS_MS.length - 1)]!;
  }
}
