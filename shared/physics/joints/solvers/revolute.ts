/**
 * The revolute joint: both bodies share the anchor and turn freely about it, unless a motor or
 * limits act. After Box2D's b2RevoluteJoint and in the operations of planck 1.5.0. Constraints,
 * with J K⁻¹ Jᵀ solved in one block:
 *
 *     C1 = cB + rB − cA − rA = 0 (two rows)        C2 = angleB − angleA − reference   (limits)
 *
 * Components of its impulse: x and y at the anchor, z against rotation at a limit.
 */
import * as bodyLayout from "../../core/body_rows.ts";
import * as jointLayout from "../joint_rows.ts";
import * as matrixLayout from "./symmetric_matrix.ts";
import * as solverLayout from "../../dynamics/solver_scratch.ts";
import * as tuning from "../../core/tuning.ts";
import {
  ANCHOR_MAXIMA,
  ANCHORS,
  computeArms,
  IMPULSE_MAX,
  IMPULSE_MAXIMA,
  IMPULSES,
  type JointForm,
  REFERENCE_MAX,
} from "../joint_form.ts";
import type { JointRows } from "../joint_rows.ts";
import { updateLimitSide } from "./limit_side.ts";
import { prepare22, prepare33, solve22, solve33, vector } from "./symmetric_matrix.ts";
import { SPIN_MAX } from "../../core/limits.ts";
import { solverScratch } from "../../dynamics/solver_scratch.ts";
import { updateTransformAt } from "../../core/body_transform.ts";

/** Local copies: V8 inlines a module's own constants but reads imported ones each time. */
const { VX, VY, SPIN, INVERSE_MASS, INVERSE_INERTIA, CENTER_X, CENTER_Y, ANGLE } = bodyLayout;
const { LOWER, UPPER, MOTOR_MAX, R_AX, R_AY, R_BX, R_BY, TYPE_VALUES, STEP_VALUES, JOINT_VALUES } =
  jointLayout;
const { JOINT_FLAGS, LIMIT_SIDE, JOINT_BODY_A, JOINT_BODY_B, JOINT_INTS, LIMIT_ON, MOTOR_ON } =
  jointLayout;
const { SIDE_FREE, SIDE_LOWER, SIDE_UPPER, SIDE_EQUAL } = jointLayout;
const { K11, K12, K13, K22, K23, K33, INVERSE_22, MATRIX_VALUES } = matrixLayout;
const { STEP_S } = solverLayout;
const { LINEAR_SLOP, ANGULAR_SLOP, MAX_ANGULAR_CORRECTION } = tuning;

/** Lasting values. */
export const REFERENCE = TYPE_VALUES;
const IMPULSE_X = 5;
const IMPULSE_Y = 6;
const IMPULSE_Z = 7;
const MOTOR_IMPULSE = 8;
const MOTOR_SPEED = 9;
/** Values of one world step: K, and the effective mass of the motor and of the limits. */
const K = STEP_VALUES;
const MOTOR_MASS = K + MATRIX_VALUES;

export const REVOLUTE: JointForm = {
  parts: ["limits", "motor"],
  driven: true,
  moves: "one",
  names: [...ANCHORS, "referenceAngle", ...IMPULSES, "motorImpulse", "motorSpeed"],
  maxima: [...ANCHOR_MAXIMA, REFERENCE_MAX, ...IMPULSE_MAXIMA, IMPULSE_MAX, SPIN_MAX],
  referenceAt: REFERENCE,
  motorSpeedAt: MOTOR_SPEED,
  limitImpulseAt: IMPULSE_Z,
  isSound: () => true,
  impulse(values, at) {
    const x = values[at + IMPULSE_X]!, y = values[at + IMPULSE_Y]!;
    return Math.sqrt(x * x + y * y);
  },
  twist: (values, at) => values[at + IMPULSE_Z]! + values[at + MOTOR_IMPULSE]!,
  prepare,
  solveVelocity,
  solvePosition,
};

function prepare(rows: JointRows, joint: number): void {
  const { values, ints } = rows;
  const { bodies } = solverScratch;
  const j = joint * JOINT_VALUES;
  const i = joint * JOINT_INTS;
  const a = ints[i + JOINT_BODY_A]!, b = ints[i + JOINT_BODY_B]!;

  computeArms(values, j, bodies, a, b);
  const rAx = values[j + R_AX]!;
  const rAy = values[j + R_AY]!;
  const rBx = values[j + R_BX]!;
  const rBy = values[j + R_BY]!;

  // K, with the row of the limit
  const mA = bodies[a + INVERSE_MASS]!, mB = bodies[b + INVERSE_MASS]!;
  const iA = bodies[a + INVERSE_INERTIA]!;
  const iB = bodies[b + INVERSE_INERTIA]!;
  const inertia = iA + iB;
  values[j + K + K11] = mA + mB + rAy * rAy * iA + rBy * rBy * iB;
  values[j + K + K12] = -rAy * rAx * iA - rBy * rBx * iB;
  values[j + K + K13] = -rAy * iA - rBy * iB;
  values[j + K + K22] = mA + mB + rAx * rAx * iA + rBx * rBx * iB;
  values[j + K + K23] = rAx * iA + rBx * iB;
  values[j + K + K33] = inertia;
  prepare22(values, j + K);

  // Motor and limit
  values[j + MOTOR_MASS] = inertia > 0 ? 1 / inertia : inertia;
  if ((ints[i + JOINT_FLAGS]! & MOTOR_ON) === 0 || inertia === 0) values[j + MOTOR_IMPULSE] = 0;
  if ((ints[i + JOINT_FLAGS]! & LIMIT_ON) === 0 || inertia === 0) ints[i + LIMIT_SIDE] = SIDE_FREE;
  else {
    const angle = bodies[b + ANGLE]! - bodies[a + ANGLE]! - values[j + REFERENCE]!;
    updateLimitSide(rows, joint, angle, ANGULAR_SLOP, IMPULSE_Z);
  }

  if (ints[i + LIMIT_SIDE] !== SIDE_FREE) prepare33(values, j + K);
  warmStart(values, j, a, b);
}

function warmStart(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const x = values[j + IMPULSE_X]!;
  const y = values[j + IMPULSE_Y]!;
  const z = values[j + IMPULSE_Z]!;
  const motor = values[j + MOTOR_IMPULSE]!;
  const mA = bodies[a + INVERSE_MASS]!, mB = bodies[b + INVERSE_MASS]!;
  bodies[a + VX]! -= mA * x;
  bodies[a + VY]! -= mA * y;
  bodies[a + SPIN]! -= bodies[a + INVERSE_INERTIA]! *
    (values[j + R_AX]! * y - values[j + R_AY]! * x + motor + z);
  bodies[b + VX]! += mB * x;
  bodies[b + VY]! += mB * y;
  bodies[b + SPIN]! += bodies[b + INVERSE_INERTIA]! *
    (values[j + R_BX]! * y - values[j + R_BY]! * x + motor + z);
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const j = joint * JOINT_VALUES;
  const i = joint * JOINT_INTS;
  const side = ints[i + LIMIT_SIDE]!;
  const a = ints[i + JOINT_BODY_A]!, b = ints[i + JOINT_BODY_B]!;
  if ((ints[i + JOINT_FLAGS]! & MOTOR_ON) !== 0 && side !== SIDE_EQUAL) solveMotor(values, j, a, b);
  if (side === SIDE_FREE) solvePoint(values, j, a, b);
  else solvePointAndLimit(values, j, a, b, side);
}

/** impulse := clamp( old − mass · (spinB − spinA − speed), ± h · motorMax ) */
function solveMotor(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies, step } = solverScratch;
  const iA = bodies[a + INVERSE_INERTIA]!;
  const iB = bodies[b + INVERSE_INERTIA]!;
  if (iA + iB === 0) return;
  const max = step[STEP_S]! * values[j + MOTOR_MAX]!;
  const old = values[j + MOTOR_IMPULSE]!;
  const wanted = old +
    -values[j + MOTOR_MASS]! * (bodies[b + SPIN]! - bodies[a + SPIN]! - values[j + MOTOR_SPEED]!);
  const bounded = wanted < -max ? -max : wanted > max ? max : wanted;
  const impulse = bounded - old;
  values[j + MOTOR_IMPULSE] = bounded;
  bodies[a + SPIN]! -= iA * impulse;
  bodies[b + SPIN]! += iB * impulse;
}

function solvePoint(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const rAx = values[j + R_AX]!;
  const rAy = values[j + R_AY]!;
  const rBx = values[j + R_BX]!;
  const rBy = values[j + R_BY]!;
  const vAx = bodies[a + VX]!;
  const vAy = bodies[a + VY]!;
  const vBx = bodies[b + VX]!;
  const vBy = bodies[b + VY]!;
  const spinA = bodies[a + SPIN]!;
  const spinB = bodies[b + SPIN]!;

  // The impulse that keeps the anchors together
  const cx = -((vBx - spinB * rBy) - (vAx - spinA * rAy));
  const cy = -((vBy + spinB * rBx) - (vAy + spinA * rAx));
  const inverse = values[j + K + INVERSE_22]!;
  const k12 = values[j + K + K12]!;
  const x = inverse * (values[j + K + K22]! * cx - k12 * cy);
  const y = inverse * (values[j + K + K11]! * cy - k12 * cx);
  values[j + IMPULSE_X]! += x;
  values[j + IMPULSE_Y]! += y;

  const mA = bodies[a + INVERSE_MASS]!, mB = bodies[b + INVERSE_MASS]!;
  bodies[a + VX] = vAx - mA * x;
  bodies[a + VY] = vAy - mA * y;
  bodies[a + SPIN] = spinA - bodies[a + INVERSE_INERTIA]! * (rAx * y - rAy * x);
  bodies[b + VX] = vBx + mB * x;
  bodies[b + VY] = vBy + mB * y;
  bodies[b + SPIN] = spinB + bodies[b + INVERSE_INERTIA]! * (rBx * y - rBy * x);
}

/**
 * A limit only pushes. If it would pull, its impulse becomes 0, and the anchor alone is solved
 * again.
 */
function solvePointAndLimit(
  values: Float64Array,
  j: number,
  a: number,
  b: number,
  side: number,
): void {
  const { bodies } = solverScratch;
  const rAx = values[j + R_AX]!;
  const rAy = values[j + R_AY]!;
  const rBx = values[j + R_BX]!;
  const rBy = values[j + R_BY]!;
  const vAx = bodies[a + VX]!;
  const vAy = bodies[a + VY]!;
  const vBx = bodies[b + VX]!;
  const vBy = bodies[b + VY]!;
  const spinA = bodies[a + SPIN]!;
  const spinB = bodies[b + SPIN]!;
  const old = values[j + IMPULSE_Z]!;

  // All three rows at once
  const cx = (vBx - spinB * rBy) - (vAx - spinA * rAy);
  const cy = (vBy + spinB * rBx) - (vAy + spinA * rAx);
  vector[0] = cx;
  vector[1] = cy;
  vector[2] = spinB - spinA;
  solve33(values, j + K);
  let x = -vector[0]!;
  let y = -vector[1]!;
  let z = -vector[2]!;

  const pulls = side === SIDE_LOWER ? old + z < 0 : side === SIDE_UPPER && old + z > 0;
  if (pulls) {
    vector[0] = -cx + old * values[j + K + K13]!;
    vector[1] = -cy + old * values[j + K + K23]!;
    solve22(values, j + K);
    x = vector[0]!;
    y = vector[1]!;
    z = -old;
  }

  values[j + IMPULSE_X]! += x;
  values[j + IMPULSE_Y]! += y;
  values[j + IMPULSE_Z] = pulls ? 0 : old + z;

  const mA = bodies[a + INVERSE_MASS]!, mB = bodies[b + INVERSE_MASS]!;
  bodies[a + VX] = vAx - mA * x;
  bodies[a + VY] = vAy - mA * y;
  bodies[a + SPIN] = spinA - bodies[a + INVERSE_INERTIA]! * (rAx * y - rAy * x + z);
  bodies[b + VX] = vBx + mB * x;
  bodies[b + VY] = vBy + mB * y;
  bodies[b + SPIN] = spinB + bodies[b + INVERSE_INERTIA]! * (rBx * y - rBy * x + z);
}

function solvePosition({ values, ints }: JointRows, joint: number): boolean {
  const { bodies } = solverScratch;
  const j = joint * JOINT_VALUES;
  const i = joint * JOINT_INTS;
  const a = ints[i + JOINT_BODY_A]!;
  const b = ints[i + JOINT_BODY_B]!;
  const side = ints[i + LIMIT_SIDE]!;

  // The angle first, if it is beyond a limit
  const isAngleSolved = side === SIDE_FREE || solveLimitPosition(values, j, a, b, side);

  // Then the anchors
  computeArms(values, j, bodies, a, b);
  const rAx = values[j + R_AX]!;
  const rAy = values[j + R_AY]!;
  const rBx = values[j + R_BX]!;
  const rBy = values[j + R_BY]!;
  const cAx = bodies[a + CENTER_X]!;
  const cAy = bodies[a + CENTER_Y]!;
  const cBx = bodies[b + CENTER_X]!;
  const cBy = bodies[b + CENTER_Y]!;
  const cx = (cBx + rBx) - (cAx + rAx);
  const cy = (cBy + rBy) - (cAy + rAy);

  // K and its inverse
  const mA = bodies[a + INVERSE_MASS]!, mB = bodies[b + INVERSE_MASS]!;
  const iA = bodies[a + INVERSE_INERTIA]!, iB = bodies[b + INVERSE_INERTIA]!;
  const k11 = mA + mB + iA * rAy * rAy + iB * rBy * rBy;
  const k12 = -iA * rAx * rAy - iB * rBx * rBy;
  const k22 = mA + mB + iA * rAx * rAx + iB * rBx * rBx;
  const determinant = k11 * k22 - k12 * k12;
  const inverse = determinant !== 0 ? 1 / determinant : determinant;
  const x = -(inverse * (k22 * cx - k12 * cy));
  const y = -(inverse * (k11 * cy - k12 * cx));

  // Move both
  bodies[a + CENTER_X] = cAx - mA * x;
  bodies[a + CENTER_Y] = cAy - mA * y;
  bodies[a + ANGLE]! -= iA * (rAx * y - rAy * x);
  bodies[b + CENTER_X] = cBx + mB * x;
  bodies[b + CENTER_Y] = cBy + mB * y;
  bodies[b + ANGLE]! += iB * (rBx * y - rBy * x);

  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);
  return Math.sqrt(cx * cx + cy * cy) <= LINEAR_SLOP && isAngleSolved;
}

/**
 * Turns both bodies towards the limit, by a bounded angle.
 * @returns whether the error was within its tolerance
 */
function solveLimitPosition(
  values: Float64Array,
  j: number,
  a: number,
  b: number,
  side: number,
): boolean {
  const { bodies } = solverScratch;
  const angle = bodies[b + ANGLE]! - bodies[a + ANGLE]! - values[j + REFERENCE]!;
  const beyond = angle - (side === SIDE_UPPER ? values[j + UPPER]! : values[j + LOWER]!);

  // A single limit keeps a little of the error, so that it stays reached.
  const min = side === SIDE_UPPER ? 0 : -MAX_ANGULAR_CORRECTION;
  const max = side === SIDE_LOWER ? 0 : MAX_ANGULAR_CORRECTION;
  let wanted = beyond;
  if (side === SIDE_LOWER) wanted = beyond + ANGULAR_SLOP;
  else if (side === SIDE_UPPER) wanted = beyond - ANGULAR_SLOP;
  const correction = wanted < min ? min : wanted > max ? max : wanted;

  const impulse = -values[j + MOTOR_MASS]! * correction;
  bodies[a + ANGLE]! -= bodies[a + INVERSE_INERTIA]! * impulse;
  bodies[b + ANGLE]! += bodies[b + INVERSE_INERTIA]! * impulse;
  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);

  if (side === SIDE_EQUAL) return Math.abs(correction) <= ANGULAR_SLOP;
  return (side === SIDE_LOWER ? -beyond : beyond) <= ANGULAR_SLOP;
}
