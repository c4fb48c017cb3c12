/** What follows from a body's row: its transform, and how fast its points move. */
import * as at from "./body_rows.ts";
import type { BodyRow } from "./body_rows.ts";
import { cosSinInto } from "./math.ts";
import type { PlanckTransform, Vector } from "../planck/planck.ts";

const { CENTER_X, CENTER_Y, ANGLE, COS, SIN, ORIGIN_X, ORIGIN_Y, TURNED, LOCAL_CENTER_X, LOCAL_CENTER_Y } = at;
const { VX, VY, SPIN } = at;

/** Brings a body's transform to its place. */
export function transformBody({ numbers, row }: BodyRow): void {
  cosSinInto(numbers, row + ANGLE, row + COS);
  placeOrigin(numbers, row);
}

/** The same while an island is solved, when the angle mostly is as it was: many bodies never turn. */
export function transformRow(numbers: Float64Array, row: number): void {
  const angle = numbers[row + ANGLE]!;
  if (angle !== numbers[row + TURNED]!) {
    cosSinInto(numbers, row + ANGLE, row + COS);
    numbers[row + TURNED] = angle;
  }
  placeOrigin(numbers, row);
}

function placeOrigin(numbers: Float64Array, row: number): void {
  const c = numbers[row + COS]!, s = numbers[row + SIN]!;
  const x = numbers[row + LOCAL_CENTER_X]!, y = numbers[row + LOCAL_CENTER_Y]!;
  numbers[row + ORIGIN_X] = numbers[row + CENTER_X]! - (c * x - s * y);
  numbers[row + ORIGIN_Y] = numbers[row + CENTER_Y]! - (s * x + c * y);
}

/** For `setTransform`. */
export function newTransform(): PlanckTransform {
  return { p: { x: 0.5, y: 0.5 }, q: { s: 0.5, c: 0.5 } };
}

/** Copies a body's transform, until it moves: planck's functions are faster on objects of its own than on windows onto a row. */
export function setTransform({ p, q }: PlanckTransform, { numbers, row }: BodyRow): void {
  p.x = numbers[row + ORIGIN_X]!;
  p.y = numbers[row + ORIGIN_Y]!;
  q.s = numbers[row + SIN]!;
  q.c = numbers[row + COS]!;
}

/** v + w x r: how fast the body moves at a point in the world, m/s, along x. */
export function velocityX({ numbers, row }: BodyRow, point: Vector): number {
  return numbers[row + VX]! - numbers[row + SPIN]! * (point.y - numbers[row + CENTER_Y]!);
}

/** The same along y. */
export function velocityY({ numbers, row }: BodyRow, point: Vector): number {
  return numbers[row + VY]! + numbers[row + SPIN]! * (point.x - numbers[row + CENTER_X]!);
}
