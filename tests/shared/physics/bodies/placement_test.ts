/**
 * Poses that rules set and read: teleports with an angle, centre of mass, mass, inertia, velocity
 * of a point.
 */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { archetype, type Shape, StageError } from "../../../../shared/physics/core/types.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { planck, planckShape } from "../geometry/planck_reference.ts";
import { FEATURES } from "../scenes/features.ts";
import { CRATE, run, YARD, yard } from "../scenes/yard.ts";

/** Two shapes of different density: the centre of mass is far from the origin. */
const HAMMER = archetype({
  name: "hammer",
  body: {
    fixtures: [
      { shape: { box: [1, 0.1], x: 0.5, angle: 0.2 }, density: 2 },
      { shape: { circle: 0.4, x: 1.5, y: 0.3 }, density: 7 },
    ],
  },
  fields: {},
});
const SIGN = archetype({
  name: "sign",
  body: { type: "static", fixtures: HAMMER.body!.fixtures },
  fields: {},
});
const NEEDLE = archetype({
  name: "needle",
  body: { ...HAMMER.body!, fixedRotation: true },
  fields: {},
});
const SHOT = archetype({
  name: "shot",
  projectile: { radius: 0.1, lifeTicks: 9, mass: 3 },
  fields: {},
});
const SPACE = { ...YARD, features: FEATURES, gravity: 0, archetypes: [HAMMER, SIGN, NEEDLE, SHOT] };

Deno.test("entity: mass, inertia, centre of mass and a point's velocity are planck's (SPEC 9.49)", () => {
  const stage = new Stage(SPACE);
  const at = { x: 3, y: 4, angle: 0.7, vx: 1, vy: -2, spin: 3 };
  const hammer = stage.spawn(HAMMER, at);
  const body = new planck.World().createBody({ type: "dynamic", position: at, angle: at.angle });
  for (const { shape, density } of HAMMER.body!.fixtures) {
    body.createFixture({ shape: planckShape(shape as Shape), density: density! });
  }
  body.setLinearVelocity({ x: at.vx, y: at.vy });
  body.setAngularVelocity(at.spin);
  const center = body.getWorldCenter();
  const local = body.getLocalCenter();
  assertAlmostEquals(hammer.mass, body.getMass(), 1e-12);

  // planck's is about the origin.
  assertAlmostEquals(
    hammer.inertia + hammer.mass * (local.x * local.x + local.y * local.y),
    body.getInertia(),
    1e-12,
  );
  assertAlmostEquals(hammer.centerX, center.x, 1e-12);
  assertAlmostEquals(hammer.centerY, center.y, 1e-12);
  const { x, y } = body.getLinearVelocityFromWorldPoint({ x: -1, y: 8 });
  const own = hammer.velocityAt(-1, 8);
  assertAlmostEquals(own.x, x, 1e-12);
  assertAlmostEquals(own.y, y, 1e-12);
});

Deno.test("entity: what nothing turns or moves has an inertia or a mass of 0 (SPEC 9.49)", () => {
  const stage = new Stage(SPACE);
  const sign = stage.spawn(SIGN, { x: 1, y: 2 });
  const needle = stage.spawn(NEEDLE, { x: 9, y: 9 });
  const shot = stage.spawn(SHOT, { x: 5, y: 6, vx: 7 });
  assertEquals([sign.mass, sign.inertia, sign.centerX, sign.centerY], [0, 0, 1, 2]);
  assertEquals([needle.mass > 4, needle.inertia], [true, 0]);
  assertEquals([shot.mass, shot.inertia, shot.centerX, shot.centerY], [3, 0, 5, 6]);
  assertEquals([shot.velocityAt(0, 0), sign.velocityAt(0, 0)], [{ x: 7, y: 0 }, { x: 0, y: 0 }]);
  stage.despawn(needle);
  assert(needle.mass > 4, "the handle keeps the last values");
});

Deno.test("teleport: turns the body about its origin, as planck's setTransform (SPEC 9.5, 9.49)", () => {
  const stage = new Stage(SPACE);
  const hammer = stage.spawn(HAMMER, { x: 3, y: 4, vx: 1, spin: 2 });
  stage.endTick();
  stage.teleport(hammer, -1, 2, 1.25);
  const body = new planck.World().createBody({
    type: "dynamic",
    position: { x: -1, y: 2 },
    angle: 1.25,
  });
  for (const { shape, density } of HAMMER.body!.fixtures) {
    body.createFixture({ shape: planckShape(shape as Shape), density: density! });
  }
  assertEquals([hammer.x, hammer.y, hammer.angle].map(Math.fround), [-1, 2, 1.25]);
  assertAlmostEquals(hammer.centerX, body.getWorldCenter().x, 1e-12);
  assertEquals([hammer.vx, hammer.vy, hammer.spin, hammer.teleports], [1, 0, 2, 1]);
  stage.setAngle(hammer, -0.5);
  assertAlmostEquals(hammer.x, -1, 1e-12);
  assertEquals([hammer.angle, hammer.teleports], [-0.5, 2]);
  stage.teleport(hammer, 7, 8);
  assertEquals([hammer.angle, hammer.teleports], [-0.5, 3]);
});

Deno.test("setAngle: a crate that is stood on its corner falls over, and a projectile does not turn (SPEC 9.49)", () => {
  const stage = yard();
  const crate = stage.spawn(CRATE, { x: 0, y: 0.4 });
  run(stage, 40);
  stage.setAngle(crate, 0.6);
  assert(crate.awake);
  run(stage, 60);
  assertAlmostEquals(Math.abs(crate.angle), 0, 0.01);
  const space = new Stage(SPACE);
  const shot = space.spawn(SHOT, { x: 0, y: 0 });
  space.teleport(shot, 1, 1, 0);
  assertThrows(
    () => space.teleport(shot, 1, 1, 1),
    StageError,
    "entity 1 shot is a projectile: it does not turn",
  );
});
