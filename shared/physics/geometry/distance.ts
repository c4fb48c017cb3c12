/**
 * The distance of two shapes' hulls, without skins: Box2D's b2Distance in planck's order of
 * operations, bit by bit.
 *
 * The algorithm of Gilbert, Johnson and Keerthi searches the point of the Minkowski difference B −
 * A that is nearest to the origin. It adds the farthest corner pair in the direction of the origin
 * to a simplex until that brings no new one.
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as shapeLayout from "../core/shape_rows.ts";
import * as simplexLayout from "./simplex.ts";
import * as tuning from "../core/tuning.ts";
import { isStale, saveMetric, solveSimplex } from "./simplex.ts";

const { COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;
const { RADIUS, CORNER_COUNT, CORNERS, CORNER_STRIDE, CORNER_X, CORNER_Y } = shapeLayout;
const { simplex, simplexInts, WA_X, WA_Y, WB_X, WB_Y, W_X, W_Y, SHARE, VERTEX_STRIDE } =
  simplexLayout;
const { INDEX_A, INDEX_B, INDEX_STRIDE, COUNT } = simplexLayout;
const { EPSILON } = tuning;

/** b2_maxDistanceIters. */
const ITERATIONS_MAX = 20;

/**
 * Scratch, the result: the nearest points on both hulls, in the world, and their distance; metres.
 */
export const nearest = new Float64Array(5);
export const NEAREST_AX = 0;
export const NEAREST_AY = 1;
export const NEAREST_BX = 2;
export const NEAREST_BY = 3;
export const DISTANCE = 4;

/** Scratch, the argument of `findSupport`: a direction in the frame of a shape. */
export const direction = new Float64Array(2);
export const DIRECTION_X = 0;
export const DIRECTION_Y = 1;

/**
 * Scratch: the indices in the simplex before an iteration, as in `simplexInts`. Written by
 * `computeDistance`, read by `isKnown`.
 */
const savedInts = new Int32Array(6);

/** Begins a new pair: the next search does not begin with the result of the last one. */
export function resetSimplex(): void {
  simplexInts[COUNT] = 0;
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
    const count = simplexInts[COUNT]!;
    for (let k = 0; k < 6; k++) savedInts[k] = simplexInts[k]!;
    solveSimplex();
    const left = simplexInts[COUNT]!;
    if (left === 3 || !aimAtOrigin()) break;
    setFarthest(shapes, a, bodies, bodyA, b, bodyB, left);
    if (isKnown(left, count)) break;
    simplexInts[COUNT] = left + 1;
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
  const distance = nearest[DISTANCE]!;
  const radius = shapes[a + RADIUS]! + shapes[b + RADIUS]!;
  return !(distance > radius && distance > EPSILON) || distance - radius < 10 * EPSILON;
}

/**
 * @returns the index of the shape's corner that is farthest in `direction`; the first of several
 */
export function findSupport(shapes: Float64Array, at: number): number {
  const x = direction[DIRECTION_X]!;
  const y = direction[DIRECTION_Y]!;
  const count = shapes[at + CORNER_COUNT]!;
  let best = 0;
  let farthest = -Infinity;
  for (let i = 0, corner = at + CORNERS; i < count; i++, corner += CORNER_STRIDE) {
    const distance = shapes[corner + CORNER_X]! * x + shapes[corner + CORNER_Y]! * y;
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
  for (let i = 0; i < simplexInts[COUNT]!; i++) placeVertex(shapes, a, bodies, bodyA, b, bodyB, i);
  if (isStale()) simplexInts[COUNT] = 0;
  if (simplexInts[COUNT] !== 0) return;
  simplexInts[INDEX_A] = simplexInts[INDEX_B] = 0;
  placeVertex(shapes, a, bodies, bodyA, b, bodyB, 0);
  simplex[SHARE] = 1;
  simplexInts[COUNT] = 1;
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
  const to = vertex * VERTEX_STRIDE;
  const indices = vertex * INDEX_STRIDE;
  const cornerA = a + CORNERS + simplexInts[indices + INDEX_A]! * CORNER_STRIDE;
  const cornerB = b + CORNERS + simplexInts[indices + INDEX_B]! * CORNER_STRIDE;

  const lax = shapes[cornerA + CORNER_X]!, lay = shapes[cornerA + CORNER_Y]!;
  const lbx = shapes[cornerB + CORNER_X]!, lby = shapes[cornerB + CORNER_Y]!;
  const cA = bodies[bodyA + COS]!;
  const sA = bodies[bodyA + SIN]!;
  const cB = bodies[bodyB + COS]!;
  const sB = bodies[bodyB + SIN]!;
  const ax = cA * lax - sA * lay + bodies[bodyA + ORIGIN_X]!;
  const ay = sA * lax + cA * lay + bodies[bodyA + ORIGIN_Y]!;
  const bx = cB * lbx - sB * lby + bodies[bodyB + ORIGIN_X]!;
  const by = sB * lbx + cB * lby + bodies[bodyB + ORIGIN_Y]!;

  simplex[to + WA_X] = ax;
  simplex[to + WA_Y] = ay;
  simplex[to + WB_X] = bx;
  simplex[to + WB_Y] = by;
  simplex[to + W_X] = bx - ax;
  simplex[to + W_Y] = by - ay;
}

/**
 * Sets `direction` in the world from the simplex, a point or a segment, to the origin.
 * @returns whether it has any
 */
function aimAtOrigin(): boolean {
  const x1 = simplex[W_X]!, y1 = simplex[W_Y]!;
  let x = -x1, y = -y1;
  if (simplexInts[COUNT] === 2) {
    const ex = simplex[VERTEX_STRIDE + W_X]! - x1;
    const ey = simplex[VERTEX_STRIDE + W_Y]! - y1;
    const isLeft = -(ex * y1 - ey * x1) > 0;
    x = isLeft ? -ey : ey;
    y = isLeft ? ex : -ex;
  }
  direction[DIRECTION_X] = x;
  direction[DIRECTION_Y] = y;
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
  const x = direction[DIRECTION_X]!;
  const y = direction[DIRECTION_Y]!;
  const indices = vertex * INDEX_STRIDE;
  const cA = bodies[bodyA + COS]!;
  const sA = bodies[bodyA + SIN]!;
  const cB = bodies[bodyB + COS]!;
  const sB = bodies[bodyB + SIN]!;
  direction[DIRECTION_X] = cA * -x + sA * -y;
  direction[DIRECTION_Y] = cA * -y - sA * -x;
  simplexInts[indices + INDEX_A] = findSupport(shapes, a);
  direction[DIRECTION_X] = cB * x + sB * y;
  direction[DIRECTION_Y] = cB * y - sB * x;
  simplexInts[indices + INDEX_B] = findSupport(shapes, b);
  placeVertex(shapes, a, bodies, bodyA, b, bodyB, vertex);
}

/** Whether a new vertex is one of the first `count` saved ones: the search has come to its end. */
function isKnown(vertex: number, count: number): boolean {
  const a = simplexInts[vertex * INDEX_STRIDE + INDEX_A]!;
  const b = simplexInts[vertex * INDEX_STRIDE + INDEX_B]!;
  for (let i = 0; i < count; i++) {
    if (
      savedInts[i * INDEX_STRIDE + INDEX_A] === a && savedInts[i * INDEX_STRIDE + INDEX_B] === b
    ) return true;
  }
  return false;
}

/** Sets `nearest` from the simplex. A triangle contains the origin: the hulls overlap. */
function setNearest(): void {
  const count = simplexInts[COUNT]!;
  const second = VERTEX_STRIDE;
  const third = 2 * VERTEX_STRIDE;
  for (let i = 0; i < 4; i++) {
    const of1 = simplex[i]!;
    const of2 = simplex[second + i]!;
    nearest[i] = count === 1 ? of1 : simplex[SHARE]! * of1 + simplex[second + SHARE]! * of2;
  }
  if (count === 3) {
    nearest[NEAREST_AX] = nearest[NEAREST_AX]! + simplex[third + SHARE]! * simplex[third + WA_X]!;
    nearest[NEAREST_AY] = nearest[NEAREST_AY]! + simplex[third + SHARE]! * simplex[third + WA_Y]!;
    nearest[NEAREST_BX] = nearest[NEAREST_AX]!;
    nearest[NEAREST_BY] = nearest[NEAREST_AY]!;
  }
  const dx = nearest[NEAREST_AX]! - nearest[NEAREST_BX]!;
  const dy = nearest[NEAREST_AY]! - nearest[NEAREST_BY]!;
  nearest[DISTANCE] = Math.sqrt(dx * dx + dy * dy);
}
