/**
 * The narrow phase: the points at which two shapes touch. The pair must be in planck's order of
 * types:
 *
 * |              | A: edge                   | A: polygon                                | A: circle            |
 * | ------------ | ------------------------- | ----------------------------------------- | -------------------- |
 * | B: circle    | `collide_circles.ts`      | `collide_circles.ts`                      | `collide_circles.ts` |
 * | B: polygon   | `collide_edge_polygon.ts` | `collide_polygons.ts`, `collide_boxes.ts` | swap                 |
 * | B: edge      | they never touch          | swap                                      | swap                 |
 *
 * A rounded shape stands where a polygon does (`rounded/collide_rounded.ts`).
 */
import type { castCircle } from "./circle_cast.ts";
import { ShapeType, ShapeValue } from "../core/shape_rows.ts";
import type { addMass } from "./mass.ts";
import { collideBoxes } from "./collide_boxes.ts";
import { collideCircles, collideEdgeCircle, collidePolygonCircle } from "./collide_circles.ts";
import { collideEdgePolygon } from "./collide_edge_polygon.ts";
import { collidePolygons } from "./collide_polygons.ts";

/** The geometry of edges with neighbours, which only a declaration with chains has (`chains/`). */
export interface SegmentGeometry {
  /** Sets `collision` for an edge with neighbours and a circle or polygon. */
  readonly collide: typeof collide;
  /**
   * Sets `side` and `bendsAway` (`collide_edge_polygon.ts`) for an edge and a shape whose centroid is
   * there in the frame of the edge's body.
   * @returns whether the shape is on the side of the edge's face 0
   */
  readonly chooseSide: (shapes: Float64Array, a: number, x: number, y: number) => boolean;
  /**
   * Whether a point in the frame of an edge's body is past an end of the edge, and nearer to the
   * neighbour there.
   */
  readonly isNearerToNeighbour: (shapes: Float64Array, a: number, x: number, y: number) => boolean;
  /**
   * Whether the hit of `circleCast` is on an end of a chain's segment although the circle is nearer
   * to the neighbour there. The arguments are those of `castCircle`, which has just returned true.
   */
  readonly isGhostHit: typeof castCircle;
}

/** The geometry of rounded shapes, which only a declaration with them has (`rounded/`). */
export interface RoundedGeometry {
  /**
   * Sets `collision` for two shapes of which one is rounded; the other arguments are those of
   * `collide`.
   */
  readonly collide: (
    shapes: Float64Array,
    a: number,
    bodies: Float64Array,
    bodyA: number,
    b: number,
    bodyB: number,
    segments: SegmentGeometry | undefined,
  ) => void;
  /** Adds the mass of a rounded shape to a sum. */
  readonly addMass: typeof addMass;
}

/** Whether the shapes must be exchanged before `collide`. Two of one type keep their order. */
export function mustSwap(shapes: Float64Array, a: number, b: number): boolean {
  const typeA = shapes[a + ShapeValue.TYPE]!;
  const typeB = shapes[b + ShapeValue.TYPE]!;
  if (typeA === ShapeType.CIRCLE) return typeB !== ShapeType.CIRCLE;
  return typeB === ShapeType.EDGE && typeA !== ShapeType.EDGE;
}

/** Whether the shapes may ever touch. Two edges have no thickness and do not, as in planck. */
export function canTouch(shapes: Float64Array, a: number, b: number): boolean {
  return shapes[a + ShapeValue.TYPE] !== ShapeType.EDGE ||
    shapes[b + ShapeValue.TYPE] !== ShapeType.EDGE;
}

/**
 * Sets `collision` (`collision.ts`) to the manifold of two shapes, skins included.
 * @param a offset of A's row in `shapes`; the pair needs no `mustSwap`, and `canTouch` is true
 * @param bodyA offset of A's row in `bodies`, of which only the transform counts
 */
export function collide(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  const typeA = shapes[a + ShapeValue.TYPE]!;
  if (shapes[b + ShapeValue.TYPE] === ShapeType.CIRCLE) {
    if (typeA === ShapeType.CIRCLE) return collideCircles(shapes, a, bodies, bodyA, b, bodyB);
    if (typeA === ShapeType.EDGE) return collideEdgeCircle(shapes, a, bodies, bodyA, b, bodyB);
    return collidePolygonCircle(shapes, a, bodies, bodyA, b, bodyB);
  }
  if (typeA === ShapeType.EDGE) return collideEdgePolygon(shapes, a, bodies, bodyA, b, bodyB);
  if (shapes[a + ShapeValue.IS_BOX] === 1 && shapes[b + ShapeValue.IS_BOX] === 1) {
    return collideBoxes(shapes, a, bodies, bodyA, b, bodyB);
  }
  collidePolygons(shapes, a, bodies, bodyA, b, bodyB);
}
