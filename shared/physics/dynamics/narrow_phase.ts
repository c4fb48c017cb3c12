/** Narrow phase: whether a contact touches, and where. Points that persist keep their impulses. */
import * as bodyLayout from "../core/body_rows.ts";
import * as contactLayout from "../core/contact_rows.ts";
import * as fixtureLayout from "../core/fixture_rows.ts";
import * as shapeLayout from "../core/shape_rows.ts";
import { collide } from "../geometry/collide.ts";
import { collision } from "../geometry/collision.ts";
import { overlaps as shapesOverlap } from "../geometry/distance.ts";
import type { World } from "./world.ts";

const { BODY_STRIDE } = bodyLayout;
const { FIXTURE_INTS, FIXTURE_SHAPE } = fixtureLayout;
const { EDGE, NEIGHBOURS, SHAPE_TYPE } = shapeLayout;
const { CONTACT_VALUES, CONTACT_INTS, CONTACT_FLAGS, POINT_COUNT, MANIFOLD_TYPE, FEATURES } =
  contactLayout;
const { FIXTURE_A, FIXTURE_B, CONTACT_BODY_A, CONTACT_BODY_B, TOUCHING, OF_SENSOR } = contactLayout;
const { LOCAL_NORMAL_X, LOCAL_NORMAL_Y, LOCAL_POINT_X, LOCAL_POINT_Y } = contactLayout;
const { MANIFOLD_POINTS, MANIFOLD_POINT_STRIDE, POINT_LOCAL_X, POINT_LOCAL_Y } = contactLayout;
const { NORMAL_IMPULSE, TANGENT_IMPULSE } = contactLayout;

/**
 * Computes touching and manifold from the poses. If touching changes, both bodies wake up, but not
 * for a sensor.
 * @returns whether the contact begins to touch
 */
export function updateContact(world: World, contact: number): boolean {
  const { ints } = world.contacts;
  const k = contact * CONTACT_INTS;
  const flags = ints[k + CONTACT_FLAGS]!;
  const wasTouching = (flags & TOUCHING) !== 0;
  const isSensor = (flags & OF_SENSOR) !== 0;
  const isTouching = isSensor ? overlapsSensor(world, k) : evaluate(world, k);
  if (!isSensor) updateManifold(world, contact);
  if (isTouching === wasTouching) return false;
  ints[k + CONTACT_FLAGS] = flags ^ TOUCHING;
  if (!isSensor) {
    world.wake(ints[k + CONTACT_BODY_A]!);
    world.wake(ints[k + CONTACT_BODY_B]!);
  }
  return isTouching;
}

/**
 * Whether the shapes of a contact overlap at their present poses, skins included. Not for sensors.
 */
export function overlaps(world: World, contact: number): boolean {
  return evaluate(world, contact * CONTACT_INTS);
}

/**
 * Computes `collision` from the present poses.
 * @param k offset of the contact in `ints`
 * @returns whether they touch
 */
function evaluate(
  { contacts: { ints }, bodies, fixtures, shapes, segments }: World,
  k: number,
): boolean {
  const a = fixtures.ints[ints[k + FIXTURE_A]! * FIXTURE_INTS + FIXTURE_SHAPE]!;
  const b = fixtures.ints[ints[k + FIXTURE_B]! * FIXTURE_INTS + FIXTURE_SHAPE]!;
  const bodyA = ints[k + CONTACT_BODY_A]! * BODY_STRIDE;
  const bodyB = ints[k + CONTACT_BODY_B]! * BODY_STRIDE;
  if (segments !== undefined && shapes[a + SHAPE_TYPE] === EDGE && shapes[a + NEIGHBOURS] !== 0) {
    segments.collide(shapes, a, bodies.values, bodyA, b, bodyB);
  } else {
    collide(shapes, a, bodies.values, bodyA, b, bodyB);
  }
  return collision.ints[POINT_COUNT]! > 0;
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
    fixtures.ints[ints[k + FIXTURE_A]! * FIXTURE_INTS + FIXTURE_SHAPE]!,
    bodies.values,
    ints[k + CONTACT_BODY_A]! * BODY_STRIDE,
    fixtures.ints[ints[k + FIXTURE_B]! * FIXTURE_INTS + FIXTURE_SHAPE]!,
    ints[k + CONTACT_BODY_B]! * BODY_STRIDE,
  );
}

/**
 * Copies `collision` into the contact. A point keeps its impulses if its features match; others
 * begin at 0.
 */
function updateManifold({ contacts: { values, ints } }: World, contact: number): void {
  const { values: newValues, ints: newInts } = collision;
  const v = contact * CONTACT_VALUES;
  const k = contact * CONTACT_INTS;
  const oldCount = ints[k + POINT_COUNT]!;
  const count = newInts[POINT_COUNT]!;
  const first = v + MANIFOLD_POINTS;
  const second = first + MANIFOLD_POINT_STRIDE;

  // The old points
  const firstFeatures = ints[k + FEATURES]!;
  const secondFeatures = ints[k + FEATURES + 1]!;
  const firstNormal = values[first + NORMAL_IMPULSE]!;
  const firstTangent = values[first + TANGENT_IMPULSE]!;
  const secondNormal = values[second + NORMAL_IMPULSE]!;
  const secondTangent = values[second + TANGENT_IMPULSE]!;

  // The new manifold, if there is one
  ints[k + POINT_COUNT] = count;
  if (count === 0) return;
  ints[k + MANIFOLD_TYPE] = newInts[MANIFOLD_TYPE]!;
  values[v + LOCAL_NORMAL_X] = newValues[LOCAL_NORMAL_X]!;
  values[v + LOCAL_NORMAL_Y] = newValues[LOCAL_NORMAL_Y]!;
  values[v + LOCAL_POINT_X] = newValues[LOCAL_POINT_X]!;
  values[v + LOCAL_POINT_Y] = newValues[LOCAL_POINT_Y]!;

  // Its points
  for (let i = 0, p = MANIFOLD_POINTS; i < count; i++, p += MANIFOLD_POINT_STRIDE) {
    const features = newInts[FEATURES + i]!;
    values[v + p + POINT_LOCAL_X] = newValues[p + POINT_LOCAL_X]!;
    values[v + p + POINT_LOCAL_Y] = newValues[p + POINT_LOCAL_Y]!;

    const isFirst = oldCount > 0 && features === firstFeatures;
    const isSecond = oldCount > 1 && features === secondFeatures;
    // Not as an `if`, with which a step of a pyramid takes 2 % longer.
    values[v + p + NORMAL_IMPULSE] = isFirst ? firstNormal : isSecond ? secondNormal : 0;
    values[v + p + TANGENT_IMPULSE] = isFirst ? firstTangent : isSecond ? secondTangent : 0;
    ints[k + FEATURES + i] = features;
  }
}
