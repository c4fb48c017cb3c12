/** Ledges: a floor, five ledges, a stack of ten crates in the middle. */
import { arenaOf, CRATE_HALF } from "../arena.ts";

const FLOOR_TOP = 1;

export const LEDGES = arenaOf({
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
  hooks: [
    { x: 16, y: 8.35, rope: 1.6 },
    { x: 5, y: 11.15, rope: 1.5 },
    { x: 27, y: 11.15, rope: 1.5 },
  ],
});
