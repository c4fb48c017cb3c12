/**
 * One-way fixtures: solid only for bodies that come down on them.
 *
 * The decision between landing and passing is made once, when the body's first fixture begins to touch, and holds until
 * the last one parts. A new decision in each step would drop resting bodies and push passing ones at the slightest
 * oscillation.
 *
 *     lands = normal.y ≥ 0.5  and  approach speed ≥ −0.5 m/s  and  depth ≤ 0.1 m + max(0, approach speed) · h
 *
 * h is the length of a world step, in which a body from above cannot sink deeper.
 */
import type { ContactFilter } from "./contact_filter.ts";
import { velocityX, velocityY } from "../core/body_transform.ts";
import { worldManifoldOf } from "../core/manifold_rows.ts";
import type { PlanckBody, PlanckContact, PlanckFixture, PlanckWorldManifold } from "../planck/planck.ts";
import type { CircleCast } from "../collision/circle_cast.ts";

/** Bodies land on slopes of at most 60 degrees: the slopes that also support them (`contacts.ts`). */
const LANDING_NORMAL_Y = 0.5;
/** A body that rises no faster than this, in m/s, still lands: it trembles on the platform or walks onto it. */
const RISING_MAX = 0.5;
/** Metres beyond the motion of one world step. A body that is deeper did not come from above: it was put there. */
const DEPTH_MAX = 0.1;

/** @returns the contact's one-way fixtures as bits `SIDE_A` and `SIDE_B`; 0 with a sensor, which never pushes anyway */
export function oneWaySides({ m_fixtureA: a, m_fixtureB: b }: PlanckContact): number {
  if (a.m_isSensor || b.m_isSensor) return 0;
  return (a.oneWay ? SIDE_A : 0) | (b.oneWay ? SIDE_B : 0);
}

const SIDE_A = 1;
const SIDE_B = 2;

/**
 * Whether two bodies that have just begun to touch pass each other. Either of two one-way fixtures may be the platform.
 * @param stepS length of a world step, seconds
 */
export function shouldIgnoreOneWay(contact: PlanckContact, stepS: number): boolean {
  const { m_fixtureA: a, m_fixtureB: b, oneWaySides: sides } = contact;
  const earlier = (sides & SIDE_A) !== 0 ? earlierContact(contact, a, b.m_body) : earlierContact(contact, b, a.m_body);
  if (earlier !== undefined) return earlier.oneWayIgnored;
  const manifold = worldManifoldOf(contact);
  const { normal: { x, y }, points: [point] } = manifold;
  const facesUp = (sides & SIDE_A) !== 0 && y >= LANDING_NORMAL_Y || (sides & SIDE_B) !== 0 && -y >= LANDING_NORMAL_Y;
  if (!facesUp) return true;
  const closing = (velocityX(a.m_body, point) - velocityX(b.m_body, point)) * x +
    (velocityY(a.m_body, point) - velocityY(b.m_body, point)) * y;
  return closing < -RISING_MAX || depth(manifold) > DEPTH_MAX + Math.max(0, closing) * stepS;
}

/** Metres. A projectile that begins deeper did not come from above. The tolerance covers the rounding of a slide. */
const PROJECTILE_DEPTH_MAX = 0.02;

/** Whether a projectile that hits a one-way fixture lands on it. Without contacts each cast decides anew. */
export function projectileLands({ ny, depth }: CircleCast): boolean {
  return ny >= LANDING_NORMAL_Y && depth <= PROJECTILE_DEPTH_MAX;
}

/** Whether the author's rules let one land on the other. Either of two one-way fixtures may be the platform. */
export function canLand(contact: PlanckContact, filter: ContactFilter): boolean {
  const { m_fixtureA: { m_body: a }, m_fixtureB: { m_body: b }, oneWaySides: sides } = contact;
  return (sides & SIDE_A) !== 0 && filter.landsOn(b, a) || (sides & SIDE_B) !== 0 && filter.landsOn(a, b);
}

/** @returns a touching contact of the same body with the same one-way fixture; it holds the decision */
function earlierContact(contact: PlanckContact, oneWay: PlanckFixture, other: PlanckBody): PlanckContact | undefined {
  for (let edge = other.m_contactList; edge !== null; edge = edge.next) {
    const { m_fixtureA, m_fixtureB, m_touchingFlag, oneWaySides } = edge.contact;
    if (edge.contact === contact || !m_touchingFlag || oneWaySides === 0) continue;
    if (m_fixtureA === oneWay || m_fixtureB === oneWay) return edge.contact;
  }
  return undefined;
}

/** @returns the deepest overlap of the points, metres */
function depth({ separations: [first, second], pointCount }: PlanckWorldManifold): number {
  return -(pointCount > 1 && second < first ? second : first);
}
