/** Pairs of shapes at random poses, and the distance of their hulls by brute force. */
import { Body } from "../../../../shared/physics/core/body_rows.ts";
import { cos, sin } from "../../../../shared/physics/core/math.ts";
import { Corner, ShapeValue } from "../../../../shared/physics/core/shape_rows.ts";
import type { Shape } from "../../../../shared/physics/core/types.ts";
import { isRounded, writeShape } from "../../../../shared/physics/geometry/shapes.ts";
import { rounded } from "../../../../shared/physics/rounded/feature.ts";
import type { Random } from "../../../../shared/random.ts";

export type Point = readonly [x: number, y: number];

export const ROUND_SHAPES: readonly Shape[] = [
  { capsule: [-0.5, 0, 0.5, 0], radius: 0.25 },
  { capsule: [0.1, -0.3, 0.1, 0.4], radius: 0.4 },
  { box: [0.5, 0.3], x: 0.1, angle: 0.3, radius: 0.1 },
  { polygon: [[0.5, 0], [-0.3, 0.4], [-0.2, -0.4]], radius: 0.2 },
  { box: [0.4, 0.4], radius: 0.01 },
];

export const PLAIN_SHAPES: readonly Shape[] = [
  { circle: 0.3, x: 0.1 },
  { box: [0.6, 0.2], y: 0.1 },
  { polygon: [[0.6, 0], [0, 0.5], [-0.6, 0.1], [0, -0.4]] },
  { edge: [-0.6, -0.2, 0.5, 0.3] },
];

/** @returns the row of one shape */
export function rowOf(shape: Shape): Float64Array {
  if (isRounded(shape)) return rounded.rowOf(shape, "a shape");
  const row = new Float64Array(ShapeValue.STRIDE);
  writeShape(row, 0, shape);
  return row;
}

/** @returns the rows of two bodies near each other; some are turned by quarters */
export function randomBodies(random: Random, spread: number): Float64Array {
  const bodies = new Float64Array(2 * Body.STRIDE);
  const between = (most: number) => (2 * random.fraction() - 1) * most;
  for (const at of [0, Body.STRIDE]) {
    const angle = random.below(3) === 0 ? random.below(4) * Math.PI / 2 : between(4);
    bodies[at + Body.COS] = cos(angle);
    bodies[at + Body.SIN] = sin(angle);
    bodies[at + Body.ORIGIN_X] = at === 0 ? 0 : between(spread);
    // Two capsules may lie on one line.
    bodies[at + Body.ORIGIN_Y] = at === 0 || random.below(4) === 0 ? 0 : between(spread);
  }
  return bodies;
}

/** @returns the corners of a hull in the world */
export function cornersOf(row: Float64Array, bodies: Float64Array, body: number): Point[] {
  const c = bodies[body + Body.COS]!;
  const s = bodies[body + Body.SIN]!;
  return Array.from({ length: row[ShapeValue.CORNER_COUNT]! }, (_, i) => {
    const at = ShapeValue.CORNERS + i * Corner.STRIDE;
    const x = row[at + Corner.X]!;
    const y = row[at + Corner.Y]!;
    return [
      c * x - s * y + bodies[body + Body.ORIGIN_X]!,
      s * x + c * y + bodies[body + Body.ORIGIN_Y]!,
    ];
  });
}

/** @returns the distance of two convex hulls, 0 if they overlap */
export function hullDistance(a: readonly Point[], b: readonly Point[]): number {
  if (a.some((point) => isInside(point, b)) || b.some((point) => isInside(point, a))) return 0;
  let least = Infinity;
  for (const [p, q] of sidesOf(a)) {
    for (const [r, s] of sidesOf(b)) {
      if (areCrossing(p, q, r, s)) return 0;
      least = Math.min(
        least,
        distanceToSide(p, r, s),
        distanceToSide(q, r, s),
        distanceToSide(r, p, q),
        distanceToSide(s, p, q),
      );
    }
  }
  return least;
}

function sidesOf(hull: readonly Point[]): (readonly [Point, Point])[] {
  return hull.map((point, i) => [point, hull[(i + 1) % hull.length]!] as const);
}

function cross([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

function isInside(point: Point, hull: readonly Point[]): boolean {
  return hull.length > 2 && sidesOf(hull).every(([p, q]) => cross(p, q, point) >= 0);
}

function areCrossing(p: Point, q: Point, r: Point, s: Point): boolean {
  return cross(p, q, r) * cross(p, q, s) < 0 && cross(r, s, p) * cross(r, s, q) < 0;
}

function distanceToSide([x, y]: Point, [px, py]: Point, [qx, qy]: Point): number {
  const dx = qx - px;
  const dy = qy - py;
  const squared = dx * dx + dy * dy;
  const along = squared > 0 ? ((x - px) * dx + (y - py) * dy) / squared : 0;
  const t = Math.min(Math.max(along, 0), 1);
  return Math.hypot(px + t * dx - x, py + t * dy - y);
}
