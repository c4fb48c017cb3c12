/**
 * The contacts of one world as rows of numbers, `values` and `ints`. A contact exists while the AABBs of two fixtures
 * overlap. Its manifold has the points where the two touch, with their impulses for warm starting.
 */

/** Normal and a point of the reference face in its body's frame, metres. With two circles: the centre of A's. */
export const LOCAL_NORMAL_X = 0, LOCAL_NORMAL_Y = 1, LOCAL_POINT_X = 2, LOCAL_POINT_Y = 3;
/** Then two points: position in the other body's frame, metres; impulses, N·s. */
export const MANIFOLD_POINTS = 4, MANIFOLD_POINT_STRIDE = 4;
export const POINT_LOCAL_X = 0, POINT_LOCAL_Y = 1, NORMAL_IMPULSE = 2, TANGENT_IMPULSE = 3;
/** The rest of a row of `values`: coefficients of the pair; the smaller and the larger key of its fixtures. */
export const PAIR_FRICTION = 12, PAIR_RESTITUTION = 13, LOW_KEY = 14, HIGH_KEY = 15;
export const CONTACT_VALUES = 16;

/** A row of `ints`. Number of points, 0 for sensors; manifold type, valid if there is a point; features of the points. */
export const POINT_COUNT = 0, MANIFOLD_TYPE = 1, FEATURES = 2;
/** Manifold types: two circles; a reference face of A; one of B. */
export const CIRCLES = 0, FACE_A = 1, FACE_B = 2;
/** A feature pair as one word: indices, then types + 1: A | B << 8 | type A << 16 | type B << 24. */
export const VERTEX = 0, FACE = 1;
/** Rows of both fixtures and of both bodies. */
export const FIXTURE_A = 4, FIXTURE_B = 5, CONTACT_BODY_A = 6, CONTACT_BODY_B = 7;
/** Bits, see below; number of impacts in this world step; number of its contact event, 0 if there is none. */
export const CONTACT_FLAGS = 8, IMPACT_COUNT = 9, EVENT = 10;
/** Links of both bodies' lists of contacts: for A, then for B. */
export const NEXT_EDGE = 11, PREVIOUS_EDGE = 13;
export const CONTACT_INTS = 16;
