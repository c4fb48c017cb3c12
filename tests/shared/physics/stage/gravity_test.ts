/** A gravity that the rules change: its effect, its words, and what is refused. */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { BodyList } from "../../../../shared/body_list.ts";
import { archetype, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import {
  adoptBodies,
  bodySchemasOf,
  fillBodies,
} from "../../../../shared/physics/stage/body_stream.ts";
import { properties } from "../../../../shared/physics/stage/properties.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";

const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] } }] },
  fields: {},
});
const SHOT = archetype({ name: "shot", projectile: { radius: 0, lifeTicks: 100 }, fields: {} });

const DEF: StageDef<{ rounds: "u8" }> = {
  gravity: 10,
  mutable: ["gravity"],
  tickHz: 20,
  substeps: 2,
  features: [properties],
  ground: [{ shape: { box: [20, 0.5], y: -0.5 } }, { shape: { box: [0.5, 20], x: 10.5 } }],
  archetypes: [CRATE, SHOT],
  fields: { rounds: "u8" },
};

function run(stage: Stage, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

function saved(stage: Stage): Snapshot {
  const state = new Snapshot();
  stage.save(state);
  return state;
}

/** A stage with a crate asleep on the floor. */
function resting() {
  const stage = new Stage(DEF);
  const crate = stage.spawn(CRATE, { x: 0, y: 0.5 });
  run(stage, 40);
  assert(!crate.awake);
  return { stage, crate };
}

Deno.test("setGravity: wakes what sleeps, and all falls the other way, projectiles too (SPEC 9.100)", () => {
  const { stage, crate } = resting();
  stage.setGravity(10);
  assert(!crate.awake, "nothing has changed");
  const shot = stage.spawn(SHOT, { x: -5, y: 5 });
  stage.setGravity({ x: 4, y: 10 });
  assert(crate.awake);
  run(stage, 10);
  for (const { vx, vy } of [crate, shot]) {
    assertAlmostEquals(vx, 2, 1e-5);
    assertAlmostEquals(vy, 5, 1e-5);
  }
  assertEquals(stage.gravity, { x: 4, y: 10 });
});

Deno.test("setGravity: up is where it comes from (SPEC 9.100)", () => {
  const { stage, crate } = resting();
  assertEquals(stage.isSupported(crate), true);
  stage.setGravity({ x: 10, y: 0 });
  assertEquals(stage.isSupported(crate), false, "the floor has become a wall");
  stage.teleport(crate, 9.4, 5);
  run(stage, 20);
  assertEquals(stage.isSupported(crate), true, "the wall has become a floor");
  stage.setGravity(0);
  assertEquals(stage.isSupported(crate), false, "without gravity up is y");
});

Deno.test("setGravity: a rollback brings it back, also to a stage that has changed it (SPEC 9.100)", () => {
  const { stage, crate } = resting();
  stage.setGravity({ x: 0.1, y: -3 });
  stage.endTick();
  const state = saved(stage);
  const labels = snapshotLabels(stage, state);
  assertEquals(labels.slice(5, 9), [
    "stage field rounds",
    "gravity.x",
    "gravity.y",
    "entity 1 crate id",
  ]);
  const live = new Stage(DEF);
  live.load(state);
  live.setGravity(-5);
  run(live, 3);
  const fresh = new Stage(DEF);
  for (const each of [live, fresh]) {
    each.load(state);
    assert(saved(each).equals(state));
    run(each, 30);
  }
  run(stage, 30);
  assert(crate.x !== 0);
  assert(saved(live).equals(saved(stage)) && saved(fresh).equals(saved(stage)));
});

Deno.test("setGravity: a stage that does not declare it has no words for it (SPEC 9.100)", () => {
  const { mutable: _, ...constant } = DEF;
  const stage = new Stage(constant);
  stage.endTick();
  assertEquals(saved(stage).length, 6);
  assertEquals(stage.gravity, { x: 0, y: -10 });
  assertThrows(() => stage.setGravity(3), StageError, "does not declare gravity as mutable");
});

Deno.test("setGravity: the error names what is wrong, and nothing has changed (SPEC 9.11, 9.100)", () => {
  const { stage } = resting();
  const before = saved(stage);
  const wrong: [() => void, string][] = [
    [() => stage.setGravity(NaN), "gravity is NaN"],
    [() => stage.setGravity({ x: 0, y: 2e5 }), "gravity is 200000"],
    [() => stage.setGravity({ x: 0, y: 0, z: 1 } as never), `gravity has no "z"`],
    [() => stage.setGravity(null as never), "gravity is null"],
    [() => new Stage({ ...DEF, features: [] }), "the stage's mutable needs the feature properties"],
    [
      () => new Stage({ ...DEF, mutable: ["gravity", "gravity"] }),
      "the stage's mutable has gravity, which is unknown or there twice",
    ],
  ];
  for (const [act, message] of wrong) assertThrows(act, StageError, message);
  assert(saved(stage).equals(before));

  const hostile = new Snapshot();
  for (const value of [NaN, Infinity, 1.1e5]) {
    hostile.copyFrom(before);
    hostile.floats[6] = value;
    assertThrows(() => stage.load(hostile), SnapshotError, "a gravity out of range");
  }
});

Deno.test("adoptBodies: a stage has the gravity of another one, and all wakes (SPEC 9.100, 12.26)", () => {
  const { stage: server } = resting();
  const { stage: client, crate } = resting();
  server.setGravity({ x: 3, y: -9 });
  server.fields.rounds = 7;
  server.endTick();
  client.endTick();
  const list = new BodyList();
  fillBodies(server, () => -1, list);
  for (let i = 1; i < list.count; i++) list.at(i).keepsMotion = true;
  assertEquals(
    bodySchemasOf(DEF).schemas[0]!.fields.map(({ name }) => name),
    ["gravity.x", "gravity.y", "rounds"],
  );
  adoptBodies(client, list);
  assertEquals([client.gravity, client.fields.rounds], [{ x: 3, y: -9 }, 7]);
  assert(crate.awake);
  list.at(0).fieldBits[0] = 0x7fc0_0000;
  assertThrows(() => adoptBodies(client, list), SnapshotError, "a gravity out of range");
});
