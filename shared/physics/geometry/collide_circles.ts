/**
 * The manifold of a circle with a circle, a polygon or an edge: planck's functions on rows of
 * numbers, bit by bit.
 */
import { Body } from "../core/body_rows.ts";
import {
  Contact,
  ContactInt,
  ContactPoint,
  FeatureType,
  ManifoldType,
} from "../core/contact_rows.ts";
import { Corner, ShapeValue } from "../core/shape_rows.ts";
import { EPSILON } from "../core/tuning.ts";
import { collision, packFeatures } from "./collision.ts";

const { values, ints } = collision;
const CENTER_X = ShapeValue.CORNERS + Corner.X, CENTER_Y = ShapeValue.CORNERS + Corner.Y;

/** planck gives all contacts of a polygon and a circle these features. */
const POLYGON_FEATURES = packFeatures(0, FeatureType.VERTEX, 0, FeatureType.VERTEX);

/** Scratch: the centre of circle B in the frame of body A, metres. Not set for two circles. */
export const center = new Float64Array(2);
const X = 0, Y = 1;

/** Sets `collision` for two circles. */
export function collideCircles(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  ints[ContactInt.POINT_COUNT] = 0;

  const xA = shapes[a + CENTER_X]!;
  const yA = shapes[a + CENTER_Y]!;
  const xB = shapes[b + CENTER_X]!;
  const yB = shapes[b + CENTER_Y]!;
  const cA = bodies[bodyA + Body.COS]!;
  const sA = bodies[bodyA + Body.SIN]!;
  const cB = bodies[bodyB + Body.COS]!;
  const sB = bodies[bodyB + Body.SIN]!;
  const dx = cB * xB - sB * yB + bodies[bodyB + Body.ORIGIN_X]! -
    (cA * xA - sA * yA + bodies[bodyA + Body.ORIGIN_X]!);
  const dy = sB * xB + cB * yB + bodies[bodyB + Body.ORIGIN_Y]! -
    (sA * xA + cA * yA + bodies[bodyA + Body.ORIGIN_Y]!);

  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;
  if (dx * dx + dy * dy > radius * radius) return;
  setCorner(shapes, a, 0, b);
}

/** Sets `collision` for a polygon and a circle. */
export function collidePolygonCircle(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  ints[ContactInt.POINT_COUNT] = 0;
  findCenter(shapes, bodies, bodyA, b, bodyB);
  const x = center[X]!;
  const y = center[Y]!;
  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;
  const first = a + ShapeValue.CORNERS;
  const end = first + shapes[a + ShapeValue.CORNER_COUNT]! * Corner.STRIDE;

  // The face that the centre is farthest from
  let face = first;
  let separation = -Infinity;
  for (let i = first; i < end; i += Corner.STRIDE) {
    const nx = shapes[i + Corner.NORMAL_X]!, ny = shapes[i + Corner.NORMAL_Y]!;
    const distance = nx * x + ny * y - (nx * shapes[i + Corner.X]! + ny * shapes[i + Corner.Y]!);
    if (distance > radius) return;
    if (distance > separation) {
      separation = distance;
      face = i;
    }
  }

  // Inside, the nearest face counts
  const next = face + Corner.STRIDE < end ? face + Corner.STRIDE : first;
  if (separation < EPSILON) return setFace(shapes, face, next, b);
  const x1 = shapes[face + Corner.X]!, y1 = shapes[face + Corner.Y]!;
  const x2 = shapes[next + Corner.X]!, y2 = shapes[next + Corner.Y]!;

  // How far the centre is beyond either end of the face: Voronoi regions. The order of operations
  // is planck's.
  const along1 = x * x2 + y * y2 - (x * x1 + y * y1) - (x1 * x2 + y1 * y2) + (x1 * x1 + y1 * y1);
  const along2 = x * x1 + y * y1 - (x * x2 + y * y2) - (x2 * x1 + y2 * y1) + (x2 * x2 + y2 * y2);
  if (along1 <= 0) return setCornerNormal(shapes, a, face, b);
  if (along2 <= 0) return setCornerNormal(shapes, a, next, b);

  const nx = shapes[face + Corner.NORMAL_X]!, ny = shapes[face + Corner.NORMAL_Y]!;
  const middleX = 0.5 * x1 + 0.5 * x2, middleY = 0.5 * y1 + 0.5 * y2;
  if (x * nx + y * ny - (middleX * nx + middleY * ny) > radius) return;
  setFace(shapes, face, next, b);
}

/** Sets `collision` for an edge and a circle. */
export function collideEdgeCircle(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  ints[ContactInt.POINT_COUNT] = 0;
  findCenter(shapes, bodies, bodyA, b, bodyB);
  const first = a + ShapeValue.CORNERS;
  const second = first + Corner.STRIDE;
  const x = center[X]!;
  const y = center[Y]!;
  const x1 = shapes[first + Corner.X]!, y1 = shapes[first + Corner.Y]!;
  const x2 = shapes[second + Corner.X]!;
  const y2 = shapes[second + Corner.Y]!;

  // How far the centre is beyond each end, along the edge
  const ex = x2 - x1;
  const ey = y2 - y1;
  const along2 = ex * x2 + ey * y2 - (ex * x + ey * y);
  const along1 = ex * x + ey * y - (ex * x1 + ey * y1);
  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;

  // The point of the edge that is nearest to the centre
  let nearestX = x1, nearestY = y1;
  if (along1 > 0) {
    const squared = ex * ex + ey * ey;
    const share2 = along1 / squared;
    const share1 = along2 / squared;
    nearestX = along2 <= 0 ? x2 : share1 * x1 + share2 * x2;
    nearestY = along2 <= 0 ? y2 : share1 * y1 + share2 * y2;
  }

  const dx = x - nearestX, dy = y - nearestY;
  if (dx * dx + dy * dy > radius * radius) return;

  // An end of the edge, or the side of it that the centre is on
  if (along1 <= 0) return setCorner(shapes, a, 0, b);
  if (along2 <= 0) return setCorner(shapes, a, 1, b);
  const isBehind = -ey * x + ex * y - (-ey * x1 + ex * y1) < 0;
  const face = isBehind ? first : second;
  setPoint(
    shapes,
    b,
    ManifoldType.FACE_A,
    packFeatures(0, FeatureType.FACE, 0, FeatureType.VERTEX),
  );
  values[Contact.LOCAL_NORMAL_X] = shapes[face + Corner.NORMAL_X]!;
  values[Contact.LOCAL_NORMAL_Y] = shapes[face + Corner.NORMAL_Y]!;
  values[Contact.LOCAL_POINT_X] = x1;
  values[Contact.LOCAL_POINT_Y] = y1;
}

/** Computes `center`. */
function findCenter(
  shapes: Float64Array,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  const cA = bodies[bodyA + Body.COS]!;
  const sA = bodies[bodyA + Body.SIN]!;
  const cB = bodies[bodyB + Body.COS]!;
  const sB = bodies[bodyB + Body.SIN]!;
  const localX = shapes[b + CENTER_X]!, localY = shapes[b + CENTER_Y]!;
  const x = cB * localX - sB * localY + bodies[bodyB + Body.ORIGIN_X]! -
    bodies[bodyA + Body.ORIGIN_X]!;
  const y = sB * localX + cB * localY + bodies[bodyB + Body.ORIGIN_Y]! -
    bodies[bodyA + Body.ORIGIN_Y]!;
  center[X] = cA * x + sA * y;
  center[Y] = cA * y - sA * x;
}

/**
 * Sets `collision` for a circle that touches a circle, or the end of an edge.
 * @param corner number of A's corner
 */
function setCorner(shapes: Float64Array, a: number, corner: number, b: number): void {
  const from = a + ShapeValue.CORNERS + corner * Corner.STRIDE;
  setPoint(
    shapes,
    b,
    ManifoldType.CIRCLES,
    packFeatures(corner, FeatureType.VERTEX, 0, FeatureType.VERTEX),
  );
  values[Contact.LOCAL_NORMAL_X] = values[Contact.LOCAL_NORMAL_Y] = 0;
  values[Contact.LOCAL_POINT_X] = shapes[from + Corner.X]!;
  values[Contact.LOCAL_POINT_Y] = shapes[from + Corner.Y]!;
}

/**
 * Sets `collision` for a circle in front of a polygon's face.
 * @param face offset of the face's first corner
 */
function setFace(shapes: Float64Array, face: number, next: number, b: number): void {
  setPoint(shapes, b, ManifoldType.FACE_A, POLYGON_FEATURES);
  values[Contact.LOCAL_NORMAL_X] = shapes[face + Corner.NORMAL_X]!;
  values[Contact.LOCAL_NORMAL_Y] = shapes[face + Corner.NORMAL_Y]!;
  values[Contact.LOCAL_POINT_X] = 0.5 * shapes[face + Corner.X]! + 0.5 * shapes[next + Corner.X]!;
  values[Contact.LOCAL_POINT_Y] = 0.5 * shapes[face + Corner.Y]! + 0.5 * shapes[next + Corner.Y]!;
}

/**
 * Sets `collision` for a circle beyond the end of a face, if it touches. The normal leads to its
 * centre.
 */
function setCornerNormal(shapes: Float64Array, a: number, corner: number, b: number): void {
  const x = shapes[corner + Corner.X]!, y = shapes[corner + Corner.Y]!;
  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;
  const dx = center[X]! - x;
  const dy = center[Y]! - y;
  const squared = dx * dx + dy * dy;
  if (squared > radius * radius) return;
  const length = Math.sqrt(squared);
  const inverse = length > 0 ? 1 / length : 1;
  setPoint(shapes, b, ManifoldType.FACE_A, POLYGON_FEATURES);
  values[Contact.LOCAL_NORMAL_X] = dx * inverse;
  values[Contact.LOCAL_NORMAL_Y] = dy * inverse;
  values[Contact.LOCAL_POINT_X] = x;
  values[Contact.LOCAL_POINT_Y] = y;
}

/** Sets the only point, the centre of circle B. */
function setPoint(shapes: Float64Array, b: number, type: number, features: number): void {
  ints[ContactInt.POINT_COUNT] = 1;
  ints[ContactInt.MANIFOLD_TYPE] = type;
  ints[ContactInt.FEATURES] = features;
  values[Contact.POINTS + ContactPoint.LOCAL_X] = shapes[b + CENTER_X]!;
  values[Contact.POINTS + ContactPoint.LOCAL_Y] = shapes[b + CENTER_Y]!;
}
