/**
 * The time at which two moving shapes first touch within a world step: Box2D's b2TimeOfImpact,
 * conservative advancement, in planck's order of operations. It reads no clock and keeps no
 * statistics, unlike planck's.
 *
 * From a time at which the hulls are apart it takes their nearest points as an axis. The hulls
 * cannot touch before their separation along that axis falls to the target, which is a root of one
 * variable. It goes there and begins again, until the distance itself is the target.
 *
 * Two things differ from Box2D, both for bodies that would pass through each other there:
 *
 * - Box2D looks at the separation at both ends of the way, and takes hulls that are apart there for
 *   apart all the way. A rod that turns meanwhile may reach over. So a way is searched in pieces,
 *   each so short that the separation stays within the tolerance of a straight line:
 *
 *       |separation − line| ≤ bend · piece² / 8        bend ≥ |second derivative of the separation|
 *
 *   Where one piece is the whole way, because nothing turns much, the result has planck's bits.
 * - The search is bounded, and rounding may spoil it. Box2D then says that it has failed, and the
 *   bodies go on. Here such a search is `UNDECIDED`, and its time is the last one at which the
 *   hulls are known to be apart.
 */
import { Body } from "../core/body_rows.ts";
import { computeDistance, Nearest, nearest, resetSimplex } from "./distance.ts";
import {
  AxisType,
  chooseAxis,
  evaluateSeparation,
  findMinSeparation,
  separation,
} from "./separation.ts";
import { Corner, CORNERS_MAX, ShapeValue } from "../core/shape_rows.ts";
import { copySweep, moveTo, POSE_A, POSE_B, poses } from "./sweep.ts";
import { LINEAR_SLOP } from "../core/tuning.ts";

/**
 * Outcomes: the shapes miss each other, or overlap from the start; they touch at a time; the search
 * has failed.
 */
export const NO_IMPACT = 0;
export const IMPACT = 1;
export const UNDECIDED = 2;
/**
 * Scratch, the result: the time of an impact, or up to which an undecided pair is apart; 0 … 1 of
 * the sweep's rest.
 */
export const impactTime = new Float64Array(1);

/** Metres by which the distance may miss the target, b2TimeOfImpact's tolerance. */
export const IMPACT_TOLERANCE = 0.25 * LINEAR_SLOP;
/**
 * b2_maxTOIIters, for each piece of the way; how often a time is pushed back with one axis,
 * b2_maxPolygonVertices; and of one root's search.
 */
const ITERATIONS_MAX = 20;
const PUSHES_MAX = CORNERS_MAX;
const ROOT_ITERATIONS_MAX = 50;
/** Pieces of a way. A body of 1 m that turns by half a turn in a world step needs 30. */
const PIECES_MAX = 64;

/**
 * Places in `scratch.search`. Times: up to which the hulls are apart; under test; a root's
 * estimate. Separations, metres: the target; those at the first and at the second time. Times: the
 * end of the present piece; at which a distance was last found.
 */
const APART = 0;
const TESTED = 1;
const ROOT = 2;
const TARGET = 3;
const BEFORE = 4;
const AFTER = 5;
const END = 6;
const KNOWN = 7;
/**
 * Places in `scratch.motion`: how far A and B turn, radians; how far their hulls reach from their
 * centres of mass, and the way of B's centre as A's sees it, metres.
 */
const TURN_A = 0;
const TURN_B = 1;
const REACH_A = 2;
const REACH_B = 3;
const WAY = 4;

const scratch = {
  /** Written by `timeOfImpact` and the searches below it, read by them and by `moveTo`. */
  search: new Float64Array(8),
  /** Written by `measureMotion`, read by `searchPiece` and `bendOf`. */
  motion: new Float64Array(5),
};

/** A result of `advance` beside the outcomes: `search[APART]` is a new time. */
const ADVANCED = 3;

/**
 * @returns the distance at which two hulls count as touching, metres: skins overlap by 3 ·
 *   b2_linearSlop
 */
export function impactDistance(shapes: Float64Array, a: number, b: number): number {
  return Math.max(
    LINEAR_SLOP,
    shapes[a + ShapeValue.RADIUS]! + shapes[b + ShapeValue.RADIUS]! - 3 * LINEAR_SLOP,
  );
}

/**
 * Poses in between are those of `sweep.ts`. The sweeps of both bodies must begin at the same time:
 * with equal `Body.ALPHA0`.
 * @param target metres: the distance of the hulls at which they touch
 * @returns the outcome; `impactTime` counts unless that is `NO_IMPACT`
 */
export function timeOfImpact(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
  target = impactDistance(shapes, a, b),
): number {
  const { search } = scratch;
  copySweep(POSE_A, bodies, bodyA);
  copySweep(POSE_B, bodies, bodyB);
  search[APART] = 0;
  search[TARGET] = target;
  resetSimplex();
  measureMotion(shapes, a, b);
  const outcome = searchTime(shapes, a, b);
  impactTime[0] = search[APART]!;
  return outcome;
}

/**
 * Whether two hulls come nearer than a distance on their way. Those that begin nearer count only if
 * they end nearer still. The arguments are those of `timeOfImpact`.
 */
export function comesNearer(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
  distance: number,
): boolean {
  const { search } = scratch;
  if (timeOfImpact(shapes, a, bodies, bodyA, b, bodyB, distance) === NO_IMPACT) return false;
  if (impactTime[0]! > 0) return true;
  const before = nearest[Nearest.DISTANCE]!;
  search[TESTED] = 1;
  moveTo(search, TESTED);
  resetSimplex();
  computeDistance(shapes, a, poses, POSE_A, b, POSE_B);
  return nearest[Nearest.DISTANCE]! < before;
}

function searchTime(shapes: Float64Array, a: number, b: number): number {
  const { search } = scratch;
  for (let piece = 0; piece < PIECES_MAX; piece++) {
    const outcome = searchPiece(shapes, a, b);
    if (outcome !== NO_IMPACT || search[END]! >= 1) return outcome;
    search[APART] = search[END]!;
  }
  return UNDECIDED;
}

/** Sets `motion` for the way in `poses`. */
function measureMotion(shapes: Float64Array, a: number, b: number): void {
  const { motion } = scratch;
  motion[REACH_A] = reachOf(shapes, a, POSE_A);
  motion[REACH_B] = reachOf(shapes, b, POSE_B);
  motion[TURN_A] = motion[REACH_A] > 0
    ? Math.abs(poses[POSE_A + Body.ANGLE]! - poses[POSE_A + Body.ANGLE0]!)
    : 0;
  motion[TURN_B] = motion[REACH_B] > 0
    ? Math.abs(poses[POSE_B + Body.ANGLE]! - poses[POSE_B + Body.ANGLE0]!)
    : 0;
  const ax = poses[POSE_A + Body.CENTER_X]! - poses[POSE_A + Body.CENTER_X0]!;
  const ay = poses[POSE_A + Body.CENTER_Y]! - poses[POSE_A + Body.CENTER_Y0]!;
  const x = poses[POSE_B + Body.CENTER_X]! - poses[POSE_B + Body.CENTER_X0]! - ax;
  const y = poses[POSE_B + Body.CENTER_Y]! - poses[POSE_B + Body.CENTER_Y0]! - ay;
  motion[WAY] = Math.sqrt(x * x + y * y);
}

/**
 * @returns the distance of a body's centre of mass from the farthest corner, 0 if the body does not
 *   turn
 */
function reachOf(shapes: Float64Array, shape: number, pose: number): number {
  if (poses[pose + Body.ANGLE] === poses[pose + Body.ANGLE0]) return 0;
  let squared = 0;
  for (
    let i = 0, corner = shape + ShapeValue.CORNERS;
    i < shapes[shape + ShapeValue.CORNER_COUNT]!;
    i++, corner += Corner.STRIDE
  ) {
    const x = shapes[corner + Corner.X]! - poses[pose + Body.LOCAL_CENTER_X]!;
    const y = shapes[corner + Corner.Y]! - poses[pose + Body.LOCAL_CENTER_Y]!;
    squared = Math.max(squared, x * x + y * y);
  }
  return Math.sqrt(squared);
}

/**
 * Searches from `search[APART]` on, and sets the end of the piece. @returns `NO_IMPACT` if there is
 * none up to that end
 */
function searchPiece(shapes: Float64Array, a: number, b: number): number {
  const { search, motion } = scratch;
  search[END] = 1;
  for (let i = 0; i < ITERATIONS_MAX; i++) {
    // How far apart they are at the start of the piece
    moveTo(search, APART);
    computeDistance(shapes, a, poses, POSE_A, b, POSE_B);
    const distance = nearest[Nearest.DISTANCE]!;
    if (distance <= 0) return overlapOutcome();
    search[KNOWN] = search[APART]!;
    if (distance < search[TARGET]! + IMPACT_TOLERANCE) return IMPACT;

    // The end of the piece: up to there the axis is nearly a line
    const axis = chooseAxis(shapes, a, b);
    const length = Math.sqrt(8 * IMPACT_TOLERANCE / bendOf(axis));
    if (length < 1) {
      // No point of a hull is faster than this, so up to there nothing can touch, whatever the
      // axis.
      const speed = motion[WAY]! + motion[TURN_A]! * motion[REACH_A]! +
        motion[TURN_B]! * motion[REACH_B]!;
      const free = (distance - search[TARGET]!) / speed;
      search[END] = Math.min(1, search[APART]! + Math.max(free, length));
      if (free >= length) return NO_IMPACT;
    }

    const outcome = advance(shapes, a, b);
    if (outcome !== ADVANCED) return outcome;
  }

  return UNDECIDED;
}

/**
 * Hulls that overlap from the start have no time of impact. If they do later, then the search has
 * failed.
 */
function overlapOutcome(): number {
  const { search } = scratch;
  if (search[APART] === 0) return NO_IMPACT;
  search[APART] = search[KNOWN]!;
  return UNDECIDED;
}

/**
 * @returns a bound of the separation's second derivative along an axis, metres; 0 if nothing turns
 */
function bendOf(axis: number): number {
  const { motion } = scratch;
  const turnA = motion[TURN_A]!;
  const turnB = motion[TURN_B]!;
  const way = motion[WAY]!;
  const both = turnA + turnB;
  if (axis === AxisType.FACE_OF_A) {
    return motion[REACH_B]! * both * both + turnA * (turnA * (motion[REACH_A]! + way) + 2 * way);
  }
  if (axis === AxisType.FACE_OF_B) {
    return motion[REACH_A]! * both * both + turnB * (turnB * (motion[REACH_B]! + way) + 2 * way);
  }
  return motion[REACH_A]! * turnA * turnA + motion[REACH_B]! * turnB * turnB;
}

/** Moves `search[APART]` as far as the separation along the chosen axis permits. */
function advance(shapes: Float64Array, a: number, b: number): number {
  const { search } = scratch;
  const target = search[TARGET]!;
  search[TESTED] = search[END]!;

  for (let push = 0; push < PUSHES_MAX; push++) {
    findMinSeparation(shapes, a, b, search, TESTED);
    const after = search[AFTER] = separation[0]!;
    if (after > target + IMPACT_TOLERANCE) return NO_IMPACT;
    if (after > target - IMPACT_TOLERANCE) {
      search[APART] = search[TESTED]!;
      return ADVANCED;
    }
    evaluateSeparation(shapes, a, b, search, APART);
    const before = search[BEFORE] = separation[0]!;
    // Beyond the target already: rounding has spoilt the search.
    if (before < target - IMPACT_TOLERANCE) return UNDECIDED;
    if (before <= target + IMPACT_TOLERANCE) return IMPACT;
    findRoot(shapes, a, b);
  }

  return ADVANCED;
}

/**
 * Moves `search[TESTED]` back to the time at which the separation of the present corners is the
 * target, by bisection and secants in turn.
 */
function findRoot(shapes: Float64Array, a: number, b: number): void {
  const { search } = scratch;
  const target = search[TARGET]!;
  let before = search[BEFORE]!;
  let after = search[AFTER]!;
  let low = search[APART]!;
  let high = search[TESTED]!;

  for (let i = 0; i < ROOT_ITERATIONS_MAX; i++) {
    search[ROOT] = (i & 1) === 0
      ? 0.5 * (low + high)
      : low + (target - before) * (high - low) / (after - before);
    evaluateSeparation(shapes, a, b, search, ROOT);
    const distance = separation[0]!;

    if (Math.abs(distance - target) < IMPACT_TOLERANCE) {
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
