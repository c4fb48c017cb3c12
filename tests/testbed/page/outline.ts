/** Declared fixtures as paths of a canvas, in metres of their body's frame. */
import type { Chain, FixtureDef, Shape } from "../../../shared/physics/core/types.ts";

export type Corner = readonly [x: number, y: number];

export interface FixtureOutline {
  readonly fixture: FixtureDef;
  readonly path: Path2D;
  /** The same form, smaller: an inner edge that catches light. Undefined for lines. */
  readonly inner?: Path2D;
  /** Corners, counter-clockwise unless it is a line; none for a circle. */
  readonly corners: readonly Corner[];
  readonly isClosed: boolean;
}

/** The share of a form that its inner edge takes. */
const INNER = 0.8;

/** @returns the outlines in the order of the fixtures */
export function outlinesOf(fixtures: readonly FixtureDef[]): FixtureOutline[] {
  return fixtures.map((fixture) => {
    const { shape } = fixture;
    if ("circle" in shape) return { fixture, ...discOf(shape), corners: [], isClosed: true };
    if ("edge" in shape) {
      const [x1, y1, x2, y2] = shape.edge, corners: Corner[] = [[x1, y1], [x2, y2]];
      return { fixture, path: pathOf(corners, false), corners, isClosed: false };
    }
    if ("chain" in shape) {
      const isClosed = shape.loop ?? false;
      return { fixture, path: pathOf(shape.chain, isClosed), corners: shape.chain, isClosed };
    }
    const corners = cornersOf(shape);
    return { fixture, path: pathOf(corners, true), inner: pathOf(shrunk(corners), true), corners, isClosed: true };
  });
}

function discOf({ circle: radius, x = 0, y = 0 }: Extract<Shape, { circle: number }>) {
  const path = new Path2D(), inner = new Path2D();
  path.arc(x, y, radius, 0, 2 * Math.PI);
  inner.arc(x, y, radius * INNER, 0.3, 1.9);
  return { path, inner };
}

function pathOf(corners: readonly Corner[], isClosed: boolean): Path2D {
  const path = new Path2D();
  corners.forEach(([x, y], i) => i === 0 ? path.moveTo(x, y) : path.lineTo(x, y));
  if (isClosed) path.closePath();
  return path;
}

function cornersOf(shape: Exclude<Shape | Chain, { circle: number } | { edge: unknown } | Chain>): readonly Corner[] {
  if ("polygon" in shape) return areaOf(shape.polygon) < 0 ? shape.polygon.toReversed() : shape.polygon;
  const { box: [halfWidth, halfHeight], x = 0, y = 0, angle = 0 } = shape, c = Math.cos(angle), s = Math.sin(angle);
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => {
    const u = i! * halfWidth, v = j! * halfHeight;
    return [x + c * u - s * v, y + s * u + c * v] as const;
  });
}

/** Twice the area, negative if the corners run clockwise. */
function areaOf(corners: readonly Corner[]): number {
  return corners.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
}

/** Moves the corners towards the middle, all sides by about the same distance. */
function shrunk(corners: readonly Corner[]): Corner[] {
  const middleX = corners.reduce((sum, [x]) => sum + x, 0) / corners.length;
  const middleY = corners.reduce((sum, [, y]) => sum + y, 0) / corners.length;
  const reach = Math.min(...corners.map((corner, i) => {
    const [x, y] = corner, [nextX, nextY] = corners[(i + 1) % corners.length]!;
    const along = Math.hypot(nextX - x, nextY - y);
    return Math.abs((nextX - x) * (middleY - y) - (nextY - y) * (middleX - x)) / along;
  }));
  const inset = (1 - INNER) * reach;
  return corners.map(([x, y]) => {
    const dx = middleX - x, dy = middleY - y;
    return [x + Math.sign(dx) * Math.min(Math.abs(dx), inset), y + Math.sign(dy) * Math.min(Math.abs(dy), inset)];
  });
}
