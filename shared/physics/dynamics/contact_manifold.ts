/**
 * The manifold of a contact in the world. Both functions set the scratch `worldManifold`; not for
 * sensors.
 */
import { Body } from "../core/body_rows.ts";
import { Contact, ContactInt } from "../core/contact_rows.ts";
import { FixtureInt } from "../core/fixture_rows.ts";
import { computeWorldManifold, computeWorldNormal } from "../geometry/world_manifold.ts";
import type { World } from "./world.ts";

/** Sets the unit normal from body A to B alone. */
export function computeContactNormal(
  { contacts: { values, ints }, bodies }: World,
  contact: number,
): void {
  const k = contact * ContactInt.STRIDE;
  const a = ints[k + ContactInt.BODY_A]! * Body.STRIDE;
  const b = ints[k + ContactInt.BODY_B]! * Body.STRIDE;
  computeWorldNormal(values, contact * Contact.STRIDE, ints, k, bodies.values, a, b);
}

/** Sets the normal, the points and their separations. */
export function computeContactManifold(world: World, contact: number): void {
  const { contacts: { values, ints }, bodies, fixtures, shapes } = world;
  const k = contact * ContactInt.STRIDE;
  const a = ints[k + ContactInt.BODY_A]! * Body.STRIDE;
  const b = ints[k + ContactInt.BODY_B]! * Body.STRIDE;
  const shapeA = fixtures
    .ints[ints[k + ContactInt.FIXTURE_A]! * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
  const shapeB = fixtures
    .ints[ints[k + ContactInt.FIXTURE_B]! * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
  computeWorldManifold(
    values,
    contact * Contact.STRIDE,
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
