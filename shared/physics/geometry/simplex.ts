/**
 * The simplex of the Gilbert-Johnson-Keerthi algorithm (`distance.ts`): one to three points of the
 * Minkowski difference B − A. Solving it finds the point of their hull that is nearest to the
 * origin, in barycentric coordinates. After Box2D's b2Simplex in planck's order of operations, bit
 * by bit.
 */
import * as tuning from "../core/tuning.ts";

const { EPSILON } = tuning;

/**
 * A vertex: corners of A and of B in the world, their difference w = B − A, metres; its barycentric
 * coordinate.
 */
export const WA_X = 0;
export const WA_Y = 1;
export const WB_X = 2;
export const WB_Y = 3;
export const W_X = 4;
export const W_Y = 5;
export const SHARE = 6;
export const VERTEX_STRIDE = 7;
/** The vertices, of which the first `simplexInts[COUNT]` are valid. */
export const simplex = new Float64Array(3 * VERTEX_STRIDE);
/** The indices of each vertex's corners, of A and of B; then the number of vertices. */
export const simplexInts = new Int32Array(7);
export const INDEX_A = 0;
export const INDEX_B = 1;
export const INDEX_STRIDE = 2;
export const COUNT = 6;

/** Offsets of the second and the third vertex. */
const SECOND = VERTEX_STRIDE;
const THIRD = 2 * VERTEX_STRIDE;

/**
 * Scratch: the metric at the end of the newest search, and now. Written by `saveMetric` and
 * `computeMetric`, read by `saveMetric` and `isStale`.
 */
const metrics = new Float64Array(2);
const SAVED = 0;
const PRESENT = 1;

/** Saves the simplex's size, for `isStale`. */
export function saveMetric(): void {
  computeMetric();
  metrics[SAVED] = metrics[PRESENT]!;
}

/**
 * Whether the simplex of the newest search, at new poses, has become too large or too small to
 * begin with.
 */
export function isStale(): boolean {
  if (simplexInts[COUNT]! <= 1) return false;
  computeMetric();
  const saved = metrics[SAVED]!;
  const present = metrics[PRESENT]!;
  return present < 0.5 * saved || 2 * saved < present || present < EPSILON;
}

/** Computes the length of a segment, or twice the signed area of a triangle. */
function computeMetric(): void {
  const x = simplex[SECOND + W_X]! - simplex[W_X]!;
  const y = simplex[SECOND + W_Y]! - simplex[W_Y]!;
  switch (simplexInts[COUNT]) {
    case 2:
      metrics[PRESENT] = Math.sqrt(x * x + y * y);
      break;
    case 3:
      metrics[PRESENT] = x * (simplex[THIRD + W_Y]! - simplex[W_Y]!) -
        y * (simplex[THIRD + W_X]! - simplex[W_X]!);
      break;
    default:
      metrics[PRESENT] = 0;
  }
}

/**
 * Reduces the simplex to the vertices that span the point nearest to the origin, and sets their
 * coordinates.
 */
export function solveSimplex(): void {
  if (simplexInts[COUNT] === 2) solveSegment();
  else if (simplexInts[COUNT] === 3) solveTriangle();
}

function solveSegment(): void {
  const x1 = simplex[W_X]!;
  const y1 = simplex[W_Y]!;
  const x2 = simplex[SECOND + W_X]!;
  const y2 = simplex[SECOND + W_Y]!;
  const ex = x2 - x1;
  const ey = y2 - y1;
  const share2 = -(x1 * ex + y1 * ey);
  if (share2 <= 0) return keepVertex(0);
  const share1 = x2 * ex + y2 * ey;
  if (share1 <= 0) return keepVertex(1);
  const inverse = 1 / (share1 + share2);
  simplex[SHARE] = share1 * inverse;
  simplex[SECOND + SHARE] = share2 * inverse;
}

/**
 * The cases are Voronoi regions: of corner 1, face 12, face 13, corner 2, corner 3, face 23, and
 * the inside.
 */
function solveTriangle(): void {
  const x1 = simplex[W_X]!;
  const y1 = simplex[W_Y]!;
  const x2 = simplex[SECOND + W_X]!;
  const y2 = simplex[SECOND + W_Y]!;
  const x3 = simplex[THIRD + W_X]!, y3 = simplex[THIRD + W_Y]!;

  // The edges, and how far the origin is along each
  const e12x = x2 - x1;
  const e12y = y2 - y1;
  const e13x = x3 - x1;
  const e13y = y3 - y1;
  const e23x = x3 - x2;
  const e23y = y3 - y2;
  const d12of1 = x2 * e12x + y2 * e12y;
  const d12of2 = -(x1 * e12x + y1 * e12y);
  const d13of1 = x3 * e13x + y3 * e13y;
  const d13of3 = -(x1 * e13x + y1 * e13y);
  const d23of2 = x3 * e23x + y3 * e23y;
  const d23of3 = -(x2 * e23x + y2 * e23y);

  // On which side of each the origin is
  const area = e12x * e13y - e12y * e13x;
  const inside1 = area * (x2 * y3 - y2 * x3);
  const inside2 = area * (x3 * y1 - y3 * x1);
  const inside3 = area * (x1 * y2 - y1 * x2);

  if (d12of2 <= 0 && d13of3 <= 0) return keepVertex(0);
  if (d12of1 > 0 && d12of2 > 0 && inside3 <= 0) {
    const inverse = 1 / (d12of1 + d12of2);
    simplex[SHARE] = d12of1 * inverse;
    simplex[SECOND + SHARE] = d12of2 * inverse;
    simplexInts[COUNT] = 2;
  } else if (d13of1 > 0 && d13of3 > 0 && inside2 <= 0) {
    const inverse = 1 / (d13of1 + d13of3);
    simplex[SHARE] = d13of1 * inverse;
    simplex[THIRD + SHARE] = d13of3 * inverse;
    simplexInts[COUNT] = 2;
    copyVertex(1, 2);
  } else if (d12of1 <= 0 && d23of3 <= 0) keepVertex(1);
  else if (d13of1 <= 0 && d23of2 <= 0) keepVertex(2);
  else if (d23of2 > 0 && d23of3 > 0 && inside1 <= 0) {
    const inverse = 1 / (d23of2 + d23of3);
    simplex[SECOND + SHARE] = d23of2 * inverse;
    simplex[THIRD + SHARE] = d23of3 * inverse;
    simplexInts[COUNT] = 2;
    copyVertex(0, 2);
  } else {
    const inverse = 1 / (inside1 + inside2 + inside3);
    simplex[SHARE] = inside1 * inverse;
    simplex[SECOND + SHARE] = inside2 * inverse;
    simplex[THIRD + SHARE] = inside3 * inverse;
  }
}

function keepVertex(index: number): void {
  simplex[index * VERTEX_STRIDE + SHARE] = 1;
  simplexInts[COUNT] = 1;
  if (index > 0) copyVertex(0, index);
}

function copyVertex(to: number, from: number): void {
  for (let i = 0; i < VERTEX_STRIDE; i++) {
    simplex[to * VERTEX_STRIDE + i] = simplex[from * VERTEX_STRIDE + i]!;
  }
  simplexInts[to * INDEX_STRIDE + INDEX_A] = simplexInts[from * INDEX_STRIDE + INDEX_A]!;
  simplexInts[to * INDEX_STRIDE + INDEX_B] = simplexInts[from * INDEX_STRIDE + INDEX_B]!;
}
