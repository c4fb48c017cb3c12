/**
 * What a stage declares about its physics: gravity, threshold of restitution, iterations, greatest
 * speed.
 */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { archetype, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import { bodySchemasOf } from "../../../../shared/physics/stage/body_stream.ts";
import { INTERNALS } from "../../../../shared/physics/stage/internals.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { planck } from "../geometry/planck_reference.ts";
import { FEATURES } from "../scenes/features.ts";

const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.5 }, restitution: 0.9, friction: 0 }] },
  fields: {},
});
const BOX = archetype({
  name: "box",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] } }] },
  fields: {},
});
const SHOT = archetype({
  name: "shot",
  projectile: { radius: 0.5, restitution: 0.9, bouncesMax: 255, lifeTicks: 60_000 },
  fields: {},
});
const RIDER = archetype({
  name: "rider",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] } }], path: (tick) => ({ x: tick * 2.5, y: 90 }) },
  fields: {},
});

const WALL = { shape: { box: [0.5, 50] as const, x: 10 } };
const SPACE: StageDef = {
  gravity: 0,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [WALL],
  archetypes: [BALL, BOX, SHOT, RIDER],
  fields: {},
};

function run(stage: Stage, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

Deno.test("restitutionThreshold: a ball at 0.05 m/s bounces if it is lower, and stops if it is not (SPEC 9.51)", () => {
  for (
    const [restitutionThreshold, after] of [[0.01, -0.045], [0.06, 0], [undefined, 0]] as const
  ) {
    const stage = new Stage({
      ...SPACE,
      ...(restitutionThreshold !== undefined && { restitutionThreshold }),
    });
    const ball = stage.spawn(BALL, { x: 8.9, y: 0, vx: 0.05 });
    const shot = stage.spawn(SHOT, { x: 8.9, y: 9, vx: 0.05 });
    run(stage, 100);
    assertAlmostEquals(ball.vx, after, 1e-6, `${restitutionThreshold}`);
    assertAlmostEquals(shot.vx, after, 1e-6, `${restitutionThreshold}`);
  }
});

Deno.test("restitutionThreshold: one billiard ball hands its motion to another, however slow (SPEC 9.51)", () => {
  for (const speed of [0.9, 0.2, 0.05]) {
    const stage = new Stage({ ...SPACE, ground: [], restitutionThreshold: 0.001 });
    const cue = stage.spawn(BALL, { x: 0, y: 0, vx: speed });
    const ball = stage.spawn(BALL, { x: 1.05, y: 0 });
    while (ball.vx === 0) run(stage, 1);
    // The centre of mass keeps its velocity, and the difference becomes −0.9 of what it was.
    assertAlmostEquals(cue.vx / speed, 0.05, 1e-4);
    assertAlmostEquals(ball.vx / speed, 0.95, 1e-4);
  }
});

Deno.test("gravity: a vector pulls bodies and projectiles, and what lies on a wall is supported (SPEC 9.51)", () => {
  const stage = new Stage({ ...SPACE, gravity: { x: 10, y: 0 } });
  const ball = stage.spawn(BALL, { x: 0, y: 0 });
  const shot = stage.spawn(SHOT, { x: 0, y: 9 });
  const box = stage.spawn(BOX, { x: 9, y: 20 });
  run(stage, 10);
  for (const { vx, vy, x } of [ball, shot]) {
    assertAlmostEquals(vx, 5, 1e-5);
    assertEquals(vy, 0);
    assertAlmostEquals(x, 1.25, 0.07);
  }

  assert(stage.isSupported(box) && !stage.isSupported(ball));
  run(stage, 30);
  assert(!box.awake);
  const lower = new Stage({ ...SPACE, gravity: { x: 0, y: -7 } });
  const plain = new Stage({ ...SPACE, gravity: 7 });
  for (const each of [lower, plain]) each.spawn(BOX, { x: 9.2, y: 3, angle: 0.3, vx: 2, spin: 3 });
  run(lower, 50);
  run(plain, 50);
  const [a, b] = [lower, plain].map((each) => {
    const state = new Snapshot();
    each.save(state);
    return state;
  });
  assert(a!.equals(b!), "a number is a vector downwards");
});

Deno.test("gravity: the body stream predicts the fall of a vector, too", () => {
  const unitsOf = (gravity: StageDef["gravity"]) =>
    bodySchemasOf({ ...SPACE, gravity }).schemas[1]!.gravityUnits;
  assertEquals([unitsOf(10), unitsOf({ x: 3, y: -10 }), unitsOf({ x: 3, y: 2 })], [640, 640, -128]);
});

Deno.test("speedMax, spinMax: a faster body is slowed down and listed, as fast as planck by default (SPEC 9.51)", () => {
  const stage = new Stage({ ...SPACE, ground: [] });
  const ball = stage.spawn(BALL, { x: 0, y: 0, vx: 160, vy: 120, spin: 100 });
  const slow = stage.spawn(BALL, { x: 0, y: 50, vx: 79, spin: 60 });
  stage.spawn(RIDER);
  const world = new planck.World();
  const body = world.createBody({ type: "dynamic" });
  body.createFixture({ shape: new planck.Circle(0.5), density: 1 });
  body.setLinearVelocity({ x: 160, y: 120 });
  body.setAngularVelocity(100);
  for (let i = 0; i < 2; i++) world.step(1 / 40, 8, 3);
  stage.advance();
  assertEquals(stage.clamped, [ball]);
  stage.endTick();
  assertAlmostEquals(ball.vx, body.getLinearVelocity().x, 1e-5);
  assertAlmostEquals(ball.vy, body.getLinearVelocity().y, 1e-5);
  assertAlmostEquals(ball.spin, body.getAngularVelocity(), 1e-5);
  assertEquals([slow.vx, slow.spin], [79, 60]);
  for (let i = 0; i < 50; i++) {
    stage.advance();
    assertEquals(stage.clamped, [], "rounding is no speed");
    stage.endTick();
  }
});

Deno.test("speedMax, spinMax: declared, a body flies as fast, also into a thin wall (SPEC 9.51)", () => {
  const stage = new Stage({
    ...SPACE,
    ground: [{ shape: { box: [0.01, 9], x: 60 } }],
    speedMax: 1000,
    spinMax: 100,
  });
  const ball = stage.spawn(BALL, { x: 0, y: 0, vx: 900, spin: 99 });
  const beyond = stage.spawn(BALL, { x: 0, y: 50, vx: 1500 });
  stage.advance();
  assertEquals(stage.clamped, [beyond]);
  stage.endTick();
  assertAlmostEquals(beyond.vx, 1000, 1e-3);
  assertEquals(ball.spin, 99);
  run(stage, 2);
  assert(ball.x < 60 && ball.vx < -700, `${ball.x} ${ball.vx}`);
});

Deno.test("onSpeedMax: a stage that refuses names the body, and can only be loaded (SPEC 9.51)", () => {
  const stage = new Stage({ ...SPACE, speedMax: 20, onSpeedMax: "refuse" });
  const state = new Snapshot();
  stage.endTick();
  stage.save(state);
  stage.spawn(RIDER);
  const ball = stage.spawn(BALL, { x: 0, y: 0, vx: 19 });
  run(stage, 1);
  stage.applyImpulse(ball, 0, 9 * ball.mass);
  assertThrows(
    () => stage.advance(),
    StageError,
    "entity 2 ball is faster than the stage's speedMax",
  );
  assertThrows(() => stage.advance(), StageError, "broken");
  stage.load(state);
  assertEquals(stage.entityCount, 0);
  stage.advance();
  assertEquals(stage.clamped, []);
  stage.endTick();
});

Deno.test("onSpeedMax: a stage that refuses names a motion that the rules set beyond the limits at once (SPEC 9.11, 9.51)", () => {
  const limits = { speedMax: 20, spinMax: 5 } as const;
  const before = new Snapshot();
  const after = new Snapshot();
  const stage = new Stage({ ...SPACE, ...limits, onSpeedMax: "refuse" });
  const ball = stage.spawn(BALL, { x: 0, y: 0, vx: 12, vy: 16, spin: -5 });
  stage.endTick();
  stage.save(before);
  const wrong: [act: () => void, message: string][] = [
    [() => stage.setVelocity(ball, 16, -12.1), "entity 1 ball: speed is 20.06"],
    [() => stage.setVelocity(ball, 16, -12.1), "the stage's speedMax is 20"],
    [() => stage.setSpin(ball, -5.1), "entity 1 ball: spin is -5.1; the stage's spinMax is 5"],
    [() => stage.spawn(BALL, { x: 0, y: 9, vx: 20.1 }), "entity 2 ball: speed is 20.1"],
    [() => stage.spawn(BALL, { x: 0, y: 9, spin: 6 }), "entity 2 ball: spin is 6"],
  ];
  for (const [act, message] of wrong) assertThrows(act, StageError, message);
  stage.save(after);
  assert(after.equals(before), "nothing has changed");

  // Rounding makes some of these faster than 20 m/s.
  for (let angle = 0; angle < 40; angle++) {
    stage.setVelocity(ball, 20 * Math.cos(angle), 20 * Math.sin(angle));
  }
  stage.setSpin(ball, 5);
  run(stage, 3);
  const usual = new Stage({ ...SPACE, onSpeedMax: "refuse" });
  assertThrows(
    () => usual.spawn(BALL, { x: 0, y: 0, vx: 81 }),
    StageError,
    "the stage's speedMax is 80",
  );
  usual.spawn(BALL, { x: 0, y: 0, vx: 80 });
  new Stage({ ...SPACE, ...limits }).spawn(BALL, { x: 0, y: 0, vx: 500, spin: 60 });
});

Deno.test("iterations: a stage solves as many as it declares (SPEC 9.51)", () => {
  const stackOf = (iterations: Partial<StageDef>) => {
    const stage = new Stage({
      ...SPACE,
      gravity: 10,
      ground: [{ shape: { box: [9, 0.5], y: -0.5 } }],
      ...iterations,
    });
    for (let i = 0; i < 8; i++) stage.spawn(BOX, { x: 0, y: 0.5 + i });
    stage.advance();
    stage.endTick();
    const boxes = stage.all(BOX);
    return { stage, error: Math.max(...boxes.map(({ vy }) => Math.abs(vy))) };
  };
  const few = stackOf({ velocityIterations: 1 });
  const usual = stackOf({});
  const many = stackOf({ velocityIterations: 100 });
  assert(
    few.error > usual.error && usual.error > many.error,
    `${few.error} ${usual.error} ${many.error}`,
  );
  assertEquals(stackOf({ velocityIterations: 8, positionIterations: 3 }).error, usual.error);
  assertEquals(stackOf({ positionIterations: 9 }).stage[INTERNALS].world.positionIterations, 9);
});

Deno.test("stage: parameters out of range are refused by name (SPEC 9.51)", () => {
  for (
    const [wrong, message] of [
      [{ gravity: NaN }, "gravity is NaN"],
      [{ gravity: { x: 1 } }, "gravity is undefined"],
      [{ gravity: { x: Infinity, y: 0 } }, "gravity is Infinity"],
      [{ restitutionThreshold: -1 }, "restitutionThreshold is -1"],
      [{ restitutionThreshold: "0" }, "restitutionThreshold is 0"],
      [{ velocityIterations: 0 }, "velocityIterations is 0; 1 to 100"],
      [{ positionIterations: 1.5 }, "positionIterations is 1.5"],
      [{ speedMax: 0 }, "speedMax is 0; 0.1 to 10000"],
      [{ speedMax: 1e5 }, "speedMax is 100000"],
      [{ spinMax: 126 }, "spinMax is 126; 0.1 to 125.66"],
      [{ onSpeedMax: "ignore" }, "onSpeedMax is ignore"],
    ] as const
  ) assertThrows(() => new Stage({ ...SPACE, ...wrong } as never), StageError, message);
});
