/**
 * The manifold of an edge and a polygon: planck's `CollideEdgePolygon` on rows of numbers, bit by
 * bit but for one case.
 *
 * The polygon is on the side of the edge that its centroid is on. The best axis is the edge's
 * normal on that side, or the normal of a polygon's face. The polygon's normal counts only within
 * the limits of the side, so that a polygon does not catch on an end that another edge continues.
 * Everything is computed in the frame of the edge's body.
 *
 * The case is a normal beyond the limit at an end where the neighbour bends away: the polygon is
 * beside that neighbour. planck takes the next best axis, so that a box beside a low step is 30 cm
 * deep in the step's upper side, and jumps out. Box2D 2.4.1 leaves such a polygon to the neighbour,
 * and so does this.
 */
import { Body } from "../core/body_rows.ts";
import {
  Contact,
  ContactInt,
  ContactPoint,
  FeatureType,
  ManifoldType,
} from "../core/contact_rows.ts";
import { Corner, CORNERS_MAX, ShapeValue } from "../core/shape_rows.ts";
import { ANGULAR_SLOP } from "../core/tuning.ts";
import {
  clip,
  clipped,
  halfClipped,
  incidentEdge,
  line,
  LINE_OFFSET,
  LINE_X,
  LINE_Y,
} from "./clip.ts";
import { collision, packFeatures, swapFeatures } from "./collision.ts";

const { values, ints } = collision;
const EDGE_X1 = ShapeValue.CORNERS + Corner.X;
const EDGE_Y1 = ShapeValue.CORNERS + Corner.Y;
const EDGE_X2 = EDGE_X1 + Corner.STRIDE;
const EDGE_Y2 = EDGE_Y1 + Corner.STRIDE;

/**
 * A polygon's face has to be better than the edge by a share of it, and by these metres. As in
 * b2CollideEdge.
 */
const RELATIVE_TOLERANCE = 0.98;
const ABSOLUTE_TOLERANCE_M = 1e-3;
/**
 * Sine of the angle by which a normal may be beyond the limit at an end that bends away, as in
 * Box2D 2.4.1.
 */
const SIN_TOLERANCE = 0.1;

/** Places in `scratch.relative`. */
const C = 0;
const S = 1;
const X = 2;
const Y = 3;
/** Places in `scratch.polygon`, for each corner; its normal is at `NORMAL_X` and `NORMAL_Y`. */
const PLACE_X = 0;
const PLACE_Y = 1;
const PLACE_STRIDE = 4;
/**
 * The edge's normal on the polygon's side, and the limits at the first and the second end. Written
 * by `choosePlainSide` or by the chain's own choice, read by the search and the clipping.
 */
export const side = new Float64Array(6);
export const LOWER_X = 0;
export const LOWER_Y = 1;
export const NORMAL_X = 2;
export const NORMAL_Y = 3;
export const UPPER_X = 4;
export const UPPER_Y = 5;
/**
 * Whether the neighbour at the first and at the second end bends away from this side. Written with
 * `side`, read by `findFace`.
 */
export const bendsAway = { lower: false, upper: false };
/** Places in `scratch.reference`; the normal is at `NORMAL_X` and `NORMAL_Y`. */
const FIRST_X = 0;
const FIRST_Y = 1;
const SECOND_X = 4;
const SECOND_Y = 5;

const scratch = {
  /**
   * The transform from the polygon's frame into the edge's: cosine, sine, metres. Written by
   * `setRelative`, read by all that follow it.
   */
  relative: new Float64Array(4),
  /**
   * The polygon in the frame of the edge, corner by corner: position and normal. Written by
   * `placeCorners` and `placeNormals`, read by the search and the clipping.
   */
  polygon: new Float64Array(CORNERS_MAX * 4),
  /**
   * The largest separation of a polygon's face, metres. Written by `findFace`, read by
   * `collideEdgePolygon`.
   */
  faceSeparation: new Float64Array(1),
  /**
   * The reference face, as far as clipping needs it: its normal and its ends, metres. Written by
   * `clipToEdge` or `clipToPolygon`, read by `clipToReference` and `addPoints`.
   */
  reference: new Float64Array(6),
};

/** Results of `findFace` in place of a face. */
const NO_FACE = -1;
const APART = -2;

/**
 * Sets `side` for an edge and a polygon with this centroid in the frame of the edge's body.
 * @returns whether the polygon is on the side of the edge's face 0
 */
type ChooseSide = (shapes: Float64Array, a: number, x: number, y: number) => boolean;

/** Sets `collision` for an edge and a polygon. */
export function collideEdgePolygon(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
  chooseSide: ChooseSide = choosePlainSide,
): void {
  const { relative, polygon, faceSeparation } = scratch;
  ints[ContactInt.POINT_COUNT] = 0;
  setRelative(bodies, bodyA, bodyB);
  const c = relative[C]!;
  const s = relative[S]!;

  // Choose the edge's side by the polygon's centroid
  const localX = shapes[b + ShapeValue.CENTROID_X]!;
  const localY = shapes[b + ShapeValue.CENTROID_Y]!;
  const x = c * localX - s * localY + relative[X]!;
  const y = s * localX + c * localY + relative[Y]!;
  const isFront = chooseSide(shapes, a, x, y);

  // How far the polygon is from that side
  const count = shapes[b + ShapeValue.CORNER_COUNT]!;
  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;
  const nx = side[NORMAL_X]!;
  const ny = side[NORMAL_Y]!;
  const offset = nx * shapes[a + EDGE_X1]! + ny * shapes[a + EDGE_Y1]!;
  placeCorners(shapes, b, count);
  let separation = Infinity;
  for (let i = 0; i < count; i++) {
    const at = i * PLACE_STRIDE;
    const distance = nx * polygon[at + PLACE_X]! + ny * polygon[at + PLACE_Y]! - offset;
    if (distance < separation) separation = distance;
  }
  if (separation > radius) return;

  // The polygon's own faces may be farther away
  placeNormals(shapes, b, count);
  const face = findFace(shapes, a, b, count, separation);
  if (face === APART) return;

  const isFaceBetter = face !== NO_FACE &&
    faceSeparation[0]! > RELATIVE_TOLERANCE * separation + ABSOLUTE_TOLERANCE_M;
  if (isFaceBetter) clipToPolygon(shapes, a, b, face, count);
  else clipToEdge(shapes, a, b, isFront, count);
}

function setRelative(bodies: Float64Array, bodyA: number, bodyB: number): void {
  const { relative } = scratch;
  const cA = bodies[bodyA + Body.COS]!;
  const sA = bodies[bodyA + Body.SIN]!;
  const cB = bodies[bodyB + Body.COS]!;
  const sB = bodies[bodyB + Body.SIN]!;
  const x = bodies[bodyB + Body.ORIGIN_X]! - bodies[bodyA + Body.ORIGIN_X]!;
  const y = bodies[bodyB + Body.ORIGIN_Y]! - bodies[bodyA + Body.ORIGIN_Y]!;
  relative[C] = cA * cB + sA * sB;
  relative[S] = cA * sB - sA * cB;
  relative[X] = cA * x + sA * y;
  relative[Y] = cA * y - sA * x;
}

/**
 * Sets `side`. An edge without neighbours is solid from both sides, and the limits let every face
 * that looks at the edge's side count.
 */
function choosePlainSide(shapes: Float64Array, a: number, x: number, y: number): boolean {
  const nx = shapes[a + ShapeValue.CORNERS + Corner.NORMAL_X]!;
  const ny = shapes[a + ShapeValue.CORNERS + Corner.NORMAL_Y]!;
  const isFront = nx * x + ny * y - (nx * shapes[a + EDGE_X1]! + ny * shapes[a + EDGE_Y1]!) >= 0;
  const sign = isFront ? 1 : -1;
  side[NORMAL_X] = sign * nx;
  side[NORMAL_Y] = sign * ny;
  bendsAway.lower = bendsAway.upper = false;
  side[LOWER_X] = side[UPPER_X] = -sign * nx;
  side[LOWER_Y] = side[UPPER_Y] = -sign * ny;
  return isFront;
}

function placeCorners(shapes: Float64Array, b: number, count: number): void {
  const { relative, polygon } = scratch;
  const c = relative[C]!;
  const s = relative[S]!;
  const originX = relative[X]!;
  const originY = relative[Y]!;
  for (
    let i = 0, from = b + ShapeValue.CORNERS, to = 0;
    i < count;
    i++, from += Corner.STRIDE, to += PLACE_STRIDE
  ) {
    const x = shapes[from + Corner.X]!, y = shapes[from + Corner.Y]!;
    polygon[to + PLACE_X] = c * x - s * y + originX;
    polygon[to + PLACE_Y] = s * x + c * y + originY;
  }
}

function placeNormals(shapes: Float64Array, b: number, count: number): void {
  const { relative, polygon } = scratch;
  const c = relative[C]!, s = relative[S]!;
  for (
    let i = 0, from = b + ShapeValue.CORNERS, to = 0;
    i < count;
    i++, from += Corner.STRIDE, to += PLACE_STRIDE
  ) {
    const x = shapes[from + Corner.NORMAL_X]!, y = shapes[from + Corner.NORMAL_Y]!;
    polygon[to + NORMAL_X] = c * x - s * y;
    polygon[to + NORMAL_Y] = s * x + c * y;
  }
}

/**
 * Finds the polygon's face with the largest separation from the edge among those within the limits
 * of the side.
 * @param edgeSeparation along the edge's own normal, metres
 * @returns its index; `NO_FACE` if none is within the limits; `APART` if a face separates the two,
 * or if the polygon is beside a neighbour that bends away. Sets `faceSeparation` for an index
 */
function findFace(
  shapes: Float64Array,
  a: number,
  b: number,
  count: number,
  edgeSeparation: number,
): number {
  const { polygon, faceSeparation } = scratch;
  const x1 = shapes[a + EDGE_X1]!;
  const y1 = shapes[a + EDGE_Y1]!;
  const x2 = shapes[a + EDGE_X2]!;
  const y2 = shapes[a + EDGE_Y2]!;

  const normalX = side[NORMAL_X]!;
  const normalY = side[NORMAL_Y]!;
  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;
  const lower = side[LOWER_X]! * normalX + side[LOWER_Y]! * normalY;
  const upper = side[UPPER_X]! * normalX + side[UPPER_Y]! * normalY;

  let best = NO_FACE;
  let separation = -Infinity;
  let beside = -Infinity;
  for (let i = 0, at = 0; i < count; i++, at += PLACE_STRIDE) {
    const nx = -polygon[at + NORMAL_X]!, ny = -polygon[at + NORMAL_Y]!;
    const offset = nx * polygon[at + PLACE_X]! + ny * polygon[at + PLACE_Y]!;
    const distance = Math.min(offset - (nx * x1 + ny * y1), offset - (nx * x2 + ny * y2));
    if (distance > radius) return APART;

    // A face that turns beyond the limits belongs to the neighbour
    const isUpper = nx * -normalY + ny * normalX >= 0;
    const limit = isUpper ? upper : lower;
    const isBending = isUpper ? bendsAway.upper : bendsAway.lower;
    const isWithin = nx * normalX + ny * normalY - limit >= -ANGULAR_SLOP;
    if (!isWithin && !(isBending && isNearLimit(nx, ny, isUpper ? UPPER_X : LOWER_X))) {
      if (isBending && distance > beside) beside = distance;
      continue;
    }
    if (distance > separation) {
      separation = distance;
      best = i;
    }
  }

  const isBeside = beside > separation &&
    beside > RELATIVE_TOLERANCE * edgeSeparation + ABSOLUTE_TOLERANCE_M;
  if (isBeside) return APART;
  faceSeparation[0] = separation;
  return best;
}

/** Whether a normal is beyond a limit by a few degrees. @param at of the limit in `side` */
function isNearLimit(nx: number, ny: number, at: number): boolean {
  const x = side[at]!, y = side[at + 1]!;
  return nx * x + ny * y > 0 && Math.abs(x * ny - y * nx) <= SIN_TOLERANCE;
}

/**
 * The edge is the reference face, and the polygon's most anti-parallel face is the incident edge.
 */
function clipToEdge(
  shapes: Float64Array,
  a: number,
  b: number,
  isFront: boolean,
  count: number,
): void {
  const { polygon, reference } = scratch;
  const nx = side[NORMAL_X]!;
  const ny = side[NORMAL_Y]!;
  const { places, features } = incidentEdge;

  // The incident edge: the polygon's face that looks most against the side
  let best = 0;
  let minDot = Infinity;
  for (let i = 0, at = 0; i < count; i++, at += PLACE_STRIDE) {
    const dot = nx * polygon[at + NORMAL_X]! + ny * polygon[at + NORMAL_Y]!;
    if (dot < minDot) {
      minDot = dot;
      best = i;
    }
  }

  const next = best + 1 < count ? best + 1 : 0;
  for (let end = 0; end < 2; end++) {
    const index = end === 0 ? best : next;
    const at = index * PLACE_STRIDE;
    places[2 * end] = polygon[at + PLACE_X]!;
    places[2 * end + 1] = polygon[at + PLACE_Y]!;
    features[end] = packFeatures(0, FeatureType.FACE, index, FeatureType.VERTEX);
  }

  // The reference: the edge, in the direction of its side
  const first = isFront ? 0 : 1;
  const x = isFront ? EDGE_X1 : EDGE_X2;
  const y = isFront ? EDGE_Y1 : EDGE_Y2;
  reference[NORMAL_X] = nx;
  reference[NORMAL_Y] = ny;
  reference[FIRST_X] = shapes[a + x]!;
  reference[FIRST_Y] = shapes[a + y]!;
  reference[SECOND_X] = shapes[a + EDGE_X1 + EDGE_X2 - x]!;
  reference[SECOND_Y] = shapes[a + EDGE_Y1 + EDGE_Y2 - y]!;

  if (!clipToReference(first, 1 - first)) return;
  ints[ContactInt.MANIFOLD_TYPE] = ManifoldType.FACE_A;
  values[Contact.LOCAL_NORMAL_X] = nx;
  values[Contact.LOCAL_NORMAL_Y] = ny;
  values[Contact.LOCAL_POINT_X] = reference[FIRST_X]!;
  values[Contact.LOCAL_POINT_Y] = reference[FIRST_Y]!;
  addPoints(shapes, a, b);
}

/** A face of the polygon is the reference face, and the edge is the incident edge. */
function clipToPolygon(
  shapes: Float64Array,
  a: number,
  b: number,
  face: number,
  count: number,
): void {
  const { polygon, reference } = scratch;
  const { places, features } = incidentEdge;
  const next = face + 1 < count ? face + 1 : 0;
  const from = face * PLACE_STRIDE;
  const to = next * PLACE_STRIDE;
  const local = b + ShapeValue.CORNERS + face * Corner.STRIDE;

  // The edge is what is clipped
  places[0] = shapes[a + EDGE_X1]!;
  places[1] = shapes[a + EDGE_Y1]!;
  places[2] = shapes[a + EDGE_X2]!;
  places[3] = shapes[a + EDGE_Y2]!;
  features[0] = features[1] = packFeatures(0, FeatureType.VERTEX, face, FeatureType.FACE);

  // The polygon's face clips it
  reference[NORMAL_X] = polygon[from + NORMAL_X]!;
  reference[NORMAL_Y] = polygon[from + NORMAL_Y]!;
  reference[FIRST_X] = polygon[from + PLACE_X]!;
  reference[FIRST_Y] = polygon[from + PLACE_Y]!;
  reference[SECOND_X] = polygon[to + PLACE_X]!;
  reference[SECOND_Y] = polygon[to + PLACE_Y]!;

  if (!clipToReference(face, next)) return;

  // The manifold, in the polygon's frame
  ints[ContactInt.MANIFOLD_TYPE] = ManifoldType.FACE_B;
  values[Contact.LOCAL_NORMAL_X] = shapes[local + Corner.NORMAL_X]!;
  values[Contact.LOCAL_NORMAL_Y] = shapes[local + Corner.NORMAL_Y]!;
  values[Contact.LOCAL_POINT_X] = shapes[local + Corner.X]!;
  values[Contact.LOCAL_POINT_Y] = shapes[local + Corner.Y]!;
  addPoints(shapes, a, b);
}

/**
 * Clips `incidentEdge` to the width of `reference`. The arguments are the indices of its ends.
 * @returns whether an edge is left
 */
function clipToReference(first: number, second: number): boolean {
  const { reference } = scratch;
  const x = reference[NORMAL_Y]!, y = -reference[NORMAL_X]!;
  line[LINE_X] = x;
  line[LINE_Y] = y;
  line[LINE_OFFSET] = x * reference[FIRST_X]! + y * reference[FIRST_Y]!;
  if (clip(halfClipped, incidentEdge, first) < 2) return false;
  line[LINE_X] = -x;
  line[LINE_Y] = -y;
  line[LINE_OFFSET] = -x * reference[SECOND_X]! + -y * reference[SECOND_Y]!;
  return clip(clipped, halfClipped, second) === 2;
}

/** Adds the ends of `clipped` that reach the reference face, in the frame of the other body. */
function addPoints(shapes: Float64Array, a: number, b: number): void {
  const { relative, reference } = scratch;
  const { places, features } = clipped;
  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;
  const nx = reference[NORMAL_X]!;
  const ny = reference[NORMAL_Y]!;
  const c = relative[C]!;
  const s = relative[S]!;
  const front = nx * reference[FIRST_X]! + ny * reference[FIRST_Y]!;
  const isOfPolygon = ints[ContactInt.MANIFOLD_TYPE] === ManifoldType.FACE_B;
  let count = 0;

  for (let end = 0; end < 2; end++) {
    const x = places[2 * end]!;
    const y = places[2 * end + 1]!;
    const at = Contact.POINTS + count * ContactPoint.STRIDE;
    if (nx * x + ny * y - front > radius) continue;
    const dx = x - relative[X]!, dy = y - relative[Y]!;
    values[at + ContactPoint.LOCAL_X] = isOfPolygon ? x : c * dx + s * dy;
    values[at + ContactPoint.LOCAL_Y] = isOfPolygon ? y : c * dy - s * dx;
    ints[ContactInt.FEATURES + count++] = isOfPolygon
      ? swapFeatures(features[end]!)
      : features[end]!;
  }

  ints[ContactInt.POINT_COUNT] = count;
}
