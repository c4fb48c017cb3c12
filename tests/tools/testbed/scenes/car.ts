/** A car on two sprung wheels drives over hills, a seesaw and a loose pile. */
import { archetype, type ChainPoint, jointDef } from "../../../../shared/physics/core/types.ts";
import { chains } from "../../../../shared/physics/chains/feature.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import type { Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { ACTION, LEFT, RIGHT, scene } from "../scene.ts";

/** rad/s and N·m of a driven wheel. */
const SPEED = 32;
const TORQUE = 55;
const BRAKE_TORQUE = 120;
/** Metres: the wheels must not go so far into the body. */
const TRAVEL_MAX = 0.5;
/** N·s that a jump gives to the car's body. */
const JUMP = 55;

/** Heights of the road, every 4 m from x = 16 on. */
// deno-fmt-ignore
const HEIGHTS = [
  0, 0.4, 1.4, 1.1, 0, -0.6, -1.6, -1.2,
  0, 1.6, 2.2, 1.4, 0.2, 0, 0, 0,
  0, 0, 0, 0.8, 0, 0.8, 0, 0.8,
  0,
];
/** Smooth between two heights: a point at every metre. */
function roadAt(x: number): ChainPoint {
  const i = Math.floor((x - 16) / 4);
  const share = (x - 16) / 4 - i;
  const from = HEIGHTS[i]!;
  const to = HEIGHTS[i + 1]!;
  return [x, from + (to - from) * share * share * (3 - 2 * share)];
}

const ROAD: readonly ChainPoint[] = [
  [-24, 14],
  [-20, 0],
  [12, 0],
  ...Array.from({ length: 96 }, (_, i) => roadAt(16 + i)),
  [150, 0],
  [154, 14],
];
/** Where the seesaw stands, metres. */
const SEESAW_X = 76;
const PILE_X = 128;

const BODY = archetype({
  name: "body",
  body: {
    fixtures: [
      {
        shape: {
          polygon: [[-1.6, -0.4], [1.6, -0.4], [1.6, 0.05], [1.1, 0.2], [-1.5, 0.25], [-1.6, 0.1]],
        },
      },
      { shape: { polygon: [[-1.3, 0.22], [0.7, 0.22], [0.2, 0.85], [-0.95, 0.85]] }, density: 0.4 },
    ],
  },
  fields: { ticksToJump: "u8", travelMax: "f32" },
});
const WHEEL = archetype({
  name: "wheel",
  body: { fixtures: [{ shape: { circle: 0.45 }, friction: 1.1 }] },
  fields: {},
});
const BOARD = archetype({
  name: "board",
  body: { fixtures: [{ shape: { box: [6, 0.15] } }] },
  fields: {},
});
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] }, density: 0.3 }] },
  fields: {},
});

const AXLE = jointDef({
  name: "axle",
  type: "wheel",
  spring: { frequencyHz: 4, dampingRatio: 0.7 },
  motor: { speed: 0, torqueMax: TORQUE },
  changeable: true,
  fields: {},
});
const HINGE = jointDef({
  name: "hinge",
  type: "revolute",
  limits: { lower: -0.22, upper: 0.22 },
  fields: {},
});

function buildCar(stage: Stage, x: number, y: number): void {
  const body = stage.spawn(BODY, { x, y });
  for (const offset of [-1, 1.05]) {
    const place = { x: x + offset, y: y - 0.5 };
    const wheel = stage.spawn(WHEEL, place);
    stage.joints.add(AXLE, body, wheel, { ...place, axis: { x: 0, y: 1 } });
  }
}

/** Drives both wheels: full power, a brake when the keys lead the other way, or rolling on. */
function drive(stage: Stage, body: Entity, direction: number): void {
  const isBraking = direction * body.vx < -1;
  for (const axle of stage.joints.all(AXLE)) {
    // To the right a wheel turns clockwise.
    const speed = isBraking ? 0 : -SPEED * direction;
    stage.joints.setMotor(axle, {
      on: direction !== 0,
      speed,
      torqueMax: isBraking ? BRAKE_TORQUE : TORQUE,
    });
  }
}

export const car = scene({
  name: "car",
  title: "Car",
  hint: "Left and right drive and brake. Space jumps. Grab the car by its roof.",
  keys: LEFT | RIGHT | ACTION,
  view: { x: 3, y: 1.6, height: 13 },
  colours: { body: "ember", wheel: "slate", board: "wood", crate: "gold" },
  stage: {
    gravity: 10,
    tickHz: 20,
    substeps: 3,
    features: [chains, joints],
    ground: [{ shape: { chain: ROAD }, friction: 0.9 }],
    archetypes: [BODY, WHEEL, BOARD, CRATE],
    joints: [AXLE, HINGE],
    fields: {},
  },
  start(stage) {
    buildCar(stage, 0, 1.1);
    const board = stage.spawn(BOARD, { x: SEESAW_X, y: 0.9 });
    stage.joints.add(HINGE, stage.ground, board, { x: SEESAW_X, y: 0.9 });
    for (let row = 0; row < 5; row++) stage.spawn(CRATE, { x: PILE_X, y: 0.52 + 1.01 * row });
  },
  tick(stage, { keys }) {
    const [body] = stage.all(BODY);
    const direction = (keys & RIGHT ? 1 : 0) - (keys & LEFT ? 1 : 0);
    drive(stage, body!, direction);
    if (body!.fields.ticksToJump > 0) body!.fields.ticksToJump--;
    else if (keys & ACTION) {
      stage.applyImpulse(body!, 0, JUMP);
      body!.fields.ticksToJump = 20;
    }
  },
  afterStep(stage) {
    const [body] = stage.all(BODY);
    for (const { translation } of stage.joints.all(AXLE)) {
      body!.fields.travelMax = Math.max(body!.fields.travelMax, Math.abs(translation));
    }
  },
  marks(stage, draw) {
    const [body] = stage.all(BODY);
    const { x, y, vx, vy } = body!;
    draw.text(x, y + 2, `${Math.round(3.6 * Math.sqrt(vx * vx + vy * vy))} km/h`, "snow");
  },
  follow: (stage) => stage.all(BODY)[0],
  shotTicks: 95,
  proof: {
    claim: "the car drives 60 m over hills, and its springs give way by less than half a metre",
    keys: () => RIGHT,
    check(stage) {
      const [body] = stage.all(BODY);
      const { travelMax } = body!.fields;
      const figures = `${body!.x.toFixed(1)} m, suspension within ${travelMax.toFixed(2)} m`;
      if (body!.x < 60 || travelMax > TRAVEL_MAX) throw new Error(figures);
      return figures;
    },
  },
});
