/**
 * An island's contacts made ready for the solver, in planck's order of operations: where they touch in the world, how heavy the
 * bodies are there, how fast they bounce, and the impulses of the step before to start from. After Box2D's b2ContactSolver; each
 * expression has the operands of planck 1.5.0 in their order, because a sum in another order has other bits.
 */
import * as at from "./island_memory.ts";
import { memory } from "./island_memory.ts";
import { type PlanckContact, type PlanckManifold, type PlanckStep, VELOCITY_THRESHOLD } from "./planck.ts";

/** Named here again: V8 compiles a module's own constants into the code and reads another's each time, 7 % of a step. */
const { VX, VY, SPIN, INVERSE_MASS, INVERSE_INERTIA, CENTER_X, CENTER_Y, COS, SIN, ORIGIN_X, ORIGIN_Y } = at;
const { NORMAL_X, NORMAL_Y, FRICTION, TANGENT_SPEED, MASS_A, INERTIA_A, MASS_B, INERTIA_B, K11, K12, K22 } = at;
const { INVERSE_11, INVERSE_12, INVERSE_22, POINTS, POINT_NUMBERS, ARM_AX, ARM_AY, ARM_BX, ARM_BY, NORMAL_MASS } = at;
const { TANGENT_MASS, NORMAL_IMPULSE, TANGENT_IMPULSE, BIAS, CONTACT_NUMBERS, LOCAL_NORMAL_X, LOCAL_NORMAL_Y } = at;
const { LOCAL_X, LOCAL_Y, LOCAL_POINTS, RADIUS_A, RADIUS_B, SHAPE_NUMBERS, BODY_A, BODY_B, VELOCITY_POINTS } = at;
const { POSITION_POINTS, TYPE, LINK_NUMBERS, CIRCLES, FACE_A } = at;

/** Two points whose matrix is worse conditioned are solved as one. */
const CONDITION_MAX = 1000;
/** Squared metres below which two circles' centres are one. */
const TINY_SQUARED = 1e-9 * 1e-9;

/** Fills the contact's numbers; its bodies' must be there. Warm starting is always on. */
export function prepareContact(contact: PlanckContact, index: number, step: PlanckStep): void {
  const { links, contacts, shapes, bodies } = memory;
  const { m_manifold: manifold, m_fixtureA: fixtureA, m_fixtureB: fixtureB } = contact;
  const link = index * LINK_NUMBERS, c = index * CONTACT_NUMBERS, s = index * SHAPE_NUMBERS;
  const a = fixtureA.m_body.islandAt, b = fixtureB.m_body.islandAt, { pointCount } = manifold;
  links[link + BODY_A] = a;
  links[link + BODY_B] = b;
  links[link + VELOCITY_POINTS] = links[link + POSITION_POINTS] = pointCount;
  links[link + TYPE] = manifold.type;
  contacts[c + FRICTION] = contact.m_friction;
  contacts[c + TANGENT_SPEED] = contact.m_tangentSpeed;
  contacts[c + MASS_A] = bodies[a + INVERSE_MASS]!;
  contacts[c + INERTIA_A] = bodies[a + INVERSE_INERTIA]!;
  contacts[c + MASS_B] = bodies[b + INVERSE_MASS]!;
  contacts[c + INERTIA_B] = bodies[b + INVERSE_INERTIA]!;
  shapes[s + RADIUS_A] = fixtureA.m_shape.m_radius;
  shapes[s + RADIUS_B] = fixtureB.m_shape.m_radius;
  copyManifold(manifold, s, c, step);
  if (manifold.type === CIRCLES) placeCircles(link, c, s);
  else placeFace(link, c, s);
  for (let i = 0; i < pointCount; i++) weighPoint(contact, link, c, i);
  if (pointCount === 2) weighBoth(link, c);
}

function copyManifold(manifold: PlanckManifold, s: number, c: number, { dtRatio }: PlanckStep): void {
  const { shapes, contacts } = memory, { localNormal, localPoint, points } = manifold;
  shapes[s + LOCAL_NORMAL_X] = localNormal.x;
  shapes[s + LOCAL_NORMAL_Y] = localNormal.y;
  shapes[s + LOCAL_X] = localPoint.x;
  shapes[s + LOCAL_Y] = localPoint.y;
  for (let i = 0; i < manifold.pointCount; i++) {
    const point = points[i as 0 | 1], p = c + POINTS + i * POINT_NUMBERS;
    shapes[s + LOCAL_POINTS + 2 * i] = point.localPoint.x;
    shapes[s + LOCAL_POINTS + 2 * i + 1] = point.localPoint.y;
    contacts[p + NORMAL_IMPULSE] = dtRatio * point.normalImpulse;
    contacts[p + TANGENT_IMPULSE] = dtRatio * point.tangentImpulse;
  }
}

/** Sets normal and arms of two circles: the middle between their rims. */
function placeCircles(link: number, c: number, s: number): void {
  const { links, contacts, shapes, bodies } = memory;
  const a = links[link + BODY_A]!, b = links[link + BODY_B]!, p = c + POINTS;
  const radiusA = shapes[s + RADIUS_A]!, radiusB = shapes[s + RADIUS_B]!;
  const lax = shapes[s + LOCAL_X]!, lay = shapes[s + LOCAL_Y]!;
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
  const lx = shapes[s + LOCAL_X]!, ly = shapes[s + LOCAL_Y]!;
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

/** Sets one point's effective masses and the velocity that it bounces off with. */
function weighPoint({ m_restitution: restitution }: PlanckContact, link: number, c: number, index: number): void {
  const { links, contacts, bodies } = memory, p = c + POINTS + index * POINT_NUMBERS;
  const a = links[link + BODY_A]!, b = links[link + BODY_B]!;
  const nx = contacts[c + NORMAL_X]!, ny = contacts[c + NORMAL_Y]!, tx = ny, ty = -nx;
  const ax = contacts[p + ARM_AX]!, ay = contacts[p + ARM_AY]!;
  const bx = contacts[p + ARM_BX]!, by = contacts[p + ARM_BY]!;
  const mA = contacts[c + MASS_A]!, iA = contacts[c + INERTIA_A]!;
  const mB = contacts[c + MASS_B]!, iB = contacts[c + INERTIA_B]!;
  const rnA = ax * ny - ay * nx, rnB = bx * ny - by * nx;
  const kNormal = mA + mB + iA * rnA * rnA + iB * rnB * rnB;
  contacts[p + NORMAL_MASS] = kNormal > 0 ? 1 / kNormal : 0;
  const rtA = ax * ty - ay * tx, rtB = bx * ty - by * tx;
  const kTangent = mA + mB + iA * rtA * rtA + iB * rtB * rtB;
  contacts[p + TANGENT_MASS] = kTangent > 0 ? 1 / kTangent : 0;
  const wA = bodies[a + SPIN]!, wB = bodies[b + SPIN]!;
  let speed = 0;
  speed += nx * bodies[b + VX]! + ny * bodies[b + VY]!;
  speed += nx * (-wB * by) + ny * (wB * bx);
  speed -= nx * bodies[a + VX]! + ny * bodies[a + VY]!;
  speed -= nx * (-wA * ay) + ny * (wA * ax);
  contacts[p + BIAS] = speed < -VELOCITY_THRESHOLD ? -restitution * speed : 0;
}

/** Two points are solved together, unless they are nearly one: then the first alone. */
function weighBoth(link: number, c: number): void {
  const { links, contacts } = memory, p = c + POINTS, q = p + POINT_NUMBERS;
  const nx = contacts[c + NORMAL_X]!, ny = contacts[c + NORMAL_Y]!;
  const mA = contacts[c + MASS_A]!, iA = contacts[c + INERTIA_A]!;
  const mB = contacts[c + MASS_B]!, iB = contacts[c + INERTIA_B]!;
  const r1A = contacts[p + ARM_AX]! * ny - contacts[p + ARM_AY]! * nx;
  const r1B = contacts[p + ARM_BX]! * ny - contacts[p + ARM_BY]! * nx;
  const r2A = contacts[q + ARM_AX]! * ny - contacts[q + ARM_AY]! * nx;
  const r2B = contacts[q + ARM_BX]! * ny - contacts[q + ARM_BY]! * nx;
  const k11 = mA + mB + iA * r1A * r1A + iB * r1B * r1B;
  const k22 = mA + mB + iA * r2A * r2A + iB * r2B * r2B;
  const k12 = mA + mB + iA * r1A * r2A + iB * r1B * r2B;
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
    const link = i * LINK_NUMBERS, c = i * CONTACT_NUMBERS;
    const a = links[link + BODY_A]!, b = links[link + BODY_B]!;
    const nx = contacts[c + NORMAL_X]!, ny = contacts[c + NORMAL_Y]!, tx = ny, ty = -nx;
    for (let j = 0; j < links[link + VELOCITY_POINTS]!; j++) {
      const p = c + POINTS + j * POINT_NUMBERS;
      const normal = contacts[p + NORMAL_IMPULSE]!, tangent = contacts[p + TANGENT_IMPULSE]!;
      const x = normal * nx + tangent * tx, y = normal * ny + tangent * ty;
      const turnA = contacts[p + ARM_AX]! * y - contacts[p + ARM_AY]! * x;
      const turnB = contacts[p + ARM_BX]! * y - contacts[p + ARM_BY]! * x;
      bodies[a + SPIN]! -= contacts[c + INERTIA_A]! * turnA;
      bodies[a + VX]! -= contacts[c + MASS_A]! * x;
      bodies[a + VY]! -= contacts[c + MASS_A]! * y;
      bodies[b + SPIN]! += contacts[c + INERTIA_B]! * turnB;
      bodies[b + VX]! += contacts[c + MASS_B]! * x;
      bodies[b + VY]! += contacts[c + MASS_B]! * y;
    }
  }
}
