/**
 * The line through both anchors, which distance and rope joints act along:
 *
 *     d = cB + rB − cA − rA    u = d / |d|    mass = 1 / (mA + mB + iA (rA×u)² + iB (rB×u)²)
 *
 * mA, mB, iA and iB are inverse masses and inertias.
 */
import { Body } from "../../core/body_rows.ts";
import { JointValue } from "../joint_rows.ts";
import { computeArms } from "../joint_form.ts";
import { solverScratch } from "../../dynamics/solver_scratch.ts";
import { updateTransformAt } from "../../core/body_transform.ts";

/**
 * Values of one world step: u, or d before it is scaled; |d|, metres; the impulse to apply along u,
 * N·s or kg·m.
 */
export const U_X = JointValue.STEP_VALUES;
export const U_Y = U_X + 1;
export const DISTANCE_NOW = U_X + 2;
export const CHANGE = U_X + 3;
/** 1 / mass, and mass: the first two values of a spring (`spring.ts`). */
export const INVERSE = U_X + 4;
export const MASS = U_X + 5;

/** Sets the arms, d in place of u, and |d|. */
export function measureAxis(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  computeArms(values, j, bodies, a, b);
  const x = (bodies[b + Body.CENTER_X]! + values[j + JointValue.R_BX]!) -
    (bodies[a + Body.CENTER_X]! + values[j + JointValue.R_AX]!);
  const y = (bodies[b + Body.CENTER_Y]! + values[j + JointValue.R_BY]!) -
    (bodies[a + Body.CENTER_Y]! + values[j + JointValue.R_AY]!);
  values[j + U_X] = x;
  values[j + U_Y] = y;
  values[j + DISTANCE_NOW] = Math.sqrt(x * x + y * y);
}

/** u := d / |d| */
export function scaleAxis(values: Float64Array, j: number): void {
  const scale = 1 / values[j + DISTANCE_NOW]!;
  values[j + U_X]! *= scale;
  values[j + U_Y]! *= scale;
}

/** Computes the mass along u. */
export function computeMass(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const x = values[j + U_X]!;
  const y = values[j + U_Y]!;
  const rUA = values[j + JointValue.R_AX]! * y - values[j + JointValue.R_AY]! * x;
  const rUB = values[j + JointValue.R_BX]! * y - values[j + JointValue.R_BY]! * x;
  const inverse = bodies[a + Body.INVERSE_MASS]! + bodies[a + Body.INVERSE_INERTIA]! * rUA * rUA +
    bodies[b + Body.INVERSE_MASS]! +
    bodies[b + Body.INVERSE_INERTIA]! * rUB * rUB;
  values[j + INVERSE] = inverse;
  values[j + MASS] = inverse !== 0 ? 1 / inverse : 0;
}

/** Changes the velocities by `CHANGE` along u. */
export function changeVelocities(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const change = values[j + CHANGE]!;
  const x = change * values[j + U_X]!, y = change * values[j + U_Y]!;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! -= mA * x;
  bodies[a + Body.VY]! -= mA * y;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_AX]! * y - values[j + JointValue.R_AY]! * x);
  bodies[b + Body.VX]! += mB * x;
  bodies[b + Body.VY]! += mB * y;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_BX]! * y - values[j + JointValue.R_BY]! * x);
}

/** Changes the poses by `CHANGE` along u. */
export function changePoses(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const change = values[j + CHANGE]!;
  const x = change * values[j + U_X]!, y = change * values[j + U_Y]!;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.CENTER_X]! -= mA * x;
  bodies[a + Body.CENTER_Y]! -= mA * y;
  bodies[a + Body.ANGLE]! -= bodies[a + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_AX]! * y - values[j + JointValue.R_AY]! * x);
  bodies[b + Body.CENTER_X]! += mB * x;
  bodies[b + Body.CENTER_Y]! += mB * y;
  bodies[b + Body.ANGLE]! += bodies[b + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_BX]! * y - values[j + JointValue.R_BY]! * x);
  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);
}
