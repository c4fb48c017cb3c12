/**
 * All numbers of a stage's bodies in two arrays, one row per body in each. `values` has pose,
 * motion, mass and forces. `ints` has type, flags and links. No result depends on the order of the
 * rows.
 *
 * Bodies as objects kept some fifteen objects and one heap number per fraction. With 24 stages that
 * take turns on one core, each step spent a quarter more time on fetching those into the caches.
 */
import { RowTable } from "./row_table.ts";

/**
 * Velocity of the centre of mass, m/s; spin, rad/s; inverse mass, 1/kg; inverse inertia, 1/(kg·m²),
 * 0 if immovable.
 */
export const VX = 0;
export const VY = 1;
export const SPIN = 2;
export const INVERSE_MASS = 3;
export const INVERSE_INERTIA = 4;
/** Centre of mass, metres, and unwrapped angle, radians. */
export const CENTER_X = 5;
export const CENTER_Y = 6;
export const ANGLE = 7;
/**
 * Transform: cosine and sine of the angle; origin of the body, metres. Code that moves a body must
 * update it.
 */
export const COS = 8;
export const SIN = 9;
export const ORIGIN_X = 10;
export const ORIGIN_Y = 11;
/** While an island is solved: the angle that `COS` and `SIN` belong to. */
export const TRANSFORM_ANGLE = 12;
/** Centre of mass in the body's frame, metres. */
export const LOCAL_CENTER_X = 13;
export const LOCAL_CENTER_Y = 14;
/**
 * Centre and angle at the start of the world step; fraction of the step done, 0 … 1, after a time
 * of impact.
 */
export const CENTER_X0 = 15;
export const CENTER_Y0 = 16;
export const ANGLE0 = 17;
export const ALPHA0 = 18;
/** Sleep time: how long the body has been at rest, seconds. */
export const SLEEP_S = 19;
/** Force and torque during this tick, N and N·m. */
export const FORCE_X = 20;
export const FORCE_Y = 21;
export const TORQUE = 22;
/** A factor, and 1/s: the archetype's, unless it lets the rules change them (`BodyDef.mutable`). */
export const GRAVITY_SCALE = 23;
export const LINEAR_DAMPING = 24;
export const ANGULAR_DAMPING = 25;
/**
 * Farthest point of its shapes from the centre of mass; longest motion in a slow step (`aabb.ts`).
 * Metres.
 */
export const MAX_EXTENT = 26;
export const MAX_SLOW_MOTION = 27;
export const BODY_STRIDE = 28;

/** A row of `ints`: `STATIC`, `KINEMATIC` or `DYNAMIC`; the flags below. */
export const BODY_TYPE = 0;
export const BODY_FLAGS = 1;
export const STATIC = 0;
export const KINEMATIC = 1;
export const DYNAMIC = 2;
/** The row of its first fixture, and the first link of its contacts; `NONE` ends a list. */
export const FIRST_FIXTURE = 2;
export const FIRST_CONTACT = 3;
export const NONE = -1;
/** The id of its entity, 32 bits without sign. */
export const BODY_ID = 4;
/** Number of the newest contact event with a body of a smaller id; it may be out of date. */
export const NEWEST_EVENT = 5;
export const BODY_INTS = 8;

/**
 * Flags. A bullet is continuous against dynamic bodies, too. `FAST` and `MOVED` say how far the
 * body went in this world step (`aabb.ts`). `AABB_CURRENT`: its AABBs enclose the present pose
 * alone, and not a swept motion. `DIRTY`: its numbers may have changed since the end of the last
 * tick. `LISTED`: it is in the list of those awake. `SLEEPLESS`: it never falls asleep. `UNSAVED`:
 * its numbers may have changed since the stage was saved or loaded.
 */
export const AWAKE = 1;
export const BULLET = 2;
export const IN_ISLAND = 4;
export const FAST = 8;
export const MOVED = 16;
export const AABB_CURRENT = 32;
export const DIRTY = 64;
export const LISTED = 128;
export const UNSAVED = 256;
export const SLEEPLESS = 512;

/** One body's row, or a scratch row. */
export interface BodyRow {
  readonly values: Float64Array;
  /** Index of the row's first number. */
  readonly offset: number;
}

/** Initial capacity in rows; it doubles when it is used up. */
const ROWS_MIN = 32;

/** The rows of one world's bodies. */
export class BodyTable extends RowTable {
  constructor() {
    super(ROWS_MIN, BODY_STRIDE, BODY_INTS);
  }
}
