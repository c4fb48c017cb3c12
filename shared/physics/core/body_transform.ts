/** Values that follow from a body's row: its transform, and the velocity of its points. */
import * as bodyLayout from "./body_rows.ts";
import { cosSinInto } from "./math.ts";

const {
  CENTER_X,
  CENTER_Y,
  ANGLE,
  COS,
  SIN,
  ORIGIN_X,
  ORIGIN_Y,
  TRANSFORM_ANGLE,
  LOCAL_CENTER_X,
  LOCAL_CENTER_Y,
} = bodyLayout;
const { VX, VY, SPIN, CENTER_X0, CENTER_Y0, ANGLE0 } = bodyLayout;

/** A point or a vector, metres. */
export interface Vector {
  x: number;
  y: number;
}

/** Computes the transform from centre and angle. @param b offset of the body's row in `values` */
export function updateTransform(values: Float64Array, b: number): void {
  cosSinInto(values, b + ANGLE, b + COS);
  updateOrigin(values, b);
}

/**
 * The same while an island is solved. It skips sine and cosine if the angle is unchanged: many
 * bodies never turn.
 */
export function updateTransformAt(values: Float64Array, b: number): void {
  const angle = values[b + ANGLE]!;
  if (angle !== values[b + TRANSFORM_ANGLE]!) {
    cosSinInto(values, b + ANGLE, b + COS);
    values[b + TRANSFORM_ANGLE] = angle;
  }
  updateOrigin(values, b);
}

function updateOrigin(values: Float64Array, b: number): void {
  const c = values[b + COS]!;
  const s = values[b + SIN]!;
  const x = values[b + LOCAL_CENTER_X]!;
  const y = values[b + LOCAL_CENTER_Y]!;
  values[b + ORIGIN_X] = values[b + CENTER_X]! - (c * x - s * y);
  values[b + ORIGIN_Y] = values[b + CENTER_Y]! - (s * x + c * y);
}

/**
 * Whether a body does not move from the start of its sweep to the end of the world step.
 * @param b as above
 */
export function isStill(values: Float64Array, b: number): boolean {
  return values[b + CENTER_X] === values[b + CENTER_X0] &&
    values[b + CENTER_Y] === values[b + CENTER_Y0] &&
    values[b + ANGLE] === values[b + ANGLE0];
}

/** @returns the x component of v + w × r, the body's velocity at a point in the world, m/s */
export function velocityX(values: Float64Array, b: number, point: Vector): number {
  return values[b + VX]! - values[b + SPIN]! * (point.y - values[b + CENTER_Y]!);
}

/** @returns the y component of it, m/s */
export function velocityY(values: Float64Array, b: number, point: Vector): number {
  return values[b + VY]! + values[b + SPIN]! * (point.x - values[b + CENTER_X]!);
}
