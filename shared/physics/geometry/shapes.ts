/**
 * Writes the shapes that an author declares as rows of numbers (`shape_rows.ts`). Boxes and
 * polygons have planck's order of corners.
 */
import { Corner, ShapeType, ShapeValue } from "../core/shape_rows.ts";
import { cos, sin } from "../core/math.ts";
import { POLYGON_RADIUS } from "../core/tuning.ts";
import type { Shape } from "../core/types.ts";
import { type Hull, hullOf, type Pair } from "./hull.ts";

/** Tolerance for a box's normals, whose corners are rounded. */
const ROUNDING = 1e-9;

/** A capsule, or a box or polygon with a radius. */
export type RoundedShape = Shape & { readonly radius: number };

/** Whether a shape is of the feature `rounded`. */
export function isRounded(shape: Shape): shape is RoundedShape {
  return "radius" in shape && shape.radius !== undefined;
}

/**
 * Writes one row of a shape that is not rounded, or of a rounded one's hull. The shape's numbers must be in the ranges of `Shape`, and a polygon's corners
 * those of `convexCorners`.
 * @param at offset of the row
 */
export function writeShape(shapes: Float64Array, at: number, shape: Shape): void {
  shapes.fill(0, at, at + ShapeValue.STRIDE);
  if ("circle" in shape) return writeCircle(shapes, at, shape.circle, [shape.x ?? 0, shape.y ?? 0]);
  if ("edge" in shape || "capsule" in shape) {
    const [x1, y1, x2, y2] = "edge" in shape ? shape.edge : shape.capsule;
    return writeEdge(shapes, at, [x1, y1], [x2, y2]);
  }
  if ("box" in shape) {
    return writePolygon(
      shapes,
      at,
      boxHull(shape.box, [shape.x ?? 0, shape.y ?? 0], shape.angle ?? 0),
    );
  }
  writePolygon(shapes, at, hullOf(shape.polygon));
}

function writeCircle(shapes: Float64Array, at: number, radius: number, [x, y]: Pair): void {
  shapes[at + ShapeValue.TYPE] = ShapeType.CIRCLE;
  shapes[at + ShapeValue.RADIUS] = radius;
  shapes[at + ShapeValue.CORNER_COUNT] = 1;
  shapes[at + ShapeValue.CENTROID_X] = shapes[at + ShapeValue.CORNERS + Corner.X] = x;
  shapes[at + ShapeValue.CENTROID_Y] = shapes[at + ShapeValue.CORNERS + Corner.Y] = y;
}

function writeEdge(shapes: Float64Array, at: number, [x1, y1]: Pair, [x2, y2]: Pair): void {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const length = Math.sqrt(dx * dx + dy * dy);
  const inverse = length > 0 ? 1 / length : 1;
  const nx = dy * inverse, ny = -(dx * inverse);
  shapes[at + ShapeValue.TYPE] = ShapeType.EDGE;
  writeCorners(shapes, at, { corners: [[x1, y1], [x2, y2]], normals: [[nx, ny], [-nx, -ny]] });
  shapes[at + ShapeValue.CENTROID_X] = 0.5 * x1 + 0.5 * x2;
  shapes[at + ShapeValue.CENTROID_Y] = 0.5 * y1 + 0.5 * y2;
}

function writePolygon(shapes: Float64Array, at: number, hull: Hull): void {
  shapes[at + ShapeValue.TYPE] = ShapeType.POLYGON;
  writeCorners(shapes, at, hull);
  shapes[at + ShapeValue.CENTROID_X] = hull.centroid[0];
  shapes[at + ShapeValue.CENTROID_Y] = hull.centroid[1];
  if (isBox(hull)) writeBox(shapes, at, hull);
}

function writeCorners(
  shapes: Float64Array,
  at: number,
  { corners, normals }: Omit<Hull, "centroid">,
): void {
  shapes[at + ShapeValue.RADIUS] = POLYGON_RADIUS;
  shapes[at + ShapeValue.CORNER_COUNT] = corners.length;
  for (let i = 0, to = at + ShapeValue.CORNERS; i < corners.length; i++, to += Corner.STRIDE) {
    const [x, y] = corners[i]!;
    const [nextX, nextY] = corners[(i + 1) % corners.length]!;
    const dx = nextX - x;
    const dy = nextY - y;
    shapes[to + Corner.X] = x;
    shapes[to + Corner.Y] = y;
    shapes[to + Corner.NORMAL_X] = normals[i]![0];
    shapes[to + Corner.NORMAL_Y] = normals[i]![1];
    shapes[to + Corner.LENGTH] = Math.sqrt(dx * dx + dy * dy);
  }
}

/** @returns planck's `BoxShape` */
function boxHull([halfWidth, halfHeight]: Pair, centroid: Pair, angle: number): Hull {
  const c = cos(angle);
  const s = sin(angle);
  const [x, y] = centroid;
  const corners: readonly Pair[] = [
    [halfWidth, -halfHeight],
    [halfWidth, halfHeight],
    [-halfWidth, halfHeight],
    [-halfWidth, -halfHeight],
  ];
  const normals: readonly Pair[] = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  return {
    corners: corners.map(([u, v]) => [c * u - s * v + x, s * u + c * v + y]),
    normals: normals.map(([u, v]) => [c * u - s * v, s * u + c * v]),
    centroid,
  };
}

function isBox({ corners, normals }: Hull): boolean {
  if (corners.length !== 4) return false;
  const [x, y] = normals[0]!;
  const expected: readonly Pair[] = [[x, y], [-y, x], [-x, -y], [y, -x]];
  return expected.every(([nx, ny], i) =>
    Math.abs(normals[i]![0] - nx) + Math.abs(normals[i]![1] - ny) < ROUNDING
  );
}

function writeBox(shapes: Float64Array, at: number, { corners, normals }: Hull): void {
  const [x, y] = normals[0]!;
  const [first, second, opposite] = corners as [Pair, Pair, Pair];
  const centerX = (first[0] + opposite[0]) / 2;
  const centerY = (first[1] + opposite[1]) / 2;
  shapes[at + ShapeValue.IS_BOX] = 1;
  shapes[at + ShapeValue.BOX_X] = centerX;
  shapes[at + ShapeValue.BOX_Y] = centerY;
  shapes[at + ShapeValue.BOX_AXIS_X] = x;
  shapes[at + ShapeValue.BOX_AXIS_Y] = y;
  shapes[at + ShapeValue.BOX_HALF_SIDES] = x * (first[0] - centerX) + y * (first[1] - centerY);
  shapes[at + ShapeValue.BOX_HALF_SIDES + 1] = -y * (second[0] - centerX) +
    x * (second[1] - centerY);
}
