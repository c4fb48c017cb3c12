/**
 * Bodies whose type, rotation lock, bullet, sensors and fixtures change while their joints and
 * contacts stay.
 */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertThrows,
} from "@std/assert";
import { BodyList } from "../../../../shared/body_list.ts";
import { archetype, jointDef, type StageDef } from "../../../../shared/physics/core/types.ts";
import { StageError } from "../../../../shared/physics/core/types.ts";
import { touches } from "../../../../shared/physics/events/touches.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import { adoptBodies, fillBodies } from "../../../../shared/physics/stage/body_stream.ts";
import { paths } from "../../../../shared/physics/stage/kinematic_paths.ts";
import { properties } from "../../../../shared/physics/stage/properties.ts";
import { queries } from "../../../../shared/physics/stage/queries.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";

const CRATE = archetype({
  name: "crate",
  body: {
    fixtures: [{ shape: { box: [0.5, 0.5] } }],
    mutable: ["type", "fixedRotation", "bullet", "sensor"],
  },
  fields: {},
});
const PLAIN = archetype({
  name: "plain",
  body: { fixtures: [{ shape: { box: [0.5, 0.5] } }] },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.1 } }], mutable: ["bullet"], gravityScale: 0 },
  fields: {},
});
/** 1 kg in the middle, and arms of 1 kg to the right and to the left. */
const CROSS = archetype({
  name: "cross",
  body: {
    fixtures: [
      { shape: { box: [0.5, 0.5] } },
      { shape: { box: [0.5, 0.5], x: 2 }, tag: "right" },
      { shape: { box: [0.5, 0.5], x: -2 }, enabled: false },
    ],
    mutable: ["enabled", "mask"],
  },
  fields: {},
});
const LEDGE = archetype({
  name: "ledge",
  body: {
    type: "static",
    fixtures: [{ shape: { box: [1, 0.1] } }, { shape: { box: [1, 0.1], x: 4 } }],
    mutable: ["enabled", "sensor"],
  },
  fields: {},
});
const HINGE = jointDef({ name: "hinge", type: "revolute", fields: {} });
const DRAG = jointDef({ name: "drag", type: "mouse", forceMax: 1000, fields: {} });

const DEF: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: [joints, paths, properties, queries, touches],
  ground: [{ shape: { box: [50, 0.5], y: -0.5 } }],
  archetypes: [CRATE, PLAIN, BALL, CROSS, LEDGE],
  joints: [HINGE, DRAG],
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

/**
 * A state is loaded into a fresh stage and into one that has changed everything: both go on as the
 * stage that was never rolled back.
 */
function assertSameFuture(stage: Stage, change: (stage: Stage) => void): void {
  stage.endTick();
  const state = saved(stage);
  const live = new Stage(DEF);
  live.load(state);
  change(live);
  run(live, 3);
  const whole = new Stage(DEF, { savesWhole: true });
  for (const each of [live, whole, new Stage(DEF)]) {
    each.load(state);
    change(each);
    each.load(state);
    assert(saved(each).equals(state));
  }
  const ahead = new Stage(DEF);
  ahead.load(state);
  for (let tick = 0; tick < 40; tick++) {
    for (const each of [stage, live, whole, ahead]) run(each, 1);
    for (const each of [live, whole, ahead]) {
      assert(saved(each).equals(saved(stage)), `tick ${tick}`);
    }
  }
}

/** The begins and ends of touches of one tick, as words. */
function tickOf(stage: Stage): string[] {
  stage.advance();
  const list = stage.touches.filter(({ began, ended }) => began || ended).map((touch) =>
    `${touch.a.id}-${touch.b.id} ${touch.began ? "began" : ""}${touch.ended ? "ended" : ""}`
  );
  stage.endTick();
  return list;
}

Deno.test("properties: a body holds as a static one, moves as a kinematic one, and falls again, with its hinge and its rider (SPEC 9.101)", () => {
  const stage = new Stage(DEF);
  const crate = stage.spawn(CRATE, { x: 0, y: 4 });
  const hung = stage.spawn(PLAIN, { x: 0, y: 2 });
  const hinge = stage.joints.add(HINGE, crate, hung, { x: 0, y: 3 });
  run(stage, 2);
  assertAlmostEquals(crate.vy, -1, 1e-3);

  stage.properties.set(crate, { type: "static" });
  assertEquals([crate.vx, crate.vy, crate.mass], [0, 0, 0]);
  const { y } = crate;
  run(stage, 60);
  assertEquals(crate.y, y);
  assertAlmostEquals(hinge.force, 10, 0.1, "it carries the other one");
  assert(!hung.awake);
  assertThrows(() => stage.setVelocity(crate, 1, 0), StageError, "is static");

  stage.properties.set(crate, { type: "kinematic" });
  stage.setVelocity(crate, 1, 0);
  run(stage, 20);
  assertAlmostEquals(crate.x, 1, 1e-5);
  assertAlmostEquals(hung.x, 1, 0.5);

  stage.properties.set(crate, { type: "dynamic" });
  assertAlmostEquals(crate.mass, 1, 1e-6);
  assertEquals(stage.joints.of(crate)[0], hinge);
  run(stage, 30);
  assertLess(crate.y, 2);
  assertEquals(stage.properties.get(crate, "type"), "dynamic");
});

Deno.test("properties: a change of the type ends no touch that goes on (SPEC 9.101)", () => {
  const stage = new Stage(DEF);
  const crate = stage.spawn(CRATE, { x: 0, y: 0.5 });
  const above = stage.spawn(PLAIN, { x: 0, y: 1.5 });
  run(stage, 60);
  assert(!above.awake && !crate.awake);
  stage.properties.set(crate, { type: "static" });
  assert(above.awake);
  assertEquals(tickOf(stage), [`0-${crate.id} ended`], "two static bodies have no contact");
  assertEquals(stage.touchingNow(above).map(({ id }) => id), [crate.id]);
  run(stage, 60);
  assertAlmostEquals(above.y, 1.5, 0.04);
  assert(!above.awake);
  stage.properties.set(crate, { type: "kinematic" });
  stage.setVelocity(crate, 0.5, 0);
  assertEquals(tickOf(stage), []);
  run(stage, 19);
  assertAlmostEquals(above.x, 0.5, 0.1, "it carries");
  stage.properties.set(crate, { type: "dynamic" });
  assertEquals(tickOf(stage), [`0-${crate.id} began`]);
  run(stage, 60);
  assertAlmostEquals(above.y, 1.5, 0.04);
  assertSameFuture(stage, (each) => {
    each.properties.set(each.get(crate.id)!, { type: "static" });
    each.properties.set(each.get(crate.id)!, { type: "kinematic" });
  });
});

Deno.test("properties: a joint that can move neither of its bodies rests until it can (SPEC 9.101)", () => {
  const stage = new Stage(DEF);
  const crate = stage.spawn(CRATE, { x: 1, y: 5 });
  const other = stage.spawn(CRATE, { x: 9, y: 5 });
  const hinge = stage.joints.add(HINGE, stage.ground, crate, { x: 0, y: 5 });
  const drag = stage.joints.add(DRAG, stage.ground, other, { x: 9, y: 5 });
  run(stage, 10);
  assertGreater(hinge.force, 0);
  for (const each of [crate, other]) stage.properties.set(each, { type: "kinematic" });
  stage.setVelocity(crate, 3, 0);
  assertEquals([hinge.force, drag.force], [0, 0]);
  run(stage, 20);
  assertEquals([hinge.force, drag.force], [0, 0]);
  assertEquals(stage.joints.count, 2);
  assertSameFuture(stage, (each) => {
    each.properties.set(each.get(crate.id)!, { type: "dynamic" });
    each.joints.remove(each.joints.all(DRAG)[0]!);
  });
  stage.teleport(other, 9, 6);
  assertEquals(stage.joints.count, 1, "a teleport ends it as ever");
  stage.properties.set(crate, { type: "dynamic" });
  run(stage, 40);
  assertAlmostEquals(Math.hypot(hinge.bx, hinge.by - 5), 0, 0.02, "it holds again");
});

Deno.test("properties: nothing moves a body that has become static, nor passes it (SPEC 9.101)", () => {
  const stage = new Stage(DEF);
  const crate = stage.spawn(CRATE, { x: 0, y: 0.5 });
  run(stage, 60);
  stage.properties.set(crate, { type: "static" });
  run(stage, 3);
  const { x } = crate;
  const ball = stage.spawn(BALL, { x: -4, y: 0.5, vx: 20 });
  run(stage, 10);
  assertLess(ball.x, -0.5);
  assertEquals(crate.x, x);
});

Deno.test("properties: a rotation lock stops a spin, and is taken off again (SPEC 9.101)", () => {
  const stage = new Stage(DEF);
  const crate = stage.spawn(CRATE, { x: 0, y: 5, spin: 3 });
  const { inertia } = crate;
  stage.properties.set(crate, { fixedRotation: true });
  assertEquals([crate.spin, crate.inertia], [0, 0]);
  stage.applyTorque(crate, 5);
  run(stage, 1);
  assertEquals(crate.spin, 0);
  stage.properties.set(crate, { fixedRotation: false });
  assertEquals(crate.inertia, inertia);
  stage.applyTorque(crate, 5);
  run(stage, 1);
  assertAlmostEquals(crate.spin, 5 / inertia / 20, 1e-4);
  assertSameFuture(
    stage,
    (each) => each.properties.set(each.get(crate.id)!, { fixedRotation: true, bullet: true }),
  );
});

Deno.test("properties: a bullet that is switched on hits what it would pass, in a contact that exists (SPEC 9.101)", () => {
  for (const bullet of [false, true]) {
    const stage = new Stage({ ...DEF, gravity: 0 });
    const plain = stage.spawn(PLAIN, { x: 1, y: 5 });
    const ball = stage.spawn(BALL, { x: 0.36, y: 5 });
    stage.advance();
    stage.endTick();
    stage.properties.set(ball, { bullet });
    stage.setVelocity(ball, 79, 0);
    run(stage, 1);
    assertEquals(plain.vx > 1, bullet, `${plain.vx}`);
    assertEquals(stage.properties.get(ball, "bullet"), bullet);
  }
});

Deno.test("properties: a crate that becomes a sensor falls through, and one that becomes solid is pushed out; its touch goes on (SPEC 9.101)", () => {
  const stage = new Stage(DEF);
  const crate = stage.spawn(CRATE, { x: 0, y: 0.5 });
  const ledge = stage.spawn(LEDGE, { x: 0, y: 3 });
  run(stage, 40);
  stage.properties.set(crate, { sensor: true });
  assertEquals(stage.touchingNow(crate), [stage.ground]);
  assertEquals(tickOf(stage), []);
  assertLess(crate.vy, 0);
  assertSameFuture(stage, (each) => {
    each.properties.set(each.get(crate.id)!, { sensor: false });
    each.properties.set(each.get(ledge.id)!, { sensor: true }, 1);
  });
  run(stage, 5);
  stage.teleport(crate, 0, 0.4);
  stage.setVelocity(crate, 0, 0);
  run(stage, 1);
  stage.properties.set(crate, { sensor: false });
  assertEquals(stage.touchingNow(crate), [stage.ground]);
  assertEquals(tickOf(stage), []);
  run(stage, 60);
  assertAlmostEquals(crate.y, 0.5, 0.02);

  stage.properties.set(ledge, { sensor: true }, 1);
  assertEquals([0, 1].map((i) => stage.properties.get(ledge, "sensor", i)), [false, true]);
});

Deno.test("properties: fixtures are switched on and off, and mass, centre and touches follow (SPEC 9.102)", () => {
  const stage = new Stage(DEF);
  const cross = stage.spawn(CROSS, { x: 0, y: 0.5 });
  const rider = stage.spawn(PLAIN, { x: 2, y: 1.5 });
  assertEquals([cross.mass, cross.centerX], [2, 1]);
  run(stage, 60);
  assertEquals(stage.touchingNow(rider), [cross]);
  assert(!rider.awake);

  // Off: what it carried falls
  stage.properties.set(cross, { enabled: false }, 1);
  assertEquals(stage.touchingNow(rider), []);
  assert(rider.awake);
  assertAlmostEquals(cross.mass, 1, 1e-6);
  assertAlmostEquals(cross.centerX, cross.x, 1e-6);
  assertEquals(stage.queries.overlap({ circle: 0.1 }, { x: 2, y: 0.5 }), []);
  assertEquals(tickOf(stage).sort(), [`0-${cross.id} ended`, `${cross.id}-${rider.id} ended`]);
  run(stage, 40);
  assertAlmostEquals(rider.y, 0.5, 0.02);

  // On again, beside it
  stage.teleport(rider, -2, 3);
  stage.properties.set(cross, { enabled: true });
  assertAlmostEquals(cross.mass, 3, 1e-6);
  run(stage, 60);
  assertAlmostEquals(rider.y, 1.5, 0.03);
  assertEquals([0, 1, 2].map((i) => stage.properties.get(cross, "enabled", i)), [true, true, true]);

  // Its mask was kept while it was off
  stage.properties.set(cross, { enabled: false }, 2);
  stage.properties.set(cross, { mask: 0 }, 2);
  stage.properties.set(cross, { enabled: true }, 2);
  assertEquals(stage.properties.get(cross, "mask", 2), 0);
  assertSameFuture(stage, (each) => {
    each.properties.set(each.get(cross.id)!, { enabled: false });
    each.properties.set(each.get(cross.id)!, { mask: 0xffff });
  });
});

Deno.test("properties: a spinning body that loses an arm keeps the velocity of each point (SPEC 9.102)", () => {
  const stage = new Stage({ ...DEF, gravity: 0 });
  const cross = stage.spawn(CROSS, { x: 0, y: 9, angle: 0.7, vx: 3, vy: -2, spin: 2 });
  const anchor = stage.spawn(PLAIN, { x: 0, y: 12 });
  const hinge = stage.joints.add(HINGE, anchor, cross, { x: 0, y: 9 });
  stage.joints.remove(hinge);
  const at = () => {
    const { x, y } = cross.velocityAt(0.4, 8);
    return [x, y, cross.x, cross.y, cross.spin];
  };
  const before = at();
  stage.properties.set(cross, { enabled: false }, 1);
  at().forEach((value, i) => assertAlmostEquals(value, before[i]!, 1e-9));
  stage.properties.set(cross, { enabled: true });
  at().forEach((value, i) => assertAlmostEquals(value, before[i]!, 1e-9));
});

Deno.test("properties: a static body's fixture that appears wakes what it reaches (SPEC 9.102)", () => {
  const stage = new Stage(DEF);
  const ledge = stage.spawn(LEDGE, { x: 0, y: 0.9 });
  stage.properties.set(ledge, { enabled: false });
  const crate = stage.spawn(PLAIN, { x: 4, y: 0.5 });
  run(stage, 40);
  assert(!crate.awake);
  stage.properties.set(ledge, { enabled: true }, 1);
  run(stage, 1);
  assert(crate.awake);
  stage.despawn(ledge);
  run(stage, 1);
});

Deno.test("properties: a snapshot has a word for the switches of sixteen fixtures (SPEC 9.101, 9.102)", () => {
  const many = archetype({
    name: "many",
    body: {
      fixtures: Array.from({ length: 18 }, (_, i) => ({ shape: { circle: 0.1, x: i } })),
      mutable: ["enabled", "type", "sensor"],
    },
    fields: {},
  });
  const stage = new Stage({ ...DEF, archetypes: [many] });
  const body = stage.spawn(many, { x: 0, y: 5 });
  stage.properties.set(body, { enabled: false }, 17);
  stage.properties.set(body, { sensor: true }, 3);
  stage.endTick();
  const state = saved(stage);
  const labels = snapshotLabels(stage, state);
  const wordOf = (name: string) => labels.indexOf(`entity 1 many ${name}`);
  assertEquals(
    ["type", "sensor[0]", "sensor[16]", "enabled[0]", "enabled[16]"].map((name) =>
      state.words[wordOf(name)]
    ),
    [2, 8, 0, 0xffff, 1],
  );
  assertEquals(stage.properties.get(body, "enabled", 17), false);
  for (
    const [name, value] of [["enabled[16]", 4], ["type", 3], ["sensor[0]", 0x10000]] as const
  ) {
    const hostile = new Snapshot();
    hostile.copyFrom(state);
    hostile.words[wordOf(name)] = value;
    assertThrows(() => stage.load(hostile), SnapshotError, "a property out of range");
  }
  const hostile = new Snapshot();
  hostile.copyFrom(state);
  hostile.words[wordOf("type")] = 0;
  hostile.floats[wordOf("vx")] = 1;
  assertThrows(() => stage.load(hostile), SnapshotError, "a static body that moves");
});

Deno.test("properties: the error names what a body cannot have (SPEC 9.11, 9.101, 9.102)", () => {
  const stage = new Stage(DEF);
  const crate = stage.spawn(CRATE, { x: 0, y: 5 });
  const cross = stage.spawn(CROSS, { x: 0, y: 9 });
  const fixtures = [{ shape: { circle: 1 } }];
  const stageOf = (body: object) =>
    new Stage({ ...DEF, archetypes: [{ name: "odd", body, fields: {} } as never], joints: [] });
  const wrong: [() => void, string][] = [
    [() => stage.properties.set(crate, { type: "still" as never }), "type is still: static"],
    [() => stage.properties.set(crate, { bullet: 1 as never }), "bullet is 1; true and false"],
    [() => stage.properties.set(crate, { sensor: true }, 1), "has no fixture 1"],
    [() => stage.properties.set(cross, { enabled: true }, 3), "has no fixture 3"],
    [
      () => stage.properties.set(cross, { type: "static" }),
      "does not declare type as mutable",
    ],
    [
      () => stageOf({ fixtures, fixedRotation: "upright", mutable: ["type"] }),
      "odd.mutable has type, but the body is upright",
    ],
    [
      () => stageOf({ fixtures, path: () => ({ x: 0, y: 0 }), mutable: ["type"] }),
      "odd.mutable has type, but the body is on a path",
    ],
    [
      () => stageOf({ fixtures: [{ shape: { circle: 1 }, enabled: false }] }),
      `odd: a fixture is switched off for ever; the body's mutable needs "enabled"`,
    ],
    [
      () =>
        stageOf({
          type: "static",
          fixtures: Array.from({ length: 65 }, () => fixtures[0]),
          mutable: ["type"],
        }),
      "odd has more than 64 fixtures",
    ],
  ];
  for (const [act, message] of wrong) assertThrows(act, StageError, message);
});

Deno.test("adoptBodies: a client has types, sensors and fixtures of its server (SPEC 9.101, 9.102, 12.26)", () => {
  const scene = () => {
    const stage = new Stage(DEF);
    const crate = stage.spawn(CRATE, { x: 0, y: 0.5 });
    const cross = stage.spawn(CROSS, { x: 6, y: 0.5 });
    const above = stage.spawn(PLAIN, { x: 0, y: 1.5 });
    stage.joints.add(HINGE, crate, above, { x: 0, y: 1 });
    run(stage, 60);
    return { stage, crate, cross, above };
  };
  const server = scene();
  const client = scene();
  server.stage.properties.set(server.crate, { type: "static", fixedRotation: true });
  server.stage.properties.set(server.cross, { enabled: false }, 1);
  run(server.stage, 1);
  run(client.stage, 1);
  const list = new BodyList();
  fillBodies(server.stage, () => -1, list);
  adoptBodies(client.stage, list);
  const told = ({ stage, crate, cross }: { stage: Stage; crate: Entity; cross: Entity }) => [
    stage.properties.get(crate, "type"),
    stage.properties.get(crate, "fixedRotation"),
    stage.properties.get(cross, "enabled", 1),
    crate.mass,
    cross.mass,
    stage.joints.count,
  ];
  assertEquals(told(client), told(server));
  const loaded = new Stage(DEF);
  loaded.load(saved(client.stage));
  run(loaded, 20);
  run(client.stage, 20);
  assert(saved(loaded).equals(saved(client.stage)));
});
