/**
 * The simplex of the Gilbert-Johnson-Keerthi algorithm (`distance.ts`): one to three points of the
 * Minkowski difference B − A. Solving it finds the point of their hull that is nearest to the
 * origin, in barycentric coordinates. After Box2D's b2Simplex in planck's order of operations, bit
 * by bit.
 */
import { EPSILON } from "../core/tuning.ts";

/**
 * A vertex: corners of A and of B in the world, their difference w = B − A, metres; its barycentric
 * coordinate.
 */
export enum Vertex {
  WA_X = 0,
  WA_Y = 1,
  WB_X = 2,
  WB_Y = 3,
  W_X = 4,
  W_Y = 5,
  SHARE = 6,
  STRIDE = 7,
}

/** The vertices, of which the first `simplexInts[SimplexInt.COUNT]` are valid. */
export const simplex = new Float64Array(3 * Vertex.STRIDE);
/** The indices of each vertex's corners, of A and of B; then the number of vertices. */
export const simplexInts = new Int32Array(7);

/** Places in `simplexInts`. */
export enum SimplexInt {
  INDEX_A = 0,
  INDEX_B = 1,

  /** From a vertex's indices to the next one's. */
  INDEX_STRIDE = 2,

  COUNT = 6,
}

/** Offsets of the second and the third vertex. */
const SECOND = Vertex.STRIDE;
const THIRD = 2 * Vertex.STRIDE;

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
  if (simplexInts[SimplexInt.COUNT]! <= 1) return false;
  computeMetric();
  const saved = metrics[SAVED]!;
  const present = metrics[PRESENT]!;
  return present < 0.5 * saved || 2 * saved < present || present < EPSILON;
}

/** Computes the length of a segment, or twice the signed area of a triangle. */
function computeMetric(): void {
  const x = simplex[SECOND + Vertex.W_X]! - simplex[Vertex.W_X]!;
  const y = simplex[SECOND + Vertex.W_Y]! - simplex[Vertex.W_Y]!;
  switch (simplexInts[SimplexInt.COUNT]) {
    case 2:
      metrics[PRESENT] = Math.sqrt(x * x + y * y);
      break;
    case 3:
      metrics[PRESENT] = x * (simplex[THIRD + Vertex.W_Y]! - simplex[Vertex.W_Y]!) -
        y * (simplex[THIRD + Vertex.W_X]! - simplex[Vertex.W_X]!);
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
  if (simplexInts[SimplexInt.COUNT] === 2) solveSegment();
  else if (simplexInts[SimplexInt.COUNT] === 3) solveTriangle();
}

function solveSegment(): void {
  const x1 = simplex[Vertex.W_X]!;
  const y1 = simplex[Vertex.W_Y]!;
  const x2 = simplex[SECOND + Vertex.W_X]!;
  const y2 = simplex[SECOND + Vertex.W_Y]!;
  const ex = x2 - x1;
  const ey = y2 - y1;
  const share2 = -(x1 * ex + y1 * ey);
  if (share2 <= 0) return keepVertex(0);
  const share1 = x2 * ex + y2 * ey;
  if (share1 <= 0) return keepVertex(1);
  const inverse = 1 / (share1 + share2);
  simplex[Vertex.SHARE] = share1 * inverse;
  simplex[SECOND + Vertex.SHARE] = share2 * inverse;
}

/**
 * The cases are Voronoi regions: of corner 1, face 12, face 13, corner 2, corner 3, face 23, and
 * the inside.
 */
function solveTriangle(): void {
  const x1 = simplex[Vertex.W_X]!;
  const y1 = simplex[Vertex.W_Y]!;
  const x2 = simplex[SECOND + Vertex.W_X]!;
  const y2 = simplex[SECOND + Vertex.W_Y]!;
  const x3 = simplex[THIRD + Vertex.W_X]!, y3 = simplex[THIRD + Vertex.W_Y]!;

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

  // The corner, edge or inside that is nearest to it
  if (d12of2 <= 0 && d13of3 <= 0) return keepVertex(0);
  if (d12of1 > 0 && d12of2 > 0 && inside3 <= 0) {
    const inverse = 1 / (d12of1 + d12of2);
    simplex[Vertex.SHARE] = d12of1 * inverse;
    simplex[SECOND + Vertex.SHARE] = d12of2 * inverse;
    simplexInts[SimplexInt.COUNT] = 2;
  } else if (d13of1 > 0 && d13of3 > 0 && inside2 <= 0) {
    const inverse = 1 / (d13of1 + d13of3);
    simplex[Vertex.SHARE] = d13of1 * inverse;
    simplex[THIRD + Vertex.SHARE] = d13of3 * inverse;
    simplexInts[SimplexInt.COUNT] = 2;
    copyVertex(1, 2);
  } else if (d12of1 <= 0 && d23of3 <= 0) keepVertex(1);
  else if (d13of1 <= 0 && d23of2 <= 0) keepVertex(2);
  else if (d23of2 > 0 && d23of3 > 0 && inside1 <= 0) {
    const inverse = 1 / (d23of2 + d23of3);
    simplex[SECOND + Vertex.SHARE] = d23of2 * inverse;
    simplex[THIRD + Vertex.SHARE] = d23of3 * inverse;
    simplexInts[SimplexInt.COUNT] = 2;
    copyVertex(0, 2);
  } else {
    const inverse = 1 / (inside1 + inside2 + inside3);
    simplex[Vertex.SHARE] = inside1 * inverse;
    simplex[SECOND + Vertex.SHARE] = inside2 * inverse;
    simplex[THIRD + Vertex.SHARE] = inside3 * inverse;
  }
}

function keepVertex(index: number): void {
  simplex[index * Vertex.STRIDE + Vertex.SHARE] = 1;
  simplexInts[SimplexInt.COUNT] = 1;
  if (index > 0) copyVertex(0, index);
}

function copyVertex(to: number, from: number): void {
  for (let i = 0; i < Vertex.STRIDE; i++) {
    simplex[to * Vertex.STRIDE + i] = simplex[from * Vertex.STRIDE + i]!;
  }
  simplexInts[to * SimplexInt.INDEX_STRIDE + SimplexInt.INDEX_A] =
    simplexInts[from * SimplexInt.INDEX_STRIDE + SimplexInt.INDEX_A]!;
  simplexInts[to * SimplexInt.INDEX_STRIDE + SimplexInt.INDEX_B] =
    simplexInts[from * SimplexInt.INDEX_STRIDE + SimplexInt.INDEX_B]!;
}
