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
import * as bodyLayout from "../core/body_rows.ts";
import { isStill, updateTransformAt } from "../core/body_transform.ts";
import * as contactLayout from "../core/contact_rows.ts";
import { FIXTURE_INTS, FIXTURE_SHAPE } from "../core/fixture_rows.ts";
import { LINEAR_SLOP, TOI_BAUMGARTE } from "../core/tuning.ts";
import { comesNearer } from "../geometry/time_of_impact.ts";
import * as solverLayout from "./solver_scratch.ts";
import { reserve, solverScratch } from "./solver_scratch.ts";
import type { World } from "./world.ts";

const { CENTER_X, CENTER_Y, ANGLE, TRANSFORM_ANGLE, CENTER_X0, CENTER_Y0, ANGLE0, BODY_STRIDE } =
  bodyLayout;
const { BODY_INTS, BODY_TYPE, STATIC, DYNAMIC, FIRST_CONTACT, NONE } = bodyLayout;
const {
  CONTACT_INTS,
  CONTACT_FLAGS,
  CONTACT_BODY_A,
  CONTACT_BODY_B,
  FIXTURE_A,
  FIXTURE_B,
  NEXT_LINK,
} = contactLayout;
const { SOLID, OF_SENSOR } = contactLayout;
const { STEP_S, REST_S, ALPHA, CORRECTED_SHARE, SEPARATION_MIN } = solverLayout;
const { BODY_A, BODY_B, INDEX_STRIDE, CONTACT_STRIDE } = solverLayout;
const { INVERSE_MASS_A, INVERSE_INERTIA_A, INVERSE_MASS_B, INVERSE_INERTIA_B } = solverLayout;

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
  const first = bodies[0]! * BODY_STRIDE;
  const second = bodies[1]! * BODY_STRIDE;

  // What is left of the world step
  step[REST_S] = (1 - alpha) * step[STEP_S]!;
  step[ALPHA] = 1 - step[REST_S]! / step[STEP_S]!;

  reserve(0, contacts.length);
  for (let i = 0; i < bodies.length; i++) {
    values[bodies[i]! * BODY_STRIDE + TRANSFORM_ANGLE] = values[bodies[i]! * BODY_STRIDE + ANGLE]!;
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
  for (let i = 0; i < world.velocityIterations; i++) if (!solveVelocities(contacts.length)) break;
  if (world.contacts.impulseSums.length > 0) {
    for (let i = 0; i < contacts.length; i++) sumImpulses(world, contacts[i]!, i);
  }

  for (let i = 0; i < bodies.length; i++) {
    if (ints[bodies[i]! * BODY_INTS + BODY_TYPE] !== STATIC) {
      integratePosition(bodies[i]! * BODY_STRIDE);
    }
  }
}

function prepareAll(world: World, contacts: readonly number[]): void {
  for (let i = 0; i < contacts.length; i++) prepareContact(world, contacts[i]!, i, false);
}

/** Corrects the positions of the two bodies; all others stay. */
function pushApart(world: World, contacts: readonly number[], first: number, second: number): void {
  const { step, contacts: rows, indices } = solverScratch;
  prepareAll(world, contacts);
  for (let i = 0; i < contacts.length; i++) {
    const a = indices[i * INDEX_STRIDE + BODY_A]!;
    const b = indices[i * INDEX_STRIDE + BODY_B]!;
    const c = i * CONTACT_STRIDE;
    if (a !== first && a !== second) rows[c + INVERSE_MASS_A] = rows[c + INVERSE_INERTIA_A] = 0;
    if (b !== first && b !== second) rows[c + INVERSE_MASS_B] = rows[c + INVERSE_INERTIA_B] = 0;
  }
  step[CORRECTED_SHARE] = TOI_BAUMGARTE;
  step[SEPARATION_MIN] = PUSHED_SEPARATION_MIN;
  for (let i = 0; i < PUSH_ITERATIONS; i++) if (solvePositions(contacts.length)) return;
}

/** Whether a push may have moved a body to something with which it has no contact yet. */
function isFar({ bodies }: World, body: number): boolean {
  return travelOf(bodies.values, body * BODY_STRIDE) > PUSH_MAX;
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
  if (bodies.ints[body * BODY_INTS + BODY_TYPE] !== DYNAMIC) return false;
  for (let link = bodies.ints[body * BODY_INTS + FIRST_CONTACT]!; link !== NONE;) {
    const contact = link >> 1;
    const side = link & 1;
    const k = contact * CONTACT_INTS;
    const other = ints[k + CONTACT_BODY_A + 1 - side]!;
    link = ints[k + NEXT_LINK + side]!;

    // Only what does not give way
    if (contact === own || (ints[k + CONTACT_FLAGS]! & (SOLID | OF_SENSOR)) !== SOLID) continue;
    if (
      bodies.ints[other * BODY_INTS + BODY_TYPE] === DYNAMIC ||
      !isStill(bodies.values, other * BODY_STRIDE)
    ) {
      continue;
    }

    // Whether the push has led nearer to it
    const a = ints[k + CONTACT_BODY_A]! * BODY_STRIDE;
    const b = ints[k + CONTACT_BODY_B]! * BODY_STRIDE;
    const shapeA = fixtures.ints[ints[k + FIXTURE_A]! * FIXTURE_INTS + FIXTURE_SHAPE]!;
    const shapeB = fixtures.ints[ints[k + FIXTURE_B]! * FIXTURE_INTS + FIXTURE_SHAPE]!;
    if (comesNearer(shapes, shapeA, bodies.values, a, shapeB, b, PUSHED_DISTANCE_MIN)) return true;
  }

  return false;
}

/** Takes the push of a body back. It began where the body's sweep begins. */
function returnToStart(offset: number): void {
  const { bodies: values } = solverScratch;
  values[offset + CENTER_X] = values[offset + CENTER_X0]!;
  values[offset + CENTER_Y] = values[offset + CENTER_Y0]!;
  values[offset + ANGLE] = values[offset + ANGLE0]!;
  updateTransformAt(values, offset);
}

function beginStepHere(offset: number): void {
  const { bodies: values } = solverScratch;
  values[offset + CENTER_X0] = values[offset + CENTER_X]!;
  values[offset + CENTER_Y0] = values[offset + CENTER_Y]!;
  values[offset + ANGLE0] = values[offset + ANGLE]!;
}
