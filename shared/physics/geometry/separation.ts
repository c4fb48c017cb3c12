/**
 * The separation of two moving hulls along one axis, as a function of time: Box2D's
 * b2SeparationFunction in planck's order of operations, bit by bit. The nearest points of both
 * hulls at the start define the axis:
 *
 * | nearest points           | axis                                  | separation                           |
 * | ------------------------ | ------------------------------------- | ------------------------------------ |
 * | a corner and a corner    | from A's to B's, fixed in the world   | of two corners along the axis        |
 * | a face of A and a corner | the face's normal, fixed in A's frame | of a corner of B from the face of A  |
 * | a corner and a face of B | the face's normal, fixed in B's frame | of a corner of A from the face of B  |
 */
import { Body } from "../core/body_rows.ts";
import { Direction, direction, findSupport } from "./distance.ts";
import { Corner, ShapeValue } from "../core/shape_rows.ts";
import { simplex, SimplexInt, simplexInts, Vertex } from "./simplex.ts";
import { moveTo, POSE_A, POSE_B, poses } from "./sweep.ts";

/** Places in `scratch.axis`: the axis; a point of the face in its body's frame, metres. */
const AXIS_X = 0;
const AXIS_Y = 1;
const FACE_X = 2;
const FACE_Y = 3;
/** Places in `scratch.chosen`: the type; indices of the corners nearest along the axis. */
const TYPE = 0;
const CORNER_A = 1;
const CORNER_B = 2;

/** Types of the axis. */
export enum AxisType {
  POINTS = 0,
  FACE_OF_A = 1,
  FACE_OF_B = 2,
}

/**
 * The separation along the axis, metres. Written by `computeSeparation`, read by `chooseAxis` and
 * the time of impact.
 */
export const separation = new Float64Array(1);

const scratch = {
  /** Written by `chooseAxis` and `setAxis`, read by all that aim or measure along the axis. */
  axis: new Float64Array(4),
  /** Written by `chooseAxis` and `findMinSeparation`, read by them and `computeSeparation`. */
  chosen: new Int32Array(3),
};

/**
 * Chooses the axis from the simplex of the newest distance, which must be that of the present poses
 * (`sweep.ts`).
 * @returns its type
 */
export function chooseAxis(shapes: Float64Array, a: number, b: number): number {
  const { axis, chosen } = scratch;
  // The normal is the line between the two corners
  if (simplexInts[SimplexInt.COUNT] === 1) {
    setAxis(simplex[Vertex.W_X]!, simplex[Vertex.W_Y]!);
    return chosen[TYPE] = AxisType.POINTS;
  }

  // The two vertices have one corner of A, and two of B, or else two of A.
  const isOfB =
    simplexInts[SimplexInt.INDEX_A] === simplexInts[SimplexInt.INDEX_STRIDE + SimplexInt.INDEX_A];
  const of = isOfB ? SimplexInt.INDEX_B : SimplexInt.INDEX_A;
  const corners = (isOfB ? b : a) + ShapeValue.CORNERS;
  const first = corners + simplexInts[of]! * Corner.STRIDE;
  const second = corners + simplexInts[SimplexInt.INDEX_STRIDE + of]! * Corner.STRIDE;
  const x1 = shapes[first + Corner.X]!, y1 = shapes[first + Corner.Y]!;
  const x2 = shapes[second + Corner.X]!, y2 = shapes[second + Corner.Y]!;

  // The normal of the face between them, from its middle
  setAxis(y2 - y1, -(x2 - x1));
  axis[FACE_X] = 0.5 * x1 + 0.5 * x2;
  axis[FACE_Y] = 0.5 * y1 + 0.5 * y2;

  chosen[TYPE] = isOfB ? AxisType.FACE_OF_B : AxisType.FACE_OF_A;
  chosen[CORNER_A] = simplexInts[SimplexInt.INDEX_A]!;
  chosen[CORNER_B] = simplexInts[SimplexInt.INDEX_B]!;

  // It leads from A to B
  computeSeparation(shapes, a, b);
  if (separation[0]! < 0) {
    axis[AXIS_X] = -axis[AXIS_X]!;
    axis[AXIS_Y] = -axis[AXIS_Y]!;
  }
  return chosen[TYPE];
}

/**
 * Sets `separation` and the corners at a time: those that are nearest along the axis.
 * @param times as in `moveTo`
 */
export function findMinSeparation(
  shapes: Float64Array,
  a: number,
  b: number,
  times: Float64Array,
  index: number,
): void {
  const { chosen } = scratch;
  moveTo(times, index);
  if (chosen[TYPE] === AxisType.POINTS) {
    aimAlongAxis(POSE_A, 1);
    chosen[CORNER_A] = findSupport(shapes, a);
    aimAlongAxis(POSE_B, -1);
    chosen[CORNER_B] = findSupport(shapes, b);
  } else if (chosen[TYPE] === AxisType.FACE_OF_A) {
    aimAtFace(POSE_A, POSE_B);
    chosen[CORNER_B] = findSupport(shapes, b);
  } else {
    aimAtFace(POSE_B, POSE_A);
    chosen[CORNER_A] = findSupport(shapes, a);
  }
  computeSeparation(shapes, a, b);
}

/**
 * Sets `separation` at a time, between the corners that `findMinSeparation` found.
 * @param times as in `moveTo`
 */
export function evaluateSeparation(
  shapes: Float64Array,
  a: number,
  b: number,
  times: Float64Array,
  index: number,
): void {
  moveTo(times, index);
  computeSeparation(shapes, a, b);
}

function setAxis(x: number, y: number): void {
  const { axis } = scratch;
  const length = Math.sqrt(x * x + y * y);
  const inverse = length > 0 ? 1 / length : 1;
  axis[AXIS_X] = x * inverse;
  axis[AXIS_Y] = y * inverse;
}

/** Sets `direction` to the axis in a body's frame. @param sign 1 along it, -1 against it */
function aimAlongAxis(pose: number, sign: number): void {
  const { axis } = scratch;
  const c = poses[pose + Body.COS]!;
  const s = poses[pose + Body.SIN]!;
  const x = sign * axis[AXIS_X]!;
  const y = sign * axis[AXIS_Y]!;
  direction[Direction.X] = c * x + s * y;
  direction[Direction.Y] = c * y - s * x;
}

/** Sets `direction` against the face's normal, in the frame of the other body. */
function aimAtFace(face: number, other: number): void {
  const { axis } = scratch;
  const c = poses[face + Body.COS]!;
  const s = poses[face + Body.SIN]!;
  const co = poses[other + Body.COS]!;
  const so = poses[other + Body.SIN]!;
  const x = -(c * axis[AXIS_X]! - s * axis[AXIS_Y]!);
  const y = -(s * axis[AXIS_X]! + c * axis[AXIS_Y]!);
  direction[Direction.X] = co * x + so * y;
  direction[Direction.Y] = co * y - so * x;
}

function computeSeparation(shapes: Float64Array, a: number, b: number): void {
  const { chosen } = scratch;
  if (chosen[TYPE] === AxisType.FACE_OF_A) {
    separateFromFace(shapes, POSE_A, b, POSE_B, chosen[CORNER_B]!);
  } else if (chosen[TYPE] === AxisType.FACE_OF_B) {
    separateFromFace(shapes, POSE_B, a, POSE_A, chosen[CORNER_A]!);
  } else separatePoints(shapes, a, b);
}

/** @param face pose of the body with the face; `corner` is the index of the other shape's corner */
function separateFromFace(
  shapes: Float64Array,
  face: number,
  shape: number,
  other: number,
  corner: number,
): void {
  const { axis } = scratch;
  const at = shape + ShapeValue.CORNERS + corner * Corner.STRIDE;
  const lx = shapes[at + Corner.X]!;
  const ly = shapes[at + Corner.Y]!;
  const c = poses[face + Body.COS]!;
  const s = poses[face + Body.SIN]!;
  const co = poses[other + Body.COS]!;
  const so = poses[other + Body.SIN]!;
  const nx = c * axis[AXIS_X]! - s * axis[AXIS_Y]!;
  const ny = s * axis[AXIS_X]! + c * axis[AXIS_Y]!;
  const faceX = c * axis[FACE_X]! - s * axis[FACE_Y]! + poses[face + Body.ORIGIN_X]!;
  const faceY = s * axis[FACE_X]! + c * axis[FACE_Y]! + poses[face + Body.ORIGIN_Y]!;
  const x = co * lx - so * ly + poses[other + Body.ORIGIN_X]!;
  const y = so * lx + co * ly + poses[other + Body.ORIGIN_Y]!;
  separation[0] = x * nx + y * ny - (faceX * nx + faceY * ny);
}

function separatePoints(shapes: Float64Array, a: number, b: number): void {
  const { axis, chosen } = scratch;
  const cornerA = a + ShapeValue.CORNERS + chosen[CORNER_A]! * Corner.STRIDE;
  const nx = axis[AXIS_X]!;
  const ny = axis[AXIS_Y]!;
  const cornerB = b + ShapeValue.CORNERS + chosen[CORNER_B]! * Corner.STRIDE;
  const lax = shapes[cornerA + Corner.X]!, lay = shapes[cornerA + Corner.Y]!;
  const lbx = shapes[cornerB + Corner.X]!, lby = shapes[cornerB + Corner.Y]!;
  const cA = poses[POSE_A + Body.COS]!;
  const sA = poses[POSE_A + Body.SIN]!;
  const cB = poses[POSE_B + Body.COS]!;
  const sB = poses[POSE_B + Body.SIN]!;
  const ax = cA * lax - sA * lay + poses[POSE_A + Body.ORIGIN_X]!;
  const ay = sA * lax + cA * lay + poses[POSE_A + Body.ORIGIN_Y]!;
  const bx = cB * lbx - sB * lby + poses[POSE_B + Body.ORIGIN_X]!;
  const by = sB * lbx + cB * lby + poses[POSE_B + Body.ORIGIN_Y]!;
  separation[0] = bx * nx + by * ny - (ax * nx + ay * ny);
}
