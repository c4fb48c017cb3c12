/** Narrow phase: whether a contact touches, and where. Points that persist keep their impulses. */
import { Body } from "../core/body_rows.ts";
import { Contact, ContactFlag, ContactInt, ContactPoint } from "../core/contact_rows.ts";
import { FixtureInt } from "../core/fixture_rows.ts";
import { ShapeType, ShapeValue } from "../core/shape_rows.ts";
import { collide } from "../geometry/collide.ts";
import { collision } from "../geometry/collision.ts";
import { overlaps as shapesOverlap } from "../geometry/distance.ts";
import type { World } from "./world.ts";

/**
 * Computes touching and manifold from the poses. If touching changes, both bodies wake up, but not
 * for a sensor.
 * @returns whether the contact begins to touch
 */
export function updateContact(world: World, contact: number): boolean {
  const { ints } = world.contacts;
  const k = contact * ContactInt.STRIDE;
  const flags = ints[k + ContactInt.FLAGS]!;
  const wasTouching = (flags & ContactFlag.TOUCHING) !== 0;
  const isSensor = (flags & ContactFlag.OF_SENSOR) !== 0;
  const isTouching = isSensor ? overlapsSensor(world, k) : evaluate(world, k);
  if (!isSensor) updateManifold(world, contact);

  // A touch that begins or ends
  if (isTouching === wasTouching) return false;
  ints[k + ContactInt.FLAGS] = flags ^ ContactFlag.TOUCHING;
  if (!isSensor) {
    world.wake(ints[k + ContactInt.BODY_A]!);
    world.wake(ints[k + ContactInt.BODY_B]!);
  }
  return isTouching;
}

/**
 * Whether the shapes of a contact overlap at their present poses, skins included. Not for sensors.
 */
export function overlaps(world: World, contact: number): boolean {
  return evaluate(world, contact * ContactInt.STRIDE);
}

/**
 * Computes `collision` from the present poses.
 * @param k offset of the contact in `ints`
 * @returns whether they touch
 */
function evaluate(
  { contacts: { ints }, bodies, fixtures, shapes, segments, rounded }: World,
  k: number,
): boolean {
  const a = fixtures.ints[ints[k + ContactInt.FIXTURE_A]! * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
  const b = fixtures.ints[ints[k + ContactInt.FIXTURE_B]! * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
  const bodyA = ints[k + ContactInt.BODY_A]! * Body.STRIDE;
  const bodyB = ints[k + ContactInt.BODY_B]! * Body.STRIDE;

  // By the kinds of both shapes
  if (
    rounded !== undefined && (shapes[a + ShapeValue.TYPE] === ShapeType.ROUNDED ||
      shapes[b + ShapeValue.TYPE] === ShapeType.ROUNDED)
  ) {
    rounded.collide(shapes, a, bodies.values, bodyA, b, bodyB, segments);
  } else if (
    segments !== undefined && shapes[a + ShapeValue.TYPE] === ShapeType.EDGE &&
    shapes[a + ShapeValue.NEIGHBOURS] !== 0
  ) {
    segments.collide(shapes, a, bodies.values, bodyA, b, bodyB);
  } else {
    collide(shapes, a, bodies.values, bodyA, b, bodyB);
  }
  return collision.ints[ContactInt.POINT_COUNT]! > 0;
}

/**
 * Whether the shapes of a sensor's contact overlap at their present poses.
 * @param k offset of the contact in `ints`
 */
export function overlapsSensor(
  { contacts: { ints }, bodies, fixtures, shapes }: World,
  k: number,
): boolean {
  return shapesOverlap(
    shapes,
    fixtures.ints[ints[k + ContactInt.FIXTURE_A]! * FixtureInt.STRIDE + FixtureInt.SHAPE]!,
    bodies.values,
    ints[k + ContactInt.BODY_A]! * Body.STRIDE,
    fixtures.ints[ints[k + ContactInt.FIXTURE_B]! * FixtureInt.STRIDE + FixtureInt.SHAPE]!,
    ints[k + ContactInt.BODY_B]! * Body.STRIDE,
  );
}

/**
 * Copies `collision` into the contact. A point keeps its impulses if its features match; others
 * begin at 0.
 */
function updateManifold({ contacts: { values, ints } }: World, contact: number): void {
  const { values: newValues, ints: newInts } = collision;
  const v = contact * Contact.STRIDE;
  const k = contact * ContactInt.STRIDE;
  const oldCount = ints[k + ContactInt.POINT_COUNT]!;
  const count = newInts[ContactInt.POINT_COUNT]!;
  const first = v + Contact.POINTS;
  const second = first + ContactPoint.STRIDE;

  // The old points
  const firstFeatures = ints[k + ContactInt.FEATURES]!;
  const secondFeatures = ints[k + ContactInt.FEATURES + 1]!;
  const firstNormal = values[first + ContactPoint.NORMAL_IMPULSE]!;
  const firstTangent = values[first + ContactPoint.TANGENT_IMPULSE]!;
  const secondNormal = values[second + ContactPoint.NORMAL_IMPULSE]!;
  const secondTangent = values[second + ContactPoint.TANGENT_IMPULSE]!;

  // The new manifold, if there is one
  ints[k + ContactInt.POINT_COUNT] = count;
  if (count === 0) return;
  ints[k + ContactInt.MANIFOLD_TYPE] = newInts[ContactInt.MANIFOLD_TYPE]!;
  values[v + Contact.LOCAL_NORMAL_X] = newValues[Contact.LOCAL_NORMAL_X]!;
  values[v + Contact.LOCAL_NORMAL_Y] = newValues[Contact.LOCAL_NORMAL_Y]!;
  values[v + Contact.LOCAL_POINT_X] = newValues[Contact.LOCAL_POINT_X]!;
  values[v + Contact.LOCAL_POINT_Y] = newValues[Contact.LOCAL_POINT_Y]!;

  // Its points
  for (let i = 0, p = Contact.POINTS; i < count; i++, p += ContactPoint.STRIDE) {
    const features = newInts[ContactInt.FEATURES + i]!;
    values[v + p + ContactPoint.LOCAL_X] = newValues[p + ContactPoint.LOCAL_X]!;
    values[v + p + ContactPoint.LOCAL_Y] = newValues[p + ContactPoint.LOCAL_Y]!;

    const isFirst = oldCount > 0 && features === firstFeatures;
    const isSecond = oldCount > 1 && features === secondFeatures;
    // Not as an `if`, with which a step of a pyramid takes 2 % longer.
    values[v + p + ContactPoint.NORMAL_IMPULSE] = isFirst
      ? firstNormal
      : isSecond
      ? secondNormal
      : 0;
    values[v + p + ContactPoint.TANGENT_IMPULSE] = isFirst
      ? firstTangent
      : isSecond
      ? secondTangent
      : 0;
    ints[k + ContactInt.FEATURES + i] = features;
  }
}
