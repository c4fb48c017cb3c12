/** Turns declared fixtures into canvas paths, in metres in their body's frame. */
import type { Chain, FixtureDef, Shape } from "../../../shared/physics/core/types.ts";
import { TURN } from "../../presentation/picture/canvas.ts";

export type Corner = readonly [x: number, y: number];

export interface Outline {
  readonly fixture: FixtureDef;
  readonly path: Path2D;
  /** A smaller form with an edge that catches light. Undefined for lines. */
  readonly inner?: Path2D;
  /** Counter-clockwise unless it is a line; none for a circle. */
  readonly corners: readonly Corner[];
  /** False for lines: edges and open chains. */
  readonly isClosed: boolean;
  /** Whether it is a closed chain: a wall around what is inside. */
  readonly isLoop: boolean;
}

/** How large the inner form is, as a share of the whole. */
const INNER = 0.78;
/** Lines of a whole turn around the corner of a rounded form. */
const ARC_STEPS = 32;

/** @returns the outlines in the order of the fixtures */
export function outlinesOf(fixtures: readonly FixtureDef[]): readonly Outline[] {
  return fixtures.map((fixture) => ({ fixture, ...formOf(fixture.shape) }));
}

function formOf(shape: Shape | Chain): Omit<Outline, "fixture"> {
  if ("circle" in shape) return { ...discOf(shape), corners: [], isClosed: true, isLoop: false };
  if ("edge" in shape) {
    const [x1, y1, x2, y2] = shape.edge;
    return lineOf([[x1, y1], [x2, y2]], false);
  }
  if ("chain" in shape) return lineOf(shape.chain, shape.loop ?? false);
  const corners = closedCorners(shape);
  const inner = pathOf(shrunk(corners), true);
  return { path: pathOf(corners, true), inner, corners, isClosed: true, isLoop: false };
}

function lineOf(corners: readonly Corner[], isLoop: boolean): Omit<Outline, "fixture"> {
  return { path: pathOf(corners, isLoop), corners, isClosed: isLoop, isLoop };
}

function discOf({ circle: radius, x = 0, y = 0 }: Extract<Shape, { circle: number }>) {
  const path = new Path2D();
  const inner = new Path2D();
  path.arc(x, y, radius, 0, TURN);
  inner.arc(x, y, radius * INNER, TURN * 0.06, TURN * 0.32);
  return { path, inner };
}

export function pathOf(corners: readonly Corner[], isClosed: boolean): Path2D {
  const path = new Path2D();
  corners.forEach(([x, y], i) => i === 0 ? path.moveTo(x, y) : path.lineTo(x, y));
  if (isClosed) path.closePath();
  return path;
}

export function cornersOfBox(
  { box: [halfWidth, halfHeight], x = 0, y = 0, angle = 0 }: Extract<Shape, { box: unknown }>,
): readonly Corner[] {
  const c = Math.cos(angle), s = Math.sin(angle);
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => {
    const u = i! * halfWidth, v = j! * halfHeight;
    return [x + c * u - s * v, y + s * u + c * v] as const;
  });
}

function counterClockwise(corners: readonly Corner[]): readonly Corner[] {
  const twiceArea = corners.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length]!;
    return sum + x * nextY - nextX * y;
  }, 0);
  return twiceArea < 0 ? corners.toReversed() : corners;
}

/** Moves the corners towards the middle, so that all sides move about equally far. */
function shrunk(corners: readonly Corner[]): Corner[] {
  const middleX = corners.reduce((sum, [x]) => sum + x, 0) / corners.length;
  const middleY = corners.reduce((sum, [, y]) => sum + y, 0) / corners.length;
  const reach = Math.min(...corners.map((corner, i) => {
    const [x, y] = corner;
    const [nextX, nextY] = corners[(i + 1) % corners.length]!;
    const along = Math.hypot(nextX - x, nextY - y);
    return Math.abs((nextX - x) * (middleY - y) - (nextY - y) * (middleX - x)) / along;
  }));
  const inset = (1 - INNER) * reach;
  return corners.map(([x, y]) => {
    const dx = middleX - x, dy = middleY - y;
    return [
      x + Math.sign(dx) * Math.min(Math.abs(dx), inset),
      y + Math.sign(dy) * Math.min(Math.abs(dy), inset),
    ];
  });
}

/**
 * How far a body's fixtures reach from its origin, metres; `inner` is the radius of the largest
 * disc around the origin that fits inside one fixture.
 */
export interface Extent {
  readonly outer: number;
  readonly inner: number;
}

export function extentOf(fixtures: readonly FixtureDef[]): Extent {
  let outer = 0;
  let inner = 0;
  for (const { shape, sensor } of fixtures) {
    const { corners } = "circle" in shape ? { corners: [] } : formCorners(shape);
    if ("circle" in shape) {
      const away = Math.hypot(shape.x ?? 0, shape.y ?? 0);
      outer = Math.max(outer, away + shape.circle);
      if (!sensor) inner = Math.max(inner, shape.circle - away);
    }
    for (const [x, y] of corners) outer = Math.max(outer, Math.hypot(x, y));
    if (!sensor && !("edge" in shape) && !("chain" in shape) && corners.length > 0) {
      inner = Math.max(inner, depthOfOrigin(corners));
    }
  }
  return { outer, inner };
}

function formCorners(
  shape: Exclude<Shape | Chain, { circle: number }>,
): { corners: readonly Corner[] } {
  if ("edge" in shape) {
    return { corners: [[shape.edge[0], shape.edge[1]], [shape.edge[2], shape.edge[3]]] };
  }
  if ("chain" in shape) return { corners: shape.chain };
  return { corners: closedCorners(shape) };
}

/** Counter-clockwise; those of a rounded form follow its outline. */
function closedCorners(
  shape: Exclude<Shape, { circle: number } | { edge: unknown }>,
): readonly Corner[] {
  if ("capsule" in shape) {
    const [x1, y1, x2, y2] = shape.capsule;
    return roundedCorners([[x1, y1], [x2, y2]], shape.radius);
  }
  const corners = "polygon" in shape ? counterClockwise(shape.polygon) : cornersOfBox(shape);
  return shape.radius === undefined ? corners : roundedCorners(corners, shape.radius);
}

/** Replaces each corner by an arc around it. */
function roundedCorners(corners: readonly Corner[], radius: number): readonly Corner[] {
  const count = corners.length;
  return corners.flatMap((corner, i) => {
    const [beforeX, beforeY] = corners[(i + count - 1) % count]!;
    const [x, y] = corner;
    const [afterX, afterY] = corners[(i + 1) % count]!;
    const from = Math.atan2(beforeX - x, y - beforeY);
    const turn = (Math.atan2(x - afterX, afterY - y) - from + 2 * TURN) % TURN;
    const steps = Math.ceil(turn / TURN * ARC_STEPS);
    return Array.from({ length: steps + 1 }, (_, step) => {
      const angle = from + turn * step / steps;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const;
    });
  });
}

/**
 * The distance from the origin to the nearest side of a convex form around it; negative outside.
 */
function depthOfOrigin(corners: readonly Corner[]): number {
  return Math.min(...corners.map(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length]!;
    const along = Math.hypot(nextX - x, nextY - y);
    return (x * nextY - nextX * y) / along;
  }));
}
