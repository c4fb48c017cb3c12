/**
 * The motions of two bodies through a world step, for the search of their time of impact
 * (`time_of_impact.ts`). `poses` has two rows in the layout of `body_rows.ts`, copies of A's and
 * B's. Their transforms are those at time t:
 *
 *     center(t) = (1 − t) · center0 + t · center        angle(t) = (1 − t) · angle0 + t · angle
 */
import * as bodyLayout from "../core/body_rows.ts";
import { cosSinInto } from "../core/math.ts";

const { BODY_STRIDE, CENTER_X, CENTER_Y, ANGLE, CENTER_X0, CENTER_Y0, ANGLE0, TRANSFORM_ANGLE } =
  bodyLayout;
const { COS, SIN, ORIGIN_X, ORIGIN_Y, LOCAL_CENTER_X, LOCAL_CENTER_Y } = bodyLayout;

/** Scratch: the rows of both bodies, of which only the sweep and the transform are valid. */
export const poses = new Float64Array(2 * BODY_STRIDE);
/** The offsets of A and B in `poses`. */
export const POSE_A = 0;
export const POSE_B = BODY_STRIDE;

/** Copies a body's sweep, with its first angle in −π … π. @param to `POSE_A` or `POSE_B` */
export function copySweep(to: number, bodies: Float64Array, body: number): void {
  poses[to + CENTER_X0] = bodies[body + CENTER_X0]!;
  poses[to + CENTER_Y0] = bodies[body + CENTER_Y0]!;
  poses[to + CENTER_X] = bodies[body + CENTER_X]!;
  poses[to + CENTER_Y] = bodies[body + CENTER_Y]!;
  poses[to + LOCAL_CENTER_X] = bodies[body + LOCAL_CENTER_X]!;
  poses[to + LOCAL_CENTER_Y] = bodies[body + LOCAL_CENTER_Y]!;
  const angle0 = bodies[body + ANGLE0]!;
  const remainder = (angle0 + Math.PI) % (2 * Math.PI);
  const wrapped = remainder + (remainder < 0 ? Math.PI : -Math.PI);
  poses[to + ANGLE0] = wrapped;
  poses[to + ANGLE] = bodies[body + ANGLE]! - (angle0 - wrapped);
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
  poses[at + TRANSFORM_ANGLE] = (1 - t) * poses[at + ANGLE0]! + t * poses[at + ANGLE]!;
  cosSinInto(poses, at + TRANSFORM_ANGLE, at + COS);
  const c = poses[at + COS]!;
  const s = poses[at + SIN]!;
  const x = poses[at + LOCAL_CENTER_X]!;
  const y = poses[at + LOCAL_CENTER_Y]!;
  poses[at + ORIGIN_X] = (1 - t) * poses[at + CENTER_X0]! + t * poses[at + CENTER_X]! -
    (c * x - s * y);
  poses[at + ORIGIN_Y] = (1 - t) * poses[at + CENTER_Y0]! + t * poses[at + CENTER_Y]! -
    (s * x + c * y);
}
