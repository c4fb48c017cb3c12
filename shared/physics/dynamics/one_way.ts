/**
 * One-way fixtures: solid only for bodies that come down on them, or from the side that a fixture
 * declares.
 *
 * The decision between landing and passing is made once, when the body's first fixture begins to
 * touch, and holds until the last one parts. A new decision in each step would drop resting bodies
 * and push passing ones at the slightest oscillation.
 *
 *     lands = normal · side ≥ 0.5  and  approach speed ≥ −0.5 m/s  and  depth ≤ 0.1 m + max(0, approach speed) · h
 *
 * The side is (0, 1), or the declared one. h is the length of a world step, in which a body from
 * above cannot sink deeper.
 */
import type { ContactFilter } from "./contact_filter.ts";
import * as bodyLayout from "../core/body_rows.ts";
import { velocityX, velocityY } from "../core/body_transform.ts";
import * as contactLayout from "../core/contact_rows.ts";
import * as fixtureLayout from "../core/fixture_rows.ts";
import { CAST_DEPTH, CAST_NORMAL_X, CAST_NORMAL_Y, circleCast } from "../geometry/circle_cast.ts";
import * as manifoldLayout from "../geometry/world_manifold.ts";
import { worldManifold } from "../geometry/world_manifold.ts";
import { computeContactManifold } from "./contact_manifold.ts";
import type { World } from "./world.ts";

const { BODY_STRIDE, BODY_INTS, BODY_TYPE, STATIC, FIRST_CONTACT, NONE, COS, SIN } = bodyLayout;
const {
  DECLARED_INDEX,
  FIXTURE_BODY,
  FIXTURE_FLAGS,
  FIXTURE_INTS,
  FIXTURE_VALUES,
  ONE_WAY,
  TURNING,
  ONE_WAY_X,
  ONE_WAY_Y,
} = fixtureLayout;
const { CONTACT_INTS, CONTACT_FLAGS, FIXTURE_A, CONTACT_BODY_A, CONTACT_BODY_B, NEXT_LINK } =
  contactLayout;
const { WORLD_NORMAL_X, WORLD_NORMAL_Y, WORLD_POINTS, WORLD_POINT_STRIDE, WORLD_SEPARATION } =
  manifoldLayout;
const { TOUCHING, POINT_COUNT, ONE_WAY_A, ONE_WAY_B, PASSING } = contactLayout;

/**
 * Bodies land on slopes of at most 60 degrees: the slopes that also support them (`contacts.ts`).
 */
const LANDING_NORMAL = 0.5;
/**
 * A body that rises no faster than this, in m/s, still lands: it trembles on the platform or walks
 * onto it.
 */
const RISING_MAX = 0.5;
/**
 * Metres beyond the motion of one world step. A body that is deeper did not come from above: it was
 * put there.
 */
const DEPTH_MAX = 0.1;

/** Scratch: the first point of a contact, metres. Written and read by `shouldIgnoreOneWay`. */
const point = { x: 0.5, y: 0.5 };

/** @returns the one-way fixtures of a pair as flags `ONE_WAY_A` and `ONE_WAY_B` */
export function oneWaySides(fixtures: Int32Array, a: number, b: number): number {
  const flagsA = fixtures[a * FIXTURE_INTS + FIXTURE_FLAGS]!;
  const flagsB = fixtures[b * FIXTURE_INTS + FIXTURE_FLAGS]!;
  return ((flagsA & ONE_WAY) !== 0 ? ONE_WAY_A : 0) | ((flagsB & ONE_WAY) !== 0 ? ONE_WAY_B : 0);
}

/**
 * Whether two bodies that have just begun to touch pass each other. Either of two one-way fixtures
 * may be the platform.
 */
export function shouldIgnoreOneWay(world: World, contact: number): boolean {
  const { contacts: { ints }, bodies: { values }, stepS } = world;
  const k = contact * CONTACT_INTS;
  const flags = ints[k + CONTACT_FLAGS]!;
  const side = (flags & ONE_WAY_A) !== 0 ? 0 : 1;
  const earlier = earlierContact(world, contact, side);
  if (earlier !== NONE) return (ints[earlier * CONTACT_INTS + CONTACT_FLAGS]! & PASSING) !== 0;
  computeContactManifold(world, contact);
  const x = worldManifold[WORLD_NORMAL_X]!, y = worldManifold[WORLD_NORMAL_Y]!;
  const facesSide =
    (flags & ONE_WAY_A) !== 0 && facing(world, ints[k + FIXTURE_A]!, x, y) >= LANDING_NORMAL ||
    (flags & ONE_WAY_B) !== 0 && facing(world, ints[k + FIXTURE_A + 1]!, -x, -y) >= LANDING_NORMAL;
  if (!facesSide) return true;
  const a = ints[k + CONTACT_BODY_A]! * BODY_STRIDE;
  const b = ints[k + CONTACT_BODY_B]! * BODY_STRIDE;
  point.x = worldManifold[WORLD_POINTS]!;
  point.y = worldManifold[WORLD_POINTS + 1]!;
  const closing = (velocityX(values, a, point) - velocityX(values, b, point)) * x +
    (velocityY(values, a, point) - velocityY(values, b, point)) * y;
  return closing < -RISING_MAX ||
    depth(ints[k + POINT_COUNT]!) > DEPTH_MAX + Math.max(0, closing) * stepS;
}

/** @returns the cosine between a normal in the world and the solid side of a one-way fixture */
function facing(
  { fixtures, bodies: { values } }: World,
  fixture: number,
  x: number,
  y: number,
): number {
  const f = fixture * FIXTURE_INTS;
  const v = fixture * FIXTURE_VALUES;
  const b = fixtures.ints[f + FIXTURE_BODY]! * BODY_STRIDE;
  if ((fixtures.ints[f + FIXTURE_FLAGS]! & TURNING) === 0) return y;
  const c = values[b + COS]!, s = values[b + SIN]!;
  const localX = fixtures.values[v + ONE_WAY_X]!;
  const localY = fixtures.values[v + ONE_WAY_Y]!;
  return x * (c * localX - s * localY) + y * (s * localX + c * localY);
}

/**
 * Metres. A projectile that begins deeper did not come from above. The tolerance covers the
 * rounding of a slide.
 */
const PROJECTILE_DEPTH_MAX = 0.02;

/**
 * Whether the projectile of `circleCast` lands on a one-way fixture. Without contacts each cast
 * decides anew.
 */
export function projectileLands(world: World, fixture: number): boolean {
  const along = facing(world, fixture, circleCast[CAST_NORMAL_X]!, circleCast[CAST_NORMAL_Y]!);
  return along >= LANDING_NORMAL && circleCast[CAST_DEPTH]! <= PROJECTILE_DEPTH_MAX;
}

/**
 * Whether the author's rules let one land on the other. Either of two one-way fixtures may be the
 * platform.
 */
export function canLand(
  { contacts: { ints } }: World,
  contact: number,
  filter: ContactFilter,
): boolean {
  const k = contact * CONTACT_INTS;
  const a = ints[k + CONTACT_BODY_A]!;
  const b = ints[k + CONTACT_BODY_B]!;
  const flags = ints[k + CONTACT_FLAGS]!;
  return (flags & ONE_WAY_A) !== 0 && filter.landsOn(b, a) ||
    (flags & ONE_WAY_B) !== 0 && filter.landsOn(a, b);
}

/**
 * @param side of the one-way fixture: 0 for A
 * @returns a touching contact of the same one-way fixture, in which all segments of a chain count
 * as one, with the same other body; it holds the decision; or `NONE`
 */
function earlierContact(
  { contacts: { ints }, bodies, fixtures }: World,
  contact: number,
  side: number,
): number {
  const indexOf = (row: number) => fixtures.ints[row * FIXTURE_INTS + DECLARED_INDEX]!;
  const k = contact * CONTACT_INTS;
  const fixture = indexOf(ints[k + FIXTURE_A + side]!);
  const platform = ints[k + CONTACT_BODY_A + side]!;
  const other = ints[k + CONTACT_BODY_B - side]!;

  // A static body has no list of contacts.
  const listed = bodies.ints[other * BODY_INTS + BODY_TYPE] === STATIC ? platform : other;

  for (let link = bodies.ints[listed * BODY_INTS + FIRST_CONTACT]!; link !== NONE;) {
    const found = link >> 1;
    const i = found * CONTACT_INTS;
    const flags = ints[i + CONTACT_FLAGS]!;
    link = ints[i + NEXT_LINK + (link & 1)]!;
    if (found === contact || (flags & TOUCHING) === 0 || (flags & (ONE_WAY_A | ONE_WAY_B)) === 0) {
      continue;
    }

    // The same two, from either side
    for (let foundSide = 0; foundSide < 2; foundSide++) {
      if (
        ints[i + CONTACT_BODY_A + foundSide] !== platform ||
        ints[i + CONTACT_BODY_B - foundSide] !== other
      ) continue;
      if (indexOf(ints[i + FIXTURE_A + foundSide]!) === fixture) return found;
    }
  }

  return NONE;
}

/** @returns the deepest overlap of the points of `worldManifold`, metres */
function depth(pointCount: number): number {
  const first = worldManifold[WORLD_POINTS + WORLD_SEPARATION]!;
  const second = worldManifold[WORLD_POINTS + WORLD_POINT_STRIDE + WORLD_SEPARATION]!;
  return -(pointCount > 1 && second < first ? second : first);
}
