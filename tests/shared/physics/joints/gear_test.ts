/** Gears on the stage: the joints that they couple, their end, and bodies that turn on and on. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { type Entity, type Joint, Stage } from "../../../../shared/physics/stage/stage.ts";
import { jointDef, StageError } from "../../../../shared/physics/core/types.ts";
import {
  COG,
  COTTER,
  DRAG,
  FLOATER,
  HINGE,
  RAIL,
  ROD,
  run,
  runReading,
  TURNTABLE,
  WHEEL,
  WORKSHOP,
  workshop,
} from "../scenes/workshop.ts";

function assertNear(actual: number, expected: number, { within }: { within: number }): void {
  assert(Math.abs(actual - expected) <= within, `${actual} is not ${expected} within ${within}`);
}

interface Discs {
  readonly discs: readonly [Entity, Entity];
  readonly hinges: readonly [Joint, Joint];
}

/** Two discs on hinges of the ground, 3 m apart. */
function pinDiscs(stage: Stage, definition = HINGE): Discs {
  const pin = (x: number): [Entity, Joint] => {
    const disc = stage.spawn(FLOATER, { x, y: 5 });
    return [disc, stage.joints.add(definition, stage.ground, disc, { x, y: 5 })];
  };
  const [left, first] = pin(0);
  const [right, second] = pin(3);
  return { discs: [left, right], hinges: [first, second] };
}

Deno.test("joints: a gear turns two hinges against each other by its ratio (SPEC 9.23)", () => {
  const stage = workshop();
  const { discs: [left, right], hinges: [first, second] } = pinDiscs(stage, WHEEL);
  stage.joints.setMotor(second, { on: false });
  const cog = stage.joints.addGear(COG, first, second, { fields: { ageTicks: 3 } });
  assertEquals([cog.a, cog.b, cog.joints, cog.ratio], [left, right, [first, second], 2]);
  assertEquals([cog.ax, cog.ay, cog.bx, cog.by, cog.fields.ageTicks], [0, 5, 3, 5, 3]);
  run(stage, 40, () => assertNear(first.angle + 2 * second.angle, 0, { within: 0.01 }));
  assertNear(left.spin, 6, { within: 0.01 });
  assertNear(right.spin, -3, { within: 0.01 });
});

Deno.test("joints: a gear of a hinge and a rail is a rack with its pinion (SPEC 9.23)", () => {
  const stage = workshop();
  const { joints } = stage;
  const pinion = stage.spawn(FLOATER, { x: 0, y: 5 });
  const rack = stage.spawn(FLOATER, { x: 5, y: 5 });
  const hinge = joints.add(HINGE, stage.ground, pinion, { x: 0, y: 5 });
  const rail = joints.add(RAIL, stage.ground, rack, { x: 5, y: 5, axis: { x: 0, y: 1 } });
  const cog = joints.addGear(COG, hinge, rail);
  stage.setVelocity(rack, 0, 2);
  run(stage, 10, () => assertNear(hinge.angle + 2 * rail.translation, 0, { within: 0.01 }));

  // The inertia of the disc counts 2² times: 1/8 of its mass times 4.
  assertNear(rack.vy, 2 / 1.5, { within: 0.02 });
  assertNear(pinion.spin, -4 / 1.5, { within: 0.02 });
  stage.applyForce(rack, 0, 6);
  run(stage, 1);

  // The rail's force is the torque of the hinge times the ratio; it accelerates the pinion's
  // inertia.
  assertNear(cog.force, 6 / 1.5 / (Math.PI / 4) * 2 * (Math.PI / 32), { within: 0.02 });
  assertNear(cog.torque, -cog.force, { within: 1e-9 });
});

Deno.test("joints: a gear wakes what it couples, and all of it sleeps as one (SPEC 9.41)", () => {
  const stage = workshop();
  const { discs: [left, right], hinges } = pinDiscs(stage);
  const cog = stage.joints.addGear(COG, ...hinges);
  run(stage, 40);
  assert(!left.awake && !right.awake);
  stage.setSpin(left, 1);
  run(stage, 1);
  assert(right.awake && right.spin < -0.2, `${right.spin}`);
  stage.setSpin(left, 0);
  stage.setSpin(right, 0);
  run(stage, 40);
  assert(!left.awake && !right.awake);
  stage.joints.remove(cog);
  assert(left.awake && right.awake);
  stage.setSpin(left, 1);
  run(stage, 10);
  assertEquals(right.spin, 0);
});

Deno.test("joints: a gear ends with either of its joints, and breaks alone (SPEC 9.21)", () => {
  for (const which of [0, 1] as const) {
    const stage = workshop();
    const { joints } = stage;
    const { discs, hinges } = pinDiscs(stage);
    const cog = joints.addGear(COG, ...hinges);
    const again = joints.addGear(COG, hinges[1], hinges[0]);
    joints.remove(hinges[which]);
    assertEquals([joints.count, joints.get(cog.id), joints.get(again.id), joints.all(COG)], [
      1,
      undefined,
      undefined,
      [],
    ]);
    const other = joints.add(HINGE, stage.ground, discs[which], { x: which * 3, y: 5 });
    joints.addGear(COG, hinges[1 - which]!, other);
    stage.despawn(discs[1 - which]!);
    assertEquals(joints.count, 1);
    joints.remove(other);
    runReading(stage, 2, () => assertEquals([joints.count, joints.broken], [0, []]));
  }

  const stage = workshop();
  const { hinges: [first, second] } = pinDiscs(stage, WHEEL);
  stage.joints.setMotor(second, { speed: 6 });
  const cotter = stage.joints.addGear(COTTER, first, second);
  runReading(stage, 1, () => assertEquals(stage.joints.broken.map(({ joint }) => joint), [cotter]));
  assertEquals(stage.joints.count, 2);
});

Deno.test("load: replaces a gear whose joints are others on this timeline (SPEC 9.15)", () => {
  const stage = workshop();
  const { joints } = stage;
  const before = new Snapshot();
  const wanted = new Snapshot();
  const after = new Snapshot();
  const { discs: [left], hinges: [first, second] } = pinDiscs(stage);
  const third = joints.add(HINGE, stage.ground, left, { x: 0, y: 5 });
  stage.endTick();
  stage.save(before);
  const cog = joints.addGear(COG, first, second);
  stage.setSpin(left, 2);
  run(stage, 3);
  stage.save(wanted);
  run(stage, 5);
  stage.save(after);
  stage.load(before);
  const other = joints.addGear(COG, third, second);
  const again = new Snapshot();
  assertEquals(other.id, cog.id);
  run(stage, 3);
  stage.load(wanted);
  assertEquals(joints.get(cog.id)!.joints, [first, second]);
  run(stage, 5);
  stage.save(again);
  assert(again.equals(after));

  // The joints of the gear themselves are others.
  stage.load(before);
  for (const joint of [first, second]) joints.remove(joint);
  run(stage, 1);
  stage.load(wanted);
  run(stage, 5);
  stage.save(again);
  assert(again.equals(after));
});

Deno.test("joints: a gear loses no turn when angles and references lose whole turns (SPEC 9.41)", () => {
  const spinner = jointDef({
    name: "spinner",
    type: "revolute",
    motor: { speed: 30, torqueMax: 1e4 },
    fields: {},
  });
  const cog = jointDef({ name: "cog", type: "gear", ratio: -0.7, fields: {} });

  for (const order of [[0, 1], [1, 0]] as const) {
    const stage = new Stage({ ...WORKSHOP, joints: [spinner, cog] });
    const { joints } = stage;
    const { discs, hinges } = pinDiscs(stage, spinner as typeof HINGE);
    const [first, second] = [hinges[order[0]], hinges[order[1]]];
    const ratio = -0.7;
    joints.setMotor(second, { on: false });
    joints.addGear(cog, first, second);
    const turned = [0, 0];
    const before = discs.map(({ angle }) => angle);
    const drops = [0, 0];
    const angles = [first.angle, second.angle];
    run(stage, 3200, () => {
      discs.forEach((disc, i) => {
        const change = disc.angle - before[i]!;
        turned[i]! += change - Math.round(change / (2 * Math.PI)) * 2 * Math.PI;
        before[i] = disc.angle;
      });
      [first, second].forEach(({ angle }, i) => {
        if (Math.abs(angle - angles[i]!) > 100) drops[i]!++;
        angles[i] = angle;
      });
      assertNear(turned[order[0]]! + ratio * turned[order[1]]!, 0, { within: 0.05 });
    });
    assert(drops.every((count) => count > 0), `${turned}, ${drops} drops`);
  }
});

Deno.test("joints: a gear of two discs on one free arm holds, and keeps the angular momentum (SPEC 9.42)", () => {
  const stage = workshop();
  const { joints } = stage;
  const arm = stage.spawn(FLOATER, { x: 0, y: 9 });
  const pin = (x: number) => joints.add(HINGE, arm, stage.spawn(FLOATER, { x, y: 9 }), { x, y: 9 });
  const first = pin(-2);
  const second = pin(2);
  const bodies = [arm, first.b, second.b];
  joints.addGear(COG, first, second);
  stage.setSpin(first.b, 3);

  /** About the arm's centre, which rests, in units of a disc's mass. */
  const momentum = () =>
    bodies.reduce(
      (sum, { x, y, vx, vy, spin }) => sum + spin / 8 + (x - arm.x) * vy - (y - arm.y) * vx,
      0,
    );
  run(stage, 40, () => {
    assertNear(first.angle + 2 * second.angle, 0, { within: 0.01 });
    assertNear(momentum(), 3 / 8, { within: 1e-3 });
  });
  assert(Math.abs(second.b.spin - arm.spin) > 0.5);
});

Deno.test("joints.addGear: refuses other joints, one body twice, and what no gear can move (SPEC 9.23, 9.41)", () => {
  const stage = workshop();
  const { joints, ground } = stage;
  const { discs: [left, right], hinges: [first, second] } = pinDiscs(stage);
  const rod = joints.add(ROD, ground, left, { x: 0, y: 9, bx: 0, by: 5 });
  const drag = joints.add(DRAG, ground, left, { x: 0, y: 5 });
  const turned = joints.add(HINGE, left, ground, { x: 0, y: 5 });
  const twice = joints.add(HINGE, right, left, { x: 1, y: 5 });
  const table = stage.spawn(TURNTABLE, { fields: {} });
  const driven = joints.add(HINGE, left, table, { x: 0, y: 25 });
  const elsewhere = pinDiscs(workshop()).hinges[0];
  const { count } = joints;
  const cases: [() => void, string][] = [
    [
      () => joints.addGear(COG, first, rod),
      "cog: joint 5 rod is a distance joint; a gear couples revolute and prismatic",
    ],
    [() => joints.addGear(COG, drag, second), "cog: joint 6 drag is a mouse joint"],
    [
      () => joints.addGear(COG, first, turned),
      "cog: a gear cannot move entity 0 ground, the b of joint 7 hinge",
    ],
    [
      () => joints.addGear(COG, driven, second),
      "cog: a gear cannot move entity 9 turntable, the b of joint 10 hinge",
    ],
    [() => joints.addGear(COG, first, first), "cog: both joints hold entity 1 floater as their b"],
    [() => joints.addGear(COG, first, twice), "cog: both joints hold entity 1 floater as their b"],
    [() => joints.addGear(COG, first, elsewhere), "is not on this stage"],
    [() => joints.addGear(HINGE, first, second), "joint 11 hinge is no gear: add() makes it"],
    [
      () => joints.add(COG, left, right, { x: 0, y: 5 }),
      "cog: a gear couples two joints; addGear() makes it",
    ],
    [
      () => joints.addGear(COG, first, second, { fields: { ageTicks: 256 } }),
      "cog.ageTicks is 256",
    ],
    [
      () => joints.add(DRAG, left, table, { x: 0, y: 5 }),
      "drag: a mouse joint cannot move entity 9 turntable, its b",
    ],
    [
      () => joints.add(DRAG, left, ground, { x: 0, y: 5 }),
      "drag: a mouse joint cannot move entity 0 ground, its b",
    ],
  ];
  for (const [call, message] of cases) assertThrows(call, StageError, message);
  assertEquals(joints.count, count);
});
