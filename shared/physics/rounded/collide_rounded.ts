/**
 * The manifold of a rounded shape and any other, after Box2D 3's b2CollidePolygons. A capsule counts
 * as a polygon of two corners.
 *
 * | nearest parts of the hulls     | manifold                                                     |
 * | ------------------------------ | ------------------------------------------------------------ |
 * | a corner and a corner          | that of two circles around them, one point                   |
 * | a face and what is before it   | the other's edge, clipped to the face: up to two points      |
 * | the hulls overlap              | the same for the face that is pushed out over the least way  |
 *
 * Skins as thick as 1 cm may treat a corner as part of a face. A radius of half a metre may not.
 *
 * A segment of a chain is touched only along normals that do not belong to a neighbour, as polygons
 * do (`geometry/collide_edge_polygon.ts`).
 */
import { Body } from "../core/body_rows.ts";
import {
  Contact,
  ContactInt,
  ContactPoint,
  FeatureType,
  ManifoldType,
} from "../core/contact_rows.ts";
import { Corner, ShapeType, ShapeValue } from "../core/shape_rows.ts";
import { LINEAR_SLOP } from "../core/tuning.ts";
import type { SegmentGeometry } from "../geometry/collide.ts";
import { collideEdgeCircle, collidePolygonCircle } from "../geometry/collide_circles.ts";
import {
  bendsAway,
  LOWER_X,
  LOWER_Y,
  NORMAL_X,
  NORMAL_Y,
  side,
  UPPER_X,
  UPPER_Y,
} from "../geometry/collide_edge_polygon.ts";
import { clipToFace, findFace, separation, TOLERANCE } from "../geometry/collide_polygons.ts";
import { collision, packFeatures } from "../geometry/collision.ts";
import { computeDistance, Nearest, nearest, resetSimplex } from "../geometry/distance.ts";
import { SimplexInt, simplexInts } from "../geometry/simplex.ts";

const { values, ints } = collision;

/** Metres: hulls that are nearer overlap. A direction between their corners would be rounding. */
const OVERLAPPING = 0.1 * LINEAR_SLOP;
/**
 * Metres: a corner that is so little beyond the end of a face is before the face. Two boxes of one
 * size that stand on each other have corners over corners.
 */
const BESIDE = LINEAR_SLOP;
/**
 * A normal that is beyond the limit of a segment's side by less, as a difference of cosines, has
 * only been rounded. Polygons have a tolerance of some degrees; a round corner that comes to an
 * inner corner of the chain would hop over it by 3 cm.
 */
const LIMIT_ROUNDING = 1e-6;

/** Which parts of the hulls touch, in `scratch.axis`. */
const APART = 0;
const CORNERS = 1;
const FACE = 2;

const scratch = {
  /** A point in the frame of a body, metres. Written by `setInFrame`, read by its callers. */
  place: new Float64Array(2),
  /**
   * The face of the manifold, of A or else of B. Written by `findAxis` and
   * `isOfSegment`, read by `collideRounded`.
   */
  face: { index: 0, isOfB: false },
};

/** Sets `collision`, as `RoundedGeometry` has it. */
export function collideRounded(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
  segments: SegmentGeometry | undefined,
): void {
  if (shapes[b + ShapeValue.TYPE] === ShapeType.CIRCLE) {
    // A point on the line through a capsule is not inside of it: the capsule is an edge.
    if (shapes[a + ShapeValue.CORNER_COUNT] === 2) {
      return collideEdgeCircle(shapes, a, bodies, bodyA, b, bodyB);
    }
    return collidePolygonCircle(shapes, a, bodies, bodyA, b, bodyB);
  }

  ints[ContactInt.POINT_COUNT] = 0;
  const parts = findAxis(shapes, a, bodies, bodyA, b, bodyB);
  if (parts === APART) return;
  const isSegment = shapes[a + ShapeValue.TYPE] === ShapeType.EDGE &&
    shapes[a + ShapeValue.NEIGHBOURS] !== 0;
  if (isSegment && !isOfSegment(shapes, a, bodies, bodyA, b, bodyB, parts, segments!)) return;
  if (ints[ContactInt.MANIFOLD_TYPE] === ManifoldType.CIRCLES) {
    return addCorners(shapes, a, b);
  }

  const { index, isOfB } = scratch.face;
  if (isOfB) clipToFace(shapes, b, bodies, bodyB, index, a, bodyA, BESIDE);
  else clipToFace(shapes, a, bodies, bodyA, index, b, bodyB, BESIDE);
}

/**
 * Finds the axis along which the two hulls are farthest apart: of a face, in `scratch.face`, or of
 * two corners, in the simplex. Sets the type of the manifold.
 */
function findAxis(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): number {
  const { face } = scratch;
  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;
  const faceA = findFace(shapes, a, bodies, bodyA, b, bodyB);
  const separationA = separation[0]!;
  if (separationA > radius) return APART;
  const faceB = findFace(shapes, b, bodies, bodyB, a, bodyA);
  const separationB = separation[0]!;
  if (separationB > radius) return APART;

  face.isOfB = separationB > separationA + TOLERANCE;
  face.index = face.isOfB ? faceB : faceA;
  ints[ContactInt.MANIFOLD_TYPE] = face.isOfB ? ManifoldType.FACE_B : ManifoldType.FACE_A;

  // Two hulls of two corners that lie on one line have no face between them.
  const most = Math.max(separationA, separationB);
  const areLines = shapes[a + ShapeValue.CORNER_COUNT] === 2 &&
    shapes[b + ShapeValue.CORNER_COUNT] === 2;
  if (most <= OVERLAPPING && !areLines) return FACE;

  resetSimplex();
  computeDistance(shapes, a, bodies, bodyA, b, bodyB);
  const distance = nearest[Nearest.DISTANCE]!;
  if (distance > radius) return APART;
  const before = Math.max(0, most);
  if (
    distance <= OVERLAPPING || simplexInts[SimplexInt.COUNT] !== 1 ||
    distance * distance - before * before <= BESIDE * BESIDE
  ) return FACE;
  ints[ContactInt.MANIFOLD_TYPE] = ManifoldType.CIRCLES;
  return CORNERS;
}

/** The point of two corners, as of two circles around them. */
function addCorners(shapes: Float64Array, a: number, b: number): void {
  const indexA = simplexInts[SimplexInt.INDEX_A]!;
  const indexB = simplexInts[SimplexInt.INDEX_B]!;
  const cornerA = a + ShapeValue.CORNERS + indexA * Corner.STRIDE;
  const cornerB = b + ShapeValue.CORNERS + indexB * Corner.STRIDE;
  ints[ContactInt.POINT_COUNT] = 1;
  ints[ContactInt.FEATURES] = packFeatures(
    indexA,
    FeatureType.VERTEX,
    indexB,
    FeatureType.VERTEX,
  );
  values[Contact.LOCAL_NORMAL_X] = values[Contact.LOCAL_NORMAL_Y] = 0;
  values[Contact.LOCAL_POINT_X] = shapes[cornerA + Corner.X]!;
  values[Contact.LOCAL_POINT_Y] = shapes[cornerA + Corner.Y]!;
  values[Contact.POINTS + ContactPoint.LOCAL_X] = shapes[cornerB + Corner.X]!;
  values[Contact.POINTS + ContactPoint.LOCAL_Y] = shapes[cornerB + Corner.Y]!;
}

/**
 * Whether a segment of a chain touches along the axis that was found, or along its own normal in its
 * place: then the face is that of the segment.
 */
function isOfSegment(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
  parts: number,
  segments: SegmentGeometry,
): boolean {
  const { face } = scratch;
  if (parts === CORNERS) {
    setInFrame(bodies, bodyA, nearest[Nearest.BX]!, nearest[Nearest.BY]!);
    return !segments.isNearerToNeighbour(shapes, a, scratch.place[0]!, scratch.place[1]!);
  }

  const own = chooseFace(shapes, a, bodies, bodyA, b, bodyB, segments);
  if (face.isOfB) {
    const at = b + ShapeValue.CORNERS + face.index * Corner.STRIDE;
    const localX = -shapes[at + Corner.NORMAL_X]!;
    const localY = -shapes[at + Corner.NORMAL_Y]!;
    const cA = bodies[bodyA + Body.COS]!;
    const sA = bodies[bodyA + Body.SIN]!;
    const cB = bodies[bodyB + Body.COS]!;
    const sB = bodies[bodyB + Body.SIN]!;
    const x = cB * localX - sB * localY;
    const y = sB * localX + cB * localY;
    const nx = cA * x + sA * y;
    const ny = cA * y - sA * x;

    // Within the limit at that end, the normal counts; beyond it, an end that bends away leaves it
    // to the neighbour
    const isUpper = nx * -side[NORMAL_Y]! + ny * side[NORMAL_X]! >= 0;
    const beyondX = nx - side[isUpper ? UPPER_X : LOWER_X]!;
    const beyondY = ny - side[isUpper ? UPPER_Y : LOWER_Y]!;
    if (beyondX * side[NORMAL_X]! + beyondY * side[NORMAL_Y]! >= -LIMIT_ROUNDING) return true;
    if (isUpper ? bendsAway.upper : bendsAway.lower) return false;
  }

  face.index = own;
  face.isOfB = false;
  ints[ContactInt.MANIFOLD_TYPE] = ManifoldType.FACE_A;
  return true;
}

/** Sets `scratch.place` to a point of the world in the frame of a body. */
function setInFrame(bodies: Float64Array, body: number, x: number, y: number): void {
  const { place } = scratch;
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  const dx = x - bodies[body + Body.ORIGIN_X]!;
  const dy = y - bodies[body + Body.ORIGIN_Y]!;
  place[0] = c * dx + s * dy;
  place[1] = c * dy - s * dx;
}

/** Sets `side`. @returns the face of the segment on the side of B */
function chooseFace(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
  segments: SegmentGeometry,
): number {
  const c = bodies[bodyB + Body.COS]!;
  const s = bodies[bodyB + Body.SIN]!;
  const localX = shapes[b + ShapeValue.CENTROID_X]!;
  const localY = shapes[b + ShapeValue.CENTROID_Y]!;
  setInFrame(
    bodies,
    bodyA,
    c * localX - s * localY + bodies[bodyB + Body.ORIGIN_X]!,
    s * localX + c * localY + bodies[bodyB + Body.ORIGIN_Y]!,
  );
  return segments.chooseSide(shapes, a, scratch.place[0]!, scratch.place[1]!) ? 0 : 1;
}
