/** Manifolds as lists of numbers, ours and planck's, so that tests can compare their bits. */
import {
  FEATURES,
  LOCAL_NORMAL_X,
  LOCAL_NORMAL_Y,
  LOCAL_POINT_X,
  LOCAL_POINT_Y,
  MANIFOLD_POINT_STRIDE,
  MANIFOLD_POINTS,
  MANIFOLD_TYPE,
  POINT_COUNT,
  POINT_LOCAL_X,
  POINT_LOCAL_Y,
} from "../../../../shared/physics/core/contact_rows.ts";
import { collision } from "../../../../shared/physics/geometry/collision.ts";
import type { planck } from "./planck_reference.ts";

/**
 * Our manifold as a list: number of points, type, normal and point, then features and position of
 * each point.
 */
export function ourNumbers(): readonly number[] {
  const { values, ints } = collision;
  const count = ints[POINT_COUNT]!;
  if (count === 0) return [0];
  const points = [];
  for (let i = 0, at = MANIFOLD_POINTS; i < count; i++, at += MANIFOLD_POINT_STRIDE) {
    points.push(ints[FEATURES + i]!, values[at + POINT_LOCAL_X]!, values[at + POINT_LOCAL_Y]!);
  }
  const face = [LOCAL_NORMAL_X, LOCAL_NORMAL_Y, LOCAL_POINT_X, LOCAL_POINT_Y].map((at) =>
    values[at]!
  );
  return [count, ints[MANIFOLD_TYPE]!, ...face, ...points];
}

/** planck's manifold in the same form. */
export function numbersOf(
  { type, localNormal, localPoint, points, pointCount }: planck.Manifold,
): readonly number[] {
  if (pointCount === 0) return [0];
  const features = points.slice(0, pointCount).flatMap((
    { id: { indexA, indexB, typeA, typeB }, localPoint },
  ) => [
    indexA + (indexB << 8) + (typeA + 1 << 16) + (typeB + 1 << 24),
    localPoint.x,
    localPoint.y,
  ]);
  return [pointCount, type, localNormal.x, localNormal.y, localPoint.x, localPoint.y, ...features];
}
