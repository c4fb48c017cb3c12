/** Which way a player aims. Several devices can aim; the last one used counts. */

/** Angles are in radians, 0 ≤ angle < 2π, counterclockwise from the right. */
export interface AimSource {
  /**
   * Reads the device.
   * @returns whether the player aimed with it since the last call
   */
  update(): boolean;
  /** The newest angle; undefined before the first. */
  readonly angle: number | undefined;
}

/** Combines several sources. */
export class NewestAim {
  readonly #sources: readonly AimSource[];
  #newest: AimSource | undefined;
  /**
   * How often the player aimed. The angle alone would not show it, because it also changes when the
   * own body moves.
   */
  moves = 0;

  /** @param sources if two aim at once, the last one counts */
  constructor(...sources: readonly AimSource[]) {
    this.#sources = sources;
  }

  /** Reads every source. @returns the angle; undefined before the player first aims */
  read(): number | undefined {
    for (const source of this.#sources) {
      if (!source.update()) continue;
      this.#newest = source;
      this.moves++;
    }
    return this.#newest?.angle;
  }
}

/** Computes a vector's angle on a screen, where y points down. */
export function angleOf(x: number, y: number): number {
  const angle = Math.atan2(-y, x);
  return angle < 0 ? Math.max(0, angle + 2 * Math.PI) : angle;
}
