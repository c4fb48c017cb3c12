/**
 * The distance of two shapes' hulls, without skins: Box2D's b2Distance in planck's order of
 * operations, bit by bit.
 *
 * The algorithm of Gilbert, Johnson and Keerthi searches the point of the Minkowski difference B −
 * A that is nearest to the origin. It adds the farthest corner pair in the direction of the origin
 * to a simplex until that brings no new one.
 */
import { Body } from "../core/body_rows.ts";
import { Corner, ShapeValue } from "../core/shape_rows.ts";
import {
  isStale,
  saveMetric,
  simplex,
  SimplexInt,
  simplexInts,
  solveSimplex,
  Vertex,
} from "./simplex.ts";
import { EPSILON } from "../core/tuning.ts";

/** b2_maxDistanceIters. */
const ITERATIONS_MAX = 20;

/**
 * Scratch, the result: the nearest points on both hulls, in the world, and their distance; metres.
 */
export const nearest = new Float64Array(5);

/** Places in `nearest`. */
export enum Nearest {
  AX = 0,
  AY = 1,
  BX = 2,
  BY = 3,
  DISTANCE = 4,
}

/** Scratch, the argument of `findSupport`: a direction in the frame of a shape. */
export const direction = new Float64Array(2);

/** Places in `direction`. */
export enum Direction {
  X = 0,
  Y = 1,
}

/**
 * Scratch: the indices in the simplex before an iteration, as in `simplexInts`. Written by
 * `computeDistance`, read by `isKnown`.
 */
const savedInts = new Int32Array(6);

/** Begins a new pair: the next search does not begin with the result of the last one. */
export function resetSimplex(): void {
  simplexInts[SimplexInt.COUNT] = 0;
}

/**
 * Sets `nearest`. The search begins with the corners that the last one found, unless `resetSimplex`
 * was called.
 * @param a offset of A's row in `shapes`
 * @param bodyA offset of A's row in `bodies`, of which only the transform counts
 */
export function computeDistance(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  begin(shapes, a, bodies, bodyA, b, bodyB);
  for (let i = 0; i < ITERATIONS_MAX; i++) {
    const count = simplexInts[SimplexInt.COUNT]!;
    for (let k = 0; k < 6; k++) savedInts[k] = simplexInts[k]!;
    solveSimplex();
    const left = simplexInts[SimplexInt.COUNT]!;
    if (left === 3 || !aimAtOrigin()) break;
    setFarthest(shapes, a, bodies, bodyA, b, bodyB, left);
    if (isKnown(left, count)) break;
    simplexInts[SimplexInt.COUNT] = left + 1;
  }
  setNearest();
  saveMetric();
}

/** Whether the two shapes touch, skins included: planck's `testOverlap`. */
export function overlaps(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): boolean {
  resetSimplex();
  computeDistance(shapes, a, bodies, bodyA, b, bodyB);
  const distance = nearest[Nearest.DISTANCE]!;
  const radius = shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]!;
  return !(distance > radius && distance > EPSILON) || distance - radius < 10 * EPSILON;
}

/**
 * @returns the index of the shape's corner that is farthest in `direction`; the first of several
 */
export function findSupport(shapes: Float64Array, at: number): number {
  const x = direction[Direction.X]!;
  const y = direction[Direction.Y]!;
  const count = shapes[at + ShapeValue.CORNER_COUNT]!;
  let best = 0;
  let farthest = -Infinity;
  for (let i = 0, corner = at + ShapeValue.CORNERS; i < count; i++, corner += Corner.STRIDE) {
    const distance = shapes[corner + Corner.X]! * x + shapes[corner + Corner.Y]! * y;
    if (distance > farthest) {
      farthest = distance;
      best = i;
    }
  }
  return best;
}

/** Moves the vertices of the last search to the present poses, or begins with the first corners. */
function begin(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  for (let i = 0; i < simplexInts[SimplexInt.COUNT]!; i++) {
    placeVertex(shapes, a, bodies, bodyA, b, bodyB, i);
  }
  if (isStale()) simplexInts[SimplexInt.COUNT] = 0;
  if (simplexInts[SimplexInt.COUNT] !== 0) return;
  simplexInts[SimplexInt.INDEX_A] = simplexInts[SimplexInt.INDEX_B] = 0;
  placeVertex(shapes, a, bodies, bodyA, b, bodyB, 0);
  simplex[Vertex.SHARE] = 1;
  simplexInts[SimplexInt.COUNT] = 1;
}

/** Computes a vertex's points from its indices. */
function placeVertex(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
  vertex: number,
): void {
  const to = vertex * Vertex.STRIDE;
  const indices = vertex * SimplexInt.INDEX_STRIDE;
  const cornerA = a + ShapeValue.CORNERS +
    simplexInts[indices + SimplexInt.INDEX_A]! * Corner.STRIDE;
  const cornerB = b + ShapeValue.CORNERS +
    simplexInts[indices + SimplexInt.INDEX_B]! * Corner.STRIDE;

  // Both corners in the world
  const lax = shapes[cornerA + Corner.X]!, lay = shapes[cornerA + Corner.Y]!;
  const lbx = shapes[cornerB + Corner.X]!, lby = shapes[cornerB + Corner.Y]!;
  const cA = bodies[bodyA + Body.COS]!;
  const sA = bodies[bodyA + Body.SIN]!;
  const cB = bodies[bodyB + Body.COS]!;
  const sB = bodies[bodyB + Body.SIN]!;
  const ax = cA * lax - sA * lay + bodies[bodyA + Body.ORIGIN_X]!;
  const ay = sA * lax + cA * lay + bodies[bodyA + Body.ORIGIN_Y]!;
  const bx = cB * lbx - sB * lby + bodies[bodyB + Body.ORIGIN_X]!;
  const by = sB * lbx + cB * lby + bodies[bodyB + Body.ORIGIN_Y]!;

  simplex[to + Vertex.WA_X] = ax;
  simplex[to + Vertex.WA_Y] = ay;
  simplex[to + Vertex.WB_X] = bx;
  simplex[to + Vertex.WB_Y] = by;
  simplex[to + Vertex.W_X] = bx - ax;
  simplex[to + Vertex.W_Y] = by - ay;
}

/**
 * Sets `direction` in the world from the simplex, a point or a segment, to the origin.
 * @returns whether it has any
 */
function aimAtOrigin(): boolean {
  const x1 = simplex[Vertex.W_X]!, y1 = simplex[Vertex.W_Y]!;
  let x = -x1, y = -y1;
  if (simplexInts[SimplexInt.COUNT] === 2) {
    const ex = simplex[Vertex.STRIDE + Vertex.W_X]! - x1;
    const ey = simplex[Vertex.STRIDE + Vertex.W_Y]! - y1;
    const isLeft = -(ex * y1 - ey * x1) > 0;
    x = isLeft ? -ey : ey;
    y = isLeft ? ex : -ex;
  }
  direction[Direction.X] = x;
  direction[Direction.Y] = y;
  return !(x * x + y * y < EPSILON * EPSILON);
}

/** Sets a vertex to the corners of A and B whose difference is farthest in `direction`. */
function setFarthest(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
  vertex: number,
): void {
  const x = direction[Direction.X]!;
  const y = direction[Direction.Y]!;
  const indices = vertex * SimplexInt.INDEX_STRIDE;
  const cA = bodies[bodyA + Body.COS]!;
  const sA = bodies[bodyA + Body.SIN]!;
  const cB = bodies[bodyB + Body.COS]!;
  const sB = bodies[bodyB + Body.SIN]!;
  direction[Direction.X] = cA * -x + sA * -y;
  direction[Direction.Y] = cA * -y - sA * -x;
  simplexInts[indices + SimplexInt.INDEX_A] = findSupport(shapes, a);
  direction[Direction.X] = cB * x + sB * y;
  direction[Direction.Y] = cB * y - sB * x;
  simplexInts[indices + SimplexInt.INDEX_B] = findSupport(shapes, b);
  placeVertex(shapes, a, bodies, bodyA, b, bodyB, vertex);
}

/** Whether a new vertex is one of the first `count` saved ones: the search has come to its end. */
function isKnown(vertex: number, count: number): boolean {
  const a = simplexInts[vertex * SimplexInt.INDEX_STRIDE + SimplexInt.INDEX_A]!;
  const b = simplexInts[vertex * SimplexInt.INDEX_STRIDE + SimplexInt.INDEX_B]!;
  for (let i = 0; i < count; i++) {
    if (
      savedInts[i * SimplexInt.INDEX_STRIDE + SimplexInt.INDEX_A] === a &&
      savedInts[i * SimplexInt.INDEX_STRIDE + SimplexInt.INDEX_B] === b
    ) return true;
  }
  return false;
}

/** Sets `nearest` from the simplex. A triangle contains the origin: the hulls overlap. */
function setNearest(): void {
  const count = simplexInts[SimplexInt.COUNT]!;
  const second = Vertex.STRIDE;
  const third = 2 * Vertex.STRIDE;
  for (let i = 0; i < 4; i++) {
    const of1 = simplex[i]!;
    const of2 = simplex[second + i]!;
    nearest[i] = count === 1
      ? of1
      : simplex[Vertex.SHARE]! * of1 + simplex[second + Vertex.SHARE]! * of2;
  }
  if (count === 3) {
    nearest[Nearest.AX] = nearest[Nearest.AX]! +
      simplex[third + Vertex.SHARE]! * simplex[third + Vertex.WA_X]!;
    nearest[Nearest.AY] = nearest[Nearest.AY]! +
      simplex[third + Vertex.SHARE]! * simplex[third + Vertex.WA_Y]!;
    nearest[Nearest.BX] = nearest[Nearest.AX]!;
    nearest[Nearest.BY] = nearest[Nearest.AY]!;
  }
  const dx = nearest[Nearest.AX]! - nearest[Nearest.BX]!;
  const dy = nearest[Nearest.AY]! - nearest[Nearest.BY]!;
  nearest[Nearest.DISTANCE] = Math.sqrt(dx * dx + dy * dy);
}
