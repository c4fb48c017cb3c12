/**
 * The manifold of a contact in the world. Both functions set the scratch `worldManifold`; not for
 * sensors.
 */
import { BODY_STRIDE } from "../core/body_rows.ts";
import {
  CONTACT_BODY_A,
  CONTACT_BODY_B,
  CONTACT_INTS,
  CONTACT_VALUES,
  FIXTURE_A,
  FIXTURE_B,
} from "../core/contact_rows.ts";
import { FIXTURE_INTS, FIXTURE_SHAPE } from "../core/fixture_rows.ts";
import { computeWorldManifold, computeWorldNormal } from "../geometry/world_manifold.ts";
import type { World } from "./world.ts";

/** Sets the unit normal from body A to B alone. */
export function computeContactNormal(
  { contacts: { values, ints }, bodies }: World,
  contact: number,
): void {
  const k = contact * CONTACT_INTS;
  const a = ints[k + CONTACT_BODY_A]! * BODY_STRIDE;
  const b = ints[k + CONTACT_BODY_B]! * BODY_STRIDE;
  computeWorldNormal(values, contact * CONTACT_VALUES, ints, k, bodies.values, a, b);
}

/** Sets the normal, the points and their separations. */
export function computeContactManifold(world: World, contact: number): void {
  const { contacts: { values, ints }, bodies, fixtures, shapes } = world;
  const k = contact * CONTACT_INTS;
  const a = ints[k + CONTACT_BODY_A]! * BODY_STRIDE;
  const b = ints[k + CONTACT_BODY_B]! * BODY_STRIDE;
  const shapeA = fixtures.ints[ints[k + FIXTURE_A]! * FIXTURE_INTS + FIXTURE_SHAPE]!;
  const shapeB = fixtures.ints[ints[k + FIXTURE_B]! * FIXTURE_INTS + FIXTURE_SHAPE]!;
  computeWorldManifold(
    values,
    contact * CONTACT_VALUES,
    ints,
    k,
    bodies.values,
    a,
    b,
    shapes,
    shapeA,
    shapeB,
  );
}
