/**
 * The distance joint: a rod, or a spring, between the two anchors, after b2DistanceJoint of Box2D
 * 2.3 and in the operations of planck 1.5.0. With the symbols of `anchor_axis.ts` and `spring.ts`:
 *
 *     C = |d| − length = 0        impulse := old − m · (u · (vpB − vpA) + bias + gamma · old)
 */
import {
  CHANGE,
  changePoses,
  changeVelocities,
  computeMass,
  DISTANCE_NOW,
  INVERSE,
  MASS,
  measureAxis,
  scaleAxis,
  U_X,
  U_Y,
} from "./anchor_axis.ts";
import { Body } from "../../core/body_rows.ts";
import { JointFlag, JointInt, type JointRows, JointValue } from "../joint_rows.ts";
import { prepareRigid, prepareSpring, Spring } from "./spring.ts";
import { EPSILON, LINEAR_SLOP, MAX_LINEAR_CORRECTION } from "../../core/tuning.ts";
import {
  ANCHOR_MAXIMA,
  ANCHORS,
  IMPULSE_MAX,
  type JointForm,
  LENGTH_MAX,
  LENGTH_MIN,
} from "../joint_form.ts";
import { solverScratch, Step } from "../../dynamics/solver_scratch.ts";

/** Lasting values. */
const LENGTH = JointValue.TYPE_VALUES;
const IMPULSE = 5;
/** Of a joint with limits: >= 0 where the lower one pushes, <= 0 where the upper one pulls. */
const LIMIT_IMPULSE = 6;

const ROD: JointForm = {
  type: "distance",
  parts: ["spring", "limits"],
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

/** Only its limits hold it, and a spring if it has one. */
const LIMITED: JointForm = {
  ...ROD,
  driven: true,
  names: [...ROD.names, "limitImpulse"],
  maxima: [...ROD.maxima, IMPULSE_MAX],
  limitImpulseAt: LIMIT_IMPULSE,
  impulse: (values, at) => Math.abs(values[at + IMPULSE]! + values[at + LIMIT_IMPULSE]!),
  prepare: prepareLimited,
  solveVelocity: solveLimitedVelocity,
  solvePosition: solveLimitedPosition,
};

/** The type `distance`, for `jointsOf`. */
export const DISTANCE: JointForm = { ...ROD, variants: { limits: LIMITED } };

function prepareLimited(rows: JointRows, joint: number): void {
  const { values, ints } = rows;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  if (values[j + JointValue.FREQUENCY_HZ]! <= 0) values[j + IMPULSE] = 0;
  prepare(rows, joint);
  if ((ints[i + JointInt.FLAGS]! & JointFlag.LIMIT_ON) === 0) values[j + LIMIT_IMPULSE] = 0;
  values[j + CHANGE] = values[j + LIMIT_IMPULSE]!;
  changeVelocities(values, j, ints[i + JointInt.BODY_A]!, ints[i + JointInt.BODY_B]!);
}

function solveLimitedVelocity(rows: JointRows, joint: number): void {
  const { values, ints } = rows;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  if (values[j + JointValue.FREQUENCY_HZ]! > 0) solveVelocity(rows, joint);
  if ((ints[i + JointInt.FLAGS]! & JointFlag.LIMIT_ON) === 0) return;

  // Each limit acts before it is reached, if the anchors would be beyond it after this step.
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  const stepsPerS = solverScratch.step[Step.STEPS_PER_S]!;
  const inverse = values[j + INVERSE]!;
  const mass = inverse > 0 ? 1 / inverse : 0;
  const now = values[j + DISTANCE_NOW]!;
  const old = values[j + LIMIT_IMPULSE]!;
  const speed = speedOf(values, j, a, b);
  const aboveLower = Math.max(0, now - values[j + JointValue.LOWER]!) * stepsPerS;
  const belowUpper = Math.max(0, values[j + JointValue.UPPER]! - now) * stepsPerS;
  const push = old - mass * (speed + aboveLower);
  const pull = old - mass * (speed - belowUpper);
  const impulse = Math.max(push, Math.min(0, pull));
  values[j + LIMIT_IMPULSE] = impulse;
  values[j + CHANGE] = impulse - old;
  changeVelocities(values, j, a, b);
}

function solveLimitedPosition({ values, ints }: JointRows, joint: number): boolean {
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  if ((ints[i + JointInt.FLAGS]! & JointFlag.LIMIT_ON) === 0) return true;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  measureAxis(values, j, a, b);
  if (values[j + DISTANCE_NOW]! < EPSILON) values[j + DISTANCE_NOW] = 0;
  else scaleAxis(values, j);
  const now = values[j + DISTANCE_NOW]!;
  const lower = values[j + JointValue.LOWER]!;
  const upper = values[j + JointValue.UPPER]!;
  const error = now < lower ? now - lower : now > upper ? now - upper : 0;
  const max = MAX_LINEAR_CORRECTION;
  const correction = error < -max ? -max : error > max ? max : error;
  const inverse = values[j + INVERSE]!;
  values[j + CHANGE] = inverse > 0 ? -correction / inverse : 0;
  changePoses(values, j, a, b);
  return Math.abs(error) < LINEAR_SLOP;
}

/** The speed at which the anchors part, m/s. */
function speedOf(values: Float64Array, j: number, a: number, b: number): number {
  const { bodies } = solverScratch;
  const ux = values[j + U_X]!;
  const uy = values[j + U_Y]!;
  const spinA = bodies[a + Body.SPIN]!;
  const spinB = bodies[b + Body.SPIN]!;
  const pointAx = bodies[a + Body.VX]! - spinA * values[j + JointValue.R_AY]!;
  const pointAy = bodies[a + Body.VY]! + spinA * values[j + JointValue.R_AX]!;
  const pointBx = bodies[b + Body.VX]! - spinB * values[j + JointValue.R_BY]!;
  const pointBy = bodies[b + Body.VY]! + spinB * values[j + JointValue.R_BX]!;
  return (ux * pointBx + uy * pointBy) - (ux * pointAx + uy * pointAy);
}

function prepare({ values, ints }: JointRows, joint: number): void {
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  measureAxis(values, j, a, b);
  if (values[j + DISTANCE_NOW]! > LINEAR_SLOP) scaleAxis(values, j);
  else values[j + U_X] = values[j + U_Y] = 0;
  computeMass(values, j, a, b);
  if (values[j + JointValue.FREQUENCY_HZ]! > 0) {
    values[j + INVERSE + Spring.BIAS] = values[j + DISTANCE_NOW]! - values[j + LENGTH]!;
    prepareSpring(values, j, j + INVERSE);
  } else prepareRigid(values, j + INVERSE);
  values[j + CHANGE] = values[j + IMPULSE]!;
  changeVelocities(values, j, a, b);
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  const speed = speedOf(values, j, a, b);
  const old = values[j + IMPULSE]!;
  const change = -values[j + MASS]! *
    (speed + values[j + INVERSE + Spring.BIAS]! + values[j + INVERSE + Spring.GAMMA]! * old);
  values[j + IMPULSE] = old + change;
  values[j + CHANGE] = change;
  changeVelocities(values, j, a, b);
}

/** A spring needs no correction of positions. */
function solvePosition({ values, ints }: JointRows, joint: number): boolean {
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  if (values[j + JointValue.FREQUENCY_HZ]! > 0) return true;
  measureAxis(values, j, a, b);
  if (values[j + DISTANCE_NOW]! < EPSILON) values[j + DISTANCE_NOW] = 0;
  else scaleAxis(values, j);
  const error = values[j + DISTANCE_NOW]! - values[j + LENGTH]!;
  const max = MAX_LINEAR_CORRECTION;
  const correction = error < -max ? -max : error > max ? max : error;
  values[j + CHANGE] = -values[j + MASS]! * correction;
  changePoses(values, j, a, b);
  return Math.abs(correction) < LINEAR_SLOP;
}
