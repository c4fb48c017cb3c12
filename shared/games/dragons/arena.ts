/**
 * Arenas as data, in metres, y upwards. The walls around an arena belong to the declaration.
 */

export interface Platform {
  /** The centre. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Arena {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly platforms: readonly Platform[];
  /** The centres of entering dragons. */
  readonly spawnPoints: readonly Point[];
  /** Heights, ascending, at which a dragon crosses the whole width without meeting a platform. */
  readonly lanes: readonly number[];
  /** The centres of the stacked crates at the start of a round. */
  readonly crates: readonly Point[];
}

/** Half a crate's side, metres. */
export const CRATE_HALF = 0.4;

/** Metres outside of the walls beyond which an entity is lost: it has tunnelled. */
const LOST_MARGIN = 0.5;

/** True for a place from which nothing can come back. */
export function isOutside({ width, height }: Arena, { x, y }: Point): boolean {
  const inside = x >= -LOST_MARGIN && x <= width + LOST_MARGIN && y >= -LOST_MARGIN &&
    y <= height + LOST_MARGIN;
  return !inside;
}

const FLOOR_TOP = 1;

/** A floor, five ledges, a stack of ten crates in the middle. */
export const LEDGES: Arena = {
  name: "Ledges",
  width: 32,
  height: 18,
  platforms: [
    { x: 16, y: FLOOR_TOP - 0.5, width: 32, height: 1 },
    { x: 6.5, y: 5.2, width: 7, height: 0.5 },
    { x: 25.5, y: 5.2, width: 7, height: 0.5 },
    { x: 16, y: 8.6, width: 8, height: 0.5 },
    { x: 3.5, y: 11.4, width: 5, height: 0.5 },
    { x: 28.5, y: 11.4, width: 5, height: 0.5 },
  ],
  spawnPoints: [
    { x: 4.5, y: 6.1 },
    { x: 27.5, y: 6.1 },
    { x: 13.5, y: 9.5 },
    { x: 18.5, y: 9.5 },
    { x: 2.5, y: 12.3 },
    { x: 29.5, y: 12.3 },
    { x: 3, y: 1.7 },
    { x: 29, y: 1.7 },
  ],
  lanes: [3.3, 6.9, 10, 13.2],
  // A pyramid with rows of 4, 3, 2 and 1 on the floor: it stands by itself and falls well.
  crates: [0, 1, 2, 3].flatMap((row) =>
    Array.from({ length: 4 - row }, (_, column) => ({
      x: 16 + (column - (3 - row) / 2) * (CRATE_HALF * 2 + 0.04),
      y: FLOOR_TOP + CRATE_HALF + row * CRATE_HALF * 2,
    }))
  ),
};
