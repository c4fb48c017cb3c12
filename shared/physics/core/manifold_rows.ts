/**
 * What a contact knows from one world step to the next: which surfaces touch where, and how hard they pressed. All of it lies in one array.
 * planck's own manifold is some fifteen objects, and each of its fractions one more: where two dozen stages take turns, to fetch them all
 * into the caches again was a sixth of a step. planck's is filled from this one where planck itself asks for it.
 */
import { createManifold, createWorldManifold, type PlanckContact, type PlanckWorldManifold } from "../planck/planck.ts";

/** In the reference shape's frame, metres: the normal, and a place on the face; planck's names. */
export const LOCAL_NORMAL_X = 0, LOCAL_NORMAL_Y = 1, LOCAL_POINT_X = 2, LOCAL_POINT_Y = 3;
/** Then each of two points: its place in the other shape's frame, metres, its impulses, newton seconds, and its features. */
export const MANIFOLD_POINTS = 4, MANIFOLD_POINT_STRIDE = 5;
export const POINT_LOCAL_X = 0, POINT_LOCAL_Y = 1, NORMAL_IMPULSE = 2, TANGENT_IMPULSE = 3, FEATURES = 4;
/** How many of the points there are, none for sensors; planck's manifold type where there are any. */
export const POINT_COUNT = 14, MANIFOLD_TYPE = 15;
/** planck's manifold types: two circles; the reference face is A's; it is B's. */
export const CIRCLES = 0, FACE_A = 1, FACE_B = 2;
/** The ids of its fixtures' proxies in the broad-phase, A's and B's. */
export const PROXY_A = 16, PROXY_B = 17;

/** Where a contact's surfaces touch now, as they have just been compared; it has no impulses. Scratch. */
export const scratchManifold = createManifold();
const scratchWorldManifold = createWorldManifold();

/** For a new contact. */
export function newManifold(): number[] {
  // Fractions, so that V8 keeps all of them side by side, as they are.
  return [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
}

/** Takes over what was found. A point with the features of one before starts from its impulses, any other from none. */
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

/** Fills planck's manifold. */
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

/** Normal, points and depths of a contact that touches and is no sensor's, in the world; valid until the next call. */
export function worldManifoldOf(contact: PlanckContact): PlanckWorldManifold {
  writePlanckManifold(contact);
  contact.getWorldManifold(scratchWorldManifold);
  return scratchWorldManifold;
}

/** Both corners or faces of a point in one word, as a snapshot holds them: indices, then types, of which planck's "unset" is -1. */
function packFeatures(
  { indexA, indexB, typeA, typeB }: { indexA: number; indexB: number; typeA: number; typeB: number },
): number {
  return indexA | indexB << 8 | typeA + 1 << 16 | typeB + 1 << 24;
}
