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

  /** @param elapsedMs since the last call @param lastTick where it stops */
  advance(elapsedMs: number, lastTick: number): void {
    if (!this.isPlaying) return;
    const ticks = Math.min(elapsedMs, GAP_MS_MAX) / 1000 * this.#tickHz * this.speed;
    this.position = Math.min(lastTick, this.position + ticks);
    if (this.position >= lastTick) this.isPlaying = false;
  }
}
