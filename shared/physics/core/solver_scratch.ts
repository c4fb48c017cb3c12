/**
 * One island as flat numbers: what touches where, laid out so that the solver's loops read and write nothing else but the bodies' rows.
 * It is scratch: filled before an island is solved and empty of meaning after, so all stages share it.
 */

/**
 * A contact's numbers in `contacts`, for velocities. `MASS_A` to `INERTIA_B` are inverse ones; `PUSH_AX` to `PUSH_BY` are how an impulse
 * of 1 along the normal changes the bodies' velocities: the normal times their inverse masses.
 */
export const NORMAL_X = 0, NORMAL_Y = 1, FRICTION = 2;
export const MASS_A = 3, INERTIA_A = 4, MASS_B = 5, INERTIA_B = 6;
export const PUSH_AX = 7, PUSH_AY = 8, PUSH_BX = 9, PUSH_BY = 10;
/** A row, along a direction: the levers about both centres, how an impulse of 1 turns the bodies, effective mass, accumulated impulse. */
export const LEVER_A = 0, LEVER_B = 1, TURN_A = 2, TURN_B = 3, MASS = 4, IMPULSE = 5;
/** The row along the tangent. */
export const SLIDE = 11;
/** Two points' effective mass, and the inverse of that: symmetric matrices. */
export const K11 = 17, K12 = 18, K22 = 19, INVERSE_11 = 20, INVERSE_12 = 21, INVERSE_22 = 22;
/** Then, for either point, the row along the normal, the velocity to bounce off with, and the arms from both centres. */
export const POINTS = 23, POINT_NUMBERS = 11;
export const BIAS = 6, ARM_AX = 7, ARM_AY = 8, ARM_BX = 9, ARM_BY = 10;
export const CONTACT_NUMBERS = POINTS + 2 * POINT_NUMBERS;

/** A contact's numbers in `shapes`, for positions: its manifold, in its bodies' frames, and the radii of its shapes. */
export const LOCAL_NORMAL_X = 0,
  LOCAL_NORMAL_Y = 1,
  LOCAL_POINT_X = 2,
  LOCAL_POINT_Y = 3,
  LOCAL_POINTS = 4,
  RADIUS_A = 8,
  RADIUS_B = 9;
export const SHAPE_NUMBERS = 10;

/** A contact's whole numbers in `links`: where its bodies lie, how many points move velocities and positions, manifold type. */
export const BODY_A = 0, BODY_B = 1, VELOCITY_POINTS = 2, POSITION_POINTS = 3, TYPE = 4;
export const LINK_NUMBERS = 5;

/** planck's manifold types: two circles; the reference face is A's; it is B's. */
export const CIRCLES = 0, FACE_A = 1, FACE_B = 2;

/** The island that is being solved. */
export const memory = {
  /** Of the world that it is in (`body_rows.ts`). */
  bodies: new Float64Array(0),
  contacts: new Float64Array(128 * CONTACT_NUMBERS),
  shapes: new Float64Array(128 * SHAPE_NUMBERS),
  links: new Int32Array(128 * LINK_NUMBERS),
};

/** Makes room; what was there is lost. As many as a stage may hold, so the bound is the stage's. */
export function reserve(contactCount: number): void {
  if (contactCount * LINK_NUMBERS <= memory.links.length) return;
  const room = contactCount * 2;
  memory.contacts = new Float64Array(room * CONTACT_NUMBERS);
  memory.shapes = new Float64Array(room * SHAPE_NUMBERS);
  memory.links = new Int32Array(room * LINK_NUMBERS);
}
