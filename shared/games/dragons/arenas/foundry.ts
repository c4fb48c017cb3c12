/**
 * Foundry: two conveyors carry crates and dragons to a lift in the middle, which takes them up
 * between the ledges.
 */
import { arenaOf, CRATE_HALF } from "../arena.ts";

const FLOOR_TOP = 1;
/** m/s: half as fast as a dragon runs. */
const BELT_SPEED = 3;
const LIFT_X = 16;
const FLOOR = { y: FLOOR_TOP - 0.5, height: 1 };

export const FOUNDRY = arenaOf({
  name: "Foundry",
  width: 32,
  height: 18,
  platforms: [
    { ...FLOOR, x: 1.5, width: 3 },
    { ...FLOOR, x: 8, width: 10, belt: BELT_SPEED },
    { ...FLOOR, x: 16, width: 6 },
    { ...FLOOR, x: 24, width: 10, belt: -BELT_SPEED },
    { ...FLOOR, x: 30.5, width: 3 },
    { x: 8, y: 5.4, width: 7, height: 0.5 },
    { x: 24, y: 5.4, width: 7, height: 0.5 },
    { x: 10.5, y: 10.2, width: 5, height: 0.5, belt: -BELT_SPEED },
    { x: 21.5, y: 10.2, width: 5, height: 0.5, belt: BELT_SPEED },
  ],
  spawnPoints: [
    { x: 6, y: 6.3 },
    { x: 26, y: 6.3 },
    { x: 10, y: 6.3 },
    { x: 22, y: 6.3 },
    { x: 9.5, y: 11.1 },
    { x: 22.5, y: 11.1 },
    { x: 1.5, y: 1.7 },
    { x: 30.5, y: 1.7 },
  ],
  lanes: [3.3, 7.6, 13.2],
  // Two rows on each side, on the belts.
  crates: [5, 7, 9, 23, 25, 27].flatMap((x) => [{ x, y: FLOOR_TOP + CRATE_HALF + 0.01 }]),
  cratesMax: 8,
  hooks: [{ x: 11.5, y: 9.95, rope: 1.4 }, { x: 20.5, y: 9.95, rope: 1.4 }],
  lift: { x: LIFT_X, width: 3.6, height: 0.4, low: FLOOR_TOP + 0.3, high: 10.4 },
});
