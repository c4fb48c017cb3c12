/**
 * Sky Wells: islands in the air and two towers, without side walls. Who flies out at the left comes
 * in at the right. One island lies half at each edge.
 */
import { arenaOf } from "../arena.ts";

const FLOOR_TOP = 1;

export const SKY_WELLS = arenaOf({
  name: "Sky Wells",
  width: 32,
  height: 18,
  platforms: [
    // The floor and the island at the edges go on beyond them, for those on their way through.
    { x: 16, y: FLOOR_TOP - 0.5, width: 38, height: 1 },
    { x: -0.5, y: 7, width: 6, height: 0.5 },
    { x: 32.5, y: 7, width: 6, height: 0.5 },
    { x: 9, y: 2.6, width: 1.6, height: 3.2 },
    { x: 23, y: 2.6, width: 1.6, height: 3.2 },
    { x: 16, y: 5.6, width: 6, height: 0.5 },
    { x: 10, y: 10, width: 4.5, height: 0.5 },
    { x: 22, y: 10, width: 4.5, height: 0.5 },
    { x: 16, y: 13.4, width: 4, height: 0.5 },
  ],
  spawnPoints: [
    { x: 1.4, y: 7.9 },
    { x: 30.6, y: 7.9 },
    { x: 14.5, y: 6.5 },
    { x: 17.5, y: 6.5 },
    { x: 10, y: 10.9 },
    { x: 22, y: 10.9 },
    { x: 16, y: 14.3 },
    { x: 4.5, y: 1.7 },
    { x: 27.5, y: 1.7 },
  ],
  lanes: [8.4, 11.8, 15.2],
  crates: [],
  wraps: true,
  hooks: [
    { x: 16, y: 13.15, rope: 1.6 },
    { x: 10, y: 9.75, rope: 1.4 },
    { x: 22, y: 9.75, rope: 1.4 },
  ],
});
