/** Declared shapes as planck's, and their outlines for the overlay. */
import { Box, Chain, Circle, Edge, Polygon, type Shape as PlanckShape, Vec2 } from "planck";
import type { Chain as DeclaredChain, FixtureDef } from "../../../shared/physics/core/types.ts";
import type { Outline } from "./planck_messages.ts";

/** Corners of a polygon of planck's. */
const CORNERS_MAX = 12;

/**
 * The declared shape in planck's own class, which makes its own hull of a box or a polygon. planck
 * has no rounded shapes: they become polygons of 12 corners at most, on the outline.
 */
export function planckShapeOf(shape: FixtureDef["shape"]): PlanckShape {
  if ("capsule" in shape) {
    const [x1, y1, x2, y2] = shape.capsule;
    return roundPolygon([new Vec2(x1, y1), new Vec2(x2, y2)], shape.radius);
  }
  if ("radius" in shape && shape.radius !== undefined) {
    const { radius, ...sharp } = shape;
    return roundPolygon((planckShapeOf(sharp) as Polygon).m_vertices, radius);
  }
  if ("circle" in shape) return new Circle(new Vec2(shape.x ?? 0, shape.y ?? 0), shape.circle);
  if ("box" in shape) {
    const [halfWidth, halfHeight] = shape.box;
    const centre = new Vec2(shape.x ?? 0, shape.y ?? 0);
    return new Box(halfWidth, halfHeight, centre, shape.angle ?? 0);
  }
  if ("polygon" in shape) return new Polygon(shape.polygon.map(([x, y]) => new Vec2(x, y)));
  if ("chain" in shape) return chainOf(shape);
  const [x1, y1, x2, y2] = shape.edge;
  return new Edge(new Vec2(x1, y1), new Vec2(x2, y2));
}

/** Each corner becomes an arc. @param hull counter-clockwise */
function roundPolygon(hull: readonly { x: number; y: number }[], radius: number): PlanckShape {
  const steps = Math.max(1, Math.floor(CORNERS_MAX / hull.length) - 1);
  return new Polygon(hull.flatMap((corner, i) => {
    const before = hull.at(i - 1)!;
    const after = hull[(i + 1) % hull.length]!;
    const from = Math.atan2(before.x - corner.x, corner.y - before.y);
    const to = Math.atan2(corner.x - after.x, after.y - corner.y);
    const turn = (to - from + 4 * Math.PI) % (2 * Math.PI);
    return Array.from({ length: steps + 1 }, (_, step) => {
      const angle = from + turn * step / steps;
      return new Vec2(corner.x + radius * Math.cos(angle), corner.y + radius * Math.sin(angle));
    });
  }));
}

function chainOf(
  { chain, loop = false, ghosts: [before, after] = [null, null] }: DeclaredChain,
): PlanckShape {
  const shape = new Chain(chain.map(([x, y]) => new Vec2(x, y)), loop);
  if (before !== null) shape.setPrevVertex(new Vec2(before[0], before[1]));
  if (after !== null) shape.setNextVertex(new Vec2(after[0], after[1]));
  return shape;
}

/** The outline of one of planck's shapes: a polygon's corners are those of planck's hull. */
export function outlineOf(shape: PlanckShape): Outline {
  if (shape instanceof Circle) {
    const { x, y } = shape.getCenter();
    return { radius: shape.getRadius(), x, y };
  }
  if (shape instanceof Polygon) return { corners: cornersOf(shape.m_vertices), isClosed: true };
  if (shape instanceof Chain) return { corners: cornersOf(shape.m_vertices), isClosed: false };
  const { m_vertex1, m_vertex2 } = shape as Edge;
  return { corners: cornersOf([m_vertex1, m_vertex2]), isClosed: false };
}

function cornersOf(corners: readonly { x: number; y: number }[]): [number, number][] {
  return corners.map(({ x, y }) => [x, y]);
}
