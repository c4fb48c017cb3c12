/** What sleeps costs no work, and what wakes up in the middle of a step is updated in one order. */
import { FEATURES } from "../scenes/features.ts";
import { assert, assertEquals } from "@std/assert";
import { Body } from "../../../../shared/physics/core/body_rows.ts";
import { Contact, ContactFlag, ContactInt } from "../../../../shared/physics/core/contact_rows.ts";
import { archetype, jointDef, type StageDef } from "../../../../shared/physics/core/types.ts";
import type { ContactFilter } from "../../../../shared/physics/dynamics/contact_filter.ts";
import { Contacts } from "../../../../shared/physics/dynamics/contacts.ts";
import { World } from "../../../../shared/physics/dynamics/world.ts";
import { compileStage } from "../../../../shared/physics/stage/compiled_archetypes.ts";
import type { BodyRecord } from "../../../../shared/physics/stage/entity.ts";
import { EntityTable } from "../../../../shared/physics/stage/entity_table.ts";
import { INTERNALS } from "../../../../shared/physics/stage/internals.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";

const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.4, 0.4] } }] },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.3 }, restitution: 0.6 }] },
  fields: {},
});
const PIN = jointDef({ name: "pin", type: "revolute", fields: {} });
const YARD: StageDef = {
  gravity: 14,
  tickHz: 20,
  substeps: 2,
  features: FEATURES,
  ground: [{ shape: { box: [50, 0.5], y: -0.5 } }],
  archetypes: [CRATE, BALL],
  joints: [PIN],
  fields: {},
};

function run(stage: Stage, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

/**
 * Runs `action` while all numbers of the sleeping bodies, contacts and joints are NaN, and then
 * restores them.
 */
function withoutSleepers(stage: Stage, action: () => void): void {
  const { world, world: { bodies, contacts }, entities, joints } = stage[INTERNALS];
  const restore: (() => void)[] = [];
  const spoil = (values: Float64Array, from: number, to: number) => {
    const before = values.slice(from, to);
    values.fill(NaN, from, to);
    restore.push(() => values.set(before, from));
  };
  for (const { awake, offset } of entities.bodies) {
    if (!awake) spoil(bodies.values, offset, offset + Body.STRIDE);
  }

  for (const contact of contacts.order.slice(0, contacts.count)) {
    const [a, b] = [ContactInt.BODY_A, ContactInt.BODY_B].map((body) =>
      contacts.ints[contact * ContactInt.STRIDE + body]!
    );
    if (world.isActive(a!) || world.isActive(b!)) continue;
    // Its keys are no result of a step.
    spoil(contacts.values, contact * Contact.STRIDE, contact * Contact.STRIDE + Contact.LOW_KEY);
  }

  for (const { a, at, rows, compiled } of joints!.all) {
    if (!a.awake) spoil(rows.values, at, at + compiled.form.names.length);
  }
  action();
  for (const each of restore) each();
}

Deno.test("stage: no tick, save or rollback reads a number of what sleeps all the while (SPEC 9.32)", () => {
  const stage = new Stage(YARD);
  const expected = new Snapshot();
  const state = new Snapshot();
  const earlier = new Snapshot();
  for (let i = 0; i < 6; i++) stage.spawn(CRATE, { x: 0, y: 0.41 + i * 0.81 });
  const left = stage.spawn(CRATE, { x: 3, y: 0.41 });
  const right = stage.spawn(CRATE, { x: 3.9, y: 0.41 });
  stage.joints.add(PIN, left, right, { x: 3.45, y: 0.41 });
  run(stage, 80);
  assertEquals(stage.all(CRATE).filter(({ awake }) => awake), []);
  for (let i = 0; i < 5; i++) stage.spawn(BALL, { x: 10 + i * 0.5, y: 1 + i, vx: 2 });
  run(stage, 2);
  const { awake, active, dirty, contacts } = stage[INTERNALS].world;
  assertEquals([awake.rows.length, dirty.count], [5, 0]);
  assert(
    active.rows.length < 6 && contacts.count > 6,
    `${active.rows.length} of ${contacts.count} contacts`,
  );
  stage.save(state);
  run(stage, 40);
  stage.save(expected);
  stage.load(state);
  stage.advance();
  stage.endTick();
  stage.save(state);
  withoutSleepers(stage, () => {
    for (let i = 1; i < 40; i++) {
      if (i % 10 === 5) {
        stage.save(earlier);
        run(stage, 4);
        stage.load(earlier);
      }
      run(stage, 1);
      stage.save(state);
    }
  });
  assert(state.equals(expected), "the state differs");
  assertEquals(stage.all(BALL).filter(({ awake }) => awake).length, 5);
});

const SOLID: ContactFilter = {
  isAlwaysSolid: true,
  friction: () => -1,
  restitution: () => -1,
  shouldCollide: () => true,
  landsOn: () => true,
};

Deno.test("Contacts.update: a contact that wakes a body is followed by those of its contacts with larger keys (SPEC 9.33)", () => {
  const { archetypes, shapes } = compileStage(YARD);
  const world = new World({ gravity: 14, stepS: 1 / 40, shapes });
  const contacts = new Contacts(world, SOLID);
  const entities = new EntityTable(world, contacts, archetypes);

  /** A row of crates on the ground, each 5 mm deep in the one before. */
  const crates = [1, 2, 3, 4, 5].map((id) => {
    const crate = entities.add(archetypes[1]!, id) as BodyRecord;
    entities.setMotion(crate, { x: id * 0.795, y: 0.4 });
    return crate;
  });
  contacts.findNewContacts();
  const rows = [...world.contacts.order.slice(0, world.contacts.count)];
  const keysOf = (contact: number) =>
    [Contact.LOW_KEY, Contact.HIGH_KEY].map((key) =>
      Math.floor(world.contacts.values[contact * Contact.STRIDE + key]! / 256)
    );
  contacts.update();
  for (const { row } of crates) world.putToSleep(row);
  world.dropSleeping();

  // The second crate is awake, and wakes the third one because the two begin to touch.
  const [meeting] = rows.filter((contact) => `${keysOf(contact)}` === "2,3");
  world.contacts.ints[meeting! * ContactInt.STRIDE + ContactInt.FLAGS]! &= ~ContactFlag.TOUCHING;
  world.wake(crates[1]!.row);
  for (const contact of rows) {
    world.contacts.values[contact * Contact.STRIDE + Contact.LOCAL_POINT_X] = 77;
  }
  const updated = () =>
    rows.filter((contact) =>
      world.contacts.values[contact * Contact.STRIDE + Contact.LOCAL_POINT_X] !== 77
    )
      .map(keysOf);
  contacts.update();
  assertEquals(crates.map(({ awake }) => awake), [false, true, true, false, false]);
  assertEquals(updated(), [[0, 2], [1, 2], [2, 3], [3, 4]]);
  contacts.update();
  assertEquals(updated(), [[0, 2], [0, 3], [1, 2], [2, 3], [3, 4]]);
});
