/**
 * Cavern: rocks in a lake of lava, and a bridge between two of them that burns. Who comes too low is
 * gripped by the troll's hand, and what falls in is lost.
 */
import { arenaOf, CRATE_HALF } from "../arena.ts";

export const CAVERN = arenaOf({
  name: "Cavern",
  width: 32,
  height: 18,
  platforms: [
    // The bottom of the lake
    { x: 16, y: -0.5, width: 32, height: 1 },
    { x: 4, y: 3.4, width: 6, height: 0.7 },
    { x: 28, y: 3.4, width: 6, height: 0.7 },
    { x: 16, y: 3, width: 5.5, height: 0.7 },
    { x: 10, y: 7.2, width: 5, height: 0.6 },
    { x: 22, y: 7.2, width: 5, height: 0.6 },
    { x: 16, y: 11, width: 6, height: 0.6 },
    { x: 3, y: 10.6, width: 4, height: 0.6 },
    { x: 29, y: 10.6, width: 4, height: 0.6 },
  ],
  spawnPoints: [
    { x: 3.5, y: 4.4 },
    { x: 28.5, y: 4.4 },
    { x: 10, y: 8.1 },
    { x: 22, y: 8.1 },
    { x: 14.5, y: 11.9 },
    { x: 17.5, y: 11.9 },
    { x: 2.8, y: 11.5 },
    { x: 29.2, y: 11.5 },
  ],
  lanes: [5.2, 9, 13.2],
  crates: [-0.9, 0, 0.9].map((x) => ({ x: 16 + x, y: 3.35 + CRATE_HALF + 0.01 })),
  lava: 1.2,
  // From the left rock in the middle to the right one
  bridge: { x: 16, y: 7.25 },
  hooks: [
    { x: 16, y: 10.7, rope: 1.6 },
    { x: 4, y: 10.3, rope: 1.5 },
    { x: 28, y: 10.3, rope: 1.5 },
  ],
});
