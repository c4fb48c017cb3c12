/**
 * The two inner loops of an island, after Box2D's b2ContactSolver. Both visit the contacts in the
 * order of the island's search.
 *
 * - Velocities: sequential impulses, with a block solver for the two points of a contact.
 * - Positions: non-linear Gauss-Seidel with Baumgarte's factor, in planck's operations bit by bit.
 */
import { Body } from "../core/body_rows.ts";
import { Contact, ManifoldType } from "../core/contact_rows.ts";
import { updateTransformAt } from "../core/body_transform.ts";
import { LINEAR_SLOP, MAX_LINEAR_CORRECTION } from "../core/tuning.ts";
import {
  Constraint,
  ConstraintInt,
  ConstraintRow,
  INDEX_MASK,
  Manifold,
  solverScratch,
  Step,
} from "./solver_scratch.ts";

/** The place in `scratch.smallest`. */
const SEPARATION = 0;

const scratch = {
  /**
   * The right-hand sides of both points, written by `solveVelocities` and read by
   * `solveBlockCases`; then their impulses, the other way round.
   */
  block: new Float64Array(2),
  /**
   * The smallest separation so far, negative for an overlap, metres. Written by `correctPositions`,
   * read by `solvePositions`.
   */
  smallest: new Float64Array(1),
};

/**
 * One iteration over all contacts. Each contact gets its friction first, bounded by the normal
 * impulses of the previous iteration, then its normal impulses:
 *
 *     friction    impulse := clamp( old − vt · effective mass, ± friction · (old1 + old2) )
 *     one point   impulse := max( old − (vn − bias) · effective mass, 0 )
 *     two points  find x ≥ 0 with K x + rhs ≥ 0 and complementary; rhs = vn − bias − K · old
 *
 * Immovable bodies are not written, so that the other contacts of the ground need not wait for the
 * write.
 * @returns whether an impulse changed. If none did, further iterations would read and write the
 *   same numbers.
 */
export function solveVelocities(contactCount: number): boolean {
  const { block } = scratch;
  const { indices, contacts, bodies } = solverScratch;
  let isChanged = false;

  for (let i = 0; i < contactCount; i++) {
    const idx = i * ConstraintInt.STRIDE & INDEX_MASK;
    const c = i * Constraint.STRIDE & INDEX_MASK;
    const p = c + Constraint.POINTS;
    const q = p + Constraint.POINT_STRIDE;
    const t = c + Constraint.TANGENT_ROW;
    const a = indices[idx + ConstraintInt.BODY_A]! & INDEX_MASK;
    const b = indices[idx + ConstraintInt.BODY_B]! & INDEX_MASK;
    const nx = contacts[c + Constraint.NORMAL_X]!;
    const ny = contacts[c + Constraint.NORMAL_Y]!;
    const isBlock = indices[idx + ConstraintInt.VELOCITY_POINTS]! === 2;

    // Its two bodies
    const mA = contacts[c + Constraint.INVERSE_MASS_A]!;
    const iA = contacts[c + Constraint.INVERSE_INERTIA_A]!;
    const mB = contacts[c + Constraint.INVERSE_MASS_B]!;
    const iB = contacts[c + Constraint.INVERSE_INERTIA_B]!;
    let vax = bodies[a + Body.VX]!;
    let vay = bodies[a + Body.VY]!;
    let wA = bodies[a + Body.SPIN]!;
    let vbx = bodies[b + Body.VX]!;
    let vby = bodies[b + Body.VY]!;
    let wB = bodies[b + Body.SPIN]!;

    // Friction first, bounded by the normal impulses so far.
    const old1 = contacts[p + ConstraintRow.IMPULSE]!;
    const old2 = isBlock ? contacts[q + ConstraintRow.IMPULSE]! : 0;
    const rtA = contacts[t + ConstraintRow.RN_A]!;
    const rtB = contacts[t + ConstraintRow.RN_B]!;
    const oldTangent = contacts[t + ConstraintRow.IMPULSE]!;
    const maxT = contacts[c + Constraint.FRICTION]! * (old1 + old2);
    const vt = (vbx - vax) * ny - (vby - vay) * nx + (rtB * wB - rtA * wA) -
      contacts[c + Constraint.TANGENT_SPEED]!;

    const tangent = Math.max(
      -maxT,
      Math.min(maxT, oldTangent - contacts[t + ConstraintRow.EFFECTIVE_MASS]! * vt),
    );
    const tangentDelta = tangent - oldTangent;
    contacts[t + ConstraintRow.IMPULSE] = tangent;

    vax -= mA * ny * tangentDelta;
    vay += mA * nx * tangentDelta;
    wA -= iA * rtA * tangentDelta;
    vbx += mB * ny * tangentDelta;
    vby -= mB * nx * tangentDelta;
    wB += iB * rtB * tangentDelta;

    // Then the normal impulses: both points at once, if there are two.
    const vn = (vbx - vax) * nx + (vby - vay) * ny;
    const rnA1 = contacts[p + ConstraintRow.RN_A]!;
    const rnB1 = contacts[p + ConstraintRow.RN_B]!;
    const rnA2 = contacts[q + ConstraintRow.RN_A]!;
    const rnB2 = contacts[q + ConstraintRow.RN_B]!;
    const vn1 = vn + (rnB1 * wB - rnA1 * wA) - contacts[p + ConstraintRow.BIAS]!;

    let impulse1: number;
    let impulse2 = 0;
    if (isBlock) {
      const vn2 = vn + (rnB2 * wB - rnA2 * wA) - contacts[q + ConstraintRow.BIAS]!;
      const k12 = contacts[c + Constraint.K12]!;
      const inverse12 = contacts[c + Constraint.INVERSE_12]!;
      const rhs1 = block[0] = vn1 - (contacts[c + Constraint.K11]! * old1 + k12 * old2);
      const rhs2 = block[1] = vn2 - (k12 * old1 + contacts[c + Constraint.K22]! * old2);
      impulse1 = -(contacts[c + Constraint.INVERSE_11]! * rhs1 + inverse12 * rhs2);
      impulse2 = -(inverse12 * rhs1 + contacts[c + Constraint.INVERSE_22]! * rhs2);

      // A point that would pull must not.
      if (!(impulse1 >= 0 && impulse2 >= 0)) {
        solveBlockCases(c);
        impulse1 = block[0]!;
        impulse2 = block[1]!;
      }
      contacts[q + ConstraintRow.IMPULSE] = impulse2;
    } else impulse1 = Math.max(old1 - contacts[p + ConstraintRow.EFFECTIVE_MASS]! * vn1, 0);
    contacts[p + ConstraintRow.IMPULSE] = impulse1;

    // Apply what has changed.
    const delta1 = impulse1 - old1;
    const delta2 = impulse2 - old2;
    const delta = delta1 + delta2;
    if (tangentDelta !== 0 || delta1 !== 0 || delta2 !== 0) isChanged = true;

    if (mA !== 0) {
      bodies[a + Body.VX] = vax - mA * nx * delta;
      bodies[a + Body.VY] = vay - mA * ny * delta;
      bodies[a + Body.SPIN] = wA - (iA * rnA1 * delta1 + iA * rnA2 * delta2);
    }
    if (mB !== 0) {
      bodies[b + Body.VX] = vbx + mB * nx * delta;
      bodies[b + Body.VY] = vby + mB * ny * delta;
      bodies[b + Body.SPIN] = wB + (iB * rnB1 * delta1 + iB * rnB2 * delta2);
    }
  }

  return isChanged;
}

/**
 * The other cases of the block's linear complementarity problem, if both impulses cannot be
 * positive. The first valid case counts: only point 1 pushes, only point 2, none. If no case is
 * valid, both impulses stay.
 */
function solveBlockCases(c: number): void {
  const { block } = scratch;
  const { contacts } = solverScratch;
  const p = c + Constraint.POINTS;
  const q = p + Constraint.POINT_STRIDE;
  const k12 = contacts[c + Constraint.K12]!;
  const rhs1 = block[0]!;
  const rhs2 = block[1]!;

  // What either point does without the other
  const alone1 = -contacts[p + ConstraintRow.EFFECTIVE_MASS]! * rhs1;
  const alone2 = -contacts[q + ConstraintRow.EFFECTIVE_MASS]! * rhs2;

  block[0] = block[1] = 0;
  if (alone1 >= 0 && k12 * alone1 + rhs2 >= 0) block[0] = alone1;
  else if (alone2 >= 0 && k12 * alone2 + rhs1 >= 0) block[1] = alone2;
  else if (!(rhs1 >= 0 && rhs2 >= 0)) {
    block[0] = contacts[p + ConstraintRow.IMPULSE]!;
    block[1] = contacts[q + ConstraintRow.IMPULSE]!;
  }
}

/**
 * One iteration over all contacts.
 * @returns whether the smallest separation is at least `Step.SEPARATION_MIN`
 */
export function solvePositions(contactCount: number): boolean {
  const { smallest } = scratch;
  smallest[SEPARATION] = 0;
  for (let i = 0; i < contactCount; i++) correctPositions(i);
  return smallest[SEPARATION] >= solverScratch.step[Step.SEPARATION_MIN]!;
}

/**
 * For each point of a contact, corrects both positions along the normal by clamp( share (separation
 * + slop), −maxLinearCorrection, 0 ). The numbers stay in local variables from the world manifold
 * to the correction. With a scratch between the two a step of a pyramid took 7 % longer.
 */
function correctPositions(index: number): void {
  const { smallest } = scratch;
  const { indices, contacts, manifolds, bodies, step } = solverScratch;
  const idx = index * ConstraintInt.STRIDE & INDEX_MASK;
  const c = index * Constraint.STRIDE & INDEX_MASK;
  const s = index * Manifold.STRIDE & INDEX_MASK;
  const end = s + Manifold.LOCAL_POINTS + 2 * indices[idx + ConstraintInt.POSITION_POINTS]!;
  const a = indices[idx + ConstraintInt.BODY_A]! & INDEX_MASK;
  const b = indices[idx + ConstraintInt.BODY_B]! & INDEX_MASK;

  // The body with the face, or circle A, and the other one.
  const type = indices[idx + ConstraintInt.TYPE]!;
  const isB = type === ManifoldType.FACE_B;
  const face = isB ? b : a;
  const other = isB ? a : b;
  const lnx = manifolds[s + Contact.LOCAL_NORMAL_X]!, lny = manifolds[s + Contact.LOCAL_NORMAL_Y]!;
  const lx = manifolds[s + Contact.LOCAL_POINT_X]!, ly = manifolds[s + Contact.LOCAL_POINT_Y]!;
  const radiusA = manifolds[s + Manifold.RADIUS_A]!;
  const radiusB = manifolds[s + Manifold.RADIUS_B]!;

  const mA = contacts[c + Constraint.INVERSE_MASS_A]!;
  const iA = contacts[c + Constraint.INVERSE_INERTIA_A]!;
  const mB = contacts[c + Constraint.INVERSE_MASS_B]!;
  const iB = contacts[c + Constraint.INVERSE_INERTIA_B]!;

  for (let point = s + Manifold.LOCAL_POINTS; point < end; point += 2) {
    // Where the point and its plane are now, and how far apart.
    const cf = bodies[face + Body.COS]!;
    const sf = bodies[face + Body.SIN]!;
    const co = bodies[other + Body.COS]!;
    const so = bodies[other + Body.SIN]!;
    const px = manifolds[point]!, py = manifolds[point + 1]!;
    const planeX = cf * lx - sf * ly + bodies[face + Body.ORIGIN_X]!;
    const planeY = sf * lx + cf * ly + bodies[face + Body.ORIGIN_Y]!;
    let x = co * px - so * py + bodies[other + Body.ORIGIN_X]!;
    let y = so * px + co * py + bodies[other + Body.ORIGIN_Y]!;
    let nx = cf * lnx - sf * lny, ny = sf * lnx + cf * lny;

    if (type === ManifoldType.CIRCLES) {
      const dx = x - planeX;
      const dy = y - planeY;
      const length = Math.sqrt(dx * dx + dy * dy);
      const inverse = length > 0 ? 1 / length : 1;
      nx = dx * inverse;
      ny = dy * inverse;
    }

    const separation = x * nx + y * ny - (planeX * nx + planeY * ny) - radiusA - radiusB;
    smallest[SEPARATION] = Math.min(smallest[SEPARATION]!, separation);
    const bias = step[Step.CORRECTED_SHARE]! * (separation + LINEAR_SLOP);
    if (bias >= 0) continue; // planck applies an impulse of 0
    const correction = bias < -MAX_LINEAR_CORRECTION ? -MAX_LINEAR_CORRECTION : bias;

    // Where to push: at the middle between circles, else at the point, from A to B.
    if (type === ManifoldType.CIRCLES) {
      x = 0.5 * planeX + 0.5 * x;
      y = 0.5 * planeY + 0.5 * y;
    } else if (isB) {
      nx = -nx;
      ny = -ny;
    }

    // As large an impulse as moves both by the correction
    const ax = x - bodies[a + Body.CENTER_X]!, ay = y - bodies[a + Body.CENTER_Y]!;
    const bx = x - bodies[b + Body.CENTER_X]!, by = y - bodies[b + Body.CENTER_Y]!;
    const rnA = ax * ny - ay * nx;
    const rnB = bx * ny - by * nx;
    const mass = mA + mB + iA * rnA * rnA + iB * rnB * rnB;
    const impulse = mass > 0 ? -correction / mass : 0;
    const jx = impulse * nx, jy = impulse * ny;

    if (mA !== 0 || iA !== 0) {
      bodies[a + Body.CENTER_X]! -= mA * jx;
      bodies[a + Body.CENTER_Y]! -= mA * jy;
      bodies[a + Body.ANGLE]! -= iA * (ax * jy - ay * jx);
      updateTransformAt(bodies, a);
    }
    if (mB !== 0 || iB !== 0) {
      bodies[b + Body.CENTER_X]! += mB * jx;
      bodies[b + Body.CENTER_Y]! += mB * jy;
      bodies[b + Body.ANGLE]! += iB * (bx * jy - by * jx);
      updateTransformAt(bodies, b);
    }
  }
}
