/** Kinematic bodies without a path: the rules set their velocity, and nothing else changes it. */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { archetype, StageError } from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { planck } from "../geometry/planck_reference.ts";
import { BALL, CRATE, run, YARD, type Yard } from "../scenes/yard.ts";

const SLED = archetype({
  name: "sled",
  body: { type: "kinematic", fixtures: [{ shape: { box: [2, 0.2] } }] },
  fields: {},
});

function yard(): Yard {
  return new Stage({ ...YARD, archetypes: [CRATE, BALL, SLED] });
}

Deno.test("kinematic body: keeps velocity and spin without gravity, and carries a crate as in planck, within 1 cm (SPEC 9.52)", () => {
  const stage = yard();
  const sled = stage.spawn(SLED, { x: 0, y: 3, vx: 1, vy: 0.25 });
  const crate = stage.spawn(CRATE, { x: 0, y: 3.6, vx: 1 });
  const world = new planck.World({ gravity: { x: 0, y: -14 } });
  const board = world.createBody({ type: "kinematic", position: { x: 0, y: 3 } });
  const box = world.createBody({
    type: "dynamic",
    position: { x: 0, y: 3.6 },
    linearVelocity: { x: 1, y: 0 },
  });
  board.createFixture({ shape: new planck.Box(2, 0.2), friction: 0.6 });
  box.createFixture({ shape: new planck.Box(0.4, 0.4), friction: 0.6, density: 1 });
  board.setLinearVelocity({ x: 1, y: 0.25 });

  for (let tick = 0; tick < 60; tick++) {
    run(stage, 1);
    for (let i = 0; i < 2; i++) world.step(1 / 40, 8, 3);
    assertAlmostEquals(crate.x, box.getPosition().x, 0.01);
    assertAlmostEquals(crate.y, box.getPosition().y, 0.01);
  }

  assertEquals([sled.vx, sled.vy, sled.spin, sled.angle], [1, 0.25, 0, 0]);
  assertAlmostEquals(sled.x, 3, 1e-5);
  assertAlmostEquals(crate.vx, 1, 1e-3);
});

Deno.test("kinematic body: nothing pushes it, and it pushes what it meets (SPEC 9.52)", () => {
  const stage = yard();
  const sled = stage.spawn(SLED, { x: 0, y: 0.3 });
  const ball = stage.spawn(BALL, { x: 4, y: 0.5, vx: -20 });
  run(stage, 20);
  assertEquals([sled.x, sled.vx], [0, 0]);
  assert(ball.x > 2.4, "it has stopped the ball");
  stage.setVelocity(sled, 4, 0);
  run(stage, 20);
  assertAlmostEquals(sled.x, 4, 1e-5);
  assert(ball.x > 6 && ball.vx > 3);
});

Deno.test("kinematic body: a slow one does not fall asleep, one at rest does and wakes what lies on it (SPEC 9.52)", () => {
  const stage = yard();
  const sled = stage.spawn(SLED, { x: 0, y: 3, vx: 0.001 });
  const still = stage.spawn(SLED, { x: 20, y: 3 });
  const crate = stage.spawn(CRATE, { x: 20, y: 3.6 });
  run(stage, 100);
  assertEquals([sled.awake, sled.vx, still.awake, crate.awake], [
    true,
    Math.fround(0.001),
    false,
    false,
  ]);
  assertAlmostEquals(sled.x, 0.005, 1e-6);
  stage.setSpin(still, 0.01);
  run(stage, 100);
  assert(crate.awake && crate.angle > 0.02, `${crate.angle}`);
  stage.setSpin(still, 0);
  run(stage, 40);
  assertEquals([still.awake, crate.awake], [false, false]);
});

Deno.test("kinematic body: a teleport moves it, and a force is refused (SPEC 9.52)", () => {
  const stage = yard();
  const sled = stage.spawn(SLED, { x: 0, y: 3 });
  const crate = stage.spawn(CRATE, { x: 0, y: 3.6 });
  run(stage, 40);
  stage.teleport(sled, 9, 9, 0.5);
  run(stage, 10);
  assertEquals([sled.x, sled.y, sled.angle, sled.teleports], [9, 9, 0.5, 1]);
  assert(crate.y < 2);
  for (
    const push of [
      () => stage.applyForce(sled, 1, 0),
      () => stage.applyTorque(sled, 1),
      () => stage.applyImpulse(sled, 1, 0),
      () => stage.applyAngularImpulse(sled, 1),
    ]
  ) assertThrows(push, StageError, "entity 1 sled has infinite mass");
});
