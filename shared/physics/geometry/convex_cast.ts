/**
 * Casts a convex shape along a segment against any other, without skins. The shape does not turn.
 *
 *     the shape meets the target   ⇔   its place, a point, meets target ⊕ (−shape)
 *
 * The sum of two convex hulls has the edges of both in the order of their angles, and its corners
 * are rounded by the sum of both radii. So the cast of a shape is that of a circle against a hull
 * of at most 24 corners (`circle_cast.ts`), and an overlap is a distance from it
 * (`closest_point.ts`).
 */
import { Body } from "../core/body_rows.ts";
import { Corner, CORNERS_MAX, ShapeType, ShapeValue, skinOf } from "../core/shape_rows.ts";
import { BoxCast, boxCast, smoothNormal } from "./box_cast.ts";
import { castCircle, CircleCast, circleCast } from "./circle_cast.ts";
import { Closest, closestPoint, findClosestPoint } from "./closest_point.ts";

/**
 * Sine of the angle between two edges that count as parallel. Their corners would be so near that
 * the face between them is rounding.
 */
const PARALLEL = 1e-9;
/** As in `circle_cast.ts`. */
const GRAZING_SLOPE = 1e-6;

const scratch = {
  /**
   * The corners of the moving hull, turned and mirrored at its place, counter-clockwise, metres.
   * Written by `setConvex`, read by `setSum`.
   */
  moving: new Float64Array(2 * CORNERS_MAX),
  /** The number of those corners. Written by `setConvex`, read by `setSum`. */
  movingCount: 0,
  /** The moving shape's radius. Written by `setConvex`, read by `setSum`. */
  radius: 0,
  /** The corners of the target, relative to the place. Written and read by `setSum`. */
  target: new Float64Array(2 * CORNERS_MAX),
  /** The row of the sum, relative to the place. Written by `setSum`, read by both queries. */
  sum: new Float64Array(ShapeValue.CORNERS + 2 * CORNERS_MAX * Corner.STRIDE),
};

/** A body at the origin. */
const UNMOVED = new Float64Array(Body.STRIDE);
UNMOVED[Body.COS] = 1;

/**
 * Sets the moving shape: the hull of 2 to `CORNERS_MAX` convex corners around its place, in either
 * order, turned by an angle and rounded by a radius.
 * @returns the farthest corner's distance from the place, metres
 */
export function setConvex(
  corners: readonly (readonly [x: number, y: number])[],
  c: number,
  s: number,
  radius: number,
): number {
  const { moving } = scratch;
  const count = corners.length;
  let twiceArea = 0;
  for (let i = 0; i < count; i++) {
    const [x, y] = corners[i]!;
    const [nextX, nextY] = corners[(i + 1) % count]!;
    twiceArea += x * nextY - nextX * y;
  }

  let farthest = 0;
  for (let i = 0; i < count; i++) {
    const [x, y] = corners[twiceArea < 0 ? count - 1 - i : i]!;
    moving[2 * i] = -(c * x - s * y);
    moving[2 * i + 1] = -(s * x + c * y);
    farthest = Math.max(farthest, Math.sqrt(x * x + y * y));
  }
  scratch.movingCount = count;
  scratch.radius = radius;
  return farthest;
}

/**
 * Whether the shape of `setConvex` hits this shape of that body. The start of its place and its
 * motion are those of `circleCast`, and so is the result.
 * @param a offset of the shape's row in `shapes`
 * @param body offset of the body's row in `bodies`, of which only the transform counts
 */
export function castConvex(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  body: number,
): boolean {
  const x = circleCast[CircleCast.X]!;
  const y = circleCast[CircleCast.Y]!;
  setSum(shapes, a, bodies, body, x, y);
  circleCast[CircleCast.X] = circleCast[CircleCast.Y] = circleCast[CircleCast.RADIUS] = 0;
  const isHit = castCircle(scratch.sum, 0, UNMOVED, 0);
  circleCast[CircleCast.X] = x;
  circleCast[CircleCast.Y] = y;
  if (!isHit) return false;

  // At the end of a chain's segment, a normal that leads into the neighbour
  const isSegment = shapes[a + ShapeValue.TYPE] === ShapeType.EDGE &&
    shapes[a + ShapeValue.NEIGHBOURS] !== 0;
  if (!isSegment) return true;
  boxCast[BoxCast.CENTER_X] = x;
  boxCast[BoxCast.CENTER_Y] = y;
  boxCast[BoxCast.NORMAL_X] = circleCast[CircleCast.NORMAL_X]!;
  boxCast[BoxCast.NORMAL_Y] = circleCast[CircleCast.NORMAL_Y]!;
  if (!smoothNormal(shapes, a, bodies, body)) return true;
  const nx = circleCast[CircleCast.NORMAL_X] = boxCast[BoxCast.NORMAL_X]!;
  const ny = circleCast[CircleCast.NORMAL_Y] = boxCast[BoxCast.NORMAL_Y]!;
  const dx = circleCast[CircleCast.DX]!;
  const dy = circleCast[CircleCast.DY]!;
  return -(nx * dx + ny * dy) > GRAZING_SLOPE * (Math.abs(dx) + Math.abs(dy));
}

/** Whether the shape of `setConvex` overlaps this shape of that body at a place, metres. */
export function overlapsConvex(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  body: number,
  x: number,
  y: number,
): boolean {
  setSum(shapes, a, bodies, body, x, y);
  closestPoint[Closest.FROM_X] = closestPoint[Closest.FROM_Y] = 0;
  findClosestPoint(scratch.sum, 0, UNMOVED, 0);
  return closestPoint[Closest.DISTANCE] === 0;
}

/** Sets `scratch.sum` for a target and a place. */
function setSum(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  body: number,
  x: number,
  y: number,
): void {
  const { moving, movingCount, target, sum } = scratch;
  const targetCount = shapes[a + ShapeValue.CORNER_COUNT]!;
  placeTarget(shapes, a, bodies, body, x, y);

  // The corners of the sum, from the lowest one on
  const movingFirst = lowestOf(moving, movingCount);
  const targetFirst = lowestOf(target, targetCount);
  const movingSides = movingCount > 1 ? movingCount : 0;
  const targetSides = targetCount > 1 ? targetCount : 0;
  let count = 0;
  let i = 0;
  let k = 0;
  while (i < movingSides || k < targetSides) {
    const m = 2 * ((movingFirst + i) % movingCount);
    const t = 2 * ((targetFirst + k) % targetCount);
    const at = ShapeValue.CORNERS + count++ * Corner.STRIDE;
    sum[at + Corner.X] = moving[m]! + target[t]!;
    sum[at + Corner.Y] = moving[m + 1]! + target[t + 1]!;

    const nextM = 2 * ((movingFirst + i + 1) % movingCount);
    const nextT = 2 * ((targetFirst + k + 1) % targetCount);
    const mx = moving[nextM]! - moving[m]!;
    const my = moving[nextM + 1]! - moving[m + 1]!;
    const tx = target[nextT]! - target[t]!;
    const ty = target[nextT + 1]! - target[t + 1]!;
    const cross = mx * ty - my * tx;
    const parallel = PARALLEL * Math.sqrt((mx * mx + my * my) * (tx * tx + ty * ty));
    const hasMoving = i < movingSides;
    const hasTarget = k < targetSides;
    if (hasMoving && (!hasTarget || cross >= -parallel)) i++;
    if (hasTarget && (!hasMoving || cross <= parallel)) k++;
  }

  sum[ShapeValue.TYPE] = ShapeType.ROUNDED;
  sum[ShapeValue.RADIUS] = scratch.radius + shapes[a + ShapeValue.RADIUS]! - skinOf(shapes, a);
  sum[ShapeValue.CORNER_COUNT] = count;
  setFaces(sum, count);
}

/** Sets `scratch.target`. */
function placeTarget(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  body: number,
  x: number,
  y: number,
): void {
  const { target } = scratch;
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  const originX = bodies[body + Body.ORIGIN_X]! - x;
  const originY = bodies[body + Body.ORIGIN_Y]! - y;
  for (let i = 0; i < shapes[a + ShapeValue.CORNER_COUNT]!; i++) {
    const at = a + ShapeValue.CORNERS + i * Corner.STRIDE;
    const localX = shapes[at + Corner.X]!;
    const localY = shapes[at + Corner.Y]!;
    target[2 * i] = c * localX - s * localY + originX;
    target[2 * i + 1] = s * localX + c * localY + originY;
  }
}

/** @returns the index of the lowest corner; of two that are level, the left one's */
function lowestOf(corners: Float64Array, count: number): number {
  let best = 0;
  for (let i = 1; i < count; i++) {
    const y = corners[2 * i + 1]!;
    const lowest = corners[2 * best + 1]!;
    if (y < lowest || y === lowest && corners[2 * i]! < corners[2 * best]!) best = i;
  }
  return best;
}

/** Sets normals and lengths of the faces between the corners of a row. */
function setFaces(row: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const at = ShapeValue.CORNERS + i * Corner.STRIDE;
    const next = ShapeValue.CORNERS + (i + 1) % count * Corner.STRIDE;
    const dx = row[next + Corner.X]! - row[at + Corner.X]!;
    const dy = row[next + Corner.Y]! - row[at + Corner.Y]!;
    const length = Math.sqrt(dx * dx + dy * dy);
    const inverse = length > 0 ? 1 / length : 0;
    row[at + Corner.NORMAL_X] = dy * inverse;
    row[at + Corner.NORMAL_Y] = -dx * inverse;
    row[at + Corner.LENGTH] = length;
  }
}
