/**
 * The manifold of two polygons: planck's `CollidePolygons` on rows of numbers, in its order of
 * operations, bit by bit.
 *
 * The face with the largest separation from the other polygon is the reference face. The other
 * polygon's most anti-parallel edge is the incident edge. It is clipped to the width of the face,
 * and its ends that reach the face are the points. `collide_boxes.ts` is faster for two boxes.
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as contactLayout from "../core/contact_rows.ts";
import * as shapeLayout from "../core/shape_rows.ts";
import * as tuning from "../core/tuning.ts";
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

const { COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;
const { LOCAL_NORMAL_X, LOCAL_NORMAL_Y, LOCAL_POINT_X, LOCAL_POINT_Y } = contactLayout;
const { MANIFOLD_POINTS, MANIFOLD_POINT_STRIDE, POINT_LOCAL_X, POINT_LOCAL_Y } = contactLayout;
const { POINT_COUNT, MANIFOLD_TYPE, FEATURES, FACE_A, FACE_B, VERTEX, FACE } = contactLayout;
const { RADIUS, CORNER_COUNT, CORNERS, CORNER_STRIDE } = shapeLayout;
const { CORNER_X, CORNER_Y, FACE_NORMAL_X, FACE_NORMAL_Y, FACE_LENGTH } = shapeLayout;
const { values, ints } = collision;

/**
 * Metres: B's face must be better by more than this, or the choice would flicker. k_tol of
 * b2CollidePolygons.
 */
const TOLERANCE = 0.1 * tuning.LINEAR_SLOP;

/**
 * Scratch, the second result of `findFace`: the largest separation, metres. Read by
 * `collidePolygons`.
 */
const separation = new Float64Array(1);

/** Sets `collision` for two polygons. */
export function collidePolygons(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  ints[POINT_COUNT] = 0;
  const radius = shapes[a + RADIUS]! + shapes[b + RADIUS]!;

  // No face may separate the two
  const faceA = findFace(shapes, a, bodies, bodyA, b, bodyB);
  const separationA = separation[0]!;
  if (separationA > radius) return;
  const faceB = findFace(shapes, b, bodies, bodyB, a, bodyA);
  const separationB = separation[0]!;
  if (separationB > radius) return;

  // The face that is farther from the other polygon is the reference
  if (separationB > separationA + TOLERANCE) {
    ints[MANIFOLD_TYPE] = FACE_B;
    findIncidentEdge(shapes, b, bodies, bodyB, faceB, a, bodyA);
    clipToFace(shapes, b, bodies, bodyB, faceB, a, bodyA);
  } else {
    ints[MANIFOLD_TYPE] = FACE_A;
    findIncidentEdge(shapes, a, bodies, bodyA, faceA, b, bodyB);
    clipToFace(shapes, a, bodies, bodyA, faceA, b, bodyB);
  }
}

/**
 * @returns the index of the first polygon's face with the largest separation from the other; sets
 *   `separation`
 */
function findFace(
  shapes: Float64Array,
  polygon: number,
  bodies: Float64Array,
  body: number,
  other: number,
  otherBody: number,
): number {
  // The first polygon in the frame of the other
  const co = bodies[otherBody + COS]!, so = bodies[otherBody + SIN]!;
  const cp = bodies[body + COS]!;
  const sp = bodies[body + SIN]!;
  const c = co * cp + so * sp;
  const s = co * sp - so * cp;
  const dx = bodies[body + ORIGIN_X]! - bodies[otherBody + ORIGIN_X]!;
  const dy = bodies[body + ORIGIN_Y]! - bodies[otherBody + ORIGIN_Y]!;
  const x = co * dx + so * dy, y = co * dy - so * dx;

  const first = polygon + CORNERS;
  const end = first + shapes[polygon + CORNER_COUNT]! * CORNER_STRIDE;
  const otherFirst = other + CORNERS;
  const otherEnd = otherFirst + shapes[other + CORNER_COUNT]! * CORNER_STRIDE;
  let maxSeparation = -Infinity;
  let best = 0;
  for (let i = first; i < end; i += CORNER_STRIDE) {
    const lnx = shapes[i + FACE_NORMAL_X]!, lny = shapes[i + FACE_NORMAL_Y]!;
    const lx = shapes[i + CORNER_X]!, ly = shapes[i + CORNER_Y]!;
    const nx = c * lnx - s * lny, ny = s * lnx + c * lny;
    const vx = c * lx - s * ly + x;
    const vy = s * lx + c * ly + y;
    const offset = nx * vx + ny * vy;

    let minDistance = Infinity;
    for (let k = otherFirst; k < otherEnd; k += CORNER_STRIDE) {
      const distance = nx * shapes[k + CORNER_X]! + ny * shapes[k + CORNER_Y]! - offset;
      if (distance < minDistance) minDistance = distance;
    }

    if (minDistance > maxSeparation) {
      maxSeparation = minDistance;
      best = i - first;
    }
  }

  separation[0] = maxSeparation;
  return best / CORNER_STRIDE;
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
  const from = reference + CORNERS + face * CORNER_STRIDE;
  const { places, features } = incidentEdge;

  // The face's normal in the world, and in the frame of the incident polygon
  const lnx = shapes[from + FACE_NORMAL_X]!, lny = shapes[from + FACE_NORMAL_Y]!;
  const ci = bodies[incidentBody + COS]!, si = bodies[incidentBody + SIN]!;
  const c = bodies[body + COS]!, s = bodies[body + SIN]!;
  const x = ci * lnx + si * lny;
  const y = ci * lny - si * lnx;
  const nx = c * x - s * y;
  const ny = s * x + c * y;

  // The edge that looks most against it
  const first = incident + CORNERS;
  const count = shapes[incident + CORNER_COUNT]!;
  let minDot = Infinity;
  let best = 0;
  for (let i = 0, at = first; i < count; i++, at += CORNER_STRIDE) {
    const dot = nx * shapes[at + FACE_NORMAL_X]! + ny * shapes[at + FACE_NORMAL_Y]!;
    if (dot < minDot) {
      minDot = dot;
      best = i;
    }
  }

  const originX = bodies[incidentBody + ORIGIN_X]!;
  const originY = bodies[incidentBody + ORIGIN_Y]!;
  const next = best + 1 < count ? best + 1 : 0;
  for (let end = 0; end < 2; end++) {
    const index = end === 0 ? best : next;
    const at = first + index * CORNER_STRIDE;
    const lx = shapes[at + CORNER_X]!, ly = shapes[at + CORNER_Y]!;
    places[2 * end] = ci * lx - si * ly + originX;
    places[2 * end + 1] = si * lx + ci * ly + originY;
    features[end] = packFeatures(face, FACE, index, VERTEX);
  }
}

/**
 * Clips `incidentEdge` to the width of the face and adds the ends that reach the face to the
 * manifold.
 */
function clipToFace(
  shapes: Float64Array,
  reference: number,
  bodies: Float64Array,
  body: number,
  face: number,
  incident: number,
  incidentBody: number,
): void {
  const radius = shapes[reference + RADIUS]! + shapes[incident + RADIUS]!;
  const next = face + 1;
  const second = next < shapes[reference + CORNER_COUNT]! ? next : 0;
  const from = reference + CORNERS + face * CORNER_STRIDE;
  const to = reference + CORNERS + second * CORNER_STRIDE;

  const ax = shapes[from + CORNER_X]!, ay = shapes[from + CORNER_Y]!;
  const bx = shapes[to + CORNER_X]!, by = shapes[to + CORNER_Y]!;
  const length = shapes[from + FACE_LENGTH]!;
  const inverse = length > 0 ? 1 / length : 1;
  const alongX = (bx - ax) * inverse, alongY = (by - ay) * inverse;

  // The face in the world
  const c = bodies[body + COS]!, s = bodies[body + SIN]!;
  const originX = bodies[body + ORIGIN_X]!, originY = bodies[body + ORIGIN_Y]!;
  const tx = c * alongX - s * alongY, ty = s * alongX + c * alongY;
  const v1x = c * ax - s * ay + originX, v1y = s * ax + c * ay + originY;
  const v2x = c * bx - s * by + originX, v2y = s * bx + c * by + originY;

  // Cut off what is beside it on either side
  line[LINE_X] = -tx;
  line[LINE_Y] = -ty;
  line[LINE_OFFSET] = -(tx * v1x + ty * v1y) + radius;
  if (clip(halfClipped, incidentEdge, face) < 2) return;
  line[LINE_X] = tx;
  line[LINE_Y] = ty;
  line[LINE_OFFSET] = tx * v2x + ty * v2y + radius;
  if (clip(clipped, halfClipped, second) < 2) return;

  // The ends that reach it
  values[LOCAL_NORMAL_X] = alongY;
  values[LOCAL_NORMAL_Y] = -alongX;
  values[LOCAL_POINT_X] = 0.5 * ax + 0.5 * bx;
  values[LOCAL_POINT_Y] = 0.5 * ay + 0.5 * by;
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
  const index = ints[POINT_COUNT]!;
  const at = MANIFOLD_POINTS + index * MANIFOLD_POINT_STRIDE;
  const c = bodies[body + COS]!, s = bodies[body + SIN]!;
  const x = places[2 * end]! - bodies[body + ORIGIN_X]!;
  const y = places[2 * end + 1]! - bodies[body + ORIGIN_Y]!;
  values[at + POINT_LOCAL_X] = c * x + s * y;
  values[at + POINT_LOCAL_Y] = c * y - s * x;
  ints[FEATURES + index] = ints[MANIFOLD_TYPE] === FACE_B
    ? swapFeatures(features[end]!)
    : features[end]!;
  ints[POINT_COUNT] = index + 1;
}
