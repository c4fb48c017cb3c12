/** Empty ground, a block, a ball, and a joint of every type, for the tests of joints. */
import { FEATURES } from "./features.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype, jointDef, type StageDef } from "../../../../shared/physics/core/types.ts";

/** 0.64 kg. */
export const BLOCK = archetype({
  name: "block",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] } }] },
  fields: {},
});
/** 1 kg. */
export const WEIGHT = archetype({
  name: "weight",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] } }], fixedRotation: true },
  fields: {},
});
/** Gravity does not act on it. */
export const FLOATER = archetype({
  name: "floater",
  body: { fixtures: [{ shape: { circle: 0.5 } }], gravityScale: 0 },
  fields: {},
});

/** Turns at 4 rad/s. Its field is the angle at the start, in thousandths of a radian. */
export const TURNTABLE = archetype({
  name: "turntable",
  body: {
    fixtures: [{ shape: { circle: 1 } }],
    path: (tick, fields) => ({
      x: fields["x"]!,
      y: 25,
      angle: fields["startMrad"]! / 1000 + tick * 0.2,
    }),
  },
  fields: { startMrad: "i32", x: "i32" },
});

export const SPARK = archetype({
  name: "spark",
  projectile: { radius: 0.1, lifeTicks: 20 },
  fields: {},
});

const age = { fields: { ageTicks: "u8", strain: "f32" } } as const;

export const HINGE = jointDef({ name: "hinge", type: "revolute", collide: false, ...age });
export const DOOR = jointDef({
  name: "door",
  type: "revolute",
  limits: { lower: -0.5, upper: 0.75 },
  motor: { speed: 2, torqueMax: 1000 },
  ...age,
});
export const PADDLE = jointDef({
  name: "paddle",
  type: "revolute",
  limits: { lower: -0.2, upper: 0.2 },
  ...age,
});
export const WHEEL = jointDef({
  name: "wheel",
  type: "revolute",
  motor: { speed: 6, torqueMax: 50 },
  ...age,
});
export const LIFT = jointDef({
  name: "lift",
  type: "prismatic",
  limits: { lower: -1, upper: 2 },
  motor: { speed: 1, forceMax: 500 },
  ...age,
});
export const ROD = jointDef({ name: "rod", type: "distance", ...age });
export const SPRING = jointDef({
  name: "spring",
  type: "distance",
  spring: { frequencyHz: 2, dampingRatio: 0 },
  ...age,
});
export const ROPE = jointDef({ name: "rope", type: "rope", collide: true, ...age });
export const THREAD = jointDef({ name: "thread", type: "rope", breakForce: 20, ...age });
export const WELD = jointDef({ name: "weld", type: "weld", ...age });
export const GLUE = jointDef({ name: "glue", type: "weld", breakForce: 20, ...age });

export const RAIL = jointDef({
  name: "rail",
  type: "prismatic",
  limits: { lower: -3, upper: 3 },
  changeable: true,
  ...age,
});
/** A hinge whose limits and motor may change. */
export const ELBOW = jointDef({
  name: "elbow",
  type: "revolute",
  limits: { lower: -0.5, upper: 0.5 },
  motor: { speed: 2, torqueMax: 100 },
  changeable: true,
  ...age,
});
/** Box2D's names of the other six types are those of the types. */
export const STRUT = jointDef({
  name: "strut",
  type: "wheel",
  spring: { frequencyHz: 4, dampingRatio: 0.7 },
  motor: { speed: 4, torqueMax: 20 },
  changeable: true,
  ...age,
});
export const DRAG = jointDef({
  name: "drag",
  type: "mouse",
  forceMax: 100,
  changeable: true,
  ...age,
});
export const TOW = jointDef({
  name: "tow",
  type: "motor",
  forceMax: 40,
  torqueMax: 5,
  changeable: true,
  ...age,
});
/** 2 m/s² and 1 rad/s² for a floater. */
export const BRAKE = jointDef({
  name: "brake",
  type: "friction",
  forceMax: Math.PI / 2,
  torqueMax: Math.PI / 32,
  changeable: true,
  ...age,
});
export const HOIST = jointDef({ name: "hoist", type: "pulley", ratio: 2, ...age });
export const COG = jointDef({ name: "cog", type: "gear", ratio: 2, ...age });
export const COTTER = jointDef({ name: "cotter", type: "gear", breakForce: 5, ...age });

export const WORKSHOP: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [50, 0.5], y: -0.5 } }],
  archetypes: [BLOCK, WEIGHT, FLOATER, TURNTABLE, SPARK],
  joints: [
    HINGE,
    DOOR,
    PADDLE,
    WHEEL,
    LIFT,
    ROD,
    SPRING,
    ROPE,
    THREAD,
    WELD,
    GLUE,
    RAIL,
    ELBOW,
    STRUT,
    DRAG,
    TOW,
    BRAKE,
    HOIST,
    COG,
    COTTER,
  ],
  fields: {},
};

export function workshop(): Stage {
  return new Stage(WORKSHOP);
}

/** @param each called after every tick */
export function run(stage: Stage, ticks: number, each: () => void = () => {}): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
    each();
  }
}

/** Runs ticks. @param read called while the lists of a tick are there */
export function runReading(stage: Stage, ticks: number, read: () => void): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    read();
    stage.endTick();
  }
}
