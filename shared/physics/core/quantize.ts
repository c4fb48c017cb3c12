/**
 * Rounds a body's numbers to the 32 bits that a snapshot holds. Adding 0 turns −0 into 0, so that
 * no later sum depends on the sign of a zero.
 */
import { Body } from "./body_rows.ts";
import { updateTransform } from "./body_transform.ts";

/**
 * Rounds the pose and updates the transform.
 * @param b offset of the body's row in `values`
 * @returns whether the pose has changed
 */
export function quantizePose(values: Float64Array, b: number): boolean {
  const centerX = values[b + Body.CENTER_X]!;
  const centerY = values[b + Body.CENTER_Y]!;
  const rawAngle = values[b + Body.ANGLE]!;
  const x = Math.fround(centerX) + 0;
  const y = Math.fround(centerY) + 0;
  const angle = Math.fround(rawAngle) + 0;
  if (x === centerX && y === centerY && angle === rawAngle) return false;
  values[b + Body.CENTER_X] = x;
  values[b + Body.CENTER_Y] = y;
  values[b + Body.ANGLE] = angle;
  updateTransform(values, b);
  return true;
}

/** Rounds velocity, spin and sleep time. */
export function quantizeMotion(values: Float64Array, b: number): void {
  values[b + Body.VX] = Math.fround(values[b + Body.VX]!) + 0;
  values[b + Body.VY] = Math.fround(values[b + Body.VY]!) + 0;
  values[b + Body.SPIN] = Math.fround(values[b + Body.SPIN]!) + 0;
  values[b + Body.SLEEP_S] = Math.fround(values[b + Body.SLEEP_S]!);
}
