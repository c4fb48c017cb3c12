/**
 * The contacts of one island as flat numbers. The solver's loops read and write only these and the
 * bodies' rows. The content is valid while one island is solved, so all stages share one scratch.
 *
 *     n  unit normal from A to B            r  arm from a body's centre of mass to the contact point
 *     invM, invI  inverse mass, inertia     r×n = r.x n.y − r.y n.x
 */

/** A contact's layout in `contacts`, for the velocity constraints. */
export const NORMAL_X = 0;
export const NORMAL_Y = 1;
export const FRICTION = 2;
export const INVERSE_MASS_A = 3;
export const INVERSE_INERTIA_A = 4;
export const INVERSE_MASS_B = 5;
export const INVERSE_INERTIA_B = 6;
/** A constraint row along n: r×n of both bodies, effective mass, accumulated impulse in N·s. */
export const RN_A = 0;
export const RN_B = 1;
export const EFFECTIVE_MASS = 2;
export const IMPULSE = 3;
/** Offset of the friction row; its direction is the tangent (n.y, −n.x). */
export const TANGENT_ROW = 7;
/**
 * Block solver of two points: symmetric K, K[i][j] = change of vn at i by a unit impulse at j; and
 * its inverse.
 */
export const K11 = 11;
export const K12 = 12;
export const K22 = 13;
export const INVERSE_11 = 14;
export const INVERSE_12 = 15;
export const INVERSE_22 = 16;
/**
 * The speed of B against A along the tangent that friction tries to reach, m/s: the sum of both
 * surfaces' speeds.
 */
export const TANGENT_SPEED = 17;
/**
 * Then two points: a row along n, and the speed along n to reach in m/s. While a point is prepared,
 * `BIAS` holds its separation in metres.
 */
export const POINTS = 18;
export const POINT_STRIDE = 5;
export const BIAS = 4;
export const CONTACT_STRIDE = POINTS + 2 * POINT_STRIDE;

/**
 * A contact's layout in `manifolds`, for the position constraints. Normal and reference point come
 * first, as in `contact_rows.ts`. The two points and the radii of the shapes follow, metres.
 */
export const LOCAL_POINTS = 4;
export const RADIUS_A = 8;
export const RADIUS_B = 9;
export const MANIFOLD_STRIDE = 10;

/**
 * A contact's layout in `indices`: offsets of both bodies' rows, points in the velocity and
 * position solver, type.
 */
export const BODY_A = 0;
export const BODY_B = 1;
export const VELOCITY_POINTS = 2;
export const POSITION_POINTS = 3;
export const TYPE = 4;
export const INDEX_STRIDE = 5;

/**
 * The world step in `step`: its length and the rest of it, seconds; at a time of impact the share
 * of it that is over, 0 … 1. Gravity, m/s². The share of an overlap that the position solver
 * corrects at once, and the separation that it accepts, metres.
 */
export const STEP_S = 0;
export const REST_S = 1;
export const ALPHA = 2;
export const GRAVITY_X = 3;
export const GRAVITY_Y = 4;
export const CORRECTED_SHARE = 5;
export const SEPARATION_MIN = 6;
export const STEPS_PER_S = 7;
/** The largest motion of a body in one world step, metres and radians. */
export const TRANSLATION_MAX = 8;
export const ROTATION_MAX = 9;
export const STEP_STRIDE = 10;

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
  contacts: new Float64Array(128 * CONTACT_STRIDE),
  manifolds: new Float64Array(128 * MANIFOLD_STRIDE),
  indices: new Int32Array(128 * INDEX_STRIDE),
  step: new Float64Array(STEP_STRIDE),
  /**
   * By index of the body in the island: its velocity and spin before the step, in three numbers.
   */
  before: new Float64Array(3 * 128),
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
  if (contactCount * INDEX_STRIDE <= solverScratch.indices.length) return;
  const capacity = contactCount * 2;
  solverScratch.contacts = new Float64Array(capacity * CONTACT_STRIDE);
  solverScratch.manifolds = new Float64Array(capacity * MANIFOLD_STRIDE);
  solverScratch.indices = new Int32Array(capacity * INDEX_STRIDE);
}
