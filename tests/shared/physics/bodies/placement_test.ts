/**
 * Poses that rules set and read: teleports with an angle, centre of mass, mass, inertia, velocity
 * of a point, points and vectors of a body's frame.
 */
import { assert, assertAlmostEquals, assertEquals, assertLess, assertThrows } from "@std/assert";
import { archetype, type Shape, StageError } from "../../../../shared/physics/core/types.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { assertSameBits, planck, planckShape, within } from "../geometry/planck_reference.ts";
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

/** The same body in planck's world: its transform is made from place and angle alone. */
function planckBody({ x, y, angle }: Entity): planck.Body {
  return new planck.World().createBody({ type: "dynamic", position: { x, y }, angle });
}

const numbersOf = (...vectors: readonly { x: number; y: number }[]) =>
  vectors.flatMap(({ x, y }) => [x, y]);

Deno.test("entity: points and vectors go from its frame to the world and back with planck's bits (SPEC 9.49)", () => {
  const random = new Random(1);
  const stage = new Stage(SPACE);
  const hammer = stage.spawn(HAMMER, { x: 3, y: 4, angle: 0.7, vx: 1, vy: -2, spin: 60 });
  const compare = (what: string) => {
    const body = planckBody(hammer);
    for (let i = 0; i < 20; i++) {
      const point = { x: within(random, 5), y: within(random, 5) };
      const { x, y } = point;
      assertSameBits(
        numbersOf(
          hammer.worldPoint(x, y),
          hammer.localPoint(x, y),
          hammer.worldVector(x, y),
          hammer.localVector(x, y),
        ),
        numbersOf(
          body.getWorldPoint(point),
          body.getLocalPoint(point),
          body.getWorldVector(point),
          body.getLocalVector(point),
        ),
        what,
      );
    }
  };

  compare("just spawned");
  const state = new Snapshot();
  for (let tick = 0; tick < 400; tick++) {
    stage.advance();
    compare(`moved in tick ${tick}`);
    stage.endTick();
    compare(`after tick ${tick}`);
    if (tick === 50) stage.save(state);
  }
  assertLess(hammer.angle, 1000, "the stage has taken whole turns off");
  stage.teleport(hammer, -1, 2, 1.25);
  compare("teleported");
  stage.setAngle(hammer, -0.5);
  compare("turned");
  stage.load(state);
  compare("loaded");
  stage.despawn(hammer);
  compare("despawned");
});

Deno.test("entity: the ground and a projectile have the world's directions, and no vector but numbers is taken (SPEC 9.49)", () => {
  const stage = new Stage(SPACE);
  const shot = stage.spawn(SHOT, { x: 5, y: 6, vx: 7 });
  assertEquals([shot.worldPoint(1, 2), shot.localPoint(1, 2)], [{ x: 6, y: 8 }, { x: -4, y: -4 }]);
  assertEquals([shot.worldVector(1, 2), shot.localVector(1, 2)], [{ x: 1, y: 2 }, { x: 1, y: 2 }]);
  assertEquals(stage.ground.worldPoint(1, 2), { x: 1, y: 2 });
  const wrong: readonly [() => unknown, string][] = [
    [() => shot.worldPoint(NaN, 0), "entity 1 shot: x is NaN"],
    [() => shot.localPoint(0, 1e6), "entity 1 shot: y is 1000000"],
    [() => shot.worldVector(null as never, 0), "entity 1 shot: x is null"],
    [() => shot.localVector(0, Infinity), "entity 1 shot: y is Infinity"],
  ];
  for (const [act, message] of wrong) assertThrows(act, StageError, message);
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
