/**
 * The pulley: a rope over two points of the stage holds the anchors of both bodies. If one side
 * becomes shorter, the other becomes longer, by the ratio. After b2PulleyJoint of Box2D and in the
 * operations of planck 1.5.0:
 *
 *     uA = cA + rA − groundA    uB = cB + rB − groundB        C = length − |uA| − ratio · |uB| = 0
 */
import { Body } from "../../core/body_rows.ts";
import { JointInt, type JointRows, JointValue } from "../joint_rows.ts";
import { ANCHOR_MAXIMA, ANCHORS, computeArms, IMPULSE_MAX, type JointForm } from "../joint_form.ts";
import { LENGTH_MAX, LENGTH_MIN } from "../joint_form.ts";
import { LINEAR_SLOP } from "../../core/tuning.ts";
import { solverScratch } from "../../dynamics/solver_scratch.ts";
import { updateTransformAt } from "../../core/body_transform.ts";

/** Lasting values. The length is |uA| + ratio · |uB|. */
const GROUND_AX = JointValue.TYPE_VALUES;
const GROUND_AY = 5;
const GROUND_BX = 6;
const GROUND_BY = 7;
const LENGTH = 8;
const IMPULSE = 9;
/**
 * Values of one world step: both unit vectors, their lengths, the effective mass, the impulse to
 * apply.
 */
const U_AX = JointValue.STEP_VALUES;
const U_AY = U_AX + 1;
const U_BX = U_AX + 2;
const U_BY = U_AX + 3;
const LENGTH_A = U_AX + 4;
const LENGTH_B = U_AX + 5;
const MASS = U_AX + 6;
const CHANGE = U_AX + 7;
/** Metres: a shorter side has no direction. */
const DIRECTED_MIN = 10 * LINEAR_SLOP;

/** The type `pulley`, for `jointsOf`. */
export const PULLEY: JointForm = {
  type: "pulley",
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
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  measure(values, j, a, b);
  values[j + CHANGE] = values[j + IMPULSE]!;
  changeVelocities(values, j, a, b);
}

/** Computes arms, unit vectors, lengths and mass from the present poses. */
function measure(values: Float64Array, j: number, a: number, b: number): void {
  const { bodies } = solverScratch;
  const ratio = values[j + JointValue.RATIO]!;

  computeArms(values, j, bodies, a, b);
  const rAx = values[j + JointValue.R_AX]!;
  const rAy = values[j + JointValue.R_AY]!;
  const rBx = values[j + JointValue.R_BX]!;
  const rBy = values[j + JointValue.R_BY]!;

  // The ropes, from the ground to the bodies
  const ax = (bodies[a + Body.CENTER_X]! + rAx) - values[j + GROUND_AX]!;
  const ay = (bodies[a + Body.CENTER_Y]! + rAy) - values[j + GROUND_AY]!;
  const bx = (bodies[b + Body.CENTER_X]! + rBx) - values[j + GROUND_BX]!;
  const by = (bodies[b + Body.CENTER_Y]! + rBy) - values[j + GROUND_BY]!;
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

  const massA = bodies[a + Body.INVERSE_MASS]! + bodies[a + Body.INVERSE_INERTIA]! * rUA * rUA;
  const massB = bodies[b + Body.INVERSE_MASS]! + bodies[b + Body.INVERSE_INERTIA]! * rUB * rUB;
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
  const ratio = values[j + JointValue.RATIO]!;
  const ax = -change * values[j + U_AX]!, ay = -change * values[j + U_AY]!;
  const bx = -ratio * change * values[j + U_BX]!;
  const by = -ratio * change * values[j + U_BY]!;
  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.VX]! += mA * ax;
  bodies[a + Body.VY]! += mA * ay;
  bodies[a + Body.SPIN]! += bodies[a + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_AX]! * ay - values[j + JointValue.R_AY]! * ax);
  bodies[b + Body.VX]! += mB * bx;
  bodies[b + Body.VY]! += mB * by;
  bodies[b + Body.SPIN]! += bodies[b + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_BX]! * by - values[j + JointValue.R_BY]! * bx);
}

function solveVelocity({ values, ints }: JointRows, joint: number): void {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const a = ints[i + JointInt.BODY_A]!;
  const b = ints[i + JointInt.BODY_B]!;
  const spinA = bodies[a + Body.SPIN]!;
  const spinB = bodies[b + Body.SPIN]!;
  const pointAx = bodies[a + Body.VX]! - spinA * values[j + JointValue.R_AY]!;
  const pointAy = bodies[a + Body.VY]! + spinA * values[j + JointValue.R_AX]!;
  const pointBx = bodies[b + Body.VX]! - spinB * values[j + JointValue.R_BY]!;
  const pointBy = bodies[b + Body.VY]! + spinB * values[j + JointValue.R_BX]!;
  const speedA = values[j + U_AX]! * pointAx + values[j + U_AY]! * pointAy;
  const speedB = values[j + U_BX]! * pointBx + values[j + U_BY]! * pointBy;
  const change = -values[j + MASS]! * (-speedA - values[j + JointValue.RATIO]! * speedB);
  values[j + IMPULSE]! += change;
  values[j + CHANGE] = change;
  changeVelocities(values, j, a, b);
}

function solvePosition({ values, ints }: JointRows, joint: number): boolean {
  const { bodies } = solverScratch;
  const j = joint * JointValue.STRIDE;
  const i = joint * JointInt.STRIDE;
  const ratio = values[j + JointValue.RATIO]!;
  const a = ints[i + JointInt.BODY_A]!, b = ints[i + JointInt.BODY_B]!;
  measure(values, j, a, b);

  // How much rope is missing
  const error = values[j + LENGTH]! - values[j + LENGTH_A]! - ratio * values[j + LENGTH_B]!;
  const impulse = -values[j + MASS]! * error;
  const ax = -impulse * values[j + U_AX]!, ay = -impulse * values[j + U_AY]!;
  const bx = -ratio * impulse * values[j + U_BX]!;
  const by = -ratio * impulse * values[j + U_BY]!;

  const mA = bodies[a + Body.INVERSE_MASS]!, mB = bodies[b + Body.INVERSE_MASS]!;
  bodies[a + Body.CENTER_X]! += mA * ax;
  bodies[a + Body.CENTER_Y]! += mA * ay;
  bodies[a + Body.ANGLE]! += bodies[a + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_AX]! * ay - values[j + JointValue.R_AY]! * ax);
  bodies[b + Body.CENTER_X]! += mB * bx;
  bodies[b + Body.CENTER_Y]! += mB * by;
  bodies[b + Body.ANGLE]! += bodies[b + Body.INVERSE_INERTIA]! *
    (values[j + JointValue.R_BX]! * by - values[j + JointValue.R_BY]! * bx);

  updateTransformAt(bodies, a);
  updateTransformAt(bodies, b);
  return Math.abs(error) < LINEAR_SLOP;
}
