/** Ragdolls: eleven limbs on limited pins each, which tumble down over pegs. */
import { archetype, jointDef } from "../../../../shared/physics/core/types.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import type { Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { ACTION, scene } from "../scene.ts";

/** As many dolls are on the stage; the oldest one goes when another one comes. */
const DOLLS_MAX = 12;
const DROP_EVERY_TICKS = 12;

function limb(name: string, halfWidth: number, halfHeight: number) {
  // A limb collides with the limbs of other dolls only: a leg caught in the other knee would bend
  // it over.
  const fixtures = [{
    shape: { box: [halfWidth, halfHeight] },
    friction: 0.4,
    restitution: 0.1,
  }] as const;
  return archetype({ name, body: { fixtures, angularDamping: 0.4 }, fields: { doll: "u16" } });
}

const HEAD = archetype({
  name: "head",
  body: { fixtures: [{ shape: { circle: 0.26 }, restitution: 0.2 }], angularDamping: 0.4 },
  fields: { doll: "u16" },
});
const CHEST = limb("chest", 0.3, 0.38);
const HIPS = limb("hips", 0.27, 0.22);
const ARM = limb("arm", 0.32, 0.1);
const HAND = limb("forearm", 0.3, 0.085);
const THIGH = limb("thigh", 0.125, 0.34);
const SHIN = limb("shin", 0.1, 0.34);
const LIMBS = [HEAD, CHEST, HIPS, ARM, HAND, THIGH, SHIN];

const pin = (name: string, lower: number, upper: number) =>
  jointDef({ name, type: "revolute", limits: { lower, upper }, fields: {} });
const NECK = pin("neck", -0.5, 0.5);
const SPINE = pin("spine", -0.5, 0.5);
const SHOULDER = pin("shoulder", -1.5, 1.5);
const ELBOW = pin("elbow", -1.6, 1.6);
const HIP = pin("hip", -1, 1);
const KNEE = pin("knee", -1.1, 1.1);

/** Spawns one doll around its chest, with its arms stretched out. */
function drop(stage: Stage, x: number, y: number, doll: number): void {
  const part = (kind: typeof HEAD, dx: number, dy: number) =>
    stage.spawn(kind, { x: x + dx, y: y + dy, vx: doll % 3 - 1, fields: { doll } });
  const join = (definition: typeof NECK, a: Entity, b: Entity, dx: number, dy: number) =>
    stage.joints.add(definition, a, b, { x: x + dx, y: y + dy });
  const chest = part(CHEST, 0, 0);
  const hips = part(HIPS, 0, -0.62);
  join(NECK, chest, part(HEAD, 0, 0.66), 0, 0.42);
  join(SPINE, chest, hips, 0, -0.4);
  for (const side of [-1, 1]) {
    const arm = part(ARM, 0.62 * side, 0.27);
    const thigh = part(THIGH, 0.15 * side, -1.16);
    join(SHOULDER, chest, arm, 0.32 * side, 0.27);
    join(ELBOW, arm, part(HAND, 1.22 * side, 0.27), 0.93 * side, 0.27);
    join(HIP, hips, thigh, 0.15 * side, -0.84);
    join(KNEE, thigh, part(SHIN, 0.15 * side, -1.82), 0.15 * side, -1.49);
  }
}

/** Pegs in rows, each of which is shifted against the row above it. */
const PEGS = Array.from({ length: 18 }, (_, i) => {
  const row = Math.floor(i / 6);
  return {
    shape: { circle: 0.35, x: -11.25 + 4 * (i % 6) + 2.5 * (row % 2), y: 3 - 3 * row },
    friction: 0.2,
  };
});

export const ragdolls = scene({
  name: "ragdolls",
  title: "Ragdolls",
  hint: "Hold Space to drop more. Grab one and throw it.",
  keys: ACTION,
  view: { x: 0, y: 0.6, height: 17 },
  colours: {
    head: "gold",
    chest: "ember",
    hips: "violet",
    arm: "ember",
    forearm: "gold",
    thigh: "violet",
    shin: "violet",
  },
  stage: {
    gravity: 10,
    tickHz: 20,
    substeps: 3,
    features: [joints],
    ground: [
      { shape: { box: [40, 10], y: -17 } },
      { shape: { box: [1, 30], x: -15.2 } },
      { shape: { box: [1, 30], x: 15.2 } },
      ...PEGS,
    ],
    archetypes: LIMBS,
    joints: [NECK, SPINE, SHOULDER, ELBOW, HIP, KNEE],
    fields: { dropped: "u16", ticksToDrop: "u8" },
    shouldCollide: (a, b) => a.fields.doll !== b.fields.doll,
  },
  start(stage) {
    for (let doll = 0; doll < 4; doll++) drop(stage, -7.5 + 5 * doll, 7.2 + doll % 2, doll);
    stage.fields.dropped = 4;
  },
  tick(stage, { keys }) {
    const { fields } = stage;
    if (fields.ticksToDrop > 0) fields.ticksToDrop--;
    else if (keys & ACTION) {
      const oldest = fields.dropped - DOLLS_MAX;
      for (const limb of stage.entities()) if (limb.fields.doll === oldest) stage.despawn(limb);
      drop(stage, fields.dropped * 7 % 21 - 10, 11, fields.dropped);
      fields.dropped++;
      fields.ticksToDrop = DROP_EVERY_TICKS;
    }
  },
  shotTicks: 92,
  proof: {
    claim:
      "twelve dolls come to lie with every limb within 5 cm of its joint and 5 degrees of its limits",
    ticks: 400,
    keys: (tick) => tick < 130 ? ACTION : 0,
    check(stage) {
      let gap = 0;
      let over = 0;
      for (const definition of [NECK, SPINE, SHOULDER, ELBOW, HIP, KNEE]) {
        for (const { ax, ay, bx, by, angle, lower, upper } of stage.joints.all(definition)) {
          gap = Math.max(gap, Math.hypot(bx - ax, by - ay));
          over = Math.max(over, lower - angle, angle - upper);
        }
      }
      const figures = `${stage.entityCount} limbs, gap ${gap} m, ${over} rad beyond the limits`;
      if (stage.entityCount !== 11 * DOLLS_MAX || gap > 0.05 || over > 5 * Math.PI / 180) {
        throw new Error(figures);
      }
      return figures;
    },
  },
});
