/**
 * One-way fixtures: solid only for what comes down on them. Whether somebody lands or passes is decided once, when the first of
 * its fixtures begins to touch, from where both are and how they move just then; it holds until the last one parts. Deciding anew
 * each step would drop what rests and kick what passes, as soon as either trembles.
 *
 *     lands  =  the normal points up,  they do not part,  and no deeper than they came in one world step
 */
import { type EntityRecord, recordOf } from "../stage/entity.ts";
import { velocityX, velocityY } from "../core/body_transform.ts";
import { worldManifoldOf } from "../core/manifold_rows.ts";
import type { PlanckBody, PlanckContact, PlanckFixture, PlanckWorldManifold } from "../planck/planck.ts";
import type { CircleCast } from "../collision/circle_cast.ts";

/** The surface that is landed on slopes by at most 60 degrees, as one that supports. */
const LANDING_NORMAL_Y = 0.5;
/** Rising no faster than this, m/s, it still lands: what trembles on a platform, or walks onto it, is not jumping through. */
const RISING_MAX = 0.5;
/** Deeper than its way of one world step by this, metres, it has not come from above: it was put there. */
const DEPTH_MAX = 0.1;

/** Which of a contact's fixtures are one-way and may be passed; sensors are passed anyway. */
export function oneWaySides({ m_fixtureA: a, m_fixtureB: b }: PlanckContact): number {
  if (a.m_isSensor || b.m_isSensor) return 0;
  return (a.oneWay ? SIDE_A : 0) | (b.oneWay ? SIDE_B : 0);
}

const SIDE_A = 1;
const SIDE_B = 2;

/**
 * Whether what has just begun to touch passes. Of two one-way fixtures either may be landed on.
 * @param stepS a world step's length
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

/** Deeper than this, metres, a projectile has not come from above: sliding on it is not exact. */
const PROJECTILE_DEPTH_MAX = 0.02;

/** Whether a projectile that meets a one-way fixture lands on it; projectiles remember nothing, so each way is judged alone. */
export function projectileLands({ ny, depth }: CircleCast): boolean {
  return ny >= LANDING_NORMAL_Y && depth <= PROJECTILE_DEPTH_MAX;
}

/** Whether the author lets the two land, one on the other: of two one-way fixtures either may be landed on. */
export function canLand(
  contact: PlanckContact,
  filter: { landsOn(entity: EntityRecord, platform: EntityRecord): boolean },
): boolean {
  const { m_fixtureA, m_fixtureB, oneWaySides: sides } = contact;
  const a = recordOf(m_fixtureA.m_body), b = recordOf(m_fixtureB.m_body);
  return (sides & SIDE_A) !== 0 && filter.landsOn(b, a) || (sides & SIDE_B) !== 0 && filter.landsOn(a, b);
}

/** Another contact of the same body with the same one-way fixture, which has already been decided. */
function earlierContact(contact: PlanckContact, oneWay: PlanckFixture, other: PlanckBody): PlanckContact | undefined {
  for (let edge = other.m_contactList; edge !== null; edge = edge.next) {
    const { m_fixtureA, m_fixtureB, m_touchingFlag, oneWaySides } = edge.contact;
    if (edge.contact === contact || !m_touchingFlag || oneWaySides === 0) continue;
    if (m_fixtureA === oneWay || m_fixtureB === oneWay) return edge.contact;
  }
  return undefined;
}

/** How far the two are inside each other where they touch, metres. */
function depth({ separations: [first, second], pointCount }: PlanckWorldManifold): number {
  return -(pointCount > 1 && second < first ? second : first);
}
