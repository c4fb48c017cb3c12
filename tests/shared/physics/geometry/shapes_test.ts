/** The rows of shapes, compared bit by bit with planck's shapes. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { assertSameBits, planck, planckShape, randomShape, rowsOf } from "./planck_reference.ts";
import { Corner, ShapeType, ShapeValue } from "../../../../shared/physics/core/shape_rows.ts";
import { writeShape } from "../../../../shared/physics/geometry/shapes.ts";
import { Random } from "../../../../shared/random.ts";

const TYPES = {
  circle: ShapeType.CIRCLE,
  edge: ShapeType.EDGE,
  polygon: ShapeType.POLYGON,
} as const;

/** Some numbers of every corner of the row, one corner after the other. */
function cornersOf(row: Float64Array, parts: readonly number[]): readonly number[] {
  return Array.from(
    { length: row[ShapeValue.CORNER_COUNT]! },
    (_, i) => parts.map((part) => row[ShapeValue.CORNERS + i * Corner.STRIDE + part]!),
  )
    .flat();
}

/**
 * Corners and normals of planck's shape. An edge's normals are those with which planck tests
 * circles.
 */
function numbersOf(shape: planck.Shape): readonly number[] {
  if (shape instanceof planck.Circle) return [shape.m_p.x, shape.m_p.y, 0, 0];
  if (shape instanceof planck.Polygon) {
    return shape.m_vertices.flatMap((
      { x, y },
      i,
    ) => [x, y, shape.m_normals[i]!.x, shape.m_normals[i]!.y]);
  }
  const { m_vertex1: from, m_vertex2: to } = shape as planck.Edge;
  const normal = planck.Vec2(to.y - from.y, -(to.x - from.x));
  const length = Math.sqrt(normal.x * normal.x + normal.y * normal.y);
  const x = normal.x * (1 / length);
  const y = normal.y * (1 / length);
  return [from.x, from.y, x, y, to.x, to.y, -x, -y];
}

Deno.test("writeShape: type, radius, corners and normals are those of planck's shape", () => {
  const random = new Random(1);
  for (const type of ["circle", "edge", "box", "polygon"] as const) {
    for (let i = 0; i < 3000; i++) {
      const shape = randomShape(random, type);
      const row = rowsOf(shape);
      const expected = planckShape(shape);
      const what = JSON.stringify(shape);
      const numbers = cornersOf(row, [Corner.X, Corner.Y, Corner.NORMAL_X, Corner.NORMAL_Y]);
      assertEquals([row[ShapeValue.TYPE], row[ShapeValue.RADIUS]], [
        TYPES[expected.getType() as "edge"],
        expected.getRadius(),
      ], what);
      assertSameBits(numbers, numbersOf(expected), what);
      if (!(expected instanceof planck.Polygon)) continue;
      const { x, y } = expected.m_centroid;
      assertSameBits([row[ShapeValue.CENTROID_X]!, row[ShapeValue.CENTROID_Y]!], [x, y], what);
    }
  }
});

Deno.test("writeShape: a face has the length of its edge, and an edge and a circle have their middle as centroid", () => {
  const box = rowsOf({ box: [0.5, 1.5], angle: 0.7 });
  cornersOf(box, [Corner.LENGTH]).forEach((length, i) =>
    assertAlmostEquals(length, [3, 1, 3, 1][i]!, 1e-12)
  );
  const edge = rowsOf({ edge: [1, 2, 4, 6] });
  assertEquals(cornersOf(edge, [Corner.LENGTH]), [5, 5]);
  assertEquals([edge[ShapeValue.CENTROID_X], edge[ShapeValue.CENTROID_Y]], [2.5, 4]);
  const circle = rowsOf({ circle: 1, x: 3, y: -2 });
  assertEquals([circle[ShapeValue.CENTROID_X], circle[ShapeValue.CENTROID_Y]], [3, -2]);
});

Deno.test("writeShape: a polygon with four right angles is a box, and no other one", () => {
  const row = rowsOf({ box: [2, 0.1], x: 0.5, y: -0.25, angle: 0.3 });
  assertEquals(row[ShapeValue.IS_BOX], 1);
  [[ShapeValue.BOX_X, 0.5], [ShapeValue.BOX_Y, -0.25], [ShapeValue.BOX_AXIS_X, Math.cos(0.3)], [
    ShapeValue.BOX_AXIS_Y,
    Math.sin(0.3),
  ]].forEach((
    [at, value],
  ) => assertAlmostEquals(row[at!]!, value!, 1e-12));
  assertAlmostEquals(row[ShapeValue.BOX_HALF_SIDES]!, 2, 1e-12);
  assertAlmostEquals(row[ShapeValue.BOX_HALF_SIDES + 1]!, 0.1, 1e-12);
  const isBox = (...polygon: readonly (readonly [number, number])[]) =>
    rowsOf({ polygon })[ShapeValue.IS_BOX] === 1;
  assert(isBox([0, 0], [3, 0], [3, 1], [0, 1]));
  assert(!isBox([0, 0], [3, 0], [3.01, 1], [0, 1]));
  assert(!isBox([0, 0], [3, 0], [3.5, 1], [0.5, 1]));
  assert(!isBox([0, 0], [3, 0], [0, 1]));
});

Deno.test("writeShape: a row that had another shape keeps nothing of it", () => {
  const row = rowsOf({ box: [1, 1] });
  writeShape(row, 0, { circle: 0.5 });
  assertEquals(row, rowsOf({ circle: 0.5 }));
  assertEquals(row.length, ShapeValue.STRIDE);
});
