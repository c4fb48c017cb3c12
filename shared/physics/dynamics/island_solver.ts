/**
 * Advances one island by one world step, in the order of Box2D's b2Island:
 *
 *     in each solver step: integrate velocities · prepare contacts · warm start · solve velocities ·
 *                          store impulses · integrate positions
 *     then: solve positions · update sleep
 *
 * A world step finds contacts once, and has one solver step unless the stage declares more. Several
 * short steps with a few iterations each carry more than a long one with all of them ("Small Steps
 * in Physics Simulation", Macklin et al. 2019; DESIGN 12.11): what a step misses grows with the
 * square of its length.
 *
 * No function in these loops takes fractions as arguments: V8 allocates a heap number for each one
 * that it does not inline.
 */
import { prepareContact, warmStart } from "./contact_constraints.ts";
import { solvePositions, solveVelocities } from "./contact_solver.ts";
import { beginRolling, solveRolling, warmStartRolling } from "./rolling.ts";
import { Body, BodyFlag, BodyInt, MotionType } from "../core/body_rows.ts";
import { updateTransformAt } from "../core/body_transform.ts";
import { Contact, ContactInt, ContactPoint } from "../core/contact_rows.ts";
import {
  ANGULAR_SLEEP_TOLERANCE,
  BAUMGARTE,
  LINEAR_SLEEP_TOLERANCE,
  LINEAR_SLOP,
  REST_ACCELERATION_MAX,
  REST_ANGULAR_ACCELERATION_MAX,
  SPEED_TOLERANCE,
  THROW_MAX,
  THROWN_TURN_MAX,
  TIME_TO_SLEEP_MAX_S,
  TIME_TO_SLEEP_S,
} from "../core/tuning.ts";
import {
  Constraint,
  ConstraintInt,
  ConstraintRow,
  reserve,
  solverScratch,
  Step,
} from "./solver_scratch.ts";
import type { World } from "./world.ts";

/** Metres: the separation that the position solver accepts, as in Box2D. */
const POSITION_SEPARATION_MIN = -3 * LINEAR_SLOP;

/** The rows of one island. The lists never shrink; the counts are the numbers of valid entries. */
export interface Island {
  readonly bodies: number[];
  readonly contacts: number[];
  bodyCount: number;
  contactCount: number;
}

/** Sets what all islands of one world step have in common: how far a solver step leads. */
export function beginIslands(world: World): void {
  const { bodies, gravityX, gravityY, clamped, solverSteps } = world;
  const { step } = solverScratch;
  solverScratch.bodies = bodies.values;
  solverScratch.clamped = clamped;
  setStep(world, solverSteps);
  if (solverSteps > 1) clearMeanOffsets(bodies.values.length / Body.STRIDE);
  step[Step.ALPHA] = step[Step.SOLVER_STEPS_BEFORE] = 0;
  step[Step.GRAVITY_X] = gravityX;
  step[Step.GRAVITY_Y] = gravityY;
  step[Step.CORRECTED_SHARE] = BAUMGARTE;
  step[Step.SEPARATION_MIN] = POSITION_SEPARATION_MIN;
}

/** @param rows of bodies; those that no island has keep 0 */
function clearMeanOffsets(rows: number): void {
  if (solverScratch.meanOffsets.length < 3 * rows) {
    solverScratch.meanOffsets = new Float64Array(3 * rows);
  } else solverScratch.meanOffsets.fill(0, 0, 3 * rows);
}

/** After the islands of a world step: impacts have the whole step. */
export function endIslands(world: World): void {
  setStep(world, 1);
  solverScratch.step[Step.SOLVER_STEPS_BEFORE] = world.solverSteps;
}

/** Sets the length of a step of which a world step has `share`, and the motion allowed in it. */
function setStep({ stepS, translationMax, rotationMax }: World, share: number): void {
  const { step } = solverScratch;
  const lengthS = stepS / share;
  step[Step.LENGTH_S] = step[Step.REST_S] = lengthS;
  step[Step.STEPS_PER_S] = 1 / lengthS;
  step[Step.TRANSLATION_MAX] = translationMax / share;
  step[Step.ROTATION_MAX] = rotationMax / share;
}

/** Advances the island by one world step, after `beginIslands`. */
export function solveIsland(world: World, island: Island): void {
  reserve(island.bodyCount, island.contactCount);
  for (let i = 0; i < world.solverSteps; i++) {
    if (i > 0) world.joints.keepImpulses();
    solveStep(world, island, i === 0);
    if (world.solverSteps > 1) addToMeans(world, island, i === world.solverSteps - 1);
  }
  const isSolved = solveAllPositions(world, island);
  if (world.joints.count > 0) holdThrown(world, island);
  updateSleep(world, island, isSolved);
}

/** Adds the velocities of a solver step. @param isLast whether they are complete */
function addToMeans(
  { solverSteps }: World,
  { bodies, bodyCount }: Island,
  isLast: boolean,
): void {
  const { bodies: values, meanOffsets } = solverScratch;
  for (let i = 0; i < bodyCount; i++) {
    const b = bodies[i]! * Body.STRIDE;
    for (let k = 0; k < 3; k++) {
      const at = 3 * bodies[i]! + k;
      const velocity = values[b + Body.VX + k]!;
      meanOffsets[at]! += velocity / solverSteps;
      if (isLast) meanOffsets[at]! -= velocity;
    }
  }
}

/** One solver step. @param isFirst whether the world step begins with it */
function solveStep(world: World, island: Island, isFirst: boolean): void {
  const { bodies, bodyCount, contacts, contactCount } = island;
  const { bodies: { ints }, joints } = world;
  const jointCount = joints.count;

  // Velocities under gravity and forces
  for (let i = 0; i < bodyCount; i++) {
    if (isFirst) keepStart(bodies[i]! * Body.STRIDE, 3 * i);
    integrateVelocity(bodies[i]! * Body.STRIDE, ints[bodies[i]! * BodyInt.STRIDE + BodyInt.TYPE]!);
  }

  // Contacts and joints, which begin with the impulses of the previous step
  solverScratch.step[Step.BOUNCES] = 0;
  beginRolling(!isFirst);
  for (let i = 0; i < contactCount; i++) prepareContact(world, contacts[i]!, i, true);
  warmStart(contactCount);
  warmStartRolling();
  if (jointCount > 0) joints.prepare();

  // Impulses, until none changes. A bounce has all iterations, or bodies that meet lose energy
  const iterations = solverScratch.step[Step.BOUNCES] === 0
    ? world.velocityIterations
    : world.impactIterations;
  for (let i = 0; i < iterations; i++) {
    if (jointCount > 0) joints.solveVelocities();
    const isRolling = solveRolling();
    if (!solveVelocities(contactCount) && !isRolling && jointCount === 0) break; // converged
  }

  // Impulses for the next step and for the author
  for (let i = 0; i < contactCount; i++) storeImpulses(world, contacts[i]!, i);
  if (world.contacts.impulseSums.length > 0) {
    for (let i = 0; i < contactCount; i++) sumImpulses(world, contacts[i]!, i);
  }

  // Positions
  for (let i = 0; i < bodyCount; i++) {
    if (ints[bodies[i]! * BodyInt.STRIDE + BodyInt.TYPE] !== MotionType.STATIC) {
      integratePosition(bodies[i]! * Body.STRIDE);
    }
  }
}

/** Keeps pose and velocity of the world step's start. @param at index in `before` */
function keepStart(b: number, at: number): void {
  const { bodies, before } = solverScratch;
  bodies[b + Body.CENTER_X0] = bodies[b + Body.CENTER_X]!;
  bodies[b + Body.CENTER_Y0] = bodies[b + Body.CENTER_Y]!;
  bodies[b + Body.ANGLE0] = bodies[b + Body.ANGLE]!;
  before[at] = bodies[b + Body.VX]!;
  before[at + 1] = bodies[b + Body.VY]!;
  before[at + 2] = bodies[b + Body.SPIN]!;
}

/**
 * v := (v + h (gravityScale · g + invM · F)) / (1 + h · damping), w := (w + h · invI · torque) / (1
 * + h · damping).
 */
function integrateVelocity(b: number, type: number): void {
  const { bodies, step } = solverScratch;
  const stepS = step[Step.LENGTH_S]!;
  bodies[b + Body.TRANSFORM_ANGLE] = bodies[b + Body.ANGLE]!;
  if (type !== MotionType.DYNAMIC) return;
  const gravityFactor = stepS * bodies[b + Body.GRAVITY_SCALE]!;
  const forceFactor = stepS * bodies[b + Body.INVERSE_MASS]!;
  let vx = bodies[b + Body.VX]! + gravityFactor * step[Step.GRAVITY_X]!;
  let vy = bodies[b + Body.VY]! + gravityFactor * step[Step.GRAVITY_Y]!;
  vx += forceFactor * bodies[b + Body.FORCE_X]!;
  vy += forceFactor * bodies[b + Body.FORCE_Y]!;
  const spin = bodies[b + Body.SPIN]! +
    stepS * bodies[b + Body.INVERSE_INERTIA]! * bodies[b + Body.TORQUE]!;
  const damping = 1 / (1 + stepS * bodies[b + Body.LINEAR_DAMPING]!);
  bodies[b + Body.VX] = damping * vx;
  bodies[b + Body.VY] = damping * vy;
  bodies[b + Body.SPIN] = spin * (1 / (1 + stepS * bodies[b + Body.ANGULAR_DAMPING]!));
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
  const c = index * Constraint.STRIDE;
  const pointCount = indices[index * ConstraintInt.STRIDE + ConstraintInt.VELOCITY_POINTS]!;
  for (let i = 0; i < pointCount; i++) {
    impulseSums[2 * contact]! +=
      contacts[c + Constraint.POINTS + i * Constraint.POINT_STRIDE + ConstraintRow.IMPULSE]!;
  }
  impulseSums[2 * contact + 1]! += Math.abs(
    contacts[c + Constraint.TANGENT_ROW + ConstraintRow.IMPULSE]!,
  );
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
  const pointCount = ints[contact * ContactInt.STRIDE + ContactInt.POINT_COUNT]!;
  const solvedCount = indices[index * ConstraintInt.STRIDE + ConstraintInt.VELOCITY_POINTS]!;
  const c = index * Constraint.STRIDE;
  const tangentImpulse = contacts[c + Constraint.TANGENT_ROW + ConstraintRow.IMPULSE]! / pointCount;
  for (let i = 0; i < pointCount; i++) {
    const p = contact * Contact.STRIDE + Contact.POINTS + i * ContactPoint.STRIDE;
    values[p + ContactPoint.TANGENT_IMPULSE] = tangentImpulse;
    if (i < solvedCount) {
      values[p + ContactPoint.NORMAL_IMPULSE] =
        contacts[c + Constraint.POINTS + i * Constraint.POINT_STRIDE + ConstraintRow.IMPULSE]!;
    }
  }
}

/**
 * For a body of an island or of an impact: x := x + h v, angle := angle + h w. h is `Step.REST_S`.
 * The bounds are those of the stage, by default b2_maxTranslation (2 m) and b2_maxRotation (a
 * quarter turn).
 */
export function integratePosition(b: number): void {
  const { bodies, step } = solverScratch;
  const stepS = step[Step.REST_S]!;
  let vx = bodies[b + Body.VX]!;
  let vy = bodies[b + Body.VY]!;
  let spin = bodies[b + Body.SPIN]!;
  const dx = stepS * vx;
  const dy = stepS * vy;
  const squared = dx * dx + dy * dy;

  // Bound the way
  const translationMax = step[Step.TRANSLATION_MAX]!;
  if (squared > translationMax * translationMax) {
    const ratio = translationMax / Math.sqrt(squared);
    vx *= ratio;
    vy *= ratio;
    if (ratio < SPEED_TOLERANCE) solverScratch.clamped.push(b / Body.STRIDE);
  }

  // Bound the turn
  const turn = stepS * spin;
  const rotationMax = step[Step.ROTATION_MAX]!;
  if (turn * turn > rotationMax * rotationMax) {
    spin *= rotationMax / Math.abs(turn);
    if (rotationMax < SPEED_TOLERANCE * Math.abs(turn)) solverScratch.clamped.push(b / Body.STRIDE);
  }

  // Move
  bodies[b + Body.CENTER_X]! += stepS * vx;
  bodies[b + Body.CENTER_Y]! += stepS * vy;
  bodies[b + Body.ANGLE]! += stepS * spin;
  bodies[b + Body.VX] = vx;
  bodies[b + Body.VY] = vy;
  bodies[b + Body.SPIN] = spin;
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
 * Puts bodies that corrections have thrown away back to where the step began. Joints that contradict
 * each other correct one another's corrections, each by more than the one before, up to numbers that
 * are none: there planck ends.
 */
function holdThrown(world: World, { bodies, bodyCount }: Island): void {
  const { values } = world.bodies;
  for (let i = 0; i < bodyCount; i++) {
    const b = bodies[i]! * Body.STRIDE;
    const dx = values[b + Body.CENTER_X]! - values[b + Body.CENTER_X0]!;
    const dy = values[b + Body.CENTER_Y]! - values[b + Body.CENTER_Y0]!;
    const turn = values[b + Body.ANGLE]! - values[b + Body.ANGLE0]!;
    const isNear = Math.abs(dx) <= THROW_MAX && Math.abs(dy) <= THROW_MAX &&
      Math.abs(turn) <= THROWN_TURN_MAX;
    if (isNear) continue; // what is no number is not

    values[b + Body.CENTER_X] = values[b + Body.CENTER_X0]!;
    values[b + Body.CENTER_Y] = values[b + Body.CENTER_Y0]!;
    values[b + Body.ANGLE] = values[b + Body.ANGLE0]!;
    updateTransformAt(values, b);
    world.limitsReached.add("corrections");
  }
}

/**
 * Puts the whole island to sleep once each body has been at rest for `TIME_TO_SLEEP_S`. Position
 * errors keep it awake as long as their correction moves a body. Some errors last: a hinge that is
 * pressed against its limit rests exactly at the tolerance, so rounding decides; a body that is
 * pinned within the ground is pushed out and pulled back.
 */
function updateSleep(world: World, { bodies, bodyCount }: Island, isSolved: boolean): void {
  const { bodies: { values, ints }, stepS } = world;
  let sleepSMin = Infinity;

  for (let i = 0; i < bodyCount; i++) {
    const b = bodies[i]! * Body.STRIDE;
    if (ints[bodies[i]! * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.STATIC) continue;
    const x = values[b + Body.VX]!;
    const y = values[b + Body.VY]!;
    const spin = values[b + Body.SPIN]!;

    // A kinematic body keeps its velocity, however slow: sleep would stop it.
    const isSleepless =
      (ints[bodies[i]! * BodyInt.STRIDE + BodyInt.FLAGS]! & BodyFlag.SLEEPLESS) !== 0;
    const isKept = isSleepless ||
      ints[bodies[i]! * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.KINEMATIC &&
        (x !== 0 || y !== 0 || spin !== 0);
    const isResting = !isKept && spin * spin <= ANGULAR_SLEEP_TOLERANCE * ANGULAR_SLEEP_TOLERANCE &&
      x * x + y * y <= LINEAR_SLEEP_TOLERANCE * LINEAR_SLEEP_TOLERANCE;

    const sleepS = isResting ? values[b + Body.SLEEP_S]! + stepS : 0;
    values[b + Body.SLEEP_S] = sleepS;
    sleepSMin = Math.min(sleepSMin, sleepS);
  }

  // Stay awake until all have rested long enough
  if (sleepSMin < TIME_TO_SLEEP_S || !isSolved && hasMoved(world, bodies, bodyCount)) return;
  if (sleepSMin < TIME_TO_SLEEP_MAX_S && gainsSpeed(world, bodies, bodyCount)) return;
  for (let i = 0; i < bodyCount; i++) world.putToSleep(bodies[i]!);
}

/** Whether the velocity or the spin of a body has changed faster than it does at rest. */
function gainsSpeed(
  { bodies: { values }, stepS }: World,
  bodies: readonly number[],
  count: number,
): boolean {
  const { before } = solverScratch;
  const most = REST_ACCELERATION_MAX * stepS;
  const mostSpin = REST_ANGULAR_ACCELERATION_MAX * stepS;
  for (let i = 0; i < count; i++) {
    const b = bodies[i]! * Body.STRIDE;
    const dx = values[b + Body.VX]! - before[3 * i]!;
    const dy = values[b + Body.VY]! - before[3 * i + 1]!;
    if (
      dx * dx + dy * dy > most * most ||
      Math.abs(values[b + Body.SPIN]! - before[3 * i + 2]!) > mostSpin
    ) return true;
  }
  return false;
}

/**
 * Whether velocity and corrections together have moved a body farther than it moves at the speeds
 * of rest.
 */
function hasMoved(
  { bodies: { values }, stepS }: World,
  bodies: readonly number[],
  count: number,
): boolean {
  const distanceMax = LINEAR_SLEEP_TOLERANCE * stepS;
  const turnMax = ANGULAR_SLEEP_TOLERANCE * stepS;
  for (let i = 0; i < count; i++) {
    const b = bodies[i]! * Body.STRIDE;
    const turn = values[b + Body.ANGLE]! - values[b + Body.ANGLE0]!;
    const dx = values[b + Body.CENTER_X]! - values[b + Body.CENTER_X0]!;
    const dy = values[b + Body.CENTER_Y]! - values[b + Body.CENTER_Y0]!;
    if (dx * dx + dy * dy > distanceMax * distanceMax || Math.abs(turn) > turnMax) return true;
  }
  return false;
}
