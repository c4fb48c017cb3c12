/**
 * The point of a shape that is nearest to a given point. Skins do not count: circles and rounded
 * shapes have their radius, and all other shapes are their hulls.
 *
 * Outside a convex hull, the face with the largest separation has the nearest point: between its
 * ends, or at one of them (Ericson, "Real-Time Collision Detection", 5.1).
 */
import { Body } from "../core/body_rows.ts";
import { Corner, ShapeType, ShapeValue, skinOf } from "../core/shape_rows.ts";

/** Scratch: argument and result of `findClosestPoint`, in the world, metres. */
export const closestPoint = new Float64Array(5);

/** Places in `closestPoint`. */
export enum Closest {
  /** The argument: the given point. */
  FROM_X = 0,
  FROM_Y = 1,

  /**
   * The result: the nearest point of the shape, and its distance; 0 and the given point itself if
   * that is inside.
   */
  X = 2,
  Y = 3,
  DISTANCE = 4,
}

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
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  const originX = bodies[body + Body.ORIGIN_X]!;
  const originY = bodies[body + Body.ORIGIN_Y]!;
  const dx = closestPoint[Closest.FROM_X]! - originX;
  const dy = closestPoint[Closest.FROM_Y]! - originY;
  const x = c * dx + s * dy, y = c * dy - s * dx;
  if (shapes[a + ShapeValue.TYPE] === ShapeType.CIRCLE) setOnCircle(shapes, a, x, y);
  else setOnHull(shapes, a, x, y);
  const localX = closestPoint[Closest.X]!, localY = closestPoint[Closest.Y]!;
  if (closestPoint[Closest.DISTANCE] === 0) {
    closestPoint[Closest.X] = closestPoint[Closest.FROM_X]!;
    closestPoint[Closest.Y] = closestPoint[Closest.FROM_Y]!;
    return;
  }
  closestPoint[Closest.X] = c * localX - s * localY + originX;
  closestPoint[Closest.Y] = s * localX + c * localY + originY;
}

function setOnCircle(shapes: Float64Array, a: number, x: number, y: number): void {
  const centerX = shapes[a + ShapeValue.CORNERS + Corner.X]!;
  const centerY = shapes[a + ShapeValue.CORNERS + Corner.Y]!;
  const dx = x - centerX;
  const dy = y - centerY;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const radius = shapes[a + ShapeValue.RADIUS]!;
  const share = distance > radius ? radius / distance : 1;
  setLocal(centerX + share * dx, centerY + share * dy, Math.max(0, distance - radius));
}

function setOnHull(shapes: Float64Array, a: number, x: number, y: number): void {
  // The face in front of which the point is farthest
  const end = a + ShapeValue.CORNERS + shapes[a + ShapeValue.CORNER_COUNT]! * Corner.STRIDE;
  let maxSeparation = -Infinity;
  let face = a + ShapeValue.CORNERS;
  for (let each = a + ShapeValue.CORNERS; each < end; each += Corner.STRIDE) {
    const toX = x - shapes[each + Corner.X]!, toY = y - shapes[each + Corner.Y]!;
    const separation = shapes[each + Corner.NORMAL_X]! * toX +
      shapes[each + Corner.NORMAL_Y]! * toY;
    if (separation <= maxSeparation) continue;
    maxSeparation = separation;
    face = each;
  }

  // The point's nearest place on that face
  const nx = shapes[face + Corner.NORMAL_X]!, ny = shapes[face + Corner.NORMAL_Y]!;
  const cornerX = shapes[face + Corner.X]!, cornerY = shapes[face + Corner.Y]!;
  const along = nx * (y - cornerY) - ny * (x - cornerX);
  const length = shapes[face + Corner.LENGTH]!;
  const at = Math.min(Math.max(along, 0), length);
  const nearX = cornerX - at * ny;
  const nearY = cornerY + at * nx;
  const dx = x - nearX;
  const dy = y - nearY;

  // An edge has no inside: its two faces have separations of opposite signs.
  const isInside = maxSeparation < 0 || maxSeparation === 0 && at === along;
  const distance = isInside ? 0 : Math.sqrt(dx * dx + dy * dy);
  const rounding = shapes[a + ShapeValue.RADIUS]! - skinOf(shapes, a);
  if (rounding === 0) return setLocal(nearX, nearY, distance);
  const share = distance > rounding ? rounding / distance : 1;
  setLocal(nearX + share * dx, nearY + share * dy, Math.max(0, distance - rounding));
}

function setLocal(x: number, y: number, distance: number): void {
  closestPoint[Closest.X] = x;
  closestPoint[Closest.Y] = y;
  closestPoint[Closest.DISTANCE] = distance;
}
