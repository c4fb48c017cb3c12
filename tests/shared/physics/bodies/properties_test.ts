/**
 * Properties of bodies that an archetype declares as mutable: their effect, their words, and what
 * is refused.
 */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { chains } from "../../../../shared/physics/chains/feature.ts";
import {
  archetype,
  type MutableProperty,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import { properties } from "../../../../shared/physics/stage/properties.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";

const ALL: readonly MutableProperty[] = [
  "gravityScale",
  "linearDamping",
  "angularDamping",
  "friction",
  "restitution",
  "category",
  "mask",
];
const fixtures = [{ shape: { box: [0.5, 0.5] }, density: 2, friction: 0.3 }] as const;
const CRATE = archetype({
  name: "crate",
  body: { fixtures, mutable: ALL, angularDamping: 0.1 },
  fields: { marks: "u8" },
});
const PLAIN = archetype({ name: "plain", body: { fixtures }, fields: {} });
const PAIR = archetype({
  name: "pair",
  body: {
    fixtures: [{ shape: { circle: 0.5, x: -2 } }, { shape: { circle: 0.5, x: 2 } }],
    mutable: ["friction", "mask"],
  },
  fields: {},
});
const FLOOR = archetype({
  name: "floor",
  body: {
    type: "static",
    fixtures: [{ shape: { box: [20, 0.5] }, friction: 1 }],
    mutable: ["friction", "mask"],
  },
  fields: {},
});

const DEF: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: [properties],
  ground: [{ shape: { box: [50, 0.5], y: -10 } }],
  archetypes: [CRATE, PLAIN, PAIR, FLOOR],
  fields: {},
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

/** A crate asleep on a floor. */
function resting() {
  const stage = new Stage(DEF);
  const floor = stage.spawn(FLOOR, { x: 0, y: -0.5 });
  const crate = stage.spawn(CRATE, { x: 0, y: 0.5 });
  run(stage, 40);
  assert(!crate.awake);
  return { stage, floor, crate };
}

Deno.test("properties: gravity scale and damping change how a body falls (SPEC 9.53)", () => {
  const stage = new Stage(DEF);
  const crate = stage.spawn(CRATE, { x: 0, y: 50, spin: 1 });
  stage.properties.set(crate, { gravityScale: -0.5, angularDamping: 2 });
  run(stage, 10);
  assertAlmostEquals(crate.vy, 2.5, 1e-5);
  assertAlmostEquals(crate.spin, (1 / (1 + 2 / 40)) ** 20, 1e-5);
  stage.properties.set(crate, { gravityScale: 0, linearDamping: 4 });
  run(stage, 10);
  assertAlmostEquals(crate.vy, 2.5 * (1 / (1 + 4 / 40)) ** 20, 1e-5);
  assertEquals(stage.properties.get(crate, "gravityScale"), 0);
});

Deno.test("properties: friction counts at once in contacts that exist, of a static body too (SPEC 9.53)", () => {
  const { stage, floor, crate } = resting();
  const distance = () => {
    stage.teleport(crate, -15, 0.5);
    stage.setVelocity(crate, 6, 0);
    run(stage, 100);
    return crate.x + 15;
  };

  // v² / (2 μ g), μ = √(0.3 · 1)
  assertAlmostEquals(distance(), 36 / (20 * Math.sqrt(0.3)), 0.15);
  stage.setVelocity(crate, 6, 0);
  stage.teleport(crate, -15, 0.5);
  run(stage, 1);
  stage.properties.set(floor, { friction: 0 });
  const { vx } = crate;
  run(stage, 10);
  assertAlmostEquals(crate.vx, vx, 1e-5);
  stage.properties.set(crate, { friction: 0.16 });
  stage.properties.set(floor, { friction: 0.25 });
  run(stage, 10);
  assertAlmostEquals(crate.vx, vx - 1, 0.02);
  assertEquals(stage.properties.get(floor, "friction"), 0.25);
});

Deno.test("properties: restitution counts at once, and a change wakes the body and what lies on it (SPEC 9.53)", () => {
  const { stage, floor, crate } = resting();
  const above = stage.spawn(CRATE, { x: 0, y: 1.5 });
  run(stage, 60);
  assertEquals([crate.awake, above.awake], [false, false]);
  stage.properties.set(crate, { restitution: 0 });
  assertEquals(crate.awake, false, "nothing has changed");
  stage.properties.set(crate, { restitution: 0.5 });
  assertEquals([crate.awake, above.awake], [true, true]);
  stage.despawn(above);
  stage.teleport(crate, 0, 3);
  run(stage, 1);
  while (crate.vy < 0) run(stage, 1);
  assert(crate.vy > 2.5, `${crate.vy}`);
  run(stage, 80);
  assert(!crate.awake);
  stage.properties.set(floor, { friction: 0.5 });
  assert(crate.awake, "it lies on the floor");
});

Deno.test("properties: a mask lets bodies fall through and lands them again, per fixture (SPEC 9.53)", () => {
  const { stage, floor, crate } = resting();
  stage.properties.set(crate, { mask: 0 });
  assertEquals(stage.touchingNow(crate).map(({ id }) => id), []);
  run(stage, 1);
  assertAlmostEquals(crate.vy, -0.5, 1e-6);
  stage.teleport(crate, 0, 3);
  stage.setVelocity(crate, 0, 0);
  stage.properties.set(crate, { mask: 0xffff });
  run(stage, 40);
  assertAlmostEquals(crate.y, 0.5, 0.02);
  stage.properties.set(floor, { mask: 2 });
  run(stage, 1);
  assert(crate.vy < 0);
  stage.properties.set(crate, { category: 2 });
  run(stage, 5);
  assertEquals(
    stage.touchingNow(crate).map(({ id }) => id),
    [floor.id],
    "they meet again while they overlap",
  );
  assertEquals(stage.properties.get(crate, "friction"), Math.fround(0.3), "as a snapshot has it");
  assertEquals(stage.properties.get(crate, "angularDamping"), Math.fround(0.1));
  const pair = stage.spawn(PAIR, { x: 0, y: 6 });
  stage.properties.set(pair, { mask: 0 }, 1);
  assertEquals([0, 1].map((fixture) => stage.properties.get(pair, "mask", fixture)), [0xffff, 0]);
});

Deno.test("properties: a chain is one fixture, and all of its segments have its values (SPEC 9.53)", () => {
  const line: [number, number][] = [[-20, 0], [-5, 0], [0, 0], [20, 0]];
  const slope = archetype({
    name: "slope",
    body: {
      type: "static",
      fixtures: [{ shape: { chain: line }, friction: 0.5 }, {
        shape: { box: [1, 1], y: -9 },
        friction: 0.2,
      }],
      mutable: ["friction"],
    },
    fields: {},
  });
  const def = { ...DEF, features: [...DEF.features!, chains], archetypes: [CRATE, slope] };
  const stage = new Stage(def);
  const ground = stage.spawn(slope, { x: 0, y: 0 });
  const crates = [-15, -4, 5].map((x) => stage.spawn(CRATE, { x, y: 0.5, fields: {} }));
  run(stage, 40);
  stage.properties.set(ground, { friction: 0 }, 0);
  const frictions = () =>
    [0, 1].map((fixture) => stage.properties.get(ground, "friction", fixture));
  assertEquals(frictions(), [0, Math.fround(0.2)]);
  for (const crate of crates) stage.setVelocity(crate, 1, 0);
  run(stage, 10);
  for (const crate of crates) assertAlmostEquals(crate.vx, 1, 1e-3);
  stage.properties.set(ground, { friction: 1 }, 1);
  assertEquals(frictions(), [0, 1]);
  run(stage, 10);
  for (const crate of crates) assertAlmostEquals(crate.vx, 1, 1e-3);
  const state = saved(stage);
  const labels = snapshotLabels(stage, state);
  assertEquals(labels.filter((label) => label.startsWith("entity 1 slope friction")).length, 2);
  const fresh = new Stage(def);
  fresh.load(state);
  run(fresh, 10);
  run(stage, 10);
  assert(saved(fresh).equals(saved(stage)));
  assertThrows(
    () => stage.properties.set(ground, { friction: 1 }, 2),
    StageError,
    "entity 1 slope has no fixture 2",
  );
});

Deno.test("properties: a mask that comes back before the step loses nothing (SPEC 9.53)", () => {
  const stage = new Stage({ ...DEF, substeps: 1 });
  const floor = stage.spawn(FLOOR, { x: 0, y: -0.5 });
  const crate = stage.spawn(CRATE, { x: 0, y: 0.5 });
  run(stage, 40);
  for (const mask of [0, 0xffff]) stage.properties.set(crate, { mask });
  run(stage, 1);
  assertAlmostEquals(crate.vy, 0, 1e-3);
  assertEquals(stage.touchingNow(crate).map(({ id }) => id), [floor.id]);
});

Deno.test("properties: a snapshot has them, for the archetypes that declare them alone (SPEC 9.53)", () => {
  const { stage, crate } = resting();
  const pair = stage.spawn(PAIR, { x: 5, y: 9 });
  stage.spawn(PLAIN, { x: 9, y: 9 });
  stage.properties.set(pair, { friction: 0.1 }, 1);
  stage.properties.set(crate, { gravityScale: 0.1, mask: 5 });
  stage.setVelocity(crate, 3, 0);
  stage.endTick();
  const state = saved(stage);
  const labels = snapshotLabels(stage, state);
  const wordsOf = (owner: string) =>
    labels.filter((label) => label.startsWith(owner)).map((label) => label.slice(owner.length));
  assertEquals(wordsOf("entity 2 crate").slice(11), [
    " gravityScale",
    " linearDamping",
    " angularDamping",
    " friction[0]",
    " restitution[0]",
    " category[0]",
    " mask[0]",
    ".marks",
  ]);
  assertEquals(wordsOf("entity 3 pair").slice(11), [
    " friction[0]",
    " friction[1]",
    " mask[0]",
    " mask[1]",
  ]);
  assertEquals(wordsOf("entity 4 plain").length, 11);
  const live = new Stage(DEF);
  const fresh = new Stage(DEF);
  live.load(state);
  live.properties.set(live.get(2)!, { mask: 0, friction: 9, gravityScale: 3 });
  live.properties.set(live.get(3)!, { friction: 7, mask: 0 });
  run(live, 3);

  for (const each of [live, fresh]) {
    each.load(state);
    // Without a step in between, and with contacts that exist.
    each.properties.set(each.get(2)!, { mask: 0 });
    each.load(state);
    each.properties.set(each.get(1)!, { friction: 0 });
    each.load(state);
    assert(saved(each).equals(state));
    run(each, 30);
  }

  run(stage, 30);
  assert(saved(live).equals(saved(stage)) && saved(fresh).equals(saved(stage)));
});

Deno.test("properties: words out of range are refused (SPEC 9.53)", () => {
  const { stage } = resting();
  const state = saved(stage);
  const labels = snapshotLabels(stage, state);
  const hostile = new Snapshot();
  const wrong = {
    linearDamping: -1,
    gravityScale: NaN,
    "friction[0]": Infinity,
    "restitution[0]": 1.5,
    "mask[0]": 1,
  };
  for (const [name, value] of Object.entries(wrong)) {
    hostile.copyFrom(state);
    hostile.floats[labels.indexOf(`entity 2 crate ${name}`)] = value;
    assertThrows(() => stage.load(hostile), SnapshotError, "a property out of range");
  }
});

Deno.test("properties: the error names the property, and nothing has changed (SPEC 9.11, 9.53)", () => {
  const { stage, crate, floor } = resting();
  const before = saved(stage);
  const plain = { friction: 1 };
  const other = new Stage({ ...DEF, features: [], archetypes: [PLAIN] });
  const wrong: [() => void, string][] = [
    [
      () => stage.properties.set(crate, { friction: 1, restitution: 2 }),
      "entity 2 crate.restitution is 2; 0 to 1",
    ],
    [() => stage.properties.set(crate, { linearDamping: NaN }), "linearDamping is NaN"],
    [() => stage.properties.set(crate, { mask: 1.5 }), "mask is 1.5"],
    [() => stage.properties.set(crate, { friction: 1 }, 1), "entity 2 crate has no fixture 1"],
    [
      () => stage.properties.set(floor, { restitution: 1 }),
      "does not declare restitution as mutable",
    ],
    [
      () => stage.properties.set(crate, { colour: 1 } as never),
      "does not declare colour as mutable",
    ],
    [
      () => stage.properties.set(stage.ground, plain),
      "entity 0 ground: its archetype does not declare friction",
    ],
    [() => other.properties, "a change of a property needs the feature properties"],
    [() => new Stage({ ...DEF, features: [] }), "crate.mutable needs the feature properties"],
    [
      () =>
        new Stage(
          {
            ...DEF,
            archetypes: [{ ...PLAIN, body: { fixtures, mutable: ["mask", "mask"] } }],
          } as never,
        ),
      "plain.mutable has mask, which is unknown or there twice",
    ],
  ];
  for (const [act, message] of wrong) assertThrows(act, StageError, message);
  assert(saved(stage).equals(before));
});
