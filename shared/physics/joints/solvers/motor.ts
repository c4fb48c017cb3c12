/**
 * Two types with a largest force and torque. The motor joint drives the anchors together and the
 * angle to its reference; the rules move a's anchor and the reference. The friction joint only
 * stops relative motion: it is a motor joint that corrects nothing. After b2MotorJoint and
 * b2FrictionJoint of Box2D and in the operations of planck 1.5.0:
 *
 *     speeds at the anchor  :=  −(factor / h) · (cB + rB − cA − rA)             at most h · forceMax
 *     spinB − spinA         :=  −(factor / h) · (angleB − angleA − reference)   at most h · torqueMax
 *
 * planck's own friction joint applies its force one step late: it compares the impulse with itself.
 * This one does not.
 */
import * as bodyLayout from "../../core/body_rows.ts";
import * as jointLayout from "../joint_rows.ts";
import * as solverLayout from "../../dynamics/solver_scratch.ts";
import {
  ANCHOR_MAXIMA,
  ANCHORS,
  computeArms,
  IMPULSE_MAXIMA,
  IMPULSES,
  type JointForm,
  REFERENCE_MAX,
} from "../joint_form.ts";
import type { JointRows } from "../joint_rows.ts";
import { solverScratch } from "../../dynamics/solver_scratch.ts";

/** Local copies: V8 inlines a module's own constants but reads imported ones each time. */
const { VX, VY, SPIN, INVERSE_MASS, INVERSE_INERTIA, CENTER_X, CENTER_Y, ANGLE } = bodyLayout;
const {
  FORCE_MAX,
  TORQUE_MAX,
  RATIO,
  R_AX,
  R_AY,
  R_BX,
  R_BY,
  TYPE_VALUES,
  STEP_VALUES,
  JOINT_VALUES,
} = jointLayout;
const { JOINT_BODY_A, JOINT_BODY_B, JOINT_INTS } = jointLayout;
const { STEP_S, STEPS_PER_S } = solverLayout;

/** Lasting values. A friction joint has no reference, and 0 in its place. */
const IMPULSE_X = TYPE_VALUES;
const IMPULSE_Y = 5;
const IMPULSE_Z = 6;
const REFERENCE = 7;
/** Values of one world step: the errors, the inverse of K, and the effective inertia. */
const ERROR_X = STEP_VALUES;
const ERROR_Y = ERROR_X + 1;
const ERROR_ANGLE = ERROR_X + 2;
const M11 = ERROR_X + 3;
const M12 = ERROR_X + 4;
const M22 = ERROR_X + 5;
const ANGULAR_MASS = ERROR_X + 6;

export const FRICTION: JointForm = {
  parts: [],
  driven: false,
  moves: "one",
  names: [...ANCHORS, ...IMPULSES],
  maxima: [...ANCHOR_MAXIMA, ...IMPULSE_MAXIMA],
  referenceAt: -1,
  motorSpeedAt: -1,
  limitImpulseAt: -1,
  isSound: () => true,
  impulse(values, at) {
    const x = values[at + IMPULSE_X]!, y = values[at + IMPULSE_Y]!;
    return Math.sqrt(x * x + y * y);
  },
  twist: (values, at) => values[at + IMPULSE_Z]!,
  prepare,
  solveVelocity: solveFriction,
  solvePosition: () => true,
};

export const MOTOR: JointForm = {
  ...FRICTION,
  solveVelocity: solveMotor,
  names: [...FRICTION.names, "referenceAngle"],
  maxima: [...FRICTION.maxima, REFERENCE_MAX],
  referenceAt: REFERENCE,
};

function prepare({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JOINT_VALUES;
  const i = joint * JOINT_INTS;
  const a = ints[i + JOINT_BODY_A]!, b = ints[i + JOINT_BODY_B]!;

  computeArms(values, j, bodies, a, b);
  const rAx = values[j + R_AX]!;
  const rAy = values[j + R_AY]!;
  const rBx = values[j + R_BX]!;
  const rBy = values[j + R_BY]!;

  // The inverse of K
  const mA = bodies[a + INVERSE_MASS]!, mB = bodies[b + INVERSE_MASS]!;
  const iA = bodies[a + INVERSE_INERTIA]!;
  const iB = bodies[b + INVERSE_INERTIA]!;
  const inertia = iA + iB;
  const k11 = mA + mB + iA * rAy * rAy + iB * rBy * rBy;
  const k12 = -iA * rAx * rAy - iB * rBx * rBy;
  const k22 = mA + mB + iA * rAx * rAx + iB * rBx * rBx;
  const determinant = k11 * k22 - k12 * k12;
  const inverse = determinant !== 0 ? 1 / determinant : determinant;
  values[j + M11] = inverse * k22;
  values[j + M12] = -inverse * k12;
  values[j + M22] = inverse * k11;
  values[j + ANGULAR_MASS] = inertia > 0 ? 1 / inertia : inertia;

  // How far the two are from where they belong
  values[j + ERROR_X] = (bodies[b + CENTER_X]! + rBx) - (bodies[a + CENTER_X]! + rAx);
  values[j + ERROR_Y] = (bodies[b + CENTER_Y]! + rBy) - (bodies[a + CENTER_Y]! + rAy);
  values[j + ERROR_ANGLE] = bodies[b + ANGLE]! - bodies[a + ANGLE]! - values[j + REFERENCE]!;

  // The impulses of the previous step
  const x = values[j + IMPULSE_X]!;
  const y = values[j + IMPULSE_Y]!;
  const z = values[j + IMPULSE_Z]!;
  bodies[a + VX]! -= mA * x;
  bodies[a + VY]! -= mA * y;
  bodies[a + SPIN]! -= iA * (rAx * y - rAy * x + z);
  bodies[b + VX]! += mB * x;
  bodies[b + VY]! += mB * y;
  bodies[b + SPIN]! += iB * (rBx * y - rBy * x + z);
}

function solveFriction({ values, ints }: JointRows, joint: number): void {
  const j = joint * JOINT_VALUES, i = joint * JOINT_INTS;
  solveAngle(values, j, ints[i + JOINT_BODY_A]!, ints[i + JOINT_BODY_B]!);
  solvePoint(values, j, ints[i + JOINT_BODY_A]!, ints[i + JOINT_BODY_B]!, true);
}

function solveMotor({ values, ints }: JointRows, joint: number): void {
  const j = joint * JOINT_VALUES, i = joint * JOINT_INTS;
  solveAngle(values, j, ints[i + JOINT_BODY_A]!, ints[i + JOINT_BODY_B]!);
  solvePoint(values, j, ints[i + JOINT_BODY_A]!, ints[i + JOINT_BODY_B]!, false);
}

function solveAngle(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies, step } = solverScratch;
  const old = values[j + IMPULSE_Z]!;
  const max = step[STEP_S]! * values[j + TORQUE_MAX]!;
  const share = step[STEPS_PER_S]! * values[j + RATIO]!;
  const spin = bodies[b + SPIN]! - bodies[a + SPIN]! + share * values[j + ERROR_ANGLE]!;
  const wanted = old + -values[j + ANGULAR_MASS]! * spin;
  const bounded = wanted < -max ? -max : wanted > max ? max : wanted;
  const change = bounded - old;
  values[j + IMPULSE_Z] = bounded;
  bodies[a + SPIN]! -= bodies[a + INVERSE_INERTIA]! * change;
  bodies[b + SPIN]! += bodies[b + INVERSE_INERTIA]! * change;
}

/** @param isFriction planck scales the impulse of a friction joint in two multiplications */
function solvePoint(
  values: Float64Array,
  j: number,
  a: number,
  b: number,
  isFriction: boolean,
): void {
  const { bodies, step } = solverScratch;
  const max = step[STEP_S]! * values[j + FORCE_MAX]!;
  const share = step[STEPS_PER_S]! * values[j + RATIO]!;
  const rAx = values[j + R_AX]!;
  const rAy = values[j + R_AY]!;
  const rBx = values[j + R_BX]!;
  const rBy = values[j + R_BY]!;

  // The impulse that would stop the point and correct its place
  const spinA = bodies[a + SPIN]!;
  const spinB = bodies[b + SPIN]!;
  const cx = (bodies[b + VX]! - spinB * rBy) - (bodies[a + VX]! - spinA * rAy) +
    share * values[j + ERROR_X]!;
  const cy = (bodies[b + VY]! + spinB * rBx) - (bodies[a + VY]! + spinA * rAx) +
    share * values[j + ERROR_Y]!;
  const oldX = values[j + IMPULSE_X]!, oldY = values[j + IMPULSE_Y]!;
  const m12 = values[j + M12]!;
  let x = oldX + -(values[j + M11]! * cx + m12 * cy);
  let y = oldY + -(m12 * cx + values[j + M22]! * cy);

  // Bounded by the greatest force
  const squared = x * x + y * y;
  if (squared > max * max) {
    const length = Math.sqrt(squared);
    const scale = isFriction ? 1 / length : max / length;
    const rest = isFriction ? max : 1;
    x = x * scale * rest;
    y = y * scale * rest;
  }

  // Keep it, and apply what is new
  values[j + IMPULSE_X] = x;
  values[j + IMPULSE_Y] = y;
  x -= oldX;
  y -= oldY;

  const mA = bodies[a + INVERSE_MASS]!, mB = bodies[b + INVERSE_MASS]!;
  bodies[a + VX]! -= mA * x;
  bodies[a + VY]! -= mA * y;
  bodies[a + SPIN] = spinA - bodies[a + INVERSE_INERTIA]! * (rAx * y - rAy * x);
  bodies[b + VX]! += mB * x;
  bodies[b + VY]! += mB * y;
  bodies[b + SPIN] = spinB + bodies[b + INVERSE_INERTIA]! * (rBx * y - rBy * x);
}
