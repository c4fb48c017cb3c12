/**
 * All numbers of a stage's bodies in one array, a row each: where they are, how they move, what acts on them. planck keeps them in some
 * fifteen objects a body, and each fraction in one more, all to be fetched into the caches again where stages take turns: of 24 of them each
 * step took a fourth more so. The solver works on the rows themselves. planck's objects are accessors onto them (`planck_body.ts`).
 */

/** Velocity and spin at the centre of mass, m/s and rad/s; inverse mass and inertia, 1/kg and 1/(kg m²), 0 for what nothing moves or turns. */
export const VX = 0, VY = 1, SPIN = 2, INVERSE_MASS = 3, INVERSE_INERTIA = 4;
/** The centre of mass, metres, and the unwrapped angle, radians. */
export const CENTER_X = 5, CENTER_Y = 6, ANGLE = 7;
/** The transform: cosine and sine of the angle, and the body's origin, metres. Whoever moves a body brings it there. */
export const COS = 8, SIN = 9, ORIGIN_X = 10, ORIGIN_Y = 11;
/** While an island is solved, the angle that cosine and sine are of. */
export const TRANSFORM_ANGLE = 12;
/** The centre of mass in the body's frame, metres. */
export const LOCAL_CENTER_X = 13, LOCAL_CENTER_Y = 14;
/** Centre and angle when the world step began, and, where a time of impact has stopped it, the part of the step that is over. */
export const CENTER_X0 = 15, CENTER_Y0 = 16, ANGLE0 = 17, ALPHA0 = 18;
/** How long it has rested, seconds. */
export const SLEEP_S = 19;
/** What acts on it during this tick: newtons and newton metres. */
export const FORCE_X = 20, FORCE_Y = 21, TORQUE = 22;
/** What its kind says: a factor, and 1/s. */
export const GRAVITY_SCALE = 23, LINEAR_DAMPING = 24, ANGULAR_DAMPING = 25;
/** From the centre of mass to its shapes' farthest point; how far it may go in a slow step. Metres. */
export const MAX_EXTENT = 26, MAX_SLOW_MOTION = 27;
export const BODY_STRIDE = 28;

/** One body's place in them. */
export interface BodyRow {
  readonly values: Float64Array;
  /** Where it begins. */
  readonly offset: number;
}

/** Rows at first; doubled where they do not do. */
const ROWS_MIN = 32;

/** The rows of one world's bodies. Which row a body has changes nothing. */
export class BodyRows {
  /** Another array after `grow`. */
  values = new Float64Array(ROWS_MIN * BODY_STRIDE);
  readonly #free: number[] = [];
  #end = 0;

  get isFull(): boolean {
    return this.#free.length === 0 && this.#end === this.values.length;
  }

  /** Makes room: from now on `values` is another array, and whoever keeps the old one must take that. */
  grow(): void {
    const larger = new Float64Array(2 * this.values.length);
    larger.set(this.values);
    this.values = larger;
  }

  /** @returns where a row of zeros begins; there must be one */
  acquire(): number {
    const offset = this.#free.pop();
    if (offset === undefined) return (this.#end += BODY_STRIDE) - BODY_STRIDE;
    this.values.fill(0, offset, offset + BODY_STRIDE);
    return offset;
  }

  /** The row is another body's. */
  release(offset: number): void {
    this.#free.push(offset);
  }
}
