/**
 * The time at which two moving shapes first touch within a world step: Box2D's b2TimeOfImpact, conservative
 * advancement, in planck's order of operations, bit by bit. It reads no clock and keeps no statistics, unlike planck's.
 *
 * From a time at which the hulls are apart it takes their nearest points as an axis. The hulls cannot touch before
 * their separation along that axis falls to the target, which is a root of one variable. It goes there and begins
 * again, until the distance itself is the target.
 */
import * as distanceLayout from "./distance.ts";
import * as separationLayout from "./separation.ts";
import * as shapeLayout from "../core/shape_rows.ts";
import * as sweepLayout from "./sweep.ts";
import * as tuning from "../core/tuning.ts";
import { computeDistance, resetSimplex } from "./distance.ts";
import { chooseAxis, evaluateSeparation, findMinSeparation } from "./separation.ts";
import { copySweep, moveTo } from "./sweep.ts";

const { RADIUS, CORNERS_MAX } = shapeLayout;
const { nearest, DISTANCE } = distanceLayout;
const { poses, POSE_A, POSE_B } = sweepLayout;
const { separation } = separationLayout;
const { LINEAR_SLOP } = tuning;

/** The result if the shapes do not touch, or overlap from the start. */
export const NO_IMPACT = -1;

/** Metres by which the distance may miss the target, b2TimeOfImpact's tolerance. */
const TOLERANCE = 0.25 * LINEAR_SLOP;
/** b2_maxTOIIters; how often a time is pushed back with one axis, b2_maxPolygonVertices; and of one root's search. */
const ITERATIONS_MAX = 20, PUSHES_MAX = CORNERS_MAX, ROOT_ITERATIONS_MAX = 50;

/**
 * Scratch. Times: up to which the hulls are apart; under test; a root's estimate. Separations, metres: the target; those
 * at the first and at the second time.
 */
const search = new Float64Array(6);
const APART = 0, TESTED = 1, ROOT = 2, TARGET = 3, BEFORE = 4, AFTER = 5;

/** Results of `advance`: the shapes touch at `search[APART]`; they miss each other; `search[APART]` is a new time. */
const TOUCHING = 0, MISSING = 1, ADVANCED = 2;

/**
 * Poses in between are those of `sweep.ts`. The sweeps of both bodies must begin at the same time: with equal `ALPHA0`.
 * @returns the fraction of the rest of the sweep at which the shapes touch, 0 … 1, or `NO_IMPACT`
 */
export function timeOfImpact(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): number {
  copySweep(POSE_A, bodies, bodyA);
  copySweep(POSE_B, bodies, bodyB);
  search[APART] = 0;
  search[TARGET] = Math.max(LINEAR_SLOP, shapes[a + RADIUS]! + shapes[b + RADIUS]! - 3 * LINEAR_SLOP);
  resetSimplex();
  for (let i = 0; i < ITERATIONS_MAX; i++) {
    moveTo(search, APART);
    computeDistance(shapes, a, poses, POSE_A, b, POSE_B);
    const distance = nearest[DISTANCE]!;
    if (distance <= 0) return NO_IMPACT;
    if (distance < search[TARGET]! + TOLERANCE) return search[APART]!;
    chooseAxis(shapes, a, b);
    const outcome = advance(shapes, a, b);
    if (outcome === TOUCHING) return search[APART]!;
    if (outcome === MISSING) return NO_IMPACT;
  }
  return NO_IMPACT;
}

/** Moves `search[APART]` as far as the separation along the chosen axis permits. */
function advance(shapes: Float64Array, a: number, b: number): number {
  const target = search[TARGET]!;
  search[TESTED] = 1;
  for (let push = 0; push < PUSHES_MAX; push++) {
    findMinSeparation(shapes, a, b, search, TESTED);
    const after = search[AFTER] = separation[0]!;
    if (after > target + TOLERANCE) return MISSING;
    if (after > target - TOLERANCE) {
      search[APART] = search[TESTED]!;
      return ADVANCED;
    }
    evaluateSeparation(shapes, a, b, search, APART);
    const before = search[BEFORE] = separation[0]!;
    // Beyond the target already: rounding has spoilt the search.
    if (before < target - TOLERANCE) return MISSING;
    if (before <= target + TOLERANCE) return TOUCHING;
    findRoot(shapes, a, b);
  }
  return ADVANCED;
}

/**
 * Moves `search[TESTED]` back to the time at which the separation of the present corners is the target, by bisection
 * and secants in turn.
 */
function findRoot(shapes: Float64Array, a: number, b: number): void {
  const target = search[TARGET]!;
  let before = search[BEFORE]!, after = search[AFTER]!;
  let low = search[APART]!, high = search[TESTED]!;
  for (let i = 0; i < ROOT_ITERATIONS_MAX; i++) {
    search[ROOT] = (i & 1) === 0 ? 0.5 * (low + high) : low + (target - before) * (high - low) / (after - before);
    evaluateSeparation(shapes, a, b, search, ROOT);
    const distance = separation[0]!;
    if (Math.abs(distance - target) < TOLERANCE) {
      search[TESTED] = search[ROOT]!;
      return;
    }
    if (distance > target) {
      low = search[ROOT]!;
      before = distance;
    } else {
      high = search[ROOT]!;
      after = distance;
    }
  }
}
