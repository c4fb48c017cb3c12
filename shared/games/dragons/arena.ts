/** The places where dragons meet. An arena is data; the walls around it are the rules' business. Metres, y grows upwards. */

export interface Platform {
  /** The middle of it. */
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
  /** Where dragons come in: the place of their middle. */
  readonly spawnPoints: readonly Point[];
  /** Heights, ascending, at which a dragon can cross the whole width without meeting a platform. */
  readonly lanes: readonly number[];
  /** Where the stack of crates begins: the middle of each crate. */
  readonly crates: readonly Point[];
}

/** Half a crate's side, metres. */
export const CRATE_HALF = 0.4;

/** Metres outside the walls at which something counts as lost: it tunnelled, which no rule wants. */
const LOST_MARGIN = 0.5;

/** Whether something is where nothing can come back from. */
export function isOutside({ width, height }: Arena, { x, y }: Point): boolean {
  const inside = x >= -LOST_MARGIN && x <= width + LOST_MARGIN && y >= -LOST_MARGIN && y <= height + LOST_MARGIN;
  return !inside;
}

/** Brings what is outside to the wall it came through; all else stays where it is. */
export function clampInside(arena: Arena, point: { x: number; y: number }): void {
  if (!isOutside(arena, point)) return;
  point.x = Math.min(Math.max(point.x, 0), arena.width);
  point.y = Math.min(Math.max(point.y, 0), arena.height);
}

const FLOOR_TOP = 1;

/** The classic: a floor, five ledges, a stack of ten crates in the middle. */
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
  // A pyramid of 4, 3, 2 and 1 on the floor: it stands by itself and falls well.
  crates: [0, 1, 2, 3].flatMap((row) =>
    Array.from({ length: 4 - row }, (_, column) => ({
      x: 16 + (column - (3 - row) / 2) * (CRATE_HALF * 2 + 0.04),
      y: FLOOR_TOP + CRATE_HALF + row * CRATE_HALF * 2,
    }))
  ),
};
