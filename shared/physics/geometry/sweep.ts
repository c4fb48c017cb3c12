/**
 * The motions of two bodies through a world step, for the search of their time of impact
 * (`time_of_impact.ts`). `poses` has two rows in the layout of `body_rows.ts`, copies of A's and
 * B's. Their transforms are those at time t:
 *
 *     center(t) = (1 − t) · center0 + t · center        angle(t) = (1 − t) · angle0 + t · angle
 */
import { Body } from "../core/body_rows.ts";
import { cosSinInto } from "../core/math.ts";

/** Scratch: the rows of both bodies, of which only the sweep and the transform are valid. */
export const poses = new Float64Array(2 * Body.STRIDE);
/** The offsets of A and B in `poses`. */
export const POSE_A = 0;
export const POSE_B = Body.STRIDE;

/** Copies a body's sweep, with its first angle in −π … π. @param to `POSE_A` or `POSE_B` */
export function copySweep(to: number, bodies: Float64Array, body: number): void {
  poses[to + Body.CENTER_X0] = bodies[body + Body.CENTER_X0]!;
  poses[to + Body.CENTER_Y0] = bodies[body + Body.CENTER_Y0]!;
  poses[to + Body.CENTER_X] = bodies[body + Body.CENTER_X]!;
  poses[to + Body.CENTER_Y] = bodies[body + Body.CENTER_Y]!;
  poses[to + Body.LOCAL_CENTER_X] = bodies[body + Body.LOCAL_CENTER_X]!;
  poses[to + Body.LOCAL_CENTER_Y] = bodies[body + Body.LOCAL_CENTER_Y]!;
  const angle0 = bodies[body + Body.ANGLE0]!;
  const remainder = (angle0 + Math.PI) % (2 * Math.PI);
  const wrapped = remainder + (remainder < 0 ? Math.PI : -Math.PI);
  poses[to + Body.ANGLE0] = wrapped;
  poses[to + Body.ANGLE] = bodies[body + Body.ANGLE]! - (angle0 - wrapped);
}

/**
 * Sets the transforms of both bodies to those at a time.
 * @param times the time is `times[index]`, 0 … 1
 */
export function moveTo(times: Float64Array, index: number): void {
  moveBody(POSE_A, times, index);
  moveBody(POSE_B, times, index);
}

function moveBody(at: number, times: Float64Array, index: number): void {
  const t = times[index]!;
  poses[at + Body.TRANSFORM_ANGLE] = (1 - t) * poses[at + Body.ANGLE0]! +
    t * poses[at + Body.ANGLE]!;
  cosSinInto(poses, at + Body.TRANSFORM_ANGLE, at + Body.COS);
  const c = poses[at + Body.COS]!;
  const s = poses[at + Body.SIN]!;
  const x = poses[at + Body.LOCAL_CENTER_X]!;
  const y = poses[at + Body.LOCAL_CENTER_Y]!;
  poses[at + Body.ORIGIN_X] = (1 - t) * poses[at + Body.CENTER_X0]! +
    t * poses[at + Body.CENTER_X]! -
    (c * x - s * y);
  poses[at + Body.ORIGIN_Y] = (1 - t) * poses[at + Body.CENTER_Y0]! +
    t * poses[at + Body.CENTER_Y]! -
    (s * x + c * y);
}
