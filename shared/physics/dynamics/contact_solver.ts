/**
 * The two inner loops of an island, after Box2D's b2ContactSolver. Both visit the contacts in the order of the island's search.
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

/** Local copies: V8 inlines a module's own constants but reads imported ones each time, which cost 7 % of a step. */
const { VX, VY, SPIN, CENTER_X, CENTER_Y, ANGLE, COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;
const {
  NORMAL_X,
  NORMAL_Y,
  FRICTION,
  INVERSE_MASS_A,
  INVERSE_INERTIA_A,
  INVERSE_MASS_B,
  INVERSE_INERTIA_B,
  INV_M_N_AX,
  INV_M_N_AY,
  INV_M_N_BX,
  INV_M_N_BY,
} = solverLayout;
const { TANGENT_ROW, K11, K12, K22, INVERSE_11, INVERSE_12, INVERSE_22 } = solverLayout;
const { POINTS, POINT_STRIDE, RN_A, RN_B, INV_I_RN_A, INV_I_RN_B, EFFECTIVE_MASS, IMPULSE } = solverLayout;
const { BIAS, CONTACT_STRIDE, LOCAL_POINTS, RADIUS_A, RADIUS_B, MANIFOLD_STRIDE } = solverLayout;
const { CORRECTED_SHARE, SEPARATION_MIN } = solverLayout;
const { BODY_A, BODY_B, VELOCITY_POINTS, POSITION_POINTS, TYPE, INDEX_STRIDE } = solverLayout;
const { LOCAL_NORMAL_X, LOCAL_NORMAL_Y, LOCAL_POINT_X, LOCAL_POINT_Y, CIRCLES, FACE_A } = contactLayout;

/** Arguments of `solveBlockCases`, the right-hand sides of both points; then its results, their impulses. */
const blockScratch = new Float64Array(2);

/**
 * One iteration over all contacts. Each contact gets its friction first, bounded by the normal impulses of the previous
 * iteration, then its normal impulses:
 *
 *     friction    impulse := clamp( old − vt · effective mass, ± friction · (old1 + old2) )
 *     one point   impulse := max( old − (vn − bias) · effective mass, 0 )
 *     two points  find x ≥ 0 with K x + rhs ≥ 0 and complementary; rhs = vn − bias − K · old
 *
 * `contact_constraints.ts` prepares all products of r, n, invM and invI, so that dependent sums here are at most two
 * deep.
 * @returns whether an impulse changed. If none did, further iterations would read and write the same numbers.
 */
export function solveVelocities(contactCount: number): boolean {
  const { indices, contacts, bodies } = solverScratch;
  let isChanged = false;
  for (let i = 0; i < contactCount; i++) {
    const idx = i * INDEX_STRIDE, c = i * CONTACT_STRIDE, p = c + POINTS, q = p + POINT_STRIDE;
    const a = indices[idx + BODY_A]!, b = indices[idx + BODY_B]!, isBlock = indices[idx + VELOCITY_POINTS]! === 2;
    const nx = contacts[c + NORMAL_X]!, ny = contacts[c + NORMAL_Y]!;
    const mAnx = contacts[c + INV_M_N_AX]!, mAny = contacts[c + INV_M_N_AY]!;
    const mBnx = contacts[c + INV_M_N_BX]!, mBny = contacts[c + INV_M_N_BY]!;
    let vax = bodies[a + VX]!, vay = bodies[a + VY]!, wA = bodies[a + SPIN]!;
    let vbx = bodies[b + VX]!, vby = bodies[b + VY]!, wB = bodies[b + SPIN]!;
    const old1 = contacts[p + IMPULSE]!, old2 = isBlock ? contacts[q + IMPULSE]! : 0;
    const oldTangent = contacts[c + TANGENT_ROW + IMPULSE]!, maxT = contacts[c + FRICTION]! * (old1 + old2);
    const vt = (vbx - vax) * ny - (vby - vay) * nx +
      (contacts[c + TANGENT_ROW + RN_B]! * wB - contacts[c + TANGENT_ROW + RN_A]! * wA);
    const tangent = Math.max(-maxT, Math.min(maxT, oldTangent - contacts[c + TANGENT_ROW + EFFECTIVE_MASS]! * vt));
    const tangentDelta = tangent - oldTangent;
    contacts[c + TANGENT_ROW + IMPULSE] = tangent;
    vax -= mAny * tangentDelta;
    vay += mAnx * tangentDelta;
    wA -= contacts[c + TANGENT_ROW + INV_I_RN_A]! * tangentDelta;
    vbx += mBny * tangentDelta;
    vby -= mBnx * tangentDelta;
    wB += contacts[c + TANGENT_ROW + INV_I_RN_B]! * tangentDelta;
    const vn = (vbx - vax) * nx + (vby - vay) * ny;
    const vn1 = vn + (contacts[p + RN_B]! * wB - contacts[p + RN_A]! * wA) - contacts[p + BIAS]!;
    let impulse1: number, impulse2 = 0;
    if (isBlock) {
      const vn2 = vn + (contacts[q + RN_B]! * wB - contacts[q + RN_A]! * wA) - contacts[q + BIAS]!;
      const k12 = contacts[c + K12]!, inverse12 = contacts[c + INVERSE_12]!;
      const rhs1 = blockScratch[0] = vn1 - (contacts[c + K11]! * old1 + k12 * old2);
      const rhs2 = blockScratch[1] = vn2 - (k12 * old1 + contacts[c + K22]! * old2);
      impulse1 = -(contacts[c + INVERSE_11]! * rhs1 + inverse12 * rhs2);
      impulse2 = -(inverse12 * rhs1 + contacts[c + INVERSE_22]! * rhs2);
      if (!(impulse1 >= 0 && impulse2 >= 0)) {
        solveBlockCases(c);
        impulse1 = blockScratch[0]!;
        impulse2 = blockScratch[1]!;
      }
      contacts[q + IMPULSE] = impulse2;
    } else impulse1 = Math.max(old1 - contacts[p + EFFECTIVE_MASS]! * vn1, 0);
    contacts[p + IMPULSE] = impulse1;
    const delta1 = impulse1 - old1, delta2 = impulse2 - old2, delta = delta1 + delta2;
    if (tangentDelta !== 0 || delta1 !== 0 || delta2 !== 0) isChanged = true;
    // Immovable bodies are not written, so that the other contacts of the ground need not wait for the write.
    if (contacts[c + INVERSE_MASS_A]! !== 0) {
      bodies[a + VX] = vax - mAnx * delta;
      bodies[a + VY] = vay - mAny * delta;
      bodies[a + SPIN] = wA - (contacts[p + INV_I_RN_A]! * delta1 + contacts[q + INV_I_RN_A]! * delta2);
    }
    if (contacts[c + INVERSE_MASS_B]! !== 0) {
      bodies[b + VX] = vbx + mBnx * delta;
      bodies[b + VY] = vby + mBny * delta;
      bodies[b + SPIN] = wB + (contacts[p + INV_I_RN_B]! * delta1 + contacts[q + INV_I_RN_B]! * delta2);
    }
  }
  return isChanged;
}

/**
 * The other cases of the block's linear complementarity problem, if both impulses cannot be positive. The first valid
 * case counts: only point 1 pushes, only point 2, none. If no case is valid, both impulses stay.
 */
function solveBlockCases(c: number): void {
  const { contacts } = solverScratch, p = c + POINTS, q = p + POINT_STRIDE, k12 = contacts[c + K12]!;
  const rhs1 = blockScratch[0]!, rhs2 = blockScratch[1]!;
  const alone1 = -contacts[p + EFFECTIVE_MASS]! * rhs1, alone2 = -contacts[q + EFFECTIVE_MASS]! * rhs2;
  blockScratch[0] = blockScratch[1] = 0;
  if (alone1 >= 0 && k12 * alone1 + rhs2 >= 0) blockScratch[0] = alone1;
  else if (alone2 >= 0 && k12 * alone2 + rhs1 >= 0) blockScratch[1] = alone2;
  else if (!(rhs1 >= 0 && rhs2 >= 0)) {
    blockScratch[0] = contacts[p + IMPULSE]!;
    blockScratch[1] = contacts[q + IMPULSE]!;
  }
}

/** One iteration over all contacts. @returns whether the smallest separation is at least `SEPARATION_MIN` */
export function solvePositions(contactCount: number): boolean {
  const { indices } = solverScratch;
  let minSeparation = 0;
  for (let i = 0; i < contactCount; i++) {
    const idx = i * INDEX_STRIDE, c = i * CONTACT_STRIDE, s = i * MANIFOLD_STRIDE;
    const count = indices[idx + POSITION_POINTS]!, isCircles = indices[idx + TYPE]! === CIRCLES;
    for (let j = 0; j < count; j++) {
      if (isCircles) computeCirclesPosition(idx, s);
      else computeFacePosition(idx, s, j);
      minSeparation = Math.min(minSeparation, positionManifold[SEPARATION]!);
      applyPositionCorrection(idx, c);
    }
  }
  return minSeparation >= solverScratch.step[SEPARATION_MIN]!;
}

/** Scratch, as b2PositionSolverManifold: point, normal from A to B, and separation, negative for an overlap. Metres. */
const positionManifold = new Float64Array(5);
const X = 0, Y = 1, MANIFOLD_NORMAL_X = 2, MANIFOLD_NORMAL_Y = 3, SEPARATION = 4;

function computeCirclesPosition(idx: number, s: number): void {
  const { indices, manifolds, bodies } = solverScratch, a = indices[idx + BODY_A]!, b = indices[idx + BODY_B]!;
  const lax = manifolds[s + LOCAL_POINT_X]!, lay = manifolds[s + LOCAL_POINT_Y]!;
  const lbx = manifolds[s + LOCAL_POINTS]!, lby = manifolds[s + LOCAL_POINTS + 1]!;
  const ca = bodies[a + COS]!, sa = bodies[a + SIN]!, cb = bodies[b + COS]!, sb = bodies[b + SIN]!;
  const ax = ca * lax - sa * lay + bodies[a + ORIGIN_X]!, ay = sa * lax + ca * lay + bodies[a + ORIGIN_Y]!;
  const bx = cb * lbx - sb * lby + bodies[b + ORIGIN_X]!, by = sb * lbx + cb * lby + bodies[b + ORIGIN_Y]!;
  let nx = bx - ax, ny = by - ay;
  const length = Math.sqrt(nx * nx + ny * ny);
  if (length > 0) {
    const inverse = 1 / length;
    nx *= inverse;
    ny *= inverse;
  }
  positionManifold[X] = 0.5 * ax + 0.5 * bx;
  positionManifold[Y] = 0.5 * ay + 0.5 * by;
  positionManifold[MANIFOLD_NORMAL_X] = nx;
  positionManifold[MANIFOLD_NORMAL_Y] = ny;
  positionManifold[SEPARATION] = bx * nx + by * ny - (ax * nx + ay * ny) - manifolds[s + RADIUS_A]! -
    manifolds[s + RADIUS_B]!;
}

function computeFacePosition(idx: number, s: number, index: number): void {
  const { indices, manifolds, bodies } = solverScratch, isA = indices[idx + TYPE]! === FACE_A;
  const face = indices[idx + (isA ? BODY_A : BODY_B)]!, other = indices[idx + (isA ? BODY_B : BODY_A)]!;
  const cf = bodies[face + COS]!, sf = bodies[face + SIN]!;
  const co = bodies[other + COS]!, so = bodies[other + SIN]!;
  const lnx = manifolds[s + LOCAL_NORMAL_X]!, lny = manifolds[s + LOCAL_NORMAL_Y]!;
  const lx = manifolds[s + LOCAL_POINT_X]!, ly = manifolds[s + LOCAL_POINT_Y]!;
  const px = manifolds[s + LOCAL_POINTS + 2 * index]!, py = manifolds[s + LOCAL_POINTS + 2 * index + 1]!;
  const nx = cf * lnx - sf * lny, ny = sf * lnx + cf * lny;
  const planeX = cf * lx - sf * ly + bodies[face + ORIGIN_X]!;
  const planeY = sf * lx + cf * ly + bodies[face + ORIGIN_Y]!;
  const x = co * px - so * py + bodies[other + ORIGIN_X]!, y = so * px + co * py + bodies[other + ORIGIN_Y]!;
  positionManifold[X] = x;
  positionManifold[Y] = y;
  positionManifold[MANIFOLD_NORMAL_X] = isA ? nx : -nx;
  positionManifold[MANIFOLD_NORMAL_Y] = isA ? ny : -ny;
  positionManifold[SEPARATION] = x * nx + y * ny - (planeX * nx + planeY * ny) - manifolds[s + RADIUS_A]! -
    manifolds[s + RADIUS_B]!;
}

/** Corrects both positions along the normal by clamp( share (separation + slop), −maxLinearCorrection, 0 ). */
function applyPositionCorrection(idx: number, c: number): void {
  const bias = solverScratch.step[CORRECTED_SHARE]! * (positionManifold[SEPARATION]! + LINEAR_SLOP);
  if (bias >= 0) return; // planck applies an impulse of 0
  const correction = bias < -MAX_LINEAR_CORRECTION ? -MAX_LINEAR_CORRECTION : bias;
  const { indices, contacts, bodies } = solverScratch, a = indices[idx + BODY_A]!, b = indices[idx + BODY_B]!;
  const nx = positionManifold[MANIFOLD_NORMAL_X]!, ny = positionManifold[MANIFOLD_NORMAL_Y]!;
  const mA = contacts[c + INVERSE_MASS_A]!, iA = contacts[c + INVERSE_INERTIA_A]!;
  const mB = contacts[c + INVERSE_MASS_B]!, iB = contacts[c + INVERSE_INERTIA_B]!;
  const ax = positionManifold[X]! - bodies[a + CENTER_X]!, ay = positionManifold[Y]! - bodies[a + CENTER_Y]!;
  const bx = positionManifold[X]! - bodies[b + CENTER_X]!, by = positionManifold[Y]! - bodies[b + CENTER_Y]!;
  const rnA = ax * ny - ay * nx, rnB = bx * ny - by * nx;
  const mass = mA + mB + iA * rnA * rnA + iB * rnB * rnB, impulse = mass > 0 ? -correction / mass : 0;
  const x = impulse * nx, y = impulse * ny;
  if (mA !== 0 || iA !== 0) {
    bodies[a + CENTER_X]! -= mA * x;
    bodies[a + CENTER_Y]! -= mA * y;
    bodies[a + ANGLE]! -= iA * (ax * y - ay * x);
    updateTransformAt(bodies, a);
  }
  if (mB !== 0 || iB !== 0) {
    bodies[b + CENTER_X]! += mB * x;
    bodies[b + CENTER_Y]! += mB * y;
    bodies[b + ANGLE]! += iB * (bx * y - by * x);
    updateTransformAt(bodies, b);
  }
}
