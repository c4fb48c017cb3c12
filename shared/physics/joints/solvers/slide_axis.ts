/**
 * The axis that is fixed in a, along which b slides on a prismatic or a wheel joint:
 *
 *     d = cB + rB − cA − rA    perp = (−axis.y, axis.x)
 */
import { Body } from "../../core/body_rows.ts";
import { JointValue } from "../joint_rows.ts";
import { computeArms } from "../joint_form.ts";
import { solverScratch } from "../../dynamics/solver_scratch.ts";

/** Values of one world step: axis and d in the stage's frame. */
export const AXIS_X = JointValue.STEP_VALUES;
export const AXIS_Y = AXIS_X + 1;
export const D_X = AXIS_X + 2;
export const D_Y = AXIS_X + 3;
/** (d + rA) × axis, rB × axis, (d + rA) × perp, rB × perp. */
export const A1 = AXIS_X + 4;
export const A2 = AXIS_X + 5;
export const S1 = AXIS_X + 6;
export const S2 = AXIS_X + 7;
export const SLIDE_VALUES = 8;

/** Whether the lasting axis, which is in a's frame, is a unit vector. @param at index of its x */
export function isUnit(values: Float64Array, at: number): boolean {
  const x = values[at]!, y = values[at + 1]!;
  return Math.abs(x * x + y * y - 1) < 1e-6;
}

/**
 * Computes arms, axis, d and the four cross products from the present poses.
 * @param at as of `isUnit`
 */
export function computeSlide(
  values: Float64Array,
  j: number,
  at: number,
  a: number,
  b: number,
): void {
  const { bodies } = solverScratch;
  computeArms(values, j, bodies, a, b);
  const rAx = values[j + JointValue.R_AX]!;
  const rAy = values[j + JointValue.R_AY]!;
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;

  const dx = (bodies[b + Body.CENTER_X]! + rBx) - (bodies[a + Body.CENTER_X]! + rAx);
  const dy = (bodies[b + Body.CENTER_Y]! + rBy) - (bodies[a + Body.CENTER_Y]! + rAy);

  const cos = bodies[a + Body.COS]!;
  const sin = bodies[a + Body.SIN]!;
  const localX = values[at]!;
  const localY = values[at + 1]!;
  const axisX = cos * localX - sin * localY, axisY = sin * localX + cos * localY;

  // The perpendicular of the local axis is (−y, x). Rotated, it has the bits of (−axis.y, axis.x).
  const perpX = -axisY;
  const perpY = axisX;
  const sumX = dx + rAx;
  const sumY = dy + rAy;

  // In the order above. V8 reads an exported constant each time, and only the first of them is read
  // here.
  const first = j + AXIS_X;
  values[first] = axisX;
  values[first + 1] = axisY;
  values[first + 2] = dx;
  values[first + 3] = dy;
  values[first + 4] = sumX * axisY - sumY * axisX;
  values[first + 5] = rBx * axisY - rBy * axisX;
  values[first + 6] = sumX * perpY - sumY * perpX;
  values[first + 7] = rBx * perpY - rBy * perpX;
}
