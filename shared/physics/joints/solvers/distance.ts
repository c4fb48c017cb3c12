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
  INVERSE as SPRING,
  MASS,
  measureAxis,
  scaleAxis,
  U_X,
  U_Y,
} from "./anchor_axis.ts";
import { Body } from "../../core/body_rows.ts";
import { JointInt, type JointRows, JointValue } from "../joint_rows.ts";
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
import { solverScratch } from "../../dynamics/solver_scratch.ts";

/** Lasting values. */
const LENGTH = JointValue.TYPE_VALUES;
const IMPULSE = 5;

export const DISTANCE: JointForm = {
  parts: ["spring"],
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
  if (values[j + DISTANCE_NOW]! > LINEAR_SLOP) scaleAxis(values, j);
  else values[j + U_X] = values[j + U_Y] = 0;
  computeMass(values, j, a, b);
  if (values[j + JointValue.FREQUENCY_HZ]! > 0) {
    values[j + SPRING + Spring.BIAS] = values[j + DISTANCE_NOW]! - values[j + LENGTH]!;
    prepareSpring(values, j, j + SPRING);
  } else prepareRigid(values, j + SPRING);
  values[j + CHANGE] = values[j + IMPULSE]!;
  changeVelocities(values, j, a, b);
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
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
  const speed = (ux * pointBx + uy * pointBy) - (ux * pointAx + uy * pointAy);
  const old = values[j + IMPULSE]!;
  const change = -values[j + MASS]! *
    (speed + values[j + SPRING + Spring.BIAS]! + values[j + SPRING + Spring.GAMMA]! * old);
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
