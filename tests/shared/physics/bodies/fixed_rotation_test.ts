/** Bodies that forces do not turn: rules may turn them, unless they are upright. */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { BodyList } from "../../../../shared/body_list.ts";
import { BodyModel } from "../../../../shared/netcode/wire/body_model.ts";
import { codeBodies } from "../../../../shared/netcode/wire/body_codec.ts";
import { CodeReader, CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";
import {
  dequantize,
  NO_BASELINES,
  quantize,
} from "../../../../shared/netcode/wire/quantized_body.ts";
import { archetype, type StageDef, StageError } from "../../../../shared/physics/core/types.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import {
  adoptBodies,
  bodySchemasOf,
  fillBodies,
} from "../../../../shared/physics/stage/body_stream.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";

const fixtures = [{ shape: { box: [0.5, 0.2] } }] as const;
const TANK = archetype({ name: "tank", body: { fixtures, fixedRotation: true }, fields: {} });
const RIDER = archetype({
  name: "rider",
  body: { fixtures, fixedRotation: "upright" },
  fields: {},
});
const CRATE = archetype({ name: "crate", body: { fixtures }, fields: {} });
const DEF: StageDef = {
  gravity: 0,
  tickHz: 20,
  substeps: 2,
  fields: {},
  ground: [{ shape: { box: [30, 0.5], y: -9 } }],
  archetypes: [TANK, RIDER, CRATE],
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

/** The bodies of a stage as a client gets them from the wire. */
function sent(stage: Stage): BodyList {
  const list = new BodyList();
  const out = new BodyList();
  const { tick } = stage;
  fillBodies(stage, () => -1, list);
  const model = new BodyModel(bodySchemasOf(DEF), DEF.tickHz);
  const writer = new CodeWriter();
  const bodies = new Map(
    Array.from(
      { length: list.count },
      (_, i) => [list.at(i).entity, quantize(list.at(i), tick)] as const,
    ),
  );
  writer.reset();
  codeBodies(bodies, { baselines: NO_BASELINES, tick, model, coder: writer });
  const coder = new CodeReader(writer.finish());
  out.reset(tick);
  for (
    const [entity, body] of codeBodies(new Map(), { baselines: NO_BASELINES, tick, model, coder })
  ) {
    dequantize(out.add(entity, body.schemaIndex), body);
  }

  return out;
}

Deno.test("fixedRotation: rules turn a body that nothing else turns, and clients of the body stream see it (SPEC 9.58, 12.27)", () => {
  const server = new Stage(DEF);
  const client = new Stage(DEF);
  const tank = server.spawn(TANK, { x: 0, y: 0, angle: 0.5 });
  server.applyTorque(tank, 1000);
  run(server, 1);
  assertEquals(tank.angle, 0.5);
  server.teleport(tank, 1, 0, -1);
  server.setSpin(tank, 2);
  run(server, 10);
  assertAlmostEquals(tank.angle, 0, 1e-6);
  server.setAngle(tank, 2.5);
  server.setSpin(tank, 0);
  run(server, 1);
  adoptBodies(client, sent(server));
  assertAlmostEquals(client.get(tank.id)!.angle, 2.5, 0.004);
});

Deno.test('fixedRotation "upright": another angle and a spin are refused by name, and nothing has changed (SPEC 9.11, 9.58)', () => {
  const stage = new Stage(DEF);
  const rider = stage.spawn(RIDER, { x: 0, y: 0 });
  run(stage, 1);
  const before = saved(stage);
  const message = "entity 1 rider is upright";
  const wrong = [
    () => stage.setSpin(rider, 1),
    () => stage.setAngle(rider, 0.1),
    () => stage.teleport(rider, 0, 0, -1),
  ];
  for (const act of wrong) assertThrows(act, StageError, message);
  assertThrows(
    () => stage.spawn(RIDER, { x: 0, y: 0, angle: 1 }),
    StageError,
    "entity 2 rider is upright",
  );
  assertThrows(
    () => stage.spawn(RIDER, { x: 0, y: 0, spin: 1 }),
    StageError,
    "entity 2 rider is upright",
  );
  assert(saved(stage).equals(before));
  stage.teleport(rider, 3, 0);
  stage.applyTorque(rider, 50);
  stage.applyAngularImpulse(rider, 50);
  stage.applyImpulse(rider, 0, 1, { x: 3.4, y: 0 });
  run(stage, 5);
  assertEquals([rider.angle, rider.spin], [0, 0]);
  const ahead = stage.spawn(CRATE, { x: 9, y: 9, angle: 2, spin: 3, vx: 1 });
  const { vx, angle, spin } = stage.become(ahead, RIDER);
  assertEquals([vx, angle, spin], [1, 0, 0]);
});

Deno.test('fixedRotation: a kinematic body is not "upright", and no other word is allowed (SPEC 9.58)', () => {
  const declare = (body: object) =>
    new Stage({ ...DEF, archetypes: [{ ...TANK, body: { fixtures, ...body } }] } as never);
  assertThrows(
    () => declare({ fixedRotation: "upright", type: "kinematic" }),
    StageError,
    "tank is upright, so it must be",
  );
  assertThrows(
    () => declare({ fixedRotation: "always" }),
    StageError,
    "tank.fixedRotation is always",
  );
});

Deno.test("load: an upright body with an angle or a spin is refused (SPEC 8.1, 9.58)", () => {
  const stage = new Stage(DEF);
  stage.spawn(RIDER, { x: 0, y: 0 });
  run(stage, 1);
  const state = saved(stage);
  const labels = snapshotLabels(stage, state);
  const hostile = new Snapshot();
  for (const name of ["angle", "spin"]) {
    hostile.copyFrom(state);
    hostile.floats[labels.indexOf(`entity 1 rider ${name}`)] = 0.25;
    assertThrows(() => stage.load(hostile), SnapshotError, "an upright body that turns");
  }
});

Deno.test("bodySchemasOf: every body turns but upright ones and projectiles (SPEC 12.27)", () => {
  assertEquals(bodySchemasOf(DEF).schemas.map(({ turns }) => turns), [false, true, false, true]);
});
