/** Properties of bodies that change, on the body stream: a stage adopts them with the bodies. */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { BodyList } from "../../../../shared/body_list.ts";
import { chains } from "../../../../shared/physics/chains/feature.ts";
import { archetype, type StageDef } from "../../../../shared/physics/core/types.ts";
import {
  adoptBodies,
  bodySchemasOf,
  fillBodies,
} from "../../../../shared/physics/stage/body_stream.ts";
import { properties } from "../../../../shared/physics/stage/properties.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";

const CRATE = archetype({
  name: "crate",
  body: {
    fixtures: [{ shape: { box: [0.5, 0.5] }, friction: 0.3 }],
    mutable: ["mask", "gravityScale", "friction", "restitution"],
  },
  fields: { marks: "u8" },
});
const SLOPE = archetype({
  name: "slope",
  body: {
    type: "static",
    fixtures: [{ shape: { chain: [[-20, 0], [0, 0], [20, 0]] }, friction: 0.5 }, {
      shape: { circle: 1, y: -3 },
    }],
    mutable: ["friction"],
  },
  fields: {},
});
const PLAIN = archetype({
  name: "plain",
  body: { fixtures: [{ shape: { circle: 0.5 } }] },
  fields: { marks: "u8" },
});
const DEF: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: [chains, properties],
  fields: {},
  ground: [{ shape: { box: [30, 0.5], y: -9 } }],
  archetypes: [CRATE, SLOPE, PLAIN],
};

function run(stage: Stage, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

function listOf(stage: Stage): BodyList {
  const list = new BodyList();
  fillBodies(stage, () => -1, list);
  return list;
}

function savedBy(stage: Stage): Snapshot {
  const saved = new Snapshot();
  stage.save(saved);
  return saved;
}

/** A slope with four crates and a ball. */
function yard(): Stage {
  const stage = new Stage(DEF);
  stage.spawn(SLOPE, { x: 0, y: 0 });
  for (let i = 0; i < 4; i++) stage.spawn(CRATE, { x: 3 * i - 6, y: 0.5 });
  stage.spawn(PLAIN, { x: 9, y: 0.5 });
  run(stage, 40);
  return stage;
}

function propertiesOf(stage: Stage): number[][] {
  const of = (
    entity: Entity,
    names: readonly ("friction" | "restitution" | "mask" | "gravityScale")[],
  ) => names.map((name) => stage.properties.get(entity, name));
  const crates: readonly Entity[] = stage.all(CRATE);
  const slopes: readonly Entity[] = stage.all(SLOPE);
  return [
    ...crates.map((crate) => of(crate, ["friction", "restitution", "mask", "gravityScale"])),
    ...slopes.map((slope) =>
      [0, 1].map((fixture) => stage.properties.get(slope, "friction", fixture))
    ),
  ];
}

/** Changes properties at random, and now and then replaces a crate. */
function disturb(stage: Stage, random: Random): void {
  const crates = stage.all(CRATE);
  const crate = crates[random.below(crates.length)]!;
  const [slope] = stage.all(SLOPE);
  const mask = random.below(4) === 0 ? 0 : 0xffff;
  const gravityScale = random.below(3) / 2;
  if (random.below(2) === 0) {
    stage.properties.set(crate, { mask, gravityScale, friction: random.below(10) / 10 });
  }
  if (random.below(8) === 0) {
    stage.properties.set(slope!, { friction: random.below(3) }, random.below(2));
  }
  if (random.below(3) === 0) stage.setVelocity(crate, random.below(9) - 4, 0);
  if (random.below(20) === 0 || crate.y < -5) {
    stage.despawn(crate);
    stage.spawn(CRATE, { x: random.below(20) - 10, y: 2 });
  }
}

Deno.test("bodySchemasOf: properties are fields in front of the declared ones, of the archetypes that declare them alone (SPEC 12.26)", () => {
  const fields = bodySchemasOf(DEF, { crate: { marks: 1 } }).schemas.map(({ fields }) => fields);
  const named = (names: readonly string[], type: string) =>
    names.map((name) => ({ name, type, drift: 0 }));
  assertEquals(
    fields.slice(1),
    [
      [
        ...named(["gravityScale", "friction[0]", "restitution[0]"], "f32"),
        ...named(["mask[0]"], "u16"),
        { name: "marks", type: "u8", drift: 1 },
      ],
      named(["friction[0]", "friction[1]"], "f32"),
      named(["marks"], "u8"),
    ] as typeof fields,
  );
});

Deno.test("adoptBodies: a stage has the properties of another one, whatever it has predicted (SPEC 12.26) [seed 61]", () => {
  const server = yard();
  const client = yard();
  const loaded = new Stage(DEF);
  const at = new Random(61);
  const other = new Random(62);
  let differed = 0;

  for (let tick = 0; tick < 400; tick++) {
    disturb(server, at);
    disturb(client, other);
    run(server, 1);
    run(client, 1);
    if (tick % 3 !== 0) continue;
    if (JSON.stringify(propertiesOf(client)) !== JSON.stringify(propertiesOf(server))) differed++;
    adoptBodies(client, listOf(server));
    assertEquals(propertiesOf(client), propertiesOf(server));
    assertEquals(client.all(CRATE).map(({ id }) => id), server.all(CRATE).map(({ id }) => id));
    loaded.load(savedBy(client));
    const ahead = new Stage(DEF);
    ahead.load(savedBy(client));
    run(loaded, 2);
    run(ahead, 2);
    assert(savedBy(loaded).equals(savedBy(ahead)));
  }

  assertGreater(differed, 100);
});

Deno.test("adoptBodies: a client that steps and one that loads the adopted state go on alike (SPEC 12.26) [seed 63]", () => {
  const server = yard();
  const client = yard();
  const loaded = new Stage(DEF);
  const at = new Random(63);
  for (let tick = 0; tick < 200; tick++) {
    disturb(server, at);
    run(server, 1);
    run(client, 1);
    if (tick % 10 === 0) {
      adoptBodies(client, listOf(server));
      loaded.load(savedBy(client));
    } else if (tick > 0) run(loaded, 1);
    assert(savedBy(client).equals(savedBy(loaded)), `tick ${tick}`);
  }
});

Deno.test("adoptBodies: a property counts at once in contacts that exist, also of a body that keeps its motion (SPEC 12.26)", () => {
  const [server, client] = [yard(), yard()];
  const id = server.all(CRATE)[0]!.id;
  for (const stage of [server, client]) {
    stage.setVelocity(stage.get(id)!, 2, 0);
    run(stage, 1);
  }
  server.properties.set(server.get(1)!, { friction: 0 });
  server.endTick();
  const list = listOf(server);
  for (let i = 1; i < list.count; i++) list.at(i).keepsMotion = true;
  client.endTick();
  adoptBodies(client, list);
  run(server, 10);
  run(client, 10);
  assertAlmostEquals(client.get(id)!.vx, server.get(id)!.vx, 1e-6);
  assertGreater(client.get(id)!.vx, 1.7);
});

Deno.test("adoptBodies: a body whose mask is empty falls, though it slept (SPEC 12.26)", () => {
  const server = yard();
  const client = yard();
  const { id } = server.all(CRATE)[0]!;
  assertEquals(client.get(id)!.awake, false);
  server.properties.set(server.get(id)!, { mask: 0 });
  server.endTick();
  client.endTick();
  adoptBodies(client, listOf(server));
  assertEquals(client.touchingNow(client.get(id)!).map(({ id }) => id), []);
  const still = listOf(server);
  for (let i = 1; i < still.count; i++) still.at(i).keepsMotion = true;
  const other = yard();
  other.endTick();
  adoptBodies(other, still);
  assertEquals([client, other].map((stage) => stage.get(id)!.awake), [true, true]);
  run(other, 4);
  assertAlmostEquals(other.get(id)!.vy, -2, 1e-5);
});

Deno.test("adoptBodies: properties out of range are refused (SPEC 8.1, 12.26)", () => {
  const { schemas } = bodySchemasOf(DEF);
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  const bitsOf = (value: number) => {
    float[0] = value;
    return bits[0]!;
  };

  for (
    const [name, word] of [
      ["gravityScale", bitsOf(NaN)],
      ["friction[0]", bitsOf(-1)],
      ["restitution[0]", bitsOf(1.5)],
      ["mask[0]", 0x10000],
    ] as const
  ) {
    const stage = yard();
    const list = listOf(stage);
    const body = list.at(2);
    const at = schemas[body.schemaIndex]!.fields.findIndex((field) => field.name === name);
    body.fieldBits[at] = word;
    assertThrows(() => adoptBodies(stage, list), SnapshotError, "a property out of range");
  }
});
