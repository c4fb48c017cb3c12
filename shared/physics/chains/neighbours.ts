/**
 * Circles at the ends of a chain's segments: an end does not count for a circle that is nearer to
 * the neighbour.
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as shapeLayout from "../core/shape_rows.ts";
import * as castLayout from "../geometry/circle_cast.ts";
import { circleCast } from "../geometry/circle_cast.ts";

const { COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;
const {
  SHAPE_TYPE,
  EDGE,
  NEIGHBOURS,
  BEFORE,
  AFTER,
  BEFORE_START,
  AFTER_END,
  CORNERS,
  CORNER_STRIDE,
} = shapeLayout;
const { CORNER_X, CORNER_Y, FACE_NORMAL_X, FACE_NORMAL_Y } = shapeLayout;
const { CAST_X, CAST_Y, CAST_DX, CAST_DY, CAST_FRACTION, CAST_NORMAL_X, CAST_NORMAL_Y } =
  castLayout;

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
  const start = a + CORNERS;
  const end = start + CORNER_STRIDE;
  const neighbours = shapes[a + NEIGHBOURS]!;
  if (isPast(shapes, end, start, x, y)) {
    return (neighbours & BEFORE) !== 0 && !isPast(shapes, a + BEFORE_START, start, x, y);
  }
  return (neighbours & AFTER) !== 0 && isPast(shapes, start, end, x, y) &&
    !isPast(shapes, a + AFTER_END, end, x, y);
}

/**
 * Whether a point is past the end of a segment.
 * @param from offset of the corner at the other end
 */
function isPast(shapes: Float64Array, from: number, end: number, x: number, y: number): boolean {
  const endX = shapes[end + CORNER_X]!, endY = shapes[end + CORNER_Y]!;
  const dx = endX - shapes[from + CORNER_X]!, dy = endY - shapes[from + CORNER_Y]!;
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
  if (shapes[a + SHAPE_TYPE] !== EDGE || shapes[a + NEIGHBOURS] === 0) return false;
  const c = bodies[body + COS]!;
  const s = bodies[body + SIN]!;
  const hit = circleCast[CAST_FRACTION]!;
  for (let face = a + CORNERS, i = 0; i < 2; face += CORNER_STRIDE, i++) {
    const nx = shapes[face + FACE_NORMAL_X]!, ny = shapes[face + FACE_NORMAL_Y]!;
    // The cast rotates a face's normal in the same way, so that the bits are equal.
    const isFace = circleCast[CAST_NORMAL_X] === c * nx - s * ny &&
      circleCast[CAST_NORMAL_Y] === s * nx + c * ny;
    if (isFace) return false;
  }
  const x = circleCast[CAST_X]! + hit * circleCast[CAST_DX]! - bodies[body + ORIGIN_X]!;
  const y = circleCast[CAST_Y]! + hit * circleCast[CAST_DY]! - bodies[body + ORIGIN_Y]!;
  return isNearerToNeighbour(shapes, a, c * x + s * y, c * y - s * x);
}
