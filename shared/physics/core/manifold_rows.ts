/**
 * A contact's manifold as one row of numbers: the points of contact, and their impulses for warm starting.
 *
 * planck's own manifold consists of some fifteen objects and one heap number per fraction. With two dozen stages that
 * take turns, fetching them into the caches took a sixth of a step. planck's manifold is written only when planck reads
 * it.
 */
import { createManifold, createWorldManifold, type PlanckContact, type PlanckWorldManifold } from "../planck/planck.ts";

/** Normal and a point of the reference face in its body's frame, metres. With two circles: the centre of A's. */
export const LOCAL_NORMAL_X = 0, LOCAL_NORMAL_Y = 1, LOCAL_POINT_X = 2, LOCAL_POINT_Y = 3;
/** Then two points: position in the other body's frame, metres; impulses, N·s; feature pair as one word. */
export const MANIFOLD_POINTS = 4, MANIFOLD_POINT_STRIDE = 5;
export const POINT_LOCAL_X = 0, POINT_LOCAL_Y = 1, NORMAL_IMPULSE = 2, TANGENT_IMPULSE = 3, FEATURES = 4;
/** Number of points, 0 for sensors; manifold type, valid if there is a point. */
export const POINT_COUNT = 14, MANIFOLD_TYPE = 15;
/** planck's manifold types: two circles; a reference face of A; one of B. */
export const CIRCLES = 0, FACE_A = 1, FACE_B = 2;
/** Broad-phase ids of both fixtures. */
export const PROXY_A = 16, PROXY_B = 17;

/** Scratch: result of the newest narrow-phase test, without impulses. */
export const scratchManifold = createManifold();
const scratchWorldManifold = createWorldManifold();

/** @returns the row of a new contact */
export function newManifold(): number[] {
  // Fractions make V8 store the array as unboxed doubles.
  return [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
}

/** Copies `scratchManifold` into the contact. A point keeps its impulses if its features match; others begin at 0. */
export function updateManifold({ manifold }: PlanckContact): void {
  const { type, pointCount, localNormal, localPoint, points } = scratchManifold, count = manifold[POINT_COUNT]!;
  const first = MANIFOLD_POINTS, second = MANIFOLD_POINTS + MANIFOLD_POINT_STRIDE;
  const firstFeatures = count > 0 ? manifold[first + FEATURES]! : -1;
  const secondFeatures = count > 1 ? manifold[second + FEATURES]! : -1;
  const firstNormal = manifold[first + NORMAL_IMPULSE]!, firstTangent = manifold[first + TANGENT_IMPULSE]!;
  const secondNormal = manifold[second + NORMAL_IMPULSE]!, secondTangent = manifold[second + TANGENT_IMPULSE]!;
  manifold[POINT_COUNT] = pointCount;
  if (pointCount === 0) return;
  manifold[MANIFOLD_TYPE] = type;
  manifold[LOCAL_NORMAL_X] = localNormal.x;
  manifold[LOCAL_NORMAL_Y] = localNormal.y;
  manifold[LOCAL_POINT_X] = localPoint.x;
  manifold[LOCAL_POINT_Y] = localPoint.y;
  for (let i = 0, p = MANIFOLD_POINTS; i < pointCount; i++, p += MANIFOLD_POINT_STRIDE) {
    const { localPoint: { x, y }, id } = points[i as 0 | 1], features = packFeatures(id);
    const isFirst = features === firstFeatures, isSecond = features === secondFeatures;
    manifold[p + POINT_LOCAL_X] = x;
    manifold[p + POINT_LOCAL_Y] = y;
    manifold[p + NORMAL_IMPULSE] = isFirst ? firstNormal : isSecond ? secondNormal : 0;
    manifold[p + TANGENT_IMPULSE] = isFirst ? firstTangent : isSecond ? secondTangent : 0;
    manifold[p + FEATURES] = features;
  }
}

/** Copies the contact's row into planck's manifold. */
export function writePlanckManifold({ manifold, m_manifold: planckManifold }: PlanckContact): void {
  planckManifold.type = manifold[MANIFOLD_TYPE]!;
  planckManifold.pointCount = manifold[POINT_COUNT]!;
  planckManifold.localNormal.x = manifold[LOCAL_NORMAL_X]!;
  planckManifold.localNormal.y = manifold[LOCAL_NORMAL_Y]!;
  planckManifold.localPoint.x = manifold[LOCAL_POINT_X]!;
  planckManifold.localPoint.y = manifold[LOCAL_POINT_Y]!;
  for (let i = 0, p = MANIFOLD_POINTS; i < planckManifold.pointCount; i++, p += MANIFOLD_POINT_STRIDE) {
    const point = planckManifold.points[i as 0 | 1], features = manifold[p + FEATURES]!;
    point.localPoint.x = manifold[p + POINT_LOCAL_X]!;
    point.localPoint.y = manifold[p + POINT_LOCAL_Y]!;
    point.normalImpulse = manifold[p + NORMAL_IMPULSE]!;
    point.tangentImpulse = manifold[p + TANGENT_IMPULSE]!;
    point.id.setFeatures(features & 0xff, (features >>> 16 & 0xff) - 1, features >>> 8 & 0xff, (features >>> 24) - 1);
  }
}

/** @returns normal, points and separations in the world, valid until the next call; not for sensors */
export function worldManifoldOf(contact: PlanckContact): PlanckWorldManifold {
  writePlanckManifold(contact);
  contact.getWorldManifold(scratchWorldManifold);
  return scratchWorldManifold;
}

/** Packs both features of a point into one word of a snapshot: indices, then types + 1 (planck's "unset" is −1). */
function packFeatures(
  { indexA, indexB, typeA, typeB }: { indexA: number; indexB: number; typeA: number; typeB: number },
): number {
  return indexA | indexB << 8 | typeA + 1 << 16 | typeB + 1 << 24;
}
