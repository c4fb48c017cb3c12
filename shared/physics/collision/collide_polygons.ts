/**
 * The manifold of two polygons: planck's `CollidePolygons` on flat numbers, in its order of operations, bit by bit.
 *
 * The face with the largest separation from the other polygon is the reference face. The other polygon's most
 * anti-parallel edge is the incident edge. It is clipped to the width of the face, and its ends that reach the face are
 * the points. `collide_boxes.ts` is faster for two boxes.
 */
import type { BodyRow } from "../core/body_rows.ts";
import { copyTransform, newTransform } from "../core/body_transform.ts";
import { boxOf, collideBoxes, FACE, TOLERANCE, VERTEX } from "./collide_boxes.ts";
import { FACE_A, FACE_B } from "../core/manifold_rows.ts";
import type { PlanckManifold, PlanckPolygon, PlanckTransform, Vector } from "../planck/planck.ts";

/** A corner's layout: its position and the normal of the face from it to the next corner. */
const X = 0, Y = 1, NORMAL_X = 2, NORMAL_Y = 3, CORNER_STRIDE = 4;

/** Second result of `findFace`: the largest separation, metres. */
const separation = new Float64Array(1);
/** The clip line: normal and offset. */
const line = new Float64Array(3);
/** Two ends of an edge in clipping: x, y; and features: index and type on the reference, then on the incident. */
interface Ends {
  readonly places: Float64Array;
  readonly features: Int32Array;
}
const [incidentEdge, halfClipped, clipped] = [newEnds(), newEnds(), newEnds()] as const;

function newEnds(): Ends {
  return { places: new Float64Array(4), features: new Int32Array(8) };
}

const transformA = newTransform(), transformB = newTransform();

/** Fills the manifold except its impulses. */
export function collidePolygons(
  into: PlanckManifold,
  a: PlanckPolygon,
  bodyA: BodyRow,
  b: PlanckPolygon,
  bodyB: BodyRow,
): void {
  if (boxOf(a).length > 0 && boxOf(b).length > 0) return collideBoxes(into, a, bodyA, b, bodyB);
  copyTransform(transformA, bodyA);
  copyTransform(transformB, bodyB);
  into.pointCount = 0;
  const radius = a.m_radius + b.m_radius;
  const faceA = findFace(a, transformA, b, transformB), separationA = separation[0]!;
  if (separationA > radius) return;
  const faceB = findFace(b, transformB, a, transformA), separationB = separation[0]!;
  if (separationB > radius) return;
  if (separationB > separationA + TOLERANCE) {
    into.type = FACE_B;
    findIncidentEdge(b, transformB, faceB, a, transformA);
    clipToFace(into, b, transformB, faceB, a, transformA);
  } else {
    into.type = FACE_A;
    findIncidentEdge(a, transformA, faceA, b, transformB);
    clipToFace(into, a, transformA, faceA, b, transformB);
  }
}

/** @returns the polygon's corners as flat numbers, computed once per polygon */
function cornersOf(polygon: PlanckPolygon): Float64Array {
  if (polygon.corners !== undefined) return polygon.corners;
  const corners = new Float64Array(polygon.m_count * CORNER_STRIDE);
  for (let i = 0; i < polygon.m_count; i++) {
    const { x, y } = polygon.m_vertices[i]!, normal = polygon.m_normals[i]!;
    corners.set([x, y, normal.x, normal.y], i * CORNER_STRIDE);
  }
  return polygon.corners = corners;
}

/** @returns the index of the first polygon's face with the largest separation from the other; sets `separation` */
function findFace(
  polygon: PlanckPolygon,
  transform: PlanckTransform,
  other: PlanckPolygon,
  otherTransform: PlanckTransform,
): number {
  const corners = cornersOf(polygon), others = cornersOf(other);
  const { q, p: from } = transform, { q: p, p: to } = otherTransform;
  const c = p.c * q.c + p.s * q.s, s = p.c * q.s - p.s * q.c, dx = from.x - to.x, dy = from.y - to.y;
  const x = p.c * dx + p.s * dy, y = -p.s * dx + p.c * dy;
  let maxSeparation = -Infinity, best = 0;
  for (let i = 0; i < corners.length; i += CORNER_STRIDE) {
    const lnx = corners[i + NORMAL_X]!, lny = corners[i + NORMAL_Y]!, lx = corners[i + X]!, ly = corners[i + Y]!;
    const nx = c * lnx - s * lny, ny = s * lnx + c * lny;
    const vx = c * lx - s * ly + x, vy = s * lx + c * ly + y, offset = nx * vx + ny * vy;
    let minDistance = Infinity;
    for (let k = 0; k < others.length; k += CORNER_STRIDE) {
      const distance = nx * others[k + X]! + ny * others[k + Y]! - offset;
      if (distance < minDistance) minDistance = distance;
    }
    if (minDistance > maxSeparation) {
      maxSeparation = minDistance;
      best = i;
    }
  }
  separation[0] = maxSeparation;
  return best / CORNER_STRIDE;
}

/** Sets `incidentEdge` to the incident polygon's edge with the smallest normal · face normal. */
function findIncidentEdge(
  reference: PlanckPolygon,
  { q: q1 }: PlanckTransform,
  face: number,
  incident: PlanckPolygon,
  { q: q2, p }: PlanckTransform,
): void {
  const corners = cornersOf(reference), others = cornersOf(incident), { places, features } = incidentEdge;
  const lnx = corners[face * CORNER_STRIDE + NORMAL_X]!, lny = corners[face * CORNER_STRIDE + NORMAL_Y]!;
  const x = q2.c * lnx + q2.s * lny, y = -q2.s * lnx + q2.c * lny;
  const nx = q1.c * x - q1.s * y, ny = q1.s * x + q1.c * y;
  let minDot = Infinity, best = 0;
  for (let at = 0; at < others.length; at += CORNER_STRIDE) {
    const dot = nx * others[at + NORMAL_X]! + ny * others[at + NORMAL_Y]!;
    if (dot < minDot) {
      minDot = dot;
      best = at;
    }
  }
  for (let end = 0; end < 2; end++) {
    const at = end === 0 ? best : best + CORNER_STRIDE < others.length ? best + CORNER_STRIDE : 0;
    places[2 * end] = q2.c * others[at + X]! - q2.s * others[at + Y]! + p.x;
    places[2 * end + 1] = q2.s * others[at + X]! + q2.c * others[at + Y]! + p.y;
    setFeature(features, end, face, FACE, at / CORNER_STRIDE, VERTEX);
  }
}

/** Clips `incidentEdge` to the width of the face and adds the ends that reach the face to the manifold. */
function clipToFace(
  into: PlanckManifold,
  reference: PlanckPolygon,
  { q, p }: PlanckTransform,
  face: number,
  incident: PlanckPolygon,
  incidentTransform: PlanckTransform,
): void {
  const radius = reference.m_radius + incident.m_radius, corners = cornersOf(reference), first = face * CORNER_STRIDE;
  const second = first + CORNER_STRIDE < corners.length ? first + CORNER_STRIDE : 0;
  const ax = corners[first + X]!, ay = corners[first + Y]!, bx = corners[second + X]!, by = corners[second + Y]!;
  let alongX = bx - ax, alongY = by - ay;
  const length = Math.sqrt(alongX * alongX + alongY * alongY);
  if (length > 0) {
    const inverse = 1 / length;
    alongX *= inverse;
    alongY *= inverse;
  }
  const tx = q.c * alongX - q.s * alongY, ty = q.s * alongX + q.c * alongY;
  const v1x = q.c * ax - q.s * ay + p.x, v1y = q.s * ax + q.c * ay + p.y;
  const v2x = q.c * bx - q.s * by + p.x, v2y = q.s * bx + q.c * by + p.y;
  setLine(line, -tx, -ty, -(tx * v1x + ty * v1y) + radius);
  if (clip(halfClipped, incidentEdge, face) < 2) return;
  setLine(line, tx, ty, tx * v2x + ty * v2y + radius);
  if (clip(clipped, halfClipped, second / CORNER_STRIDE) < 2) return;
  into.localNormal.x = alongY;
  into.localNormal.y = -alongX;
  into.localPoint.x = 0.5 * ax + 0.5 * bx;
  into.localPoint.y = 0.5 * ay + 0.5 * by;
  const nx = ty, ny = -tx, front = nx * v1x + ny * v1y;
  for (let end = 0; end < 2; end++) {
    const x = clipped.places[2 * end]!, y = clipped.places[2 * end + 1]!;
    if (nx * x + ny * y - front <= radius) addPoint(into, end, incidentTransform);
  }
}

/** Adds an end of `clipped`, in the incident polygon's frame, as the manifold's next point. */
function addPoint(into: PlanckManifold, end: number, { q, p }: PlanckTransform): void {
  const { places, features } = clipped, point = into.points[into.pointCount++ as 0 | 1], at = 4 * end;
  setLocal(point.localPoint, q, places[2 * end]! - p.x, places[2 * end + 1]! - p.y);
  const index1 = features[at]!, type1 = features[at + 1]!, index2 = features[at + 2]!, type2 = features[at + 3]!;
  if (into.type === FACE_B) point.id.setFeatures(index2, type2, index1, type1);
  else point.id.setFeatures(index1, type1, index2, type2);
}

function setLocal(into: Vector, { c, s }: PlanckTransform["q"], x: number, y: number): void {
  into.x = c * x + s * y;
  into.y = -s * x + c * y;
}

function setLine(into: Float64Array, nx: number, ny: number, offset: number): void {
  into[0] = nx;
  into[1] = ny;
  into[2] = offset;
}

/** Keeps the part of an edge behind `line`. A new end has the feature `corner`. @returns the number of ends */
function clip(into: Ends, { places, features }: Ends, corner: number): number {
  const nx = line[0]!, ny = line[1]!, offset = line[2]!;
  const distance0 = nx * places[0]! + ny * places[1]! - offset, distance1 = nx * places[2]! + ny * places[3]! - offset;
  let count = 0;
  if (distance0 <= 0) copyEnd(into, count++, places, features, 0);
  if (distance1 <= 0) copyEnd(into, count++, places, features, 1);
  if (distance0 * distance1 < 0) {
    const t = distance0 / (distance0 - distance1);
    into.places[2 * count] = (1 - t) * places[0]! + t * places[2]!;
    into.places[2 * count + 1] = (1 - t) * places[1]! + t * places[3]!;
    setFeature(into.features, count++, corner, VERTEX, features[2]!, FACE);
  }
  return count;
}

function copyEnd(into: Ends, end: number, places: Float64Array, features: Int32Array, from: number): void {
  into.places[2 * end] = places[2 * from]!;
  into.places[2 * end + 1] = places[2 * from + 1]!;
  const at = 4 * from;
  setFeature(into.features, end, features[at]!, features[at + 1]!, features[at + 2]!, features[at + 3]!);
}

function setFeature(features: Int32Array, end: number, a: number, typeA: number, b: number, typeB: number): void {
  features[4 * end] = a;
  features[4 * end + 1] = typeA;
  features[4 * end + 2] = b;
  features[4 * end + 3] = typeB;
}
