/** Touches: who, where, how hard, when they begin and end, and how often in a tick. */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { archetype, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import type { Touch } from "../../../../shared/physics/events/touches.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { FEATURES } from "../scenes/features.ts";
import { SCENE, startScene, stepPartly, stepScene } from "../scenes/scene.ts";

const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] }, density: 2, tag: "wood" }] },
  fields: {},
});
const SCALE = archetype({
  name: "scale",
  body: {
    fixtures: [{ shape: { box: [1, 0.2], x: -1 }, tag: "left" }, {
      shape: { box: [1, 0.2], x: 1 },
      tag: "right",
    }],
    path: () => ({ x: 0, y: 2 }),
  },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  body: {
    fixtures: [{ shape: { circle: 0.1 }, restitution: 1, friction: 0 }],
    bullet: true,
    gravityScale: 0,
    fixedRotation: true,
  },
  fields: {},
});
const ZONE = archetype({
  name: "zone",
  body: { fixtures: [{ shape: { box: [2, 2] }, sensor: true, tag: "goal" }], gravityScale: 0 },
  fields: {},
});
const YARD: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [50, 0.5], y: -0.5 }, tag: "floor" }, {
    shape: { box: [5, 0.5], x: 60, y: -0.5 },
    tag: "lava",
  }],
  archetypes: [CRATE, SCALE, BALL, ZONE],
  fields: {},
};
const TICK_S = 1 / 20;

function run(
  stage: Stage,
  ticks: number,
  onTick: (touches: readonly Touch[]) => void = () => {},
): void {
  for (let tick = 0; tick < ticks; tick++) {
    stage.advance();
    onTick(stage.touches);
    stage.endTick();
  }
}

Deno.test("touches: a scale weighs a crate by its impulses within 2 %, awake and asleep (SPEC 9.55)", () => {
  const stage = new Stage(YARD);
  const scale = stage.spawn(SCALE);
  const crate = stage.spawn(CRATE, { x: 1, y: 2.75 });
  const weights: number[] = [];
  run(stage, 60, (touches) => {
    const own = touches.filter(({ a, b, tagA }) => a === scale && b === crate && tagA === "right");
    weights.push(own.reduce((sum, { normalImpulse }) => sum + normalImpulse, 0) / TICK_S);
    if (own.length > 0) assertEquals([own[0]!.fixtureA, own[0]!.tagB], [1, "wood"]);
  });
  assertEquals(crate.awake, false);
  for (const weight of weights.slice(20)) assertAlmostEquals(weight, 2 * 10, 0.02 * 20);
});

Deno.test("touches: friction impulses sum up to what the friction takes", () => {
  const stage = new Stage(YARD);
  const crate = stage.spawn(CRATE, { x: 0, y: 0.5, vx: 6 });
  let friction = 0;
  run(
    stage,
    10,
    (touches) => friction += touches.reduce((sum, { frictionImpulse }) => sum + frictionImpulse, 0),
  );
  // What the friction took from 2 kg.
  assertAlmostEquals(friction, 2 * (6 - crate.vx), 0.02 * friction);
  assertGreater(friction, 4);
});

Deno.test("touches: a ball between two walls touches as often as it bounces, also several times in a tick (SPEC 9.55)", () => {
  const walls = [-0.6, 0.6].map((x) => ({
    shape: { box: [0.1, 5] as const, x },
    restitution: 1,
    tag: x < 0 ? "left" : "right",
  }));
  const stage = new Stage({ ...YARD, substeps: 8, ground: walls });
  stage.spawn(BALL, { x: 0.3, y: 0, vx: 100 });
  const order: string[] = [];
  const speeds: number[] = [];
  let most = 0;
  run(stage, 20, (touches) => {
    const begun = touches.filter(({ began }) => began);
    most = Math.max(most, begun.length);
    assert(begun.every(({ normalImpulse }) => normalImpulse > 0));
    order.push(...begun.map(({ tagA }) => tagA!));
    speeds.push(...begun.map(({ approachSpeed }) => approachSpeed));
    assertEquals(touches.filter(({ began, ended }) => !began && !ended), []);
  });
  assertGreater(most, 4);

  // 0.8 m from wall to wall, and at most one bounce in a world step at each wall.
  assertGreater(order.length, 100);
  assert(Math.abs(order.filter((tag) => tag === "left").length - order.length / 2) <= 2);
  for (const speed of speeds) assertAlmostEquals(speed, speeds[0]!, 0.02 * speeds[0]!);
});

Deno.test("touches: begin, stay and end, with points and tags of the ground's parts (SPEC 9.55)", () => {
  const stage = new Stage(YARD);
  const crate = stage.spawn(CRATE, { x: 54.4, y: 0.6, vx: 3 });
  const log: string[] = [];
  run(stage, 40, (touches) => {
    for (const { tagA, began, ended, points, ny } of touches) {
      if (began || ended) log.push(`${tagA} ${began ? "begins" : "ends"}`);
      assertAlmostEquals(ny, 1, 1e-3);
      for (const { y } of points) assertAlmostEquals(y, 0, 0.03);
      for (const { x } of points) assert(Math.abs(x - crate.x) < 0.7);
    }
  });
  assertEquals(log, ["lava begins"]);
  stage.applyImpulse(crate, 0, 20);
  const ends: boolean[] = [];
  run(stage, 5, (touches) => ends.push(...touches.map(({ ended }) => ended)));
  assertEquals(ends.filter((ended) => ended), [true]);
});

Deno.test("touches: a sensor's have no points and no impulses", () => {
  const stage = new Stage(YARD);
  const zone = stage.spawn(ZONE, { x: 0, y: 20 });
  const ball = stage.spawn(BALL, { x: -4, y: 20, vx: 9 });
  const seen: Touch[] = [];
  run(stage, 20, (touches) => seen.push(...touches.map((touch) => ({ ...touchOf(touch) }))));
  assert(seen.every(({ a, b }) => a === zone && b === ball));
  assertEquals(seen.filter(({ began }) => began).length, 1);
  assertEquals(seen.filter(({ ended }) => ended).length, 1);
  assert(
    seen.every(({ points, normalImpulse, tagA }) =>
      points.length === 0 && normalImpulse === 0 && tagA === "goal"
    ),
  );
});

/** A copy, because a touch is valid until the next tick. */
function touchOf(touch: Touch): Touch {
  const {
    a,
    b,
    fixtureA,
    fixtureB,
    segmentA,
    segmentB,
    tagA,
    tagB,
    began,
    ended,
    endedBefore,
    swept,
  } = touch;
  const { nx, ny, approachSpeed, normalImpulse, frictionImpulse } = touch;
  const points = touch.points.map((at) => ({ ...at }));
  const parts = {
    a,
    b,
    fixtureA,
    fixtureB,
    segmentA,
    segmentB,
    tagA,
    tagB,
    began,
    ended,
    endedBefore,
    swept,
  };
  return { ...parts, points, nx, ny, approachSpeed, normalImpulse, frictionImpulse };
}

function wordsOf(touches: readonly Touch[]): unknown[] {
  return touches.map((touch) => {
    const { a, b, ...others } = touchOf(touch);
    return [a.id, a.archetype.name, a.isOnStage, b.id, b.archetype.name, b.isOnStage, others];
  });
}

Deno.test("touches: the same after a rollback, those of sleepers included, and in order (SPEC 9.56)", () => {
  const straight = startScene(4);
  const second = new Stage(SCENE);
  const state = new Snapshot();
  let count = 0;
  let sleeping = 0;
  let endedBefore = 0;

  for (let tick = 0; tick < 450; tick++) {
    straight.save(state);
    second.load(state);
    let expected: unknown[] = [];
    let found: unknown[] = [];
    stepScene(straight, 4, ({ touches }) => {
      expected = wordsOf(touches);
      const keys = touches.map(({ a, b, fixtureA, fixtureB, segmentA, segmentB }) => [
        a.id,
        b.id,
        fixtureA,
        segmentA,
        fixtureB,
        segmentB,
      ]);
      assert(keys.every((key, i) => i === 0 || compare(keys[i - 1]!, key) <= 0));
      sleeping += touches.filter(({ a, b }) =>
        a.isOnStage && b.isOnStage && !a.awake && !b.awake
      ).length;
      endedBefore += touches.filter((touch) => touch.endedBefore).length;
    });
    stepScene(second, 4, ({ touches }) => found = wordsOf(touches));
    assertEquals(found, expected, `tick ${tick}`);
    count += expected.length;
  }

  assertGreater(count, 1500);
  assertGreater(sleeping, 100);
  assertGreater(endedBefore, 100);
});

Deno.test("touches: the feature adds ended touches to a snapshot, and changes no other bit (SPEC 9.56)", () => {
  const features = FEATURES.filter(({ feature }) => feature !== "touches");
  const straight = startScene(4);
  const without = startScene(4, new Stage({ ...SCENE, features }));
  const state = new Snapshot();
  const others = new Snapshot();
  let ends = 0;

  for (let tick = 0; tick < 450; tick++) {
    for (const stage of [straight, without]) {
      stepPartly(stage, 4, "after physics");
      stage.endTick();
    }
    straight.save(state);
    without.save(others);
    assertEquals(
      state.words.slice(0, others.length),
      others.words.slice(0, others.length),
      `tick ${tick}`,
    );
    ends += state.length - others.length;
    if (tick % 100 !== 0) continue;
    const added = snapshotLabels(straight, state).slice(others.length);
    assert(added.every((label) => label.startsWith("ended touch ")), `${added}`);
  }

  assertGreater(ends, 100);
  without.advance();
  assertThrows(() => without.touches, StageError, "needs the feature touches");
});

function compare(one: readonly number[], other: readonly number[]): number {
  const i = one.findIndex((value, k) => value !== other[k]);
  return i < 0 ? 0 : one[i]! - other[i]!;
}
