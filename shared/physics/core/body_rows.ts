/**
 * All numbers of a stage's bodies in two arrays, one row per body in each. `values` has pose,
 * motion, mass and forces. `ints` has type, flags and links. No result depends on the order of the
 * rows.
 *
 * Bodies as objects kept some fifteen objects and one heap number per fraction. With 24 stages that
 * take turns on one core, each step spent a quarter more time on fetching those into the caches.
 */
import { RowTable } from "./row_table.ts";

/** A row of `values`. */
export enum Body {
  /** Velocity of the centre of mass, m/s, and spin, rad/s. */
  VX = 0,
  VY = 1,
  SPIN = 2,

  /** 1/kg and 1/(kg·m²); 0 if immovable. */
  INVERSE_MASS = 3,
  INVERSE_INERTIA = 4,

  /** Centre of mass, metres, and unwrapped angle, radians. */
  CENTER_X = 5,
  CENTER_Y = 6,
  ANGLE = 7,

  /**
   * Transform: the angle's cosine and sine, and the body's origin, metres. Code that moves a body
   * updates it.
   */
  COS = 8,
  SIN = 9,
  ORIGIN_X = 10,
  ORIGIN_Y = 11,

  /** While an island is solved: the angle that `COS` and `SIN` belong to. */
  TRANSFORM_ANGLE = 12,

  /** Centre of mass in the body's frame, metres. */
  LOCAL_CENTER_X = 13,
  LOCAL_CENTER_Y = 14,

  /** Centre and angle at the start of the world step. */
  CENTER_X0 = 15,
  CENTER_Y0 = 16,
  ANGLE0 = 17,

  /** After a time of impact: the fraction of the step that is done, 0 … 1. */
  ALPHA0 = 18,

  /** Sleep time: how long the body has been at rest, seconds. */
  SLEEP_S = 19,

  /** Force and torque during this tick, N and N·m. */
  FORCE_X = 20,
  FORCE_Y = 21,
  TORQUE = 22,

  /**
   * A factor, and 1/s: the archetype's, unless it lets the rules change them (`BodyDef.mutable`).
   */
  GRAVITY_SCALE = 23,
  LINEAR_DAMPING = 24,
  ANGULAR_DAMPING = 25,

  /**
   * Farthest point of its shapes from the centre of mass, and longest motion in a slow step
   * (`aabb.ts`); metres.
   */
  MAX_EXTENT = 26,
  MAX_SLOW_MOTION = 27,

  STRIDE = 28,
}

/** A row of `ints`. */
export enum BodyInt {
  /** A `MotionType`. */
  TYPE = 0,

  /** `BodyFlag`s. */
  FLAGS = 1,

  /** The row of its first fixture, and the first link of its contacts; `NONE` ends a list. */
  FIRST_FIXTURE = 2,
  FIRST_CONTACT = 3,

  /** Its entity's id, 32 bits without sign. */
  ID = 4,

  /** Number of the newest contact event with a body of a smaller id; it may be out of date. */
  NEWEST_EVENT = 5,

  /** The row of its first fixture that is switched off; `NONE` ends that list, too. */
  FIRST_OFF = 6,

  STRIDE = 8,
}

/** What may move a body: nothing, its own velocity alone, or also forces and contacts. */
export enum MotionType {
  STATIC = 0,
  KINEMATIC = 1,
  DYNAMIC = 2,
}

export enum BodyFlag {
  AWAKE = 1,

  /** Continuous against dynamic bodies, too. */
  BULLET = 2,

  /** While islands are collected: one of them has it already. */
  IN_ISLAND = 4,

  /** How far the body went in this world step (`aabb.ts`). */
  FAST = 8,
  MOVED = 16,

  /** Its AABBs enclose the present pose alone, and not a swept motion. */
  AABB_CURRENT = 32,

  /** Its numbers may have changed since the end of the last tick. */
  DIRTY = 64,

  /** It is in the list of those awake. */
  LISTED = 128,

  /** Its numbers may have changed since the stage was saved or loaded. */
  UNSAVED = 256,

  /** It never falls asleep. */
  SLEEPLESS = 512,

  /** No force turns it: its inverse inertia is 0. */
  FIXED_ROTATION = 1024,
}

/** The end of a list. */
export const NONE = -1;

/** One body's row, or a scratch row. */
export interface BodyRow {
  readonly values: Float64Array;
  /** Index of the row's first number. */
  readonly offset: number;
}

/** Initial capacity in rows; it doubles when it is used up. */
const ROWS_MIN = 32;

/** The rows of one world's bodies. */
export class BodyTable extends RowTable {
  constructor() {
    super(ROWS_MIN, Body.STRIDE, BodyInt.STRIDE);
  }
}
