/**
 * The rope joint: the anchors may not be farther apart than its length, after b2RopeJoint of Box2D
 * 2.3 and in the operations of planck 1.5.0. With the symbols of `anchor_axis.ts`:
 *
 *     C = |d| − length ≤ 0        impulse := min( 0, old − mass · (u · (vpB − vpA) + min( C, 0 ) / h) )
 */
import {
  CHANGE,
  changePoses,
  changeVelocities,
  computeMass,
  DISTANCE_NOW,
  MASS,
  measureAxis,
  scaleAxis,
  U_X,
  U_Y,
} from "./anchor_axis.ts";
import { Body } from "../../core/body_rows.ts";
import { JointInt, type JointRows, JointValue } from "../joint_rows.ts";
import { solverScratch, Step } from "../../dynamics/solver_scratch.ts";
import { EPSILON, LINEAR_SLOP, MAX_LINEAR_CORRECTION } from "../../core/tuning.ts";
import {
  ANCHOR_MAXIMA,
  ANCHORS,
  IMPULSE_MAX,
  type JointForm,
  LENGTH_MAX,
  LENGTH_MIN,
} from "../joint_form.ts";

/** Lasting values. */
const LENGTH = JointValue.TYPE_VALUES;
const IMPULSE = 5;

/** The type `rope`, for `jointsOf`. */
export const ROPE: JointForm = {
  type: "rope",
  parts: [],
  driven: false,
  moves: "one",
  names: [...ANCHORS, "length", "impulse"],
  maxima: [...ANCHOR_MAXIMA, LENGTH_MAX, IMPULSE_MAX],
  referenceAt: -1,
  motorSpeedAt: -1,
  limitImpulseAt: -1,
  isSound: (values, at) => values[at + LENGTH]! >= LENGTH_MIN,
  impulse: (values, at) => Math.abs(values[at + IMPULSE]!),
  twist: () => 0,
  prepare,
  solveVelocity,
  solvePosition,
};

function prepare({ values, ints }: JointRows, joint: number): void {
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  measureAxis(values, j, a, b);
  if (values[j + DISTANCE_NOW]! <= LINEAR_SLOP) {
    values[j + U_X] =
      values[j + U_Y] =
      values[j + MASS] =
      values[j + IMPULSE] =
        0;
    return;
  }
  scaleAxis(values, j);
  computeMass(values, j, a, b);
  values[j + CHANGE] = values[j + IMPULSE]!;
  changeVelocities(values, j, a, b);
}

/**
 * The impulse also acts before the rope is taut, if the anchors would be too far apart after this
 * step.
 */
function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const { bodies, step } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  const ux = values[j + U_X]!;
  const uy = values[j + U_Y]!;
  const spinA = bodies[a + Body.SPIN]!;
  const spinB = bodies[b + Body.SPIN]!;
  const pointAx = bodies[a + Body.VX]! - spinA * values[j + JointValue.R_AY]!;
  const pointAy = bodies[a + Body.VY]! + spinA * values[j + JointValue.R_AX]!;
  const pointBx = bodies[b + Body.VX]! - spinB * values[j + JointValue.R_BY]!;
  const pointBy = bodies[b + Body.VY]! + spinB * values[j + JointValue.R_BX]!;
  const error = values[j + DISTANCE_NOW]! - values[j + LENGTH]!;
  const old = values[j + IMPULSE]!;
  let speed = ux * (pointBx - pointAx) + uy * (pointBy - pointAy);
  if (error < 0) speed += step[Step.STEPS_PER_S]! * error;
  const impulse = Math.min(0, old + -values[j + MASS]! * speed);
  values[j + IMPULSE] = impulse;
  values[j + CHANGE] = impulse - old;
  changeVelocities(values, j, a, b);
}

function solvePosition({ values, ints }: JointRows, joint: number): boolean {
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  measureAxis(values, j, a, b);
  if (values[j + DISTANCE_NOW]! < EPSILON) values[j + DISTANCE_NOW] = 0;
  else scaleAxis(values, j);
  const error = values[j + DISTANCE_NOW]! - values[j + LENGTH]!;
  const max = MAX_LINEAR_CORRECTION;
  const correction = error < 0 ? 0 : error > max ? max : error;
  values[j + CHANGE] = -values[j + MASS]! * correction;
  changePoses(values, j, a, b);
  return error < LINEAR_SLOP;
}
