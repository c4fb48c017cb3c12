/** Entities as plain objects, for debuggers and tests. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  archetype,
  jointDef,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import { chains } from "../../../../shared/physics/chains/feature.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import { properties } from "../../../../shared/physics/stage/properties.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { FEATURES } from "../scenes/features.ts";
import { PARTS_OF_STEP, SCENE, startScene, stepPartly, stepScene } from "../scenes/scene.ts";

const CRATE = archetype({
  name: "crate",
  body: {
    fixtures: [{ shape: { box: [0.4, 0.4] }, friction: 0.5, tag: "wood" }],
    mutable: ["friction"],
  },
  fields: { dents: "u8" },
});
const ZONE = archetype({
  name: "zone",
  body: { type: "static", fixtures: [{ shape: { circle: 1 }, sensor: true }] },
  fields: {},
});
const DART = archetype({
  name: "dart",
  projectile: { radius: 0.1, lifeTicks: 30, mass: 0.5, gravityScale: 0 },
  fields: { shooter: "u32" },
});
const ROPE = jointDef({ name: "rope", type: "rope", breakForce: 500, fields: { knots: "u8" } });

const DEFINITION: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { chain: [[-20, 0], [0, 0], [20, 0]] }, friction: 0.5 }],
  archetypes: [CRATE, ZONE, DART],
  joints: [ROPE],
  fields: {},
};

/** A crate at rest on the ground, on a rope, in a zone, with a dart above it. */
function scene(): Stage {
  const stage = new Stage(DEFINITION);
  const crate = stage.spawn(CRATE, { x: 2, y: 0.41, fields: { dents: 3 } });
  stage.spawn(ZONE, { x: 2, y: 1 });
  stage.joints.add(ROPE, stage.ground, crate, {
    x: 2,
    y: 5,
    bx: 2,
    by: 0.81,
    length: 6,
    fields: { knots: 2 },
  });
  stage.endTick();
  for (let i = 0; i < 60; i++) {
    stage.advance();
    stage.endTick();
  }
  stage.spawn(DART, { x: 0, y: 3, vx: 1, vy: 0, fields: { shooter: 1 } });
  stage.endTick();
  return stage;
}

/** Every entity of a stage, and its ground. */
function describeAll(stage: Stage): unknown[] {
  return [stage.ground, ...stage.entities()].map((entity) => stage.describe(entity));
}

/** Numbers with four digits, so that a test can write them down. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part) => typeof part === "number" ? Number(part.toFixed(4)) : part),
  );
}

Deno.test("describe: a body has its pose, motion, flags, fixtures, contacts and joints (SPEC 9.93)", () => {
  const stage = scene();
  const zone = { other: { id: 2, archetype: "zone" }, sensor: true, normal: null, points: [] };
  const both = { fixture: 0, segment: 0, otherFixture: 0, passing: false, restitution: 0 };
  assertEquals(rounded(stage.describe(stage.get(1)!)), {
    id: 1,
    archetype: "crate",
    pose: { x: 2, y: 0.4149, angle: 0 },
    center: { x: 2, y: 0.4149 },
    motion: { vx: 0, vy: 0, spin: 0 },
    mass: 0.64,
    inertia: 0.0683,
    awake: false,
    teleports: 0,
    fields: { dents: 3 },
    body: {
      type: "dynamic",
      bullet: false,
      allowSleep: true,
      fixedRotation: false,
      onPath: false,
      restS: 0,
      gravityScale: 1,
      linearDamping: 0,
      angularDamping: 0,
    },
    projectile: null,
    fixtures: [{
      fixture: 0,
      tag: "wood",
      shape: { box: [0.4, 0.4] },
      density: 1,
      friction: 0.5,
      restitution: 0,
      surfaceSpeed: 0,
      enabled: true,
      sensor: false,
      swept: false,
      oneWay: false,
      category: 1,
      mask: 65535,
    }],
    contacts: [
      {
        ...both,
        other: { id: 0, archetype: "ground" },
        otherSegment: 1,
        sensor: false,
        friction: 0.5,
        normal: { x: 0, y: -1 },
        points: [
          { x: 1.6, y: 0.0074, separation: -0.0051, normalImpulse: 0.08, tangentImpulse: 0 },
          { x: 2.4, y: 0.0074, separation: -0.0051, normalImpulse: 0.08, tangentImpulse: 0 },
        ],
      },
      { ...both, ...zone, otherSegment: 0, friction: 0.5477 },
    ],
    joints: [{
      id: 3,
      definition: "rope",
      type: "rope",
      a: { id: 0, archetype: "ground" },
      b: { id: 1, archetype: "crate" },
      collide: true,
      anchorA: { x: 2, y: 5 },
      anchorB: { x: 2, y: 0.8149 },
      force: 0,
      torque: 0,
      breakForce: 500,
      breakTorque: null,
      angle: 0,
      translation: 0,
      length: 6,
      groundA: { x: 0, y: 0 },
      groundB: { x: 0, y: 0 },
      limit: false,
      lower: 0,
      upper: 0,
      motor: false,
      motorSpeed: 0,
      motorMax: 0,
      frequencyHz: 0,
      dampingRatio: 0,
      forceMax: 0,
      torqueMax: 0,
      ratio: 0,
      geared: [],
      fields: { knots: 2 },
    }],
  });
});

Deno.test("describe: the ground and a static body see the same contacts from their side (SPEC 9.93)", () => {
  const stage = scene();
  const [ofCrate, ofZone] = stage.describe(stage.get(1)!).contacts;
  const [ofGround] = stage.describe(stage.ground).contacts;
  assertEquals(ofGround!.other, { id: 1, archetype: "crate" });
  assertEquals(ofGround!.segment, ofCrate!.otherSegment);
  assertEquals(rounded(ofGround!.normal), { x: 0, y: 1 });
  assertEquals(ofGround!.points, ofCrate!.points);
  assert(ofZone!.sensor);
  const { contacts, body } = stage.describe(stage.get(2)!);
  assertEquals([contacts.length, contacts[0]!.other.id, body!.type], [1, 1, "static"]);
  assertEquals(stage.describe(stage.ground).joints.map(({ id }) => id), [3]);
});

Deno.test("describe: a projectile has the same keys as a body (SPEC 9.93)", () => {
  const stage = scene();
  const dart = stage.describe(stage.get(4)!);
  assertEquals(Object.keys(dart), Object.keys(stage.describe(stage.get(1)!)));
  assertEquals(dart.projectile, { radius: 0.1, ageTicks: 0, bounces: 0, expired: false });
  assertEquals([dart.body, dart.fixtures, dart.contacts, dart.joints], [null, [], [], []]);
  assertEquals([dart.fields, dart.motion], [{ shooter: 1 }, { vx: 1, vy: 0, spin: 0 }]);
});

Deno.test("describe: an upright body says so, and a joint what torque breaks it (SPEC 9.93)", () => {
  const hero = archetype({
    name: "hero",
    body: { fixtures: [{ shape: { circle: 0.5 } }], fixedRotation: "upright" },
    fields: {},
  });
  const bar = jointDef({ name: "bar", type: "weld", breakTorque: 7, fields: {} });
  const stage = new Stage({ ...DEFINITION, archetypes: [hero, CRATE], joints: [bar] });
  const crate = stage.spawn(CRATE, { x: 0, y: 3 });
  const upright = stage.spawn(hero, { x: 0, y: 4 });
  stage.joints.add(bar, upright, crate, { x: 0, y: 3.5 });
  const { body, joints: [joint] } = stage.describe(upright);
  assertEquals(body!.fixedRotation, "upright");
  assertEquals(stage.describe(crate).body!.fixedRotation, false);
  assertEquals([joint!.breakForce, joint!.breakTorque], [null, 7]);
});

Deno.test("describe: properties that rules have changed are those of now (SPEC 9.93)", () => {
  const stage = scene();
  const crate = stage.get(1)!;
  stage.properties.set(crate, { friction: 0.25 });
  assertEquals(stage.describe(crate).fixtures[0]!.friction, 0.25);
});

Deno.test("describe: a plain object, which shares nothing with the stage (SPEC 9.93)", () => {
  const stage = scene();
  const crate = stage.get(1)!;
  const before = stage.describe(crate);
  assertEquals(JSON.parse(JSON.stringify(before)), before);
  const shape: unknown = before.fixtures[0]!.shape;
  (shape as { box: number[] }).box[0] = 7;
  (before.fields as Record<string, number>)["dents"] = 9;
  const after = stage.describe(crate);
  assertEquals([after.fixtures[0]!.shape, after.fields], [{ box: [0.4, 0.4] }, { dents: 3 }]);
});

Deno.test("describe: a stage that is described all the time has the bits of one that is not (SPEC 9.93)", () => {
  const seen = startScene(1);
  const unseen = startScene(1);
  const [a, b] = [new Snapshot(), new Snapshot()];
  for (let tick = 0; tick < 150; tick++) {
    describeAll(seen);
    stepScene(seen, 1, describeAll);
    stepScene(unseen, 1);
    seen.save(a);
    describeAll(seen);
    unseen.save(b);
    assertEquals(a.words.subarray(0, a.length), b.words.subarray(0, b.length), `tick ${tick}`);
  }
});

Deno.test("describe: a stage that was loaded tells the same as one that ran on (SPEC 9.93)", () => {
  const stage = startScene(2);
  const old = new Snapshot();
  const newest = new Snapshot();
  const rolledBack = startScene(2);
  const fresh = new Stage(SCENE);
  stage.save(old);
  for (let tick = 0; tick < 200; tick++) {
    stepScene(stage, 2);
    stage.save(newest);
    if (tick % 4 !== 0) continue;

    // One comes back from another future, in the middle of a tick
    rolledBack.load(old);
    stepPartly(rolledBack, 3, PARTS_OF_STEP[tick % 3]!);
    rolledBack.load(newest);
    fresh.load(newest);
    const told = describeAll(stage);
    assertEquals(describeAll(rolledBack), told, `tick ${tick}`);
    assertEquals(describeAll(fresh), told, `tick ${tick}`);
    old.copyFrom(newest);
  }
});

Deno.test("describe: a stage without the feature names it (SPEC 9.93)", () => {
  const stage = new Stage({ ...DEFINITION, features: [chains, joints, properties] });
  assertThrows(
    () => stage.describe(stage.ground),
    StageError,
    "describe() needs the feature descriptions: add it to the stage's features",
  );
});

Deno.test("describe: refuses an entity that has left, and a call within advance (SPEC 9.93)", () => {
  const stage: Stage = new Stage({
    ...DEFINITION,
    shouldCollide: (a) => stage.describe(a as never) !== undefined,
  });
  const crate = stage.spawn(CRATE, { x: 0, y: 0.4 });
  stage.spawn(CRATE, { x: 0.5, y: 0.4 });
  const gone = stage.spawn(CRATE, { x: 4, y: 0.4 });
  stage.despawn(gone);
  assertThrows(() => stage.describe(gone), StageError, "entity 3 crate is not on this stage");
  assertThrows(() => stage.advance(), StageError, "describe() of entity 1 crate within advance()");
  assertThrows(() => stage.describe(crate), StageError, "on a broken stage");
});

Deno.test("describe: what rules have changed of a body stands as it is now (SPEC 9.93)", () => {
  const knight = archetype({
    name: "knight",
    fields: {},
    body: {
      fixtures: [{ shape: { circle: 0.5 } }, { shape: { circle: 0.2, x: 1 }, enabled: false }],
      mutable: ["enabled", "fixedRotation", "type"],
    },
  });
  const stage = new Stage({
    tickHz: 60,
    substeps: 1,
    gravity: 10,
    ground: [],
    archetypes: [knight],
    fields: {},
    features: FEATURES,
  });
  const entity = stage.spawn(knight, { x: 0, y: 0 });
  stage.properties.set(entity, { enabled: false }, 0);
  stage.properties.set(entity, { enabled: true }, 1);
  stage.properties.set(entity, { fixedRotation: true, type: "kinematic" });

  const { fixtures, body } = stage.describe(entity);
  assertEquals(fixtures.map(({ fixture, enabled }) => [fixture, enabled]), [[0, false], [1, true]]);
  assertEquals([body!.fixedRotation, body!.type], [true, "kinematic"]);
});
