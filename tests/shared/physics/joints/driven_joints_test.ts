/**
 * Wheel, mouse, motor, friction and pulley joints on the stage: the purpose of each, and the
 * changes at run time.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { StageError } from "../../../../shared/physics/core/types.ts";
import {
  BLOCK,
  BRAKE,
  DOOR,
  DRAG,
  ELBOW,
  FLOATER,
  HINGE,
  HOIST,
  RAIL,
  ROPE,
  run,
  SPRING,
  STRUT,
  TOW,
  WEIGHT,
  workshop,
} from "../scenes/workshop.ts";

function assertNear(actual: number, expected: number, { within }: { within: number }): void {
  assert(Math.abs(actual - expected) <= within, `${actual} is not ${expected} within ${within}`);
}

/** Kilograms of a floater: a disc of radius 0.5. */
const FLOATER_KG = Math.PI / 4;
const AXIS = { axis: { x: 0, y: 1 } };

Deno.test("joints: a wheel carries a weight on its spring, and its motor drives it along the ground (SPEC 9.23)", () => {
  const stage = workshop();
  const { joints } = stage;
  const cart = stage.spawn(WEIGHT, { x: 0, y: 1.6 });
  const wheel = stage.spawn(FLOATER, { x: 0, y: 0.5 });
  const strut = joints.add(STRUT, cart, wheel, { x: 0, y: 0.5, ...AXIS });
  joints.setMotor(strut, { on: false });
  run(stage, 60);
  const sag = (frequencyHz: number) =>
    10 * (1 + FLOATER_KG) / FLOATER_KG / (2 * Math.PI * frequencyHz) ** 2;
  assertNear(strut.translation, sag(4), { within: 0.002 });
  assertNear(strut.force, 10, { within: 0.05 });
  joints.setSpring(strut, { frequencyHz: 2 });
  assertEquals([strut.frequencyHz, strut.dampingRatio], [2, Math.fround(0.7)]);
  run(stage, 60);
  assertNear(strut.translation, sag(2), { within: 0.005 });
  joints.setMotor(strut, { on: true });
  run(stage, 60);
  assertNear(wheel.spin, 4, { within: 0.1 });
  assertNear(cart.vx, -2, { within: 0.1 });
  joints.setMotor(strut, { torqueMax: 0 });
  assertEquals(strut.motorMax, 0);
  for (const each of [cart, wheel]) stage.setVelocity(each, 0, 0);
  stage.setSpin(wheel, 0);
  run(stage, 20);
  assertNear(wheel.spin, 0, { within: 1e-3 });
});

Deno.test("joints: a mouse joint pulls a body to a target that the rules move, with a largest force (SPEC 9.23, 9.40)", () => {
  const stage = workshop();
  const { joints } = stage;
  const block = stage.spawn(BLOCK, { x: 0, y: 0.4 });
  const drag = joints.add(DRAG, stage.ground, block, { x: 0, y: 0.4 });
  assertEquals([drag.forceMax, drag.frequencyHz, drag.dampingRatio], [100, 5, Math.fround(0.7)]);
  run(stage, 40);
  assert(!block.awake, "it sleeps at the target");
  joints.setTarget(drag, 3, 4);
  assert(block.awake);
  run(stage, 60);
  assertEquals([drag.ax, drag.ay], [3, 4]);

  // The weight hangs on a spring of m (2 pi 5 Hz)².
  assertNear(drag.by, 4 - 10 / (10 * Math.PI) ** 2, { within: 2e-3 });
  assertNear(drag.bx, 3, { within: 1e-3 });
  assertNear(drag.force, 6.4, { within: 0.02 });
  joints.setStrength(drag, { forceMax: 5 });
  run(stage, 4);
  assertNear(drag.force, 5, { within: 0.01 });
  assertNear(block.vy, -0.2 * (10 - 5 / 0.64), { within: 0.05 });
});

Deno.test("joints: the entity a of a mouse joint is not moved, but is in the island of b (SPEC 9.43)", () => {
  const stage = workshop();
  const a = stage.spawn(FLOATER, { x: 5, y: 5 });
  const b = stage.spawn(FLOATER, { x: 0, y: 5 });
  const drag = stage.joints.add(DRAG, a, b, { x: 0, y: 5 });
  run(stage, 40);
  assert(!a.awake && !b.awake);
  stage.joints.setTarget(drag, 0, 6);
  run(stage, 1);
  assertEquals([a.awake, a.x, a.y], [true, 5, 5]);
  assert(b.vy > 1);
});

Deno.test("joints: a motor joint drives a body to an offset and an angle, with a largest force and torque (SPEC 9.23, 9.40)", () => {
  const stage = workshop();
  const { joints } = stage;
  const crane = stage.spawn(FLOATER, { x: 0, y: 5 });
  const tow = joints.add(TOW, stage.ground, crane, { x: 0, y: 5 });
  run(stage, 20);
  assertNear(crane.x, 0, { within: 1e-6 });
  joints.setOffset(tow, { x: 4, y: 6, angle: -2 });
  assertEquals([tow.ax, tow.ay], [4, 6]);
  run(stage, 2);
  assertNear(tow.force, 40, { within: 1e-3 });
  assertNear(tow.torque, -5, { within: 1e-3 });
  run(stage, 60);
  assertNear(crane.x, 4, { within: 0.01 });
  assertNear(crane.y, 6, { within: 0.01 });
  assertNear(crane.angle, -2, { within: 0.01 });
  assertNear(tow.angle, 0, { within: 0.01 });
  joints.setStrength(tow, { torqueMax: 0 });
  stage.setSpin(crane, 3);
  run(stage, 5);
  assertNear(crane.spin, 3, { within: 1e-3 });
});

Deno.test("joints: a friction joint stops sliding and turning at an even rate (SPEC 9.23)", () => {
  const stage = workshop();
  const { joints } = stage;
  const puck = stage.spawn(FLOATER, { x: 0, y: 5, vx: 1.2, vy: 1.6, spin: -1 });
  const brake = joints.add(BRAKE, stage.ground, puck, { x: 0, y: 5 });
  run(stage, 10);
  assertNear(Math.hypot(puck.vx, puck.vy), 1, { within: 0.02 });
  assertNear(puck.spin, -0.5, { within: 0.02 });
  assertNear(brake.force, Math.PI / 2, { within: 1e-3 });
  run(stage, 15);
  assertNear(Math.hypot(puck.vx, puck.vy), 0, { within: 1e-3 });
  assertNear(Math.hypot(puck.x, puck.y - 5), 1, { within: 0.05 });
});

Deno.test("joints: a pulley lets one side sink as far as the other rises, by its ratio, and is a winch (SPEC 9.23)", () => {
  const stage = workshop();
  const { joints } = stage;
  const a = stage.spawn(WEIGHT, { x: -2, y: 5 });
  const b = stage.spawn(WEIGHT, { x: 2, y: 5 });
  const ends = { x: -2, y: 5, bx: 2, by: 5, groundA: { x: -2, y: 10 }, groundB: { x: 2, y: 9 } };
  const hoist = joints.add(HOIST, a, b, ends);
  assertEquals([hoist.length, hoist.ratio, hoist.groundA, hoist.groundB], [
    13,
    2,
    ends.groundA,
    ends.groundB,
  ]);
  run(stage, 10, () => assertNear(10 - a.y + 2 * (9 - b.y), 13, { within: 0.01 }));

  // With the tension T: a sinks with g − T, b with g − 2 T, and their sum weighted by the ratio is
  // 0. So T = 0.6 g.
  assertNear(a.vy, -0.5 * 4, { within: 0.05 });
  assertNear(b.vy, 0.5 * 2, { within: 0.05 });
  assertNear(hoist.force, 6, { within: 0.05 });
  joints.setLength(hoist, 12);
  run(stage, 3);
  assertNear(10 - a.y + 2 * (9 - b.y), 12, { within: 0.02 });
});

Deno.test("joints: limits that change hold at once, and are in the snapshot (SPEC 9.40)", () => {
  const stage = workshop();
  const { joints } = stage;
  const snapshot = new Snapshot();
  const after = new Snapshot();
  const door = stage.spawn(FLOATER, { x: 0, y: 5 });
  const slide = stage.spawn(FLOATER, { x: 5, y: 5 });
  const elbow = joints.add(ELBOW, stage.ground, door, { x: 0, y: 5 });
  const rail = joints.add(RAIL, stage.ground, slide, { x: 5, y: 5, axis: { x: 1, y: 0 } });
  stage.setVelocity(slide, 2, 0);
  run(stage, 40);
  assertNear(elbow.angle, 0.5, { within: 0.04 });
  assertNear(rail.translation, 3, { within: 0.02 });
  joints.setLimits(elbow, { upper: 1.25 });
  joints.setLimits(rail, { lower: -1, upper: -1 });
  assertEquals([elbow.lower, elbow.upper, rail.lower, rail.upper], [-0.5, 1.25, -1, -1]);
  stage.endTick();
  stage.save(snapshot);
  const twin = workshop();
  twin.load(snapshot);
  for (const each of [stage, twin]) run(each, 100);
  assertNear(elbow.angle, 1.25, { within: 0.04 });
  assert(rail.translation < 0.01, `driven out of its range it came back to ${rail.translation}`);
  stage.save(snapshot);
  twin.save(after);
  assert(after.equals(snapshot));
});

Deno.test("joints: a number that changes wakes both entities, and one that stays does not (SPEC 9.40)", () => {
  const stage = workshop();
  const { joints } = stage;
  const block = stage.spawn(BLOCK, { x: 0, y: 0.4 });
  const at = { x: 0, y: 0.4 };
  const elbow = joints.add(ELBOW, stage.ground, block, at);
  const strut = joints.add(STRUT, stage.ground, block, { ...at, ...AXIS });
  const tow = joints.add(TOW, stage.ground, block, at);
  const brake = joints.add(BRAKE, stage.ground, block, at);
  joints.setMotor(elbow, { on: false });
  joints.setMotor(strut, { on: false });
  const changes: [change: () => void, same: () => void][] = [
    [
      () => joints.setLimits(elbow, { lower: -0.25 }),
      () => joints.setLimits(elbow, { lower: -0.25 }),
    ],
    [
      () => joints.setMotor(elbow, { torqueMax: 7 }),
      () => joints.setMotor(elbow, { torqueMax: 7 }),
    ],
    [
      () => joints.setSpring(strut, { dampingRatio: 1 }),
      () => joints.setSpring(strut, { frequencyHz: 4 }),
    ],
    [
      () => joints.setStrength(brake, { forceMax: 3 }),
      () => joints.setStrength(brake, { forceMax: 3 }),
    ],
    [() => joints.setOffset(tow, { x: 0.001 }), () => joints.setOffset(tow, {})],
  ];

  for (const [change, same] of changes) {
    run(stage, 40);
    assert(!block.awake, `${change}`);
    change();
    assert(block.awake, `${change}`);
    run(stage, 40);
    same();
    assert(!block.awake, `${same}`);
  }
});

Deno.test("joints: setters of numbers refuse what is not there, not changeable, or out of bounds (SPEC 9.40)", () => {
  const stage = workshop();
  const { joints, ground } = stage;
  const block = stage.spawn(BLOCK, { x: 0, y: 5 });
  const at = { x: 0, y: 5 };
  const door = joints.add(DOOR, ground, block, at);
  const elbow = joints.add(ELBOW, ground, block, at);
  const drag = joints.add(DRAG, ground, block, at);
  const tow = joints.add(TOW, ground, block, at);
  const spring = joints.add(SPRING, ground, block, { ...at, bx: 1, by: 5 });
  const strut = joints.add(STRUT, ground, block, { ...at, ...AXIS });
  const hinge = joints.add(HINGE, ground, block, at);
  const cases: [() => void, string][] = [
    [
      () => joints.setLimits(door, { lower: 0 }),
      "door has no lower that may change: it is not changeable",
    ],
    [
      () => joints.setMotor(door, { torqueMax: 0 }),
      "door has no torqueMax that may change: it is not changeable",
    ],
    [
      () => joints.setSpring(spring, { frequencyHz: 1 }),
      "spring has no frequencyHz that may change",
    ],
    [() => joints.setLimits(hinge, { lower: 0 }), "hinge has no limits"],
    [() => joints.setLimits(strut, { lower: 0 }), "strut has no limits"],
    [
      () => joints.setLimits(elbow, { lower: 0.75 }),
      "elbow: lower is 0.75, more than upper, which is 0.5",
    ],
    [
      () => joints.setLimits(elbow, { upper: NaN }),
      "elbow: upper is NaN; -1024 to 1024 are allowed",
    ],
    [() => joints.setLimits(elbow, { lower: -0.1, upper: 2000 }), "elbow: upper is 2000"],
    [() => joints.setMotor(elbow, { forceMax: 1 }), "elbow has no forceMax"],
    [
      () => joints.setMotor(elbow, { speed: 3, torqueMax: -1 }),
      "elbow: torqueMax is -1; 0 to 1000000000",
    ],
    [
      () => joints.setStrength(elbow, { torqueMax: 1 }),
      "elbow has a motor: setMotor() sets its strength",
    ],
    [() => joints.setSpring(elbow, { dampingRatio: 1 }), "elbow has no dampingRatio"],
    [() => joints.setSpring(strut, { frequencyHz: 0 }), "strut: frequencyHz is 0"],
    [() => joints.setSpring(strut, { frequencyHz: 20.1 }), "strut: frequencyHz is 20.1"],
    [
      () => joints.setSpring(strut, { dampingRatio: 11 }),
      "strut: dampingRatio is 11; 0 to 10 are allowed",
    ],
    [() => joints.setStrength(drag, { torqueMax: 1 }), "drag has no torqueMax"],
    [
      () => joints.setStrength(drag, { forceMax: "9" as unknown as number }),
      "drag: forceMax is 9; 0 to",
    ],
    [() => joints.setStrength(tow, { forceMax: Infinity }), "tow: forceMax is Infinity"],
    [() => joints.setTarget(tow, 0, 0), "tow has no target"],
    [() => joints.setTarget(drag, NaN, 0), "drag: x is NaN"],
    [() => joints.setTarget(drag, 0, 2e5), "drag: y is 200000"],
    [() => joints.setOffset(drag, { x: 0 }), "drag has no offset"],
    [() => joints.setOffset(tow, { x: 1, y: NaN }), "tow: y is NaN"],
    [() => joints.setOffset(tow, { angle: 1025 }), "tow: angle is 1025"],
    [() => joints.setLength(strut, 1), "strut has no length"],
  ];
  for (const [call, message] of cases) assertThrows(call, StageError, message);
  assertEquals([elbow.lower, elbow.upper, elbow.motorSpeed, elbow.motorMax], [-0.5, 0.5, 2, 100]);
  assertEquals([strut.frequencyHz, drag.ax, tow.ax, tow.forceMax], [4, 0, 0, 40]);
  const rope = joints.add(ROPE, ground, block, { ...at, bx: 1, by: 5 });
  assertEquals([rope.lower, rope.frequencyHz, rope.forceMax, rope.ratio, rope.joints], [
    0,
    0,
    0,
    0,
    undefined,
  ]);
});
