/**
 * The scene's paths, one-way fixtures, forces and impulses. A raft and a lift move on paths. A slab
 * and a line are one-way. Hoppers ride, jump through, drop and are thrown about, and count all of
 * that in their fields.
 */
import { cos, sin } from "../../../../shared/physics/core/math.ts";
import type { Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype, type FixtureDef } from "../../../../shared/physics/core/types.ts";

/** Heights of the one-way surfaces, metres. */
const SLAB_TOP = 7;
const LINE_TOP = 2.5;

export const MOVING_GROUND: readonly FixtureDef[] = [
  { shape: { box: [2.5, 0.2], x: -13, y: SLAB_TOP - 0.2 }, oneWay: true },
  { shape: { edge: [8, LINE_TOP, 15, LINE_TOP] }, oneWay: true, friction: 0.8 },
];

/** One-way; it moves and tilts all the time. */
export const RAFT = archetype({
  name: "raft",
  body: {
    fixtures: [{ shape: { box: [2, 0.15] }, oneWay: true, friction: 0.9 }],
    path: (tick) => ({
      x: -6 + 5 * sin(tick / 31),
      y: 8 + 2 * cos(tick / 23),
      angle: 0.15 * sin(tick / 13),
    }),
  },
  fields: {},
});

/**
 * Solid. It rests for four seconds at each end. Its field `side` teleports it to the other side.
 */
export const LIFT = archetype({
  name: "lift",
  body: {
    fixtures: [{ shape: { box: [1.5, 0.2] }, friction: 0.9 }],
    path: (tick, { side }) => {
      const beat = tick % 240;
      const way = beat < 40 ? beat / 40 : beat < 120 ? 1 : beat < 160 ? (160 - beat) / 40 : 0;
      return { x: side === 1 ? -3 : 14, y: 4 + 5 * way };
    },
  },
  fields: { side: "u8" },
});

export const HOPPER = archetype({
  name: "hopper",
  body: {
    fixtures: [{ shape: { circle: 0.35 }, friction: 0.5 }, {
      shape: { box: [0.25, 0.2], y: 0.45 },
    }],
    fixedRotation: true,
  },
  fields: {
    drops: "u8",
    below: "u8",
    stood: "u8",
    passes: "u16",
    landings: "u16",
    rides: "u16",
    falls: "u16",
    pushes: "u16",
  },
});

/** Counts over all hoppers and lifts. The sync test requires each of them to be above 0. */
export interface MovingTally {
  passesFromBelow: number;
  landings: number;
  carriedRiders: number;
  dropsThrough: number;
  pushesByForce: number;
  leaps: number;
}

export const NOTHING_MOVED: Readonly<MovingTally> = {
  passesFromBelow: 0,
  landings: 0,
  carriedRiders: 0,
  dropsThrough: 0,
  pushesByForce: 0,
  leaps: 0,
};

type Draw = (salt: number) => number;

/** Four hoppers, a raft and a lift. */
export function startMoving(stage: Stage): void {
  stage.spawn(RAFT);
  stage.spawn(LIFT);
  for (const x of [-13, -6, 10, 14]) stage.spawn(HOPPER, { x, y: 9.5 });
}

/**
 * Before `advance`: makes hoppers jump, drop and be pushed, and sometimes replaces the raft or
 * teleports the lift.
 */
export function stepMoving(stage: Stage, draw: Draw): void {
  for (const hopper of stage.all(HOPPER)) {
    const choice = draw(hopper.id + 1_000);
    if (hopper.fields.drops > 0) hopper.fields.drops--;
    if (hopper.fields.stood === 1 && choice % 17 === 0) {
      stage.setVelocity(hopper, (choice >>> 8) % 5 - 2, 9 + (choice >>> 12) % 8);
    } else if (hopper.fields.stood === 1 && choice % 29 === 1) hopper.fields.drops = 2;
    else if (choice % 7 === 2) {
      const fx = hopper.x > 0 ? -4 : 4, at = { x: hopper.x, y: hopper.y + 0.5 };
      if (choice % 14 === 2) stage.applyForce(hopper, fx, 12, at);
      else stage.applyImpulse(hopper, fx / 8, 0.4);
      hopper.fields.pushes++;
    }
    if (choice % 211 === 3) stage.teleport(hopper, hopper.x > 0 ? 11 : -13, 1);
    const [raft] = stage.all(RAFT);
    if (choice % 73 === 4) stage.teleport(hopper, raft!.x, raft!.y + 0.7);
  }

  const choice = draw(2_000);
  if (choice % 90 === 0) stage.all(LIFT)[0]!.fields.side ^= 1;
  if (choice % 150 !== 1) return;
  stage.despawn(stage.all(RAFT)[0]!);
  stage.spawn(RAFT);
}

/** After `advance`: counts events in the fields of the hoppers. */
export function countMoving(stage: Stage): void {
  for (const hopper of stage.all(HOPPER)) {
    const { fields } = hopper;
    const stands = stage.isSupported(hopper);
    const foot = hopper.y - 0.35;
    const top = hopper.x < 0 ? SLAB_TOP : LINE_TOP;
    const over = hopper.x < 0 ? Math.abs(hopper.x + 13) < 2.5 : Math.abs(hopper.x - 11.5) < 3.5;
    if (over && fields.below === 1 && foot > top && hopper.vy > 1) fields.passes++;
    if (over && fields.below === 0 && foot < top - 0.3) fields.falls++;
    if (over && stands && fields.stood === 0 && Math.abs(foot - top) < 0.05) fields.landings++;
    if (stands && stage.touchingNow(hopper).some((other) => other.archetype === RAFT)) {
      fields.rides++;
    }
    fields.below = foot < top ? 1 : 0;
    fields.stood = stands ? 1 : 0;
  }
}

/** Sums up the counts of all hoppers and of the lift. */
export function tallyMoving(stage: Stage): MovingTally {
  const sum = (name: "passes" | "landings" | "rides" | "falls" | "pushes"): number =>
    stage.all(HOPPER).reduce((total, { fields }) => total + fields[name], 0);
  return {
    passesFromBelow: sum("passes"),
    landings: sum("landings"),
    carriedRiders: sum("rides"),
    dropsThrough: sum("falls"),
    pushesByForce: sum("pushes"),
    leaps: stage.all(LIFT)[0]!.teleports,
  };
}
