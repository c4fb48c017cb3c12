/** Limits of hinges and rails: what is thrown against them, and motors that press against them. */
import {
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertLessOrEqual,
} from "@std/assert";
import { archetype, jointDef } from "../../../../shared/physics/core/types.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";

interface Rate {
  readonly tickHz: number;
  readonly substeps: number;
  readonly solverSteps?: number;
}

const RATES: readonly Rate[] = [
  { tickHz: 20, substeps: 1 },
  { tickHz: 20, substeps: 2 },
  { tickHz: 60, substeps: 1 },
  { tickHz: 60, substeps: 4 },
  { tickHz: 20, substeps: 2, solverSteps: 4 },
];
const nameOf = (rate: Rate): string => JSON.stringify(rate);

/** Radians and metres. */
const LIMIT = Math.PI / 4;
const END = 1.5;
/** What poses are rounded to when a tick ends. */
const ROUNDING = 1e-6;
/** What a correction of positions leaves: 2°, and a little. */
const LEFT_OVER = 2.1 / 180 * Math.PI;

const ARM = archetype({
  name: "arm",
  body: { fixtures: [{ shape: { box: [2, 0.2] }, density: 2 }] },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.5 }, density: 250 }] },
  fields: {},
});
const limits = { lower: -LIMIT, upper: LIMIT };
const HINGE = jointDef({ name: "hinge", type: "revolute", limits, fields: {} });
const DRIVEN = jointDef({
  name: "driven",
  type: "revolute",
  limits,
  motor: { speed: Math.PI, torqueMax: 1e4 },
  changeable: true,
  fields: {},
});
const RAIL = jointDef({
  name: "rail",
  type: "prismatic",
  limits: { lower: -END, upper: END },
  fields: {},
});
const LIFT = jointDef({
  name: "lift",
  type: "prismatic",
  limits: { lower: -END, upper: END },
  motor: { speed: 3, forceMax: 1e4 },
  changeable: true,
  fields: {},
});

function stageAt(rate: Rate): Stage {
  return new Stage({
    gravity: 10,
    features: [joints],
    ground: [],
    archetypes: [ARM, BALL],
    joints: [HINGE, DRIVEN, RAIL, LIFT],
    fields: {},
    ...rate,
  });
}

/** @returns the largest of `overOf` at the end of each tick */
function largest(stage: Stage, ticks: number, overOf: () => number): number {
  let most = -Infinity;
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
    most = Math.max(most, overOf());
  }
  return most;
}

Deno.test("limits: an arm that is thrown against its hinge's limits ends no tick beyond them, at any rate (SPEC 9.107)", () => {
  for (const rate of RATES) {
    for (const spin of [-5, 30, -60, 100]) {
      const stage = stageAt(rate);
      const arm = stage.spawn(ARM, { x: 2, y: 0 });
      const hinge = stage.joints.add(HINGE, stage.ground, arm, { x: 0, y: 0 });
      stage.setVelocity(arm, 0, 2 * spin);
      stage.setSpin(arm, spin);
      const over = largest(stage, 2 * rate.tickHz, () => Math.abs(hinge.angle) - LIMIT);
      assertLessOrEqual(over, ROUNDING, `${nameOf(rate)} at ${spin} rad/s`);
      assertGreater(over, -0.1, `${nameOf(rate)} at ${spin} rad/s: the limit is reached`);
    }
  }
});

Deno.test("limits: what is thrown along a rail ends no tick beyond its ends, at any rate (SPEC 9.107)", () => {
  for (const rate of RATES) {
    for (const speed of [3, -20, 200]) {
      const stage = stageAt(rate);
      const arm = stage.spawn(ARM, { x: 0, y: 0 });
      const rail = stage.joints.add(RAIL, stage.ground, arm, { x: 0, y: 0, axis: { x: 1, y: 0 } });
      stage.setVelocity(arm, speed, 0);
      const over = largest(stage, 2 * rate.tickHz, () => Math.abs(rail.translation) - END);
      assertLessOrEqual(over, ROUNDING, `${nameOf(rate)} at ${speed} m/s`);
      assertGreater(over, -0.01, `${nameOf(rate)} at ${speed} m/s: the end is reached`);
    }
  }
});

Deno.test("limits: a heavy body that strikes an arm at its limit passes it, and the arm comes back (SPEC 9.107)", () => {
  for (const rate of RATES) {
    const stage = stageAt(rate);
    const arm = stage.spawn(ARM, { x: 2, y: 0 });
    const hinge = stage.joints.add(HINGE, stage.ground, arm, { x: 0, y: 0 });
    const ball = stage.spawn(BALL, { x: 2, y: 6 });
    stage.setVelocity(ball, 0, -20);
    const over = largest(stage, 3 * rate.tickHz, () => Math.abs(hinge.angle) - LIMIT);
    assertLess(over, 0.16, nameOf(rate));
    stage.despawn(ball);
    largest(stage, rate.tickHz, () => 0);
    assertAlmostEquals(hinge.angle, -LIMIT, LEFT_OVER, nameOf(rate));
  }
});

Deno.test("limits: a motor that presses against a limit turns round at once, however strong it is (SPEC 9.108)", () => {
  for (const rate of RATES) {
    for (const strength of [1e4, 1e5, 1e6]) {
      const stage = stageAt(rate);
      const arm = stage.spawn(ARM, { x: 2, y: 0 });
      const hinge = stage.joints.add(DRIVEN, stage.ground, arm, { x: 0, y: 0 });
      const cabin = stage.spawn(ARM, { x: 0, y: 20 });
      const lift = stage.joints.add(LIFT, stage.ground, cabin, {
        x: 0,
        y: 20,
        axis: { x: 0, y: 1 },
      });
      stage.joints.setMotor(hinge, { torqueMax: strength });
      stage.joints.setMotor(lift, { forceMax: strength });
      largest(stage, 3 * rate.tickHz, () => 0);
      assertAlmostEquals(hinge.angle, LIMIT, ROUNDING, nameOf(rate));
      assertAlmostEquals(lift.translation, END, ROUNDING, nameOf(rate));

      // A tenth of a second is 18° and 30 cm at full speed.
      stage.joints.setMotor(hinge, { speed: -Math.PI });
      stage.joints.setMotor(lift, { speed: -3 });
      largest(stage, rate.tickHz / 10, () => 0);
      const what = `${nameOf(rate)} with ${strength}`;
      assertAlmostEquals(hinge.angle, LIMIT - 0.1 * Math.PI, 0.01, what);
      assertAlmostEquals(lift.translation, END - 0.3, 0.01, what);
    }
  }
});

Deno.test("limits: a motor against its limit, and one that turns round, are the same after a rollback (SPEC 9.1, 9.107, 9.108)", () => {
  const stage = stageAt(RATES[4]!);
  const arm = stage.spawn(ARM, { x: 2, y: 0 });
  const hinge = stage.joints.add(DRIVEN, stage.ground, arm, { x: 0, y: 0 });
  stage.endTick();
  const saved = () => {
    const state = new Snapshot();
    stage.save(state);
    return state;
  };
  for (let tick = 0; tick < 80; tick++) {
    const before = saved();
    const step = () => {
      if (tick % 30 === 29) stage.joints.setMotor(hinge, { speed: -hinge.motorSpeed });
      largest(stage, 3, () => 0);
      return [...saved().words.subarray(0, saved().length)].join();
    };
    const first = step();
    stage.load(before);
    assertEquals(step(), first, `after a rollback to tick ${tick}`);
    stage.load(before);
    if (tick % 30 === 29) stage.joints.setMotor(hinge, { speed: -hinge.motorSpeed });
    largest(stage, 1, () => 0);
  }
});
