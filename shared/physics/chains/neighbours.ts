/**
 * Circles at the ends of a chain's segments: an end does not count for a circle that is nearer to
 * the neighbour.
 */
import { Body } from "../core/body_rows.ts";
import { Corner, Neighbour, ShapeType, ShapeValue } from "../core/shape_rows.ts";
import { CircleCast, circleCast } from "../geometry/circle_cast.ts";

/**
 * Whether a point is past an end of a chain's segment, but not past the neighbour's end there. So
 * it is nearer to the neighbour. The order of operations is planck's. False for an edge without
 * neighbours.
 * @param a offset of an edge's row; the point is in its body's frame
 */
export function isNearerToNeighbour(
  shapes: Float64Array,
  a: number,
  x: number,
  y: number,
): boolean {
  const start = a + ShapeValue.CORNERS;
  const end = start + Corner.STRIDE;
  const neighbours = shapes[a + ShapeValue.NEIGHBOURS]!;
  if (isPast(shapes, end, start, x, y)) {
    return (neighbours & Neighbour.BEFORE) !== 0 &&
      !isPast(shapes, a + ShapeValue.BEFORE_START, start, x, y);
  }
  return (neighbours & Neighbour.AFTER) !== 0 && isPast(shapes, start, end, x, y) &&
    !isPast(shapes, a + ShapeValue.AFTER_END, end, x, y);
}

/**
 * Whether a point is past the end of a segment.
 * @param from offset of the corner at the other end
 */
function isPast(shapes: Float64Array, from: number, end: number, x: number, y: number): boolean {
  const endX = shapes[end + Corner.X]!, endY = shapes[end + Corner.Y]!;
  const dx = endX - shapes[from + Corner.X]!, dy = endY - shapes[from + Corner.Y]!;
  return dx * endX + dy * endY - (dx * x + dy * y) <= 0;
}

/**
 * As `SegmentGeometry` has it. A hit on the face itself counts: its ends overlap those of the
 * neighbours.
 */
export function isGhostHit(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  body: number,
): boolean {
  if (shapes[a + ShapeValue.TYPE] !== ShapeType.EDGE || shapes[a + ShapeValue.NEIGHBOURS] === 0) {
    return false;
  }
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  const hit = circleCast[CircleCast.FRACTION]!;
  for (let face = a + ShapeValue.CORNERS, i = 0; i < 2; face += Corner.STRIDE, i++) {
    const nx = shapes[face + Corner.NORMAL_X]!, ny = shapes[face + Corner.NORMAL_Y]!;
    // The cast rotates a face's normal in the same way, so that the bits are equal.
    const isFace = circleCast[CircleCast.NORMAL_X] === c * nx - s * ny &&
      circleCast[CircleCast.NORMAL_Y] === s * nx + c * ny;
    if (isFace) return false;
  }
  const x = circleCast[CircleCast.X]! + hit * circleCast[CircleCast.DX]! -
    bodies[body + Body.ORIGIN_X]!;
  const y = circleCast[CircleCast.Y]! + hit * circleCast[CircleCast.DY]! -
    bodies[body + Body.ORIGIN_Y]!;
  return isNearerToNeighbour(shapes, a, c * x + s * y, c * y - s * x);
}
