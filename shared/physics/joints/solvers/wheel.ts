/**
 * The wheel joint: b moves along an axis that is fixed in a, on a spring if it has one, and turns
 * freely unless a motor acts. After b2WheelJoint of Box2D 2.3 and in the operations of planck
 * 1.5.0. With the symbols of `slide_axis.ts`:
 *
 *     C1 = perp · d = 0        C2 = axis · d = 0  (soft)        C3 = spinB − spinA − speed = 0  (motor)
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
import { JointFlag, JointInt, type JointRows, JointValue } from "../joint_rows.ts";
import { solverScratch, Step } from "../../dynamics/solver_scratch.ts";
import { prepareSpring, Spring } from "./spring.ts";
import { ANCHOR_MAXIMA, ANCHORS, IMPULSE_MAX, type JointForm } from "../joint_form.ts";
import { LINEAR_SLOP } from "../../core/tuning.ts";
import { SPIN_MAX } from "../../core/limits.ts";
import { updateTransformAt } from "../../core/body_transform.ts";

/** Lasting values; the axis is a unit vector in a's frame. */
const LOCAL_AXIS_X = JointValue.TYPE_VALUES;
const IMPULSE = 6;
const SPRING_IMPULSE = 7;
const MOTOR_IMPULSE = 8;
const MOTOR_SPEED = 9;
/** Values of one world step: the axis; effective masses; the spring. */
const MASS = JointValue.STEP_VALUES + SLIDE_VALUES;
const MOTOR_MASS = MASS + 1;
const SPRING = MASS + 2;
/**
 * The cross products with perp at the beginning of the step: planck's correction of positions has
 * their mass.
 */
const START_S1 = SPRING + Spring.STRIDE;
const START_S2 = START_S1 + 1;

/** The type `wheel`, for `jointsOf`. */
export const WHEEL: JointForm = {
  type: "wheel",
  parts: ["motor", "spring"],
  driven: true,
  moves: "one",
  names: [...ANCHORS, "axis.x", "axis.y", "impulse", "springImpulse", "motorImpulse", "motorSpeed"],
  maxima: [...ANCHOR_MAXIMA, 1, 1, IMPULSE_MAX, IMPULSE_MAX, IMPULSE_MAX, SPIN_MAX],
  referenceAt: -1,
  motorSpeedAt: MOTOR_SPEED,
  limitImpulseAt: -1,
  isSound: (values, at) => isUnit(values, at + LOCAL_AXIS_X),
  impulse(values, at) {
    const across = values[at + IMPULSE]!;
    const along = values[at + SPRING_IMPULSE]!;
    return Math.sqrt(across * across + along * along);
  },
  twist: (values, at) => values[at + MOTOR_IMPULSE]!,
  prepare,
  solveVelocity,
  solvePosition,
};

function prepare({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;

  computeSlide(values, j, j + LOCAL_AXIS_X, a, b);
  values[j + START_S1] = values[j + S1]!;
  values[j + START_S2] = values[j + S2]!;

  const masses = bodies[a + Body.INVERSE_MASS]! + bodies[b + Body.INVERSE_MASS]!;
  const iA = bodies[a + Body.INVERSE_INERTIA]!, iB = bodies[b + Body.INVERSE_INERTIA]!;
  const s1 = values[j + S1]!;
  const s2 = values[j + S2]!;
  const a1 = values[j + A1]!;
  const a2 = values[j + A2]!;

  // Across the axis
  const across = masses + iA * s1 * s1 + iB * s2 * s2;
  values[j + MASS] = across > 0 ? 1 / across : 0;

  // The spring along it
  if (values[j + JointValue.FREQUENCY_HZ]! > 0) {
    const along = masses + iA * a1 * a1 + iB * a2 * a2;
    values[j + SPRING + Spring.INVERSE] = along;
    values[j + SPRING + Spring.MASS] = 1 / along;
    values[j + SPRING + Spring.BIAS] = values[j + D_X]! * values[j + AXIS_X]! +
      values[j + D_Y]! * values[j + AXIS_Y]!;
    prepareSpring(values, j, j + SPRING);
  } else values[j + SPRING_IMPULSE] = 0;

  // The motor
  const inertia = iA + iB;
  const isOn = (ints[i + JointInt.FLAGS]! & JointFlag.MOTOR_ON) !== 0;
  values[j + MOTOR_MASS] = isOn && inertia > 0 ? 1 / inertia : 0;
  if (!isOn) values[j + MOTOR_IMPULSE] = 0;
  warmStart(values, j, a, b);
}

function warmStart(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const axisX = values[j + AXIS_X]!;
  const axisY = values[j + AXIS_Y]!;
  const across = values[j + IMPULSE]!;
  const along = values[j + SPRING_IMPULSE]!;
  const motor = values[j + MOTOR_IMPULSE]!;
  const px = across * -axisY + along * axisX, py = across * axisX + along * axisY;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! -= mA * px;
  bodies[a + Body.VY]! -= mA * py;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! *
    (across * values[j + S1]! + along * values[j + A1]! + motor);
  bodies[b + Body.VX]! += mB * px;
  bodies[b + Body.VY]! += mB * py;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! *
    (across * values[j + S2]! + along * values[j + A2]! + motor);
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const j = joint * JointValue.STRIDE, i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  if (values[j + JointValue.FREQUENCY_HZ]! > 0) solveSpring(values, j, a, b);
  if ((ints[i + JointInt.FLAGS]! & JointFlag.MOTOR_ON) !== 0) solveMotor(values, j, a, b);
  solveAcross(values, j, a, b);
}

/** impulse := old − m · (speed along the axis + bias + gamma · old) */
function solveSpring(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const axisX = values[j + AXIS_X]!;
  const axisY = values[j + AXIS_Y]!;
  const a1 = values[j + A1]!;
  const a2 = values[j + A2]!;
  const old = values[j + SPRING_IMPULSE]!;
  const speed = (axisX * bodies[b + Body.VX]! + axisY * bodies[b + Body.VY]!) -
    (axisX * bodies[a + Body.VX]! + axisY * bodies[a + Body.VY]!) + a2 * bodies[b + Body.SPIN]! -
    a1 * bodies[a + Body.SPIN]!;
  const change = -values[j + SPRING + Spring.MASS]! *
    (speed + values[j + SPRING + Spring.BIAS]! + values[j + SPRING + Spring.GAMMA]! * old);
  values[j + SPRING_IMPULSE] = old + change;
  const px = change * axisX, py = change * axisY;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! -= mA * px;
  bodies[a + Body.VY]! -= mA * py;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! * (change * a1);
  bodies[b + Body.VX]! += mB * px;
  bodies[b + Body.VY]! += mB * py;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! * (change * a2);
}

/** impulse := clamp( old − mass · (spinB − spinA − speed), ± h · motorMax ) */
function solveMotor(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies, step } = solverScratch;
  const max = step[Step.LENGTH_S]! * values[j + JointValue.MOTOR_MAX]!;
  const old = values[j + MOTOR_IMPULSE]!;
  const wanted = old +
    -values[j + MOTOR_MASS]! *
      (bodies[b + Body.SPIN]! - bodies[a + Body.SPIN]! - values[j + MOTOR_SPEED]!);
  const bounded = wanted < -max ? -max : wanted > max ? max : wanted;
  const change = bounded - old;
  values[j + MOTOR_IMPULSE] = bounded;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! * change;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! * change;
}

function solveAcross(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const perpX = -values[j + AXIS_Y]!;
  const perpY = values[j + AXIS_X]!;
  const s1 = values[j + S1]!, s2 = values[j + S2]!;
  const speed = (perpX * bodies[b + Body.VX]! + perpY * bodies[b + Body.VY]!) -
    (perpX * bodies[a + Body.VX]! + perpY * bodies[a + Body.VY]!) + s2 * bodies[b + Body.SPIN]! -
    s1 * bodies[a + Body.SPIN]!;
  const change = -values[j + MASS]! * speed;
  const px = change * perpX;
  const py = change * perpY;
  values[j + IMPULSE]! += change;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! -= mA * px;
  bodies[a + Body.VY]! -= mA * py;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! * (change * s1);
  bodies[b + Body.VX]! += mB * px;
  bodies[b + Body.VY]! += mB * py;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! * (change * s2);
}

/** The spring needs no correction of positions. */
function solvePosition({ values, ints }: JointRows, joint: number): boolean {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;

  // How far the anchor is off the axis
  computeSlide(values, j, j + LOCAL_AXIS_X, a, b);
  const perpX = -values[j + AXIS_Y]!, perpY = values[j + AXIS_X]!;
  const error = values[j + D_X]! * perpX + values[j + D_Y]! * perpY;

  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  const iA = bodies[a + Body.INVERSE_INERTIA]!, iB = bodies[b + Body.INVERSE_INERTIA]!;
  const s1 = values[j + START_S1]!;
  const s2 = values[j + START_S2]!;
  const inverse = mA + mB + iA * s1 * s1 + iB * s2 * s2;
  const impulse = inverse !== 0 ? -error / inverse : 0;

  const px = impulse * perpX;
  const py = impulse * perpY;
  bodies[a + Body.CENTER_X]! -= mA * px;
  bodies[a + Body.CENTER_Y]! -= mA * py;
  bodies[a + Body.ANGLE]! -= iA * (impulse * values[j + S1]!);
  bodies[b + Body.CENTER_X]! += mB * px;
  bodies[b + Body.CENTER_Y]! += mB * py;
  bodies[b + Body.ANGLE]! += iB * (impulse * values[j + S2]!);

  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);
  return Math.abs(error) <= LINEAR_SLOP;
}
