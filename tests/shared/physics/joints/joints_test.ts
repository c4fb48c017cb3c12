/** Joints on the stage: the purpose of each type, and how they are added, removed and broken. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { type Entity, type Joint, Stage } from "../../../../shared/physics/stage/stage.ts";
import { StageError } from "../../../../shared/physics/core/types.ts";
import {
  BLOCK,
  DOOR,
  FLOATER,
  GLUE,
  HINGE,
  LIFT,
  ROD,
  ROPE,
  run,
  runReading,
  SPRING,
  THREAD,
  TURNTABLE,
  WEIGHT,
  WELD,
  WHEEL,
  WORKSHOP,
  workshop,
} from "../scenes/workshop.ts";

function assertNear(actual: number, expected: number, { within }: { within: number }): void {
  assert(Math.abs(actual - expected) <= within, `${actual} is not ${expected} within ${within}`);
}

/** The distance of the anchors, metres. */
function stretch({ ax, ay, bx, by }: Joint): number {
  return Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2);
}

Deno.test("joints: a pendulum on a rod keeps its length, swings from side to side, and its force is its weight at rest", () => {
  const stage = workshop();
  const bob = stage.spawn(BLOCK, { x: 3, y: 10 });
  const rod = stage.joints.add(ROD, stage.ground, bob, { x: 0, y: 10, bx: 3, by: 10 });
  assertEquals([rod.length, rod.a, rod.b], [3, stage.ground, bob]);
  let left = 0;
  let forceMax = 0;
  run(stage, 100, () => {
    assertNear(stretch(rod), 3, { within: 0.01 });
    left = Math.min(left, bob.x);
    forceMax = Math.max(forceMax, rod.force);
  });
  assert(left < -2.5, `it swung to ${left}`);

  // A pendulum that starts horizontally has a tension of three times its weight at the lowest
  // point.
  assertNear(forceMax, 3 * 0.64 * 10, { within: 1.5 });
  const weight = stage.spawn(WEIGHT, { x: 20, y: 5 });
  const still = stage.joints.add(ROD, stage.ground, weight, { x: 20, y: 8, bx: 20, by: 5 });
  run(stage, 40);
  assertNear(still.force, 10, { within: 0.01 });
});

Deno.test("joints: limits hold a hinge, a motor drives against them, and both can be switched", () => {
  const stage = workshop();
  const { joints } = stage;
  const door = stage.spawn(FLOATER, { x: 0, y: 5 });
  const hinge = joints.add(DOOR, stage.ground, door, { x: 0, y: 5 });
  assert(hinge.isMotorEnabled && hinge.isLimitEnabled);
  assertEquals(hinge.motorSpeed, 2);
  run(stage, 4);
  assertNear(door.spin, 2, { within: 1e-3 });
  run(stage, 20);
  assertNear(hinge.angle, 0.75, { within: 0.04 });
  assertNear(hinge.torque, 0, { within: 1 }); // motor and limit oppose each other
  joints.setMotor(hinge, { speed: -2 });
  run(stage, 40);
  assertNear(hinge.angle, -0.5, { within: 0.04 });
  joints.setLimits(hinge, { on: false });
  assert(!hinge.isLimitEnabled);
  run(stage, 60);
  assert(hinge.angle < -4, `free of its limits it turned to ${hinge.angle}`);
  joints.setMotor(hinge, { on: false });
  assert(!hinge.isMotorEnabled);
  stage.setSpin(door, 0);
  stage.setVelocity(door, 0, 0);
  run(stage, 4);
  assertNear(door.spin, 0, { within: 1e-6 });
});

Deno.test("joints: a lift rises at its motor's speed along its axis, carries, and stops at its limit", () => {
  const stage = workshop();
  const cabin = stage.spawn(BLOCK, { x: 0, y: 5 });
  const load = stage.spawn(WEIGHT, { x: 0, y: 5.9 });
  const lift = stage.joints.add(LIFT, stage.ground, cabin, { x: 0, y: 5, axis: { x: 0, y: 7 } });
  run(stage, 20);
  assertNear(lift.translation, 1, { within: 0.02 });
  assertNear(lift.force, 16.4, { within: 0.2 });
  run(stage, 40);
  assertNear(lift.translation, 2, { within: 0.02 });
  assertNear(cabin.y, 7, { within: 0.02 });
  assertNear(load.y, 7.9, { within: 0.05 });
  assertEquals([lift.length, Math.abs(cabin.angle) < 1e-3], [0, true]);
});

Deno.test("joints: a motor turns a wheel, and rolls it along the ground", () => {
  const stage = workshop();
  const cart = stage.spawn(WEIGHT, { x: 0, y: 2 });
  const wheel = stage.spawn(FLOATER, { x: 0, y: 0.6 });
  stage.joints.add(WHEEL, cart, wheel, { x: 0, y: 0.6 });
  run(stage, 60);
  assertNear(wheel.spin, 6, { within: 0.1 });
  assert(cart.x < -5, `it rolled to ${cart.x}`);
});

Deno.test("joints: a rope does nothing while slack, and holds when taut", () => {
  const stage = workshop();
  const bob = stage.spawn(BLOCK, { x: 0, y: 10 });
  const rope = stage.joints.add(ROPE, stage.ground, bob, { x: 0, y: 10, bx: 0, by: 10, length: 3 });
  run(stage, 10);
  assertEquals(rope.force, 0);
  assertNear(bob.vy, -5, { within: 1e-3 });
  run(stage, 60);
  assertNear(stretch(rope), 3, { within: 0.01 });
  assertNear(rope.force, 6.4, { within: 0.01 });
  stage.joints.setLength(rope, 2);
  run(stage, 60);
  assertNear(bob.y, 8, { within: 0.01 });
  assertEquals(rope.length, 2);
});

Deno.test("joints: a spring swings at its declared frequency", () => {
  const stage = workshop();
  const bob = stage.spawn(FLOATER, { x: 1.5, y: 5 });
  const spring = stage.joints.add(SPRING, stage.ground, bob, {
    x: 0,
    y: 5,
    bx: 1.5,
    by: 5,
    length: 1,
  });
  const crossings: number[] = [];
  let before = 0.5;
  run(stage, 60, () => {
    const now = stretch(spring) - 1;
    if (before > 0 !== now > 0) crossings.push(stage.tick);
    before = now;
  });

  // Half a period of 0.5 s is 5 ticks. The implicit integration damps and slows the spring a
  // little.
  const halfPeriod = (crossings.at(-1)! - crossings[0]!) / (crossings.length - 1);
  assert(crossings.length >= 6, `${crossings}`);
  assertNear(halfPeriod, 5, { within: 0.6 });
});

Deno.test("joints: welded bodies are one piece until the force exceeds breakForce; the break is reported once (SPEC 9.21)", () => {
  const stage = workshop();
  const { joints } = stage;
  const left = stage.spawn(FLOATER, { x: 0, y: 5 });
  const right = stage.spawn(FLOATER, { x: 1.5, y: 5 });
  const weld = joints.add(WELD, left, right, { x: 0.75, y: 5 });
  stage.setVelocity(left, 0, 2);
  run(stage, 40);
  assertNear(right.angle, left.angle, { within: 0.01 });
  assertNear(Math.sqrt((right.x - left.x) ** 2 + (right.y - left.y) ** 2), 1.5, { within: 0.01 });
  assertNear(weld.angle, 0, { within: 0.01 });

  const held = stage.spawn(WEIGHT, { x: 20, y: 5 });
  const load = stage.spawn(WEIGHT, { x: 20, y: 9 });
  const glue = joints.add(GLUE, stage.ground, held, { x: 20, y: 5, fields: { ageTicks: 7 } });
  runReading(stage, 5, () => assertEquals(joints.broken, []));
  assertNear(glue.force, 10, { within: 0.5 });
  let breaks = 0;
  runReading(stage, 30, () => {
    if (joints.broken.length === 0) return;
    breaks++;
    assertEquals(joints.broken.map(({ joint }) => joint), [glue]);
    assert(joints.broken[0]!.force > 20);
    assertEquals([joints.get(glue.id), joints.all(GLUE).length, glue.fields.ageTicks], [
      undefined,
      0,
      7,
    ]);
  });
  assertEquals(breaks, 1);
  assert(load.y > held.y && held.y < 3, "it fell");
  assertThrows(() => joints.remove(glue), StageError, `joint ${glue.id} glue is not on this stage`);
});

Deno.test("joints: a jolt in any world step breaks joints; they are listed ascending, in that tick alone (SPEC 9.21)", () => {
  const stage = workshop();
  const snapshot = new Snapshot();
  const threads = [0, 5].map((x) => {
    const bob = stage.spawn(WEIGHT, { x, y: 10, vy: -10 });
    return stage.joints.add(THREAD, stage.ground, bob, { x, y: 13, bx: x, by: 10, length: 3 });
  });
  stage.endTick();
  stage.save(snapshot);

  // The first world step of 25 ms stops 1 kg at 10 m/s and carries its weight: 400 N + 10 N. The
  // second one only carries it.
  runReading(stage, 1, () => {
    const broken = stage.joints.broken.map(({ joint, force }) => [joint, Math.round(force)]);
    assertEquals(broken, threads.map((thread) => [thread, 410]));
  });
  runReading(stage, 1, () => assertEquals(stage.joints.broken, []));
  stage.load(snapshot);
  runReading(
    stage,
    1,
    () =>
      assertEquals(stage.joints.broken.map(({ joint }) => joint.id), threads.map(({ id }) => id)),
  );
  stage.load(snapshot);
  assertEquals(stage.joints.count, 2);
});

Deno.test("joints: adding, changing and removing a joint wakes its entities", () => {
  const stage = workshop();
  const { joints } = stage;
  const low = stage.spawn(BLOCK, { x: 0, y: 0.4 });
  const high = stage.spawn(BLOCK, { x: 3, y: 0.4 });
  const sleep = (): void => {
    run(stage, 40);
    assert(!low.awake && !high.awake);
  };
  const isAwake = (): boolean => low.awake && high.awake;
  sleep();
  const rope = joints.add(ROPE, low, high, { x: 0, y: 0.4, bx: 3, by: 0.4 });
  assert(isAwake());
  sleep();
  joints.setLength(rope, 3);
  assert(!low.awake, "nothing changed");
  joints.setLength(rope, 2.9);
  assert(isAwake());
  sleep();
  joints.remove(rope);
  assert(isAwake());
  const wheel = joints.add(WHEEL, low, high, { x: 0, y: 0.4 });
  joints.setMotor(wheel, { on: false });
  sleep();
  joints.setMotor(wheel, { speed: 1 });
  assert(isAwake());
});

Deno.test("joints: despawn removes the entity's joints, and the bodies that hung on them fall (SPEC 9.21)", () => {
  const stage = workshop();
  const { joints } = stage;
  const top = stage.spawn(BLOCK, { x: 0, y: 9 });
  const bottom = stage.spawn(BLOCK, { x: 0, y: 7 });
  const first = joints.add(HINGE, stage.ground, top, { x: 0, y: 10 });
  const second = joints.add(ROD, top, bottom, { x: 0, y: 9, bx: 0, by: 7 });
  const third = joints.add(HINGE, stage.ground, bottom, { x: 0, y: 7 });
  assertEquals(joints.of(top), [first, second]);
  assertEquals(joints.of(stage.ground), [first, third]);
  stage.despawn(top);
  assertEquals([joints.count, joints.get(first.id), joints.get(second.id)], [
    1,
    undefined,
    undefined,
  ]);
  assertEquals(joints.of(stage.ground), [third]);
  joints.remove(third);
  run(stage, 20);
  assert(bottom.y < 4);
});

Deno.test("joints: a teleport, also of a path, removes the entity's joints (SPEC 9.21)", () => {
  const stage = workshop();
  const { joints } = stage;
  const block = stage.spawn(BLOCK, { x: 0, y: 9 });
  const floater = stage.spawn(FLOATER, { x: 2, y: 9 });
  const lift = joints.add(LIFT, block, floater, { x: 1, y: 9, axis: { x: 0, y: 1 } });
  stage.teleport(block, 0, 1);
  assertEquals([joints.get(lift.id), joints.count], [undefined, 0]);
  const table = stage.spawn(TURNTABLE, { fields: { startMrad: 0 } });
  const rider = stage.spawn(FLOATER, { x: 2, y: 25 });
  joints.add(WELD, table, rider, { x: 0, y: 25 });
  run(stage, 5);
  assertEquals(joints.count, 1);
  table.fields.x = 5; // more than 2 m per world step
  const { teleports } = table;
  run(stage, 1);
  assertEquals([joints.count, table.teleports], [0, teleports + 1]);
  run(stage, 40);
  assert(
    Math.abs(rider.x) < 30 && Math.abs(floater.x - 2) < 0.01,
    "both go on as if nothing had held them",
  );
});

Deno.test("joints: ids share one counter with entities; endTick checks and rounds fields", () => {
  const stage = workshop();
  const { joints } = stage;
  const block = stage.spawn(BLOCK, { x: 0, y: 5 });
  const hinge = joints.add(HINGE, stage.ground, block, { x: 0, y: 5, fields: { strain: 0.1 } });
  const next = stage.spawn(BLOCK, { x: 3, y: 5 });
  assertEquals([block.id, hinge.id, next.id], [1, 2, 3]);
  assertEquals([stage.get(2), joints.get(1), joints.get(2)], [undefined, undefined, hinge]);
  hinge.fields.strain = 0.2;
  run(stage, 1);
  assertEquals(hinge.fields.strain, Math.fround(0.2));
  hinge.fields.ageTicks = 256;
  run(stage, 1);
  assertEquals(hinge.fields.ageTicks, 255);
  hinge.fields.ageTicks = 0.5;
  assertThrows(() => run(stage, 1), StageError, "joint 2 hinge.ageTicks is 0.5");
});

Deno.test("joints: joined bodies do not touch unless the definition allows it; after the removal they do again (SPEC 9.22)", () => {
  const stage = new Stage({ ...WORKSHOP, substeps: 1 });
  const { joints } = stage;
  const a = stage.spawn(FLOATER, { x: 0, y: 5 });
  const b = stage.spawn(FLOATER, { x: 0.9, y: 5 });
  run(stage, 1);
  assertEquals(stage.touchingNow(a).map(({ id }) => id), [b.id]);
  const rod = joints.add(ROD, a, b, { x: 0, y: 5, bx: 0.9, by: 5 });
  assertEquals(stage.touchingNow(a).map(({ id }) => id), [], "at once");
  run(stage, 5);
  assertEquals(stage.touchingNow(a).map(({ id }) => id), []);
  const rope = joints.add(ROPE, a, b, { x: 0, y: 5, bx: 0.9, by: 5, length: 3 });
  run(stage, 1);
  assertEquals(stage.touchingNow(a).map(({ id }) => id), [], "one that forbids is enough");
  joints.remove(rod);
  stage.advance();
  assertEquals(stage.touchingNow(a).map(({ id }) => id), [b.id], "in the very next step");
  stage.endTick();
  joints.remove(rope);
  run(stage, 10);
  assert(b.x - a.x > 0.99, "they pushed each other apart");
});

Deno.test("load: replaces a live joint that has the id but another definition or other entities; its handle is dead (SPEC 9.15)", () => {
  const stage = workshop();
  const before = new Snapshot();
  const wanted = new Snapshot();
  const after = new Snapshot();
  const anchor = stage.spawn(FLOATER, { x: 5, y: 8 });
  stage.endTick();
  stage.save(before);
  const build = (
    archetype: typeof BLOCK | typeof WEIGHT,
    kind: typeof ROD | typeof ROPE,
    from: Entity,
  ): Joint => {
    stage.load(before);
    const body = stage.spawn(archetype, { x: 0, y: 8 });
    const joint = stage.joints.add(kind, from, body, { x: from.x, y: 10, bx: 0, by: 8 });
    run(stage, 3);
    return joint;
  };
  const here = build(BLOCK, ROD, stage.ground);
  stage.save(wanted);
  run(stage, 5);
  stage.save(after);
  const others = [[WEIGHT, ROD, stage.ground], [BLOCK, ROPE, stage.ground], [
    BLOCK,
    ROD,
    anchor,
  ]] as const;

  for (const [archetype, kind, from] of others) {
    const other = build(archetype, kind, from);
    const again = new Snapshot();
    assertEquals(other.id, here.id);
    stage.load(wanted);
    const [joint] = stage.joints.of(stage.ground);
    assert(joint !== other && joint!.definition === ROD && joint!.b === stage.get(2));
    assertThrows(() => stage.joints.setLength(other, 1), StageError, "is not on this stage");
    run(stage, 5);
    stage.save(again);
    assert(again.equals(after), `${archetype.name} ${kind.name}`);
  }

  const same = build(BLOCK, ROD, stage.ground);
  stage.joints.setLength(same, 1);
  stage.load(wanted);
  assertEquals(
    [stage.joints.get(same.id), same.length > 1.9],
    [same, true],
    "the same joint on the same two lives on",
  );
});

Deno.test("joints: a load that drops a joint restores the contact with the ground that it prevented (SPEC 9.22)", () => {
  for (const groundFirst of [true, false]) {
    const stage = workshop();
    const before = new Snapshot();
    const after = new Snapshot();
    const { ground } = stage;
    const block = stage.spawn(BLOCK, { x: 0, y: 0.4 });
    run(stage, 5);
    stage.save(before);
    assertEquals(stage.touchingNow(block).map(({ id }) => id), [0]);
    const [a, b] = groundFirst ? [ground, block] : [block, ground];
    stage.joints.add(HINGE, a, b, { x: 0, y: 0.4 });
    // Without physics: a body that moves would find the contact anyway.
    stage.endTick();
    assertEquals(stage.touchingNow(block).map(({ id }) => id), []);
    stage.load(before);
    assertEquals(stage.touchingNow(block).map(({ id }) => id), [0]);
    stage.save(after);
    assert(after.equals(before));
  }
});
