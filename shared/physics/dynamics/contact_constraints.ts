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
import { Body } from "../core/body_rows.ts";
import { Contact, ContactInt, ContactPoint, ManifoldType } from "../core/contact_rows.ts";
import { Fixture, FixtureInt } from "../core/fixture_rows.ts";
import { ShapeValue } from "../core/shape_rows.ts";
import { EPSILON } from "../core/tuning.ts";
import {
  Constraint,
  ConstraintInt,
  ConstraintRow,
  INDEX_MASK,
  Manifold,
  solverScratch,
} from "./solver_scratch.ts";
import { prepareBounce } from "./restitution.ts";
import { addRolling } from "./rolling.ts";
import type { World } from "./world.ts";

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
  const k = contact * ContactInt.STRIDE & INDEX_MASK;
  const v = contact * Contact.STRIDE & INDEX_MASK;
  const idx = index * ConstraintInt.STRIDE & INDEX_MASK;
  const c = index * Constraint.STRIDE & INDEX_MASK;
  const s = index * Manifold.STRIDE & INDEX_MASK;
  const a = ints[k + ContactInt.BODY_A]! * Body.STRIDE & INDEX_MASK;
  const b = ints[k + ContactInt.BODY_B]! * Body.STRIDE & INDEX_MASK;

  // What both solvers read of it.
  const pointCount = ints[k + ContactInt.POINT_COUNT]!;
  const type = ints[k + ContactInt.MANIFOLD_TYPE]!;
  indices[idx + ConstraintInt.BODY_A] = a;
  indices[idx + ConstraintInt.BODY_B] = b;
  indices[idx + ConstraintInt.VELOCITY_POINTS] =
    indices[idx + ConstraintInt.POSITION_POINTS] =
      pointCount;
  indices[idx + ConstraintInt.TYPE] = type;
  contacts[c + Constraint.FRICTION] = values[v + Contact.FRICTION]!;
  contacts[c + Constraint.TANGENT_SPEED] =
    fixtures.values[ints[k + ContactInt.FIXTURE_A]! * Fixture.STRIDE + Fixture.SURFACE_SPEED]! +
    fixtures.values[ints[k + ContactInt.FIXTURE_B]! * Fixture.STRIDE + Fixture.SURFACE_SPEED]!;
  const rollingResistance = Math.max(
    fixtures.values[
      ints[k + ContactInt.FIXTURE_A]! * Fixture.STRIDE + Fixture.ROLLING_RESISTANCE
    ]!,
    fixtures.values[
      ints[k + ContactInt.FIXTURE_B]! * Fixture.STRIDE + Fixture.ROLLING_RESISTANCE
    ]!,
  );

  contacts[c + Constraint.INVERSE_MASS_A] = bodies[a + Body.INVERSE_MASS]!;
  contacts[c + Constraint.INVERSE_INERTIA_A] = bodies[a + Body.INVERSE_INERTIA]!;
  contacts[c + Constraint.INVERSE_MASS_B] = bodies[b + Body.INVERSE_MASS]!;
  contacts[c + Constraint.INVERSE_INERTIA_B] = bodies[b + Body.INVERSE_INERTIA]!;

  manifolds[s + Manifold.RADIUS_A] = shapes[
    fixtures.ints[ints[k + ContactInt.FIXTURE_A]! * FixtureInt.STRIDE + FixtureInt.SHAPE]! +
    ShapeValue.RADIUS
  ]!;
  manifolds[s + Manifold.RADIUS_B] = shapes[
    fixtures.ints[ints[k + ContactInt.FIXTURE_B]! * FixtureInt.STRIDE + FixtureInt.SHAPE]! +
    ShapeValue.RADIUS
  ]!;

  // Its points in the world, and what a push there does.
  copyManifold(values, v, pointCount, s, c, isWarm);
  if (type === ManifoldType.CIRCLES) computeCirclesManifold(idx, c, s);
  else computeFaceManifold(idx, c, s);

  // Effective masses, bounces, and both points at once if there are two
  setEffectiveMasses(idx, c);
  if (values[v + Contact.RESTITUTION]! > 0) prepareBounces(world, contact, idx, c);
  else {contacts[c + Constraint.POINTS + ConstraintRow.BIAS] =
      contacts[c + Constraint.POINTS + Constraint.POINT_STRIDE + ConstraintRow.BIAS] =
        0;}
  if (pointCount === 2) prepareBlock(idx, c);
  else clearSecondPoint(c + Constraint.POINTS + Constraint.POINT_STRIDE);
  if (rollingResistance > 0) addRolling(world, contact, index, rollingResistance);
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
  for (let i = 0; i < Manifold.LOCAL_POINTS; i++) manifolds[s + i] = values[v + i]!;
  contacts[c + Constraint.TANGENT_ROW + ConstraintRow.IMPULSE] = 0;
  for (let i = 0; i < pointCount; i++) {
    const from = v + Contact.POINTS + i * ContactPoint.STRIDE;
    const p = c + Constraint.POINTS + i * Constraint.POINT_STRIDE;
    manifolds[s + Manifold.LOCAL_POINTS + 2 * i] = values[from + ContactPoint.LOCAL_X]!;
    manifolds[s + Manifold.LOCAL_POINTS + 2 * i + 1] = values[from + ContactPoint.LOCAL_Y]!;
    contacts[p + ConstraintRow.IMPULSE] = isWarm ? values[from + ContactPoint.NORMAL_IMPULSE]! : 0;
    if (isWarm) {
      contacts[c + Constraint.TANGENT_ROW + ConstraintRow.IMPULSE]! +=
        values[from + ContactPoint.TANGENT_IMPULSE]!;
    }
  }
}

/**
 * Sets n, r×n and separation of two circles. The contact point is the middle between their rims.
 */
function computeCirclesManifold(idx: number, c: number, s: number): void {
  const { indices, contacts, manifolds, bodies } = solverScratch;
  const a = indices[idx + ConstraintInt.BODY_A]!;
  const b = indices[idx + ConstraintInt.BODY_B]!;

  // Both centres in the world
  const lax = manifolds[s + Contact.LOCAL_POINT_X]!, lay = manifolds[s + Contact.LOCAL_POINT_Y]!;
  const lbx = manifolds[s + Manifold.LOCAL_POINTS]!;
  const lby = manifolds[s + Manifold.LOCAL_POINTS + 1]!;
  const ca = bodies[a + Body.COS]!;
  const sa = bodies[a + Body.SIN]!;
  const cb = bodies[b + Body.COS]!;
  const sb = bodies[b + Body.SIN]!;
  const ax = ca * lax - sa * lay + bodies[a + Body.ORIGIN_X]!;
  const ay = sa * lax + ca * lay + bodies[a + Body.ORIGIN_Y]!;
  const bx = cb * lbx - sb * lby + bodies[b + Body.ORIGIN_X]!;
  const by = sb * lbx + cb * lby + bodies[b + Body.ORIGIN_Y]!;

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
  contacts[c + Constraint.NORMAL_X] = nx;
  contacts[c + Constraint.NORMAL_Y] = ny;

  // The contact point, and its arms
  const radiusA = manifolds[s + Manifold.RADIUS_A]!;
  const radiusB = manifolds[s + Manifold.RADIUS_B]!;
  const x = 0.5 * (ax + radiusA * nx) + 0.5 * (bx + -radiusB * nx);
  const y = 0.5 * (ay + radiusA * ny) + 0.5 * (by + -radiusB * ny);
  const rax = x - bodies[a + Body.CENTER_X]!, ray = y - bodies[a + Body.CENTER_Y]!;
  const rbx = x - bodies[b + Body.CENTER_X]!, rby = y - bodies[b + Body.CENTER_Y]!;

  const p = c + Constraint.POINTS;
  contacts[p + ConstraintRow.RN_A] = rax * ny - ray * nx;
  contacts[p + ConstraintRow.RN_B] = rbx * ny - rby * nx;
  contacts[p + ConstraintRow.BIAS] = dx * nx + dy * ny - radiusA - radiusB;
  contacts[c + Constraint.TANGENT_ROW + ConstraintRow.RN_A] = rax * -nx - ray * ny;
  contacts[c + Constraint.TANGENT_ROW + ConstraintRow.RN_B] = rbx * -nx - rby * ny;
}

/**
 * The same for a face and points. A contact point is the middle between the face and the other
 * shape's surface.
 */
function computeFaceManifold(idx: number, c: number, s: number): void {
  const { indices, contacts, manifolds, bodies } = solverScratch;
  const a = indices[idx + ConstraintInt.BODY_A]! & INDEX_MASK;
  const b = indices[idx + ConstraintInt.BODY_B]! & INDEX_MASK;

  // Which of the two has the face
  const isA = indices[idx + ConstraintInt.TYPE]! === ManifoldType.FACE_A;
  const face = isA ? a : b;
  const other = isA ? b : a;
  const faceRadius = manifolds[s + (isA ? Manifold.RADIUS_A : Manifold.RADIUS_B)]!;
  const otherRadius = manifolds[s + (isA ? Manifold.RADIUS_B : Manifold.RADIUS_A)]!;

  // The plane of the face, in the world.
  const cf = bodies[face + Body.COS]!, sf = bodies[face + Body.SIN]!;
  const co = bodies[other + Body.COS]!, so = bodies[other + Body.SIN]!;
  const ox = bodies[other + Body.ORIGIN_X]!, oy = bodies[other + Body.ORIGIN_Y]!;
  const lnx = manifolds[s + Contact.LOCAL_NORMAL_X]!, lny = manifolds[s + Contact.LOCAL_NORMAL_Y]!;
  const fx = cf * lnx - sf * lny;
  const fy = sf * lnx + cf * lny;
  const nx = isA ? fx : -fx;
  const ny = isA ? fy : -fy;
  const lx = manifolds[s + Contact.LOCAL_POINT_X]!, ly = manifolds[s + Contact.LOCAL_POINT_Y]!;
  const planeX = cf * lx - sf * ly + bodies[face + Body.ORIGIN_X]!;
  const planeY = sf * lx + cf * ly + bodies[face + Body.ORIGIN_Y]!;

  const centerAx = bodies[a + Body.CENTER_X]!, centerAy = bodies[a + Body.CENTER_Y]!;
  const centerBx = bodies[b + Body.CENTER_X]!, centerBy = bodies[b + Body.CENTER_Y]!;
  contacts[c + Constraint.NORMAL_X] = nx;
  contacts[c + Constraint.NORMAL_Y] = ny;

  // Each point, halfway between the face and the other surface
  for (let i = indices[idx + ConstraintInt.POSITION_POINTS]! - 1; i >= 0; i--) {
    const px = manifolds[s + Manifold.LOCAL_POINTS + 2 * i]!;
    const py = manifolds[s + Manifold.LOCAL_POINTS + 2 * i + 1]!;
    const clipX = co * px - so * py + ox, clipY = so * px + co * py + oy;
    const depth = faceRadius - ((clipX - planeX) * fx + (clipY - planeY) * fy);
    // planck adds A's half first; addition commutes, so the bits are the same.
    const x = 0.5 * (clipX + depth * fx) + 0.5 * (clipX + -otherRadius * fx);
    const y = 0.5 * (clipY + depth * fy) + 0.5 * (clipY + -otherRadius * fy);

    const rax = x - centerAx;
    const ray = y - centerAy;
    const rbx = x - centerBx;
    const rby = y - centerBy;

    const p = c + Constraint.POINTS + i * Constraint.POINT_STRIDE;
    contacts[p + ConstraintRow.RN_A] = rax * ny - ray * nx;
    contacts[p + ConstraintRow.RN_B] = rbx * ny - rby * nx;
    contacts[p + ConstraintRow.BIAS] = -depth - otherRadius;
    // The first point comes last: the second lies along the tangent from it, so r×t is the same.
    contacts[c + Constraint.TANGENT_ROW + ConstraintRow.RN_A] = rax * -nx - ray * ny;
    contacts[c + Constraint.TANGENT_ROW + ConstraintRow.RN_B] = rbx * -nx - rby * ny;
  }
}

/** The solver multiplies the unused second point by 0. Another stage may have left a NaN there. */
function clearSecondPoint(q: number): void {
  solverScratch.contacts[q + ConstraintRow.RN_A] =
    solverScratch.contacts[q + ConstraintRow.RN_B] =
      0;
}

/** Sets the effective masses of all rows. */
function setEffectiveMasses(idx: number, c: number): void {
  const { indices, contacts } = solverScratch;
  const mass = contacts[c + Constraint.INVERSE_MASS_A]! + contacts[c + Constraint.INVERSE_MASS_B]!;
  const iA = contacts[c + Constraint.INVERSE_INERTIA_A]!;
  const iB = contacts[c + Constraint.INVERSE_INERTIA_B]!;
  for (let i = indices[idx + ConstraintInt.POSITION_POINTS]!; i >= 0; i--) {
    const row = i === 0
      ? c + Constraint.TANGENT_ROW
      : c + Constraint.POINTS + (i - 1) * Constraint.POINT_STRIDE;
    const rnA = contacts[row + ConstraintRow.RN_A]!;
    const rnB = contacts[row + ConstraintRow.RN_B]!;
    const k = mass + iA * rnA * rnA + iB * rnB * rnB;
    contacts[row + ConstraintRow.EFFECTIVE_MASS] = k > 0 ? 1 / k : 0;
  }
}

function prepareBounces(world: World, contact: number, idx: number, c: number): void {
  for (let i = 0; i < solverScratch.indices[idx + ConstraintInt.POSITION_POINTS]!; i++) {
    prepareBounce(world, contact, idx, c + Constraint.POINTS + i * Constraint.POINT_STRIDE, c);
  }
}

/**
 * Sets K and its inverse for two points. If K is ill-conditioned, the points nearly coincide; one
 * is solved.
 */
function prepareBlock(idx: number, c: number): void {
  const { indices, contacts } = solverScratch;
  const p = c + Constraint.POINTS;
  const q = p + Constraint.POINT_STRIDE;
  const mass = contacts[c + Constraint.INVERSE_MASS_A]! + contacts[c + Constraint.INVERSE_MASS_B]!;
  const iA = contacts[c + Constraint.INVERSE_INERTIA_A]!;
  const iB = contacts[c + Constraint.INVERSE_INERTIA_B]!;

  const rnA1 = contacts[p + ConstraintRow.RN_A]!;
  const rnB1 = contacts[p + ConstraintRow.RN_B]!;
  const rnA2 = contacts[q + ConstraintRow.RN_A]!;
  const rnB2 = contacts[q + ConstraintRow.RN_B]!;

  // The matrix K
  const k11 = mass + iA * rnA1 * rnA1 + iB * rnB1 * rnB1;
  const k22 = mass + iA * rnA2 * rnA2 + iB * rnB2 * rnB2;
  const k12 = mass + iA * rnA1 * rnA2 + iB * rnB1 * rnB2;
  if (!(k11 * k11 < CONDITION_MAX * (k11 * k22 - k12 * k12))) {
    indices[idx + ConstraintInt.VELOCITY_POINTS] = 1;
    return;
  }

  // Its inverse
  let inverse = k11 * k22 - k12 * k12;
  if (inverse !== 0) inverse = 1 / inverse;
  contacts[c + Constraint.K11] = k11;
  contacts[c + Constraint.K12] = k12;
  contacts[c + Constraint.K22] = k22;
  contacts[c + Constraint.INVERSE_11] = inverse * k22;
  contacts[c + Constraint.INVERSE_12] = -inverse * k12;
  contacts[c + Constraint.INVERSE_22] = inverse * k11;
}

/** Applies the impulses of the previous step. */
export function warmStart(contactCount: number): void {
  const { indices, contacts, bodies } = solverScratch;
  for (let i = 0; i < contactCount; i++) {
    const idx = i * ConstraintInt.STRIDE & INDEX_MASK;
    const c = i * Constraint.STRIDE & INDEX_MASK;
    const p = c + Constraint.POINTS;
    const q = p + Constraint.POINT_STRIDE;
    const a = indices[idx + ConstraintInt.BODY_A]! & INDEX_MASK;
    const b = indices[idx + ConstraintInt.BODY_B]! & INDEX_MASK;

    // Its normal and its bodies
    const nx = contacts[c + Constraint.NORMAL_X]!, ny = contacts[c + Constraint.NORMAL_Y]!;
    const mA = contacts[c + Constraint.INVERSE_MASS_A]!;
    const iA = contacts[c + Constraint.INVERSE_INERTIA_A]!;
    const mB = contacts[c + Constraint.INVERSE_MASS_B]!;
    const iB = contacts[c + Constraint.INVERSE_INERTIA_B]!;

    // The impulses
    const first = contacts[p + ConstraintRow.IMPULSE]!;
    const tangent = contacts[c + Constraint.TANGENT_ROW + ConstraintRow.IMPULSE]!;
    const second = indices[idx + ConstraintInt.VELOCITY_POINTS]! === 2
      ? contacts[q + ConstraintRow.IMPULSE]!
      : 0;
    const normal = first + second;

    // Immovable bodies are not written: contacts of the ground would wait for each other, and a NaN
    // would stay in it.
    if (mA !== 0) {
      bodies[a + Body.VX]! -= mA * nx * normal + mA * ny * tangent;
      bodies[a + Body.VY]! -= mA * ny * normal - mA * nx * tangent;
      bodies[a + Body.SPIN]! -= iA * contacts[p + ConstraintRow.RN_A]! * first +
        iA * contacts[q + ConstraintRow.RN_A]! * second +
        iA * contacts[c + Constraint.TANGENT_ROW + ConstraintRow.RN_A]! * tangent;
    }
    if (mB !== 0) {
      bodies[b + Body.VX]! += mB * nx * normal + mB * ny * tangent;
      bodies[b + Body.VY]! += mB * ny * normal - mB * nx * tangent;
      bodies[b + Body.SPIN]! += iB * contacts[p + ConstraintRow.RN_B]! * first +
        iB * contacts[q + ConstraintRow.RN_B]! * second +
        iB * contacts[c + Constraint.TANGENT_ROW + ConstraintRow.RN_B]! * tangent;
    }
  }
}
