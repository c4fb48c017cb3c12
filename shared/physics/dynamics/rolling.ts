/**
 * Rolling resistance, after Box2D 3: a torque against the spin of one body relative to the other.
 *
 *     |impulse| ≤ resistance · radius · (sum of the normal impulses)
 *
 * A ball on a slope has the torque m g sin α · r about its contact and is held by resistance · r · m
 * g cos α. So it rolls only where tan α is larger. The impulses begin at 0 in each world step and go
 * on from one solver step to the next, so the state need not include them. Contacts with a
 * resistance are in a list of their own. It is empty in most islands, which then pay nothing.
 */
import { Body } from "../core/body_rows.ts";
import { ContactInt } from "../core/contact_rows.ts";
import { FixtureInt } from "../core/fixture_rows.ts";
import { ShapeValue, skinOf } from "../core/shape_rows.ts";
import { Constraint, ConstraintInt, ConstraintRow, solverScratch } from "./solver_scratch.ts";
import type { World } from "./world.ts";

/** Places in a row of `scratch.rows`. */
enum Rolling {
  /** Resistance · radius, metres. */
  ARM = 0,

  /** kg·m² */
  EFFECTIVE_MASS = 1,

  /** The accumulated impulse, N·m·s. */
  IMPULSE = 2,

  STRIDE = 3,
}

const scratch = {
  /** By number: the rows. Written by `addRolling`, read and written by `solveRolling`. */
  rows: new Float64Array(16 * Rolling.STRIDE),
  /** By number: the index of the contact in the solver's scratch. Written and read likewise. */
  indices: [] as number[],
  /** Whether the impulses in the rows are those of the solver step before. */
  isWarm: false,
};

/**
 * Begins a new island or impact.
 * @param isWarm whether it is the one before, in its next solver step: the same contacts follow
 */
export function beginRolling(isWarm: boolean): void {
  scratch.indices.length = 0;
  scratch.isWarm = isWarm;
}

/** Applies the impulses of the solver step before. */
export function warmStartRolling(): void {
  if (!scratch.isWarm) return;
  for (let i = 0; i < scratch.indices.length; i++) {
    turn(scratch.indices[i]!, scratch.rows[i * Rolling.STRIDE + Rolling.IMPULSE]!);
  }
}

/**
 * Adds a contact that is prepared. Without a radius or a body that turns it has no resistance.
 * @param index of the contact in the solver's scratch
 * @param resistance > 0
 */
export function addRolling(
  { contacts: { ints }, fixtures, shapes }: World,
  contact: number,
  index: number,
  resistance: number,
): void {
  const { contacts } = solverScratch;
  const k = contact * ContactInt.STRIDE;

  // The larger radius of both
  let radius = 0;
  for (let side = 0; side < 2; side++) {
    const fixture = ints[k + ContactInt.FIXTURE_A + side]!;
    const shape = fixtures.ints[fixture * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
    radius = Math.max(radius, shapes[shape + ShapeValue.RADIUS]! - skinOf(shapes, shape));
  }

  const c = index * Constraint.STRIDE;
  const inverse = contacts[c + Constraint.INVERSE_INERTIA_A]! +
    contacts[c + Constraint.INVERSE_INERTIA_B]!;
  if (radius === 0 || inverse === 0) return;

  // Room for one more
  const at = scratch.indices.length * Rolling.STRIDE;
  if (at === scratch.rows.length) {
    const rows = new Float64Array(2 * at);
    rows.set(scratch.rows);
    scratch.rows = rows;
  }

  scratch.rows[at + Rolling.ARM] = resistance * radius;
  scratch.rows[at + Rolling.EFFECTIVE_MASS] = 1 / inverse;
  if (!scratch.isWarm) scratch.rows[at + Rolling.IMPULSE] = 0;
  scratch.indices.push(index);
}

/** One iteration. @returns whether an impulse changed */
export function solveRolling(): boolean {
  const { rows, indices } = scratch;
  const { contacts, bodies, indices: ints } = solverScratch;
  let isChanged = false;

  for (let i = 0; i < indices.length; i++) {
    const at = i * Rolling.STRIDE;
    const c = indices[i]! * Constraint.STRIDE;
    const idx = indices[i]! * ConstraintInt.STRIDE;
    const a = ints[idx + ConstraintInt.BODY_A]!;
    const b = ints[idx + ConstraintInt.BODY_B]!;

    // How hard the bodies are pressed together
    const p = c + Constraint.POINTS;
    const isBlock = ints[idx + ConstraintInt.VELOCITY_POINTS] === 2;
    const normal = contacts[p + ConstraintRow.IMPULSE]! +
      (isBlock ? contacts[p + Constraint.POINT_STRIDE + ConstraintRow.IMPULSE]! : 0);

    // As much as stops the spin, within the bound
    const old = rows[at + Rolling.IMPULSE]!;
    const most = rows[at + Rolling.ARM]! * normal;
    const spin = bodies[b + Body.SPIN]! - bodies[a + Body.SPIN]!;
    const wanted = old - rows[at + Rolling.EFFECTIVE_MASS]! * spin;
    const impulse = Math.max(-most, Math.min(most, wanted));
    const delta = impulse - old;
    if (delta === 0) continue;

    isChanged = true;
    rows[at + Rolling.IMPULSE] = impulse;
    turn(indices[i]!, delta);
  }

  return isChanged;
}

/** Turns both bodies of a contact. Immovable ones are not written, as in `solveVelocities`. */
function turn(index: number, impulse: number): void {
  const { contacts, bodies, indices } = solverScratch;
  const c = index * Constraint.STRIDE;
  const idx = index * ConstraintInt.STRIDE;
  const inverseA = contacts[c + Constraint.INVERSE_INERTIA_A]!;
  const inverseB = contacts[c + Constraint.INVERSE_INERTIA_B]!;
  if (inverseA !== 0) {
    bodies[indices[idx + ConstraintInt.BODY_A]! + Body.SPIN]! -= inverseA * impulse;
  }
  if (inverseB !== 0) {
    bodies[indices[idx + ConstraintInt.BODY_B]! + Body.SPIN]! += inverseB * impulse;
  }
}
