/**
 * The two inner loops of an island, after Box2D's b2ContactSolver. Both visit the contacts in the
 * order of the island's search.
 *
 * - Velocities: sequential impulses, with a block solver for the two points of a contact.
 * - Positions: non-linear Gauss-Seidel with Baumgarte's factor, in planck's operations bit by bit.
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as contactLayout from "../core/contact_rows.ts";
import { updateTransformAt } from "../core/body_transform.ts";
import { LINEAR_SLOP, MAX_LINEAR_CORRECTION } from "../core/tuning.ts";
import * as solverLayout from "./solver_scratch.ts";
import { solverScratch } from "./solver_scratch.ts";

/**
 * Local copies: V8 inlines a module's own constants but reads imported ones each time, which costs
 * 20 to 35 % of a step (DESIGN 12.7).
 */
const { VX, VY, SPIN, CENTER_X, CENTER_Y, ANGLE, COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;
const {
  NORMAL_X,
  NORMAL_Y,
  FRICTION,
  INVERSE_MASS_A,
  INVERSE_INERTIA_A,
  INVERSE_MASS_B,
  INVERSE_INERTIA_B,
} = solverLayout;
const { TANGENT_ROW, TANGENT_SPEED, K11, K12, K22, INVERSE_11, INVERSE_12, INVERSE_22 } =
  solverLayout;
const { POINTS, POINT_STRIDE, RN_A, RN_B, EFFECTIVE_MASS, IMPULSE, BIAS, CONTACT_STRIDE } =
  solverLayout;
const { LOCAL_POINTS, RADIUS_A, RADIUS_B, MANIFOLD_STRIDE, CORRECTED_SHARE, SEPARATION_MIN } =
  solverLayout;
const { BODY_A, BODY_B, VELOCITY_POINTS, POSITION_POINTS, TYPE, INDEX_STRIDE, INDEX_MASK } =
  solverLayout;
const { LOCAL_NORMAL_X, LOCAL_NORMAL_Y, LOCAL_POINT_X, LOCAL_POINT_Y, CIRCLES, FACE_B } =
  contactLayout;

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
    const idx = i * INDEX_STRIDE & INDEX_MASK;
    const c = i * CONTACT_STRIDE & INDEX_MASK;
    const p = c + POINTS;
    const q = p + POINT_STRIDE;
    const t = c + TANGENT_ROW;
    const a = indices[idx + BODY_A]! & INDEX_MASK;
    const b = indices[idx + BODY_B]! & INDEX_MASK;
    const nx = contacts[c + NORMAL_X]!;
    const ny = contacts[c + NORMAL_Y]!;
    const isBlock = indices[idx + VELOCITY_POINTS]! === 2;
    const mA = contacts[c + INVERSE_MASS_A]!, iA = contacts[c + INVERSE_INERTIA_A]!;
    const mB = contacts[c + INVERSE_MASS_B]!, iB = contacts[c + INVERSE_INERTIA_B]!;

    let vax = bodies[a + VX]!;
    let vay = bodies[a + VY]!;
    let wA = bodies[a + SPIN]!;
    let vbx = bodies[b + VX]!;
    let vby = bodies[b + VY]!;
    let wB = bodies[b + SPIN]!;

    // Friction first, bounded by the normal impulses so far.
    const old1 = contacts[p + IMPULSE]!;
    const old2 = isBlock ? contacts[q + IMPULSE]! : 0;
    const rtA = contacts[t + RN_A]!;
    const rtB = contacts[t + RN_B]!;
    const oldTangent = contacts[t + IMPULSE]!;
    const maxT = contacts[c + FRICTION]! * (old1 + old2);
    const vt = (vbx - vax) * ny - (vby - vay) * nx + (rtB * wB - rtA * wA) -
      contacts[c + TANGENT_SPEED]!;
    const tangent = Math.max(
      -maxT,
      Math.min(maxT, oldTangent - contacts[t + EFFECTIVE_MASS]! * vt),
    );
    const tangentDelta = tangent - oldTangent;
    contacts[t + IMPULSE] = tangent;
    vax -= mA * ny * tangentDelta;
    vay += mA * nx * tangentDelta;
    wA -= iA * rtA * tangentDelta;
    vbx += mB * ny * tangentDelta;
    vby -= mB * nx * tangentDelta;
    wB += iB * rtB * tangentDelta;

    // Then the normal impulses: both points at once, if there are two.
    const vn = (vbx - vax) * nx + (vby - vay) * ny;
    const rnA1 = contacts[p + RN_A]!;
    const rnB1 = contacts[p + RN_B]!;
    const rnA2 = contacts[q + RN_A]!;
    const rnB2 = contacts[q + RN_B]!;
    const vn1 = vn + (rnB1 * wB - rnA1 * wA) - contacts[p + BIAS]!;
    let impulse1: number;
    let impulse2 = 0;
    if (isBlock) {
      const vn2 = vn + (rnB2 * wB - rnA2 * wA) - contacts[q + BIAS]!;
      const k12 = contacts[c + K12]!;
      const inverse12 = contacts[c + INVERSE_12]!;
      const rhs1 = block[0] = vn1 - (contacts[c + K11]! * old1 + k12 * old2);
      const rhs2 = block[1] = vn2 - (k12 * old1 + contacts[c + K22]! * old2);
      impulse1 = -(contacts[c + INVERSE_11]! * rhs1 + inverse12 * rhs2);
      impulse2 = -(inverse12 * rhs1 + contacts[c + INVERSE_22]! * rhs2);
      if (!(impulse1 >= 0 && impulse2 >= 0)) {
        solveBlockCases(c);
        impulse1 = block[0]!;
        impulse2 = block[1]!;
      }
      contacts[q + IMPULSE] = impulse2;
    } else impulse1 = Math.max(old1 - contacts[p + EFFECTIVE_MASS]! * vn1, 0);
    contacts[p + IMPULSE] = impulse1;

    // Apply what has changed.
    const delta1 = impulse1 - old1;
    const delta2 = impulse2 - old2;
    const delta = delta1 + delta2;
    if (tangentDelta !== 0 || delta1 !== 0 || delta2 !== 0) isChanged = true;
    if (mA !== 0) {
      bodies[a + VX] = vax - mA * nx * delta;
      bodies[a + VY] = vay - mA * ny * delta;
      bodies[a + SPIN] = wA - (iA * rnA1 * delta1 + iA * rnA2 * delta2);
    }
    if (mB !== 0) {
      bodies[b + VX] = vbx + mB * nx * delta;
      bodies[b + VY] = vby + mB * ny * delta;
      bodies[b + SPIN] = wB + (iB * rnB1 * delta1 + iB * rnB2 * delta2);
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
  const p = c + POINTS;
  const q = p + POINT_STRIDE;
  const k12 = contacts[c + K12]!;
  const rhs1 = block[0]!;
  const rhs2 = block[1]!;
  const alone1 = -contacts[p + EFFECTIVE_MASS]! * rhs1;
  const alone2 = -contacts[q + EFFECTIVE_MASS]! * rhs2;
  block[0] = block[1] = 0;
  if (alone1 >= 0 && k12 * alone1 + rhs2 >= 0) block[0] = alone1;
  else if (alone2 >= 0 && k12 * alone2 + rhs1 >= 0) block[1] = alone2;
  else if (!(rhs1 >= 0 && rhs2 >= 0)) {
    block[0] = contacts[p + IMPULSE]!;
    block[1] = contacts[q + IMPULSE]!;
  }
}

/**
 * One iteration over all contacts.
 * @returns whether the smallest separation is at least `SEPARATION_MIN`
 */
export function solvePositions(contactCount: number): boolean {
  const { smallest } = scratch;
  smallest[SEPARATION] = 0;
  for (let i = 0; i < contactCount; i++) correctPositions(i);
  return smallest[SEPARATION] >= solverScratch.step[SEPARATION_MIN]!;
}

/**
 * For each point of a contact, corrects both positions along the normal by clamp( share (separation
 * + slop), −maxLinearCorrection, 0 ). The numbers stay in local variables from the world manifold
 * to the correction. With a scratch between the two a step of a pyramid took 7 % longer.
 */
function correctPositions(index: number): void {
  const { smallest } = scratch;
  const { indices, contacts, manifolds, bodies, step } = solverScratch;
  const idx = index * INDEX_STRIDE & INDEX_MASK;
  const c = index * CONTACT_STRIDE & INDEX_MASK;
  const s = index * MANIFOLD_STRIDE & INDEX_MASK;
  const end = s + LOCAL_POINTS + 2 * indices[idx + POSITION_POINTS]!;
  const a = indices[idx + BODY_A]! & INDEX_MASK;
  const b = indices[idx + BODY_B]! & INDEX_MASK;

  // The body with the face, or circle A, and the other one.
  const type = indices[idx + TYPE]!;
  const isB = type === FACE_B;
  const face = isB ? b : a;
  const other = isB ? a : b;
  const lnx = manifolds[s + LOCAL_NORMAL_X]!, lny = manifolds[s + LOCAL_NORMAL_Y]!;
  const lx = manifolds[s + LOCAL_POINT_X]!, ly = manifolds[s + LOCAL_POINT_Y]!;
  const radiusA = manifolds[s + RADIUS_A]!;
  const radiusB = manifolds[s + RADIUS_B]!;

  const mA = contacts[c + INVERSE_MASS_A]!, iA = contacts[c + INVERSE_INERTIA_A]!;
  const mB = contacts[c + INVERSE_MASS_B]!, iB = contacts[c + INVERSE_INERTIA_B]!;

  for (let point = s + LOCAL_POINTS; point < end; point += 2) {
    // Where the point and its plane are now, and how far apart.
    const cf = bodies[face + COS]!;
    const sf = bodies[face + SIN]!;
    const co = bodies[other + COS]!;
    const so = bodies[other + SIN]!;
    const px = manifolds[point]!, py = manifolds[point + 1]!;
    const planeX = cf * lx - sf * ly + bodies[face + ORIGIN_X]!;
    const planeY = sf * lx + cf * ly + bodies[face + ORIGIN_Y]!;
    let x = co * px - so * py + bodies[other + ORIGIN_X]!;
    let y = so * px + co * py + bodies[other + ORIGIN_Y]!;
    let nx = cf * lnx - sf * lny, ny = sf * lnx + cf * lny;

    if (type === CIRCLES) {
      const dx = x - planeX;
      const dy = y - planeY;
      const length = Math.sqrt(dx * dx + dy * dy);
      const inverse = length > 0 ? 1 / length : 1;
      nx = dx * inverse;
      ny = dy * inverse;
    }

    const separation = x * nx + y * ny - (planeX * nx + planeY * ny) - radiusA - radiusB;
    smallest[SEPARATION] = Math.min(smallest[SEPARATION]!, separation);
    const bias = step[CORRECTED_SHARE]! * (separation + LINEAR_SLOP);
    if (bias >= 0) continue; // planck applies an impulse of 0
    const correction = bias < -MAX_LINEAR_CORRECTION ? -MAX_LINEAR_CORRECTION : bias;

    // Push at the middle between circles, else at the point, from A to B.
    if (type === CIRCLES) {
      x = 0.5 * planeX + 0.5 * x;
      y = 0.5 * planeY + 0.5 * y;
    } else if (isB) {
      nx = -nx;
      ny = -ny;
    }

    const ax = x - bodies[a + CENTER_X]!, ay = y - bodies[a + CENTER_Y]!;
    const bx = x - bodies[b + CENTER_X]!, by = y - bodies[b + CENTER_Y]!;
    const rnA = ax * ny - ay * nx;
    const rnB = bx * ny - by * nx;
    const mass = mA + mB + iA * rnA * rnA + iB * rnB * rnB;
    const impulse = mass > 0 ? -correction / mass : 0;
    const jx = impulse * nx, jy = impulse * ny;

    if (mA !== 0 || iA !== 0) {
      bodies[a + CENTER_X]! -= mA * jx;
      bodies[a + CENTER_Y]! -= mA * jy;
      bodies[a + ANGLE]! -= iA * (ax * jy - ay * jx);
      updateTransformAt(bodies, a);
    }
    if (mB !== 0 || iB !== 0) {
      bodies[b + CENTER_X]! += mB * jx;
      bodies[b + CENTER_Y]! += mB * jy;
      bodies[b + ANGLE]! += iB * (bx * jy - by * jx);
      updateTransformAt(bodies, b);
    }
  }
}
