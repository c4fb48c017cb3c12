/**
 * The mouse joint: a soft spring with a largest force pulls the anchor of b to a target in the
 * stage's frame, which the rules move. It does nothing to a. After b2MouseJoint of Box2D 2.3 and in
 * the operations of planck 1.5.0. With omega = 2 pi f:
 *
 *     C = cB + rB − target        d = 2 m ratio omega    k = m omega²    gamma = 1 / (h (d + h k))    beta = h k gamma
 *     K = J M⁻¹ Jᵀ + gamma I      impulse := old − K⁻¹ (speed of the anchor + beta C + gamma old), at most h · forceMax
 */
import { Body } from "../../core/body_rows.ts";
import { JointInt, type JointRows, JointValue } from "../joint_rows.ts";
import { solverScratch, Step } from "../../dynamics/solver_scratch.ts";
import { ANCHOR_MAXIMA, computeArms, IMPULSE_MAX, type JointForm } from "../joint_form.ts";

/** Lasting values; the target is in the place of a's anchor. */
const TARGET_X = JointValue.ANCHOR_AX;
const TARGET_Y = JointValue.ANCHOR_AY;
const IMPULSE_X = JointValue.TYPE_VALUES;
const IMPULSE_Y = 5;
/** Values of one world step: gamma, beta · C, and the inverse of K. */
const GAMMA = JointValue.STEP_VALUES;
const BIAS_X = GAMMA + 1;
const BIAS_Y = GAMMA + 2;
const M11 = GAMMA + 3;
const M12 = GAMMA + 4;
const M22 = GAMMA + 5;
/**
 * The share of its spin that the body keeps in a world step, Box2D's own remedy against a body that
 * whirls.
 */
const SPIN_KEPT = 0.98;

/** The type `mouse`, for `jointsOf`. */
export const MOUSE: JointForm = {
  type: "mouse",
  parts: ["spring"],
  driven: false,
  moves: "b",
  names: ["target.x", "target.y", "anchorB.x", "anchorB.y", "impulse.x", "impulse.y"],
  maxima: [...ANCHOR_MAXIMA, IMPULSE_MAX, IMPULSE_MAX],
  referenceAt: -1,
  motorSpeedAt: -1,
  limitImpulseAt: -1,
  isSound: () => true,
  impulse(values, at) {
    const x = values[at + IMPULSE_X]!, y = values[at + IMPULSE_Y]!;
    return Math.sqrt(x * x + y * y);
  },
  twist: () => 0,
  prepare,
  solveVelocity,
  solvePosition: () => true,
};

function prepare({ values, ints }: JointRows, joint: number): void {
  const { bodies, step } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const stepS = step[Step.LENGTH_S]!;
  const b = ints[i + JointInt.BODY_B]!;
  const mB = bodies[b + Body.INVERSE_MASS]!;
  const iB = bodies[b + Body.INVERSE_INERTIA]!;

  computeArms(values, j, bodies, ints[i + JointInt.BODY_A]!, b);

  // The spring, as softness and a share of the error
  const mass = 1 / mB;
  const omega = 2 * Math.PI * values[j + JointValue.FREQUENCY_HZ]!;
  const damping = 2 * mass * values[j + JointValue.DAMPING_RATIO]! * omega;
  const stiffness = mass * (omega * omega);
  const softness = stepS * (damping + stepS * stiffness);
  const gamma = softness !== 0 ? 1 / softness : softness;
  const beta = stepS * stiffness * gamma;

  // The inverse of K, softened
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;
  const k11 = mB + iB * rBy * rBy + gamma;
  const k12 = -iB * rBx * rBy;
  const k22 = mB + iB * rBx * rBx + gamma;
  const determinant = k11 * k22 - k12 * k12;
  const inverse = determinant !== 0 ? 1 / determinant : determinant;
  values[j + GAMMA] = gamma;
  values[j + M11] = inverse * k22;
  values[j + M12] = -inverse * k12;
  values[j + M22] = inverse * k11;

  // How far the anchor is from its target
  values[j + BIAS_X] = (bodies[b + Body.CENTER_X]! + (rBx - values[j + TARGET_X]!)) * beta;
  values[j + BIAS_Y] = (bodies[b + Body.CENTER_Y]! + (rBy - values[j + TARGET_Y]!)) * beta;

  // The impulse of the previous step
  const x = values[j + IMPULSE_X]!, y = values[j + IMPULSE_Y]!;
  bodies[b + Body.VX]! += mB * x;
  bodies[b + Body.VY]! += mB * y;
  bodies[b + Body.SPIN] = bodies[b + Body.SPIN]! * SPIN_KEPT + iB * (rBx * y - rBy * x);
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const { bodies, step } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const b = ints[joint * JointInt.STRIDE + JointInt.BODY_B]!;
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;
  const spin = bodies[b + Body.SPIN]!;
  const gamma = values[j + GAMMA]!;
  const oldX = values[j + IMPULSE_X]!;
  const oldY = values[j + IMPULSE_Y]!;

  // The impulse that pulls the anchor to the target
  const cx = -((-spin * rBy + bodies[b + Body.VX]!) + (values[j + BIAS_X]! + gamma * oldX));
  const cy = -((spin * rBx + bodies[b + Body.VY]!) + (values[j + BIAS_Y]! + gamma * oldY));
  const m12 = values[j + M12]!;
  let x = oldX + (values[j + M11]! * cx + m12 * cy);
  let y = oldY + (m12 * cx + values[j + M22]! * cy);

  // Bounded by the greatest force
  const max = step[Step.LENGTH_S]! * values[j + JointValue.FORCE_MAX]!;
  const squared = x * x + y * y;
  if (squared > max * max) {
    const scale = max / Math.sqrt(squared);
    x *= scale;
    y *= scale;
  }

  // Keep it, and apply what is new
  values[j + IMPULSE_X] = x;
  values[j + IMPULSE_Y] = y;
  x -= oldX;
  y -= oldY;

  const mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[b + Body.VX]! += mB * x;
  bodies[b + Body.VY]! += mB * y;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! * (rBx * y - rBy * x);
}
