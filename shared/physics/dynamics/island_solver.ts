/**
 * Advances one island by one world step, in the order of planck 1.5.0's `Solver.solveIsland`, but on flat numbers:
 *
 *     integrate velocities · prepare contacts · warm start · solve velocities, 8 times · store impulses ·
 *     integrate positions · solve positions, up to 3 times · update sleep
 *
 * No function in these loops takes fractions as arguments: V8 allocates a heap number for each one that it does not
 * inline. planck's own methods solve the joints, on copies of their bodies' numbers in planck's objects.
 */
import { prepareContact, warmStart } from "./contact_constraints.ts";
import { solvePositions, solveVelocities } from "./contact_solver.ts";
import * as bodyLayout from "../core/body_rows.ts";
import { updateTransformAt } from "../core/body_transform.ts";
import * as manifoldLayout from "../core/manifold_rows.ts";
import * as solverLayout from "../core/solver_scratch.ts";
import { reserve, solverScratch } from "../core/solver_scratch.ts";
import {
  ANGULAR_SLEEP_TOLERANCE,
  BAUMGARTE,
  LINEAR_SLEEP_TOLERANCE,
  LINEAR_SLOP,
  MAX_ROTATION,
  MAX_TRANSLATION,
  type PlanckBody,
  type PlanckContact,
  type PlanckJoint,
  type PlanckStep,
  type PlanckWorld,
  TIME_TO_SLEEP,
  type Vector,
} from "../planck/planck.ts";

/** Local copies: V8 inlines a module's own constants but reads imported ones each time, which cost 7 % of a step. */
const {
  VX,
  VY,
  SPIN,
  INVERSE_MASS,
  INVERSE_INERTIA,
  CENTER_X,
  CENTER_Y,
  ANGLE,
  TRANSFORM_ANGLE,
  CENTER_X0,
  CENTER_Y0,
  ANGLE0,
} = bodyLayout;
const { FORCE_X, FORCE_Y, TORQUE, GRAVITY_SCALE, LINEAR_DAMPING, ANGULAR_DAMPING, SLEEP_S } = bodyLayout;
const { POINTS, POINT_STRIDE, IMPULSE, TANGENT_ROW, CONTACT_STRIDE, VELOCITY_POINTS, INDEX_STRIDE } = solverLayout;
const { STEP_S, ALPHA, GRAVITY_X, GRAVITY_Y, CORRECTED_SHARE, SEPARATION_MIN } = solverLayout;
const { POINT_COUNT, NORMAL_IMPULSE, TANGENT_IMPULSE, MANIFOLD_POINTS, MANIFOLD_POINT_STRIDE } = manifoldLayout;

/** Metres: the separation that the position solver accepts, as in Box2D. */
const POSITION_SEPARATION_MIN = -3 * LINEAR_SLOP;

/** One island. The lists never shrink; the counts are the numbers of valid entries. */
export interface Island {
  readonly bodies: PlanckBody[];
  readonly contacts: PlanckContact[];
  readonly joints: PlanckJoint[];
  bodyCount: number;
  contactCount: number;
  jointCount: number;
}

/** Sets what all islands of one world step have in common. */
export function beginIslands({ bodies, m_gravity: gravity, s_step: { dt: stepS } }: PlanckWorld): void {
  const { step } = solverScratch;
  solverScratch.bodies = bodies.values;
  step[STEP_S] = stepS;
  step[ALPHA] = 0;
  step[GRAVITY_X] = gravity.x;
  step[GRAVITY_Y] = gravity.y;
  step[CORRECTED_SHARE] = BAUMGARTE;
  step[SEPARATION_MIN] = POSITION_SEPARATION_MIN;
}

/** Advances the island by one world step, after `beginIslands`. */
export function solveIsland(island: Island, step: PlanckStep, gravity: Vector): void {
  const { bodies, bodyCount, contacts, contactCount, jointCount } = island;
  reserve(contactCount);
  for (let i = 0; i < bodyCount; i++) integrateVelocity(bodies[i]!, step, gravity);
  for (let i = 0; i < contactCount; i++) prepareContact(contacts[i]!, i, step);
  warmStart(contactCount);
  if (jointCount > 0) prepareJoints(island, step);
  for (let i = 0; i < step.velocityIterations; i++) {
    if (jointCount > 0) solveJointVelocities(island, step);
    if (!solveVelocities(contactCount) && jointCount === 0) break; // converged
  }
  for (let i = 0; i < contactCount; i++) storeImpulses(contacts[i]!, i);
  for (let i = 0; i < bodyCount; i++) if (bodies[i]!.m_type !== "static") integratePosition(bodies[i]!.offset, step);
  const isSolved = solveAllPositions(island, step);
  updateSleep(island, step, isSolved);
}

/** v := (v + h (gravityScale · g + invM · F)) / (1 + h · damping), w := (w + h · invI · torque) / (1 + h · damping). */
function integrateVelocity({ offset: b, m_type: type }: PlanckBody, { dt: stepS }: PlanckStep, gravity: Vector): void {
  const { bodies } = solverScratch;
  bodies[b + CENTER_X0] = bodies[b + CENTER_X]!;
  bodies[b + CENTER_Y0] = bodies[b + CENTER_Y]!;
  bodies[b + ANGLE0] = bodies[b + TRANSFORM_ANGLE] = bodies[b + ANGLE]!;
  if (type !== "dynamic") return;
  const gravityFactor = stepS * bodies[b + GRAVITY_SCALE]!, forceFactor = stepS * bodies[b + INVERSE_MASS]!;
  let vx = bodies[b + VX]! + gravityFactor * gravity.x, vy = bodies[b + VY]! + gravityFactor * gravity.y;
  vx += forceFactor * bodies[b + FORCE_X]!;
  vy += forceFactor * bodies[b + FORCE_Y]!;
  const spin = bodies[b + SPIN]! + stepS * bodies[b + INVERSE_INERTIA]! * bodies[b + TORQUE]!;
  const damping = 1 / (1 + stepS * bodies[b + LINEAR_DAMPING]!);
  bodies[b + VX] = damping * vx;
  bodies[b + VY] = damping * vy;
  bodies[b + SPIN] = spin * (1 / (1 + stepS * bodies[b + ANGULAR_DAMPING]!));
}

/** Stores the impulses for the next step's warm start. Both points get an equal share of the friction. */
function storeImpulses({ manifold }: PlanckContact, index: number): void {
  const { indices, contacts } = solverScratch, pointCount = manifold[POINT_COUNT]!;
  const solvedCount = indices[index * INDEX_STRIDE + VELOCITY_POINTS]!, c = index * CONTACT_STRIDE;
  const tangentImpulse = contacts[c + TANGENT_ROW + IMPULSE]! / pointCount;
  for (let i = 0; i < pointCount; i++) {
    const p = MANIFOLD_POINTS + i * MANIFOLD_POINT_STRIDE;
    manifold[p + TANGENT_IMPULSE] = tangentImpulse;
    if (i < solvedCount) manifold[p + NORMAL_IMPULSE] = contacts[c + POINTS + i * POINT_STRIDE + IMPULSE]!;
  }
}

/** For a body of an island, or of an impact: x := x + h v, angle := angle + h w, with the bounds b2_maxTranslation (2 m) and b2_maxRotation (a quarter turn). */
export function integratePosition(b: number, { dt: stepS }: PlanckStep): void {
  const { bodies } = solverScratch;
  let vx = bodies[b + VX]!, vy = bodies[b + VY]!, spin = bodies[b + SPIN]!;
  const dx = stepS * vx, dy = stepS * vy, squared = dx * dx + dy * dy;
  if (squared > MAX_TRANSLATION * MAX_TRANSLATION) {
    const ratio = MAX_TRANSLATION / Math.sqrt(squared);
    vx *= ratio;
    vy *= ratio;
  }
  const turn = stepS * spin;
  if (turn * turn > MAX_ROTATION * MAX_ROTATION) spin *= MAX_ROTATION / Math.abs(turn);
  bodies[b + CENTER_X]! += stepS * vx;
  bodies[b + CENTER_Y]! += stepS * vy;
  bodies[b + ANGLE]! += stepS * spin;
  bodies[b + VX] = vx;
  bodies[b + VY] = vy;
  bodies[b + SPIN] = spin;
  updateTransformAt(bodies, b);
}

/** @returns whether contacts and joints are within their tolerances */
function solveAllPositions(island: Island, step: PlanckStep): boolean {
  for (let i = 0; i < step.positionIterations; i++) {
    const contactsSolved = solvePositions(island.contactCount);
    const jointsSolved = island.jointCount === 0 || solveJointPositions(island, step);
    if (contactsSolved && jointsSolved) return true;
  }
  return false;
}

/** Puts the whole island to sleep once each body has been at rest for `TIME_TO_SLEEP`, as b2_timeToSleep. */
function updateSleep({ bodies, bodyCount }: Island, { dt: stepS }: PlanckStep, isSolved: boolean): void {
  const { bodies: values } = solverScratch;
  let sleepSMin = Infinity;
  for (let i = 0; i < bodyCount; i++) {
    const { offset: b, m_type: type, m_autoSleepFlag: maySleep } = bodies[i]!;
    if (type === "static") continue;
    const x = values[b + VX]!, y = values[b + VY]!, spin = values[b + SPIN]!;
    const isResting = maySleep && spin * spin <= ANGULAR_SLEEP_TOLERANCE * ANGULAR_SLEEP_TOLERANCE &&
      x * x + y * y <= LINEAR_SLEEP_TOLERANCE * LINEAR_SLEEP_TOLERANCE;
    const sleepS = isResting ? values[b + SLEEP_S]! + stepS : 0;
    values[b + SLEEP_S] = sleepS;
    sleepSMin = Math.min(sleepSMin, sleepS);
  }
  if (sleepSMin < TIME_TO_SLEEP || !isSolved) return;
  for (let i = 0; i < bodyCount; i++) bodies[i]!.setAwake(false);
}

function prepareJoints(island: Island, step: PlanckStep): void {
  writePlanckPositions(island);
  writePlanckVelocities(island);
  for (let i = 0; i < island.jointCount; i++) island.joints[i]!.initVelocityConstraints(step);
  readPlanckVelocities(island);
}

function solveJointVelocities(island: Island, step: PlanckStep): void {
  writePlanckVelocities(island);
  for (let i = 0; i < island.jointCount; i++) island.joints[i]!.solveVelocityConstraints(step);
  readPlanckVelocities(island);
}

function solveJointPositions(island: Island, step: PlanckStep): boolean {
  writePlanckPositions(island);
  let isSolved = true;
  for (let i = 0; i < island.jointCount; i++) isSolved = island.joints[i]!.solvePositionConstraints(step) && isSolved;
  readPlanckPositions(island);
  return isSolved;
}

function writePlanckVelocities({ bodies, bodyCount }: Island): void {
  const values = solverScratch.bodies;
  for (let i = 0; i < bodyCount; i++) {
    const { offset: b, c_velocity: velocity, m_jointList: first } = bodies[i]!;
    if (first === null) continue;
    velocity.v.x = values[b + VX]!;
    velocity.v.y = values[b + VY]!;
    velocity.w = values[b + SPIN]!;
  }
}

function readPlanckVelocities({ bodies, bodyCount }: Island): void {
  const values = solverScratch.bodies;
  for (let i = 0; i < bodyCount; i++) {
    const { offset: b, c_velocity: velocity, m_jointList: first } = bodies[i]!;
    if (first === null) continue;
    values[b + VX] = velocity.v.x;
    values[b + VY] = velocity.v.y;
    values[b + SPIN] = velocity.w;
  }
}

function writePlanckPositions({ bodies, bodyCount }: Island): void {
  const values = solverScratch.bodies;
  for (let i = 0; i < bodyCount; i++) {
    const { offset: b, c_position: position, m_jointList: first } = bodies[i]!;
    if (first === null) continue;
    position.c.x = values[b + CENTER_X]!;
    position.c.y = values[b + CENTER_Y]!;
    position.a = values[b + ANGLE]!;
  }
}

function readPlanckPositions({ bodies, bodyCount }: Island): void {
  const values = solverScratch.bodies;
  for (let i = 0; i < bodyCount; i++) {
    const { offset: b, c_position: position, m_jointList: first } = bodies[i]!;
    if (first === null) continue;
    values[b + CENTER_X] = position.c.x;
    values[b + CENTER_Y] = position.c.y;
    values[b + ANGLE] = position.a;
    updateTransformAt(values, b);
  }
}
