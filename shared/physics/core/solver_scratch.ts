/**
 * One island as flat numbers: what touches where, laid out so that the solver's loops read and write nothing else but the bodies' rows.
 * It is scratch: filled before an island is solved and empty of meaning after, so all stages share it.
 */

/**
 * A contact's numbers in `contacts`, for velocities. `INVERSE_MASS_A` to `INVERSE_INERTIA_B` are inverse ones; `INV_M_N_AX` to `INV_M_N_BY` are how an impulse
 * of 1 along the normal changes the bodies' velocities: the normal times their inverse masses.
 */
export const NORMAL_X = 0, NORMAL_Y = 1, FRICTION = 2;
export const INVERSE_MASS_A = 3, INVERSE_INERTIA_A = 4, INVERSE_MASS_B = 5, INVERSE_INERTIA_B = 6;
export const INV_M_N_AX = 7, INV_M_N_AY = 8, INV_M_N_BX = 9, INV_M_N_BY = 10;
/** A row, along a direction: r×n about both centres, invI·(r×n), effective mass, accumulated impulse; n is the direction. */
export const RN_A = 0, RN_B = 1, INV_I_RN_A = 2, INV_I_RN_B = 3, EFFECTIVE_MASS = 4, IMPULSE = 5;
/** The row along the tangent. */
export const TANGENT_ROW = 11;
/** Two points' effective mass, and the inverse of that: symmetric matrices. */
export const K11 = 17, K12 = 18, K22 = 19, INVERSE_11 = 20, INVERSE_12 = 21, INVERSE_22 = 22;
/** Then, for either point, the row along the normal, the velocity to bounce off with, and r, the arms from both centres. */
export const POINTS = 23, POINT_STRIDE = 11;
export const BIAS = 6, R_AX = 7, R_AY = 8, R_BX = 9, R_BY = 10;
export const CONTACT_STRIDE = POINTS + 2 * POINT_STRIDE;

/**
 * A contact's numbers in `manifolds`, for positions. Normal and reference point come first, laid out as in `manifold_rows.ts`.
 * The two points and the radii of the shapes follow.
 */
export const LOCAL_POINTS = 4, RADIUS_A = 8, RADIUS_B = 9;
export const MANIFOLD_STRIDE = 10;

/** A contact's whole numbers in `indices`: where its bodies lie, how many points move velocities and positions, manifold type. */
export const BODY_A = 0, BODY_B = 1, VELOCITY_POINTS = 2, POSITION_POINTS = 3, TYPE = 4;
export const INDEX_STRIDE = 5;

/** The island that is being solved. */
export const solverScratch = {
  /** Of the world that it is in (`body_rows.ts`). */
  bodies: new Float64Array(0),
  contacts: new Float64Array(128 * CONTACT_STRIDE),
  manifolds: new Float64Array(128 * MANIFOLD_STRIDE),
  indices: new Int32Array(128 * INDEX_STRIDE),
};

/** Makes room; what was there is lost. As many as a stage may hold, so the bound is the stage's. */
export function reserve(contactCount: number): void {
  if (contactCount * INDEX_STRIDE <= solverScratch.indices.length) return;
  const capacity = contactCount * 2;
  solverScratch.contacts = new Float64Array(capacity * CONTACT_STRIDE);
  solverScratch.manifolds = new Float64Array(capacity * MANIFOLD_STRIDE);
  solverScratch.indices = new Int32Array(capacity * INDEX_STRIDE);
}
