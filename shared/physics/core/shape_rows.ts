/**
 * The shapes of a stage's declaration in one array, one row per fixture that an archetype declares.
 * Shapes never change, so all stages of one declaration share them. A shape is a convex hull,
 * rounded by a radius:
 *
 *     shape = { p : distance(p, hull) ≤ radius }
 *
 * A circle's hull is its centre. An edge's hull has two corners and a face on either side.
 */

/**
 * Type of the shape; radius of a circle, or the skin of the others, metres; number of corners, 1 …
 * `CORNERS_MAX`.
 */
export const SHAPE_TYPE = 0;
export const RADIUS = 1;
export const CORNER_COUNT = 2;
export const CIRCLE = 0;
export const EDGE = 1;
export const POLYGON = 2;
/** Centroid in the body's frame, metres. */
export const CENTROID_X = 3;
export const CENTROID_Y = 4;
/**
 * A polygon with four right angles is a box: `IS_BOX` is 1. Its centre, first axis, and half sides
 * along the first and second axis, metres. Face 0 faces along the first axis, face 1 along the
 * second.
 */
export const IS_BOX = 5;
export const BOX_X = 6;
export const BOX_Y = 7;
export const BOX_AXIS_X = 8;
export const BOX_AXIS_Y = 9;
export const BOX_HALF_SIDES = 10;
/**
 * An edge that is a segment of a chain has neighbours: `NEIGHBOURS` has the bits `BEFORE` and
 * `AFTER`, 0 for any other edge. Past its own two corners it has the end of the neighbour after it
 * and the start of the one before it, each with the neighbour's normal on the side of the edge's
 * face 0.
 */
export const NEIGHBOURS = 6;
export const BEFORE = 1;
export const AFTER = 2;
/**
 * Then the corners, counter-clockwise: position in the body's frame, metres; outward unit normal
 * and length of the face from this corner to the next one. A circle has no faces.
 */
export const CORNERS = 12;
export const CORNER_STRIDE = 5;
export const AFTER_END = CORNERS + 2 * CORNER_STRIDE;
export const BEFORE_START = CORNERS + 3 * CORNER_STRIDE;
export const CORNER_X = 0;
export const CORNER_Y = 1;
export const FACE_NORMAL_X = 2;
export const FACE_NORMAL_Y = 3;
export const FACE_LENGTH = 4;
/** Corners of a polygon, as in planck. */
export const CORNERS_MAX = 12;
export const SHAPE_STRIDE = CORNERS + CORNERS_MAX * CORNER_STRIDE;
