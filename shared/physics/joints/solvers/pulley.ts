/**
 * The pulley: a rope over two points of the stage holds the anchors of both bodies. If one side
 * becomes shorter, the other becomes longer, by the ratio. After b2PulleyJoint of Box2D and in the
 * operations of planck 1.5.0:
 *
 *     uA = cA + rA − groundA    uB = cB + rB − groundB        C = length − |uA| − ratio · |uB| = 0
 */
import * as bodyLayout from "../../core/body_rows.ts";
import * as jointLayout from "../joint_rows.ts";
import { ANCHOR_MAXIMA, ANCHORS, computeArms, IMPULSE_MAX, type JointForm } from "../joint_form.ts";
import { LENGTH_MAX, LENGTH_MIN } from "../joint_form.ts";
import type { JointRows } from "../joint_rows.ts";
import { LINEAR_SLOP } from "../../core/tuning.ts";
import { solverScratch } from "../../dynamics/solver_scratch.ts";
import { updateTransformAt } from "../../core/body_transform.ts";

/** Local copies: V8 inlines a module's own constants but reads imported ones each time. */
const { VX, VY, SPIN, INVERSE_MASS, INVERSE_INERTIA, CENTER_X, CENTER_Y, ANGLE } = bodyLayout;
const { RATIO, R_AX, R_AY, R_BX, R_BY, TYPE_VALUES, STEP_VALUES, JOINT_VALUES } = jointLayout;
const { JOINT_BODY_A, JOINT_BODY_B, JOINT_INTS } = jointLayout;

/** Lasting values. The length is |uA| + ratio · |uB|. */
const GROUND_AX = TYPE_VALUES;
const GROUND_AY = 5;
const GROUND_BX = 6;
const GROUND_BY = 7;
const LENGTH = 8;
const IMPULSE = 9;
/**
 * Values of one world step: both unit vectors, their lengths, the effective mass, the impulse to
 * apply.
 */
const U_AX = STEP_VALUES;
const U_AY = U_AX + 1;
const U_BX = U_AX + 2;
const U_BY = U_AX + 3;
const LENGTH_A = U_AX + 4;
const LENGTH_B = U_AX + 5;
const MASS = U_AX + 6;
const CHANGE = U_AX + 7;
/** Metres: a shorter side has no direction. */
const DIRECTED_MIN = 10 * LINEAR_SLOP;

export const PULLEY: JointForm = {
  parts: [],
  driven: false,
  moves: "one",
  names: [...ANCHORS, "groundA.x", "groundA.y", "groundB.x", "groundB.y", "length", "impulse"],
  maxima: [...ANCHOR_MAXIMA, ...ANCHOR_MAXIMA, LENGTH_MAX, IMPULSE_MAX],
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
  measure(values, j, a, b);
  values[j + CHANGE] = values[j + IMPULSE]!;
  changeVelocities(values, j, a, b);
}

/** Computes arms, unit vectors, lengths and mass from the present poses. */
function measure(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const ratio = values[j + RATIO]!;

  computeArms(values, j, bodies, a, b);
  const rAx = values[j + R_AX]!;
  const rAy = values[j + R_AY]!;
  const rBx = values[j + R_BX]!;
  const rBy = values[j + R_BY]!;

  // The ropes, from the ground to the bodies
  const ax = (bodies[a + CENTER_X]! + rAx) - values[j + GROUND_AX]!;
  const ay = (bodies[a + CENTER_Y]! + rAy) - values[j + GROUND_AY]!;
  const bx = (bodies[b + CENTER_X]! + rBx) - values[j + GROUND_BX]!;
  const by = (bodies[b + CENTER_Y]! + rBy) - values[j + GROUND_BY]!;
  const lengthA = Math.sqrt(ax * ax + ay * ay);
  const lengthB = Math.sqrt(bx * bx + by * by);
  const scaleA = lengthA > DIRECTED_MIN ? 1 / lengthA : 0;
  const scaleB = lengthB > DIRECTED_MIN ? 1 / lengthB : 0;

  const uAx = ax * scaleA;
  const uAy = ay * scaleA;
  const uBx = bx * scaleB;
  const uBy = by * scaleB;
  const rUA = rAx * uAy - rAy * uAx;
  const rUB = rBx * uBy - rBy * uBx;

  const massA = bodies[a + INVERSE_MASS]! + bodies[a + INVERSE_INERTIA]! * rUA * rUA;
  const massB = bodies[b + INVERSE_MASS]! + bodies[b + INVERSE_INERTIA]! * rUB * rUB;
  const inverse = massA + ratio * ratio * massB;

  values[j + U_AX] = uAx;
  values[j + U_AY] = uAy;
  values[j + U_BX] = uBx;
  values[j + U_BY] = uBy;
  values[j + LENGTH_A] = lengthA;
  values[j + LENGTH_B] = lengthB;
  values[j + MASS] = inverse > 0 ? 1 / inverse : inverse;
}

/** Changes the velocities by `CHANGE` towards both points. */
function changeVelocities(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const change = values[j + CHANGE]!;
  const ratio = values[j + RATIO]!;
  const ax = -change * values[j + U_AX]!, ay = -change * values[j + U_AY]!;
  const bx = -ratio * change * values[j + U_BX]!;
  const by = -ratio * change * values[j + U_BY]!;
  const mA = bodies[a + INVERSE_MASS]!, mB = bodies[b + INVERSE_MASS]!;
  bodies[a + VX]! += mA * ax;
  bodies[a + VY]! += mA * ay;
  bodies[a + SPIN]! += bodies[a + INVERSE_INERTIA]! *
    (values[j + R_AX]! * ay - values[j + R_AY]! * ax);
  bodies[b + VX]! += mB * bx;
  bodies[b + VY]! += mB * by;
  bodies[b + SPIN]! += bodies[b + INVERSE_INERTIA]! *
    (values[j + R_BX]! * by - values[j + R_BY]! * bx);
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JOINT_VALUES;
  const i = joint * JOINT_INTS;
  const a = ints[i + JOINT_BODY_A]!;
  const b = ints[i + JOINT_BODY_B]!;
  const spinA = bodies[a + SPIN]!;
  const spinB = bodies[b + SPIN]!;
  const pointAx = bodies[a + VX]! - spinA * values[j + R_AY]!;
  const pointAy = bodies[a + VY]! + spinA * values[j + R_AX]!;
  const pointBx = bodies[b + VX]! - spinB * values[j + R_BY]!;
  const pointBy = bodies[b + VY]! + spinB * values[j + R_BX]!;
  const speedA = values[j + U_AX]! * pointAx + values[j + U_AY]! * pointAy;
  const speedB = values[j + U_BX]! * pointBx + values[j + U_BY]! * pointBy;
  const change = -values[j + MASS]! * (-speedA - values[j + RATIO]! * speedB);
  values[j + IMPULSE]! += change;
  values[j + CHANGE] = change;
  changeVelocities(values, j, a, b);
}

function solvePosition({ values, ints }: JointRows, joint: number): boolean {
  const { bodies } = solverScratch;
  const j = joint * JOINT_VALUES;
  const i = joint * JOINT_INTS;
  const ratio = values[j + RATIO]!;
  const a = ints[i + JOINT_BODY_A]!, b = ints[i + JOINT_BODY_B]!;
  measure(values, j, a, b);

  // How much rope is missing
  const error = values[j + LENGTH]! - values[j + LENGTH_A]! - ratio * values[j + LENGTH_B]!;
  const impulse = -values[j + MASS]! * error;
  const ax = -impulse * values[j + U_AX]!, ay = -impulse * values[j + U_AY]!;
  const bx = -ratio * impulse * values[j + U_BX]!;
  const by = -ratio * impulse * values[j + U_BY]!;

  const mA = bodies[a + INVERSE_MASS]!, mB = bodies[b + INVERSE_MASS]!;
  bodies[a + CENTER_X]! += mA * ax;
  bodies[a + CENTER_Y]! += mA * ay;
  bodies[a + ANGLE]! += bodies[a + INVERSE_INERTIA]! *
    (values[j + R_AX]! * ay - values[j + R_AY]! * ax);
  bodies[b + CENTER_X]! += mB * bx;
  bodies[b + CENTER_Y]! += mB * by;
  bodies[b + ANGLE]! += bodies[b + INVERSE_INERTIA]! *
    (values[j + R_BX]! * by - values[j + R_BY]! * bx);

  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);
  return Math.abs(error) < LINEAR_SLOP;
}
