/**
 * Rounds a body's numbers to the 32 bits that a snapshot holds. Adding 0 turns −0 into 0, so that
 * no later sum depends on the sign of a zero.
 */
import * as bodyLayout from "./body_rows.ts";
import { updateTransform } from "./body_transform.ts";

const { CENTER_X, CENTER_Y, ANGLE, VX, VY, SPIN, SLEEP_S } = bodyLayout;

/**
 * Rounds the pose and updates the transform.
 * @param b offset of the body's row in `values`
 * @returns whether the pose has changed
 */
export function quantizePose(values: Float64Array, b: number): boolean {
  const centerX = values[b + CENTER_X]!;
  const centerY = values[b + CENTER_Y]!;
  const rawAngle = values[b + ANGLE]!;
  const x = Math.fround(centerX) + 0;
  const y = Math.fround(centerY) + 0;
  const angle = Math.fround(rawAngle) + 0;
  if (x === centerX && y === centerY && angle === rawAngle) return false;
  values[b + CENTER_X] = x;
  values[b + CENTER_Y] = y;
  values[b + ANGLE] = angle;
  updateTransform(values, b);
  return true;
}

/** Rounds velocity, spin and sleep time. */
export function quantizeMotion(values: Float64Array, b: number): void {
  values[b + VX] = Math.fround(values[b + VX]!) + 0;
  values[b + VY] = Math.fround(values[b + VY]!) + 0;
  values[b + SPIN] = Math.fround(values[b + SPIN]!) + 0;
  values[b + SLEEP_S] = Math.fround(values[b + SLEEP_S]!);
}
