import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype, type StageDef } from "../../../../shared/physics/core/types.ts";

/** Three fixtures, so that a pair has several contacts. */
const SLED = archetype({
  name: "sled",
  body: {
    fixtures: [
      { shape: { box: [0.5, 0.1], x: -1 } },
      { shape: { box: [0.5, 0.1], x: 1 } },
      { shape: { circle: 0.3, y: 0.2 } },
    ],
  },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.5 } }] },
  fields: {},
});
const ZONE = archetype({
  name: "zone",
  body: { fixtures: [{ shape: { circle: 1 }, sensor: true }], gravityScale: 0 },
  fields: {},
});

const FLOOR: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  ground: [{ shape: { box: [20, 0.5], x: -10, y: -0.5 } }, {
    shape: { box: [20, 0.5], x: 10, y: -0.5 },
  }],
  archetypes: [SLED, BALL, ZONE],
  fields: {},
};

function until(stage: Stage, done: () => boolean): void {
  for (let i = 0; i < 100; i++) {
    stage.advance();
    if (done()) return;
    stage.endTick();
  }
  assert(false, "it never came to that");
}

Deno.test("contactEvents: one per pair, however many fixtures touch", () => {
  const stage = new Stage(FLOOR);
  const low = stage.spawn(SLED, { x: 0, y: 0.1 });
  const high = stage.spawn(SLED, { x: 0, y: 0.7, angle: 0.1 });
  for (let i = 0; i < 40; i++) {
    stage.advance();
    const pairs = stage.contactEvents.map((touch) => `${touch.a.id}-${touch.b.id}`);
    assertEquals(pairs, [...new Set(pairs)].sort(), `tick ${i}`);
    if (i === 39) assert(stage.contactCount > pairs.length, `${stage.contactCount} contacts`);
    stage.endTick();
  }
  assertEquals(stage.touchingNow(low).map(({ id }) => id), [0, high.id]);
});

Deno.test("contactEvents: `began` once, with position, approach speed and normal; then the touch continues", () => {
  const stage = new Stage({ ...FLOOR, gravity: 0 });
  const still = stage.spawn(BALL, { x: 0, y: 5 });
  const fast = stage.spawn(BALL, { x: -3, y: 5, vx: 6 });
  until(stage, () => stage.contactEvents.length > 0);
  const [touch] = stage.contactEvents;
  assert(touch !== undefined);
  assertEquals([touch.a, touch.b, touch.began], [still, fast, true]);
  assertAlmostEquals(touch.approachSpeed, 6, 1e-6);
  assertAlmostEquals(touch.nx, -1, 1e-6); // from the smaller id to the larger
  assertAlmostEquals(touch.ny, 0, 1e-6);
  assertAlmostEquals(touch.ax - touch.bx, 1, 0.31); // no deeper than the motion of one world step
  stage.endTick();
  stage.advance();
  assertEquals(stage.contactEvents.map(({ began, approachSpeed }) => [began, approachSpeed]), [[
    false,
    0,
  ]]);
});

Deno.test("contactEvents: spin adds to the approach speed at the rim", () => {
  const stage = new Stage({ ...FLOOR, gravity: 0 });
  stage.spawn(SLED, { x: 0, y: 5, spin: 4 });
  stage.spawn(BALL, { x: 1.3, y: 5.9 });
  until(stage, () => stage.contactEvents.length > 0);
  assert(stage.contactEvents[0]!.approachSpeed > 4, `${stage.contactEvents[0]!.approachSpeed}`);
});

Deno.test("contactEvents: ascending, also if a later touch has smaller ids", () => {
  const stage = new Stage({ ...FLOOR, gravity: 0, ground: [] });
  const late = stage.spawn(BALL, { x: -4, y: 5 });
  const [left, right] = [stage.spawn(BALL, { x: 0, y: 5 }), stage.spawn(BALL, { x: 0.99, y: 5 })];
  stage.advance();
  assertEquals(stage.contactEvents.map(({ a, b }) => [a, b]), [[left, right]]);
  stage.endTick();
  stage.setVelocity(late, 10, 0);
  until(stage, () => stage.contactEvents.length > 1);
  assertEquals(stage.contactEvents.map(({ a, b, began }) => [a, b, began]), [[late, left, true], [
    left,
    right,
    false,
  ]]);
});

Deno.test("contactEvents: the ground is `a`; a resting body begins no new touch; a sleeping body still touches", () => {
  const stage = new Stage(FLOOR);
  const ball = stage.spawn(BALL, { x: 5, y: 2 });
  until(stage, () => stage.contactEvents.length > 0);
  const landed = stage.contactEvents[0]!;
  assertEquals([landed.a, landed.b, landed.began], [stage.ground, ball, true]);
  assertAlmostEquals(landed.approachSpeed, Math.sqrt(2 * 10 * 1.5), 0.5);
  assertAlmostEquals(landed.ny, 1, 1e-6);
  stage.endTick();
  let began = 0;
  until(stage, () => {
    began += stage.contactEvents.filter((touch) => touch.began).length;
    return !ball.awake;
  });
  assertEquals(began, 0);
  assertEquals(stage.contactEvents.length, 1);
  assert(stage.isSupported(ball));
  stage.endTick();
  stage.setVelocity(ball, 0, -5);
  stage.advance();
  assertEquals(stage.contactEvents.map(({ began, approachSpeed }) => [began, approachSpeed]), [[
    false,
    0,
  ]]);
});

Deno.test("contactEvents: a pair that slept for the whole tick touches, also for rules that remove one of it first (SPEC 9.35)", () => {
  const stage = new Stage(FLOOR);
  const ball = stage.spawn(BALL, { x: 5, y: 0.5 });
  until(stage, () => !ball.awake);
  const events = () =>
    stage.contactEvents.map(({ a, b, began, approachSpeed }) => [a, b, began, approachSpeed]);
  for (const despawns of [false, true]) {
    stage.endTick();
    stage.advance();
    if (despawns) stage.despawn(ball);
    assertEquals(events(), [[stage.ground, ball, false, 0]]);
  }
});

Deno.test("contactEvents, isSupported: the normal has the right sign, whichever of the two is A in their contact", () => {
  // The polygon is fixture A and the circle fixture B, whatever their ids.
  for (const firstIsBall of [true, false]) {
    const stage = new Stage({ ...FLOOR, ground: [] });
    const [first, second] = firstIsBall ? [BALL, SLED] as const : [SLED, BALL] as const;
    const low = stage.spawn(first, { x: firstIsBall ? 1 : 0, y: 0 });
    const high = stage.spawn(second, { x: firstIsBall ? 0 : 1, y: 0.9, vy: -3 });
    until(stage, () => stage.contactEvents.length > 0);
    const [touch] = stage.contactEvents;
    assertEquals([touch!.a, touch!.b], [low, high]);
    assertAlmostEquals(touch!.ny, 1, 1e-6);
    assert(touch!.approachSpeed > 2.9);
    assertEquals([stage.isSupported(low), stage.isSupported(high)], [false, true]);
  }
});

Deno.test("contactEvents: a body that teleports away does not touch any more", () => {
  const stage = new Stage(FLOOR);
  const ball = stage.spawn(BALL, { x: 5, y: 0.5 });
  stage.advance();
  stage.endTick();
  assertEquals(stage.touchingNow(ball).map(({ id }) => id), [0]);
  stage.teleport(ball, 5, 8);
  stage.advance();
  assertEquals(stage.contactEvents.length, 0);
  assert(!stage.isSupported(ball));
});

Deno.test("contactEvents: an entity that is despawned before the first read is still in the events of the tick", () => {
  const stage = new Stage({ ...FLOOR, gravity: 0 });
  const still = stage.spawn(BALL, { x: 0, y: 5 });
  const fast = stage.spawn(BALL, { x: -3, y: 5, vx: 6 });
  until(stage, () => stage.contactCount > 0);
  stage.despawn(fast);
  const next = stage.spawn(BALL, { x: 9, y: 9 }); // it takes the row of the body that is gone
  assertEquals(stage.contactEvents.map(({ a, b, began }) => [a, b, began]), [[still, fast, true]]);
  assert(next.id !== fast.id);
});

Deno.test("contactEvents: a sensor's normal goes from centre to centre, and a sensor supports no body", () => {
  const stage = new Stage(FLOOR);
  const zone = stage.spawn(ZONE, { x: 0, y: 5 });
  const ball = stage.spawn(BALL, { x: 0, y: 8 });
  until(stage, () => stage.contactEvents.length > 0);
  const [touch] = stage.contactEvents;
  assertEquals([touch!.a.id, touch!.b.id, touch!.began, touch!.nx, touch!.ny], [
    zone.id,
    ball.id,
    true,
    0,
    1,
  ]);
  assert(touch!.approachSpeed > 3);
  assert(!stage.isSupported(ball));
  assertEquals(stage.touchingNow(zone).map(({ id }) => id), [ball.id]);
  stage.endTick();
  until(stage, () => stage.contactEvents.length === 0);
  assert(ball.y < 4);
});
