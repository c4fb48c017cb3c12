/**
 * A cheap proof that two hulls do not come near each other within a world step, so that nothing
 * need search their time of impact. Hulls are convex: apart along one axis, they are apart. So it
 * looks along the normal n of their contact.
 *
 * First with n fixed in the world, going back in time from the end of the step:
 *
 *     gap(t) ≥ gap(1) + (1 − t) · (closing − turning)
 *
 * `closing` is how far the centres of mass move towards each other along n over the whole way, and
 * `turning` bounds how far any point of the hulls moves by rotation. The bound is linear in time,
 * so its least value is at one end.
 *
 * If a body turns much, with n fixed to the one that has the face. So a crate in a drum that turns
 * stays on its wall:
 *
 *     gap(t) ≥ min(gap(0), gap(1)) − bend / 8        bend ≥ |second derivative of a corner's distance from the face|
 */
import { Body } from "../core/body_rows.ts";
import { ManifoldType } from "../core/contact_rows.ts";
import { Corner, ShapeType, ShapeValue } from "../core/shape_rows.ts";
import { LINEAR_SLOP } from "../core/tuning.ts";
import { copySweep, moveTo, POSE_A, POSE_B, poses } from "./sweep.ts";
import { IMPACT_TOLERANCE, impactDistance } from "./time_of_impact.ts";
import { WorldManifold, worldManifold } from "./world_manifold.ts";

/**
 * Metres: how much nearer than their time of impact would stop them two hulls may be that do
 * nothing but part.
 */
const PARTING_SLACK = 2 * LINEAR_SLOP;

/** Places in `scratch.axis`. */
const AXIS_X = 0, AXIS_Y = 1;
/** Places in `scratch.reach`. */
const REACH_A = 0;
const REACH_B = 1;
/** The start of a way, for `moveTo`. */
const START = new Float64Array(1);

const scratch = {
  /**
   * The axis from A to B in the world. Written by `staysApart` and `turnAxis`, read by them and
   * `setReach`.
   */
  axis: new Float64Array(2),
  /**
   * How far A reaches along the axis, and B against it, from the origin of the world, metres.
   * Written by `setReach`, read by `staysApart`.
   */
  reach: new Float64Array(2),
};

/**
 * Whether two hulls are farther apart than their time of impact would stop them, from the start of
 * their ways to the end, or do nothing but part. The axis is the normal of `worldManifold`, from A
 * to B. A wrong axis proves nothing, and harms nothing.
 * @param type of the manifold, which has the normal
 */
export function staysApart(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
  type: number,
): boolean {
  const { axis, reach } = scratch;
  axis[AXIS_X] = worldManifold[WorldManifold.NORMAL_X]!;
  axis[AXIS_Y] = worldManifold[WorldManifold.NORMAL_Y]!;
  setReach(REACH_A, shapes, a, bodies, bodyA);
  setReach(REACH_B, shapes, b, bodies, bodyB);

  // The gap along the axis, and what their ways leave of it
  const gap = -reach[REACH_B]! - reach[REACH_A]!;
  const wayX = bodies[bodyB + Body.CENTER_X]! - bodies[bodyB + Body.CENTER_X0]! -
    (bodies[bodyA + Body.CENTER_X]! - bodies[bodyA + Body.CENTER_X0]!);
  const wayY = bodies[bodyB + Body.CENTER_Y]! - bodies[bodyB + Body.CENTER_Y0]! -
    (bodies[bodyA + Body.CENTER_Y]! - bodies[bodyA + Body.CENTER_Y0]!);
  const closing = -wayX * axis[AXIS_X]! - wayY * axis[AXIS_Y]!;
  const turning = turnOf(shapes, a, bodies, bodyA) + turnOf(shapes, b, bodies, bodyB);
  const least = gap + Math.min(0, closing - turning);

  // A search takes hulls that are nearer than the target and its tolerance for touching.
  const needed = impactDistance(shapes, a, b) + 2 * IMPACT_TOLERANCE;
  if (least > needed) return true;

  // Two that do nothing but part, as after a bounce, have no impact although they begin near. A
  // push would lift a ball.
  if (closing + turning <= 0 && least > Math.max(0, needed - PARTING_SLACK)) return true;
  if (turning === 0 || type === ManifoldType.CIRCLES) return false;

  // Let the axis turn with the face
  const isOfA = type === ManifoldType.FACE_A;
  const face = isOfA ? bodyA : bodyB;
  const other = isOfA ? bodyB : bodyA;
  const bend = bendOf(bodies, face, other, Math.sqrt(wayX * wayX + wayY * wayY));
  if (!(gap - bend / 8 > needed)) return false;

  copySweep(POSE_A, bodies, bodyA);
  copySweep(POSE_B, bodies, bodyB);
  moveTo(START, 0);

  turnAxis(bodies, face, isOfA ? POSE_A : POSE_B);
  setReach(REACH_A, shapes, a, poses, POSE_A);
  setReach(REACH_B, shapes, b, poses, POSE_B);
  return -reach[REACH_B]! - reach[REACH_A]! - bend / 8 > needed;
}

/**
 * Sets the normal of `worldManifold` to that of an edge, on the side of the other body's centre of
 * mass.
 */
export function setEdgeNormal(
  shapes: Float64Array,
  edge: number,
  bodies: Float64Array,
  body: number,
  other: number,
): void {
  const corner = edge + ShapeValue.CORNERS;
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  const localX = shapes[corner + Corner.NORMAL_X]!;
  const localY = shapes[corner + Corner.NORMAL_Y]!;
  const nx = c * localX - s * localY, ny = s * localX + c * localY;
  const cornerX = shapes[corner + Corner.X]!, cornerY = shapes[corner + Corner.Y]!;
  const x = bodies[other + Body.CENTER_X]! -
    (c * cornerX - s * cornerY + bodies[body + Body.ORIGIN_X]!);
  const y = bodies[other + Body.CENTER_Y]! -
    (s * cornerX + c * cornerY + bodies[body + Body.ORIGIN_Y]!);
  const sign = x * nx + y * ny >= 0 ? 1 : -1;
  worldManifold[WorldManifold.NORMAL_X] = sign * nx;
  worldManifold[WorldManifold.NORMAL_Y] = sign * ny;
}

/**
 * Sets `reach` of a hull. It returns no fraction, because V8 would allocate a heap number for each:
 * with the test of motions at the end of a tick, a tick of the full scene allocates 4.7 kB in place
 * of 9.1 (`bench match`).
 * @param of whose reach it is
 */
function setReach(
  of: number,
  shapes: Float64Array,
  shape: number,
  bodies: Float64Array,
  body: number,
): void {
  const { axis, reach } = scratch;
  const sign = of === REACH_A ? 1 : -1;
  const nx = sign * axis[AXIS_X]!;
  const ny = sign * axis[AXIS_Y]!;
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  const x = c * nx + s * ny;
  const y = c * ny - s * nx;
  const origin = bodies[body + Body.ORIGIN_X]! * nx + bodies[body + Body.ORIGIN_Y]! * ny;

  if (shapes[shape + ShapeValue.IS_BOX] === 1) {
    const axisX = shapes[shape + ShapeValue.BOX_AXIS_X]!;
    const axisY = shapes[shape + ShapeValue.BOX_AXIS_Y]!;
    const extent = shapes[shape + ShapeValue.BOX_HALF_SIDES]! * Math.abs(x * axisX + y * axisY) +
      shapes[shape + ShapeValue.BOX_HALF_SIDES + 1]! * Math.abs(y * axisX - x * axisY);
    reach[of] = origin + shapes[shape + ShapeValue.BOX_X]! * x +
      shapes[shape + ShapeValue.BOX_Y]! * y + extent;
    return;
  }

  let most = -Infinity;
  for (
    let i = 0, corner = shape + ShapeValue.CORNERS;
    i < shapes[shape + ShapeValue.CORNER_COUNT]!;
    i++, corner += Corner.STRIDE
  ) {
    const far = shapes[corner + Corner.X]! * x + shapes[corner + Corner.Y]! * y;
    if (far > most) most = far;
  }

  reach[of] = origin + most;
}

/**
 * @returns a bound of the way of a hull's points by rotation alone, metres. A circle's hull is its
 *   centre
 */
function turnOf(shapes: Float64Array, shape: number, bodies: Float64Array, body: number): number {
  const turn = Math.abs(bodies[body + Body.ANGLE]! - bodies[body + Body.ANGLE0]!);
  if (turn === 0 || shapes[shape + ShapeValue.TYPE] !== ShapeType.CIRCLE) {
    return turn * bodies[body + Body.MAX_EXTENT]!;
  }
  const x = shapes[shape + ShapeValue.CORNERS + Corner.X]! - bodies[body + Body.LOCAL_CENTER_X]!;
  const y = shapes[shape + ShapeValue.CORNERS + Corner.Y]! - bodies[body + Body.LOCAL_CENTER_Y]!;
  return turn * (Math.abs(x) + Math.abs(y));
}

/**
 * @returns a bound of |(n · (corner − centre of the face's body))″|, metres, with n'' = −turn² n
 * @param way how far the centres of both bodies move against each other, metres
 */
function bendOf(bodies: Float64Array, face: number, other: number, way: number): number {
  const turn = Math.abs(bodies[face + Body.ANGLE]! - bodies[face + Body.ANGLE0]!);
  const otherTurn = Math.abs(bodies[other + Body.ANGLE]! - bodies[other + Body.ANGLE0]!);
  const extent = bodies[other + Body.MAX_EXTENT]!;
  const x = bodies[other + Body.CENTER_X]! - bodies[face + Body.CENTER_X]!;
  const y = bodies[other + Body.CENTER_Y]! - bodies[face + Body.CENTER_Y]!;
  const far = Math.sqrt(x * x + y * y) + extent + way;
  return turn * turn * far + 2 * turn * (way + otherTurn * extent) + otherTurn * otherTurn * extent;
}

/** Turns the axis as a body turns from its present pose to another one. */
function turnAxis(bodies: Float64Array, body: number, pose: number): void {
  const { axis } = scratch;
  const x = axis[AXIS_X]!;
  const y = axis[AXIS_Y]!;
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  const localX = c * x + s * y;
  const localY = c * y - s * x;
  const toC = poses[pose + Body.COS]!;
  const toS = poses[pose + Body.SIN]!;
  axis[AXIS_X] = toC * localX - toS * localY;
  axis[AXIS_Y] = toS * localX + toC * localY;
}
