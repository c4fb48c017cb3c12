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
import { Body } from "../../core/body_rows.ts";
import { JointInt, type JointRows, JointValue } from "../joint_rows.ts";
import { solverScratch, Step } from "../../dynamics/solver_scratch.ts";
import {
  ANCHOR_MAXIMA,
  ANCHORS,
  computeArms,
  IMPULSE_MAXIMA,
  IMPULSES,
  type JointForm,
  REFERENCE_MAX,
} from "../joint_form.ts";

/** Lasting values. A friction joint has no reference, and 0 in its place. */
const IMPULSE_X = JointValue.TYPE_VALUES;
const IMPULSE_Y = 5;
const IMPULSE_Z = 6;
const REFERENCE = 7;
/** Values of one world step: the errors, the inverse of K, and the effective inertia. */
const ERROR_X = JointValue.STEP_VALUES;
const ERROR_Y = ERROR_X + 1;
const ERROR_ANGLE = ERROR_X + 2;
const M11 = ERROR_X + 3;
const M12 = ERROR_X + 4;
const M22 = ERROR_X + 5;
const ANGULAR_MASS = ERROR_X + 6;

/** The type `friction`, for `jointsOf`. */
export const FRICTION: JointForm = {
  type: "friction",
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

/** The type `motor`, for `jointsOf`. */
export const MOTOR: JointForm = {
  ...FRICTION,
  type: "motor",
  solveVelocity: solveMotor,
  names: [...FRICTION.names, "referenceAngle"],
  maxima: [...FRICTION.maxima, REFERENCE_MAX],
  referenceAt: REFERENCE,
};

function prepare({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;

  computeArms(values, j, bodies, a, b);
  const rAx = values[j + JointValue.R_AX]!;
  const rAy = values[j + JointValue.R_AY]!;
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;

  // The inverse of K
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  const iA = bodies[a + Body.INVERSE_INERTIA]!;
  const iB = bodies[b + Body.INVERSE_INERTIA]!;
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
  values[j + ERROR_X] = (bodies[b + Body.CENTER_X]! + rBx) - (bodies[a + Body.CENTER_X]! + rAx);
  values[j + ERROR_Y] = (bodies[b + Body.CENTER_Y]! + rBy) - (bodies[a + Body.CENTER_Y]! + rAy);
  values[j + ERROR_ANGLE] = bodies[b + Body.ANGLE]! - bodies[a + Body.ANGLE]! -
    values[j + REFERENCE]!;

  // The impulses of the previous step
  const x = values[j + IMPULSE_X]!;
  const y = values[j + IMPULSE_Y]!;
  const z = values[j + IMPULSE_Z]!;
  bodies[a + Body.VX]! -= mA * x;
  bodies[a + Body.VY]! -= mA * y;
  bodies[a + Body.SPIN]! -= iA * (rAx * y - rAy * x + z);
  bodies[b + Body.VX]! += mB * x;
  bodies[b + Body.VY]! += mB * y;
  bodies[b + Body.SPIN]! += iB * (rBx * y - rBy * x + z);
}

function solveFriction({ values, ints }: JointRows, joint: number): void {
  const j = joint * JointValue.STRIDE, i = joint * JointInt.STRIDE;
  solveAngle(values, j, ints[i + JointInt.BODY_A]!, ints[i + JointInt.BODY_B]!);
  solvePoint(values, j, ints[i + JointInt.BODY_A]!, ints[i + JointInt.BODY_B]!, true);
}

function solveMotor({ values, ints }: JointRows, joint: number): void {
  const j = joint * JointValue.STRIDE, i = joint * JointInt.STRIDE;
  solveAngle(values, j, ints[i + JointInt.BODY_A]!, ints[i + JointInt.BODY_B]!);
  solvePoint(values, j, ints[i + JointInt.BODY_A]!, ints[i + JointInt.BODY_B]!, false);
}

function solveAngle(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies, step } = solverScratch;
  const old = values[j + IMPULSE_Z]!;
  const max = step[Step.LENGTH_S]! * values[j + JointValue.TORQUE_MAX]!;
  const share = step[Step.STEPS_PER_S]! * values[j + JointValue.RATIO]!;
  const spin = bodies[b + Body.SPIN]! - bodies[a + Body.SPIN]! + share * values[j + ERROR_ANGLE]!;
  const wanted = old + -values[j + ANGULAR_MASS]! * spin;
  const bounded = wanted < -max ? -max : wanted > max ? max : wanted;
  const change = bounded - old;
  values[j + IMPULSE_Z] = bounded;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! * change;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! * change;
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
  const max = step[Step.LENGTH_S]! * values[j + JointValue.FORCE_MAX]!;
  const share = step[Step.STEPS_PER_S]! * values[j + JointValue.RATIO]!;
  const rAx = values[j + JointValue.R_AX]!;
  const rAy = values[j + JointValue.R_AY]!;
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;

  // The impulse that would stop the point and correct its place
  const spinA = bodies[a + Body.SPIN]!;
  const spinB = bodies[b + Body.SPIN]!;
  const cx = (bodies[b + Body.VX]! - spinB * rBy) - (bodies[a + Body.VX]! - spinA * rAy) +
    share * values[j + ERROR_X]!;
  const cy = (bodies[b + Body.VY]! + spinB * rBx) - (bodies[a + Body.VY]! + spinA * rAx) +
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

  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! -= mA * x;
  bodies[a + Body.VY]! -= mA * y;
  bodies[a + Body.SPIN] = spinA - bodies[a + Body.INVERSE_INERTIA]! * (rAx * y - rAy * x);
  bodies[b + Body.VX]! += mB * x;
  bodies[b + Body.VY]! += mB * y;
  bodies[b + Body.SPIN] = spinB + bodies[b + Body.INVERSE_INERTIA]! * (rBx * y - rBy * x);
}
