/**
 * The revolute joint: both bodies share the anchor and turn freely about it, unless a motor or
 * limits act. After Box2D's b2RevoluteJoint and in the operations of planck 1.5.0. Constraints,
 * with J K⁻¹ Jᵀ solved in one block:
 *
 *     C1 = cB + rB − cA − rA = 0 (two rows)        C2 = angleB − angleA − reference   (limits)
 *
 * Components of its impulse: x and y at the anchor, z against rotation at a limit.
 */
import { Body } from "../../core/body_rows.ts";
import { JointFlag, JointInt, type JointRows, JointValue, LimitSide } from "../joint_rows.ts";
import { Matrix, prepare22, prepare33, solve22, solve33, vector } from "./symmetric_matrix.ts";
import { solverScratch, Step } from "../../dynamics/solver_scratch.ts";
import { ANGULAR_SLOP, LINEAR_SLOP, MAX_ANGULAR_CORRECTION } from "../../core/tuning.ts";
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
import { HINGE_SPRING, prepareHingeSpring } from "./hinge_spring.ts";
import { LEAST_SPEED, MOST_SPEED, prepareLimits } from "./limits.ts";
import { Spring } from "./spring.ts";
import { SPIN_MAX } from "../../core/limits.ts";
import { updateTransformAt } from "../../core/body_transform.ts";

/** Lasting values. */
export const REFERENCE = JointValue.TYPE_VALUES;
const IMPULSE_X = 5;
const IMPULSE_Y = 6;
const IMPULSE_Z = 7;
const MOTOR_IMPULSE = 8;
const MOTOR_SPEED = 9;
/** Of a hinge with a spring. */
const SPRING_IMPULSE = 10;
/** Values of one world step: K, and the effective mass of the motor and of the limits. */
const K = JointValue.STEP_VALUES;
const MOTOR_MASS = K + Matrix.STRIDE;

const LIMITS = { impulseAt: IMPULSE_Z, motorImpulseAt: MOTOR_IMPULSE, slop: ANGULAR_SLOP };

const RIGID: JointForm = {
  type: "revolute",
  parts: ["limits", "motor", "spring"],
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

/** A hinge whose spring turns b back to where it was when the joint was made. */
const SPRUNG: JointForm = {
  ...RIGID,
  names: [...RIGID.names, "springImpulse"],
  maxima: [...RIGID.maxima, IMPULSE_MAX],
  twist: (values, at) => RIGID.twist(values, at) + values[at + SPRING_IMPULSE]!,
  prepare(rows, joint) {
    prepare(rows, joint);
    prepareSpring(rows, joint);
  },
  solveVelocity(rows, joint) {
    solveSpring(rows, joint);
    solveVelocity(rows, joint);
  },
};

/** The type `revolute`, for `jointsOf`. */
export const REVOLUTE: JointForm = { ...RIGID, variants: { spring: SPRUNG } };

function prepareSpring({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  values[j + HINGE_SPRING + Spring.BIAS] = bodies[b + Body.ANGLE]! - bodies[a + Body.ANGLE]! -
    values[j + REFERENCE]!;
  if (!prepareHingeSpring(values, j, j + K)) values[j + SPRING_IMPULSE] = 0;
  const impulse = values[j + SPRING_IMPULSE]!;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! * impulse;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! * impulse;
}

function solveSpring({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  const spring = j + HINGE_SPRING;
  const old = values[j + SPRING_IMPULSE]!;
  const speed = bodies[b + Body.SPIN]! - bodies[a + Body.SPIN]!;
  const change = -values[spring + Spring.MASS]! *
    (speed + values[spring + Spring.BIAS]! + values[spring + Spring.GAMMA]! * old);
  values[j + SPRING_IMPULSE] = old + change;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! * change;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! * change;
}

function prepare(rows: JointRows, joint: number): void {
  const { values, ints } = rows;
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;

  computeArms(values, j, bodies, a, b);
  const rAx = values[j + JointValue.R_AX]!;
  const rAy = values[j + JointValue.R_AY]!;
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;

  // K, with the row of the limit
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  const iA = bodies[a + Body.INVERSE_INERTIA]!;
  const iB = bodies[b + Body.INVERSE_INERTIA]!;
  const inertia = iA + iB;
  values[j + K + Matrix.K11] = mA + mB + rAy * rAy * iA + rBy * rBy * iB;
  values[j + K + Matrix.K12] = -rAy * rAx * iA - rBy * rBx * iB;
  values[j + K + Matrix.K13] = -rAy * iA - rBy * iB;
  values[j + K + Matrix.K22] = mA + mB + rAx * rAx * iA + rBx * rBx * iB;
  values[j + K + Matrix.K23] = rAx * iA + rBx * iB;
  values[j + K + Matrix.K33] = inertia;
  prepare22(values, j + K);

  // Motor and limit
  values[j + MOTOR_MASS] = inertia > 0 ? 1 / inertia : inertia;
  if ((ints[i + JointInt.FLAGS]! & JointFlag.MOTOR_ON) === 0 || inertia === 0) {
    values[j + MOTOR_IMPULSE] = 0;
  }
  if ((ints[i + JointInt.FLAGS]! & JointFlag.LIMIT_ON) === 0 || inertia === 0) {
    ints[i + JointInt.LIMIT_SIDE] = LimitSide.OFF;
    values[j + IMPULSE_Z] = 0;
  } else {
    const angle = bodies[b + Body.ANGLE]! - bodies[a + Body.ANGLE]! - values[j + REFERENCE]!;
    prepareLimits(rows, joint, angle, LIMITS);
  }

  const side = ints[i + JointInt.LIMIT_SIDE]!;
  const isNear = side !== LimitSide.FREE || values[j + IMPULSE_Z] !== 0;
  if (side !== LimitSide.OFF && isNear) prepare33(values, j + K);
  warmStart(values, j, a, b);
}

function warmStart(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const x = values[j + IMPULSE_X]!;
  const y = values[j + IMPULSE_Y]!;
  const z = values[j + IMPULSE_Z]!;
  const motor = values[j + MOTOR_IMPULSE]!;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! -= mA * x;
  bodies[a + Body.VY]! -= mA * y;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_AX]! * y - values[j + JointValue.R_AY]! * x + motor + z);
  bodies[b + Body.VX]! += mB * x;
  bodies[b + Body.VY]! += mB * y;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_BX]! * y - values[j + JointValue.R_BY]! * x + motor + z);
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const side = ints[i + JointInt.LIMIT_SIDE]!;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  if ((ints[i + JointInt.FLAGS]! & JointFlag.MOTOR_ON) !== 0 && side !== LimitSide.EQUAL) {
    solveMotor(values, j, a, b);
  }

  if (side === LimitSide.OFF) solvePoint(values, j, a, b);
  else if (side === LimitSide.EQUAL) solvePointAndLimit(values, j, a, b, side);
  else solvePointAndLimits(values, j, a, b, side);
}

/** impulse := clamp( old − mass · (spinB − spinA − speed), ± h · motorMax ) */
function solveMotor(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies, step } = solverScratch;
  const iA = bodies[a + Body.INVERSE_INERTIA]!;
  const iB = bodies[b + Body.INVERSE_INERTIA]!;
  if (iA + iB === 0) return;
  const max = step[Step.LENGTH_S]! * values[j + JointValue.MOTOR_MAX]!;
  const old = values[j + MOTOR_IMPULSE]!;
  const wanted = old +
    -values[j + MOTOR_MASS]! *
      (bodies[b + Body.SPIN]! - bodies[a + Body.SPIN]! - values[j + MOTOR_SPEED]!);
  const bounded = wanted < -max ? -max : wanted > max ? max : wanted;
  const impulse = bounded - old;
  values[j + MOTOR_IMPULSE] = bounded;
  bodies[a + Body.SPIN]! -= iA * impulse;
  bodies[b + Body.SPIN]! += iB * impulse;
}

function solvePoint(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const rAx = values[j + JointValue.R_AX]!;
  const rAy = values[j + JointValue.R_AY]!;
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;
  const vAx = bodies[a + Body.VX]!;
  const vAy = bodies[a + Body.VY]!;
  const vBx = bodies[b + Body.VX]!;
  const vBy = bodies[b + Body.VY]!;
  const spinA = bodies[a + Body.SPIN]!;
  const spinB = bodies[b + Body.SPIN]!;

  // The impulse that keeps the anchors together
  const cx = -((vBx - spinB * rBy) - (vAx - spinA * rAy));
  const cy = -((vBy + spinB * rBx) - (vAy + spinA * rAx));
  const inverse = values[j + K + Matrix.INVERSE_22]!;
  const k12 = values[j + K + Matrix.K12]!;
  const x = inverse * (values[j + K + Matrix.K22]! * cx - k12 * cy);
  const y = inverse * (values[j + K + Matrix.K11]! * cy - k12 * cx);
  values[j + IMPULSE_X]! += x;
  values[j + IMPULSE_Y]! += y;

  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX] = vAx - mA * x;
  bodies[a + Body.VY] = vAy - mA * y;
  bodies[a + Body.SPIN] = spinA - bodies[a + Body.INVERSE_INERTIA]! * (rAx * y - rAy * x);
  bodies[b + Body.VX] = vBx + mB * x;
  bodies[b + Body.VY] = vBy + mB * y;
  bodies[b + Body.SPIN] = spinB + bodies[b + Body.INVERSE_INERTIA]! * (rBx * y - rBy * x);
}

/**
 * One limit at most acts at a time: the one that acts already, or else the one that is reached, or
 * else the one that this step would go beyond.
 */
function solvePointAndLimits(
  values: Float64Array,
  j: number,
  a: number,
  b: number,
  reached: number,
): void {
  const { bodies } = solverScratch;
  const old = values[j + IMPULSE_Z]!;
  let side = reached;
  if (old !== 0) side = old > 0 ? LimitSide.LOWER : LimitSide.UPPER;
  if (side === LimitSide.FREE) solvePoint(values, j, a, b);
  else {
    solvePointAndLimit(values, j, a, b, side);
    if (values[j + IMPULSE_Z] !== 0) return;
  }

  const spin = bodies[b + Body.SPIN]! - bodies[a + Body.SPIN]!;
  let beyond = LimitSide.FREE;
  if (spin < values[j + LEAST_SPEED]!) beyond = LimitSide.LOWER;
  else if (spin > values[j + MOST_SPEED]!) beyond = LimitSide.UPPER;
  if (beyond === LimitSide.FREE || beyond === side) return;
  if (side === LimitSide.FREE) prepare33(values, j + K);
  solvePointAndLimit(values, j, a, b, beyond);
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
  const rAx = values[j + JointValue.R_AX]!;
  const rAy = values[j + JointValue.R_AY]!;
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;
  const vAx = bodies[a + Body.VX]!;
  const vAy = bodies[a + Body.VY]!;
  const vBx = bodies[b + Body.VX]!;
  const vBy = bodies[b + Body.VY]!;
  const spinA = bodies[a + Body.SPIN]!;
  const spinB = bodies[b + Body.SPIN]!;
  const old = values[j + IMPULSE_Z]!;

  // All three rows at once
  const cx = (vBx - spinB * rBy) - (vAx - spinA * rAy);
  const cy = (vBy + spinB * rBx) - (vAy + spinA * rAx);
  vector[0] = cx;
  vector[1] = cy;
  vector[2] = spinB - spinA;
  if (side === LimitSide.LOWER) vector[2]! -= values[j + LEAST_SPEED]!;
  else if (side === LimitSide.UPPER) vector[2]! -= values[j + MOST_SPEED]!;
  solve33(values, j + K);
  let x = -vector[0]!;
  let y = -vector[1]!;
  let z = -vector[2]!;

  // A limit only pushes: one that would pull lets go, and the point is solved alone
  const pulls = side === LimitSide.LOWER ? old + z < 0 : side === LimitSide.UPPER && old + z > 0;
  if (pulls) {
    vector[0] = -cx + old * values[j + K + Matrix.K13]!;
    vector[1] = -cy + old * values[j + K + Matrix.K23]!;
    solve22(values, j + K);
    x = vector[0]!;
    y = vector[1]!;
    z = -old;
  }

  // Apply it
  values[j + IMPULSE_X]! += x;
  values[j + IMPULSE_Y]! += y;
  values[j + IMPULSE_Z] = pulls ? 0 : old + z;

  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX] = vAx - mA * x;
  bodies[a + Body.VY] = vAy - mA * y;
  bodies[a + Body.SPIN] = spinA - bodies[a + Body.INVERSE_INERTIA]! * (rAx * y - rAy * x + z);
  bodies[b + Body.VX] = vBx + mB * x;
  bodies[b + Body.VY] = vBy + mB * y;
  bodies[b + Body.SPIN] = spinB + bodies[b + Body.INVERSE_INERTIA]! * (rBx * y - rBy * x + z);
}

function solvePosition({ values, ints }: JointRows, joint: number): boolean {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;

  // The angle first, if it is beyond a limit
  const side = ints[i + JointInt.LIMIT_SIDE]!;
  const isAngleSolved = side === LimitSide.OFF ||
    solveLimitPosition(values, j, a, b, side === LimitSide.EQUAL);

  // Then the anchors
  computeArms(values, j, bodies, a, b);
  const rAx = values[j + JointValue.R_AX]!;
  const rAy = values[j + JointValue.R_AY]!;
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;
  const cAx = bodies[a + Body.CENTER_X]!;
  const cAy = bodies[a + Body.CENTER_Y]!;
  const cBx = bodies[b + Body.CENTER_X]!;
  const cBy = bodies[b + Body.CENTER_Y]!;
  const cx = (cBx + rBx) - (cAx + rAx);
  const cy = (cBy + rBy) - (cAy + rAy);

  // K and its inverse
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  const iA = bodies[a + Body.INVERSE_INERTIA]!, iB = bodies[b + Body.INVERSE_INERTIA]!;
  const k11 = mA + mB + iA * rAy * rAy + iB * rBy * rBy;
  const k12 = -iA * rAx * rAy - iB * rBx * rBy;
  const k22 = mA + mB + iA * rAx * rAx + iB * rBx * rBx;
  const determinant = k11 * k22 - k12 * k12;
  const inverse = determinant !== 0 ? 1 / determinant : determinant;
  const x = -(inverse * (k22 * cx - k12 * cy));
  const y = -(inverse * (k11 * cy - k12 * cx));

  // Move both
  bodies[a + Body.CENTER_X] = cAx - mA * x;
  bodies[a + Body.CENTER_Y] = cAy - mA * y;
  bodies[a + Body.ANGLE]! -= iA * (rAx * y - rAy * x);
  bodies[b + Body.CENTER_X] = cBx + mB * x;
  bodies[b + Body.CENTER_Y] = cBy + mB * y;
  bodies[b + Body.ANGLE]! += iB * (rBx * y - rBy * x);

  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);
  return Math.sqrt(cx * cx + cy * cy) <= LINEAR_SLOP && isAngleSolved;
}

/**
 * Turns both bodies towards the limit that they are beyond, by a bounded angle.
 * @param isOne whether both limits are one
 * @returns whether the error was within its tolerance
 */
function solveLimitPosition(
  values: Float64Array,
  j: number,
  a: number,
  b: number,
  isOne: boolean,
): boolean {
  const { bodies } = solverScratch;
  const angle = bodies[b + Body.ANGLE]! - bodies[a + Body.ANGLE]! - values[j + REFERENCE]!;
  const overLower = angle - values[j + JointValue.LOWER]!;
  const overUpper = angle - values[j + JointValue.UPPER]!;

  // A little of the error stays, unless both limits are one.
  let wanted = 0;
  if (isOne) wanted = overLower;
  else if (overLower < -ANGULAR_SLOP) wanted = overLower + ANGULAR_SLOP;
  else if (overUpper > ANGULAR_SLOP) wanted = overUpper - ANGULAR_SLOP;
  else return true;

  const max = MAX_ANGULAR_CORRECTION;
  const correction = wanted < -max ? -max : wanted > max ? max : wanted;
  const impulse = -values[j + MOTOR_MASS]! * correction;
  bodies[a + Body.ANGLE]! -= bodies[a + Body.INVERSE_INERTIA]! * impulse;
  bodies[b + Body.ANGLE]! += bodies[b + Body.INVERSE_INERTIA]! * impulse;
  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);
  return isOne && Math.abs(correction) <= ANGULAR_SLOP;
}
