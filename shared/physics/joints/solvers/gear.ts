/**
 * The gear: it couples two joints, each revolute or prismatic. A joint's coordinate is its angle or
 * its translation. After b2GearJoint of Box2D and in the operations of planck 1.5.0:
 *
 *     C = coordinate of the first joint + ratio · coordinate of the second joint − constant = 0
 *
 * Its bodies a and b are the b's of the two joints, and must be dynamic. The bodies c and d are the
 * a's of the joints. All four are in one island, because the joints connect them. Anchors, axes and
 * reference angles are those of the joints' own rows.
 */
import { Body } from "../../core/body_rows.ts";
import { GEAR_CONSTANT, JointFlag, JointInt, type JointRows, JointValue } from "../joint_rows.ts";
import { IMPULSE_MAX, type JointForm } from "../joint_form.ts";
import { LOCAL_AXIS_X, LOCAL_AXIS_Y } from "./prismatic.ts";
import { REFERENCE } from "./revolute.ts";
import { solverScratch } from "../../dynamics/solver_scratch.ts";
import { updateTransformAt } from "../../core/body_transform.ts";

/**
 * Radians or metres, weighted by the ratio: two coordinates at their bounds with the largest ratio.
 */
const CONSTANT_MAX = 1e9;

/** Lasting values. */
const IMPULSE = 1;
/**
 * Values of one world step: for each joint the direction of its linear part, its lever arms on b
 * and a, its effective inverse mass, and its coordinate. All but the coordinate have the ratio.
 */
const FIRST = JointValue.STEP_VALUES;
const SIDE_VALUES = 6;
const SECOND = FIRST + SIDE_VALUES;
const J_X = 0;
const J_Y = 1;
const LEVER_B = 2;
const LEVER_A = 3;
const INVERSE = 4;
const COORDINATE = 5;
/** The effective mass, and the impulse to apply. */
const MASS = SECOND + SIDE_VALUES;
const CHANGE = MASS + 1;

/** The type `gear`, for `jointsOf`. */
export const GEAR: JointForm = {
  type: "gear",
  parts: [],
  driven: false,
  moves: "both",
  names: ["constant", "impulse"],
  maxima: [CONSTANT_MAX, IMPULSE_MAX],
  referenceAt: -1,
  motorSpeedAt: -1,
  limitImpulseAt: -1,
  isSound: () => true,
  impulse: (values, at) => Math.abs(values[at + IMPULSE]!),
  twist: (values, at) => values[at + IMPULSE]!,
  prepare,
  solveVelocity,
  solvePosition,
};

function prepare(rows: JointRows, joint: number): void {
  const { values, ints } = rows;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  measure(rows, joint);
  values[j + CHANGE] = values[j + IMPULSE]!;
  changeVelocities(values, j, ints, ints[i + JointInt.FIRST_JOINT]! * JointInt.STRIDE, FIRST);
  changeVelocities(values, j, ints, ints[i + JointInt.SECOND_JOINT]! * JointInt.STRIDE, SECOND);
}

/** Computes both sides and the mass from the present poses. */
function measure({ values, ints }: JointRows, joint: number): void {
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const flags = ints[i + JointInt.FLAGS]!;
  const first = ints[i + JointInt.FIRST_JOINT]!;
  const second = ints[i + JointInt.SECOND_JOINT]!;
  if ((flags & JointFlag.FIRST_SLIDES) === 0) measureTurn(values, j + FIRST, ints, first);
  else measureSlide(values, j + FIRST, ints, first, false);
  if ((flags & JointFlag.SECOND_SLIDES) === 0) measureTurn(values, j + SECOND, ints, second);
  else measureSlide(values, j + SECOND, ints, second, true);
  weightSecond(values, j, ints, second, (flags & JointFlag.SECOND_SLIDES) !== 0);
  const inverse = values[j + FIRST + INVERSE]! + values[j + SECOND + INVERSE]!;
  values[j + MASS] = inverse > 0 ? 1 / inverse : 0;
}

/** The side of a revolute joint. @param at index of the side @param joint the revolute's row */
function measureTurn(values: Float64Array, at: number, ints: Int32Array, joint: number): void {
  const { bodies } = solverScratch;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  values[at + J_X] = values[at + J_Y] = 0;
  values[at + LEVER_B] = values[at + LEVER_A] = 1;
  values[at + INVERSE] = bodies[b + Body.INVERSE_INERTIA]! + bodies[a + Body.INVERSE_INERTIA]!;
  values[at + COORDINATE] = bodies[b + Body.ANGLE]! - bodies[a + Body.ANGLE]! -
    values[joint * JointValue.STRIDE + REFERENCE]!;
}

/**
 * The side of a prismatic joint.
 * @param at index of the side
 * @param joint the prismatic's row
 * @param isSecond planck rounds the coordinate of the second joint otherwise
 */
function measureSlide(
  values: Float64Array,
  at: number,
  ints: Int32Array,
  joint: number,
  isSecond: boolean,
): void {
  const { bodies } = solverScratch;
  const i = joint * JointInt.STRIDE;
  const j = joint * JointValue.STRIDE;

  // The axis and the arms in the world
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  const cosA = bodies[a + Body.COS]!;
  const sinA = bodies[a + Body.SIN]!;
  const cosB = bodies[b + Body.COS]!;
  const sinB = bodies[b + Body.SIN]!;

  const axisX = values[j + LOCAL_AXIS_X]!, axisY = values[j + LOCAL_AXIS_Y]!;
  const ax = values[j + JointValue.ANCHOR_AX]! - bodies[a + Body.LOCAL_CENTER_X]!;
  const ay = values[j + JointValue.ANCHOR_AY]! - bodies[a + Body.LOCAL_CENTER_Y]!;
  const bx = values[j + JointValue.ANCHOR_BX]! - bodies[b + Body.LOCAL_CENTER_X]!;
  const by = values[j + JointValue.ANCHOR_BY]! - bodies[b + Body.LOCAL_CENTER_Y]!;
  const ux = cosA * axisX - sinA * axisY, uy = sinA * axisX + cosA * axisY;
  const rAx = cosA * ax - sinA * ay, rAy = sinA * ax + cosA * ay;
  const rBx = cosB * bx - sinB * by, rBy = sinB * bx + cosB * by;

  const leverA = rAx * uy - rAy * ux;
  const leverB = rBx * uy - rBy * ux;
  values[at + J_X] = ux;
  values[at + J_Y] = uy;
  values[at + LEVER_A] = leverA;
  values[at + LEVER_B] = leverB;
  values[at + INVERSE] = bodies[a + Body.INVERSE_MASS]! + bodies[b + Body.INVERSE_MASS]! +
    bodies[a + Body.INVERSE_INERTIA]! * leverA * leverA +
    bodies[b + Body.INVERSE_INERTIA]! * leverB * leverB;

  // The coordinate along the axis
  const dx = rBx + (bodies[b + Body.CENTER_X]! - bodies[a + Body.CENTER_X]!);
  const dy = rBy + (bodies[b + Body.CENTER_Y]! - bodies[a + Body.CENTER_Y]!);
  const localX = cosA * dx + sinA * dy, localY = -sinA * dx + cosA * dy;
  values[at + COORDINATE] = isSecond
    ? (localX * axisX + localY * axisY) - (ax * axisX + ay * axisY)
    : (localX - ax) * axisX + (localY - ay) * axisY;
}

/** Multiplies the linear part, the levers and the inverse mass of the second side by the ratio. */
function weightSecond(
  values: Float64Array,
  j: number,
  ints: Int32Array,
  joint: number,
  slides: boolean,
): void {
  const { bodies } = solverScratch;
  const at = j + SECOND;
  const ratio = values[j + JointValue.RATIO]!;
  const i = joint * JointInt.STRIDE;

  values[at + J_X]! *= ratio;
  values[at + J_Y]! *= ratio;
  const leverA = values[at + LEVER_A]! * ratio;
  const leverB = values[at + LEVER_B]! * ratio;
  values[at + LEVER_A] = leverA;
  values[at + LEVER_B] = leverB;

  if (!slides) {
    values[at + INVERSE] = ratio * ratio * values[at + INVERSE]!;
    return;
  }
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  values[at + INVERSE] =
    ratio * ratio * (bodies[a + Body.INVERSE_MASS]! + bodies[b + Body.INVERSE_MASS]!) +
    bodies[a + Body.INVERSE_INERTIA]! * leverA * leverA +
    bodies[b + Body.INVERSE_INERTIA]! * leverB * leverB;
}

/**
 * Changes the velocities of a joint's bodies by `CHANGE`.
 * @param i index of the joint's ints
 * @param side of the gear
 */
function changeVelocities(
  values: Float64Array,
  j: number,
  ints: Int32Array,
  i: number,
  side: number,
): void {
  const { bodies } = solverScratch;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  const at = j + side;
  const change = values[j + CHANGE]!;
  const mA = bodies[a + Body.INVERSE_MASS]! * change;
  const mB = bodies[b + Body.INVERSE_MASS]! * change;
  bodies[b + Body.VX]! += mB * values[at + J_X]!;
  bodies[b + Body.VY]! += mB * values[at + J_Y]!;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! * change * values[at + LEVER_B]!;
  bodies[a + Body.VX]! -= mA * values[at + J_X]!;
  bodies[a + Body.VY]! -= mA * values[at + J_Y]!;
  bodies[a + Body.SPIN]! -= bodies[a + Body.INVERSE_INERTIA]! * change * values[at + LEVER_A]!;
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const first = ints[i + JointInt.FIRST_JOINT]! * JointInt.STRIDE;
  const second = ints[i + JointInt.SECOND_JOINT]! * JointInt.STRIDE;
  const a = ints[first + JointInt.BODY_B]!, c = ints[first + JointInt.BODY_A]!;
  const b = ints[second + JointInt.BODY_B]!, d = ints[second + JointInt.BODY_A]!;
  const acX = values[j + FIRST + J_X]!, acY = values[j + FIRST + J_Y]!;
  const bdX = values[j + SECOND + J_X]!, bdY = values[j + SECOND + J_Y]!;
  const along = (acX * bodies[a + Body.VX]! + acY * bodies[a + Body.VY]!) -
    (acX * bodies[c + Body.VX]! + acY * bodies[c + Body.VY]!) +
    (bdX * bodies[b + Body.VX]! + bdY * bodies[b + Body.VY]!) -
    (bdX * bodies[d + Body.VX]! + bdY * bodies[d + Body.VY]!);
  const turning = values[j + FIRST + LEVER_B]! * bodies[a + Body.SPIN]! -
    values[j + FIRST + LEVER_A]! * bodies[c + Body.SPIN]! +
    (values[j + SECOND + LEVER_B]! * bodies[b + Body.SPIN]! -
      values[j + SECOND + LEVER_A]! * bodies[d + Body.SPIN]!);
  const change = -values[j + MASS]! * (along + turning);
  values[j + IMPULSE]! += change;
  values[j + CHANGE] = change;
  changeVelocities(values, j, ints, first, FIRST);
  changeVelocities(values, j, ints, second, SECOND);
}

/** As in planck, the error never asks for another iteration. */
function solvePosition(rows: JointRows, joint: number): boolean {
  const { values, ints } = rows;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  measure(rows, joint);
  const inverse = values[j + FIRST + INVERSE]! + values[j + SECOND + INVERSE]!;
  const error = values[j + FIRST + COORDINATE]! +
    values[j + JointValue.RATIO]! * values[j + SECOND + COORDINATE]! -
    values[j + GEAR_CONSTANT]!;
  values[j + CHANGE] = inverse > 0 ? -error / inverse : 0;
  changePoses(values, j, ints, ints[i + JointInt.FIRST_JOINT]! * JointInt.STRIDE, FIRST);
  changePoses(values, j, ints, ints[i + JointInt.SECOND_JOINT]! * JointInt.STRIDE, SECOND);
  return true;
}

/**
 * Changes the poses of a joint's bodies by `CHANGE`.
 * @param i index of the joint's ints
 * @param side of the gear
 */
function changePoses(
  values: Float64Array,
  j: number,
  ints: Int32Array,
  i: number,
  side: number,
): void {
  const { bodies } = solverScratch;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  const at = j + side;
  const change = values[j + CHANGE]!;
  const mA = bodies[a + Body.INVERSE_MASS]! * change;
  const mB = bodies[b + Body.INVERSE_MASS]! * change;
  bodies[b + Body.CENTER_X]! += mB * values[at + J_X]!;
  bodies[b + Body.CENTER_Y]! += mB * values[at + J_Y]!;
  bodies[b + Body.ANGLE]! += bodies[b + Body.INVERSE_INERTIA]! * change * values[at + LEVER_B]!;
  bodies[a + Body.CENTER_X]! -= mA * values[at + J_X]!;
  bodies[a + Body.CENTER_Y]! -= mA * values[at + J_Y]!;
  bodies[a + Body.ANGLE]! -= bodies[a + Body.INVERSE_INERTIA]! * change * values[at + LEVER_A]!;
  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);
}
