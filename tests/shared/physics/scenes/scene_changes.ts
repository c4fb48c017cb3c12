/**
 * The scene's changes of what most stages declare once and for all. The gravity turns and ebbs.
 * Changelings become static, kinematic and dynamic again, while joints hold them. They stop and
 * begin to turn, are bullets or not, and their fixtures are sensors or solid, on or off.
 */
import type { Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype, type BodyType, jointDef } from "../../../../shared/physics/core/types.ts";

/** A thin sensor, a body, an arm, and a spare part. */
export const CHANGELING = archetype({
  name: "changeling",
  body: {
    fixtures: [
      { shape: { box: [0.5, 0.3] } },
      { shape: { circle: 0.3, x: 0.8 }, density: 2 },
      { shape: { box: [0.1, 0.8], y: 0.6 }, enabled: false },
      { shape: { box: [0.05, 1], x: -1 }, sensor: true },
    ],
    mutable: ["type", "bullet", "fixedRotation", "sensor", "enabled"],
  },
  fields: { felt: "u16" },
});

/** Ticks until the rules remove the joint; 0 means never. */
const fields = { leftTicks: "u16" } as const;

/** Holds a changeling at its place, or two of them to each other. */
const TETHER = jointDef({
  name: "tether",
  type: "revolute",
  spring: { frequencyHz: 1.5, dampingRatio: 0.1 },
  changeable: true,
  fields,
});
const BUFFER = jointDef({
  name: "buffer",
  type: "prismatic",
  spring: { frequencyHz: 2, dampingRatio: 0.2 },
  limits: { lower: -1, upper: 1 },
  breakForce: 900,
  breakTorque: 400,
  changeable: true,
  fields,
});
const STRUT = jointDef({
  name: "slack",
  type: "distance",
  spring: { frequencyHz: 1, dampingRatio: 0.1 },
  limits: { lower: 0.5, upper: 2 },
  changeable: true,
  fields,
});
const APART = jointDef({ name: "apart", type: "filter", fields });
/** The jumpers grab with them, too. */
export const CHANGING_JOINTS = [TETHER, BUFFER, STRUT, APART] as const;

type Draw = (salt: number) => number;

/** m/s² downwards, most of the time. */
const GRAVITY = 14;
const TYPES: readonly BodyType[] = ["dynamic", "static", "kinematic", "dynamic"];

// deno-lint-ignore no-explicit-any
type AnyStage = Stage<any>;

/** Three changelings. The first one hangs by a tether, the second one by the first, the third by both ends. */
export function startChanges(stage: AnyStage): void {
  const [first, second, third] = [0, 1, 2].map((i) =>
    stage.spawn(CHANGELING, { x: 9 + 2 * i, y: 11 })
  );
  stage.joints.add(TETHER, stage.ground, first!, { x: 8.5, y: 11 });
  stage.joints.add(TETHER, first!, second!, { x: 10, y: 11 });
  stage.joints.add(STRUT, second!, third!, { x: 11, y: 11, bx: 12.4, by: 11 });
  stage.joints.add(BUFFER, stage.ground, third!, { x: 13, y: 11, axis: { x: 1, y: -1 } });
}

/** Changes the numbers of a changeling's joints. */
function changeJoints({ joints }: AnyStage, draw: Draw): void {
  for (const joint of [TETHER, BUFFER, STRUT].flatMap((kind) => joints.all(kind))) {
    const chance = draw(joint.id + 7_000);
    const share = (chance >>> 8) % 5 / 4;
    if (chance % 37 === 0) joints.setSpring(joint, { frequencyHz: 0.5 + 2 * share });
    if (chance % 37 === 1) joints.setSpring(joint, { dampingRatio: share });
    if (joint.definition === TETHER) continue;
    if (chance % 29 === 2) joints.setLimits(joint, { on: share > 0.3 });
    if (chance % 29 === 3) joints.setLimits(joint, { upper: 1 + share });
    if (chance % 29 === 4) {
      joints.setLimits(joint, { lower: joint.lower < 0 ? -share : 0.2 + 0.7 * share });
    }
  }
}

/** Before `advance`: changes the gravity for a while, and the changelings. */
export function stepChanges(stage: AnyStage, draw: Draw): void {
  const choice = draw(5_000);
  if (choice % 25 === 0) stage.setGravity(GRAVITY);
  else if (choice % 110 === 1) {
    stage.setGravity({ x: (choice >>> 8) % 7 - 3.3, y: (choice >>> 12) % 5 * 0.7 - GRAVITY });
  }
  changeJoints(stage, draw);
  const [first, , third] = stage.all(CHANGELING);
  const isApart = stage.joints.all(APART).length > 0;
  if (choice % 45 === 2 && !isApart && first!.mass > 0) {
    stage.joints.addFilter(APART, first!, third!, { fields: { leftTicks: 30 } });
  }
  for (const each of stage.all(CHANGELING)) {
    const chance = draw(each.id + 6_000);
    const on = (chance >>> 8) % 2 === 0;
    const fixture = (chance >>> 12) % 4;
    const { properties } = stage;
    if (chance % 19 === 0) properties.set(each, { type: TYPES[(chance >>> 8) % 4]! });
    if (chance % 23 === 1) properties.set(each, { fixedRotation: on });
    if (chance % 17 === 2) properties.set(each, { bullet: on });
    if (chance % 29 === 3) properties.set(each, { sensor: on }, fixture);
    if (chance % 13 === 4) properties.set(each, { enabled: on }, fixture);
    if (properties.get(each, "type") === "static") continue;
    if (chance % 31 === 5) stage.setVelocity(each, (chance >>> 8) % 120 - 60, (chance >>> 16) % 9);
    if (chance % 31 === 6) stage.setSpin(each, (chance >>> 8) % 9 - 4);
    if (Math.abs(each.x) > 19 || Math.abs(each.y) > 19) stage.teleport(each, 5, 9, 0.3);
  }
}

/** After `advance`: counts what the changelings touch. */
export function countChanges(stage: AnyStage): void {
  for (const { a, b, began } of stage.contactEvents) {
    for (const one of [a, b]) {
      if (began && one.archetype === CHANGELING) {
        one.fields["felt"] = one.fields["felt"]! + 1 & 0xffff;
      }
    }
  }
}
