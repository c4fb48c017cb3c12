/**
 * Joints of bodies that turn on and on. An angle loses whole turns beyond its bound, and that must
 * not strain a joint.
 */
import { assert, assertEquals } from "@std/assert";
import { FLOATER, PADDLE, run, TURNTABLE, WELD, WHEEL, workshop } from "../scenes/workshop.ts";

function assertNear(actual: number, expected: number, { within }: { within: number }): void {
  assert(Math.abs(actual - expected) <= within, `${actual} is not ${expected} within ${within}`);
}

Deno.test("joints: taking whole turns off a spinning body's angle does not strain its joints", () => {
  const stage = workshop();
  const { joints } = stage;
  const left = stage.spawn(FLOATER, { x: 0, y: 9, angle: 1000 });
  const right = stage.spawn(FLOATER, { x: 2, y: 9, angle: -1000 });
  const weld = joints.add(WELD, left, right, { x: 1, y: 9 });
  const hinge = joints.add(WHEEL, stage.ground, left, { x: 0, y: 9 });
  let wraps = 0;
  let angle = left.angle;
  run(stage, 400, () => {
    if (left.angle < angle - 3) wraps++;
    angle = left.angle;
    assertNear(weld.angle, 0, { within: 0.02 });
    assertNear(Math.sqrt((right.x - left.x) ** 2 + (right.y - left.y) ** 2), 2, { within: 0.05 });
  });
  assertEquals(wraps, 1);
  assertNear(hinge.angle, 6 * 20, { within: 10 });
});

Deno.test("joints: a body that limits hold to a turning path turns with it", () => {
  const stage = workshop();
  // The table turns by less than a quarter turn per world step, so it does not teleport. At 1,024
  // rad it loses whole turns.
  const table = stage.spawn(TURNTABLE, { fields: { startMrad: 1_015_000 } });
  const rider = stage.spawn(FLOATER, { x: 2, y: 25, angle: table.angle, vy: 8, spin: 4 });
  const paddle = stage.joints.add(PADDLE, table, rider, { x: 0, y: 25 });
  let wraps = 0;
  let angle = table.angle;
  run(stage, 60, () => {
    if (table.angle < angle - 3) wraps++;
    angle = table.angle;
    assertNear(paddle.angle, 0, { within: 0.3 });
    assertNear(rider.spin, 4, { within: 1 });
  });
  assertEquals(wraps, 1);
});
