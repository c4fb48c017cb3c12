/**
 * The manifold of two polygons: planck's `CollidePolygons` on rows of numbers, in its order of
 * operations, bit by bit.
 *
 * The face with the largest separation from the other polygon is the reference face. The other
 * polygon's most anti-parallel edge is the incident edge. It is clipped to the width of the face,
 * and its ends that reach the face are the points. `collide_boxes.ts` is faster for two boxes.
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
import { LINEAR_SLOP } from "../core/tuning.ts";
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

/**
 * Metres: B's face must be better by more than this, or the choice would flicker. k_tol of
 * b2CollidePolygons.
 */
export const TOLERANCE = 0.1 * LINEAR_SLOP;

/**
 * Scratch, the second result of `findFace`: the largest separation, metres. Read by
 * `collidePolygons` and by the rounded shapes (`rounded/`).
 */
export const separation = new Float64Array(1);

/** Sets `collision` for two polygons. */
export function collidePolygons(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  ints[ContactInt.POINT_COUNT] = 0;
  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;

  // No face may separate the two
  const faceA = findFace(shapes, a, bodies, bodyA, b, bodyB);
  const separationA = separation[0]!;
  if (separationA > radius) return;
  const faceB = findFace(shapes, b, bodies, bodyB, a, bodyA);
  const separationB = separation[0]!;
  if (separationB > radius) return;

  // The face that is farther from the other polygon is the reference
  if (separationB > separationA + TOLERANCE) {
    ints[ContactInt.MANIFOLD_TYPE] = ManifoldType.FACE_B;
    clipToFace(shapes, b, bodies, bodyB, faceB, a, bodyA, radius);
  } else {
    ints[ContactInt.MANIFOLD_TYPE] = ManifoldType.FACE_A;
    clipToFace(shapes, a, bodies, bodyA, faceA, b, bodyB, radius);
  }
}

/**
 * @returns the index of the first polygon's face with the largest separation from the other; sets
 *   `separation`
 */
export function findFace(
  shapes: Float64Array,
  polygon: number,
  bodies: Float64Array,
  body: number,
  other: number,
  otherBody: number,
): number {
  // The first polygon in the frame of the other
  const co = bodies[otherBody + Body.COS]!, so = bodies[otherBody + Body.SIN]!;
  const cp = bodies[body + Body.COS]!;
  const sp = bodies[body + Body.SIN]!;
  const c = co * cp + so * sp;
  const s = co * sp - so * cp;
  const dx = bodies[body + Body.ORIGIN_X]! - bodies[otherBody + Body.ORIGIN_X]!;
  const dy = bodies[body + Body.ORIGIN_Y]! - bodies[otherBody + Body.ORIGIN_Y]!;
  const x = co * dx + so * dy, y = co * dy - so * dx;

  const first = polygon + ShapeValue.CORNERS;
  const end = first + shapes[polygon + ShapeValue.CORNER_COUNT]! * Corner.STRIDE;
  const otherFirst = other + ShapeValue.CORNERS;
  const otherEnd = otherFirst + shapes[other + ShapeValue.CORNER_COUNT]! * Corner.STRIDE;
  let maxSeparation = -Infinity;
  let best = 0;
  for (let i = first; i < end; i += Corner.STRIDE) {
    const lnx = shapes[i + Corner.NORMAL_X]!, lny = shapes[i + Corner.NORMAL_Y]!;
    const lx = shapes[i + Corner.X]!, ly = shapes[i + Corner.Y]!;
    const nx = c * lnx - s * lny, ny = s * lnx + c * lny;
    const vx = c * lx - s * ly + x;
    const vy = s * lx + c * ly + y;
    const offset = nx * vx + ny * vy;

    let minDistance = Infinity;
    for (let k = otherFirst; k < otherEnd; k += Corner.STRIDE) {
      const distance = nx * shapes[k + Corner.X]! + ny * shapes[k + Corner.Y]! - offset;
      if (distance < minDistance) minDistance = distance;
    }

    if (minDistance > maxSeparation) {
      maxSeparation = minDistance;
      best = i - first;
    }
  }

  separation[0] = maxSeparation;
  return best / Corner.STRIDE;
}

/** Sets `incidentEdge` to the incident polygon's edge with the smallest normal · face normal. */
function findIncidentEdge(
  shapes: Float64Array,
  reference: number,
  bodies: Float64Array,
  body: number,
  face: number,
  incident: number,
  incidentBody: number,
): void {
  const from = reference + ShapeValue.CORNERS + face * Corner.STRIDE;
  const { places, features } = incidentEdge;

  // The face's normal in the world, and in the frame of the incident polygon
  const lnx = shapes[from + Corner.NORMAL_X]!, lny = shapes[from + Corner.NORMAL_Y]!;
  const ci = bodies[incidentBody + Body.COS]!, si = bodies[incidentBody + Body.SIN]!;
  const c = bodies[body + Body.COS]!, s = bodies[body + Body.SIN]!;
  const x = ci * lnx + si * lny;
  const y = ci * lny - si * lnx;
  const nx = c * x - s * y;
  const ny = s * x + c * y;

  // The edge that looks most against it
  const first = incident + ShapeValue.CORNERS;
  const count = shapes[incident + ShapeValue.CORNER_COUNT]!;
  let minDot = Infinity;
  let best = 0;
  for (let i = 0, at = first; i < count; i++, at += Corner.STRIDE) {
    const dot = nx * shapes[at + Corner.NORMAL_X]! + ny * shapes[at + Corner.NORMAL_Y]!;
    if (dot < minDot) {
      minDot = dot;
      best = i;
    }
  }

  // Its ends in the world
  const originX = bodies[incidentBody + Body.ORIGIN_X]!;
  const originY = bodies[incidentBody + Body.ORIGIN_Y]!;
  const next = best + 1 < count ? best + 1 : 0;
  for (let end = 0; end < 2; end++) {
    const index = end === 0 ? best : next;
    const at = first + index * Corner.STRIDE;
    const lx = shapes[at + Corner.X]!, ly = shapes[at + Corner.Y]!;
    places[2 * end] = ci * lx - si * ly + originX;
    places[2 * end + 1] = si * lx + ci * ly + originY;
    features[end] = packFeatures(face, FeatureType.FACE, index, FeatureType.VERTEX);
  }
}

/**
 * Clips the incident edge to the width of the face and adds the ends that reach the face to the
 * manifold, whose type the caller has set.
 * @param beside how far beyond the ends of the face the other shape still counts, metres
 */
export function clipToFace(
  shapes: Float64Array,
  reference: number,
  bodies: Float64Array,
  body: number,
  face: number,
  incident: number,
  incidentBody: number,
  beside: number,
): void {
  findIncidentEdge(shapes, reference, bodies, body, face, incident, incidentBody);
  const radius = shapes[reference + ShapeValue.RADIUS]! + shapes[incident + ShapeValue.RADIUS]!;

  // The face in its body's frame, and its direction
  const next = face + 1;
  const second = next < shapes[reference + ShapeValue.CORNER_COUNT]! ? next : 0;
  const from = reference + ShapeValue.CORNERS + face * Corner.STRIDE;
  const to = reference + ShapeValue.CORNERS + second * Corner.STRIDE;
  const ax = shapes[from + Corner.X]!, ay = shapes[from + Corner.Y]!;
  const bx = shapes[to + Corner.X]!, by = shapes[to + Corner.Y]!;
  const length = shapes[from + Corner.LENGTH]!;
  const inverse = length > 0 ? 1 / length : 1;
  const alongX = (bx - ax) * inverse, alongY = (by - ay) * inverse;

  // The face in the world
  const c = bodies[body + Body.COS]!, s = bodies[body + Body.SIN]!;
  const originX = bodies[body + Body.ORIGIN_X]!, originY = bodies[body + Body.ORIGIN_Y]!;
  const tx = c * alongX - s * alongY, ty = s * alongX + c * alongY;
  const v1x = c * ax - s * ay + originX, v1y = s * ax + c * ay + originY;
  const v2x = c * bx - s * by + originX, v2y = s * bx + c * by + originY;

  // Cut off what is beside it on either side
  line[LINE_X] = -tx;
  line[LINE_Y] = -ty;
  line[LINE_OFFSET] = -(tx * v1x + ty * v1y) + beside;
  if (clip(halfClipped, incidentEdge, face) < 2) return;

  line[LINE_X] = tx;
  line[LINE_Y] = ty;
  line[LINE_OFFSET] = tx * v2x + ty * v2y + beside;
  if (clip(clipped, halfClipped, second) < 2) return;

  // The ends that reach it
  values[Contact.LOCAL_NORMAL_X] = alongY;
  values[Contact.LOCAL_NORMAL_Y] = -alongX;
  values[Contact.LOCAL_POINT_X] = 0.5 * ax + 0.5 * bx;
  values[Contact.LOCAL_POINT_Y] = 0.5 * ay + 0.5 * by;

  const { places } = clipped;
  const nx = ty;
  const ny = -tx;
  const front = nx * v1x + ny * v1y;
  for (let end = 0; end < 2; end++) {
    if (nx * places[2 * end]! + ny * places[2 * end + 1]! - front <= radius) {
      addPoint(bodies, incidentBody, end);
    }
  }
}

/** Adds an end of `clipped`, in the incident polygon's frame, as the manifold's next point. */
function addPoint(bodies: Float64Array, body: number, end: number): void {
  const { places, features } = clipped;
  const index = ints[ContactInt.POINT_COUNT]!;
  const at = Contact.POINTS + index * ContactPoint.STRIDE;
  const c = bodies[body + Body.COS]!, s = bodies[body + Body.SIN]!;
  const x = places[2 * end]! - bodies[body + Body.ORIGIN_X]!;
  const y = places[2 * end + 1]! - bodies[body + Body.ORIGIN_Y]!;
  values[at + ContactPoint.LOCAL_X] = c * x + s * y;
  values[at + ContactPoint.LOCAL_Y] = c * y - s * x;
  ints[ContactInt.FEATURES + index] = ints[ContactInt.MANIFOLD_TYPE] === ManifoldType.FACE_B
    ? swapFeatures(features[end]!)
    : features[end]!;
  ints[ContactInt.POINT_COUNT] = index + 1;
}
