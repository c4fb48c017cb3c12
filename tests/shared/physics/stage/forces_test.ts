/** Forces and impulses: their effect on a body, their duration, and the values that are refused. */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { StageError } from "../../../../shared/physics/core/types.ts";
import { BALL, CRATE, run, YARD, yard } from "../scenes/yard.ts";

/** 0.8 x 0.8 m of 1 kg/m². */
const CRATE_KG = 0.64;

Deno.test("applyForce: acts through all world steps of one advance, and no longer (SPEC 9.10)", () => {
  const stage = new Stage({ ...YARD, gravity: 0, substeps: 4 });
  const crate = stage.spawn(CRATE, { x: 0, y: 5 });
  stage.applyForce(crate, 1, 2);
  stage.applyForce(crate, 1, 0);
  run(stage, 1);
  assertAlmostEquals(crate.vx, 2 / CRATE_KG / 20, 1e-6);
  assertAlmostEquals(crate.vy, 2 / CRATE_KG / 20, 1e-6);
  assertEquals(crate.spin, 0);
  const { vx, vy } = crate;
  run(stage, 5);
  assertEquals([crate.vx, crate.vy], [vx, vy]);
});

Deno.test("applyForce: a force equal to the weight holds a body up", () => {
  const stage = yard();
  const crate = stage.spawn(CRATE, { x: 0, y: 5 });
  for (let i = 0; i < 100; i++) {
    stage.applyForce(crate, 0, 14 * CRATE_KG);
    run(stage, 1);
  }
  assertAlmostEquals(crate.y, 5, 1e-4);
});

Deno.test("applyForce: a force beside the centre turns the body, and wakes it", () => {
  const stage = yard();
  const crate = stage.spawn(CRATE, { x: 0, y: 0.4 });
  run(stage, 60);
  assert(!crate.awake);
  stage.applyForce(crate, 0, 0);
  assert(!crate.awake, "nothing wakes nobody");
  stage.applyForce(crate, 0, 20, { x: crate.x + 0.4, y: crate.y });
  run(stage, 1);
  assert(crate.awake && crate.vy > 0 && crate.spin > 0, `${crate.vy} ${crate.spin}`);
});

Deno.test("applyForce: endTick and load discard a force that no world step applied (SPEC 9.10)", () => {
  const stage = new Stage({ ...YARD, gravity: 0 });
  const crate = stage.spawn(CRATE, { x: 0, y: 5 });
  const snapshot = new Snapshot();
  stage.applyForce(crate, 5, 0, { x: 1, y: 7 });
  stage.endTick();
  run(stage, 2);
  assertEquals([crate.vx, crate.spin], [0, 0]);
  stage.save(snapshot);
  stage.applyForce(crate, 5, 0, { x: 1, y: 7 });
  assertThrows(() => stage.save(snapshot), StageError, "edited");
  stage.load(snapshot);
  run(stage, 2);
  assertEquals([crate.vx, crate.spin], [0, 0]);
  stage.advance();
  assertThrows(() => stage.applyForce(crate, 1, 0), StageError, "after advance()");
});

Deno.test("applyImpulse: changes the velocity at once, in inverse proportion to the mass; beside the centre also the spin", () => {
  const stage = new Stage({ ...YARD, gravity: 0 });
  const crate = stage.spawn(CRATE, { x: 0, y: 5, vx: 1 });
  stage.applyImpulse(crate, 0.64, -1.28);
  assertAlmostEquals(crate.vx, 2, 1e-6);
  assertAlmostEquals(crate.vy, -2, 1e-6);
  assertEquals(crate.spin, 0);
  stage.applyImpulse(crate, 0, 1, { x: 0.4, y: 9 });
  // The inertia of a square about its centre is m · a² / 6.
  assertAlmostEquals(crate.spin, 0.4 / (CRATE_KG * 0.64 / 6), 1e-6);
  const asleep = yard();
  const sleeper = asleep.spawn(BALL, { x: 0, y: 0.5 });
  run(asleep, 60);
  assert(!sleeper.awake);
  asleep.advance();
  asleep.applyImpulse(sleeper, 0, 3);
  asleep.endTick();
  assert(sleeper.awake && sleeper.vy > 3);
});

Deno.test("applyTorque: acts through all world steps of one advance, about the centre of mass, and no longer (SPEC 9.10)", () => {
  const stage = new Stage({ ...YARD, gravity: 0 });
  const crate = stage.spawn(CRATE, { x: 0, y: 5 });
  stage.applyTorque(crate, 0.5);
  stage.applyTorque(crate, 0.25);
  run(stage, 1);

  // spin = torque · time / inertia
  const spin = 0.75 / 20 / (CRATE_KG * 0.64 / 6);
  assertAlmostEquals(crate.spin, spin, 1e-6);
  run(stage, 5);
  assertAlmostEquals(crate.spin, spin, 1e-6);
  assertEquals([crate.vx, crate.vy, crate.x], [0, 0, 0]);
  stage.advance();
  assertThrows(() => stage.applyTorque(crate, 1), StageError, "applyTorque() after advance()");
  const ground = yard();
  const sleeper = ground.spawn(CRATE, { x: 0, y: 0.4 });
  run(ground, 60);
  ground.applyTorque(sleeper, 0);
  assert(!sleeper.awake, "nothing wakes nobody");
  ground.applyTorque(sleeper, 9);
  run(ground, 1);
  assert(sleeper.awake && sleeper.spin > 0);
});

Deno.test("applyAngularImpulse: changes the spin at once, in inverse proportion to the inertia, and wakes the body", () => {
  const stage = yard();
  const crate = stage.spawn(CRATE, { x: 0, y: 0.4 });
  run(stage, 60);
  stage.applyAngularImpulse(crate, 0);
  assert(!crate.awake, "nothing wakes nobody");
  stage.applyAngularImpulse(crate, 0.1);
  assert(crate.awake);
  assertAlmostEquals(crate.spin, 0.1 / (CRATE_KG * 0.64 / 6), 1e-6);
});

Deno.test("applyForce, applyImpulse: the error names the absurd value, and nothing has changed (SPEC 9.11)", () => {
  const stage = yard();
  const crate = stage.spawn(CRATE, { x: 0, y: 5 });
  const snapshot = new Snapshot();
  stage.endTick();
  const wrong: [() => void, string][] = [
    [() => stage.applyForce(crate, NaN, 0), "entity 1 crate: force x is NaN"],
    [() => stage.applyForce(crate, 0, -Infinity), "entity 1 crate: force y is -Infinity"],
    [() => stage.applyForce(crate, 2e8, 0), "force x is 200000000"],
    [() => stage.applyForce(crate, 1, 0, { x: NaN, y: 0 }), "entity 1 crate: x is NaN"],
    [() => stage.applyForce(crate, 1, 0, { x: 0, y: 1e6 }), "y is 1000000"],
    [() => stage.applyImpulse(crate, Infinity, 0), "entity 1 crate: impulse x is Infinity"],
    [() => stage.applyImpulse(crate, 0, 2e7), "impulse y is 20000000"],
    [() => stage.applyImpulse(crate, 1e4, 0), "entity 1 crate: vx is 15"],
    [() => stage.applyImpulse(crate, 0, 6e3, { x: 9, y: 5 }), "entity 1 crate: spin is"],
    [() => stage.applyImpulse(crate, 1, 0, { x: 0, y: NaN }), "entity 1 crate: y is NaN"],
    [() => stage.applyForce(stage.ground, 1, 0), "the ground cannot be moved"],
    [() => stage.applyTorque(crate, NaN), "entity 1 crate: torque is NaN"],
    [() => stage.applyTorque(crate, 2e8), "torque is 200000000"],
    [() => stage.applyAngularImpulse(crate, 2e7), "angular impulse is 20000000"],
    [() => stage.applyAngularImpulse(crate, 1e6), "entity 1 crate: spin is"],
    [() => stage.teleport(crate, 0, 0, NaN), "entity 1 crate: angle is NaN"],
    [() => stage.setAngle(crate, 1025), "entity 1 crate: angle is 1025"],
  ];
  for (const [push, message] of wrong) assertThrows(push, StageError, message);
  stage.save(snapshot); // the stage is still closed
  assertEquals([crate.vx, crate.spin, crate.vy < 0], [0, 0, false]);
  stage.applyForce(crate, 0.9e8, 0);
  assertThrows(() => stage.applyForce(crate, 0.9e8, 0), StageError, "force x is 180000000");
  run(stage, 1); // no body moves farther than 2 m in a world step
  assert(Math.abs(crate.x) < 4.1);
});
