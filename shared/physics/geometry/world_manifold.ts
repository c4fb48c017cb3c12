/**
 * A contact's normal, points and separations in the world, from its manifold: planck's
 * `WorldManifold`, bit by bit.
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as contactLayout from "../core/contact_rows.ts";
import * as shapeLayout from "../core/shape_rows.ts";
import * as tuning from "../core/tuning.ts";

const { COS, SIN, ORIGIN_X, ORIGIN_Y } = bodyLayout;
const { LOCAL_NORMAL_X, LOCAL_NORMAL_Y, LOCAL_POINT_X, LOCAL_POINT_Y } = contactLayout;
const { MANIFOLD_POINTS, MANIFOLD_POINT_STRIDE, POINT_LOCAL_X, POINT_LOCAL_Y } = contactLayout;
const { POINT_COUNT, MANIFOLD_TYPE, CIRCLES, FACE_A } = contactLayout;
const { RADIUS } = shapeLayout;
const { EPSILON } = tuning;

/**
 * Scratch: the unit normal from A to B, then two points. Valid until the next call of a function of
 * this file.
 */
export const worldManifold = new Float64Array(8);
export const WORLD_NORMAL_X = 0;
export const WORLD_NORMAL_Y = 1;
/** A point: its position, and its separation, negative for an overlap; metres. */
export const WORLD_POINTS = 2;
export const WORLD_POINT_STRIDE = 3;
export const WORLD_POINT_X = 0;
export const WORLD_POINT_Y = 1;
export const WORLD_SEPARATION = 2;

/**
 * Scratch: the centres of two circles, of A and of B, metres. Written by `computeCirclesNormal`,
 * read by it and `computeCirclesPoint`.
 */
const centers = new Float64Array(4);

/**
 * Sets the normal of `worldManifold` alone: the points cost most and are rarely needed.
 * @param values the manifold's numbers begin at `at`
 * @param ints its integers begin at `i`; it must have a point
 */
export function computeWorldNormal(
  values: Float64Array,
  at: number,
  ints: Int32Array,
  i: number,
  bodies: Float64Array,
  bodyA: number,
  bodyB: number,
): void {
  const type = ints[i + MANIFOLD_TYPE]!;
  if (type === CIRCLES) return computeCirclesNormal(values, at, bodies, bodyA, bodyB);
  const body = type === FACE_A ? bodyA : bodyB;
  const sign = type === FACE_A ? 1 : -1;
  const c = bodies[body + COS]!, s = bodies[body + SIN]!;
  const x = values[at + LOCAL_NORMAL_X]!, y = values[at + LOCAL_NORMAL_Y]!;
  worldManifold[WORLD_NORMAL_X] = sign * (c * x - s * y);
  worldManifold[WORLD_NORMAL_Y] = sign * (s * x + c * y);
}

/**
 * Sets `worldManifold`.
 * @param a offset of A's row in `shapes`; the others as in `computeWorldNormal`
 */
export function computeWorldManifold(
  values: Float64Array,
  at: number,
  ints: Int32Array,
  i: number,
  bodies: Float64Array,
  bodyA: number,
  bodyB: number,
  shapes: Float64Array,
  a: number,
  b: number,
): void {
  computeWorldNormal(values, at, ints, i, bodies, bodyA, bodyB);
  const type = ints[i + MANIFOLD_TYPE]!;
  if (type === CIRCLES) return computeCirclesPoint(shapes, a, b);
  for (let point = 0; point < ints[i + POINT_COUNT]!; point++) {
    if (type === FACE_A) computeFacePoint(values, at, point, bodies, bodyA, bodyB, shapes, a, b);
    else computeFacePoint(values, at, point, bodies, bodyB, bodyA, shapes, b, a);
  }
}

/** Two circles in one place have the normal (1, 0). Sets `centers`, too. */
function computeCirclesNormal(
  values: Float64Array,
  at: number,
  bodies: Float64Array,
  bodyA: number,
  bodyB: number,
): void {
  const point = at + MANIFOLD_POINTS;
  const xA = values[at + LOCAL_POINT_X]!;
  const yA = values[at + LOCAL_POINT_Y]!;
  const xB = values[point + POINT_LOCAL_X]!, yB = values[point + POINT_LOCAL_Y]!;
  const cA = bodies[bodyA + COS]!;
  const sA = bodies[bodyA + SIN]!;
  const cB = bodies[bodyB + COS]!;
  const sB = bodies[bodyB + SIN]!;

  centers[0] = cA * xA - sA * yA + bodies[bodyA + ORIGIN_X]!;
  centers[1] = sA * xA + cA * yA + bodies[bodyA + ORIGIN_Y]!;
  centers[2] = cB * xB - sB * yB + bodies[bodyB + ORIGIN_X]!;
  centers[3] = sB * xB + cB * yB + bodies[bodyB + ORIGIN_Y]!;

  const dx = centers[2] - centers[0];
  const dy = centers[3] - centers[1];
  const squared = dx * dx + dy * dy;
  const inverse = squared > EPSILON * EPSILON ? 1 / Math.sqrt(squared) : 0;
  worldManifold[WORLD_NORMAL_X] = inverse > 0 ? inverse * dx : 1;
  worldManifold[WORLD_NORMAL_Y] = inverse > 0 ? inverse * dy : 0;
}

function computeCirclesPoint(shapes: Float64Array, a: number, b: number): void {
  const nx = worldManifold[WORLD_NORMAL_X]!, ny = worldManifold[WORLD_NORMAL_Y]!;
  const radiusA = shapes[a + RADIUS]!;
  const radiusB = shapes[b + RADIUS]!;
  const xA = centers[0]! + radiusA * nx, yA = centers[1]! + radiusA * ny;
  const xB = centers[2]! + -radiusB * nx, yB = centers[3]! + -radiusB * ny;
  worldManifold[WORLD_POINTS + WORLD_POINT_X] = 0.5 * xA + 0.5 * xB;
  worldManifold[WORLD_POINTS + WORLD_POINT_Y] = 0.5 * yA + 0.5 * yB;
  worldManifold[WORLD_POINTS + WORLD_SEPARATION] = (xB - xA) * nx + (yB - yA) * ny;
}

/**
 * A point on the other body `other` and its projection onto the reference face, each moved by its
 * shape's radius.
 */
function computeFacePoint(
  values: Float64Array,
  at: number,
  index: number,
  bodies: Float64Array,
  body: number,
  otherBody: number,
  shapes: Float64Array,
  shape: number,
  otherShape: number,
): void {
  const c = bodies[body + COS]!, s = bodies[body + SIN]!;
  const co = bodies[otherBody + COS]!, so = bodies[otherBody + SIN]!;
  const lnx = values[at + LOCAL_NORMAL_X]!, lny = values[at + LOCAL_NORMAL_Y]!;
  const lx = values[at + LOCAL_POINT_X]!, ly = values[at + LOCAL_POINT_Y]!;
  const from = at + MANIFOLD_POINTS + index * MANIFOLD_POINT_STRIDE;
  const px = values[from + POINT_LOCAL_X]!, py = values[from + POINT_LOCAL_Y]!;

  // The face and the point in the world
  const nx = c * lnx - s * lny, ny = s * lnx + c * lny;
  const planeX = c * lx - s * ly + bodies[body + ORIGIN_X]!;
  const planeY = s * lx + c * ly + bodies[body + ORIGIN_Y]!;
  const x = co * px - so * py + bodies[otherBody + ORIGIN_X]!;
  const y = so * px + co * py + bodies[otherBody + ORIGIN_Y]!;

  // The two surfaces at the point
  const toFace = shapes[shape + RADIUS]! - ((x - planeX) * nx + (y - planeY) * ny);
  const radius = shapes[otherShape + RADIUS]!;
  const faceX = x + toFace * nx;
  const faceY = y + toFace * ny;
  const otherX = x + -radius * nx;
  const otherY = y + -radius * ny;

  const to = WORLD_POINTS + index * WORLD_POINT_STRIDE;
  worldManifold[to + WORLD_POINT_X] = 0.5 * faceX + 0.5 * otherX;
  worldManifold[to + WORLD_POINT_Y] = 0.5 * faceY + 0.5 * otherY;
  worldManifold[to + WORLD_SEPARATION] = (otherX - faceX) * nx + (otherY - faceY) * ny;
}
