/**
 * Several solver steps in a world step: forces, impulses, bounds and bounces are those of the world
 * step, whatever its solver steps are (SPEC 9.94, 9.95).
 */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import {
  archetype,
  jointDef,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { FEATURES } from "../scenes/features.ts";

const STEPS = [1, 2, 4, 8];
const BOX = archetype({
  name: "box",
  fields: {},
  body: { fixtures: [{ shape: { box: [0.5, 0.5] } }] },
});
const BALL = archetype({
  name: "ball",
  fields: {},
  body: { fixtures: [{ shape: { circle: 0.5 }, density: 1 / (Math.PI * 0.25), restitution: 1 }] },
});
const LIFT = archetype({
  name: "lift",
  fields: {},
  body: {
    path: (tick) => ({ x: tick / 7, y: 3 + tick / 9 }),
    fixtures: [{ shape: { box: [1, 0.1] } }],
  },
});
const CORD = jointDef({ name: "cord", type: "rope", breakForce: 12, fields: {} });
const SPRING = jointDef({
  name: "spring",
  type: "distance",
  spring: { frequencyHz: 1, dampingRatio: 0 },
  fields: {},
});

const DEF: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [50, 1], y: -1 }, friction: 0 }],
  archetypes: [BOX, BALL, LIFT],
  joints: [CORD, SPRING],
  fields: {},
};

function stageWith(solverSteps: number, def: Partial<StageDef> = {}): Stage {
  return new Stage({ ...DEF, solverSteps, ...def });
}

function run(stage: Stage, ticks: number, look: () => void = () => {}): void {
  for (let tick = 0; tick < ticks; tick++) {
    stage.advance();
    look();
    stage.endTick();
  }
}

Deno.test("solverSteps: 1 is the default, bit by bit, and others are refused by name (SPEC 9.94)", () => {
  const wordsOf = (stage: Stage) => {
    for (let i = 0; i < 6; i++) stage.spawn(BOX, { x: 0.1 * i, y: 0.5 + i });
    run(stage, 60);
    return stage.entities().map(({ x, y, angle, vx, vy, spin }) => [x, y, angle, vx, vy, spin]);
  };
  const explicit = stageWith(1, { velocityIterations: 8, positionIterations: 3 });
  const { solverSteps: _, ...usual } = { ...DEF, solverSteps: 1 };
  assertEquals(wordsOf(explicit), wordsOf(new Stage(usual)));
  for (const wrong of [0, 9, 1.5, NaN, "2"]) {
    assertThrows(() => stageWith(wrong as number), StageError, `solverSteps is ${wrong}`);
  }
});

for (const steps of STEPS) {
  Deno.test(`solverSteps: ${steps} give a touch the impulses of the whole tick, awake and asleep (SPEC 9.94)`, () => {
    const stage = stageWith(steps);
    const box = stage.spawn(BOX, { x: 0, y: 0.51 });
    let seen = { awake: true, impulse: 0 };
    run(stage, 60, () => {
      seen = { awake: box.awake, impulse: stage.touches[0]!.normalImpulse };
      if (stage.tick > 20) assertAlmostEquals(seen.impulse, box.mass * 10 / 20, 0.01);
    });
    assert(!seen.awake);
  });

  Deno.test(`solverSteps: ${steps} leave what a joint carries before it breaks (SPEC 9.94)`, () => {
    const stage = stageWith(steps, { ground: [] });
    const ball = stage.spawn(BALL, { x: 0, y: -1 });
    const cord = stage.joints.add(CORD, stage.ground, ball, { x: 0, y: 0, bx: 0, by: -1 });
    const brokenAfter = (force: number, ticks: number) => {
      let tick = 0;
      while (tick < ticks && stage.joints.count > 0) {
        stage.applyForce(ball, 0, -force);
        run(stage, 1);
        tick++;
      }
      return tick;
    };
    assertEquals(brokenAfter(0, 40), 40);
    assertAlmostEquals(cord.force, 10, 0.2);
    assertEquals(brokenAfter(3, 2), 1);
  });

  Deno.test(`solverSteps: a jolt in the first of ${steps} breaks a joint as in a whole world step (SPEC 9.94)`, () => {
    // A world step of 25 ms stops 1 kg at 2 m/s with 80 N.
    const brokenAt = (breakForce: number) => {
      const cord = jointDef({ name: "cord", type: "rope", breakForce, fields: {} });
      const stage = stageWith(steps, { gravity: 0, ground: [], joints: [cord] });
      const ball = stage.spawn(BALL, { x: 0, y: -1, vy: -2 });
      stage.joints.add(cord, stage.ground, ball, { x: 0, y: 0, bx: 0, by: -1 });
      run(stage, 1);
      return stage.joints.count === 0;
    };
    assertEquals([brokenAt(75), brokenAt(85)], [true, false]);
  });

  Deno.test(`solverSteps: a twist in the first of ${steps} breaks a weld as in a whole world step (SPEC 9.94)`, () => {
    // A world step of 25 ms stops 1 rad/s about the centre with 40 N·m for each kg·m².
    const brokenAt = (share: number) => {
      const breakTorque = share * 40 / 6;
      const weld = jointDef({ name: "weld", type: "weld", breakTorque, fields: {} });
      const stage = stageWith(steps, { gravity: 0, ground: [], joints: [weld] });
      const box = stage.spawn(BOX, { x: 0, y: 0, spin: 1 });
      assertAlmostEquals(box.inertia, 1 / 6, 1e-9);
      stage.joints.add(weld, stage.ground, box, { x: 0, y: 0 });
      run(stage, 1);
      return stage.joints.count === 0;
    };
    assertEquals([brokenAt(0.9), brokenAt(1.1)], [true, false]);
  });

  Deno.test(`solverSteps: ${steps} keep speedMax and spinMax (SPEC 9.51)`, () => {
    const stage = stageWith(steps, { gravity: 0, ground: [], speedMax: 50, spinMax: 20 });
    const fast = stage.spawn(BOX, { x: 0, y: 0, vx: 45, spin: 18 });
    const faster = stage.spawn(BOX, { x: 0, y: 5, vx: 200, spin: 40 });
    let clamped: readonly unknown[] = [];
    run(stage, 1, () => clamped = stage.clamped);
    assertEquals(clamped, [faster]);
    assertAlmostEquals(fast.x, 45 / 20, 1e-6);
    assertAlmostEquals(fast.angle, 18 / 20, 1e-6);
    assertAlmostEquals(faster.x, 50 / 20, 1e-3);
    assertAlmostEquals(faster.angle, 20 / 20, 1e-3);
    assertAlmostEquals(faster.vx, 50, 1e-3);
    assertAlmostEquals(faster.spin, 20, 1e-3);
  });

  Deno.test(`solverSteps: with ${steps} a body on a path is where the path says (SPEC 9.8)`, () => {
    const stage = stageWith(steps);
    const lift = stage.spawn(LIFT, {});
    run(stage, 40);
    const { tick } = stage;
    assertEquals([lift.x, lift.y], [Math.fround(tick / 7), Math.fround(3 + tick / 9)]);
  });

  Deno.test(`solverSteps: with ${steps} a spring keeps what a step of a world step / ${steps} leaves (SPEC 9.78)`, () => {
    const stage = stageWith(steps, { gravity: 0, ground: [] });
    const ball = stage.spawn(BALL, { x: 2.5, y: 0 });
    stage.joints.add(SPRING, stage.ground, ball, { x: 0, y: 0, bx: 2.5, by: 0, length: 2 });
    let late = 0;
    run(stage, 100, () => {
      if (stage.tick > 80) late = Math.max(late, Math.abs(ball.x - 2));
    });
    const angle = 2 * Math.PI / (40 * steps);
    const leftAt4And5S = [160, 200].map((n) => 0.5 * (1 + angle * angle) ** (-0.5 * n * steps));
    assert(late <= leftAt4And5S[0]! * 1.05 && late >= leftAt4And5S[1]! * 0.95, `${late}`);
  });

  Deno.test(`solverSteps: with ${steps} a bounce keeps its height (SPEC 9.28, 9.95)`, () => {
    const stage = stageWith(steps);
    const ball = stage.spawn(BALL, { x: 0, y: 4.5 });
    const lag = 10 / (40 * steps) / 2;
    let height = 0;
    run(stage, 600, () => {
      height = ball.y - 0.5 + (ball.vy - lag) ** 2 / 20;
    });
    assertAlmostEquals(height, 4, 0.04);
  });
}
