/**
 * Pulleys: a lift with its counterweight, driven by a winch; and a block and tackle that halves the
 * load.
 */
import { archetype, jointDef } from "../../../../shared/physics/core/types.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import type { Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { DOWN, scene, UP } from "../scene.ts";

/** Metres. */
const BEAM_Y = 6;
const CABIN_X = -7;
const WEIGHT_X = -2.5;
const BIG_X = 3;
const LIGHT_X = 7.5;
/** m/s and N of the motor on the rail of the lift's cabin. */
const SPEED = 1.6;
const FORCE = 1500;

const CABIN = archetype({
  name: "cabin",
  body: {
    fixtures: [
      { shape: { box: [1.4, 0.12], y: -1 }, density: 8 },
      { shape: { box: [1.4, 0.12], y: 1.1 }, density: 4 },
      { shape: { box: [0.1, 1], x: -1.3 }, density: 2 },
    ],
  },
  fields: {},
});
const WEIGHT = archetype({
  name: "weight",
  body: { fixtures: [{ shape: { box: [0.6, 0.8] }, density: 11.5 }] },
  fields: {},
});
const BIG = archetype({
  name: "big",
  body: { fixtures: [{ shape: { box: [1, 0.8] }, density: 12 }] },
  fields: {},
});
const LIGHT = archetype({
  name: "light",
  body: { fixtures: [{ shape: { box: [0.625, 0.64] }, density: 12 }] },
  fields: {},
});
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] } }] },
  fields: {},
});

const ROPE = jointDef({ name: "rope", type: "pulley", fields: {} });
/**
 * |big's side| + |light's side| / 2 would lift at half the force; here the light side counts twice.
 */
const TACKLE = jointDef({ name: "tackle", type: "pulley", ratio: 0.5, fields: {} });
const SHAFT = jointDef({
  name: "shaft",
  type: "prismatic",
  limits: { lower: -2.3, upper: 3.6 },
  motor: { speed: 0, forceMax: FORCE },
  fields: {},
});

/** Hangs a and b on one rope over the beam. */
function hang(
  stage: Stage,
  definition: typeof ROPE,
  a: Entity,
  b: Entity,
  tops: readonly [number, number],
): void {
  const [topA, topB] = tops;
  const x = a.x;
  const y = a.y + topA;
  const places = {
    bx: b.x,
    by: b.y + topB,
    groundA: { x, y: BEAM_Y },
    groundB: { x: b.x, y: BEAM_Y },
  };
  stage.joints.add(definition, a, b, { x, y, ...places });
}

export const pulleys = scene({
  name: "pulleys",
  title: "Pulleys",
  hint: "Up and down move the lift. Put crates on the hanging weights.",
  keys: UP | DOWN,
  view: { x: 0, y: 1, height: 13.5 },
  colours: { cabin: "sky", weight: "slate", big: "ember", light: "violet", crate: "wood" },
  stage: {
    gravity: 10,
    tickHz: 20,
    substeps: 3,
    features: [joints],
    ground: [
      { shape: { box: [40, 10], y: -14.2 } },
      { shape: { box: [11, 0.2], y: BEAM_Y + 0.7 }, mask: 0 },
      { shape: { box: [1.2, 0.15], x: -9.8, y: 1.7 } },
    ],
    archetypes: [CABIN, WEIGHT, BIG, LIGHT, CRATE],
    joints: [ROPE, TACKLE, SHAFT],
    fields: {},
  },
  start(stage) {
    const cabin = stage.spawn(CABIN, { x: CABIN_X, y: -0.7 });
    hang(stage, ROPE, cabin, stage.spawn(WEIGHT, { x: WEIGHT_X, y: 0.6 }), [1.22, 0.8]);
    stage.joints.add(SHAFT, stage.ground, cabin, { x: CABIN_X, y: -0.7, axis: { x: 0, y: 1 } });
    const big = stage.spawn(BIG, { x: BIG_X, y: -0.6 });
    hang(stage, TACKLE, big, stage.spawn(LIGHT, { x: LIGHT_X, y: 0 }), [0.8, 0.64]);
    for (let i = 0; i < 6; i++) {
      stage.spawn(CRATE, { x: -0.4 + 0.9 * (i % 3), y: -3.75 + 0.82 * Math.floor(i / 3) });
    }
    for (let i = 0; i < 2; i++) stage.spawn(CRATE, { x: CABIN_X - 0.6 + 0.9 * i, y: -1.15 });
  },
  tick(stage, { keys }) {
    const [shaft] = stage.joints.all(SHAFT);
    const direction = (keys & UP ? 1 : 0) - (keys & DOWN ? 1 : 0);
    stage.joints.setMotor(shaft!, { speed: SPEED * direction });
  },
  marks(stage, draw) {
    for (const rope of [...stage.joints.all(ROPE), ...stage.joints.all(TACKLE)]) {
      draw.text((rope.ax + rope.bx) / 2, BEAM_Y - 0.6, `${Math.round(rope.force)} N`, "snow");
    }
  },
  shotTicks: 30,
  proof: {
    claim:
      "the lift rises, the ropes keep their lengths, and a tackle holds twice its counterweight",
    keys: (tick) => tick < 100 ? UP : 0,
    check(stage) {
      const [cabin] = stage.all(CABIN);
      const [big] = stage.all(BIG);
      const [light] = stage.all(LIGHT);
      const slips = [...stage.joints.all(ROPE), ...stage.joints.all(TACKLE)].map(slipOf);
      const figures = `cabin ${cabin!.y}, ropes ${slips}, big ${big!.y} light ${light!.y}`;
      if (cabin!.y < 1.5 || Math.max(...slips) > 0.03 || Math.abs(big!.y + 0.6) > 1) {
        throw new Error(figures);
      }
      return figures;
    },
  },
});

/** How far a rope is longer or shorter than it was made, metres. */
function slipOf(
  { ax, ay, bx, by, groundA, groundB, ratio, length }: ReturnType<Stage["joints"]["all"]>[number],
): number {
  const sideA = Math.hypot(ax - groundA.x, ay - groundA.y);
  const sideB = Math.hypot(bx - groundB.x, by - groundB.y);
  return Math.abs(sideA + ratio * sideB - length);
}
