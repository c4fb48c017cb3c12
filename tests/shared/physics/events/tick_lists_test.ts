/**
 * The lists that belong to the physics of one tick: where they are, and that no rule finds them
 * elsewhere.
 */
import { assertEquals, assertThrows } from "@std/assert";
import {
  archetype,
  jointDef,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import { touches } from "../../../../shared/physics/events/touches.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";

const CRATE = archetype({
  name: "crate",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] } }] },
  fields: {},
});
const BOLT = archetype({
  name: "bolt",
  projectile: { radius: 0.1, gravityScale: 0, lifeTicks: 100 },
  fields: {},
});
const THREAD = jointDef({ name: "thread", type: "rope", breakForce: 1, fields: {} });

/**
 * In its first tick a crate is slowed down, another one lands, a bolt hits, and a thread breaks.
 */
const YARD: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: [touches, joints],
  ground: [{ shape: { box: [50, 0.5], y: -0.5 } }],
  archetypes: [CRATE, BOLT],
  joints: [THREAD],
  fields: {},
};

function yard(): Stage {
  const stage = new Stage(YARD);
  stage.spawn(CRATE, { x: 0, y: 0.5 });
  stage.spawn(CRATE, { x: 30, y: 90, vx: 500 });
  stage.spawn(BOLT, { x: 5, y: 0.2, vy: -20 });
  const hung = stage.spawn(CRATE, { x: -30, y: 9, vy: -9 });
  stage.joints.add(THREAD, stage.ground, hung, { x: -30, y: 12, bx: -30, by: 9, length: 3 });
  return stage;
}

const LISTS: Readonly<Record<string, (stage: Stage) => readonly unknown[]>> = {
  contactEvents: (stage) => stage.contactEvents,
  touches: (stage) => stage.touches,
  hits: (stage) => stage.hits,
  clamped: (stage) => stage.clamped,
  "joints.broken": (stage) => stage.joints.broken,
};

for (const [name, read] of Object.entries(LISTS)) {
  Deno.test(`${name}: is there from advance to endTick, and refused at any other time in words (SPEC 9.70)`, () => {
    const stage = yard();
    const state = new Snapshot();
    const where = "it belongs to one tick; read it after advance() and before endTick()";
    assertThrows(() => read(stage), StageError, `${name} is read before advance(): ${where}`);
    stage.endTick();
    assertThrows(() => read(stage), StageError, `${name} is read between two ticks: ${where}`);
    stage.save(state);

    for (let i = 0; i < 2; i++) {
      stage.advance();
      const list = read(stage);
      assertEquals(list.length > 0, true);
      stage.spawn(CRATE, { x: -9, y: 3 });
      assertEquals(read(stage).length, list.length, "the rules after physics read it");
      stage.endTick();
      assertThrows(() => read(stage), StageError, "between two ticks");
      assertEquals(name === "clamped" || list.length === 0, true, "what rules have kept is empty");
      stage.load(state);
      assertThrows(() => read(stage), StageError, "between two ticks");
    }
  });

  Deno.test(`${name}: is refused within advance, and on a stage that is broken (SPEC 9.70)`, () => {
    const messages: string[] = [];
    const state = new Snapshot();
    const stage: Stage = new Stage({
      ...YARD,
      shouldCollide: () => {
        messages.push(assertThrows(() => read(stage), StageError).message);
        throw new RangeError("in the middle of a step");
      },
    });
    stage.endTick();
    stage.save(state);
    for (const x of [0, 0.5]) stage.spawn(CRATE, { x, y: 5 });
    assertThrows(() => stage.advance(), RangeError);
    messages.push(assertThrows(() => read(stage), StageError).message);

    for (const message of messages) {
      assertEquals(
        message.startsWith(`${name} is read within advance(), or after it has failed: `),
        true,
        message,
      );
    }

    stage.load(state);
    stage.advance();
    assertEquals(read(stage).length, 0);
  });
}

Deno.test("endTick: lists stay while it refuses a field, because the tick is still open (SPEC 9.70)", () => {
  const stage = new Stage({ ...YARD, fields: { heat: "u8" } });
  stage.spawn(CRATE, { x: 0, y: 0.5 });
  stage.advance();
  stage.fields.heat = NaN;
  assertThrows(() => stage.endTick(), StageError, "heat");
  assertEquals([stage.contactEvents.length, stage.touches.length], [1, 1]);
  stage.fields.heat = 1;
  stage.endTick();
  assertThrows(() => stage.touches, StageError, "between two ticks");
});
