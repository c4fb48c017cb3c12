/**
 * The weld joint: the two bodies are one, or bend against a spring, after b2WeldJoint of Box2D 2.3
 * and in the operations of planck 1.5.0. Constraints, solved in one block unless there is a spring:
 *
 *     C1 = cB + rB − cA − rA = 0 (two rows)        C2 = angleB − angleA − reference = 0
 *
 * Components of its impulse: x and y at the anchor, z against rotation.
 */
import { Body } from "../../core/body_rows.ts";
import { JointInt, type JointRows, JointValue } from "../joint_rows.ts";
import { Matrix, prepare22, prepare33, solve22, solve33, vector } from "./symmetric_matrix.ts";
import { prepareSpring, Spring } from "./spring.ts";
import { ANGULAR_SLOP, LINEAR_SLOP } from "../../core/tuning.ts";
import {
  ANCHOR_MAXIMA,
  ANCHORS,
  computeArms,
  IMPULSE_MAXIMA,
  IMPULSES,
  type JointForm,
  REFERENCE_MAX,
} from "../joint_form.ts";
import { solverScratch } from "../../dynamics/solver_scratch.ts";
import { updateTransformAt } from "../../core/body_transform.ts";

/** Lasting values. */
const REFERENCE = JointValue.TYPE_VALUES;
const IMPULSE_X = 5;
const IMPULSE_Y = 6;
const IMPULSE_Z = 7;
/**
 * Values of one world step: K, the spring of the rotation, and the effective mass, which is
 * symmetric.
 */
const K = JointValue.STEP_VALUES;
const SPRING = K + Matrix.STRIDE;
const M11 = SPRING + Spring.STRIDE;
const M12 = M11 + 1;
const M13 = M11 + 2;
const M22 = M11 + 3;
const M23 = M11 + 4;
const M33 = M11 + 5;

/** The type `weld`, for `jointsOf`. */
export const WELD: JointForm = {
  type: "weld",
  parts: ["spring"],
  driven: false,
  moves: "one",
  names: [...ANCHORS, "referenceAngle", ...IMPULSES],
  maxima: [...ANCHOR_MAXIMA, REFERENCE_MAX, ...IMPULSE_MAXIMA],
  referenceAt: REFERENCE,
  motorSpeedAt: -1,
  limitImpulseAt: -1,
  isSound: () => true,
  impulse(values, at) {
    const x = values[at + IMPULSE_X]!, y = values[at + IMPULSE_Y]!;
    return Math.sqrt(x * x + y * y);
  },
  twist: (values, at) => values[at + IMPULSE_Z]!,
  prepare,
  solveVelocity,
  solvePosition,
};

function prepare({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  computeMatrix(values, j, a, b);
  const inertia = values[j + K + Matrix.K33]!;
  if (values[j + JointValue.FREQUENCY_HZ]! > 0) {
    invert22(values, j);
    values[j + SPRING + Spring.INVERSE] = inertia;
    values[j + SPRING + Spring.MASS] = inertia > 0 ? 1 / inertia : 0;
    values[j + SPRING + Spring.BIAS] = bodies[b + Body.ANGLE]! - bodies[a + Body.ANGLE]! -
      values[j + REFERENCE]!;
    prepareSpring(values, j, j + SPRING);
  } else if (inertia === 0) invert22(values, j);
  else invert33(values, j);
  warmStart(values, j, a, b);
}

/** Computes the arms and K from the present poses. */
function computeMatrix(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  computeArms(values, j, bodies, a, b);
  const rAx = values[j + JointValue.R_AX]!;
  const rAy = values[j + JointValue.R_AY]!;
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  const iA = bodies[a + Body.INVERSE_INERTIA]!, iB = bodies[b + Body.INVERSE_INERTIA]!;
  values[j + K + Matrix.K11] = mA + mB + rAy * rAy * iA + rBy * rBy * iB;
  values[j + K + Matrix.K12] = -rAy * rAx * iA - rBy * rBx * iB;
  values[j + K + Matrix.K13] = -rAy * iA - rBy * iB;
  values[j + K + Matrix.K22] = mA + mB + rAx * rAx * iA + rBx * rBx * iB;
  values[j + K + Matrix.K23] = rAx * iA + rBx * iB;
  values[j + K + Matrix.K33] = iA + iB;
}

/** M := the inverse of K's upper two rows; 0 elsewhere. */
function invert22(values: Float64Array, j: number): void {
  prepare22(values, j + K);
  const inverse = values[j + K + Matrix.INVERSE_22]!;
  values[j + M11] = inverse * values[j + K + Matrix.K22]!;
  values[j + M12] = -inverse * values[j + K + Matrix.K12]!;
  values[j + M22] = inverse * values[j + K + Matrix.K11]!;
  values[j + M13] = values[j + M23] = values[j + M33] = 0;
}

/** M := the inverse of K. */
function invert33(values: Float64Array, j: number): void {
  prepare33(values, j + K);
  const inverse = values[j + K + Matrix.INVERSE_33]!;
  const k11 = values[j + K + Matrix.K11]!;
  const k12 = values[j + K + Matrix.K12]!;
  const k13 = values[j + K + Matrix.K13]!;
  const k22 = values[j + K + Matrix.K22]!;
  const k23 = values[j + K + Matrix.K23]!;
  const k33 = values[j + K + Matrix.K33]!;
  values[j + M11] = inverse * (k22 * k33 - k23 * k23);
  values[j + M12] = inverse * (k13 * k23 - k12 * k33);
  values[j + M13] = inverse * (k12 * k23 - k13 * k22);
  values[j + M22] = inverse * (k11 * k33 - k13 * k13);
  values[j + M23] = inverse * (k13 * k12 - k11 * k23);
  values[j + M33] = inverse * (k11 * k22 - k12 * k12);
}

function warmStart(values: Float64Array, j: number, a: number, b: number): void {
  vector[0] = values[j + IMPULSE_X]!;
  vector[1] = values[j + IMPULSE_Y]!;
  vector[2] = values[j + IMPULSE_Z]!;
  changeVelocities(values, j, a, b);
}

/** Changes the velocities by the impulse in `vector`. */
function changeVelocities(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const x = vector[0]!;
  const y = vector[1]!;
  const z = vector[2]!;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! -= mA * x;
  bodies[a + Body.VY]! -= mA * y;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_AX]! * y - values[j + JointValue.R_AY]! * x + z);
  bodies[b + Body.VX]! += mB * x;
  bodies[b + Body.VY]! += mB * y;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_BX]! * y - values[j + JointValue.R_BY]! * x + z);
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  const isSoft = values[j + JointValue.FREQUENCY_HZ]! > 0;
  if (isSoft) solveSpring(values, j, a, b);

  const spinA = bodies[a + Body.SPIN]!;
  const spinB = bodies[b + Body.SPIN]!;
  const x = (bodies[b + Body.VX]! - spinB * values[j + JointValue.R_BY]!) -
    (bodies[a + Body.VX]! - spinA * values[j + JointValue.R_AY]!);
  const y = (bodies[b + Body.VY]! + spinB * values[j + JointValue.R_BX]!) -
    (bodies[a + Body.VY]! + spinA * values[j + JointValue.R_AX]!);

  // The spring has solved the rotation already.
  const z = isSoft ? 0 : spinB - spinA;

  const m12 = values[j + M12]!;
  const m13 = values[j + M13]!;
  const m23 = values[j + M23]!;
  vector[0] = -(values[j + M11]! * x + m12 * y + m13 * z);
  vector[1] = -(m12 * x + values[j + M22]! * y + m23 * z);
  vector[2] = isSoft ? 0 : -(m13 * x + m23 * y + values[j + M33]! * z);

  values[j + IMPULSE_X]! += vector[0]!;
  values[j + IMPULSE_Y]! += vector[1]!;
  values[j + IMPULSE_Z]! += vector[2]!;
  changeVelocities(values, j, a, b);
}

/** impulse := old − m · (spinB − spinA + bias + gamma · old) */
function solveSpring(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const old = values[j + IMPULSE_Z]!;
  const spin = bodies[b + Body.SPIN]! - bodies[a + Body.SPIN]!;
  const change = -values[j + SPRING + Spring.MASS]! *
    (spin + values[j + SPRING + Spring.BIAS]! + values[j + SPRING + Spring.GAMMA]! * old);
  values[j + IMPULSE_Z] = old + change;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! * change;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! * change;
}

/** A spring corrects the anchors alone. */
function solvePosition({ values, ints }: JointRows, joint: number): boolean {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  const isSoft = values[j + JointValue.FREQUENCY_HZ]! > 0;
  computeMatrix(values, j, a, b);

  // How far the anchors are apart, and how far the angle is off
  const cx = (bodies[b + Body.CENTER_X]! + values[j + JointValue.R_BX]!) -
    (bodies[a + Body.CENTER_X]! + values[j + JointValue.R_AX]!);
  const cy = (bodies[b + Body.CENTER_Y]! + values[j + JointValue.R_BY]!) -
    (bodies[a + Body.CENTER_Y]! + values[j + JointValue.R_AY]!);
  const turn = isSoft
    ? 0
    : bodies[b + Body.ANGLE]! - bodies[a + Body.ANGLE]! - values[j + REFERENCE]!;

  // The correction of both, or of the anchors alone
  vector[0] = cx;
  vector[1] = cy;
  vector[2] = turn;
  if (!isSoft && values[j + K + Matrix.K33]! > 0) {
    prepare33(values, j + K);
    solve33(values, j + K);
  } else {
    prepare22(values, j + K);
    solve22(values, j + K);
    vector[2] = 0;
  }

  const x = -vector[0]!;
  const y = -vector[1]!;
  const z = -vector[2]!;

  // Move both
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.CENTER_X]! -= mA * x;
  bodies[a + Body.CENTER_Y]! -= mA * y;
  bodies[a + Body.ANGLE]! -= bodies[a + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_AX]! * y - values[j + JointValue.R_AY]! * x + z);
  bodies[b + Body.CENTER_X]! += mB * x;
  bodies[b + Body.CENTER_Y]! += mB * y;
  bodies[b + Body.ANGLE]! += bodies[b + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_BX]! * y - values[j + JointValue.R_BY]! * x + z);

  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);
  return Math.sqrt(cx * cx + cy * cy) <= LINEAR_SLOP && Math.abs(turn) <= ANGULAR_SLOP;
}
