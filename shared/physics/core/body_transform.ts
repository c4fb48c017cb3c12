/** Values that follow from a body's row: its transform, and the velocity of its points. */
import * as bodyLayout from "./body_rows.ts";
import type { BodyRow } from "./body_rows.ts";
import { cosSinInto } from "./math.ts";
import type { PlanckTransform, Vector } from "../planck/planck.ts";

const { CENTER_X, CENTER_Y, ANGLE, COS, SIN, ORIGIN_X, ORIGIN_Y, TRANSFORM_ANGLE, LOCAL_CENTER_X, LOCAL_CENTER_Y } =
  bodyLayout;
const { VX, VY, SPIN } = bodyLayout;

/** Computes the transform from centre and angle. */
export function updateTransform({ values, offset }: BodyRow): void {
  cosSinInto(values, offset + ANGLE, offset + COS);
  updateOrigin(values, offset);
}

/** The same while an island is solved. It skips sine and cosine if the angle is unchanged: many bodies never turn. */
export function updateTransformAt(values: Float64Array, offset: number): void {
  const angle = values[offset + ANGLE]!;
  if (angle !== values[offset + TRANSFORM_ANGLE]!) {
    cosSinInto(values, offset + ANGLE, offset + COS);
    values[offset + TRANSFORM_ANGLE] = angle;
  }
  updateOrigin(values, offset);
}

function updateOrigin(values: Float64Array, offset: number): void {
  const c = values[offset + COS]!, s = values[offset + SIN]!;
  const x = values[offset + LOCAL_CENTER_X]!, y = values[offset + LOCAL_CENTER_Y]!;
  values[offset + ORIGIN_X] = values[offset + CENTER_X]! - (c * x - s * y);
  values[offset + ORIGIN_Y] = values[offset + CENTER_Y]! - (s * x + c * y);
}

/** @returns a transform for `copyTransform` to fill */
export function newTransform(): PlanckTransform {
  return { p: { x: 0.5, y: 0.5 }, q: { s: 0.5, c: 0.5 } };
}

/** Copies a body's transform. planck's functions run faster on plain objects than on accessors onto a row. */
export function copyTransform({ p, q }: PlanckTransform, { values, offset }: BodyRow): void {
  p.x = values[offset + ORIGIN_X]!;
  p.y = values[offset + ORIGIN_Y]!;
  q.s = values[offset + SIN]!;
  q.c = values[offset + COS]!;
}

/** @returns the x component of v + w × r, the body's velocity at a point in the world, m/s */
export function velocityX({ values, offset }: BodyRow, point: Vector): number {
  return values[offset + VX]! - values[offset + SPIN]! * (point.y - values[offset + CENTER_Y]!);
}

/** @returns the y component of it, m/s */
export function velocityY({ values, offset }: BodyRow, point: Vector): number {
  return values[offset + VY]! + values[offset + SPIN]! * (point.x - values[offset + CENTER_X]!);
}
