/**
 * A stage as a list of bodies, and another stage that adopts it: entities, joints and the next id.
 */
import { assert, assertEquals, assertGreater, assertNotEquals, assertThrows } from "@std/assert";
import { type Body, BodyList } from "../../../../shared/body_list.ts";
import { BodyModel } from "../../../../shared/netcode/wire/body_model.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import {
  adoptBodies,
  bodySchemasOf,
  fillBodies,
} from "../../../../shared/physics/stage/body_stream.ts";
import { type Joint, Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { SCENE, type SceneStage, startScene, stepScene } from "../scenes/scene.ts";
import { BLOCK, DOOR, LIFT, ROPE, SPARK, WELD, WORKSHOP, workshop } from "../scenes/workshop.ts";

/** The word of a snapshot, the field of a joint with a motor, and its bit. */
const NEXT_ID = 1;
const FLAGS = 2;
const MOTOR_ON = 8;
// deno-lint-ignore no-explicit-any
type AnyStage = Stage<any>;

function listOf(stage: AnyStage): BodyList {
  const list = new BodyList();
  fillBodies(stage, () => -1, list);
  return list;
}

function bodiesOf(list: BodyList): Body[] {
  return Array.from({ length: list.count }, (_, i) => list.at(i));
}

function savedBy(stage: AnyStage): Snapshot {
  const saved = new Snapshot();
  stage.save(saved);
  return saved;
}

const { schemas } = bodySchemasOf(SCENE);
const jointsOf = (list: BodyList) =>
  bodiesOf(list).filter(({ schemaIndex }) => schemas[schemaIndex]!.isJoint === true)
    .map((
      { entity, schemaIndex, fieldBits },
    ) => [entity, schemas[schemaIndex]!.name, ...fieldBits]);

for (const seed of [31, 32, 33]) {
  Deno.test(`adoptBodies: a stage has the joints of every type of another stage, exactly, and the next id (SPEC 12.20, 12.23) [seed ${seed}]`, () => {
    const server = startScene(seed);
    const client: SceneStage = new Stage(SCENE);
    const other: SceneStage = new Stage(SCENE);
    const kinds = new Set<unknown>();
    let compared = 0;
    let differed = 0;

    for (let tick = 0; tick < 400; tick++) {
      stepScene(server, seed);
      // The client mispredicts: its rules make, change and break other joints.
      if (tick > 0) stepScene(client, seed + tick % 3);
      const list = listOf(server);
      if (tick % 3 !== 0) continue;
      if (JSON.stringify(jointsOf(listOf(client))) !== JSON.stringify(jointsOf(list))) differed++;
      adoptBodies(client, list);
      assertEquals(jointsOf(listOf(client)), jointsOf(list));
      assertEquals(savedBy(client).words[NEXT_ID], savedBy(server).words[NEXT_ID]);
      assertEquals([client.tick, client.entityCount], [server.tick, server.entityCount]);
      for (const [, kind] of jointsOf(list)) kinds.add(kind);
      compared += jointsOf(list).length;

      // The adopted stage is one that a snapshot has: another stage that loads it goes on alike.
      other.load(savedBy(client));
      const ahead: SceneStage = new Stage(SCENE);
      ahead.load(savedBy(client));
      stepScene(other, seed);
      stepScene(ahead, seed);
      assert(savedBy(other).equals(savedBy(ahead)));
    }

    assertEquals(kinds.size, SCENE.joints!.length);
    assertGreater(compared, 1000);
    assertGreater(differed, 50);
  });
}

Deno.test("adoptBodies: a client that steps and one that loads the adopted state go on alike (SPEC 9.5, 12.20)", () => {
  const server = startScene(34);
  const client = startScene(35);
  const loaded: SceneStage = new Stage(SCENE);
  for (let tick = 0; tick < 200; tick++) {
    stepScene(server, 34);
    stepScene(client, 35);
    if (tick % 10 === 0) {
      adoptBodies(client, listOf(server));
      loaded.load(savedBy(client));
    } else stepScene(loaded, 35);
    assert(savedBy(client).equals(savedBy(loaded)), `tick ${tick}`);
  }
});

Deno.test("adoptBodies: two that sleep on each other, and that a list has apart, touch no more (SPEC 9.5, 12.20) [once seed 3006 of the hunt]", () => {
  const stage = workshop();
  const loaded = workshop();
  const low = stage.spawn(BLOCK, { x: 0, y: 1 });
  const high = stage.spawn(BLOCK, { x: 0, y: 2 });
  for (let i = 0; i < 200; i++) {
    stage.advance();
    stage.endTick();
  }
  assert(!high.awake && stage.touchingNow(high).map(({ id }) => id).includes(low.id));
  const list = listOf(stage);
  const moved = list.find(high.id)!;
  moved.x += 20;
  adoptBodies(stage, list);
  assertEquals(stage.touchingNow(high).map(({ id }) => id), []);
  const saved = savedBy(stage);
  stage.load(saved);
  loaded.load(saved);
  assert(savedBy(stage).equals(savedBy(loaded)));
});

/** A lever and a block on a rope, in the middle of their motion. */
function machine() {
  const stage = workshop();
  const { joints, ground } = stage;
  const beam = stage.spawn(BLOCK, { x: 0, y: 8 });
  const load = stage.spawn(BLOCK, { x: 1, y: 5 });
  const hinge = joints.add(DOOR, ground, beam, { x: -1, y: 8 });
  const rope = joints.add(ROPE, beam, load, { x: 0, y: 8, bx: 1, by: 5 });
  for (let i = 0; i < 30; i++) {
    stage.advance();
    stage.endTick();
  }
  return { stage, joints, hinge, rope, beam, load };
}

/** The values of a joint's words with this label, e.g. "motorImpulse". */
function wordsOf(stage: AnyStage, { id }: Pick<Joint, "id">, pattern: RegExp): number[] {
  const saved = savedBy(stage);
  const labels = snapshotLabels(stage, saved);
  return labels.flatMap((label, i) =>
    label.startsWith(`joint ${id} `) && pattern.test(label) ? [saved.floats[i]!] : []
  );
}

Deno.test("adoptBodies: a joint that stays keeps its impulses, one whose motor or limits were switched starts with none (SPEC 12.21)", () => {
  const { stage, hinge } = machine();
  const impulses = () => wordsOf(stage, hinge, /[iI]mpulse/);
  const before = impulses();
  assertGreater(Math.max(...before.map(Math.abs)), 0);
  adoptBodies(stage, listOf(stage));
  assertEquals(impulses(), before);
  const list = listOf(stage);
  const { fieldBits } = list.find(hinge.id)!;
  fieldBits[FLAGS]! ^= MOTOR_ON;
  adoptBodies(stage, list);
  assertEquals(impulses(), before.map(() => 0));
});

Deno.test("adoptBodies: an id may be another's: a joint becomes an entity, and an entity a joint (SPEC 12.20)", () => {
  const [server, client] = [workshop(), workshop()];
  const [a, b] = [server.spawn(BLOCK, { x: 0, y: 5 }), server.spawn(BLOCK, { x: 2, y: 5 })];
  server.joints.add(ROPE, a, b, { x: 0, y: 5, bx: 2, by: 5 });
  server.spawn(BLOCK, { x: 4, y: 5 });
  const [c, d] = [client.spawn(BLOCK, { x: 0, y: 5 }), client.spawn(BLOCK, { x: 2, y: 5 })];
  client.spawn(BLOCK, { x: 4, y: 5 });
  client.joints.add(WELD, c, d, { x: 1, y: 5 });
  for (const stage of [server, client]) stage.endTick();
  adoptBodies(client, listOf(server));
  assertEquals(
    bodiesOf(listOf(client)).map(({ entity, schemaIndex }) => [entity, schemaIndex]),
    bodiesOf(listOf(server)).map(({ entity, schemaIndex }) => [entity, schemaIndex]),
  );
  const there = client.joints.get(3)!;
  assertEquals([there.definition.name, there.a.id, there.b.id], [ROPE.name, 1, 2]);
});

Deno.test("adoptBodies: what hangs on a joint that is gone wakes up and falls (SPEC 12.20)", () => {
  const { stage, rope, load } = machine();
  for (let i = 0; i < 600; i++) {
    stage.advance();
    stage.endTick();
  }
  const still = listOf(stage);
  const less = new BodyList();
  const y = load.y;
  less.reset(still.tick);
  less.nextId = still.nextId;

  for (const body of bodiesOf(still)) {
    if (body.entity === rope.id) continue;
    const { fieldBits, ...numbers } = body;
    const to = less.add(body.entity, body.schemaIndex);
    Object.assign(to, numbers, { keepsMotion: true });
    to.fieldBits.push(...fieldBits);
  }

  adoptBodies(stage, less);
  for (let i = 0; i < 20; i++) {
    stage.advance();
    stage.endTick();
  }
  assertGreater(y - load.y, 1);
});

Deno.test("adoptBodies: joints that no stage can have are refused, and the stage stays as it is (SPEC 8.1, 12.25)", () => {
  const { stage, hinge, rope, beam } = machine();
  const spark = stage.spawn(SPARK, { x: 9, y: 9 });
  const before = new Snapshot();
  stage.endTick();
  stage.save(before);
  const kinds = bodySchemasOf(WORKSHOP).schemas;
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  const bitsOf = (value: number) => (float[0] = value, bits[0]!);
  const refuse = (
    change: (list: BodyList, field: (id: number, name: string, word: number) => void) => void,
    what: string,
  ) => {
    const list = listOf(stage);
    change(list, (id, name, word) => {
      const body = list.find(id)!;
      const at = kinds[body.schemaIndex]!.fields.findIndex((field) => field.name === name);
      assertNotEquals(at, -1);
      body.fieldBits[at] = word;
    });
    assertThrows(() => adoptBodies(stage, list), SnapshotError, what);
    assert(savedBy(stage).equals(before), what);
  };
  refuse((list) => list.find(rope.id)!.schemaIndex = kinds.length, `kind ${kinds.length}`);
  refuse((list) => list.find(rope.id)!.schemaIndex = 0, "kind 0");
  refuse((list) => list.find(rope.id)!.entity = hinge.id, "out of order");
  refuse((_, field) => field(rope.id, "entity B", 77), "a joint of nobody");
  refuse((_, field) => field(rope.id, "entity B", hinge.id), "a joint of nobody");
  refuse((_, field) => field(rope.id, "entity B", spark.id), "a joint of a projectile");
  refuse((_, field) => field(rope.id, "entity B", beam.id), "can move nobody");
  refuse((_, field) => field(rope.id, "length", bitsOf(NaN)), "length is out of bounds");
  refuse((_, field) => field(rope.id, "length", bitsOf(1e6)), "length is out of bounds");
  refuse((_, field) => field(rope.id, "length", 0), "no length or direction");
  refuse((_, field) => field(rope.id, "anchorA.x", bitsOf(Infinity)), "anchorA.x is out of bounds");
  refuse((_, field) => field(hinge.id, "flags", 64), "impossible flags");
  refuse((list) => list.nextId = 2 ** 32, "too many");
  refuse((list) => list.reset(9), "without a stage");
  const crowd = new BodyList();
  crowd.reset(5);
  crowd.add(0, 0);
  for (let id = 1; id < 1030; id++) crowd.add(id, kinds.findIndex(({ isJoint }) => isJoint));
  assertThrows(() => adoptBodies(stage, crowd), SnapshotError, "too many");
});

Deno.test("bodySchemasOf: joints are kinds behind the archetypes, without impulses, with those values that may wait (SPEC 12.20, 12.21, 12.22)", () => {
  const { schemas } = bodySchemasOf(WORKSHOP, { lift: {} });
  const byName = new Map(schemas.map((each) => [each.name, each]));
  assertEquals(
    schemas.filter(({ isJoint }) => isJoint).map(({ name }) => name),
    WORKSHOP.joints!.map(({ name }) => name),
  );
  assertEquals(
    schemas.slice(0, 1 + WORKSHOP.archetypes.length).some(({ isJoint }) => isJoint),
    false,
  );
  const names = (joint: { name: string }) => byName.get(joint.name)!.fields.map(({ name }) => name);
  const anchors = ["anchorA.x", "anchorA.y", "anchorB.x", "anchorB.y"];
  assertEquals(names(ROPE).slice(0, 7), ["entity A", "entity B", ...anchors, "length"]);
  assertEquals(names(LIFT).includes("flags"), true);
  for (const { fields } of schemas) {
    assertEquals(fields.filter(({ name }) => /impulse/i.test(name)), []);
  }
  const waiting = schemas.flatMap(({ fields }) =>
    fields.filter((field) => field.metresPerUnit !== undefined)
  );
  assertEquals([...new Set(waiting.map(({ name }) => name))].sort(), [
    "length",
    "motorSpeed",
    "target.x",
    "target.y",
  ]);
});

Deno.test("BodyModel: 255 kinds of entities and 255 of joints fit (SPEC 12.24)", () => {
  const [ball] = bodySchemasOf(WORKSHOP).schemas.slice(1);
  const of = (count: number) => Array(count).fill(ball);
  assertEquals(new BodyModel({ schemas: of(511), substeps: 2 }, 20).schemas.length, 511);
  assertThrows(() => new BodyModel({ schemas: of(512), substeps: 2 }, 20), RangeError, "512 kinds");
});
