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
import { Body, BodyInt, MotionType, NONE } from "../core/body_rows.ts";
import { velocityX, velocityY } from "../core/body_transform.ts";
import { ContactFlag, ContactInt } from "../core/contact_rows.ts";
import { Fixture, FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import { CircleCast, circleCast } from "../geometry/circle_cast.ts";
import { WorldManifold, worldManifold, WorldPoint } from "../geometry/world_manifold.ts";
import { computeContactManifold } from "./contact_manifold.ts";
import type { World } from "./world.ts";

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

/**
 * @returns the one-way fixtures of a pair as flags `ContactFlag.ONE_WAY_A` and
 *   `ContactFlag.ONE_WAY_B`
 */
export function oneWaySides(fixtures: Int32Array, a: number, b: number): number {
  const flagsA = fixtures[a * FixtureInt.STRIDE + FixtureInt.FLAGS]!;
  const flagsB = fixtures[b * FixtureInt.STRIDE + FixtureInt.FLAGS]!;
  return ((flagsA & FixtureFlag.ONE_WAY) !== 0 ? ContactFlag.ONE_WAY_A : 0) |
    ((flagsB & FixtureFlag.ONE_WAY) !== 0 ? ContactFlag.ONE_WAY_B : 0);
}

/**
 * Whether two bodies that have just begun to touch pass each other. Either of two one-way fixtures
 * may be the platform.
 */
export function shouldIgnoreOneWay(world: World, contact: number): boolean {
  const { contacts: { ints }, bodies: { values }, stepS } = world;
  const k = contact * ContactInt.STRIDE;
  const flags = ints[k + ContactInt.FLAGS]!;
  const side = (flags & ContactFlag.ONE_WAY_A) !== 0 ? 0 : 1;
  const earlier = earlierContact(world, contact, side);
  if (earlier !== NONE) {
    return (ints[earlier * ContactInt.STRIDE + ContactInt.FLAGS]! & ContactFlag.PASSING) !== 0;
  }
  computeContactManifold(world, contact);
  const x = worldManifold[WorldManifold.NORMAL_X]!, y = worldManifold[WorldManifold.NORMAL_Y]!;
  const facesSide = (flags & ContactFlag.ONE_WAY_A) !== 0 &&
      facing(world, ints[k + ContactInt.FIXTURE_A]!, x, y) >= LANDING_NORMAL ||
    (flags & ContactFlag.ONE_WAY_B) !== 0 &&
      facing(world, ints[k + ContactInt.FIXTURE_A + 1]!, -x, -y) >= LANDING_NORMAL;
  if (!facesSide) return true;
  const a = ints[k + ContactInt.BODY_A]! * Body.STRIDE;
  const b = ints[k + ContactInt.BODY_B]! * Body.STRIDE;
  point.x = worldManifold[WorldManifold.POINTS]!;
  point.y = worldManifold[WorldManifold.POINTS + 1]!;
  const closing = (velocityX(values, a, point) - velocityX(values, b, point)) * x +
    (velocityY(values, a, point) - velocityY(values, b, point)) * y;
  return closing < -RISING_MAX ||
    depth(ints[k + ContactInt.POINT_COUNT]!) > DEPTH_MAX + Math.max(0, closing) * stepS;
}

/** @returns the cosine between a normal in the world and the solid side of a one-way fixture */
function facing(
  { fixtures, bodies: { values } }: World,
  fixture: number,
  x: number,
  y: number,
): number {
  const f = fixture * FixtureInt.STRIDE;
  const v = fixture * Fixture.STRIDE;
  const b = fixtures.ints[f + FixtureInt.BODY]! * Body.STRIDE;
  if ((fixtures.ints[f + FixtureInt.FLAGS]! & FixtureFlag.TURNING) === 0) return y;
  const c = values[b + Body.COS]!, s = values[b + Body.SIN]!;
  const localX = fixtures.values[v + Fixture.ONE_WAY_X]!;
  const localY = fixtures.values[v + Fixture.ONE_WAY_Y]!;
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
  const along = facing(
    world,
    fixture,
    circleCast[CircleCast.NORMAL_X]!,
    circleCast[CircleCast.NORMAL_Y]!,
  );
  return along >= LANDING_NORMAL && circleCast[CircleCast.DEPTH]! <= PROJECTILE_DEPTH_MAX;
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
  const k = contact * ContactInt.STRIDE;
  const a = ints[k + ContactInt.BODY_A]!;
  const b = ints[k + ContactInt.BODY_B]!;
  const flags = ints[k + ContactInt.FLAGS]!;
  return (flags & ContactFlag.ONE_WAY_A) !== 0 && filter.landsOn(b, a) ||
    (flags & ContactFlag.ONE_WAY_B) !== 0 && filter.landsOn(a, b);
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
  const indexOf = (row: number) =>
    fixtures.ints[row * FixtureInt.STRIDE + FixtureInt.DECLARED_INDEX]!;
  const k = contact * ContactInt.STRIDE;
  const fixture = indexOf(ints[k + ContactInt.FIXTURE_A + side]!);
  const platform = ints[k + ContactInt.BODY_A + side]!;
  const other = ints[k + ContactInt.BODY_B - side]!;

  // A static body has no list of contacts.
  const listed = bodies.ints[other * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.STATIC
    ? platform
    : other;

  for (let link = bodies.ints[listed * BodyInt.STRIDE + BodyInt.FIRST_CONTACT]!; link !== NONE;) {
    const found = link >> 1;
    const i = found * ContactInt.STRIDE;
    const flags = ints[i + ContactInt.FLAGS]!;
    link = ints[i + ContactInt.NEXT_LINK + (link & 1)]!;
    if (
      found === contact || (flags & ContactFlag.TOUCHING) === 0 ||
      (flags & (ContactFlag.ONE_WAY_A | ContactFlag.ONE_WAY_B)) === 0
    ) {
      continue;
    }

    // The same two, from either side
    for (let foundSide = 0; foundSide < 2; foundSide++) {
      if (
        ints[i + ContactInt.BODY_A + foundSide] !== platform ||
        ints[i + ContactInt.BODY_B - foundSide] !== other
      ) continue;
      if (indexOf(ints[i + ContactInt.FIXTURE_A + foundSide]!) === fixture) return found;
    }
  }

  return NONE;
}

/** @returns the deepest overlap of the points of `worldManifold`, metres */
function depth(pointCount: number): number {
  const first = worldManifold[WorldManifold.POINTS + WorldPoint.SEPARATION]!;
  const second = worldManifold[WorldManifold.POINTS + WorldPoint.STRIDE + WorldPoint.SEPARATION]!;
  return -(pointCount > 1 && second < first ? second : first);
}
