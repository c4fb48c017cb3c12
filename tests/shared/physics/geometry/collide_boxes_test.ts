/** The manifold of two boxes, compared with the function for polygons, which has planck's bits. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { BODY_A, BODY_B, pairOf, randomShape, SHAPE_A, SHAPE_B } from "./planck_reference.ts";
import { Contact, ContactInt, ContactPoint } from "../../../../shared/physics/core/contact_rows.ts";
import { collide } from "../../../../shared/physics/geometry/collide.ts";
import { collideBoxes } from "../../../../shared/physics/geometry/collide_boxes.ts";
import { collidePolygons } from "../../../../shared/physics/geometry/collide_polygons.ts";
import { collision } from "../../../../shared/physics/geometry/collision.ts";
import { Random } from "../../../../shared/random.ts";

/** The parts of `collision` to compare, with its points in the order of their features. */
function partsOf(): { readonly types: readonly number[]; readonly places: readonly number[] } {
  const { values, ints } = collision;
  const count = ints[ContactInt.POINT_COUNT]!;
  if (count === 0) return { types: [0], places: [] };
  const points = [];
  for (let i = 0, at = Contact.POINTS; i < count; i++, at += ContactPoint.STRIDE) {
    points.push(
      [
        ints[ContactInt.FEATURES + i]!,
        values[at + ContactPoint.LOCAL_X]!,
        values[at + ContactPoint.LOCAL_Y]!,
      ] as const,
    );
  }
  points.sort(([a], [b]) => a - b);
  return {
    types: [count, ints[ContactInt.MANIFOLD_TYPE]!, ...points.map(([features]) => features)],
    places: [...values.subarray(0, Contact.POINTS), ...points.flatMap(([, x, y]) => [x, y])],
  };
}

Deno.test("collideBoxes: finds the faces, features and points of collidePolygons (SPEC 9.13)", () => {
  const random = new Random(5);
  const seen = [0, 0, 0];
  const types = [0, 0, 0];

  // Every third one is upright: two upright boxes have equally good faces and parallel edges.
  const pose = (reach: number) => ({
    x: random.fraction() * reach,
    y: random.fraction() * reach,
    angle: random.below(3) === 0 ? 0 : random.fraction() * 7,
  });

  for (let i = 0; i < 50_000; i++) {
    const side = () => 0.1 + random.fraction();
    const place = () => random.fraction() - 0.5;
    const box = () => ({
      box: [side(), side()] as const,
      x: place(),
      y: place(),
      angle: random.fraction() * 7,
    });
    const { shapes, bodies } = pairOf(box(), pose(1), box(), pose(2));
    collidePolygons(shapes, SHAPE_A, bodies, BODY_A, SHAPE_B, BODY_B);
    const expected = partsOf();
    collideBoxes(shapes, SHAPE_A, bodies, BODY_A, SHAPE_B, BODY_B);
    const ours = partsOf();
    assertEquals(ours.types, expected.types, `pair ${i}`);
    ours.places.forEach((place, k) =>
      assertAlmostEquals(place, expected.places[k]!, 1e-12, `pair ${i}`)
    );
    seen[ours.types[0]!]!++;
    types[ours.types[1] ?? 0]!++;
  }

  assert(seen.every((count) => count > 5_000), `no, one, two points: ${seen}`);
  assert(types[1]! > 10_000 && types[2]! > 10_000, `faces of A, of B: ${types}`);
});

Deno.test("collide: two boxes have the function for boxes, and a box and another polygon that for polygons", () => {
  const random = new Random(6);
  for (let i = 0; i < 3000; i++) {
    const other = i % 2 === 0
      ? randomShape(random, "box")
      : { polygon: [[0, 0], [1, 0], [0.2, 0.9]] } as const;
    const turned = { x: random.fraction(), y: random.fraction(), angle: random.fraction() };
    const { shapes, bodies } = pairOf(
      randomShape(random, "box"),
      { x: 0, y: 0, angle: 1 },
      other,
      turned,
    );
    (i % 2 === 0 ? collideBoxes : collidePolygons)(
      shapes,
      SHAPE_A,
      bodies,
      BODY_A,
      SHAPE_B,
      BODY_B,
    );
    const expected = partsOf();
    collision.ints.fill(0);
    collide(shapes, SHAPE_A, bodies, BODY_A, SHAPE_B, BODY_B);
    assertEquals(partsOf(), expected, `pair ${i}`);
  }
});
