/**
 * The point of a shape that is nearest to a given point. Skins do not count: a circle has its
 * radius, and all other shapes are their hulls.
 *
 * Outside a convex hull, the face with the largest separation has the nearest point: between its
 * ends, or at one of them (Ericson, "Real-Time Collision Detection", 5.1).
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as shapeLayout from "../core/shape_rows.ts";

const { COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;
const { SHAPE_TYPE, CIRCLE, RADIUS, CORNER_COUNT, CORNERS, CORNER_STRIDE } = shapeLayout;
const { CORNER_X, CORNER_Y, FACE_NORMAL_X, FACE_NORMAL_Y, FACE_LENGTH } = shapeLayout;

/** Scratch: argument and result of `findClosestPoint`, in the world, metres. */
export const closestPoint = new Float64Array(5);
/** The argument: the given point. */
export const FROM_X = 0, FROM_Y = 1;
/**
 * The result: the nearest point of the shape, and its distance; 0 and the given point itself if
 * that is inside.
 */
export const CLOSEST_X = 2;
export const CLOSEST_Y = 3;
export const CLOSEST_DISTANCE = 4;

/**
 * Sets the result in `closestPoint`.
 * @param a offset of the shape's row in `shapes`
 * @param body offset of the body's row in `bodies`, of which only the transform counts
 */
export function findClosestPoint(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  body: number,
): void {
  const c = bodies[body + COS]!;
  const s = bodies[body + SIN]!;
  const originX = bodies[body + ORIGIN_X]!;
  const originY = bodies[body + ORIGIN_Y]!;
  const dx = closestPoint[FROM_X]! - originX;
  const dy = closestPoint[FROM_Y]! - originY;
  const x = c * dx + s * dy, y = c * dy - s * dx;
  if (shapes[a + SHAPE_TYPE] === CIRCLE) setOnCircle(shapes, a, x, y);
  else setOnHull(shapes, a, x, y);
  const localX = closestPoint[CLOSEST_X]!, localY = closestPoint[CLOSEST_Y]!;
  if (closestPoint[CLOSEST_DISTANCE] === 0) {
    closestPoint[CLOSEST_X] = closestPoint[FROM_X]!;
    closestPoint[CLOSEST_Y] = closestPoint[FROM_Y]!;
    return;
  }
  closestPoint[CLOSEST_X] = c * localX - s * localY + originX;
  closestPoint[CLOSEST_Y] = s * localX + c * localY + originY;
}

function setOnCircle(shapes: Float64Array, a: number, x: number, y: number): void {
  const centerX = shapes[a + CORNERS + CORNER_X]!;
  const centerY = shapes[a + CORNERS + CORNER_Y]!;
  const dx = x - centerX;
  const dy = y - centerY;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const radius = shapes[a + RADIUS]!;
  const share = distance > radius ? radius / distance : 1;
  setLocal(centerX + share * dx, centerY + share * dy, Math.max(0, distance - radius));
}

function setOnHull(shapes: Float64Array, a: number, x: number, y: number): void {
  // The face in front of which the point is farthest
  const end = a + CORNERS + shapes[a + CORNER_COUNT]! * CORNER_STRIDE;
  let maxSeparation = -Infinity;
  let face = a + CORNERS;
  for (let each = a + CORNERS; each < end; each += CORNER_STRIDE) {
    const toX = x - shapes[each + CORNER_X]!, toY = y - shapes[each + CORNER_Y]!;
    const separation = shapes[each + FACE_NORMAL_X]! * toX + shapes[each + FACE_NORMAL_Y]! * toY;
    if (separation <= maxSeparation) continue;
    maxSeparation = separation;
    face = each;
  }

  // The point's nearest place on that face
  const nx = shapes[face + FACE_NORMAL_X]!, ny = shapes[face + FACE_NORMAL_Y]!;
  const cornerX = shapes[face + CORNER_X]!, cornerY = shapes[face + CORNER_Y]!;
  const along = nx * (y - cornerY) - ny * (x - cornerX);
  const length = shapes[face + FACE_LENGTH]!;
  const at = Math.min(Math.max(along, 0), length);
  const nearX = cornerX - at * ny;
  const nearY = cornerY + at * nx;
  const dx = x - nearX;
  const dy = y - nearY;

  // An edge has no inside: its two faces have separations of opposite signs.
  const isInside = maxSeparation < 0 || maxSeparation === 0 && at === along;
  setLocal(nearX, nearY, isInside ? 0 : Math.sqrt(dx * dx + dy * dy));
}

function setLocal(x: number, y: number, distance: number): void {
  closestPoint[CLOSEST_X] = x;
  closestPoint[CLOSEST_Y] = y;
  closestPoint[CLOSEST_DISTANCE] = distance;
}
