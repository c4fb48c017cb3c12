/**
 * Prepares an island's contact constraints for the solver, after Box2D's b2ContactSolver: world
 * manifold, effective mass and warm starting. Restitution differs from Box2D's (`restitution.ts`).
 *
 *     effective mass = 1 / (mA + mB + iA (rA×n)² + iB (rB×n)²)       (mA, mB, iA, iB: inverse masses and inertias)
 *
 * Friction differs from Box2D. Two points of one contact lie on one face, so r×t is the same at
 * both, and planck solves one constraint twice. Here it is one row with |impulse| ≤ friction · (sum
 * of both normal impulses).
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as contactLayout from "../core/contact_rows.ts";
import {
  FIXTURE_INTS,
  FIXTURE_SHAPE,
  FIXTURE_VALUES,
  SURFACE_SPEED,
} from "../core/fixture_rows.ts";
import { RADIUS } from "../core/shape_rows.ts";
import { EPSILON } from "../core/tuning.ts";
import * as solverLayout from "./solver_scratch.ts";
import { solverScratch } from "./solver_scratch.ts";
import { prepareBounce } from "./restitution.ts";
import type { World } from "./world.ts";

/**
 * Local copies: V8 inlines a module's own constants but reads imported ones each time, which costs
 * 20 to 35 % of a step (DESIGN 12.7).
 */
const {
  VX,
  VY,
  SPIN,
  INVERSE_MASS,
  INVERSE_INERTIA,
  CENTER_X,
  CENTER_Y,
  COS,
  SIN,
  ORIGIN_X,
  ORIGIN_Y,
} = bodyLayout;
const { BODY_STRIDE } = bodyLayout;

const {
  NORMAL_X,
  NORMAL_Y,
  FRICTION,
  INVERSE_MASS_A,
  INVERSE_INERTIA_A,
  INVERSE_MASS_B,
  INVERSE_INERTIA_B,
} = solverLayout;
const {
  TANGENT_ROW,
  TANGENT_SPEED,
  K11,
  K12,
  K22,
  INVERSE_11,
  INVERSE_12,
  INVERSE_22,
  POINTS,
  POINT_STRIDE,
} = solverLayout;
const { RN_A, RN_B, EFFECTIVE_MASS, IMPULSE, BIAS, CONTACT_STRIDE, INDEX_MASK } = solverLayout;
const { LOCAL_POINTS, RADIUS_A, RADIUS_B, MANIFOLD_STRIDE } = solverLayout;
const { BODY_A, BODY_B, VELOCITY_POINTS, POSITION_POINTS, TYPE, INDEX_STRIDE } = solverLayout;
const { LOCAL_NORMAL_X, LOCAL_NORMAL_Y, LOCAL_POINT_X, LOCAL_POINT_Y, CIRCLES, FACE_A } =
  contactLayout;
const {
  POINT_COUNT,
  POINT_LOCAL_X,
  POINT_LOCAL_Y,
  NORMAL_IMPULSE,
  TANGENT_IMPULSE,
  MANIFOLD_TYPE,
} = contactLayout;
const { MANIFOLD_POINTS, MANIFOLD_POINT_STRIDE, CONTACT_VALUES, CONTACT_INTS } = contactLayout;
const { FIXTURE_A, FIXTURE_B, CONTACT_BODY_A, CONTACT_BODY_B, PAIR_FRICTION, PAIR_RESTITUTION } =
  contactLayout;

/**
 * Bound of the block solver's condition number, as k_maxConditionNumber in Box2D. Beyond it one
 * point is solved.
 */
const CONDITION_MAX = 1000;
/** Squared metres: two circles' centres at this distance coincide. */
const TINY_SQUARED = EPSILON * EPSILON;

/**
 * Fills the scratch of one contact at `index`. The velocities of its bodies must be integrated.
 * @param isWarm whether the impulses of the previous step are the first guess; otherwise it is 0
 */
export function prepareContact(
  world: World,
  contact: number,
  index: number,
  isWarm: boolean,
): void {
  const { indices, contacts, manifolds, bodies } = solverScratch;
  const { contacts: { values, ints }, fixtures, shapes } = world;

  // Where the contact is in each table.
  const k = contact * CONTACT_INTS & INDEX_MASK;
  const v = contact * CONTACT_VALUES & INDEX_MASK;
  const idx = index * INDEX_STRIDE & INDEX_MASK;
  const c = index * CONTACT_STRIDE & INDEX_MASK;
  const s = index * MANIFOLD_STRIDE & INDEX_MASK;
  const a = ints[k + CONTACT_BODY_A]! * BODY_STRIDE & INDEX_MASK;
  const b = ints[k + CONTACT_BODY_B]! * BODY_STRIDE & INDEX_MASK;

  // What both solvers read of it.
  const pointCount = ints[k + POINT_COUNT]!;
  const type = ints[k + MANIFOLD_TYPE]!;
  indices[idx + BODY_A] = a;
  indices[idx + BODY_B] = b;
  indices[idx + VELOCITY_POINTS] = indices[idx + POSITION_POINTS] = pointCount;
  indices[idx + TYPE] = type;
  contacts[c + FRICTION] = values[v + PAIR_FRICTION]!;
  contacts[c + TANGENT_SPEED] =
    fixtures.values[ints[k + FIXTURE_A]! * FIXTURE_VALUES + SURFACE_SPEED]! +
    fixtures.values[ints[k + FIXTURE_B]! * FIXTURE_VALUES + SURFACE_SPEED]!;
  contacts[c + INVERSE_MASS_A] = bodies[a + INVERSE_MASS]!;
  contacts[c + INVERSE_INERTIA_A] = bodies[a + INVERSE_INERTIA]!;
  contacts[c + INVERSE_MASS_B] = bodies[b + INVERSE_MASS]!;
  contacts[c + INVERSE_INERTIA_B] = bodies[b + INVERSE_INERTIA]!;
  manifolds[s + RADIUS_A] =
    shapes[fixtures.ints[ints[k + FIXTURE_A]! * FIXTURE_INTS + FIXTURE_SHAPE]! + RADIUS]!;
  manifolds[s + RADIUS_B] =
    shapes[fixtures.ints[ints[k + FIXTURE_B]! * FIXTURE_INTS + FIXTURE_SHAPE]! + RADIUS]!;

  // Its points in the world, and what a push there does.
  copyManifold(values, v, pointCount, s, c, isWarm);
  if (type === CIRCLES) computeCirclesManifold(idx, c, s);
  else computeFaceManifold(idx, c, s);

  // Effective masses, bounces, and both points at once if there are two
  setEffectiveMasses(idx, c);
  if (values[v + PAIR_RESTITUTION]! > 0) prepareBounces(world, contact, idx, c);
  else contacts[c + POINTS + BIAS] = contacts[c + POINTS + POINT_STRIDE + BIAS] = 0;
  if (pointCount === 2) prepareBlock(idx, c);
  else clearSecondPoint(c + POINTS + POINT_STRIDE);
}

/** @param v offset of the contact in `values` */
function copyManifold(
  values: Float64Array,
  v: number,
  pointCount: number,
  s: number,
  c: number,
  isWarm: boolean,
): void {
  const { manifolds, contacts } = solverScratch;
  // Normal and reference point have the same offsets in both layouts.
  for (let i = 0; i < LOCAL_POINTS; i++) manifolds[s + i] = values[v + i]!;
  contacts[c + TANGENT_ROW + IMPULSE] = 0;
  for (let i = 0; i < pointCount; i++) {
    const from = v + MANIFOLD_POINTS + i * MANIFOLD_POINT_STRIDE;
    const p = c + POINTS + i * POINT_STRIDE;
    manifolds[s + LOCAL_POINTS + 2 * i] = values[from + POINT_LOCAL_X]!;
    manifolds[s + LOCAL_POINTS + 2 * i + 1] = values[from + POINT_LOCAL_Y]!;
    contacts[p + IMPULSE] = isWarm ? values[from + NORMAL_IMPULSE]! : 0;
    if (isWarm) contacts[c + TANGENT_ROW + IMPULSE]! += values[from + TANGENT_IMPULSE]!;
  }
}

/**
 * Sets n, r×n and separation of two circles. The contact point is the middle between their rims.
 */
function computeCirclesManifold(idx: number, c: number, s: number): void {
  const { indices, contacts, manifolds, bodies } = solverScratch;
  const a = indices[idx + BODY_A]!;
  const b = indices[idx + BODY_B]!;

  // Both centres in the world
  const lax = manifolds[s + LOCAL_POINT_X]!, lay = manifolds[s + LOCAL_POINT_Y]!;
  const lbx = manifolds[s + LOCAL_POINTS]!, lby = manifolds[s + LOCAL_POINTS + 1]!;
  const ca = bodies[a + COS]!;
  const sa = bodies[a + SIN]!;
  const cb = bodies[b + COS]!;
  const sb = bodies[b + SIN]!;
  const ax = ca * lax - sa * lay + bodies[a + ORIGIN_X]!;
  const ay = sa * lax + ca * lay + bodies[a + ORIGIN_Y]!;
  const bx = cb * lbx - sb * lby + bodies[b + ORIGIN_X]!;
  const by = sb * lbx + cb * lby + bodies[b + ORIGIN_Y]!;

  // The normal, from A's to B's
  const dx = bx - ax;
  const dy = by - ay;
  const squared = dx * dx + dy * dy;
  let nx = 1, ny = 0;
  if (squared > TINY_SQUARED) {
    const inverse = 1 / Math.sqrt(squared);
    nx = inverse * dx;
    ny = inverse * dy;
  }
  contacts[c + NORMAL_X] = nx;
  contacts[c + NORMAL_Y] = ny;

  // The contact point, and its arms
  const radiusA = manifolds[s + RADIUS_A]!;
  const radiusB = manifolds[s + RADIUS_B]!;
  const x = 0.5 * (ax + radiusA * nx) + 0.5 * (bx + -radiusB * nx);
  const y = 0.5 * (ay + radiusA * ny) + 0.5 * (by + -radiusB * ny);
  const rax = x - bodies[a + CENTER_X]!, ray = y - bodies[a + CENTER_Y]!;
  const rbx = x - bodies[b + CENTER_X]!, rby = y - bodies[b + CENTER_Y]!;

  const p = c + POINTS;
  contacts[p + RN_A] = rax * ny - ray * nx;
  contacts[p + RN_B] = rbx * ny - rby * nx;
  contacts[p + BIAS] = dx * nx + dy * ny - radiusA - radiusB;
  contacts[c + TANGENT_ROW + RN_A] = rax * -nx - ray * ny;
  contacts[c + TANGENT_ROW + RN_B] = rbx * -nx - rby * ny;
}

/**
 * The same for a face and points. A contact point is the middle between the face and the other
 * shape's surface.
 */
function computeFaceManifold(idx: number, c: number, s: number): void {
  const { indices, contacts, manifolds, bodies } = solverScratch;
  const a = indices[idx + BODY_A]! & INDEX_MASK;
  const b = indices[idx + BODY_B]! & INDEX_MASK;

  // Which of the two has the face
  const isA = indices[idx + TYPE]! === FACE_A;
  const face = isA ? a : b;
  const other = isA ? b : a;
  const faceRadius = manifolds[s + (isA ? RADIUS_A : RADIUS_B)]!;
  const otherRadius = manifolds[s + (isA ? RADIUS_B : RADIUS_A)]!;

  // The plane of the face, in the world.
  const cf = bodies[face + COS]!, sf = bodies[face + SIN]!;
  const co = bodies[other + COS]!, so = bodies[other + SIN]!;
  const ox = bodies[other + ORIGIN_X]!, oy = bodies[other + ORIGIN_Y]!;
  const lnx = manifolds[s + LOCAL_NORMAL_X]!, lny = manifolds[s + LOCAL_NORMAL_Y]!;
  const fx = cf * lnx - sf * lny;
  const fy = sf * lnx + cf * lny;
  const nx = isA ? fx : -fx;
  const ny = isA ? fy : -fy;
  const lx = manifolds[s + LOCAL_POINT_X]!, ly = manifolds[s + LOCAL_POINT_Y]!;
  const planeX = cf * lx - sf * ly + bodies[face + ORIGIN_X]!;
  const planeY = sf * lx + cf * ly + bodies[face + ORIGIN_Y]!;

  const centerAx = bodies[a + CENTER_X]!, centerAy = bodies[a + CENTER_Y]!;
  const centerBx = bodies[b + CENTER_X]!, centerBy = bodies[b + CENTER_Y]!;
  contacts[c + NORMAL_X] = nx;
  contacts[c + NORMAL_Y] = ny;

  // Each point, halfway between the face and the other surface
  for (let i = indices[idx + POSITION_POINTS]! - 1; i >= 0; i--) {
    const px = manifolds[s + LOCAL_POINTS + 2 * i]!;
    const py = manifolds[s + LOCAL_POINTS + 2 * i + 1]!;
    const clipX = co * px - so * py + ox, clipY = so * px + co * py + oy;
    const depth = faceRadius - ((clipX - planeX) * fx + (clipY - planeY) * fy);
    // planck adds A's half first; addition commutes, so the bits are the same.
    const x = 0.5 * (clipX + depth * fx) + 0.5 * (clipX + -otherRadius * fx);
    const y = 0.5 * (clipY + depth * fy) + 0.5 * (clipY + -otherRadius * fy);

    const rax = x - centerAx;
    const ray = y - centerAy;
    const rbx = x - centerBx;
    const rby = y - centerBy;

    const p = c + POINTS + i * POINT_STRIDE;
    contacts[p + RN_A] = rax * ny - ray * nx;
    contacts[p + RN_B] = rbx * ny - rby * nx;
    contacts[p + BIAS] = -depth - otherRadius;
    // The first point comes last: the second lies along the tangent from it, so r×t is the same.
    contacts[c + TANGENT_ROW + RN_A] = rax * -nx - ray * ny;
    contacts[c + TANGENT_ROW + RN_B] = rbx * -nx - rby * ny;
  }
}

/** The solver multiplies the unused second point by 0. Another stage may have left a NaN there. */
function clearSecondPoint(q: number): void {
  solverScratch.contacts[q + RN_A] = solverScratch.contacts[q + RN_B] = 0;
}

/** Sets the effective masses of all rows. */
function setEffectiveMasses(idx: number, c: number): void {
  const { indices, contacts } = solverScratch;
  const mass = contacts[c + INVERSE_MASS_A]! + contacts[c + INVERSE_MASS_B]!;
  const iA = contacts[c + INVERSE_INERTIA_A]!;
  const iB = contacts[c + INVERSE_INERTIA_B]!;
  for (let i = indices[idx + POSITION_POINTS]!; i >= 0; i--) {
    const row = i === 0 ? c + TANGENT_ROW : c + POINTS + (i - 1) * POINT_STRIDE;
    const rnA = contacts[row + RN_A]!;
    const rnB = contacts[row + RN_B]!;
    const k = mass + iA * rnA * rnA + iB * rnB * rnB;
    contacts[row + EFFECTIVE_MASS] = k > 0 ? 1 / k : 0;
  }
}

function prepareBounces(world: World, contact: number, idx: number, c: number): void {
  for (let i = 0; i < solverScratch.indices[idx + POSITION_POINTS]!; i++) {
    prepareBounce(world, contact, idx, c + POINTS + i * POINT_STRIDE, c);
  }
}

/**
 * Sets K and its inverse for two points. If K is ill-conditioned, the points nearly coincide; one
 * is solved.
 */
function prepareBlock(idx: number, c: number): void {
  const { indices, contacts } = solverScratch;
  const p = c + POINTS;
  const q = p + POINT_STRIDE;
  const mass = contacts[c + INVERSE_MASS_A]! + contacts[c + INVERSE_MASS_B]!;
  const iA = contacts[c + INVERSE_INERTIA_A]!;
  const iB = contacts[c + INVERSE_INERTIA_B]!;

  const rnA1 = contacts[p + RN_A]!;
  const rnB1 = contacts[p + RN_B]!;
  const rnA2 = contacts[q + RN_A]!;
  const rnB2 = contacts[q + RN_B]!;

  // The matrix K
  const k11 = mass + iA * rnA1 * rnA1 + iB * rnB1 * rnB1;
  const k22 = mass + iA * rnA2 * rnA2 + iB * rnB2 * rnB2;
  const k12 = mass + iA * rnA1 * rnA2 + iB * rnB1 * rnB2;
  if (!(k11 * k11 < CONDITION_MAX * (k11 * k22 - k12 * k12))) {
    indices[idx + VELOCITY_POINTS] = 1;
    return;
  }

  // Its inverse
  let inverse = k11 * k22 - k12 * k12;
  if (inverse !== 0) inverse = 1 / inverse;
  contacts[c + K11] = k11;
  contacts[c + K12] = k12;
  contacts[c + K22] = k22;
  contacts[c + INVERSE_11] = inverse * k22;
  contacts[c + INVERSE_12] = -inverse * k12;
  contacts[c + INVERSE_22] = inverse * k11;
}

/** Applies the impulses of the previous step. */
export function warmStart(contactCount: number): void {
  const { indices, contacts, bodies } = solverScratch;
  for (let i = 0; i < contactCount; i++) {
    const idx = i * INDEX_STRIDE & INDEX_MASK;
    const c = i * CONTACT_STRIDE & INDEX_MASK;
    const p = c + POINTS;
    const q = p + POINT_STRIDE;
    const a = indices[idx + BODY_A]! & INDEX_MASK;
    const b = indices[idx + BODY_B]! & INDEX_MASK;

    const nx = contacts[c + NORMAL_X]!, ny = contacts[c + NORMAL_Y]!;
    const mA = contacts[c + INVERSE_MASS_A]!, iA = contacts[c + INVERSE_INERTIA_A]!;
    const mB = contacts[c + INVERSE_MASS_B]!, iB = contacts[c + INVERSE_INERTIA_B]!;

    const first = contacts[p + IMPULSE]!;
    const tangent = contacts[c + TANGENT_ROW + IMPULSE]!;
    const second = indices[idx + VELOCITY_POINTS]! === 2 ? contacts[q + IMPULSE]! : 0;
    const normal = first + second;

    // Immovable bodies are not written: contacts of the ground would wait for each other, and a NaN
    // would stay in it.
    if (mA !== 0) {
      bodies[a + VX]! -= mA * nx * normal + mA * ny * tangent;
      bodies[a + VY]! -= mA * ny * normal - mA * nx * tangent;
      bodies[a + SPIN]! -= iA * contacts[p + RN_A]! * first + iA * contacts[q + RN_A]! * second +
        iA * contacts[c + TANGENT_ROW + RN_A]! * tangent;
    }
    if (mB !== 0) {
      bodies[b + VX]! += mB * nx * normal + mB * ny * tangent;
      bodies[b + VY]! += mB * ny * normal - mB * nx * tangent;
      bodies[b + SPIN]! += iB * contacts[p + RN_B]! * first + iB * contacts[q + RN_B]! * second +
        iB * contacts[c + TANGENT_ROW + RN_B]! * tangent;
    }
  }
}
