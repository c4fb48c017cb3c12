/**
 * The manifold of a chain's segment with a circle or a polygon: planck's functions of edges with
 * neighbours, on rows of numbers, bit by bit.
 *
 * A circle past an end of a segment does not touch it if it is nearer to the neighbour. A polygon
 * may touch a segment only along normals between those of the segment and of a neighbour that bends
 * away. At any other inner corner, only the normal of the segment itself is left.
 */
import { ContactInt, ManifoldType } from "../core/contact_rows.ts";
import { Corner, Neighbour, ShapeType, ShapeValue } from "../core/shape_rows.ts";
import { center, collideEdgeCircle } from "../geometry/collide_circles.ts";
import {
  bendsAway,
  collideEdgePolygon,
  LOWER_X,
  LOWER_Y,
  NORMAL_X,
  NORMAL_Y,
  side,
} from "../geometry/collide_edge_polygon.ts";
import { UPPER_X, UPPER_Y } from "../geometry/collide_edge_polygon.ts";
import { collision } from "../geometry/collision.ts";
import { isNearerToNeighbour } from "./neighbours.ts";

const { ints } = collision;

/**
 * Sets `collision` for an edge with neighbours and a circle or polygon. The arguments are those of
 * `collide`.
 */
export function collideSegment(
  shapes: Float64Array,
  a: number,
  bodies: Float64Array,
  bodyA: number,
  b: number,
  bodyB: number,
): void {
  if (shapes[b + ShapeValue.TYPE] !== ShapeType.CIRCLE) {
    return collideEdgePolygon(shapes, a, bodies, bodyA, b, bodyB, chooseSide);
  }
  collideEdgeCircle(shapes, a, bodies, bodyA, b, bodyB);
  // A circle at a corner of the edge has the type of two circles.
  if (
    ints[ContactInt.POINT_COUNT] === 0 || ints[ContactInt.MANIFOLD_TYPE] !== ManifoldType.CIRCLES
  ) return;
  if (isNearerToNeighbour(shapes, a, center[0]!, center[1]!)) ints[ContactInt.POINT_COUNT] = 0;
}

/**
 * Sets `side` by the segment and its neighbours.
 * @returns whether the polygon is on the side of face 0
 */
export function chooseSide(shapes: Float64Array, a: number, x: number, y: number): boolean {
  const neighbours = shapes[a + ShapeValue.NEIGHBOURS]!;
  const hasBefore = (neighbours & Neighbour.BEFORE) !== 0;
  const hasAfter = (neighbours & Neighbour.AFTER) !== 0;
  const own = a + ShapeValue.CORNERS;
  const end = own + Corner.STRIDE;
  const before = a + ShapeValue.BEFORE_START;
  const after = a + ShapeValue.AFTER_END;

  // An end bends away from the side of face 0 if the corner there is convex on this side.
  const bendsBefore = hasBefore && cross(shapes, before, own) >= 0;
  const bendsAfter = hasAfter && cross(shapes, own, after) > 0;

  // Which side of the line of segments the polygon is on
  const isInFront = isInFrontOf(shapes, own, own, x, y);
  const isInFrontBefore = !hasBefore || isInFrontOf(shapes, before, before, x, y);
  const isInFrontAfter = !hasAfter || isInFrontOf(shapes, after, end, x, y);
  const isFront = bendsBefore && isInFrontBefore || bendsAfter && isInFrontAfter ||
    isInFront && (bendsBefore || isInFrontBefore) && (bendsAfter || isInFrontAfter);

  const sign = isFront ? 1 : -1;
  setNormal(NORMAL_X, NORMAL_Y, shapes, own, sign);

  // On the other side of the line, a corner that bends away there is one that does not here, and
  // the ends change places.
  bendsAway.lower = isFront ? bendsBefore : hasAfter && !bendsAfter;
  bendsAway.upper = isFront ? bendsAfter : hasBefore && !bendsBefore;

  // Between which normals that of a contact must lie
  if (isFront) {
    setNormal(LOWER_X, LOWER_Y, shapes, bendsBefore ? before : own, hasBefore ? 1 : -1);
    setNormal(UPPER_X, UPPER_Y, shapes, bendsAfter ? after : own, hasAfter ? 1 : -1);
  } else {
    setNormal(LOWER_X, LOWER_Y, shapes, hasAfter && !bendsAfter ? after : own, hasAfter ? -1 : 1);
    setNormal(
      UPPER_X,
      UPPER_Y,
      shapes,
      hasBefore && !bendsBefore ? before : own,
      hasBefore ? -1 : 1,
    );
  }

  return isFront;
}

/** The cross product of the directions of two edges, by their faces' normals. */
function cross(shapes: Float64Array, first: number, second: number): number {
  return shapes[first + Corner.NORMAL_X]! * shapes[second + Corner.NORMAL_Y]! -
    shapes[first + Corner.NORMAL_Y]! * shapes[second + Corner.NORMAL_X]!;
}

/** Whether a point is in front of the face at `face`, whose plane `corner` is on. */
function isInFrontOf(
  shapes: Float64Array,
  face: number,
  corner: number,
  x: number,
  y: number,
): boolean {
  const nx = shapes[face + Corner.NORMAL_X]!, ny = shapes[face + Corner.NORMAL_Y]!;
  return nx * x + ny * y - (nx * shapes[corner + Corner.X]! + ny * shapes[corner + Corner.Y]!) >= 0;
}

function setNormal(
  toX: number,
  toY: number,
  shapes: Float64Array,
  face: number,
  sign: number,
): void {
  side[toX] = sign * shapes[face + Corner.NORMAL_X]!;
  side[toY] = sign * shapes[face + Corner.NORMAL_Y]!;
}
