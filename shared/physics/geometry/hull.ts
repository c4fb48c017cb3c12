/**
 * The convex hull of an author's polygon, after Box2D's b2PolygonShape::Set: corners that are too
 * near to another are welded to it, then gift wrapping goes around the rest from the rightmost one.
 * The order of corners decides the order of a contact's points, and so bits of a match. It is
 * planck's, and so are all roundings; the tests compare each bit.
 */
import { LINEAR_SLOP } from "../core/tuning.ts";

/** A position or a direction in the body's frame. */
export type Pair = readonly [x: number, y: number];

/** A convex polygon in the body's frame, metres. */
export interface Hull {
  /** Counter-clockwise, 3 … `CORNERS_MAX`. */
  readonly corners: readonly Pair[];
  /** Outward unit normal of the face from each corner to the next one. */
  readonly normals: readonly Pair[];
  readonly centroid: Pair;
}

/** Metres. A nearer corner is welded to the one that was listed before it. */
const WELD_DISTANCE = 0.5 * LINEAR_SLOP;

/**
 * @param corners 3 to `CORNERS_MAX`, convex, in either order, metres; `convexCorners` has checked
 *   them
 * @returns the hull, from its rightmost corner on, and from the lower one of two
 * @throws RangeError if the corners have no area once the near ones are welded
 */
export function hullOf(corners: readonly Pair[]): Hull {
  const hull = giftWrap(welded(corners));
  return { corners: hull, normals: hull.map(normalAfter), centroid: centroidOf(hull) };
}

/** Leaves out every corner that is too near to an earlier one. */
function welded(corners: readonly Pair[]): readonly Pair[] {
  const kept: Pair[] = [];

  for (const [x, y] of corners) {
    const isNew = kept.every(([keptX, keptY]) => {
      const dx = x - keptX;
      const dy = y - keptY;
      return dx * dx + dy * dy >= WELD_DISTANCE * WELD_DISTANCE;
    });
    if (isNew) kept.push([x, y]);
  }

  return kept;
}

/** @returns the points on the hull, counter-clockwise; those within a straight side are left out */
function giftWrap(points: readonly Pair[]): readonly Pair[] {
  // The rightmost point, and the lower one of two
  let first = 0;
  for (let i = 1; i < points.length; i++) {
    const [x, y] = points[i]!;
    const [firstX, firstY] = points[first]!;
    if (x > firstX || (x === firstX && y < firstY)) first = i;
  }

  // Rounding could lead past the first point on a way that is not convex.
  const hull: Pair[] = [];
  let at = first;
  do {
    hull.push(points[at]!);
    at = nextOnHull(points, at);
  } while (at !== first && hull.length < points.length);

  if (at !== first || hull.length < 3) throw new RangeError("the corners have no convex hull");
  return hull;
}

/** @returns the index of the point that has no other one to the right of the way to it */
function nextOnHull(points: readonly Pair[], from: number): number {
  const [fromX, fromY] = points[from]!;
  let next = from === 0 ? 1 : 0;

  for (let i = next + 1; i < points.length; i++) {
    const nextX = points[next]![0] - fromX;
    const nextY = points[next]![1] - fromY;
    const x = points[i]![0] - fromX;
    const y = points[i]![1] - fromY;
    const side = nextX * y - nextY * x;
    const isFarther = x * x + y * y > nextX * nextX + nextY * nextY;
    if (side < 0 || (side === 0 && isFarther)) next = i;
  }

  return next;
}

/** The unit normal of the face from one corner to the next, outward. */
function normalAfter([x, y]: Pair, index: number, hull: readonly Pair[]): Pair {
  const [nextX, nextY] = hull[(index + 1) % hull.length]!;
  const dx = nextX - x;
  const dy = nextY - y;
  const inverse = 1 / Math.sqrt(dx * dx + dy * dy);
  return [dy * inverse, -dx * inverse];
}

/** The mean of the triangles from the origin to each face, weighted by their signed areas. */
function centroidOf(hull: readonly Pair[]): Pair {
  const third = 1 / 3;
  let area = 0;
  let sumX = 0;
  let sumY = 0;

  for (let i = 0; i < hull.length; i++) {
    const [x, y] = hull[i]!;
    const [nextX, nextY] = hull[(i + 1) % hull.length]!;
    const triangle = 0.5 * (x * nextY - y * nextX);
    area += triangle;
    sumX += triangle * third * (x + nextX);
    sumY += triangle * third * (y + nextY);
  }

  const inverse = 1 / area;
  return [sumX * inverse, sumY * inverse];
}
