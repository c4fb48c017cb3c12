/**
 * What a contact knows from one world step to the next: which surfaces touch where, and how hard they pressed. All of it lies in one array.
 * planck's own manifold is some fifteen objects, and each of its fractions one more: where two dozen stages take turns, to fetch them all
 * into the caches again was a sixth of a step. planck's is filled from this one where planck itself asks for it.
 */
import { createManifold, createWorldManifold, type PlanckContact, type PlanckWorldManifold } from "../planck/planck.ts";

/** In the reference shape's frame, metres: the normal, and a place on the face; planck's names. */
export const LOCAL_NORMAL_X = 0, LOCAL_NORMAL_Y = 1, LOCAL_X = 2, LOCAL_Y = 3;
/** Then each of two points: its place in the other shape's frame, metres, its impulses, newton seconds, and its features. */
export const MANIFOLD_POINTS = 4, MANIFOLD_POINT_NUMBERS = 5;
export const PLACE_X = 0, PLACE_Y = 1, NORMAL_IMPULSE = 2, TANGENT_IMPULSE = 3, FEATURES = 4;
/** How many of the points there are, none for sensors; planck's manifold type (`solver_scratch.ts`) where there are any. */
export const POINT_COUNT = 14, MANIFOLD_TYPE = 15;
/** The ids of its fixtures' proxies in the broad-phase, A's and B's. */
export const PROXY_A = 16, PROXY_B = 17;

/** Where a contact's surfaces touch now, as they have just been compared; it has no impulses. Scratch. */
export const found = createManifold();
const world = createWorldManifold();

/** For a new contact. */
export function newMemory(): number[] {
  // Fractions, so that V8 keeps all of them side by side, as they are.
  return [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
}

/** Takes over what was found. A point with the features of one before starts from its impulses, any other from none. */
export function remember({ memory }: PlanckContact): void {
  const { type, pointCount, localNormal, localPoint, points } = found, count = memory[POINT_COUNT]!;
  const first = MANIFOLD_POINTS, second = MANIFOLD_POINTS + MANIFOLD_POINT_NUMBERS;
  const firstFeatures = count > 0 ? memory[first + FEATURES]! : -1;
  const secondFeatures = count > 1 ? memory[second + FEATURES]! : -1;
  const firstNormal = memory[first + NORMAL_IMPULSE]!, firstTangent = memory[first + TANGENT_IMPULSE]!;
  const secondNormal = memory[second + NORMAL_IMPULSE]!, secondTangent = memory[second + TANGENT_IMPULSE]!;
  memory[POINT_COUNT] = pointCount;
  if (pointCount === 0) return;
  memory[MANIFOLD_TYPE] = type;
  memory[LOCAL_NORMAL_X] = localNormal.x;
  memory[LOCAL_NORMAL_Y] = localNormal.y;
  memory[LOCAL_X] = localPoint.x;
  memory[LOCAL_Y] = localPoint.y;
  for (let i = 0, p = MANIFOLD_POINTS; i < pointCount; i++, p += MANIFOLD_POINT_NUMBERS) {
    const { localPoint: { x, y }, id } = points[i as 0 | 1], features = packFeatures(id);
    const isFirst = features === firstFeatures, isSecond = features === secondFeatures;
    memory[p + PLACE_X] = x;
    memory[p + PLACE_Y] = y;
    memory[p + NORMAL_IMPULSE] = isFirst ? firstNormal : isSecond ? secondNormal : 0;
    memory[p + TANGENT_IMPULSE] = isFirst ? firstTangent : isSecond ? secondTangent : 0;
    memory[p + FEATURES] = features;
  }
}

/** Fills planck's manifold. */
export function remindPlanck({ memory, m_manifold: manifold }: PlanckContact): void {
  manifold.type = memory[MANIFOLD_TYPE]!;
  manifold.pointCount = memory[POINT_COUNT]!;
  manifold.localNormal.x = memory[LOCAL_NORMAL_X]!;
  manifold.localNormal.y = memory[LOCAL_NORMAL_Y]!;
  manifold.localPoint.x = memory[LOCAL_X]!;
  manifold.localPoint.y = memory[LOCAL_Y]!;
  for (let i = 0, p = MANIFOLD_POINTS; i < manifold.pointCount; i++, p += MANIFOLD_POINT_NUMBERS) {
    const point = manifold.points[i as 0 | 1], features = memory[p + FEATURES]!;
    point.localPoint.x = memory[p + PLACE_X]!;
    point.localPoint.y = memory[p + PLACE_Y]!;
    point.normalImpulse = memory[p + NORMAL_IMPULSE]!;
    point.tangentImpulse = memory[p + TANGENT_IMPULSE]!;
    point.id.setFeatures(features & 0xff, (features >>> 16 & 0xff) - 1, features >>> 8 & 0xff, (features >>> 24) - 1);
  }
}

/** Normal, points and depths of a contact that touches and is no sensor's, in the world; valid until the next call. */
export function worldManifoldOf(contact: PlanckContact): PlanckWorldManifold {
  remindPlanck(contact);
  contact.getWorldManifold(world);
  return world;
}

/** Both corners or faces of a point in one word, as a snapshot holds them: indices, then types, of which planck's "unset" is -1. */
function packFeatures(
  { indexA, indexB, typeA, typeB }: { indexA: number; indexB: number; typeA: number; typeB: number },
): number {
  return indexA | indexB << 8 | typeA + 1 << 16 | typeB + 1 << 24;
}
