/**
 * The effect of a projectile's impulse on the body that it hits. And no surface is so thin or fast
 * that one flies through.
 */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype, type FixtureDef } from "../../../../shared/physics/core/types.ts";

const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] } }] },
  fields: {},
});
const PLATE = archetype({
  name: "plate",
  body: { fixtures: [{ shape: { box: [0.0005, 1] } }] },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  projectile: {
    radius: 0.1,
    gravityScale: 0,
    restitution: 0.5,
    mass: 0.2,
    bouncesMax: 255,
    lifeTicks: 1000,
  },
  fields: {},
});
const POINT = archetype({
  name: "point",
  projectile: { radius: 0, gravityScale: 0, restitution: 1, bouncesMax: 255, lifeTicks: 1000 },
  fields: {},
});
const SLIDER = archetype({
  name: "slider",
  projectile: { radius: 0.1, gravityScale: 0, bouncesMax: 255, lifeTicks: 1000 },
  fields: {},
});
const KINDS = [CRATE, PLATE, BALL, POINT, SLIDER] as const;
const CRATE_KG = 0.64;
const CRATE_INERTIA = CRATE_KG * (0.8 * 0.8 + 0.8 * 0.8) / 12;

function room(ground: readonly FixtureDef[] = [], gravity = 0, substeps = 2) {
  return new Stage({ gravity, tickHz: 20, substeps, ground, archetypes: KINDS, fields: {} });
}

Deno.test("impact: conserves momentum, adds spin and reports the approach speed", () => {
  for (const y of [0, 0.3]) {
    const stage = room();
    const crate = stage.spawn(CRATE, { x: 2, y: 0 });
    const ball = stage.spawn(BALL, { x: 0, y, vx: 45, vy: 1e-9 });
    stage.advance();
    const [hit] = stage.hits;
    assertEquals([stage.hits.length, hit!.nx, hit!.expired], [1, -1, false]);
    assertAlmostEquals(hit!.approachSpeed, 45, 1e-6);
    assertAlmostEquals(CRATE_KG * crate.vx + 0.2 * ball.vx, 0.2 * 45, 1e-6, "momentum");
    const impulse = 0.2 * (45 - ball.vx);
    const lever = hit!.y;
    // The impulse points to the right, above the centre of mass, so the crate spins clockwise.
    assertAlmostEquals(crate.spin, -impulse * lever / CRATE_INERTIA, 1e-4, "spin");
    const parting = crate.vx - crate.spin * lever - ball.vx;
    assertAlmostEquals(parting, 0.5 * 45, 1e-3, "half of the closing speed, where it was hit");
  }
});

Deno.test("impact: wakes a sleeping body; a projectile without mass neither moves nor wakes it", () => {
  for (const [kind, wakes] of [[BALL, true], [POINT, false]] as const) {
    const stage = room([{ shape: { box: [9, 0.5], y: -0.5 } }], 10);
    const crate = stage.spawn(CRATE, { x: 0, y: 0.4 });
    for (let i = 0; i < 40; i++) {
      stage.advance();
      stage.endTick();
    }
    assert(!crate.awake);
    const shot = stage.spawn(kind, { x: -3, y: 0.5, vx: 30 });
    for (let hits = 0; hits === 0;) {
      stage.advance();
      hits = stage.hits.length;
      stage.endTick();
    }
    assertEquals([crate.awake, crate.vx > 0.5], [wakes, wakes]);
    assertLess(shot.vx, 0);
  }
});

Deno.test("impact: a surface that spins toward the projectile adds to the approach speed", () => {
  const approach = (spin: number) => {
    const stage = room();
    stage.spawn(CRATE, { x: 0, y: 0, spin });
    stage.spawn(BALL, { x: 0.3, y: 1, vy: -20 });
    stage.advance();
    return stage.hits[0]!.approachSpeed;
  };
  assertAlmostEquals(approach(0), 20, 1e-6);
  assertAlmostEquals(approach(5), 20 + 5 * 0.3, 1e-6);
});

Deno.test("projectile: at 500 m/s it passes through no surface, however thin, at any angle (SPEC 9.6)", () => {
  for (let i = 0; i < 200; i++) {
    const stage = room([{ shape: { edge: [-99, 0, 99, 0] } }, {
      shape: { box: [99, 0.0005], y: 7 },
    }]);
    const slant = (i % 20 - 10) * 40;
    const shot = stage.spawn(i % 2 === 0 ? POINT : BALL, {
      x: 0,
      y: 0.2 + i * 0.034,
      vx: slant,
      vy: -500,
    });
    let bounces = 0;
    for (let tick = 0; tick < 4; tick++) {
      stage.advance();
      bounces += stage.hits.length;
      stage.endTick();
      assert(shot.y > 0 && shot.y < 7, `start ${i}: it is at ${shot.y}`);
    }
    assertGreater(bounces, 1);
  }
});

Deno.test("projectile: at 500 m/s it does not pass through a plate of a millimetre that flies toward it", () => {
  for (let i = 0; i < 100; i++) {
    const stage = room();
    const plate = stage.spawn(PLATE, { x: 10 + i * 0.137, y: 0, vx: -20 });
    const shot = stage.spawn(POINT, { x: 0, y: 0.5, vx: 500 });
    for (let tick = 0; tick < 3; tick++) {
      stage.advance();
      stage.endTick();
      assertLess(shot.x, plate.x, `plate ${i}, tick ${tick}`);
    }
    assertAlmostEquals(shot.vx, -540, 1e-3);
  }
});

Deno.test("projectile: hits a fast body that starts far away", () => {
  const stage = room();
  const shot = stage.spawn(POINT, { x: 0, y: 0 });
  const crate = stage.spawn(CRATE, { x: 0, y: -9, vy: 400 });
  stage.advance();
  assertEquals(stage.hits.map(({ projectile, target }) => [projectile.id, target.id]), [[
    shot.id,
    crate.id,
  ]]);
  assertAlmostEquals(shot.vy, 800, 1e-3);
});

Deno.test("projectile: impulses add up in the order of ids, within one world step", () => {
  const stage = room();
  const crate = stage.spawn(CRATE, { x: 0, y: 0 });
  const left = stage.spawn(BALL, { x: -0.7, y: 0, vx: 30 });
  const right = stage.spawn(BALL, { x: 0.7, y: 0, vx: -30 });
  stage.advance();
  const [first, second] = stage.hits;
  assertEquals([first!.projectile.id, second!.projectile.id], [left.id, right.id]);
  assertAlmostEquals(first!.approachSpeed, 30, 1e-6);
  assertGreater(second!.approachSpeed, 35, "the first blow threw the crate at it");
  assertEquals(Math.sign(left.vx), -1);
  assertEquals(crate.awake, true);
});

Deno.test("projectile: a body that an impulse has made fast is hit by the next projectile, however far away", () => {
  const stage = room();
  const crate = stage.spawn(CRATE, { x: 0, y: 0 });
  stage.spawn(BALL, { x: -0.7, y: 0, vx: 2000 });
  const far = stage.spawn(POINT, { x: 9, y: 0 });
  stage.advance();
  assertEquals(stage.hits[1]?.projectile, far as Entity);
  assertEquals(stage.hits[1]?.target, crate as Entity);
});

Deno.test("projectile: hits a body that yields by turning once in a world step, and flies on past it", () => {
  const stage = room([], 0, 1);
  const plate = stage.spawn(PLATE, { x: 2, y: 0 });
  const ball = stage.spawn(BALL, { x: 1.9, y: 0.95, vx: 90 });
  stage.advance();
  assertEquals(stage.hits.map(({ target }) => target), [plate as Entity]);
  assertGreater(ball.vx, plate.vx, "it still closes in on the middle, but not on what it hit");
  assertGreater(ball.x, 5);
});

Deno.test("projectile: sliding along a surface makes no series of hits", () => {
  let landed = 0;
  for (let i = 0; i < 60; i++) {
    const slope = i * 0.05 - 1.5;
    const stage = room([{ shape: { box: [30, 0.5], angle: slope } }]);
    const slider = stage.spawn(SLIDER, { x: 0, y: 0.9 / Math.cos(slope), vx: 8, vy: -3 });
    let hits = 0;
    for (let tick = 0; tick < 40; tick++) {
      stage.advance();
      hits += stage.hits.length;
      stage.endTick();
    }
    const height = slider.y * Math.cos(slope) - slider.x * Math.sin(slope) - 0.61;
    assert(hits <= 1, `${hits} hits at slope ${slope}`);
    if (hits === 1) assertAlmostEquals(height, 0, 1e-4);
    landed += hits;
  }
  assertGreater(landed, 30);
});
