/**
 * One island as flat numbers: bodies that hold each other through touching contacts or joints, laid out so that the solver's
 * loops read and write nothing else. It is scratch: filled from planck's objects before an island is solved and empty of meaning
 * after, so all stages share it.
 */
import { cosSinInto } from "./math.ts";

/** A body's numbers in `bodies`: velocity (vx, vy, spin), the centre's place (x, y, angle), the transform, and what never changes. */
export const VX = 0, VY = 1, SPIN = 2, INVERSE_MASS = 3, INVERSE_INERTIA = 4, CENTER_X = 5, CENTER_Y = 6, ANGLE = 7;
export const COS = 8, SIN = 9, ORIGIN_X = 10, ORIGIN_Y = 11, LOCAL_CENTER_X = 13, LOCAL_CENTER_Y = 14;
/** The angle that cosine and sine are of. */
const TURNED = 12;
export const BODY_NUMBERS = 16;

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
  LOCAL_X = 2,
  LOCAL_Y = 3,
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
  bodies: new Float64Array(64 * BODY_NUMBERS),
  contacts: new Float64Array(128 * CONTACT_NUMBERS),
  shapes: new Float64Array(128 * SHAPE_NUMBERS),
  links: new Int32Array(128 * LINK_NUMBERS),
};

/** Makes room; what was there is lost. As many as a stage may hold, so the bound is the stage's. */
export function reserve(bodyCount: number, contactCount: number): void {
  if (bodyCount * BODY_NUMBERS > memory.bodies.length) memory.bodies = new Float64Array(bodyCount * 2 * BODY_NUMBERS);
  if (contactCount * LINK_NUMBERS <= memory.links.length) return;
  const room = contactCount * 2;
  memory.contacts = new Float64Array(room * CONTACT_NUMBERS);
  memory.shapes = new Float64Array(room * SHAPE_NUMBERS);
  memory.links = new Int32Array(room * LINK_NUMBERS);
}

/** Brings a body's transform to its place. The angle mostly is as it was: many bodies never turn. */
export function transformBody(at: number): void {
  const { bodies } = memory, angle = bodies[at + ANGLE]!;
  if (angle !== bodies[at + TURNED]!) {
    cosSinInto(bodies, at + ANGLE, at + COS);
    bodies[at + TURNED] = angle;
  }
  const c = bodies[at + COS]!, s = bodies[at + SIN]!;
  const x = bodies[at + LOCAL_CENTER_X]!, y = bodies[at + LOCAL_CENTER_Y]!;
  bodies[at + ORIGIN_X] = bodies[at + CENTER_X]! - (c * x - s * y);
  bodies[at + ORIGIN_Y] = bodies[at + CENTER_Y]! - (s * x + c * y);
}

/** The transform that a body came with is that of its angle. */
export function transformIsOf(at: number): void {
  memory.bodies[at + TURNED] = memory.bodies[at + ANGLE]!;
}
