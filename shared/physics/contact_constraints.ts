/**
 * An island's contacts made ready for the solver, in planck's order of operations: where they touch in the world, how heavy the
 * bodies are there, how fast they bounce, and the impulses of the step before to start from. After Box2D's b2ContactSolver; each
 * expression has the operands of planck 1.5.0 in their order, because a sum in another order has other bits.
 */
import * as at from "./island_memory.ts";
import { memory } from "./island_memory.ts";
import { type PlanckContact, type PlanckManifold, type PlanckStep, VELOCITY_THRESHOLD } from "./planck.ts";

/** Two points whose matrix is worse conditioned are solved as one. */
const CONDITION_MAX = 1000;
/** Squared metres below which two circles' centres are one. */
const TINY_SQUARED = 1e-9 * 1e-9;

/** Fills the contact's numbers; its bodies' must be there. Warm starting is always on. */
export function prepareContact(contact: PlanckContact, index: number, step: PlanckStep): void {
  const { links, contacts, shapes, bodies } = memory;
  const { m_manifold: manifold, m_fixtureA: fixtureA, m_fixtureB: fixtureB } = contact;
  const link = index * at.LINK_NUMBERS, c = index * at.CONTACT_NUMBERS, s = index * at.SHAPE_NUMBERS;
  const a = fixtureA.m_body.islandAt, b = fixtureB.m_body.islandAt, { pointCount } = manifold;
  links[link + at.BODY_A] = a;
  links[link + at.BODY_B] = b;
  links[link + at.VELOCITY_POINTS] = links[link + at.POSITION_POINTS] = pointCount;
  links[link + at.TYPE] = manifold.type;
  contacts[c + at.FRICTION] = contact.m_friction;
  contacts[c + at.TANGENT_SPEED] = contact.m_tangentSpeed;
  contacts[c + at.MASS_A] = bodies[a + at.INVERSE_MASS]!;
  contacts[c + at.INERTIA_A] = bodies[a + at.INVERSE_INERTIA]!;
  contacts[c + at.MASS_B] = bodies[b + at.INVERSE_MASS]!;
  contacts[c + at.INERTIA_B] = bodies[b + at.INVERSE_INERTIA]!;
  shapes[s + at.RADIUS_A] = fixtureA.m_shape.m_radius;
  shapes[s + at.RADIUS_B] = fixtureB.m_shape.m_radius;
  copyManifold(manifold, s, c, step);
  if (manifold.type === at.CIRCLES) placeCircles(link, c, s);
  else placeFace(link, c, s);
  for (let i = 0; i < pointCount; i++) weighPoint(contact, link, c, i);
  if (pointCount === 2) weighBoth(link, c);
}

function copyManifold(manifold: PlanckManifold, s: number, c: number, { dtRatio }: PlanckStep): void {
  const { shapes, contacts } = memory, { localNormal, localPoint, points } = manifold;
  shapes[s + at.LOCAL_NORMAL_X] = localNormal.x;
  shapes[s + at.LOCAL_NORMAL_Y] = localNormal.y;
  shapes[s + at.LOCAL_X] = localPoint.x;
  shapes[s + at.LOCAL_Y] = localPoint.y;
  for (let i = 0; i < manifold.pointCount; i++) {
    const point = points[i as 0 | 1], p = c + at.POINTS + i * at.POINT_NUMBERS;
    shapes[s + at.LOCAL_POINTS + 2 * i] = point.localPoint.x;
    shapes[s + at.LOCAL_POINTS + 2 * i + 1] = point.localPoint.y;
    contacts[p + at.NORMAL_IMPULSE] = dtRatio * point.normalImpulse;
    contacts[p + at.TANGENT_IMPULSE] = dtRatio * point.tangentImpulse;
  }
}

/** Sets normal and arms of two circles: the middle between their rims. */
function placeCircles(link: number, c: number, s: number): void {
  const { links, contacts, shapes, bodies } = memory;
  const a = links[link + at.BODY_A]!, b = links[link + at.BODY_B]!, p = c + at.POINTS;
  const radiusA = shapes[s + at.RADIUS_A]!, radiusB = shapes[s + at.RADIUS_B]!;
  const lax = shapes[s + at.LOCAL_X]!, lay = shapes[s + at.LOCAL_Y]!;
  const lbx = shapes[s + at.LOCAL_POINTS]!, lby = shapes[s + at.LOCAL_POINTS + 1]!;
  const ca = bodies[a + at.COS]!, sa = bodies[a + at.SIN]!, cb = bodies[b + at.COS]!, sb = bodies[b + at.SIN]!;
  const ax = ca * lax - sa * lay + bodies[a + at.ORIGIN_X]!, ay = sa * lax + ca * lay + bodies[a + at.ORIGIN_Y]!;
  const bx = cb * lbx - sb * lby + bodies[b + at.ORIGIN_X]!, by = sb * lbx + cb * lby + bodies[b + at.ORIGIN_Y]!;
  const dx = bx - ax, dy = by - ay, squared = dx * dx + dy * dy;
  let nx = 1, ny = 0;
  if (squared > TINY_SQUARED) {
    const inverse = 1 / Math.sqrt(squared);
    nx = inverse * dx;
    ny = inverse * dy;
  }
  contacts[c + at.NORMAL_X] = nx;
  contacts[c + at.NORMAL_Y] = ny;
  const x = 0.5 * (ax + radiusA * nx) + 0.5 * (bx + -radiusB * nx);
  const y = 0.5 * (ay + radiusA * ny) + 0.5 * (by + -radiusB * ny);
  contacts[p + at.ARM_AX] = x - bodies[a + at.CENTER_X]!;
  contacts[p + at.ARM_AY] = y - bodies[a + at.CENTER_Y]!;
  contacts[p + at.ARM_BX] = x - bodies[b + at.CENTER_X]!;
  contacts[p + at.ARM_BY] = y - bodies[b + at.CENTER_Y]!;
}

/** Sets normal and arms where a face of one meets points of the other: the middle between face and point. */
function placeFace(link: number, c: number, s: number): void {
  const { links, contacts, shapes, bodies } = memory;
  const a = links[link + at.BODY_A]!, b = links[link + at.BODY_B]!, isA = links[link + at.TYPE]! === at.FACE_A;
  const face = isA ? a : b, other = isA ? b : a;
  const faceRadius = shapes[s + (isA ? at.RADIUS_A : at.RADIUS_B)]!;
  const otherRadius = shapes[s + (isA ? at.RADIUS_B : at.RADIUS_A)]!;
  const cf = bodies[face + at.COS]!, sf = bodies[face + at.SIN]!;
  const co = bodies[other + at.COS]!, so = bodies[other + at.SIN]!;
  const ox = bodies[other + at.ORIGIN_X]!, oy = bodies[other + at.ORIGIN_Y]!;
  const lnx = shapes[s + at.LOCAL_NORMAL_X]!, lny = shapes[s + at.LOCAL_NORMAL_Y]!;
  const nx = cf * lnx - sf * lny, ny = sf * lnx + cf * lny;
  const lx = shapes[s + at.LOCAL_X]!, ly = shapes[s + at.LOCAL_Y]!;
  const planeX = cf * lx - sf * ly + bodies[face + at.ORIGIN_X]!;
  const planeY = sf * lx + cf * ly + bodies[face + at.ORIGIN_Y]!;
  contacts[c + at.NORMAL_X] = isA ? nx : -nx;
  contacts[c + at.NORMAL_Y] = isA ? ny : -ny;
  for (let i = 0; i < links[link + at.POSITION_POINTS]!; i++) {
    const px = shapes[s + at.LOCAL_POINTS + 2 * i]!, py = shapes[s + at.LOCAL_POINTS + 2 * i + 1]!;
    const clipX = co * px - so * py + ox, clipY = so * px + co * py + oy;
    const depth = faceRadius - ((clipX - planeX) * nx + (clipY - planeY) * ny);
    // planck adds A's half first; a sum of two does not mind
    const x = 0.5 * (clipX + depth * nx) + 0.5 * (clipX + -otherRadius * nx);
    const y = 0.5 * (clipY + depth * ny) + 0.5 * (clipY + -otherRadius * ny);
    const p = c + at.POINTS + i * at.POINT_NUMBERS;
    contacts[p + at.ARM_AX] = x - bodies[a + at.CENTER_X]!;
    contacts[p + at.ARM_AY] = y - bodies[a + at.CENTER_Y]!;
    contacts[p + at.ARM_BX] = x - bodies[b + at.CENTER_X]!;
    contacts[p + at.ARM_BY] = y - bodies[b + at.CENTER_Y]!;
  }
}

/** Sets one point's effective masses and the velocity that it bounces off with. */
function weighPoint({ m_restitution: restitution }: PlanckContact, link: number, c: number, index: number): void {
  const { links, contacts, bodies } = memory, p = c + at.POINTS + index * at.POINT_NUMBERS;
  const a = links[link + at.BODY_A]!, b = links[link + at.BODY_B]!;
  const nx = contacts[c + at.NORMAL_X]!, ny = contacts[c + at.NORMAL_Y]!, tx = ny, ty = -nx;
  const ax = contacts[p + at.ARM_AX]!, ay = contacts[p + at.ARM_AY]!;
  const bx = contacts[p + at.ARM_BX]!, by = contacts[p + at.ARM_BY]!;
  const mA = contacts[c + at.MASS_A]!, iA = contacts[c + at.INERTIA_A]!;
  const mB = contacts[c + at.MASS_B]!, iB = contacts[c + at.INERTIA_B]!;
  const rnA = ax * ny - ay * nx, rnB = bx * ny - by * nx;
  const kNormal = mA + mB + iA * rnA * rnA + iB * rnB * rnB;
  contacts[p + at.NORMAL_MASS] = kNormal > 0 ? 1 / kNormal : 0;
  const rtA = ax * ty - ay * tx, rtB = bx * ty - by * tx;
  const kTangent = mA + mB + iA * rtA * rtA + iB * rtB * rtB;
  contacts[p + at.TANGENT_MASS] = kTangent > 0 ? 1 / kTangent : 0;
  const wA = bodies[a + at.SPIN]!, wB = bodies[b + at.SPIN]!;
  let speed = 0;
  speed += nx * bodies[b + at.VX]! + ny * bodies[b + at.VY]!;
  speed += nx * (-wB * by) + ny * (wB * bx);
  speed -= nx * bodies[a + at.VX]! + ny * bodies[a + at.VY]!;
  speed -= nx * (-wA * ay) + ny * (wA * ax);
  contacts[p + at.BIAS] = speed < -VELOCITY_THRESHOLD ? -restitution * speed : 0;
}

/** Two points are solved together, unless they are nearly one: then the first alone. */
function weighBoth(link: number, c: number): void {
  const { links, contacts } = memory, p = c + at.POINTS, q = p + at.POINT_NUMBERS;
  const nx = contacts[c + at.NORMAL_X]!, ny = contacts[c + at.NORMAL_Y]!;
  const mA = contacts[c + at.MASS_A]!, iA = contacts[c + at.INERTIA_A]!;
  const mB = contacts[c + at.MASS_B]!, iB = contacts[c + at.INERTIA_B]!;
  const r1A = contacts[p + at.ARM_AX]! * ny - contacts[p + at.ARM_AY]! * nx;
  const r1B = contacts[p + at.ARM_BX]! * ny - contacts[p + at.ARM_BY]! * nx;
  const r2A = contacts[q + at.ARM_AX]! * ny - contacts[q + at.ARM_AY]! * nx;
  const r2B = contacts[q + at.ARM_BX]! * ny - contacts[q + at.ARM_BY]! * nx;
  const k11 = mA + mB + iA * r1A * r1A + iB * r1B * r1B;
  const k22 = mA + mB + iA * r2A * r2A + iB * r2B * r2B;
  const k12 = mA + mB + iA * r1A * r2A + iB * r1B * r2B;
  if (!(k11 * k11 < CONDITION_MAX * (k11 * k22 - k12 * k12))) {
    links[link + at.VELOCITY_POINTS] = 1;
    return;
  }
  let inverse = k11 * k22 - k12 * k12;
  if (inverse !== 0) inverse = 1 / inverse;
  contacts[c + at.K11] = k11;
  contacts[c + at.K12] = k12;
  contacts[c + at.K22] = k22;
  contacts[c + at.INVERSE_11] = inverse * k22;
  contacts[c + at.INVERSE_12] = -inverse * k12;
  contacts[c + at.INVERSE_22] = inverse * k11;
}

/** Begins with the impulses of the step before. */
export function warmStart(contactCount: number): void {
  const { links, contacts, bodies } = memory;
  for (let i = 0; i < contactCount; i++) {
    const link = i * at.LINK_NUMBERS, c = i * at.CONTACT_NUMBERS;
    const a = links[link + at.BODY_A]!, b = links[link + at.BODY_B]!;
    const nx = contacts[c + at.NORMAL_X]!, ny = contacts[c + at.NORMAL_Y]!, tx = ny, ty = -nx;
    for (let j = 0; j < links[link + at.VELOCITY_POINTS]!; j++) {
      const p = c + at.POINTS + j * at.POINT_NUMBERS;
      const normal = contacts[p + at.NORMAL_IMPULSE]!, tangent = contacts[p + at.TANGENT_IMPULSE]!;
      const x = normal * nx + tangent * tx, y = normal * ny + tangent * ty;
      const turnA = contacts[p + at.ARM_AX]! * y - contacts[p + at.ARM_AY]! * x;
      const turnB = contacts[p + at.ARM_BX]! * y - contacts[p + at.ARM_BY]! * x;
      bodies[a + at.SPIN]! -= contacts[c + at.INERTIA_A]! * turnA;
      bodies[a + at.VX]! -= contacts[c + at.MASS_A]! * x;
      bodies[a + at.VY]! -= contacts[c + at.MASS_A]! * y;
      bodies[b + at.SPIN]! += contacts[c + at.INERTIA_B]! * turnB;
      bodies[b + at.VX]! += contacts[c + at.MASS_B]! * x;
      bodies[b + at.VY]! += contacts[c + at.MASS_B]! * y;
    }
  }
}
