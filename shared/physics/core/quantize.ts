/**
 * Rounds a body's numbers to the 32 bits that a snapshot holds. Adding 0 turns −0 into 0, so that no later sum depends
 * on the sign of a zero.
 */
import * as bodyLayout from "./body_rows.ts";
import { updateTransform } from "./body_transform.ts";
import type { PlanckBody } from "../planck/planck.ts";

const { CENTER_X, CENTER_Y, ANGLE, VX, VY, SPIN, SLEEP_S } = bodyLayout;

/** Rounds the pose and updates the transform. @returns whether the pose has changed */
export function quantizePose(body: PlanckBody): boolean {
  const { values, offset } = body, centerX = values[offset + CENTER_X]!, centerY = values[offset + CENTER_Y]!;
  const rawAngle = values[offset + ANGLE]!;
  const x = Math.fround(centerX) + 0, y = Math.fround(centerY) + 0, angle = Math.fround(rawAngle) + 0;
  if (x === centerX && y === centerY && angle === rawAngle) return false;
  values[offset + CENTER_X] = x;
  values[offset + CENTER_Y] = y;
  values[offset + ANGLE] = angle;
  updateTransform(body);
  return true;
}

/** Rounds velocity, spin and sleep time. */
export function quantizeMotion({ values, offset }: PlanckBody): void {
  values[offset + VX] = Math.fround(values[offset + VX]!) + 0;
  values[offset + VY] = Math.fround(values[offset + VY]!) + 0;
  values[offset + SPIN] = Math.fround(values[offset + SPIN]!) + 0;
  values[offset + SLEEP_S] = Math.fround(values[offset + SLEEP_S]!);
}
