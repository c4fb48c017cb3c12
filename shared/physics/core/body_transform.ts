/** Values that follow from a body's row: its transform, and the velocity of its points. */
import { Body } from "./body_rows.ts";
import { cosSinInto } from "./math.ts";

/** A point or a vector, metres. */
export interface Vector {
  x: number;
  y: number;
}

/** Computes the transform from centre and angle. @param b offset of the body's row in `values` */
export function updateTransform(values: Float64Array, b: number): void {
  cosSinInto(values, b + Body.ANGLE, b + Body.COS);
  updateOrigin(values, b);
}

/**
 * The same while an island is solved. It skips sine and cosine if the angle is unchanged: many
 * bodies never turn.
 */
export function updateTransformAt(values: Float64Array, b: number): void {
  const angle = values[b + Body.ANGLE]!;
  if (angle !== values[b + Body.TRANSFORM_ANGLE]!) {
    cosSinInto(values, b + Body.ANGLE, b + Body.COS);
    values[b + Body.TRANSFORM_ANGLE] = angle;
  }
  updateOrigin(values, b);
}

function updateOrigin(values: Float64Array, b: number): void {
  const c = values[b + Body.COS]!;
  const s = values[b + Body.SIN]!;
  const x = values[b + Body.LOCAL_CENTER_X]!;
  const y = values[b + Body.LOCAL_CENTER_Y]!;
  values[b + Body.ORIGIN_X] = values[b + Body.CENTER_X]! - (c * x - s * y);
  values[b + Body.ORIGIN_Y] = values[b + Body.CENTER_Y]! - (s * x + c * y);
}

/**
 * Whether a body does not move from the start of its sweep to the end of the world step.
 * @param b as above
 */
export function isStill(values: Float64Array, b: number): boolean {
  return values[b + Body.CENTER_X] === values[b + Body.CENTER_X0] &&
    values[b + Body.CENTER_Y] === values[b + Body.CENTER_Y0] &&
    values[b + Body.ANGLE] === values[b + Body.ANGLE0];
}

/** @returns the x component of v + w × r, the body's velocity at a point in the world, m/s */
export function velocityX(values: Float64Array, b: number, point: Vector): number {
  return values[b + Body.VX]! - values[b + Body.SPIN]! * (point.y - values[b + Body.CENTER_Y]!);
}

/** @returns the y component of it, m/s */
export function velocityY(values: Float64Array, b: number, point: Vector): number {
  return values[b + Body.VY]! + values[b + Body.SPIN]! * (point.x - values[b + Body.CENTER_X]!);
}
