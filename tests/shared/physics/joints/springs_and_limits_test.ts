/**
 * Springs on hinges and rails, distance joints with limits, filters, and joints that break by
 * torque.
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
import {
  archetype,
  type JointDef,
  jointDef,
  type StageDef,
  StageError,
} from "../../../../shared/physics/core/types.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";
import { adoptBodies, fillBodies } from "../../../../shared/physics/stage/body_stream.ts";
import { Stage } from "../../../../shared/physics/stage/stage.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";

const PLANK = archetype({
  name: "plank",
  body: { fixtures: [{ shape: { box: [1, 0.1] } }] },
  fields: {},
});
const BALL = archetype({
  name: "ball",
  body: { fixtures: [{ shape: { circle: 0.5 } }] },
  fields: {},
});
const fields = {};
const spring = { frequencyHz: 1, dampingRatio: 0 };
const SPRUNG_HINGE = jointDef({ name: "sprung", type: "revolute", spring, fields });
const DOOR = jointDef({
  name: "door",
  type: "revolute",
  spring: { frequencyHz: 3, dampingRatio: 1 },
  limits: { lower: -1, upper: 1 },
  changeable: true,
  fields,
});
const SPRUNG_RAIL = jointDef({ name: "buffer", type: "prismatic", spring, fields });
const STRUT = jointDef({
  name: "strut",
  type: "distance",
  limits: { lower: 1, upper: 3 },
  changeable: true,
  fields,
});
const SHOCK = jointDef({
  name: "shock",
  type: "distance",
  limits: { lower: 1, upper: 3 },
  spring: { frequencyHz: 2, dampingRatio: 0.2 },
  fields,
});
const FILTER = jointDef({ name: "apart", type: "filter", fields: { left: "u8" } });
const TORSION = jointDef({ name: "torsion", type: "weld", breakTorque: 12, fields });
const DEFINITIONS = [SPRUNG_HINGE, DOOR, SPRUNG_RAIL, STRUT, SHOCK, FILTER, TORSION];

const DEF: StageDef = {
  gravity: 10,
  tickHz: 60,
  substeps: 8,
  features: [joints],
  ground: [{ shape: { box: [20, 0.5], y: -0.5 } }],
  archetypes: [PLANK, BALL],
  joints: DEFINITIONS,
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

/** @returns the seconds between two passes through 0 in the same direction */
function periodOf(stage: Stage, coordinate: () => number): number {
  const passes: number[] = [];
  let before = coordinate();
  for (let tick = 0; tick < 600 && passes.length < 3; tick++) {
    run(stage, 1);
    const now = coordinate();
    if (before < 0 && now >= 0) passes.push(tick - now / (now - before));
    before = now;
  }
  return (passes[2]! - passes[0]!) / 2 / 60;
}

Deno.test("spring: a hinge swings with its frequency, wherever the pin is (SPEC 9.103)", () => {
  for (const pin of [0, -0.5, -1]) {
    const stage = new Stage({ ...DEF, gravity: 0 });
    const plank = stage.spawn(PLANK, { x: -pin, y: 5 });
    const hinge = stage.joints.add(SPRUNG_HINGE, stage.ground, plank, { x: 0, y: 5 });
    stage.setSpin(plank, 2);
    if (pin !== 0) stage.setVelocity(plank, 0, -2 * pin);
    assertAlmostEquals(periodOf(stage, () => hinge.angle), 1, 0.01, `pin at ${pin}`);
  }
});

Deno.test("spring: a rail swings with its frequency, on a beam that swings along (SPEC 9.103)", () => {
  for (const frees of [false, true]) {
    const stage = new Stage({ ...DEF, gravity: 0 });
    const beam = stage.spawn(PLANK, { x: 0, y: 5 });
    const ball = stage.spawn(BALL, { x: 0, y: 7 });
    const rail = stage.joints.add(SPRUNG_RAIL, frees ? beam : stage.ground, ball, {
      x: 0,
      y: 6,
      axis: { x: 1, y: 1 },
    });
    stage.setVelocity(ball, 1, 1);
    assertAlmostEquals(periodOf(stage, () => rail.translation), 1, 0.02, `${frees}`);
  }
});

Deno.test("spring: in each step a hinge keeps the share of its swing that the formula says (SPEC 9.78, 9.103)", () => {
  const stage = new Stage({ ...DEF, gravity: 0, tickHz: 20, substeps: 2 });
  const plank = stage.spawn(PLANK, { x: 1, y: 5 });
  const hinge = stage.joints.add(SPRUNG_HINGE, stage.ground, plank, { x: 0, y: 5 });
  stage.setSpin(plank, 1);
  stage.setVelocity(plank, 0, 1);
  const energy = () => (plank.spin * plank.spin + (2 * Math.PI * hinge.angle) ** 2) ** 0.5;
  const before = energy();
  run(stage, 20);
  const omegaH = 2 * Math.PI / 40;
  assertAlmostEquals(energy() / before, (1 / Math.sqrt(1 + omegaH * omegaH)) ** 40, 0.05);
});

Deno.test("spring: a door closes by itself, its limits hold, and its spring changes (SPEC 9.40, 9.103)", () => {
  const stage = new Stage({ ...DEF, gravity: 0, tickHz: 20, substeps: 2 });
  const plank = stage.spawn(PLANK, { x: 1, y: 5 });
  const door = stage.joints.add(DOOR, stage.ground, plank, { x: 0, y: 5 });
  stage.setSpin(plank, 12);
  stage.setVelocity(plank, 0, 12);
  let widest = 0;
  for (let tick = 0; tick < 60; tick++) {
    run(stage, 1);
    widest = Math.max(widest, door.angle);
  }
  assertLess(widest, 1.1);
  assertAlmostEquals(door.angle, 0, 0.01);
  stage.applyTorque(plank, 5);
  stage.advance();
  assertLess(door.torque, 0, "the spring counts");
  stage.endTick();
  stage.joints.setSpring(door, { frequencyHz: 0.5 });
  assertEquals(door.frequencyHz, 0.5);
});

Deno.test("limits: a distance joint keeps its two ends between a least and a greatest length (SPEC 9.104)", () => {
  for (const kind of [STRUT, SHOCK]) {
    const stage = new Stage({ ...DEF, gravity: 0, tickHz: 20, substeps: 2 });
    const [one, other] = [0, 2].map((x) => stage.spawn(BALL, { x, y: 5 }));
    const rod = stage.joints.add(kind, one!, other!, { x: 0, y: 5, bx: 2, by: 5 });
    const lengths: number[] = [];
    for (const speed of [30, -30]) {
      stage.setVelocity(one!, -speed / 2, 0);
      stage.setVelocity(other!, speed / 2, 0);
      for (let tick = 0; tick < 20; tick++) {
        run(stage, 1);
        lengths.push(Math.hypot(rod.bx - rod.ax, rod.by - rod.ay));
      }
    }
    assertAlmostEquals(Math.max(...lengths), 3, 0.02);
    assertAlmostEquals(Math.min(...lengths), 1, 0.02);
    assertAlmostEquals(one!.vx + other!.vx, 0, 1e-3);
    run(stage, 200);
    const now = rod.bx - rod.ax;
    if (kind === SHOCK) assertAlmostEquals(now, 2, 0.01, "its spring");
    else assertGreater(Math.abs(now - 2), 0.5, "nothing draws it back");
  }
});

Deno.test("limits: a strut stands on its least length, and its limits change and switch off (SPEC 9.40, 9.104)", () => {
  const stage = new Stage({ ...DEF, tickHz: 20, substeps: 2 });
  const ball = stage.spawn(BALL, { x: 0, y: 2.5 });
  const strut = stage.joints.add(STRUT, stage.ground, ball, { x: 0, y: 0, bx: 0, by: 2.5 });
  run(stage, 40);
  assertAlmostEquals(ball.y, 1, 0.01);
  assertAlmostEquals(strut.force, ball.mass * 10, 0.2);
  stage.joints.setLimits(strut, { lower: 1.5 });
  run(stage, 40);
  assertAlmostEquals(ball.y, 1.5, 0.01);
  stage.joints.setLimits(strut, { lower: 2, upper: 2 });
  run(stage, 40);
  assertAlmostEquals(ball.y, 2, 0.01);
  assert(!ball.awake, "it comes to rest");
  stage.joints.setLimits(strut, { on: false });
  run(stage, 60);
  assertAlmostEquals(ball.y, 0.5, 0.02, "it lies on the floor");
  assertThrows(
    () => stage.joints.setLimits(strut, { lower: 0 }),
    StageError,
    "lower is 0; 0.0078125 to 100000 are allowed",
  );
});

Deno.test("filter: one pair passes through each other, also after a teleport, and all others touch (SPEC 9.105)", () => {
  const stage = new Stage({ ...DEF, tickHz: 20, substeps: 2 });
  const [below, above, third] = [0.5, 1.5, 2.6].map((y) => stage.spawn(BALL, { x: 0, y }));
  run(stage, 60);
  assert(!above!.awake);
  const filter = stage.joints.addFilter(FILTER, below!, above!, { fields: { left: 3 } });
  assert(above!.awake && below!.awake);
  run(stage, 60);
  assertAlmostEquals(above!.y, 0.5, 0.02);
  assertAlmostEquals(Math.hypot(third!.x - above!.x, third!.y - above!.y), 1, 0.05);
  assertEquals([filter.force, filter.torque, filter.fields.left], [0, 0, 3]);
  run(stage, 60);

  // It connects nothing: one sleeps while the other one flies about
  stage.despawn(third!);
  stage.teleport(above!, 8, 0.5);
  run(stage, 60);
  assert(!below!.awake);
  stage.teleport(above!, 8, 8);
  run(stage, 2);
  assertEquals([below!.awake, above!.awake, stage.joints.count], [false, true, 1]);
  stage.teleport(above!, 0.1, 0.5);
  run(stage, 20);
  assertLess(Math.hypot(below!.x - above!.x, below!.y - above!.y), 0.9);

  // A rollback, and a client of the body stream
  const state = saved(stage);
  const fresh = new Stage({ ...DEF, tickHz: 20, substeps: 2 });
  fresh.load(state);
  const list = new BodyList();
  fillBodies(stage, () => -1, list);
  const client = new Stage({ ...DEF, tickHz: 20, substeps: 2 });
  adoptBodies(client, list);
  assertEquals(client.joints.all(FILTER).map(({ a, b, fields }) => [a.id, b.id, fields.left]), [
    [below!.id, above!.id, 3],
  ]);
  stage.joints.remove(stage.joints.all(FILTER)[0]!);
  fresh.joints.remove(fresh.joints.all(FILTER)[0]!);
  run(stage, 30);
  run(fresh, 30);
  assert(saved(fresh).equals(saved(stage)));
  assertGreater(Math.hypot(below!.x - above!.x, below!.y - above!.y), 0.95, "they part again");
});

Deno.test("breakTorque: a weld carries a torque, and breaks under a larger one once (SPEC 9.21, 9.106)", () => {
  for (const side of [1, -1]) {
    const stage = new Stage({ ...DEF, gravity: 0, tickHz: 20, substeps: 2 });
    const ball = stage.spawn(BALL, { x: 0, y: 5 });
    stage.joints.add(TORSION, stage.ground, ball, { x: 0, y: 5 });
    for (const [torque, breaks] of [[11, 0], [-11, 0], [13 * side, 1], [20, 0]] as const) {
      stage.applyTorque(ball, torque);
      stage.advance();
      assertEquals(stage.joints.broken.length, breaks, `${torque}`);
      for (const broken of stage.joints.broken) {
        assertAlmostEquals(broken.torque, 13, 0.1);
        assertAlmostEquals(broken.force, 0, 0.1);
      }
      stage.endTick();
    }
    assertEquals(stage.joints.count, 0);
  }
});

Deno.test("filter: an entity falls through all of the ground, and another one stands on it (SPEC 9.105)", () => {
  const stage = new Stage({ ...DEF, tickHz: 20, substeps: 2 });
  const [ghost, ball] = [0, 3].map((x) => stage.spawn(BALL, { x, y: 0.5 }));
  run(stage, 40);
  stage.joints.addFilter(FILTER, stage.ground, ghost!);
  run(stage, 10);
  assertAlmostEquals(ghost!.vy, -5, 0.01);
  assertAlmostEquals(ball!.y, 0.5, 0.01);
});

Deno.test("springs and limits: a joint without them has the words that it had (SPEC 9.103, 9.104)", () => {
  const HINGE = jointDef({ name: "hinge", type: "revolute", fields });
  const ROD = jointDef({ name: "rod", type: "distance", fields });
  const stage = new Stage({ ...DEF, joints: [HINGE, ROD, SPRUNG_HINGE, STRUT] });
  const [one, other] = [0, 2].map((x) => stage.spawn(BALL, { x, y: 5 }));
  const ends = { x: 0, y: 5, bx: 2, by: 5 };
  stage.joints.add(HINGE, stage.ground, one!, { x: 0, y: 5 });
  stage.joints.add(ROD, one!, other!, ends);
  stage.joints.add(SPRUNG_HINGE, stage.ground, other!, { x: 2, y: 5 });
  stage.joints.add(STRUT, one!, other!, ends);
  stage.endTick();
  const state = saved(stage);
  const labels = snapshotLabels(stage, state);
  const wordsOf = (name: string) => labels.filter((label) => label.includes(` ${name} `));
  assertEquals(
    ["hinge", "rod", "sprung", "strut"].map((name) => wordsOf(name).length),
    [15, 10, 16, 14],
  );
  assert(wordsOf("sprung").at(-1)!.endsWith("springImpulse"));
  const hostile = new Snapshot();
  hostile.copyFrom(state);
  hostile.floats[labels.findIndex((label) => label.endsWith("strut limitImpulse"))] = NaN;
  assertThrows(() => stage.load(hostile), SnapshotError, "limitImpulse is out of bounds");
});

Deno.test("springs, limits, filters: what a definition cannot have is refused by name (SPEC 9.11, 9.23)", () => {
  const stageOf = (definition: object) =>
    new Stage({ ...DEF, joints: [{ name: "odd", fields, ...definition } as JointDef] });
  const stage = new Stage(DEF);
  const [one, other] = [0, 2].map((x) => stage.spawn(BALL, { x, y: 5 }));
  const wrong: [() => void, string][] = [
    [
      () => stageOf({ type: "distance", limits: { lower: 0, upper: 1 } }),
      "odd.limits.lower is 0; 0.0078125 to 100000 are allowed",
    ],
    [
      () => stageOf({ type: "revolute", spring: { frequencyHz: 1e3, dampingRatio: 0 } }),
      "odd.spring.frequencyHz is 1000",
    ],
    [() => stageOf({ type: "rope", spring }), "joint odd has a spring, which no rope joint has"],
    [() => stageOf({ type: "filter", collide: true }), `joint odd has no "collide"`],
    [() => stageOf({ type: "filter", breakForce: 1 }), `joint odd has no "breakForce"`],
    [() => stageOf({ type: "rope", breakTorque: 1 }), `joint odd has no "breakTorque"`],
    [() => stageOf({ type: "weld", breakTorque: 0 }), "joint odd.breakTorque is 0; more than 0"],
    [
      () => stage.joints.add(FILTER, one!, other!, { x: 0, y: 0 }),
      "a filter has no place; addFilter() makes it",
    ],
    [
      () => stage.joints.addFilter(STRUT, one!, other!),
      "joint 3 strut is no filter: add() or addGear() makes it",
    ],
    [() => stage.joints.addFilter(FILTER, one!, one!), "both ends hold"],
  ];
  for (const [act, message] of wrong) assertThrows(act, StageError, message);
  assertEquals(stage.joints.count, 0);
});
