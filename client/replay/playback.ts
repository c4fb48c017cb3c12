/** Moves a replay's position as time goes by. */

/** How many ticks pass in one tick's time. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;
/** Words a speed: "½ ×". */
export function speedText(speed: number): string {
  return `${{ 0.25: "¼", 0.5: "½" }[speed] ?? speed} ×`;
}

/**
 * The most time that counts between two calls, ms, so that after a hidden tab the replay goes on
 * from where it was.
 */
const GAP_MS_MAX = 250;

export class Playback {
  readonly #tickHz: number;
  /** In ticks, with a fraction between two of them. */
  position: number;
  speed = 1;
  isPlaying = false;

  constructor(tickHz: number, position: number) {
    this.#tickHz = tickHz;
    this.position = position;
  }

  /** The tick that counts as shown: the newest one that is fully shown. */
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
