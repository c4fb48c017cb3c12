/**
 * All numbers of a stage's bodies in one array, one row per body: pose, motion, mass and forces. The solver works on
 * the rows. planck's own properties are accessors onto them (`planck_body.ts`).
 *
 * planck keeps a body in some fifteen objects and one heap number per fraction. With 24 stages that take turns on one
 * core, each step spent a quarter more time on fetching those into the caches.
 */

/** Velocity of the centre of mass, m/s; spin, rad/s; inverse mass, 1/kg; inverse inertia, 1/(kg·m²), 0 if immovable. */
export const VX = 0, VY = 1, SPIN = 2, INVERSE_MASS = 3, INVERSE_INERTIA = 4;
/** Centre of mass, metres, and unwrapped angle, radians. */
export const CENTER_X = 5, CENTER_Y = 6, ANGLE = 7;
/** Transform: cosine and sine of the angle; origin of the body, metres. Code that moves a body must update it. */
export const COS = 8, SIN = 9, ORIGIN_X = 10, ORIGIN_Y = 11;
/** While an island is solved: the angle that `COS` and `SIN` belong to. */
export const TRANSFORM_ANGLE = 12;
/** Centre of mass in the body's frame, metres. */
export const LOCAL_CENTER_X = 13, LOCAL_CENTER_Y = 14;
/** Centre and angle at the start of the world step; fraction of the step done, 0 … 1, after a time of impact. */
export const CENTER_X0 = 15, CENTER_Y0 = 16, ANGLE0 = 17, ALPHA0 = 18;
/** Sleep time: how long the body has been at rest, seconds. */
export const SLEEP_S = 19;
/** Force and torque during this tick, N and N·m. */
export const FORCE_X = 20, FORCE_Y = 21, TORQUE = 22;
/** Constants of the archetype: a factor, and 1/s. */
export const GRAVITY_SCALE = 23, LINEAR_DAMPING = 24, ANGULAR_DAMPING = 25;
/** Farthest point of its shapes from the centre of mass; longest motion in a slow step (`aabb.ts`). Metres. */
export const MAX_EXTENT = 26, MAX_SLOW_MOTION = 27;
export const BODY_STRIDE = 28;

/** One body's row. */
export interface BodyRow {
  readonly values: Float64Array;
  /** Index of the row's first number. */
  readonly offset: number;
}

/** Initial capacity in rows; it doubles when it is used up. */
const ROWS_MIN = 32;

/** The rows of one world's bodies. No result depends on the order of the rows. */
export class BodyRows {
  /** A new array after `grow`. */
  values = new Float64Array(ROWS_MIN * BODY_STRIDE);
  readonly #free: number[] = [];
  #end = 0;

  get isFull(): boolean {
    return this.#free.length === 0 && this.#end === this.values.length;
  }

  /** Doubles the capacity. `values` is a new array then; every reference to the old one must be replaced. */
  grow(): void {
    const larger = new Float64Array(2 * this.values.length);
    larger.set(this.values);
    this.values = larger;
  }

  /** Takes a free row and fills it with zeros; `isFull` must be false. @returns the index of its first number */
  acquire(): number {
    const offset = this.#free.pop();
    if (offset === undefined) return (this.#end += BODY_STRIDE) - BODY_STRIDE;
    this.values.fill(0, offset, offset + BODY_STRIDE);
    return offset;
  }

  /** Gives a row back for other bodies. */
  release(offset: number): void {
    this.#free.push(offset);
  }
}
