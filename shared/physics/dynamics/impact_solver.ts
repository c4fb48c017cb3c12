/**
 * Solves the rest of a world step for the bodies of one time of impact, which are at that time, in
 * the order of b2Island::SolveTOI:
 *
 *     push the two bodies apart · solve velocities · integrate positions over the rest of the step
 *
 * Contacts are prepared and solved as in an island, so that restitution is one law
 * (`restitution.ts`).
 */
import { travelOf } from "../collision/aabb.ts";
import { MARGIN } from "../collision/broad_phase.ts";
import { prepareContact } from "./contact_constraints.ts";
import { solvePositions, solveVelocities } from "./contact_solver.ts";
import { integratePosition, sumImpulses } from "./island_solver.ts";
import { Body, BodyInt, MotionType, NONE } from "../core/body_rows.ts";
import { isStill, updateTransformAt } from "../core/body_transform.ts";
import { ContactFlag, ContactInt } from "../core/contact_rows.ts";
import { FixtureInt } from "../core/fixture_rows.ts";
import { LINEAR_SLOP, TOI_BAUMGARTE } from "../core/tuning.ts";
import { comesNearer } from "../geometry/time_of_impact.ts";
import { beginRolling, solveRolling } from "./rolling.ts";
import { Constraint, ConstraintInt, reserve, solverScratch, Step } from "./solver_scratch.ts";
import type { World } from "./world.ts";

/** Iterations that push the two bodies apart, as in Box2D. */
const PUSH_ITERATIONS = 20;
/** Metres: the separation that the push accepts, as in Box2D. */
const PUSHED_SEPARATION_MIN = -1.5 * LINEAR_SLOP;

/** Metres: how near a push may bring two hulls. Their impact has left them a slop apart. */
const PUSHED_DISTANCE_MIN = 0.25 * LINEAR_SLOP;

/**
 * Metres: a longer push may reach what a body has no contact with yet. Both AABBs of a pair have a
 * margin.
 */
const PUSH_MAX = 2 * MARGIN;

/** The rows of the bodies and contacts of one impact. The pair that meets comes first. */
export interface Impact {
  readonly bodies: readonly number[];
  readonly contacts: readonly number[];
}

/**
 * Solves one impact. The islands of the world step are solved before.
 * @param alpha the share of the world step that is over, 0 … 1
 * @param findOnWay finds the contacts of the first two bodies from where they were to where they
 *   are
 */
export function solveImpact(
  world: World,
  { bodies, contacts }: Impact,
  alpha: number,
  findOnWay: () => void,
): void {
  const { bodies: values, step } = solverScratch;
  const { ints } = world.bodies;
  const first = bodies[0]! * Body.STRIDE;
  const second = bodies[1]! * Body.STRIDE;

  // What is left of the world step
  step[Step.REST_S] = (1 - alpha) * step[Step.LENGTH_S]!;
  step[Step.ALPHA] = 1 - step[Step.REST_S]! / step[Step.LENGTH_S]!;

  reserve(0, contacts.length);
  for (let i = 0; i < bodies.length; i++) {
    values[bodies[i]! * Body.STRIDE + Body.TRANSFORM_ANGLE] =
      values[bodies[i]! * Body.STRIDE + Body.ANGLE]!;
  }

  // Push the two apart, and take that back if it leads into something
  pushApart(world, contacts, first, second);
  if (isFar(world, bodies[0]!) || isFar(world, bodies[1]!)) findOnWay();

  // The push of a contact that is alone leads away from it.
  const own = contacts.length === 1 ? contacts[0]! : NONE;
  if (mayEnter(world, bodies[0]!, own) || mayEnter(world, bodies[1]!, own)) {
    returnToStart(first);
    returnToStart(second);
  }

  prepareAll(world, contacts);

  // The next search begins where the two have been pushed to.
  beginStepHere(first);
  beginStepHere(second);

  // Velocities, and then the rest of the step
  for (let i = 0; i < world.impactIterations; i++) {
    const isRolling = solveRolling();
    if (!solveVelocities(contacts.length) && !isRolling) break;
  }
  if (world.contacts.impulseSums.length > 0) {
    for (let i = 0; i < contacts.length; i++) sumImpulses(world, contacts[i]!, i);
  }

  for (let i = 0; i < bodies.length; i++) {
    if (ints[bodies[i]! * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.STATIC) continue;
    if (world.solverSteps > 1) integrateAtMean(bodies[i]!);
    else integratePosition(bodies[i]! * Body.STRIDE);
  }
}

/**
 * Moves a body over the rest of a world step of several solver steps: what falls freely has not
 * moved at its last velocity, but at the mean of all.
 */
function integrateAtMean(body: number): void {
  const { bodies, meanOffsets } = solverScratch;
  const b = body * Body.STRIDE;
  bodies[b + Body.VX]! += meanOffsets[3 * body]!;
  bodies[b + Body.VY]! += meanOffsets[3 * body + 1]!;
  bodies[b + Body.SPIN]! += meanOffsets[3 * body + 2]!;
  integratePosition(b);
  bodies[b + Body.VX]! -= meanOffsets[3 * body]!;
  bodies[b + Body.VY]! -= meanOffsets[3 * body + 1]!;
  bodies[b + Body.SPIN]! -= meanOffsets[3 * body + 2]!;
}

function prepareAll(world: World, contacts: readonly number[]): void {
  beginRolling(false);
  for (let i = 0; i < contacts.length; i++) prepareContact(world, contacts[i]!, i, false);
}

/** Corrects the positions of the two bodies; all others stay. */
function pushApart(world: World, contacts: readonly number[], first: number, second: number): void {
  const { step, contacts: rows, indices } = solverScratch;
  prepareAll(world, contacts);
  for (let i = 0; i < contacts.length; i++) {
    const a = indices[i * ConstraintInt.STRIDE + ConstraintInt.BODY_A]!;
    const b = indices[i * ConstraintInt.STRIDE + ConstraintInt.BODY_B]!;
    const c = i * Constraint.STRIDE;
    if (a !== first && a !== second) {
      rows[c + Constraint.INVERSE_MASS_A] = rows[c + Constraint.INVERSE_INERTIA_A] = 0;
    }
    if (b !== first && b !== second) {
      rows[c + Constraint.INVERSE_MASS_B] = rows[c + Constraint.INVERSE_INERTIA_B] = 0;
    }
  }
  step[Step.CORRECTED_SHARE] = TOI_BAUMGARTE;
  step[Step.SEPARATION_MIN] = PUSHED_SEPARATION_MIN;
  for (let i = 0; i < PUSH_ITERATIONS; i++) if (solvePositions(contacts.length)) return;
}

/** Whether a push may have moved a body to something with which it has no contact yet. */
function isFar({ bodies }: World, body: number): boolean {
  return travelOf(bodies.values, body * Body.STRIDE) > PUSH_MAX;
}

/**
 * Whether the push has moved a body into something that does not give way. The search for impacts
 * does not follow a push, and it finds none between hulls that overlap already: in a crowd a push
 * would press bodies through walls.
 * @param own a contact that does not count, or `NONE`
 */
function mayEnter(
  { bodies, contacts: { ints }, fixtures, shapes }: World,
  body: number,
  own: number,
): boolean {
  if (bodies.ints[body * BodyInt.STRIDE + BodyInt.TYPE] !== MotionType.DYNAMIC) return false;
  for (let link = bodies.ints[body * BodyInt.STRIDE + BodyInt.FIRST_CONTACT]!; link !== NONE;) {
    const contact = link >> 1;
    const side = link & 1;
    const k = contact * ContactInt.STRIDE;
    const other = ints[k + ContactInt.BODY_A + 1 - side]!;
    link = ints[k + ContactInt.NEXT_LINK + side]!;

    // Only what does not give way
    if (
      contact === own ||
      (ints[k + ContactInt.FLAGS]! & (ContactFlag.SOLID | ContactFlag.OF_SENSOR)) !==
        ContactFlag.SOLID
    ) continue;
    if (
      bodies.ints[other * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.DYNAMIC ||
      !isStill(bodies.values, other * Body.STRIDE)
    ) {
      continue;
    }

    // Whether the push has led nearer to it
    const a = ints[k + ContactInt.BODY_A]! * Body.STRIDE;
    const b = ints[k + ContactInt.BODY_B]! * Body.STRIDE;
    const shapeA = fixtures
      .ints[ints[k + ContactInt.FIXTURE_A]! * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
    const shapeB = fixtures
      .ints[ints[k + ContactInt.FIXTURE_B]! * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
    if (comesNearer(shapes, shapeA, bodies.values, a, shapeB, b, PUSHED_DISTANCE_MIN)) return true;
  }

  return false;
}

/** Takes the push of a body back. It began where the body's sweep begins. */
function returnToStart(offset: number): void {
  const { bodies: values } = solverScratch;
  values[offset + Body.CENTER_X] = values[offset + Body.CENTER_X0]!;
  values[offset + Body.CENTER_Y] = values[offset + Body.CENTER_Y0]!;
  values[offset + Body.ANGLE] = values[offset + Body.ANGLE0]!;
  updateTransformAt(values, offset);
}

function beginStepHere(offset: number): void {
  const { bodies: values } = solverScratch;
  values[offset + Body.CENTER_X0] = values[offset + Body.CENTER_X]!;
  values[offset + Body.CENTER_Y0] = values[offset + Body.CENTER_Y]!;
  values[offset + Body.ANGLE0] = values[offset + Body.ANGLE]!;
}
