/**
 * The rope joint: the anchors may not be farther apart than its length, after b2RopeJoint of Box2D
 * 2.3 and in the operations of planck 1.5.0. With the symbols of `anchor_axis.ts`:
 *
 *     C = |d| − length ≤ 0        impulse := min( 0, old − mass · (u · (vpB − vpA) + min( C, 0 ) / h) )
 */
import * as axisLayout from "./anchor_axis.ts";
import * as bodyLayout from "../../core/body_rows.ts";
import * as jointLayout from "../joint_rows.ts";
import * as solverLayout from "../../dynamics/solver_scratch.ts";
import * as tuning from "../../core/tuning.ts";
import {
  ANCHOR_MAXIMA,
  ANCHORS,
  IMPULSE_MAX,
  type JointForm,
  LENGTH_MAX,
  LENGTH_MIN,
} from "../joint_form.ts";
import {
  changePoses,
  changeVelocities,
  computeMass,
  measureAxis,
  scaleAxis,
} from "./anchor_axis.ts";
import type { JointRows } from "../joint_rows.ts";
import { solverScratch } from "../../dynamics/solver_scratch.ts";

/** Local copies: V8 inlines a module's own constants but reads imported ones each time. */
const { VX, VY, SPIN } = bodyLayout;
const { R_AX, R_AY, R_BX, R_BY, TYPE_VALUES, JOINT_VALUES } = jointLayout;
const { JOINT_BODY_A, JOINT_BODY_B, JOINT_INTS } = jointLayout;
const { U_X, U_Y, DISTANCE_NOW, CHANGE, MASS } = axisLayout;
const { STEPS_PER_S } = solverLayout;
const { LINEAR_SLOP, MAX_LINEAR_CORRECTION, EPSILON } = tuning;

/** Lasting values. */
const LENGTH = TYPE_VALUES;
const IMPULSE = 5;

export const ROPE: JointForm = {
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
  const j = joint * JOINT_VALUES;
  const i = joint * JOINT_INTS;
  const a = ints[i + JOINT_BODY_A]!;
  const b = ints[i + JOINT_BODY_B]!;
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
  const j = joint * JOINT_VALUES;
  const i = joint * JOINT_INTS;
  const a = ints[i + JOINT_BODY_A]!;
  const b = ints[i + JOINT_BODY_B]!;
  const ux = values[j + U_X]!;
  const uy = values[j + U_Y]!;
  const spinA = bodies[a + SPIN]!;
  const spinB = bodies[b + SPIN]!;
  const pointAx = bodies[a + VX]! - spinA * values[j + R_AY]!;
  const pointAy = bodies[a + VY]! + spinA * values[j + R_AX]!;
  const pointBx = bodies[b + VX]! - spinB * values[j + R_BY]!;
  const pointBy = bodies[b + VY]! + spinB * values[j + R_BX]!;
  const error = values[j + DISTANCE_NOW]! - values[j + LENGTH]!;
  const old = values[j + IMPULSE]!;
  let speed = ux * (pointBx - pointAx) + uy * (pointBy - pointAy);
  if (error < 0) speed += step[STEPS_PER_S]! * error;
  const impulse = Math.min(0, old + -values[j + MASS]! * speed);
  values[j + IMPULSE] = impulse;
  values[j + CHANGE] = impulse - old;
  changeVelocities(values, j, a, b);
}

function solvePosition({ values, ints }: JointRows, joint: number): boolean {
  const j = joint * JOINT_VALUES;
  const i = joint * JOINT_INTS;
  const a = ints[i + JOINT_BODY_A]!;
  const b = ints[i + JOINT_BODY_B]!;
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
