/** The manifolds of all pairs of shapes, compared bit by bit with planck's own functions. */
import { assert, assertEquals, assertGreater } from "@std/assert";
import {
  BODY_A,
  BODY_B,
  type Pair,
  planck,
  randomPair,
  rowsOf,
  SHAPE_A,
  SHAPE_B,
} from "./planck_reference.ts";
import { assertSameBits, pairOf, planckShape, type ShapeType, within } from "./planck_reference.ts";
import { numbersOf, ourNumbers } from "./manifold_numbers.ts";
import { ShapeValue } from "../../../../shared/physics/core/shape_rows.ts";
import type { Shape } from "../../../../shared/physics/core/types.ts";
import { canTouch, collide, mustSwap } from "../../../../shared/physics/geometry/collide.ts";
import { collidePolygons } from "../../../../shared/physics/geometry/collide_polygons.ts";
import { Random } from "../../../../shared/random.ts";

/** planck's function for a pair of types; the shapes must be of these types. */
type PlanckCollide = (
  into: planck.Manifold,
  a: never,
  from: planck.Transform,
  b: never,
  to: planck.Transform,
) => void;

const TRIES = 24_000;

/**
 * Compares many pairs.
 * @returns how often each number of points, and each type of manifold, was found
 */
function compare(typeA: ShapeType, typeB: ShapeType, byPlanck: PlanckCollide, ours = collide) {
  const random = new Random(typeA.length * 100 + typeB.length);
  const counts = [0, 0, 0];
  const types = [0, 0, 0];
  for (let turn = 0; turn < TRIES; turn++) {
    const { shapes, bodies, a, b, from, to }: Pair = randomPair(random, typeA, typeB, turn);
    const theirs = new planck.Manifold();
    byPlanck(theirs, a as never, from, b as never, to);
    ours(shapes, SHAPE_A, bodies, BODY_A, SHAPE_B, BODY_B);
    assertSameBits(ourNumbers(), numbersOf(theirs), `${typeA} and ${typeB}, pair ${turn}`);
    counts[theirs.pointCount]!++;
    if (theirs.pointCount > 0) types[theirs.type]!++;
  }
  return { counts, types };
}

Deno.test("collide: two circles have planck's manifold", () => {
  const { counts } = compare("circle", "circle", planck.CollideCircles);
  assert(counts[0]! > 4000 && counts[1]! > 4000, `no point, one point: ${counts}`);
});

Deno.test("collide: a polygon and a circle have planck's manifold", () => {
  for (const type of ["polygon", "box"] as const) {
    const { counts } = compare(type, "circle", planck.CollidePolygonCircle);
    assert(counts[0]! > 4000 && counts[1]! > 4000, `no point, one point: ${counts}`);
  }
});

Deno.test("collide: an edge and a circle have planck's manifold, at its face and at both ends", () => {
  const { counts, types } = compare("edge", "circle", planck.CollideEdgeCircle);
  assert(counts[0]! > 4000 && counts[1]! > 4000, `no point, one point: ${counts}`);
  assert(types[0]! > 2000 && types[1]! > 2000, `ends, faces: ${types}`);
});

Deno.test("collide: an edge and a polygon have planck's manifold", () => {
  for (const type of ["polygon", "box"] as const) {
    const { counts, types } = compare("edge", type, planck.CollideEdgePolygon);
    assert(counts.every((count) => count > 800), `no, one, two points: ${counts}`);
    assert(types[1]! > 1000 && types[2]! > 1000, `faces of the edge, of the polygon: ${types}`);
  }
});

/** Every fourth random polygon is a box, and two boxes have a function of their own. */
const collideAsPolygons: typeof collide = (shapes, a, bodies, bodyA, b, bodyB) => {
  const areBoxes = shapes[a + ShapeValue.IS_BOX] === 1 && shapes[b + ShapeValue.IS_BOX] === 1;
  (areBoxes ? collidePolygons : collide)(shapes, a, bodies, bodyA, b, bodyB);
};

Deno.test("collide: two polygons of which one is no box have planck's manifold (SPEC 9.13)", () => {
  for (const type of ["polygon", "box"] as const) {
    const { counts, types } = compare(type, "polygon", planck.CollidePolygons, collideAsPolygons);
    assert(counts.every((count) => count > 800), `no, one, two points: ${counts}`);
    assert(types[1]! > 1000 && types[2]! > 1000, `faces of A, of B: ${types}`);
  }
});

Deno.test("collide: two wedges tip to tip have planck's manifold, and none if a gap is left that no face sees", () => {
  const random = new Random(7);
  const wedge: Shape = { polygon: [[0, 0], [1, -0.1], [1, 0.1]] };
  const seen = { gaps: 0, points: 0 };

  for (let i = 0; i < 20_000; i++) {
    const place = {
      x: within(random, 0.1),
      y: within(random, 0.02),
      angle: Math.PI + within(random, 0.2),
    };
    const { shapes, bodies, a, b, from, to } = pairOf(
      wedge,
      { x: 0, y: 0, angle: 0 },
      wedge,
      place,
    );
    const theirs = new planck.Manifold();
    planck.CollidePolygons(theirs, a as never, from, b as never, to);
    collide(shapes, SHAPE_A, bodies, BODY_A, SHAPE_B, BODY_B);
    assertSameBits(ourNumbers(), numbersOf(theirs), `wedges ${i}`);
    seen[theirs.pointCount > 0 ? "points" : "gaps"]++;
  }

  assert(seen.gaps > 5000 && seen.points > 5000, JSON.stringify(seen));
});

/** planck's own choice of A and B. */
interface ContactFactory {
  create(
    a: planck.Fixture,
    childA: number,
    b: planck.Fixture,
    childB: number,
  ): planck.Contact | null;
}

Deno.test("mustSwap, canTouch: planck makes the same pairs, in the same order", () => {
  const shapes: readonly Shape[] = [{ circle: 1 }, { edge: [0, 0, 1, 0] }, {
    polygon: [[0, 0], [1, 0], [0, 1]],
  }, {
    box: [1, 1],
  }];
  const seen = { swapped: 0, kept: 0, none: 0 };

  for (const a of shapes) {
    for (const b of shapes) {
      const world = new planck.World();
      const rows = rowsOf(a, b);
      const [first, second] = [a, b].map((shape) =>
        world.createBody().createFixture(planckShape(shape))
      );
      const contact = (planck.Contact as unknown as ContactFactory).create(first!, 0, second!, 0);
      const what = `${JSON.stringify(a)} and ${JSON.stringify(b)}`;
      assertEquals(canTouch(rows, SHAPE_A, SHAPE_B), contact !== null, what);
      if (contact !== null) {
        assertEquals(mustSwap(rows, SHAPE_A, SHAPE_B), contact.getFixtureA() === second, what);
      }
      seen[contact === null ? "none" : contact.getFixtureA() === first ? "kept" : "swapped"]++;
    }
  }

  assert(seen.swapped === 5 && seen.kept === 10 && seen.none === 1, JSON.stringify(seen));
  assertGreater(shapes.length, 3);
});
