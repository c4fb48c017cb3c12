/**
 * A body's numbers rounded to the 32 bits that a snapshot holds. Adding 0 makes a -0 a 0, so that no sum later depends on the
 * sign of nothing.
 */
import * as at from "./body_rows.ts";
import { transformBody } from "./body_transform.ts";
import type { PlanckBody } from "../planck/planck.ts";

const { CENTER_X, CENTER_Y, ANGLE, VX, VY, SPIN, SLEEP_S } = at;

/** Rounds place and angle, and brings the transform there. @returns whether they were not round before */
export function roundPose(body: PlanckBody): boolean {
  const { numbers, row } = body, centerX = numbers[row + CENTER_X]!, centerY = numbers[row + CENTER_Y]!;
  const turned = numbers[row + ANGLE]!;
  const x = Math.fround(centerX) + 0, y = Math.fround(centerY) + 0, angle = Math.fround(turned) + 0;
  if (x === centerX && y === centerY && angle === turned) return false;
  numbers[row + CENTER_X] = x;
  numbers[row + CENTER_Y] = y;
  numbers[row + ANGLE] = angle;
  transformBody(body);
  return true;
}

/** Rounds velocity, spin and how long it has rested. */
export function roundMotion({ numbers, row }: PlanckBody): void {
  numbers[row + VX] = Math.fround(numbers[row + VX]!) + 0;
  numbers[row + VY] = Math.fround(numbers[row + VY]!) + 0;
  numbers[row + SPIN] = Math.fround(numbers[row + SPIN]!) + 0;
  numbers[row + SLEEP_S] = Math.fround(numbers[row + SLEEP_S]!);
}
