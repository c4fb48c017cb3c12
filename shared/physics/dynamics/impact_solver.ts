/**
 * Solves the rest of a world step for the bodies of one time of impact. planck has advanced them to that time and
 * collected their contacts. The order is that of its `Solver.solveIslandTOI`, which this replaces:
 *
 *     push the two bodies apart · solve velocities, 8 times · integrate positions over the rest of the step
 *
 * Contacts are prepared and solved as in an island, so that restitution is one law (`restitution.ts`).
 */
import { prepareContact } from "./contact_constraints.ts";
import { solvePositions, solveVelocities } from "./contact_solver.ts";
import { integratePosition } from "./island_solver.ts";
import * as bodyLayout from "../core/body_rows.ts";
import * as solverLayout from "../core/solver_scratch.ts";
import { reserve, solverScratch } from "../core/solver_scratch.ts";
import { LINEAR_SLOP, type PlanckBody, type PlanckContact, type PlanckStep, TOI_BAUMGARTE } from "../planck/planck.ts";

const { CENTER_X, CENTER_Y, ANGLE, TRANSFORM_ANGLE, CENTER_X0, CENTER_Y0, ANGLE0 } = bodyLayout;
const { STEP_S, ALPHA, CORRECTED_SHARE, SEPARATION_MIN } = solverLayout;
const { BODY_A, BODY_B, INDEX_STRIDE, CONTACT_STRIDE } = solverLayout;
const { INVERSE_MASS_A, INVERSE_INERTIA_A, INVERSE_MASS_B, INVERSE_INERTIA_B } = solverLayout;

/** As in planck. */
const POSITION_ITERATIONS = 20;
/** Metres: the separation that the push accepts, as in planck. */
const PUSHED_SEPARATION_MIN = -1.5 * LINEAR_SLOP;
/** A sub-step has no warm start. */
const NO_WARM_START = { dtRatio: 0 };

/** The bodies and contacts that planck has collected. */
export interface Impact {
  /** The pair that meets comes first. */
  readonly bodies: readonly PlanckBody[];
  readonly contacts: readonly PlanckContact[];
}

/**
 * Solves one impact. The islands of the world step are solved before.
 * @param rest its `dt` is the rest of the world step, seconds
 */
export function solveImpact({ bodies, contacts }: Impact, rest: PlanckStep): void {
  const { bodies: values, step } = solverScratch, first = bodies[0]!.offset, second = bodies[1]!.offset;
  step[ALPHA] = 1 - rest.dt / step[STEP_S]!;
  reserve(contacts.length);
  for (const { offset } of bodies) values[offset + TRANSFORM_ANGLE] = values[offset + ANGLE]!;
  pushApart(contacts, first, second);
  prepareAll(contacts);
  // The next search begins where the two have been pushed to.
  beginStepHere(first);
  beginStepHere(second);
  for (let i = 0; i < rest.velocityIterations; i++) if (!solveVelocities(contacts.length)) break;
  for (const { offset, m_type: type } of bodies) if (type !== "static") integratePosition(offset, rest);
}

function prepareAll(contacts: readonly PlanckContact[]): void {
  for (let i = 0; i < contacts.length; i++) prepareContact(contacts[i]!, i, NO_WARM_START);
}

/** Corrects the positions of the two bodies; all others stay. */
function pushApart(contacts: readonly PlanckContact[], first: number, second: number): void {
  const { step, contacts: rows, indices } = solverScratch;
  prepareAll(contacts);
  for (let i = 0; i < contacts.length; i++) {
    const a = indices[i * INDEX_STRIDE + BODY_A]!, b = indices[i * INDEX_STRIDE + BODY_B]!, c = i * CONTACT_STRIDE;
    if (a !== first && a !== second) rows[c + INVERSE_MASS_A] = rows[c + INVERSE_INERTIA_A] = 0;
    if (b !== first && b !== second) rows[c + INVERSE_MASS_B] = rows[c + INVERSE_INERTIA_B] = 0;
  }
  step[CORRECTED_SHARE] = TOI_BAUMGARTE;
  step[SEPARATION_MIN] = PUSHED_SEPARATION_MIN;
  for (let i = 0; i < POSITION_ITERATIONS; i++) if (solvePositions(contacts.length)) return;
}

function beginStepHere(offset: number): void {
  const { bodies: values } = solverScratch;
  values[offset + CENTER_X0] = values[offset + CENTER_X]!;
  values[offset + CENTER_Y0] = values[offset + CENTER_Y]!;
  values[offset + ANGLE0] = values[offset + ANGLE]!;
}
