/**
 * A contact's normal, points and separations in the world, from its manifold: planck's
 * `WorldManifold`, bit by bit.
 */
import { Body } from "../core/body_rows.ts";
import { Contact, ContactInt, ContactPoint, ManifoldType } from "../core/contact_rows.ts";
import { ShapeValue } from "../core/shape_rows.ts";
import { EPSILON } from "../core/tuning.ts";

/**
 * Scratch: the unit normal from A to B, then two points. Valid until the next call of a function of
 * this file.
 */
export const worldManifold = new Float64Array(8);

/** Places in `worldManifold`. */
export enum WorldManifold {
  NORMAL_X = 0,
  NORMAL_Y = 1,

  /** Two points, each a `WorldPoint`. */
  POINTS = 2,
}

/** A point's position, and its separation, negative for an overlap; metres. */
export enum WorldPoint {
  X = 0,
  Y = 1,
  SEPARATION = 2,
  STRIDE = 3,
}

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
  const type = ints[i + ContactInt.MANIFOLD_TYPE]!;
  if (type === ManifoldType.CIRCLES) return computeCirclesNormal(values, at, bodies, bodyA, bodyB);
  const body = type === ManifoldType.FACE_A ? bodyA : bodyB;
  const sign = type === ManifoldType.FACE_A ? 1 : -1;
  const c = bodies[body + Body.COS]!, s = bodies[body + Body.SIN]!;
  const x = values[at + Contact.LOCAL_NORMAL_X]!, y = values[at + Contact.LOCAL_NORMAL_Y]!;
  worldManifold[WorldManifold.NORMAL_X] = sign * (c * x - s * y);
  worldManifold[WorldManifold.NORMAL_Y] = sign * (s * x + c * y);
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
  const type = ints[i + ContactInt.MANIFOLD_TYPE]!;
  if (type === ManifoldType.CIRCLES) return computeCirclesPoint(shapes, a, b);
  for (let point = 0; point < ints[i + ContactInt.POINT_COUNT]!; point++) {
    if (type === ManifoldType.FACE_A) {
      computeFacePoint(values, at, point, bodies, bodyA, bodyB, shapes, a, b);
    } else computeFacePoint(values, at, point, bodies, bodyB, bodyA, shapes, b, a);
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
  const point = at + Contact.POINTS;
  const xA = values[at + Contact.LOCAL_POINT_X]!;
  const yA = values[at + Contact.LOCAL_POINT_Y]!;
  const xB = values[point + ContactPoint.LOCAL_X]!, yB = values[point + ContactPoint.LOCAL_Y]!;
  const cA = bodies[bodyA + Body.COS]!;
  const sA = bodies[bodyA + Body.SIN]!;
  const cB = bodies[bodyB + Body.COS]!;
  const sB = bodies[bodyB + Body.SIN]!;

  centers[0] = cA * xA - sA * yA + bodies[bodyA + Body.ORIGIN_X]!;
  centers[1] = sA * xA + cA * yA + bodies[bodyA + Body.ORIGIN_Y]!;
  centers[2] = cB * xB - sB * yB + bodies[bodyB + Body.ORIGIN_X]!;
  centers[3] = sB * xB + cB * yB + bodies[bodyB + Body.ORIGIN_Y]!;

  const dx = centers[2] - centers[0];
  const dy = centers[3] - centers[1];
  const squared = dx * dx + dy * dy;
  const inverse = squared > EPSILON * EPSILON ? 1 / Math.sqrt(squared) : 0;
  worldManifold[WorldManifold.NORMAL_X] = inverse > 0 ? inverse * dx : 1;
  worldManifold[WorldManifold.NORMAL_Y] = inverse > 0 ? inverse * dy : 0;
}

function computeCirclesPoint(shapes: Float64Array, a: number, b: number): void {
  const nx = worldManifold[WorldManifold.NORMAL_X]!, ny = worldManifold[WorldManifold.NORMAL_Y]!;
  const radiusA = shapes[a + ShapeValue.RADIUS]!;
  const radiusB = shapes[b + ShapeValue.RADIUS]!;
  const xA = centers[0]! + radiusA * nx, yA = centers[1]! + radiusA * ny;
  const xB = centers[2]! + -radiusB * nx, yB = centers[3]! + -radiusB * ny;
  worldManifold[WorldManifold.POINTS + WorldPoint.X] = 0.5 * xA + 0.5 * xB;
  worldManifold[WorldManifold.POINTS + WorldPoint.Y] = 0.5 * yA + 0.5 * yB;
  worldManifold[WorldManifold.POINTS + WorldPoint.SEPARATION] = (xB - xA) * nx + (yB - yA) * ny;
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
  const c = bodies[body + Body.COS]!, s = bodies[body + Body.SIN]!;
  const co = bodies[otherBody + Body.COS]!, so = bodies[otherBody + Body.SIN]!;
  const lnx = values[at + Contact.LOCAL_NORMAL_X]!, lny = values[at + Contact.LOCAL_NORMAL_Y]!;
  const lx = values[at + Contact.LOCAL_POINT_X]!, ly = values[at + Contact.LOCAL_POINT_Y]!;
  const from = at + Contact.POINTS + index * ContactPoint.STRIDE;
  const px = values[from + ContactPoint.LOCAL_X]!, py = values[from + ContactPoint.LOCAL_Y]!;

  // The face and the point in the world
  const nx = c * lnx - s * lny, ny = s * lnx + c * lny;
  const planeX = c * lx - s * ly + bodies[body + Body.ORIGIN_X]!;
  const planeY = s * lx + c * ly + bodies[body + Body.ORIGIN_Y]!;
  const x = co * px - so * py + bodies[otherBody + Body.ORIGIN_X]!;
  const y = so * px + co * py + bodies[otherBody + Body.ORIGIN_Y]!;

  // The two surfaces at the point
  const toFace = shapes[shape + ShapeValue.RADIUS]! - ((x - planeX) * nx + (y - planeY) * ny);
  const radius = shapes[otherShape + ShapeValue.RADIUS]!;
  const faceX = x + toFace * nx;
  const faceY = y + toFace * ny;
  const otherX = x + -radius * nx;
  const otherY = y + -radius * ny;

  const to = WorldManifold.POINTS + index * WorldPoint.STRIDE;
  worldManifold[to + WorldPoint.X] = 0.5 * faceX + 0.5 * otherX;
  worldManifold[to + WorldPoint.Y] = 0.5 * faceY + 0.5 * otherY;
  worldManifold[to + WorldPoint.SEPARATION] = (otherX - faceX) * nx + (otherY - faceY) * ny;
}
