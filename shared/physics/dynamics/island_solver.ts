/**
 * Advances one island by one world step, in the order of Box2D's b2Island:
 *
 *     integrate velocities · prepare contacts · warm start · solve velocities · store impulses ·
 *     integrate positions · solve positions · update sleep
 *
 * No function in these loops takes fractions as arguments: V8 allocates a heap number for each one
 * that it does not inline.
 */
import { prepareContact, warmStart } from "./contact_constraints.ts";
import { solvePositions, solveVelocities } from "./contact_solver.ts";
import * as bodyLayout from "../core/body_rows.ts";
import { updateTransformAt } from "../core/body_transform.ts";
import * as contactLayout from "../core/contact_rows.ts";
import * as tuning from "../core/tuning.ts";
import * as solverLayout from "./solver_scratch.ts";
import { reserve, solverScratch } from "./solver_scratch.ts";
import type { World } from "./world.ts";

/**
 * Local copies: V8 inlines a module's own constants but reads imported ones each time, which costs
 * 20 to 35 % of a step (DESIGN 12.7).
 */
const { VX, VY, SPIN, INVERSE_MASS, INVERSE_INERTIA, CENTER_X, CENTER_Y, ANGLE, TRANSFORM_ANGLE } =
  bodyLayout;
const {
  CENTER_X0,
  CENTER_Y0,
  ANGLE0,
  BODY_STRIDE,
  BODY_INTS,
  BODY_TYPE,
  BODY_FLAGS,
  STATIC,
  KINEMATIC,
  DYNAMIC,
  SLEEPLESS,
} = bodyLayout;
const { FORCE_X, FORCE_Y, TORQUE, GRAVITY_SCALE, LINEAR_DAMPING, ANGULAR_DAMPING, SLEEP_S } =
  bodyLayout;
const {
  POINTS,
  POINT_STRIDE,
  IMPULSE,
  TANGENT_ROW,
  CONTACT_STRIDE,
  VELOCITY_POINTS,
  INDEX_STRIDE,
} = solverLayout;
const {
  STEPS_PER_S,
  STEP_S,
  REST_S,
  ALPHA,
  GRAVITY_X,
  GRAVITY_Y,
  CORRECTED_SHARE,
  SEPARATION_MIN,
} = solverLayout;
const { TRANSLATION_MAX, ROTATION_MAX } = solverLayout;
const { POINT_COUNT, NORMAL_IMPULSE, TANGENT_IMPULSE, MANIFOLD_POINTS, MANIFOLD_POINT_STRIDE } =
  contactLayout;
const { CONTACT_VALUES, CONTACT_INTS } = contactLayout;
const { ANGULAR_SLEEP_TOLERANCE, LINEAR_SLEEP_TOLERANCE, TIME_TO_SLEEP_S, TIME_TO_SLEEP_MAX_S } =
  tuning;
const { REST_ACCELERATION_MAX, REST_ANGULAR_ACCELERATION_MAX } = tuning;
const { BAUMGARTE, LINEAR_SLOP, SPEED_TOLERANCE } = tuning;

/** Metres: the separation that the position solver accepts, as in Box2D. */
const POSITION_SEPARATION_MIN = -3 * LINEAR_SLOP;

/** The rows of one island. The lists never shrink; the counts are the numbers of valid entries. */
export interface Island {
  readonly bodies: number[];
  readonly contacts: number[];
  bodyCount: number;
  contactCount: number;
}

/** Sets what all islands of one world step have in common. */
export function beginIslands(
  { bodies, gravityX, gravityY, stepS, translationMax, rotationMax, clamped }: World,
): void {
  const { step } = solverScratch;
  solverScratch.bodies = bodies.values;
  solverScratch.clamped = clamped;
  step[TRANSLATION_MAX] = translationMax;
  step[ROTATION_MAX] = rotationMax;
  step[STEP_S] = step[REST_S] = stepS;
  step[ALPHA] = 0;
  step[STEPS_PER_S] = 1 / stepS;
  step[GRAVITY_X] = gravityX;
  step[GRAVITY_Y] = gravityY;
  step[CORRECTED_SHARE] = BAUMGARTE;
  step[SEPARATION_MIN] = POSITION_SEPARATION_MIN;
}

/** Advances the island by one world step, after `beginIslands`. */
export function solveIsland(world: World, island: Island): void {
  const { bodies, bodyCount, contacts, contactCount } = island;
  const { bodies: { ints }, joints } = world;
  const jointCount = joints.count;
  reserve(bodyCount, contactCount);

  // Velocities under gravity and forces
  for (let i = 0; i < bodyCount; i++) {
    keepVelocity(bodies[i]! * BODY_STRIDE, 3 * i);
    integrateVelocity(bodies[i]! * BODY_STRIDE, ints[bodies[i]! * BODY_INTS + BODY_TYPE]!);
  }

  // Contacts and joints, which begin with the impulses of the previous step
  for (let i = 0; i < contactCount; i++) prepareContact(world, contacts[i]!, i, true);
  warmStart(contactCount);
  if (jointCount > 0) joints.prepare();

  // Impulses, until none changes
  for (let i = 0; i < world.velocityIterations; i++) {
    if (jointCount > 0) joints.solveVelocities();
    if (!solveVelocities(contactCount) && jointCount === 0) break; // converged
  }

  // Impulses for the next step and for the author
  for (let i = 0; i < contactCount; i++) storeImpulses(world, contacts[i]!, i);
  if (world.contacts.impulseSums.length > 0) {
    for (let i = 0; i < contactCount; i++) sumImpulses(world, contacts[i]!, i);
  }

  // Positions
  for (let i = 0; i < bodyCount; i++) {
    if (ints[bodies[i]! * BODY_INTS + BODY_TYPE] !== STATIC) {
      integratePosition(bodies[i]! * BODY_STRIDE);
    }
  }

  const isSolved = solveAllPositions(world, island);
  updateSleep(world, island, isSolved);
}

/** @param at index in `before` */
function keepVelocity(b: number, at: number): void {
  const { bodies, before } = solverScratch;
  before[at] = bodies[b + VX]!;
  before[at + 1] = bodies[b + VY]!;
  before[at + 2] = bodies[b + SPIN]!;
}

/**
 * v := (v + h (gravityScale · g + invM · F)) / (1 + h · damping), w := (w + h · invI · torque) / (1
 * + h · damping).
 */
function integrateVelocity(b: number, type: number): void {
  const { bodies, step } = solverScratch;
  const stepS = step[STEP_S]!;
  bodies[b + CENTER_X0] = bodies[b + CENTER_X]!;
  bodies[b + CENTER_Y0] = bodies[b + CENTER_Y]!;
  bodies[b + ANGLE0] = bodies[b + TRANSFORM_ANGLE] = bodies[b + ANGLE]!;
  if (type !== DYNAMIC) return;
  const gravityFactor = stepS * bodies[b + GRAVITY_SCALE]!;
  const forceFactor = stepS * bodies[b + INVERSE_MASS]!;
  let vx = bodies[b + VX]! + gravityFactor * step[GRAVITY_X]!;
  let vy = bodies[b + VY]! + gravityFactor * step[GRAVITY_Y]!;
  vx += forceFactor * bodies[b + FORCE_X]!;
  vy += forceFactor * bodies[b + FORCE_Y]!;
  const spin = bodies[b + SPIN]! + stepS * bodies[b + INVERSE_INERTIA]! * bodies[b + TORQUE]!;
  const damping = 1 / (1 + stepS * bodies[b + LINEAR_DAMPING]!);
  bodies[b + VX] = damping * vx;
  bodies[b + VY] = damping * vy;
  bodies[b + SPIN] = spin * (1 / (1 + stepS * bodies[b + ANGULAR_DAMPING]!));
}

/**
 * Adds the impulses of a contact that was solved, in an island or at an impact, to its sums.
 * @param index of the contact in the scratch
 */
export function sumImpulses(
  { contacts: { impulseSums } }: World,
  contact: number,
  index: number,
): void {
  const { indices, contacts } = solverScratch;
  const c = index * CONTACT_STRIDE;
  const pointCount = indices[index * INDEX_STRIDE + VELOCITY_POINTS]!;
  for (let i = 0; i < pointCount; i++) {
    impulseSums[2 * contact]! += contacts[c + POINTS + i * POINT_STRIDE + IMPULSE]!;
  }
  impulseSums[2 * contact + 1]! += Math.abs(contacts[c + TANGENT_ROW + IMPULSE]!);
}

/**
 * Stores the impulses for the next step's warm start. Both points get an equal share of the
 * friction.
 */
function storeImpulses(
  { contacts: { values, ints } }: World,
  contact: number,
  index: number,
): void {
  const { indices, contacts } = solverScratch;
  const pointCount = ints[contact * CONTACT_INTS + POINT_COUNT]!;
  const solvedCount = indices[index * INDEX_STRIDE + VELOCITY_POINTS]!;
  const c = index * CONTACT_STRIDE;
  const tangentImpulse = contacts[c + TANGENT_ROW + IMPULSE]! / pointCount;
  for (let i = 0; i < pointCount; i++) {
    const p = contact * CONTACT_VALUES + MANIFOLD_POINTS + i * MANIFOLD_POINT_STRIDE;
    values[p + TANGENT_IMPULSE] = tangentImpulse;
    if (i < solvedCount) {
      values[p + NORMAL_IMPULSE] = contacts[c + POINTS + i * POINT_STRIDE + IMPULSE]!;
    }
  }
}

/**
 * For a body of an island or of an impact: x := x + h v, angle := angle + h w. h is `REST_S`. The
 * bounds are those of the stage, by default b2_maxTranslation (2 m) and b2_maxRotation (a quarter
 * turn).
 */
export function integratePosition(b: number): void {
  const { bodies, step } = solverScratch;
  const stepS = step[REST_S]!;
  let vx = bodies[b + VX]!;
  let vy = bodies[b + VY]!;
  let spin = bodies[b + SPIN]!;
  const dx = stepS * vx;
  const dy = stepS * vy;
  const squared = dx * dx + dy * dy;

  // Bound the way
  const translationMax = step[TRANSLATION_MAX]!;
  if (squared > translationMax * translationMax) {
    const ratio = translationMax / Math.sqrt(squared);
    vx *= ratio;
    vy *= ratio;
    if (ratio < SPEED_TOLERANCE) solverScratch.clamped.push(b / BODY_STRIDE);
  }

  // Bound the turn
  const turn = stepS * spin;
  const rotationMax = step[ROTATION_MAX]!;
  if (turn * turn > rotationMax * rotationMax) {
    spin *= rotationMax / Math.abs(turn);
    if (rotationMax < SPEED_TOLERANCE * Math.abs(turn)) solverScratch.clamped.push(b / BODY_STRIDE);
  }

  // Move
  bodies[b + CENTER_X]! += stepS * vx;
  bodies[b + CENTER_Y]! += stepS * vy;
  bodies[b + ANGLE]! += stepS * spin;
  bodies[b + VX] = vx;
  bodies[b + VY] = vy;
  bodies[b + SPIN] = spin;
  updateTransformAt(bodies, b);
}

/** @returns whether contacts and joints are within their tolerances */
function solveAllPositions(
  { joints, positionIterations }: World,
  { contactCount }: Island,
): boolean {
  for (let i = 0; i < positionIterations; i++) {
    const contactsSolved = solvePositions(contactCount);
    const jointsSolved = joints.count === 0 || joints.solvePositions();
    if (contactsSolved && jointsSolved) return true;
  }
  return false;
}

/**
 * Puts the whole island to sleep once each body has been at rest for `TIME_TO_SLEEP_S`. Position
 * errors keep it awake as long as their correction moves a body. Some errors last: a hinge that is
 * pressed against its limit rests exactly at the tolerance, so rounding decides; a body that is
 * pinned within the ground is pushed out and pulled back.
 */
function updateSleep(world: World, { bodies, bodyCount }: Island, isSolved: boolean): void {
  const { values, ints } = world.bodies;
  const stepS = solverScratch.step[STEP_S]!;
  let sleepSMin = Infinity;

  for (let i = 0; i < bodyCount; i++) {
    const b = bodies[i]! * BODY_STRIDE;
    if (ints[bodies[i]! * BODY_INTS + BODY_TYPE] === STATIC) continue;
    const x = values[b + VX]!;
    const y = values[b + VY]!;
    const spin = values[b + SPIN]!;

    // A kinematic body keeps its velocity, however slow: sleep would stop it.
    const isSleepless = (ints[bodies[i]! * BODY_INTS + BODY_FLAGS]! & SLEEPLESS) !== 0;
    const isKept = isSleepless ||
      ints[bodies[i]! * BODY_INTS + BODY_TYPE] === KINEMATIC && (x !== 0 || y !== 0 || spin !== 0);
    const isResting = !isKept && spin * spin <= ANGULAR_SLEEP_TOLERANCE * ANGULAR_SLEEP_TOLERANCE &&
      x * x + y * y <= LINEAR_SLEEP_TOLERANCE * LINEAR_SLEEP_TOLERANCE;

    const sleepS = isResting ? values[b + SLEEP_S]! + stepS : 0;
    values[b + SLEEP_S] = sleepS;
    sleepSMin = Math.min(sleepSMin, sleepS);
  }

  // Stay awake until all have rested long enough
  if (sleepSMin < TIME_TO_SLEEP_S || !isSolved && hasMoved(world, bodies, bodyCount)) return;
  if (sleepSMin < TIME_TO_SLEEP_MAX_S && gainsSpeed(world, bodies, bodyCount)) return;
  for (let i = 0; i < bodyCount; i++) world.putToSleep(bodies[i]!);
}

/** Whether the velocity or the spin of a body has changed faster than it does at rest. */
function gainsSpeed(
  { bodies: { values } }: World,
  bodies: readonly number[],
  count: number,
): boolean {
  const { before, step } = solverScratch;
  const most = REST_ACCELERATION_MAX * step[STEP_S]!;
  const mostSpin = REST_ANGULAR_ACCELERATION_MAX * step[STEP_S]!;
  for (let i = 0; i < count; i++) {
    const b = bodies[i]! * BODY_STRIDE;
    const dx = values[b + VX]! - before[3 * i]!;
    const dy = values[b + VY]! - before[3 * i + 1]!;
    if (
      dx * dx + dy * dy > most * most || Math.abs(values[b + SPIN]! - before[3 * i + 2]!) > mostSpin
    ) return true;
  }
  return false;
}

/**
 * Whether velocity and corrections together have moved a body farther than it moves at the speeds
 * of rest.
 */
function hasMoved(
  { bodies: { values } }: World,
  bodies: readonly number[],
  count: number,
): boolean {
  const stepS = solverScratch.step[STEP_S]!;
  const distanceMax = LINEAR_SLEEP_TOLERANCE * stepS;
  const turnMax = ANGULAR_SLEEP_TOLERANCE * stepS;
  for (let i = 0; i < count; i++) {
    const b = bodies[i]! * BODY_STRIDE;
    const turn = values[b + ANGLE]! - values[b + ANGLE0]!;
    const dx = values[b + CENTER_X]! - values[b + CENTER_X0]!;
    const dy = values[b + CENTER_Y]! - values[b + CENTER_Y0]!;
    if (dx * dx + dy * dy > distanceMax * distanceMax || Math.abs(turn) > turnMax) return true;
  }
  return false;
}
