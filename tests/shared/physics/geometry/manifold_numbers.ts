/** Manifolds as lists of numbers, ours and planck's, so that tests can compare their bits. */
import { Contact, ContactInt, ContactPoint } from "../../../../shared/physics/core/contact_rows.ts";
import { collision } from "../../../../shared/physics/geometry/collision.ts";
import type { planck } from "./planck_reference.ts";

/**
 * Our manifold as a list: number of points, type, normal and point, then features and position of
 * each point.
 */
export function ourNumbers(): readonly number[] {
  const { values, ints } = collision;
  const count = ints[ContactInt.POINT_COUNT]!;
  if (count === 0) return [0];
  const points = [];
  for (let i = 0, at = Contact.POINTS; i < count; i++, at += ContactPoint.STRIDE) {
    points.push(
      ints[ContactInt.FEATURES + i]!,
      values[at + ContactPoint.LOCAL_X]!,
      values[at + ContactPoint.LOCAL_Y]!,
    );
  }
  const face = [
    Contact.LOCAL_NORMAL_X,
    Contact.LOCAL_NORMAL_Y,
    Contact.LOCAL_POINT_X,
    Contact.LOCAL_POINT_Y,
  ].map((at) => values[at]!);
  return [count, ints[ContactInt.MANIFOLD_TYPE]!, ...face, ...points];
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
