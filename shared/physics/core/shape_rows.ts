/**
 * The shapes of a stage's declaration in one array, one row per fixture that an archetype declares.
 * Shapes never change, so all stages of one declaration share them. A shape is a convex hull,
 * rounded by a radius:
 *
 *     shape = { p : distance(p, hull) ≤ radius }
 *
 * A circle's hull is its centre. An edge's hull has two corners and a face on either side.
 */

/** Corners of a polygon, as in planck. */
export const CORNERS_MAX = 12;

/** One corner, and the face from it to the next one. A circle has no faces. */
export enum Corner {
  /** In the body's frame, metres. */
  X = 0,
  Y = 1,

  /** The face's outward unit normal, and its length in metres. */
  NORMAL_X = 2,
  NORMAL_Y = 3,
  LENGTH = 4,

  STRIDE = 5,
}

/** A shape's row. */
export enum ShapeValue {
  /** A `ShapeType`. */
  TYPE = 0,

  /** The radius of a circle or a rounded shape, or the skin of any other shape; metres. */
  RADIUS = 1,

  /** 1 … `CORNERS_MAX` */
  CORNER_COUNT = 2,

  /** In the body's frame, metres. */
  CENTROID_X = 3,
  CENTROID_Y = 4,

  /** 1 for a polygon with four right angles that is not rounded. */
  IS_BOX = 5,

  /**
   * A box: its centre, first axis, and half sides along the first and second axis, metres. Face 0
   * faces along the first axis, face 1 along the second.
   */
  BOX_X = 6,
  BOX_Y = 7,
  BOX_AXIS_X = 8,
  BOX_AXIS_Y = 9,
  BOX_HALF_SIDES = 10,

  /**
   * An edge: its `Neighbour`s in a chain; 0 for an edge alone. It shares its place with `BOX_X`.
   */
  NEIGHBOURS = 6,

  /** The corners, counter-clockwise, each a `Corner`. */
  CORNERS = 12,

  /**
   * An edge has two corners. Past them stand the end of the neighbour after it and the start of the
   * one before it, each with the neighbour's normal on the side of the edge's face 0.
   */
  AFTER_END = CORNERS + 2 * Corner.STRIDE,
  BEFORE_START = CORNERS + 3 * Corner.STRIDE,

  STRIDE = CORNERS + 12 * Corner.STRIDE,
}

export enum ShapeType {
  CIRCLE = 0,
  EDGE = 1,
  POLYGON = 2,

  /**
   * A hull of 2 to `CORNERS_MAX` corners, rounded by a radius that belongs to the shape: a capsule or
   * a rounded polygon. Like a circle it has no skin. A capsule has the two faces of an edge.
   */
  ROUNDED = 3,
}

/** Bits for the neighbours of a chain's segment. */
export enum Neighbour {
  BEFORE = 1,
  AFTER = 2,
}

/** @returns the skin around what the author declared, metres: 0 for a shape that is round itself */
export function skinOf(shapes: Float64Array, shape: number): number {
  const type = shapes[shape + ShapeValue.TYPE]!;
  return type === ShapeType.CIRCLE || type === ShapeType.ROUNDED
    ? 0
    : shapes[shape + ShapeValue.RADIUS]!;
}
