/**
 * Entities with static bodies: floors, walls and zones that have ids and fields, and that only
 * teleports move.
 */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { archetype, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import {
  adoptBodies,
  bodySchemasOf,
  fillBodies,
} from "../../../../shared/physics/stage/body_stream.ts";
import { INTERNALS } from "../../../../shared/physics/stage/internals.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { BodyList } from "../../../../shared/body_list.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import { FEATURES } from "../scenes/features.ts";

const FLOOR = archetype({
  name: "floor",
  body: { type: "static", fixtures: [{ shape: { box: [5, 0.5] } }] },
  fields: { heat: "u8" },
});
const GOAL = archetype({
  name: "goal",
  body: { type: "static", fixtures: [{ shape: { box: [1, 1] }, sensor: true }] },
  fields: { score: "u16" },
});
const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] } }] },
  fields: {},
});
const LIFT = archetype({
  name: "lift",
  body: { fixtures: [{ shape: { box: [1, 0.1] } }], path: (tick) => ({ x: 0, y: tick / 50 }) },
  fields: {},
});
const SHOT = archetype({ name: "shot", projectile: { radius: 0.1, lifeTicks: 100 }, fields: {} });

const DEF: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [50, 0.5], y: -20 } }],
  archetypes: [FLOOR, GOAL, CRATE, LIFT, SHOT],
  fields: {},
};

function run(stage: Stage, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

/** A crate asleep on a floor. */
function restingCrate() {
  const stage = new Stage(DEF);
  const floor = stage.spawn(FLOOR, { x: 0, y: -0.5, fields: { heat: 7 } });
  const crate = stage.spawn(CRATE, { x: 0, y: 0.5 });
  run(stage, 40);
  assert(!crate.awake);
  return { stage, floor, crate };
}

Deno.test("static entity: carries bodies as ground of the same shape does, bit by bit (SPEC 9.48)", () => {
  const named = new Stage(DEF);
  const unnamed = new Stage({
    ...DEF,
    ground: [...DEF.ground, { shape: { box: [5, 0.5], y: -0.5 } }],
  });
  named.spawn(FLOOR, { x: 0, y: -0.5 });
  unnamed.spawn(FLOOR, { x: 0, y: 500 });
  const pairs = [0.6, 1.8, 3.1, 4.3].map((y, i) => {
    const at = { x: i * 0.2, y, angle: i, spin: 3 - i };
    return [named.spawn(CRATE, at), unnamed.spawn(CRATE, at)] as const;
  });

  for (let tick = 0; tick < 200; tick++) {
    for (const [a, b] of pairs) {
      assertEquals([a.x, a.y, a.angle, a.vx, a.vy, a.spin], [
        b.x,
        b.y,
        b.angle,
        b.vx,
        b.vy,
        b.spin,
      ]);
    }
    run(named, 1);
    run(unnamed, 1);
  }

  assert(pairs.every(([crate]) => crate.y > 0 && !crate.awake));
});

Deno.test("static entity: contacts and hits name it, and a zone's list has whom it contains (SPEC 9.48)", () => {
  const { stage, floor, crate } = restingCrate();
  const goal = stage.spawn(GOAL, { x: 0, y: 0.5 });
  const shot = stage.spawn(SHOT, { x: 3, y: 1, vy: -30 });
  stage.advance();
  const began: [Entity, Entity, boolean][] = stage.contactEvents.map((
    { a, b, began },
  ) => [a, b, began]);
  assertEquals(began, [[floor, crate, false], [crate, goal, true]]);
  assertEquals(stage.hits.map(({ projectile, target }) => [projectile, target]), [[shot, floor]]);
  assertEquals([stage.touchingNow(goal), stage.touchingNow(floor)], [[crate], [crate]]);
  assert(stage.isSupported(crate) && !stage.isSupported(floor));
});

Deno.test("static entity: a despawn lets bodies fall, and a teleport wakes what it leaves and reaches (SPEC 9.31, 9.48)", () => {
  const { stage, floor, crate } = restingCrate();
  const second = stage.spawn(CRATE, { x: 20, y: -19 });
  run(stage, 40);
  assert(!second.awake);
  stage.teleport(floor, 20, -19.6);
  assertEquals([floor.x, floor.y, floor.teleports], [20, -19.6, 1]);
  assert(crate.awake, "it falls");
  run(stage, 5);
  assert(second.awake && crate.vy < -2, `${second.awake} ${crate.vy}`);
  assert(second.vy > 0 || second.y > -18.9, "it is pushed out of the floor");
  const another = restingCrate();
  another.stage.despawn(another.floor);
  assert(another.crate.awake);
  run(another.stage, 1);
  assertAlmostEquals(another.crate.vy, -0.5, 1e-6);
});

Deno.test("static entity: stays exactly where it is when bodies hit it (SPEC 9.48)", () => {
  const stage = new Stage(DEF);
  const floor = stage.spawn(FLOOR, { x: 0.1, y: -0.7, angle: 0.3 });
  stage.endTick();
  const { x, y, angle } = floor;
  let hits = 0;
  for (let tick = 0; tick < 100; tick++) {
    if (tick % 10 === 0) stage.spawn(CRATE, { x: 0.3, y: 6, vy: -60, angle: tick });
    stage.advance();
    hits += stage.contactEvents.filter(({ began, approachSpeed }) =>
      began && approachSpeed > 30
    ).length;
    assertEquals([floor.x, floor.y, floor.angle], [x, y, angle]);
    stage.endTick();
  }
  assert(hits > 5, `${hits} hits`);
});

Deno.test("static entity: makes no contacts with ground, static and kinematic bodies (SPEC 9.48)", () => {
  const stage = new Stage(DEF);
  stage.spawn(FLOOR, { x: 0, y: 0 });
  stage.spawn(FLOOR, { x: 1, y: 0.2 });
  stage.spawn(FLOOR, { x: 1, y: -20 });
  stage.spawn(LIFT);
  run(stage, 9);
  stage.advance();
  assertEquals([stage.contactCount, stage.contactEvents.length], [0, 0]);
});

Deno.test("static entity: refuses what moves or pushes it (SPEC 9.48)", () => {
  const stage = new Stage(DEF);
  const floor = stage.spawn(FLOOR, { x: 0, y: 0 });

  for (
    const refused of [
      () => stage.setVelocity(floor, 1, 0),
      () => stage.setSpin(floor, 1),
      () => stage.applyForce(floor, 1, 0),
      () => stage.applyImpulse(floor, 1, 0),
      () => stage.spawn(FLOOR, { x: 0, y: 0, vx: 1 }),
      () => stage.spawn(FLOOR, { x: 0, y: 0, spin: 1 }),
    ]
  ) {
    assertThrows(
      refused,
      StageError,
      `entity ${refused.toString().includes("spawn") ? 2 : 1} floor`,
    );
  }

  assertEquals(stage.entityCount, 1);
  const path = () => ({ x: 0, y: 0 });
  const fixtures = FLOOR.body!.fixtures;
  const define = (body: object) => () =>
    new Stage({ ...DEF, archetypes: [{ name: "floor", fields: {}, body: { fixtures, ...body } }] });
  assertThrows(
    define({ type: "static", path }),
    StageError,
    "floor has a path, so it is not static",
  );
  assertThrows(define({ type: "soft" }), StageError, "floor has the type soft");
  const box = { shape: { box: [1, 1] as const } };
  define({ type: "static", fixtures: new Array(256).fill(box) })();
  assertThrows(
    define({ type: "static", fixtures: new Array(257).fill(box) }),
    StageError,
    "256 fixtures",
  );
});

Deno.test("static entity: a state in which it moves or sleeps is refused (SPEC 9.48)", () => {
  const { stage } = restingCrate();
  const state = new Snapshot();
  const hostile = new Snapshot();
  stage.save(state);
  const labels = snapshotLabels(stage, state);
  for (
    const [word, value] of [["vx", 1], ["vy", -1], ["spin", 2], ["sleepTime", 1], [
      "awake",
      0,
    ]] as const
  ) {
    hostile.copyFrom(state);
    const at = labels.indexOf(`entity 1 floor ${word}`);
    if (word === "awake") hostile.words[at] = value;
    else hostile.floats[at] = value;
    assertThrows(() => stage.load(hostile), SnapshotError, "a static body that moves or sleeps");
  }
});

Deno.test("static entity: the body stream carries it, and does not let it fall", () => {
  const { stage, floor, crate } = restingCrate();
  const client = new Stage(DEF);
  const list = new BodyList();
  const moving = new BodyList();
  assertEquals(bodySchemasOf(DEF).schemas.map(({ gravityUnits }) => gravityUnits), [
    0,
    0,
    0,
    640,
    0,
    640,
  ]);
  fillBodies(stage, () => -1, list);
  adoptBodies(client, list);
  run(client, 10);
  assertEquals([client.get(floor.id)!.y, client.get(floor.id)!.fields["heat"]], [floor.y, 7]);
  assertAlmostEquals(client.get(crate.id)!.y, crate.y, 1e-3);
  stage.teleport(floor, 0, -3);
  run(stage, 1);
  fillBodies(stage, () => -1, list);
  adoptBodies(client, list);
  run(client, 3);
  assert(client.get(crate.id)!.vy < -1, "the crate has lost its floor");
  fillBodies(stage, () => -1, moving);
  moving.at(1).vx = 1;
  assertThrows(() => adoptBodies(client, moving), SnapshotError, "static");
});

Deno.test("static entity: where it turns within its own AABB, it keeps the bodies that it meets (SPEC 9.1, 9.61)", () => {
  const stage = new Stage(DEF);
  const sensor = stage.spawn(GOAL, { x: 0, y: 0, angle: Math.PI / 4 });
  stage.spawn(CRATE, { x: 0, y: 0.2 });
  stage.endTick();
  run(stage, 1);
  stage.teleport(sensor, 0, 0, 0);
  stage.endTick();
  const fresh = new Stage(DEF);
  const state = new Snapshot();
  stage.save(state);
  fresh.load(state);
  assertEquals([pairsOf(stage), pairsOf(fresh)], [1, 1]);
});

function pairsOf(stage: Stage): number {
  return stage[INTERNALS].world.contacts.count;
}
