/**
 * An island's contacts made ready for the solver: where they touch in the world, what an impulse there does to both bodies, how fast
 * they bounce, and the impulses of the step before to start from. After Box2D's b2ContactSolver, but for friction. Two points of one
 * contact lie on one face, so a pull along the face has the same levers at both, and planck's two frictions are one constraint, solved twice.
 * Here it is one, at most as strong as both points press together.
 *
 *     levers  l = r x n;     effective mass  1 / (mA + mB + iA lA² + iB lB²)       (mA … iB: inverse masses and inertias)
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as manifoldLayout from "../core/manifold_rows.ts";
import * as solverLayout from "../core/solver_scratch.ts";
import { memory } from "../core/solver_scratch.ts";
import { type PlanckContact, type PlanckStep, VELOCITY_THRESHOLD } from "../planck/planck.ts";

/** Named here again: V8 compiles a module's own constants into the code and reads another's each time, 7 % of a step. */
const { VX, VY, SPIN, INVERSE_MASS, INVERSE_INERTIA, CENTER_X, CENTER_Y, COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;
const { NORMAL_X, NORMAL_Y, FRICTION, MASS_A, INERTIA_A, MASS_B, INERTIA_B, PUSH_AX, PUSH_AY, PUSH_BX, PUSH_BY } =
  solverLayout;
const { SLIDE, K11, K12, K22 } = solverLayout;
const { INVERSE_11, INVERSE_12, INVERSE_22, POINTS, POINT_NUMBERS, ARM_AX, ARM_AY, ARM_BX, ARM_BY, LEVER_A } =
  solverLayout;
const { LEVER_B, TURN_A, TURN_B, MASS, IMPULSE, BIAS, CONTACT_NUMBERS, LOCAL_NORMAL_X } = solverLayout;
const {
  LOCAL_NORMAL_Y,
  LOCAL_POINT_X,
  LOCAL_POINT_Y,
  LOCAL_POINTS,
  RADIUS_A,
  RADIUS_B,
  SHAPE_NUMBERS,
  BODY_A,
  BODY_B,
} = solverLayout;
const { VELOCITY_POINTS, POSITION_POINTS, TYPE, LINK_NUMBERS, CIRCLES, FACE_A } = solverLayout;

const { POINT_COUNT, POINT_LOCAL_X, POINT_LOCAL_Y, NORMAL_IMPULSE, TANGENT_IMPULSE, MANIFOLD_TYPE } = manifoldLayout;
const { MANIFOLD_POINTS, MANIFOLD_POINT_STRIDE } = manifoldLayout;

/** Two points whose matrix is worse conditioned are solved as one. */
const CONDITION_MAX = 1000;
/** Squared metres below which two circles' centres are one. */
const TINY_SQUARED = 1e-9 * 1e-9;

/** Fills the contact's numbers; its bodies' must be there. Warm starting is always on. */
export function prepareContact(contact: PlanckContact, index: number, step: PlanckStep): void {
  const { links, contacts, shapes, bodies } = memory;
  const { manifold, m_fixtureA: fixtureA, m_fixtureB: fixtureB } = contact;
  const link = index * LINK_NUMBERS, c = index * CONTACT_NUMBERS, s = index * SHAPE_NUMBERS;
  const a = fixtureA.m_body.offset, b = fixtureB.m_body.offset;
  const pointCount = manifold[POINT_COUNT]!, type = manifold[MANIFOLD_TYPE]!;
  links[link + BODY_A] = a;
  links[link + BODY_B] = b;
  links[link + VELOCITY_POINTS] = links[link + POSITION_POINTS] = pointCount;
  links[link + TYPE] = type;
  contacts[c + FRICTION] = contact.m_friction;
  contacts[c + MASS_A] = bodies[a + INVERSE_MASS]!;
  contacts[c + INERTIA_A] = bodies[a + INVERSE_INERTIA]!;
  contacts[c + MASS_B] = bodies[b + INVERSE_MASS]!;
  contacts[c + INERTIA_B] = bodies[b + INVERSE_INERTIA]!;
  shapes[s + RADIUS_A] = fixtureA.m_shape.m_radius;
  shapes[s + RADIUS_B] = fixtureB.m_shape.m_radius;
  copyManifold(manifold, s, c, step);
  if (type === CIRCLES) placeCircles(link, c, s);
  else placeFace(link, c, s);
  weighNormal(c);
  if (pointCount === 1) forgetSecond(c + POINTS + POINT_NUMBERS);
  for (let i = 0; i < pointCount; i++) weighPoint(contact, link, c + POINTS + i * POINT_NUMBERS, c);
  if (pointCount === 2) weighBoth(link, c);
  // at the first point: the second lies along the tangent from it and has the same levers
  weighRow(c + SLIDE, c + POINTS, c, true);
}

function copyManifold(manifold: readonly number[], s: number, c: number, { dtRatio }: PlanckStep): void {
  const { shapes, contacts } = memory;
  // both begin with the normal and the place on the face
  for (let i = 0; i < LOCAL_POINTS; i++) shapes[s + i] = manifold[i]!;
  contacts[c + SLIDE + IMPULSE] = 0;
  for (let i = 0; i < manifold[POINT_COUNT]!; i++) {
    const from = MANIFOLD_POINTS + i * MANIFOLD_POINT_STRIDE, p = c + POINTS + i * POINT_NUMBERS;
    shapes[s + LOCAL_POINTS + 2 * i] = manifold[from + POINT_LOCAL_X]!;
    shapes[s + LOCAL_POINTS + 2 * i + 1] = manifold[from + POINT_LOCAL_Y]!;
    contacts[p + IMPULSE] = dtRatio * manifold[from + NORMAL_IMPULSE]!;
    contacts[c + SLIDE + IMPULSE]! += dtRatio * manifold[from + TANGENT_IMPULSE]!;
  }
}

/** Sets normal and arms of two circles: the middle between their rims. */
function placeCircles(link: number, c: number, s: number): void {
  const { links, contacts, shapes, bodies } = memory;
  const a = links[link + BODY_A]!, b = links[link + BODY_B]!, p = c + POINTS;
  const radiusA = shapes[s + RADIUS_A]!, radiusB = shapes[s + RADIUS_B]!;
  const lax = shapes[s + LOCAL_POINT_X]!, lay = shapes[s + LOCAL_POINT_Y]!;
  const lbx = shapes[s + LOCAL_POINTS]!, lby = shapes[s + LOCAL_POINTS + 1]!;
  const ca = bodies[a + COS]!, sa = bodies[a + SIN]!, cb = bodies[b + COS]!, sb = bodies[b + SIN]!;
  const ax = ca * lax - sa * lay + bodies[a + ORIGIN_X]!, ay = sa * lax + ca * lay + bodies[a + ORIGIN_Y]!;
  const bx = cb * lbx - sb * lby + bodies[b + ORIGIN_X]!, by = sb * lbx + cb * lby + bodies[b + ORIGIN_Y]!;
  const dx = bx - ax, dy = by - ay, squared = dx * dx + dy * dy;
  let nx = 1, ny = 0;
  if (squared > TINY_SQUARED) {
    const inverse = 1 / Math.sqrt(squared);
    nx = inverse * dx;
    ny = inverse * dy;
  }
  contacts[c + NORMAL_X] = nx;
  contacts[c + NORMAL_Y] = ny;
  const x = 0.5 * (ax + radiusA * nx) + 0.5 * (bx + -radiusB * nx);
  const y = 0.5 * (ay + radiusA * ny) + 0.5 * (by + -radiusB * ny);
  contacts[p + ARM_AX] = x - bodies[a + CENTER_X]!;
  contacts[p + ARM_AY] = y - bodies[a + CENTER_Y]!;
  contacts[p + ARM_BX] = x - bodies[b + CENTER_X]!;
  contacts[p + ARM_BY] = y - bodies[b + CENTER_Y]!;
}

/** Sets normal and arms where a face of one meets points of the other: the middle between face and point. */
function placeFace(link: number, c: number, s: number): void {
  const { links, contacts, shapes, bodies } = memory;
  const a = links[link + BODY_A]!, b = links[link + BODY_B]!, isA = links[link + TYPE]! === FACE_A;
  const face = isA ? a : b, other = isA ? b : a;
  const faceRadius = shapes[s + (isA ? RADIUS_A : RADIUS_B)]!;
  const otherRadius = shapes[s + (isA ? RADIUS_B : RADIUS_A)]!;
  const cf = bodies[face + COS]!, sf = bodies[face + SIN]!;
  const co = bodies[other + COS]!, so = bodies[other + SIN]!;
  const ox = bodies[other + ORIGIN_X]!, oy = bodies[other + ORIGIN_Y]!;
  const lnx = shapes[s + LOCAL_NORMAL_X]!, lny = shapes[s + LOCAL_NORMAL_Y]!;
  const nx = cf * lnx - sf * lny, ny = sf * lnx + cf * lny;
  const lx = shapes[s + LOCAL_POINT_X]!, ly = shapes[s + LOCAL_POINT_Y]!;
  const planeX = cf * lx - sf * ly + bodies[face + ORIGIN_X]!;
  const planeY = sf * lx + cf * ly + bodies[face + ORIGIN_Y]!;
  contacts[c + NORMAL_X] = isA ? nx : -nx;
  contacts[c + NORMAL_Y] = isA ? ny : -ny;
  for (let i = 0; i < links[link + POSITION_POINTS]!; i++) {
    const px = shapes[s + LOCAL_POINTS + 2 * i]!, py = shapes[s + LOCAL_POINTS + 2 * i + 1]!;
    const clipX = co * px - so * py + ox, clipY = so * px + co * py + oy;
    const depth = faceRadius - ((clipX - planeX) * nx + (clipY - planeY) * ny);
    // planck adds A's half first; a sum of two does not mind
    const x = 0.5 * (clipX + depth * nx) + 0.5 * (clipX + -otherRadius * nx);
    const y = 0.5 * (clipY + depth * ny) + 0.5 * (clipY + -otherRadius * ny);
    const p = c + POINTS + i * POINT_NUMBERS;
    contacts[p + ARM_AX] = x - bodies[a + CENTER_X]!;
    contacts[p + ARM_AY] = y - bodies[a + CENTER_Y]!;
    contacts[p + ARM_BX] = x - bodies[b + CENTER_X]!;
    contacts[p + ARM_BY] = y - bodies[b + CENTER_Y]!;
  }
}

/** The solver reads it all the same, times 0, and another stage may have left there what is no number. */
function forgetSecond(q: number): void {
  memory.contacts[q + TURN_A] = memory.contacts[q + TURN_B] = 0;
}

/** Sets how an impulse along the normal moves both. */
function weighNormal(c: number): void {
  const { contacts } = memory, nx = contacts[c + NORMAL_X]!, ny = contacts[c + NORMAL_Y]!;
  const mA = contacts[c + MASS_A]!, mB = contacts[c + MASS_B]!;
  contacts[c + PUSH_AX] = mA * nx;
  contacts[c + PUSH_AY] = mA * ny;
  contacts[c + PUSH_BX] = mB * nx;
  contacts[c + PUSH_BY] = mB * ny;
}

/**
 * Sets a row's levers, turns and effective mass.
 * @param p the point whose arms they are of
 */
function weighRow(row: number, p: number, c: number, isTangent: boolean): void {
  const { contacts } = memory, nx = contacts[c + NORMAL_X]!, ny = contacts[c + NORMAL_Y]!;
  const dx = isTangent ? ny : nx, dy = isTangent ? -nx : ny;
  const leverA = contacts[p + ARM_AX]! * dy - contacts[p + ARM_AY]! * dx;
  const leverB = contacts[p + ARM_BX]! * dy - contacts[p + ARM_BY]! * dx;
  const turnA = contacts[c + INERTIA_A]! * leverA, turnB = contacts[c + INERTIA_B]! * leverB;
  const k = contacts[c + MASS_A]! + contacts[c + MASS_B]! + turnA * leverA + turnB * leverB;
  contacts[row + LEVER_A] = leverA;
  contacts[row + LEVER_B] = leverB;
  contacts[row + TURN_A] = turnA;
  contacts[row + TURN_B] = turnB;
  contacts[row + MASS] = k > 0 ? 1 / k : 0;
}

/** Sets one point's row and the velocity that it bounces off with. */
function weighPoint({ m_restitution: restitution }: PlanckContact, link: number, p: number, c: number): void {
  weighRow(p, p, c, false);
  const { links, contacts, bodies } = memory, a = links[link + BODY_A]!, b = links[link + BODY_B]!;
  const dx = bodies[b + VX]! - bodies[a + VX]!, dy = bodies[b + VY]! - bodies[a + VY]!;
  const speed = dx * contacts[c + NORMAL_X]! + dy * contacts[c + NORMAL_Y]! +
    (contacts[p + LEVER_B]! * bodies[b + SPIN]! - contacts[p + LEVER_A]! * bodies[a + SPIN]!);
  contacts[p + BIAS] = speed < -VELOCITY_THRESHOLD ? -restitution * speed : 0;
}

/** Two points are solved together, unless they are nearly one: then the first alone. */
function weighBoth(link: number, c: number): void {
  const { links, contacts } = memory, p = c + POINTS, q = p + POINT_NUMBERS;
  const mass = contacts[c + MASS_A]! + contacts[c + MASS_B]!;
  const turn1A = contacts[p + TURN_A]!, turn1B = contacts[p + TURN_B]!;
  const lever2A = contacts[q + LEVER_A]!, lever2B = contacts[q + LEVER_B]!;
  const k11 = mass + turn1A * contacts[p + LEVER_A]! + turn1B * contacts[p + LEVER_B]!;
  const k22 = mass + contacts[q + TURN_A]! * lever2A + contacts[q + TURN_B]! * lever2B;
  const k12 = mass + turn1A * lever2A + turn1B * lever2B;
  if (!(k11 * k11 < CONDITION_MAX * (k11 * k22 - k12 * k12))) {
    links[link + VELOCITY_POINTS] = 1;
    return;
  }
  let inverse = k11 * k22 - k12 * k12;
  if (inverse !== 0) inverse = 1 / inverse;
  contacts[c + K11] = k11;
  contacts[c + K12] = k12;
  contacts[c + K22] = k22;
  contacts[c + INVERSE_11] = inverse * k22;
  contacts[c + INVERSE_12] = -inverse * k12;
  contacts[c + INVERSE_22] = inverse * k11;
}

/** Begins with the impulses of the step before. */
export function warmStart(contactCount: number): void {
  const { links, contacts, bodies } = memory;
  for (let i = 0; i < contactCount; i++) {
    const link = i * LINK_NUMBERS, c = i * CONTACT_NUMBERS, p = c + POINTS, q = p + POINT_NUMBERS;
    const a = links[link + BODY_A]!, b = links[link + BODY_B]!;
    const first = contacts[p + IMPULSE]!, tangent = contacts[c + SLIDE + IMPULSE]!;
    const second = links[link + VELOCITY_POINTS]! === 2 ? contacts[q + IMPULSE]! : 0, normal = first + second;
    // what never moves is not written: nobody has to wait for that, and no error stays in it
    if (contacts[c + MASS_A]! !== 0) {
      bodies[a + VX]! -= contacts[c + PUSH_AX]! * normal + contacts[c + PUSH_AY]! * tangent;
      bodies[a + VY]! -= contacts[c + PUSH_AY]! * normal - contacts[c + PUSH_AX]! * tangent;
      bodies[a + SPIN]! -= contacts[p + TURN_A]! * first + contacts[q + TURN_A]! * second +
        contacts[c + SLIDE + TURN_A]! * tangent;
    }
    if (contacts[c + MASS_B]! !== 0) {
      bodies[b + VX]! += contacts[c + PUSH_BX]! * normal + contacts[c + PUSH_BY]! * tangent;
      bodies[b + VY]! += contacts[c + PUSH_BY]! * normal - contacts[c + PUSH_BX]! * tangent;
      bodies[b + SPIN]! += contacts[p + TURN_B]! * first + contacts[q + TURN_B]! * second +
        contacts[c + SLIDE + TURN_B]! * tangent;
    }
  }
}
