/**
 * The prismatic joint: b slides along an axis of a and does not turn against it. A motor or limits
 * may act. After Box2D's b2PrismaticJoint and in the operations of planck 1.5.0. With the symbols
 * of `slide_axis.ts`:
 *
 *     C1 = perp · d = 0,  angleB − angleA − reference = 0        C2 = axis · d   (limits)
 *
 * Components of its impulse: x across the axis, y against rotation, z along the axis at a limit.
 */
import {
  A1,
  A2,
  AXIS_X,
  AXIS_Y,
  computeSlide,
  D_X,
  D_Y,
  isUnit,
  S1,
  S2,
  SLIDE_VALUES,
} from "./slide_axis.ts";
import { Body } from "../../core/body_rows.ts";
import { JointFlag, JointInt, type JointRows, JointValue, LimitSide } from "../joint_rows.ts";
import { Matrix, prepare22, prepare33, solve22, solve33, vector } from "./symmetric_matrix.ts";
import { solverScratch, Step } from "../../dynamics/solver_scratch.ts";
import { ANGULAR_SLOP, LINEAR_SLOP, MAX_LINEAR_CORRECTION } from "../../core/tuning.ts";
import {
  ANCHOR_MAXIMA,
  ANCHORS,
  IMPULSE_MAX,
  IMPULSE_MAXIMA,
  IMPULSES,
  type JointForm,
  REFERENCE_MAX,
} from "../joint_form.ts";
import { HINGE_SPRING, prepareHingeSpring } from "./hinge_spring.ts";
import { LEAST_SPEED, MOST_SPEED, prepareLimits } from "./limits.ts";
import { Spring } from "./spring.ts";
import { SPEED_MAX } from "../../core/limits.ts";
import { updateTransformAt } from "../../core/body_transform.ts";

/** Lasting values; the axis is a unit vector in a's frame. */
const REFERENCE = JointValue.TYPE_VALUES;
export const LOCAL_AXIS_X = 5;
export const LOCAL_AXIS_Y = 6;
const IMPULSE_X = 7;
const IMPULSE_Y = 8;
const IMPULSE_Z = 9;
const MOTOR_IMPULSE = 10;
const MOTOR_SPEED = 11;
/** Of a rail with a spring. */
const SPRING_IMPULSE = 12;
/** Values of one world step: the axis; K; the effective mass of the motor; the error of a limit. */
const K = JointValue.STEP_VALUES + SLIDE_VALUES;
const MOTOR_MASS = K + Matrix.STRIDE;
const LIMIT_ERROR = MOTOR_MASS + 1;

const LIMITS = { impulseAt: IMPULSE_Z, motorImpulseAt: MOTOR_IMPULSE, slop: LINEAR_SLOP };

const RIGID: JointForm = {
  type: "prismatic",
  parts: ["limits", "motor", "spring"],
  driven: true,
  moves: "one",
  names: [
    ...ANCHORS,
    "referenceAngle",
    "axis.x",
    "axis.y",
    ...IMPULSES,
    "motorImpulse",
    "motorSpeed",
  ],
  maxima: [...ANCHOR_MAXIMA, REFERENCE_MAX, 1, 1, ...IMPULSE_MAXIMA, IMPULSE_MAX, SPEED_MAX],
  referenceAt: REFERENCE,
  motorSpeedAt: MOTOR_SPEED,
  limitImpulseAt: IMPULSE_Z,
  isSound: (values, at) => isUnit(values, at + LOCAL_AXIS_X),
  impulse(values, at) {
    const x = values[at + IMPULSE_X]!;
    const along = values[at + MOTOR_IMPULSE]! + values[at + IMPULSE_Z]!;
    return Math.sqrt(x * x + along * along);
  },
  twist: (values, at) => values[at + IMPULSE_Y]!,
  prepare,
  solveVelocity,
  solvePosition,
};

/** A rail whose spring draws b back to where it was when the joint was made. */
const SPRUNG: JointForm = {
  ...RIGID,
  names: [...RIGID.names, "springImpulse"],
  maxima: [...RIGID.maxima, IMPULSE_MAX],
  impulse(values, at) {
    const x = values[at + IMPULSE_X]!;
    const along = values[at + MOTOR_IMPULSE]! + values[at + IMPULSE_Z]! +
      values[at + SPRING_IMPULSE]!;
    return Math.sqrt(x * x + along * along);
  },
  prepare(rows, joint) {
    prepare(rows, joint);
    prepareSpring(rows, joint);
  },
  solveVelocity(rows, joint) {
    solveSpring(rows, joint);
    solveVelocity(rows, joint);
  },
};

/** The type `prismatic`, for `jointsOf`. */
export const PRISMATIC: JointForm = { ...RIGID, variants: { spring: SPRUNG } };

function prepareSpring({ values, ints }: JointRows, joint: number): void {
  const j = joint * JointValue.STRIDE, i = joint * JointInt.STRIDE;
  values[j + HINGE_SPRING + Spring.BIAS] = values[j + AXIS_X]! * values[j + D_X]! +
    values[j + AXIS_Y]! * values[j + D_Y]!;
  if (!prepareHingeSpring(values, j, j + K)) values[j + SPRING_IMPULSE] = 0;
  vector[0] = vector[1] = 0;
  vector[2] = values[j + SPRING_IMPULSE]!;
  applyImpulse(values, j, ints[i + JointInt.BODY_A]!, ints[i + JointInt.BODY_B]!);
}

function solveSpring({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE, i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  const spring = j + HINGE_SPRING;
  const old = values[j + SPRING_IMPULSE]!;
  const dvx = bodies[b + Body.VX]! - bodies[a + Body.VX]!;
  const dvy = bodies[b + Body.VY]! - bodies[a + Body.VY]!;
  const speed = (values[j + AXIS_X]! * dvx + values[j + AXIS_Y]! * dvy) +
    values[j + A2]! * bodies[b + Body.SPIN]! - values[j + A1]! * bodies[a + Body.SPIN]!;
  const change = -values[spring + Spring.MASS]! *
    (speed + values[spring + Spring.BIAS]! + values[spring + Spring.GAMMA]! * old);
  values[j + SPRING_IMPULSE] = old + change;
  vector[0] = vector[1] = 0;
  vector[2] = change;
  applyImpulse(values, j, a, b);
}

function prepare(rows: JointRows, joint: number): void {
  const { values, ints } = rows;
  const j = joint * JointValue.STRIDE, i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  computeSlide(values, j, j + LOCAL_AXIS_X, a, b);
  computeMatrix(values, j, a, b);
  const k33 = values[j + K + Matrix.K33]!;
  values[j + MOTOR_MASS] = k33 > 0 ? 1 / k33 : k33;
  if ((ints[i + JointInt.FLAGS]! & JointFlag.MOTOR_ON) === 0) values[j + MOTOR_IMPULSE] = 0;
  if ((ints[i + JointInt.FLAGS]! & JointFlag.LIMIT_ON) === 0) {
    ints[i + JointInt.LIMIT_SIDE] = LimitSide.OFF;
    values[j + IMPULSE_Z] = 0;
  } else {
    const translation = values[j + AXIS_X]! * values[j + D_X]! +
      values[j + AXIS_Y]! * values[j + D_Y]!;
    prepareLimits(rows, joint, translation, LIMITS);
  }
  warmStart(values, j, a, b);
}

function computeMatrix(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const mass = bodies[a + Body.INVERSE_MASS]! + bodies[b + Body.INVERSE_MASS]!;
  const iA = bodies[a + Body.INVERSE_INERTIA]!;
  const iB = bodies[b + Body.INVERSE_INERTIA]!;
  const inertia = iA + iB;
  const a1 = values[j + A1]!;
  const a2 = values[j + A2]!;
  const s1 = values[j + S1]!;
  const s2 = values[j + S2]!;
  values[j + K + Matrix.K11] = mass + iA * s1 * s1 + iB * s2 * s2;
  values[j + K + Matrix.K12] = iA * s1 + iB * s2;
  values[j + K + Matrix.K13] = iA * s1 * a1 + iB * s2 * a2;
  values[j + K + Matrix.K22] = inertia === 0 ? 1 : inertia; // bodies that do not turn
  values[j + K + Matrix.K23] = iA * a1 + iB * a2;
  values[j + K + Matrix.K33] = mass + iA * a1 * a1 + iB * a2 * a2;
  prepare22(values, j + K);
  prepare33(values, j + K);
}

function warmStart(values: Float64Array, j: number, a: number, b: number): void {
  vector[0] = values[j + IMPULSE_X]!;
  vector[1] = values[j + IMPULSE_Y]!;
  vector[2] = values[j + MOTOR_IMPULSE]! + values[j + IMPULSE_Z]!;
  applyImpulse(values, j, a, b);
}

/**
 * Changes the velocities by the impulse in `vector`: across the axis, against rotation, along the
 * axis.
 */
function applyImpulse(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const x = vector[0]!;
  const y = vector[1]!;
  const z = vector[2]!;
  const axisX = values[j + AXIS_X]!, axisY = values[j + AXIS_Y]!;
  const px = x * -axisY + z * axisX, py = x * axisX + z * axisY;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! -= mA * px;
  bodies[a + Body.VY]! -= mA * py;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! *
    (x * values[j + S1]! + y + z * values[j + A1]!);
  bodies[b + Body.VX]! += mB * px;
  bodies[b + Body.VY]! += mB * py;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! *
    (x * values[j + S2]! + y + z * values[j + A2]!);
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const side = ints[i + JointInt.LIMIT_SIDE]!;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  if ((ints[i + JointInt.FLAGS]! & JointFlag.MOTOR_ON) !== 0 && side !== LimitSide.EQUAL) {
    solveMotor(values, j, a, b);
  }

  if (side === LimitSide.OFF) solveSlide(values, j, a, b);
  else if (side === LimitSide.EQUAL) solveSlideAndLimit(values, j, a, b, side);
  else solveSlideAndLimits(values, j, a, b, side);
}

/** impulse := clamp( old + mass · (speed − relative speed along the axis), ± h · motorMax ) */
function solveMotor(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies, step } = solverScratch;
  const axisX = values[j + AXIS_X]!;
  const axisY = values[j + AXIS_Y]!;
  const max = step[Step.LENGTH_S]! * values[j + JointValue.MOTOR_MAX]!;
  const old = values[j + MOTOR_IMPULSE]!;
  const dvx = bodies[b + Body.VX]! - bodies[a + Body.VX]!;
  const dvy = bodies[b + Body.VY]! - bodies[a + Body.VY]!;
  const speed = (axisX * dvx + axisY * dvy) + values[j + A2]! * bodies[b + Body.SPIN]! -
    values[j + A1]! * bodies[a + Body.SPIN]!;
  const wanted = old + values[j + MOTOR_MASS]! * (values[j + MOTOR_SPEED]! - speed);
  const bounded = wanted < -max ? -max : wanted > max ? max : wanted;
  const impulse = bounded - old;
  values[j + MOTOR_IMPULSE] = bounded;
  const px = impulse * axisX, py = impulse * axisY;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! -= mA * px;
  bodies[a + Body.VY]! -= mA * py;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! * (impulse * values[j + A1]!);
  bodies[b + Body.VX]! += mB * px;
  bodies[b + Body.VY]! += mB * py;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! * (impulse * values[j + A2]!);
}

function solveSlide(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const perpX = -values[j + AXIS_Y]!;
  const perpY = values[j + AXIS_X]!;
  const s1 = values[j + S1]!;
  const s2 = values[j + S2]!;
  const spinA = bodies[a + Body.SPIN]!;
  const spinB = bodies[b + Body.SPIN]!;

  // The impulse that stops motion across the axis, and turns
  vector[0] = -((perpX * bodies[b + Body.VX]! + perpY * bodies[b + Body.VY]! + s2 * spinB) -
    (perpX * bodies[a + Body.VX]! + perpY * bodies[a + Body.VY]! + s1 * spinA));
  vector[1] = -(spinB - spinA);
  solve22(values, j + K);

  const x = vector[0]!;
  const y = vector[1]!;
  const px = x * perpX;
  const py = x * perpY;
  values[j + IMPULSE_X]! += x;
  values[j + IMPULSE_Y]! += y;

  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! -= mA * px;
  bodies[a + Body.VY]! -= mA * py;
  bodies[a + Body.SPIN] = spinA - bodies[a + Body.INVERSE_INERTIA]! * (x * s1 + y);
  bodies[b + Body.VX]! += mB * px;
  bodies[b + Body.VY]! += mB * py;
  bodies[b + Body.SPIN] = spinB + bodies[b + Body.INVERSE_INERTIA]! * (x * s2 + y);
}

/**
 * One limit at most acts at a time: the one that acts already, or else the one that is reached, or
 * else the one that this step would go beyond.
 */
function solveSlideAndLimits(
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
  if (side === LimitSide.FREE) solveSlide(values, j, a, b);
  else {
    solveSlideAndLimit(values, j, a, b, side);
    if (values[j + IMPULSE_Z] !== 0) return;
  }

  const dvx = bodies[b + Body.VX]! - bodies[a + Body.VX]!;
  const dvy = bodies[b + Body.VY]! - bodies[a + Body.VY]!;
  const speed = (values[j + AXIS_X]! * dvx + values[j + AXIS_Y]! * dvy) +
    values[j + A2]! * bodies[b + Body.SPIN]! - values[j + A1]! * bodies[a + Body.SPIN]!;
  let beyond = LimitSide.FREE;
  if (speed < values[j + LEAST_SPEED]!) beyond = LimitSide.LOWER;
  else if (speed > values[j + MOST_SPEED]!) beyond = LimitSide.UPPER;
  if (beyond !== LimitSide.FREE && beyond !== side) solveSlideAndLimit(values, j, a, b, beyond);
}

/** A limit only pushes: its impulse is clamped, and the other two rows are solved again with it. */
function solveSlideAndLimit(
  values: Float64Array,
  j: number,
  a: number,
  b: number,
  side: number,
): void {
  const { bodies } = solverScratch;
  const axisX = values[j + AXIS_X]!;
  const axisY = values[j + AXIS_Y]!;
  const vAx = bodies[a + Body.VX]!;
  const vAy = bodies[a + Body.VY]!;
  const vBx = bodies[b + Body.VX]!;
  const vBy = bodies[b + Body.VY]!;
  const spinA = bodies[a + Body.SPIN]!;
  const spinB = bodies[b + Body.SPIN]!;

  // Relative motion across the axis, of turning, and along the axis
  const cx = (-axisY * vBx + axisX * vBy + values[j + S2]! * spinB) -
    (-axisY * vAx + axisX * vAy + values[j + S1]! * spinA);
  const cy = spinB - spinA;
  const cz = (axisX * vBx + axisY * vBy + values[j + A2]! * spinB) -
    (axisX * vAx + axisY * vAy + values[j + A1]! * spinA);

  // All three at once
  const oldX = values[j + IMPULSE_X]!;
  const oldY = values[j + IMPULSE_Y]!;
  const oldZ = values[j + IMPULSE_Z]!;
  vector[0] = -cx;
  vector[1] = -cy;
  vector[2] = -cz;
  if (side === LimitSide.LOWER) vector[2]! += values[j + LEAST_SPEED]!;
  else if (side === LimitSide.UPPER) vector[2]! += values[j + MOST_SPEED]!;
  solve33(values, j + K);

  // A limit only pushes
  const wanted = oldZ + vector[2]!;
  let z = wanted;
  if (side === LimitSide.LOWER) z = Math.max(wanted, 0);
  else if (side === LimitSide.UPPER) z = Math.min(wanted, 0);
  const dz = z - oldZ;

  // The other two again, with the limit's impulse
  vector[0] = -cx + -dz * values[j + K + Matrix.K13]!;
  vector[1] = -cy + -dz * values[j + K + Matrix.K23]!;
  solve22(values, j + K);
  const x = vector[0]! + oldX, y = vector[1]! + oldY;

  // Keep them, and apply what is new
  values[j + IMPULSE_X] = x;
  values[j + IMPULSE_Y] = y;
  values[j + IMPULSE_Z] = z;
  vector[0] = x - oldX;
  vector[1] = y - oldY;
  vector[2] = dz;
  applyImpulse(values, j, a, b);
}

function solvePosition({ values, ints }: JointRows, joint: number): boolean {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;

  // Where the two are
  computeSlide(values, j, j + LOCAL_AXIS_X, a, b);
  computeMatrix(values, j, a, b);
  const axisX = values[j + AXIS_X]!;
  const axisY = values[j + AXIS_Y]!;
  const dx = values[j + D_X]!;
  const dy = values[j + D_Y]!;
  const across = -axisY * dx + axisX * dy;
  const turn = bodies[b + Body.ANGLE]! - bodies[a + Body.ANGLE]! - values[j + REFERENCE]!;

  // The correction, which may include the limit
  vector[0] = -across;
  vector[1] = -turn;
  let error = Math.abs(across);
  if (ints[i + JointInt.LIMIT_SIDE] !== LimitSide.OFF && isBeyondLimit(values, j)) {
    error = Math.max(error, values[j + LIMIT_ERROR]!);
    solve33(values, j + K);
  } else {
    solve22(values, j + K);
    vector[2] = 0;
  }

  const x = vector[0]!;
  const y = vector[1]!;
  const z = vector[2]!;
  const px = x * -axisY + z * axisX, py = x * axisX + z * axisY;

  // Move both
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.CENTER_X]! -= mA * px;
  bodies[a + Body.CENTER_Y]! -= mA * py;
  bodies[a + Body.ANGLE]! -= bodies[a + Body.INVERSE_INERTIA]! *
    (x * values[j + S1]! + y + z * values[j + A1]!);
  bodies[b + Body.CENTER_X]! += mB * px;
  bodies[b + Body.CENTER_Y]! += mB * py;
  bodies[b + Body.ANGLE]! += bodies[b + Body.INVERSE_INERTIA]! *
    (x * values[j + S2]! + y + z * values[j + A2]!);

  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);
  return error <= LINEAR_SLOP && Math.abs(turn) <= ANGULAR_SLOP;
}

/**
 * Writes the correction along the axis to `vector`, bounded, and the error to the row. A single
 * limit keeps a little of the error, so that it stays reached.
 * @returns whether the joint is at a limit
 */
function isBeyondLimit(values: Float64Array, j: number): boolean {
  const translation = values[j + AXIS_X]! * values[j + D_X]! +
    values[j + AXIS_Y]! * values[j + D_Y]!;
  const lower = values[j + JointValue.LOWER]!;
  const upper = values[j + JointValue.UPPER]!;
  const max = MAX_LINEAR_CORRECTION;

  let correction: number;
  if (Math.abs(upper - lower) < 2 * LINEAR_SLOP) {
    // planck and Box2D before 2.4 return to 0 and not to the limit.
    const wanted = translation - lower;
    values[j + LIMIT_ERROR] = Math.abs(wanted);
    correction = wanted < -max ? -max : wanted > max ? max : wanted;
  } else if (translation <= lower) {
    const wanted = translation - lower + LINEAR_SLOP;
    values[j + LIMIT_ERROR] = lower - translation;
    correction = wanted < -max ? -max : wanted > 0 ? 0 : wanted;
  } else if (translation >= upper) {
    const wanted = translation - upper - LINEAR_SLOP;
    values[j + LIMIT_ERROR] = translation - upper;
    correction = wanted < 0 ? 0 : wanted > max ? max : wanted;
  } else return false;

  vector[2] = -correction;
  return true;
}
