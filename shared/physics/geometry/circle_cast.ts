/**
 * Casts a circle along a segment against a convex shape.
 *
 *     t = min { t in 0 … 1 : distance(start + t · motion, hull) ≤ shape's radius + circle's radius }
 *
 * The shape grows by the circle's radius, and the circle becomes a point. The point enters through
 * the last of the faces' half-planes that it crosses. Beyond the ends of that face it enters
 * through the circle around a corner. This is Cyrus and Beck's clipping, with corners by Voronoi
 * region (Ericson, "Real-Time Collision Detection", 5.5).
 *
 * A circle that begins inside hits at t = 0 if it moves deeper. On its way out it does not hit.
 */
import { Body } from "../core/body_rows.ts";
import { Corner, ShapeValue } from "../core/shape_rows.ts";

/**
 * Flatter motions slide along a face without a hit. Rounding to 32 bits changes a direction by as
 * much, and sliding would otherwise be a series of hits. At 500 m/s such a motion sinks 13 µm in a
 * world step; a shape's skin is 10 mm.
 */
const GRAZING_SLOPE = 1e-6;

/**
 * Scratch: argument and result of `castCircle`, metres. Its caller writes the argument and reads
 * the result.
 */
export const circleCast = new Float64Array(9);

/** Places in `circleCast`. */
export enum CircleCast {
  /**
   * The argument: the start of the centre and its motion, relative to the target's motion; the
   * circle's radius.
   */
  X = 0,
  Y = 1,
  DX = 2,
  DY = 3,
  RADIUS = 4,

  /**
   * The result: fraction of the motion before the hit, 0 … 1; the unit normal from the target to
   * the circle.
   */
  FRACTION = 5,
  NORMAL_X = 6,
  NORMAL_Y = 7,

  /** The result: depth at the start; 0 if the circle began outside. */
  DEPTH = 8,
}

/**
 * Scratch: the segment in the target's frame, and the sum of both radii, metres. Written by
 * `castCircle`, read by the tests of faces and corners and by `isDeepening`.
 */
const local = new Float64Array(5);
const X = 0;
const Y = 1;
const DX = 2;
const DY = 3;
const COMBINED_RADIUS = 4;

/**
 * Whether the circle of `circleCast` hits this shape of that body. If so, the result is set.
 * @param a offset of the shape's row in `shapes`
 * @param body offset of the body's row in `bodies`, of which only the transform counts
 */
export function castCircle(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  body: number,
): boolean {
  const c = bodies[body + Body.COS]!, s = bodies[body + Body.SIN]!;

  // The motion in the shape's frame
  const x = circleCast[CircleCast.X]! - bodies[body + Body.ORIGIN_X]!;
  const y = circleCast[CircleCast.Y]! - bodies[body + Body.ORIGIN_Y]!;
  const dx = circleCast[CircleCast.DX]!, dy = circleCast[CircleCast.DY]!;
  local[X] = c * x + s * y;
  local[Y] = c * y - s * x;
  local[DX] = c * dx + s * dy;
  local[DY] = c * dy - s * dx;
  local[COMBINED_RADIUS] = shapes[a + ShapeValue.RADIUS]! + circleCast[CircleCast.RADIUS]!;
  circleCast[CircleCast.DEPTH] = 0;

  const isHit = shapes[a + ShapeValue.CORNER_COUNT] === 1
    ? castAtCorner(shapes, a + ShapeValue.CORNERS)
    : castAtFaces(shapes, a);
  if (!isHit) return false;

  // The normal in the world
  const nx = circleCast[CircleCast.NORMAL_X]!, ny = circleCast[CircleCast.NORMAL_Y]!;
  circleCast[CircleCast.NORMAL_X] = c * nx - s * ny;
  circleCast[CircleCast.NORMAL_Y] = s * nx + c * ny;
  return true;
}

function castAtFaces(shapes: Float64Array, a: number): boolean {
  const x = local[X]!;
  const y = local[Y]!;
  const dx = local[DX]!;
  const dy = local[DY]!;
  const combinedRadius = local[COMBINED_RADIUS]!;
  const first = a + ShapeValue.CORNERS;
  const end = first + shapes[a + ShapeValue.CORNER_COUNT]! * Corner.STRIDE;
  const grazing = GRAZING_SLOPE * (Math.abs(dx) + Math.abs(dy));

  // The face that it crosses last, or, from within, the nearest one
  let entryFace = -1;
  let entryTime = -1;
  let nearestFace = first;
  let maxSeparation = -Infinity;
  for (let face = first; face < end; face += Corner.STRIDE) {
    const nx = shapes[face + Corner.NORMAL_X]!, ny = shapes[face + Corner.NORMAL_Y]!;
    const toX = x - shapes[face + Corner.X]!, toY = y - shapes[face + Corner.Y]!;
    const separation = nx * toX + ny * toY - combinedRadius;
    const normalMotion = nx * dx + ny * dy;
    if (separation > maxSeparation) {
      maxSeparation = separation;
      nearestFace = face;
    }
    if (separation > 0) {
      if (-normalMotion <= grazing || separation > -normalMotion) return false; // half-plane not reached
      const t = separation / -normalMotion;
      if (t <= entryTime) continue;
      entryTime = t;
      entryFace = face;
    }
  }

  // A point that has left another half-plane by then is beyond the face's ends and misses the
  // corner there.
  if (entryFace < 0) circleCast[CircleCast.DEPTH] = -maxSeparation;
  circleCast[CircleCast.FRACTION] = entryFace < 0 ? 0 : entryTime;
  return castAtFace(shapes, first, end, entryFace < 0 ? nearestFace : entryFace);
}

/**
 * Tests the face whose half-plane the point crosses last, at `CircleCast.FRACTION`: between its
 * ends, or at a corner.
 */
function castAtFace(shapes: Float64Array, first: number, end: number, face: number): boolean {
  const nx = shapes[face + Corner.NORMAL_X]!;
  const ny = shapes[face + Corner.NORMAL_Y]!;
  const t = circleCast[CircleCast.FRACTION]!;
  const x = local[X]! + t * local[DX]! - shapes[face + Corner.X]!;
  const y = local[Y]! + t * local[DY]! - shapes[face + Corner.Y]!;
  const along = nx * y - ny * x;
  if (along < 0) return castAtCorner(shapes, face);
  if (along > shapes[face + Corner.LENGTH]!) {
    return castAtCorner(shapes, face + Corner.STRIDE < end ? face + Corner.STRIDE : first);
  }
  circleCast[CircleCast.NORMAL_X] = nx;
  circleCast[CircleCast.NORMAL_Y] = ny;
  return t > 0 || isDeepening();
}

/** @param corner its offset in `shapes` */
function castAtCorner(shapes: Float64Array, corner: number): boolean {
  const x = local[X]! - shapes[corner + Corner.X]!;
  const y = local[Y]! - shapes[corner + Corner.Y]!;
  const dx = local[DX]!;
  const dy = local[DY]!;
  const combinedRadius = local[COMBINED_RADIUS]!;
  const distance = Math.sqrt(x * x + y * y);
  const gap = distance - combinedRadius;

  // Within the corner's circle already
  if (gap <= 0) {
    if (distance === 0) return false; // every direction leads out
    circleCast[CircleCast.DEPTH] = -gap;
    circleCast[CircleCast.FRACTION] = 0;
    circleCast[CircleCast.NORMAL_X] = x / distance;
    circleCast[CircleCast.NORMAL_Y] = y / distance;
    return isDeepening();
  }

  circleCast[CircleCast.DEPTH] = 0; // behind every face, but outside the round corner

  // |p + t d|² = r², with p from the corner to the point and r the sum of the radii:
  // a t² − 2 b t + c = 0.
  const a = dx * dx + dy * dy;
  const b = -(x * dx + y * dy);
  const c = gap * (distance + combinedRadius);
  const discriminant = b * b - a * c;
  if (b <= 0 || discriminant <= 0) return false; // moves away, misses or grazes

  // The smaller root, in the form without cancellation.
  const t = c / (b + Math.sqrt(discriminant));
  if (t > 1) return false;

  const hitX = x + t * dx;
  const hitY = y + t * dy;
  const length = Math.sqrt(hitX * hitX + hitY * hitY);
  circleCast[CircleCast.FRACTION] = t;
  circleCast[CircleCast.NORMAL_X] = hitX / length;
  circleCast[CircleCast.NORMAL_Y] = hitY / length;
  return length > 0;
}

/**
 * Whether the motion leads against the normal of `circleCast`, which is in the target's frame here.
 */
function isDeepening(): boolean {
  const dx = local[DX]!, dy = local[DY]!;
  const inwards = -(circleCast[CircleCast.NORMAL_X]! * dx + circleCast[CircleCast.NORMAL_Y]! * dy);
  return inwards > GRAZING_SLOPE * (Math.abs(dx) + Math.abs(dy));
}
