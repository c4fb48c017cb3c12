/** Surfaces that carry what lies on them, bodies that never sleep, and rules that wake bodies. */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { archetype, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { planck } from "../geometry/planck_reference.ts";

const box = { shape: { box: [0.5, 0.5] } } as const;
const BELT = archetype({
  name: "belt",
  body: { type: "static", fixtures: [{ shape: { box: [20, 0.5] }, surfaceSpeed: 2 }] },
  fields: {},
});
const CRATE = archetype({ name: "crate", body: { fixtures: [box] }, fields: {} });
const TANK = archetype({
  name: "tank",
  body: { fixtures: [{ ...box, surfaceSpeed: 2 }] },
  fields: {},
});
const RESTLESS = archetype({
  name: "restless",
  body: { fixtures: [box], allowSleep: false },
  fields: {},
});

const DEF: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  ground: [{ shape: { box: [50, 0.5], y: -10.5 } }],
  archetypes: [BELT, CRATE, TANK, RESTLESS],
  fields: {},
};

function run(stage: Stage, ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    stage.advance();
    stage.endTick();
  }
}

Deno.test("surfaceSpeed: a belt carries a crate as planck's tangent speed does (SPEC 9.54)", () => {
  const stage = new Stage(DEF);
  const crate = (stage.spawn(BELT, { x: 0, y: 0 }), stage.spawn(CRATE, { x: -5, y: 1.01 }));
  const world = new planck.World({ gravity: { x: 0, y: -10 } });
  world.createBody().createFixture({ shape: new planck.Box(20, 0.5), friction: 0.6 });
  const body = world.createBody({ type: "dynamic", position: { x: -5, y: 1.01 } });
  body.createFixture({ shape: new planck.Box(0.5, 0.5), friction: 0.6, density: 1 });
  world.on("pre-solve", (contact) => contact.setTangentSpeed(2));
  for (let tick = 0; tick < 60; tick++) {
    run(stage, 1);
    for (let i = 0; i < 2; i++) world.step(1 / 40, 8, 3);
    assertAlmostEquals(crate.x, body.getPosition().x, 0.02);
  }
  assertAlmostEquals(crate.vx, 2, 1e-3);
  assert(crate.awake);
});

Deno.test("surfaceSpeed: what lies below a belt goes to the left, so a tank drives to the right (SPEC 9.54)", () => {
  const stage = new Stage(DEF);
  const tank = stage.spawn(TANK, { x: 0, y: -9.5 });
  run(stage, 40);
  assertAlmostEquals(tank.vx, 2, 1e-3);
  const upwards = new Stage({ ...DEF, gravity: { x: 0, y: 10 } });
  for (const isFirst of [true, false]) {
    // The belt is fixture A of one contact, and B of the other.
    const spawnBelt = () => upwards.spawn(BELT, { x: 0, y: isFirst ? 0 : 50 });
    if (isFirst) spawnBelt();
    const crate = upwards.spawn(CRATE, { x: 5, y: isFirst ? -1.01 : 48.99 });
    if (!isFirst) spawnBelt();
    run(upwards, 40);
    assertAlmostEquals(crate.vx, -2, 1e-3);
  }
});

Deno.test("allowSleep: a body that may not sleep stays awake, and a state in which it sleeps is refused (SPEC 9.54)", () => {
  const stage = new Stage(DEF);
  const restless = stage.spawn(RESTLESS, { x: 0, y: -9.5 });
  const crate = stage.spawn(CRATE, { x: 9, y: -9.5 });
  const upper = stage.spawn(CRATE, { x: 0, y: -8.5 });
  const state = new Snapshot();
  run(stage, 60);
  assertEquals([restless.awake, upper.awake, crate.awake], [true, true, false]);
  stage.save(state);
  state.words[snapshotLabels(stage, state).indexOf("entity 1 restless awake")] = 0;
  assertThrows(() => stage.load(state), SnapshotError, "a body asleep that never sleeps");
});

Deno.test("wake: wakes a body for half a second, and refuses a stage's ground (SPEC 9.54)", () => {
  const stage = new Stage(DEF);
  const crate = stage.spawn(CRATE, { x: 9, y: -9.5 });
  run(stage, 60);
  stage.wake(crate);
  assert(crate.awake);
  run(stage, 5);
  assert(crate.awake);
  run(stage, 20);
  assert(!crate.awake);
  assertThrows(() => stage.wake(stage.ground), StageError, "the ground cannot be moved");
  const wrong = { ...BELT, body: { type: "static", fixtures: [{ ...box, surfaceSpeed: NaN }] } };
  assertThrows(
    () => new Stage({ ...DEF, archetypes: [wrong as never] }),
    StageError,
    "belt.surfaceSpeed is NaN",
  );
});
