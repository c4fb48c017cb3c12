/** The position of a replay as time goes by. */

/** How many ticks pass in the time of one. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;
/** After a longer gap, such as a hidden tab, the replay goes on from where it was, ms. */
const GAP_MS_MAX = 250;

export class Playback {
  readonly #tickHz: number;
  /** Ticks, with a fraction between two of them. */
  position: number;
  speed = 1;
  isPlaying = false;

  constructor(tickHz: number, position: number) {
    this.#tickHz = tickHz;
    this.position = position;
  }

  /** The tick that counts as shown: the newest that is shown in whole. */
  get tick(): number {
    return Math.floor(this.position + 1e-9);
  }

  /**
   * @param elapsedMs since the last call
   * @param ends.ready where it waits for now
   * @param ends.last where it stops
   */
  advance(
    elapsedMs: number,
    { ready, last }: { readonly ready: number; readonly last: number },
  ): void {
    if (!this.isPlaying) return;
    const ticks = Math.min(elapsedMs, GAP_MS_MAX) / 1000 * this.#tickHz * this.speed;
    this.position = Math.min(ready, last, this.position + ticks);
    if (this.position >= last) this.isPlaying = false;
  }
}
