/**
 * The contacts of one island as flat numbers. The solver's loops read and write only these and the
 * bodies' rows. The content is valid while one island is solved, so all stages share one scratch.
 *
 *     n  unit normal from A to B            r  arm from a body's centre of mass to the contact point
 *     invM, invI  inverse mass, inertia     r×n = r.x n.y − r.y n.x
 */

/** A row along the normal or the tangent, n, of a velocity constraint. */
export enum ConstraintRow {
  /** r×n of both bodies. */
  RN_A = 0,
  RN_B = 1,

  EFFECTIVE_MASS = 2,

  /** The accumulated impulse, N·s. */
  IMPULSE = 3,

  /** A point's speed along n to reach, m/s. While the point is prepared: its separation, metres. */
  BIAS = 4,
}

/** A contact in `contacts`, for the velocity constraints. */
export enum Constraint {
  NORMAL_X = 0,
  NORMAL_Y = 1,
  FRICTION = 2,
  INVERSE_MASS_A = 3,
  INVERSE_INERTIA_A = 4,
  INVERSE_MASS_B = 5,
  INVERSE_INERTIA_B = 6,

  /** The friction's `ConstraintRow`, without a bias; its direction is the tangent (n.y, −n.x). */
  TANGENT_ROW = 7,

  /**
   * Block solver of two points: symmetric K, K[i][j] = change of vn at i by a unit impulse at j;
   * and its inverse.
   */
  K11 = 11,
  K12 = 12,
  K22 = 13,
  INVERSE_11 = 14,
  INVERSE_12 = 15,
  INVERSE_22 = 16,

  /**
   * B's speed against A along the tangent that friction tries to reach, m/s: the sum of both
   * surfaces' speeds.
   */
  TANGENT_SPEED = 17,

  /** Two points, each a `ConstraintRow`. */
  POINTS = 18,
  POINT_STRIDE = 5,

  STRIDE = POINTS + 2 * POINT_STRIDE,
}

/**
 * A contact in `manifolds`, for the position constraints. It begins with normal and reference
 * point, as a `Contact`.
 */
export enum Manifold {
  /** The two points; metres. */
  LOCAL_POINTS = 4,

  /** The shapes' radii, metres. */
  RADIUS_A = 8,
  RADIUS_B = 9,

  STRIDE = 10,
}

/** A contact in `indices`. */
export enum ConstraintInt {
  /** Offsets of both bodies' rows. */
  BODY_A = 0,
  BODY_B = 1,

  /** Points in the velocity solver and in the position solver. */
  VELOCITY_POINTS = 2,
  POSITION_POINTS = 3,

  /** A `ManifoldType`. */
  TYPE = 4,

  STRIDE = 5,
}

/** The solver step of an island in `step`, or the world step of an impact. */
export enum Step {
  /** Its length and the rest of it, seconds. */
  LENGTH_S = 0,
  REST_S = 1,

  /** At a time of impact: the share of it that is over, 0 … 1. */
  ALPHA = 2,

  /** m/s² */
  GRAVITY_X = 3,
  GRAVITY_Y = 4,

  /**
   * The share of an overlap that the position solver corrects at once, and the separation that it
   * accepts, metres.
   */
  CORRECTED_SHARE = 5,
  SEPARATION_MIN = 6,

  STEPS_PER_S = 7,

  /** The largest motion of a body in one such step, metres and radians. */
  TRANSLATION_MAX = 8,
  ROTATION_MAX = 9,

  /** At an impact: the solver steps that the islands had in the world step. In an island: 0. */
  SOLVER_STEPS_BEFORE = 10,

  /** 1 if a contact that was prepared since the last 0 bounces. */
  BOUNCES = 11,

  STRIDE = 12,
}

/**
 * All offsets of rows are less. V8 checks each index `offset + constant` for an overflow, unless
 * the offset is masked: then the bounds of the sum are known. The solver reads some fifty numbers
 * per contact: without the mask a tick of the pyramid (DESIGN 12.7) takes a fifth longer.
 */
export const INDEX_MASK = 0xffffff;

/** The island under solution. */
export const solverScratch = {
  /** The rows of the island's world (`body_rows.ts`). */
  bodies: new Float64Array(0),
  contacts: new Float64Array(128 * Constraint.STRIDE),
  manifolds: new Float64Array(128 * Manifold.STRIDE),
  indices: new Int32Array(128 * ConstraintInt.STRIDE),
  step: new Float64Array(Step.STRIDE),
  /**
   * By index of the body in the island: its velocity and spin before the step, in three numbers.
   */
  before: new Float64Array(3 * 128),
  /**
   * By row of the body: how far the mean of its velocity and spin over the solver steps lies off
   * the last one, in three numbers. Only with several solver steps. Written by the islands of a
   * world step, read by its impacts.
   */
  meanOffsets: new Float64Array(0),
  /** The world's list of bodies that were too fast (`World.clamped`). */
  clamped: [] as number[],
};

/**
 * Makes room for so many bodies and contacts and drops the content. The stage's own limits bound
 * the numbers.
 */
export function reserve(bodyCount: number, contactCount: number): void {
  if (3 * bodyCount > solverScratch.before.length) {
    solverScratch.before = new Float64Array(6 * bodyCount);
  }
  if (contactCount * ConstraintInt.STRIDE <= solverScratch.indices.length) return;
  const capacity = contactCount * 2;
  solverScratch.contacts = new Float64Array(capacity * Constraint.STRIDE);
  solverScratch.manifolds = new Float64Array(capacity * Manifold.STRIDE);
  solverScratch.indices = new Int32Array(capacity * ConstraintInt.STRIDE);
}
