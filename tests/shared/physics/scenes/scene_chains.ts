/**
 * The scene's chains: hills and a one-way bridge of the ground, and a barrel that turns with
 * pebbles in it.
 */
import { cos, sin } from "../../../../shared/physics/core/math.ts";
import {
  archetype,
  type ChainPoint,
  type FixtureDef,
} from "../../../../shared/physics/core/types.ts";
import type { Stage } from "../../../../shared/physics/stage/stage.ts";

export const CHAIN_GROUND: readonly FixtureDef[] = [
  {
    shape: {
      chain: [[-12, 0], [-11, 0.15], [-10, 0.2], [-9, 0.1], [-8, 0]],
      ghosts: [[-13, 0], [-7, 0]],
    },
  },
  {
    shape: { chain: [[-2, 6.4], [-1, 6], [0, 5.9], [1, 6], [2, 6.4]] },
    oneWay: true,
    friction: 0.3,
  },
];

const BARREL_CORNERS = 10;
const BARREL_RADIUS = 1.8;
/** The middle of the barrel's path, metres. */
export const BARREL_X = 17;
export const BARREL_Y = 13;

/** A loop whose corners bend inwards and outwards in turn. */
export const BARREL = archetype({
  name: "barrel",
  body: {
    fixtures: [{
      shape: { chain: Array.from({ length: BARREL_CORNERS }, (_, i) => corner(i)), loop: true },
    }],
    path: (tick) => ({ x: BARREL_X, y: BARREL_Y + 0.3 * sin(tick / 17), angle: tick / 20 }),
  },
  fields: {},
});

/** Mixed parts, so that circles and polygons meet the barrel. */
export const PEBBLE = archetype({
  name: "pebble",
  body: {
    fixtures: [{ shape: { circle: 0.2, x: -0.15 } }, {
      shape: { box: [0.2, 0.15], x: 0.15 },
      restitution: 0.5,
    }],
  },
  fields: {},
});

function corner(i: number): ChainPoint {
  const angle = 2 * Math.PI * i / BARREL_CORNERS;
  const radius = i % 2 === 0 ? BARREL_RADIUS : 0.8 * BARREL_RADIUS;
  return [radius * cos(angle), radius * sin(angle)];
}

/** A barrel with four pebbles. */
export function startChains(stage: Stage): void {
  stage.spawn(BARREL);
  for (let i = 0; i < 4; i++) {
    stage.spawn(PEBBLE, { x: BARREL_X - 0.6 + 0.4 * i, y: BARREL_Y + 0.5 * (i % 2), vx: i - 2 });
  }
}

/** @returns how many pebbles are in the barrel */
export function countPebbles(stage: Stage): number {
  const [barrel] = stage.all(BARREL);
  return stage.all(PEBBLE).filter(({ x, y }) =>
    Math.hypot(x - barrel!.x, y - barrel!.y) < BARREL_RADIUS
  ).length;
}
