/**
 * The joints of one world as rows of numbers, `values` and `ints`, and each body's list of its
 * joints. The solvers of the types work on the rows.
 *
 * Joint j has two edges, 2 j in the list of body A and 2 j + 1 in the list of body B. A list begins
 * with the newest joint, because planck solves joints in this order.
 */
import { RowTable } from "../core/row_table.ts";
import { Body } from "../core/body_rows.ts";

/** A row of `values`. */
export enum JointValue {
  /**
   * What lasts: both anchors in the frames of their bodies, metres; then the type's values, in the
   * order of `JointForm.names`.
   */
  ANCHOR_AX = 0,
  ANCHOR_AY = 1,
  ANCHOR_BX = 2,
  ANCHOR_BY = 3,
  TYPE_VALUES = 4,

  /**
   * Constants of the definition, 0 if it has none; changeable joints have their own. Limits,
   * radians or metres.
   */
  LOWER = 13,
  UPPER = 14,

  /** The motor's strength, N or N·m. */
  MOTOR_MAX = 15,

  /** The spring, Hz and a ratio. */
  FREQUENCY_HZ = 16,
  DAMPING_RATIO = 17,

  /** The largest force, N, and torque, N·m. */
  FORCE_MAX = 18,
  TORQUE_MAX = 19,

  /** A gear's or a pulley's ratio, or the correction factor of a motor joint. */
  RATIO = 20,

  /**
   * One world step: the arms from the centres of mass to the anchors, metres; then the type's
   * values.
   */
  R_AX = 21,
  R_AY = 22,
  R_BX = 23,
  R_BY = 24,
  STEP_VALUES = 25,

  STRIDE = 52,
}

/** The largest number of values that last. */
export const LASTING_VALUES_MAX = 13;
/**
 * The place of a gear's constant among its lasting values. It stands here, because the table of all
 * joints changes it, and a page without gears does not have their solver.
 */
export const GEAR_CONSTANT = 0;

/** A row of `ints`. */
export enum JointInt {
  /** Index of its definition in the declaration. */
  DEFINITION = 0,

  /** `JointFlag`s. */
  FLAGS = 1,

  /** A `LimitSide`, of one solver step. */
  LIMIT_SIDE = 2,

  /** Offsets of the rows of both bodies. */
  BODY_A = 3,
  BODY_B = 4,

  /** The next edge in A's list; behind it the one in B's. */
  NEXT_EDGE_A = 5,

  /** Number of the last world step in which it was in an island. */
  ISLAND_STEP = 7,

  /** The rows of the two joints that a gear couples; 0 for other types. */
  FIRST_JOINT = 8,
  SECOND_JOINT = 9,

  STRIDE = 10,
}

export enum JointFlag {
  /** Its limits hold, its motor runs, its bodies may touch each other. */
  LIMIT_ON = 1,
  MOTOR_ON = 2,
  COLLIDES = 4,

  /** It can move neither of its bodies, or is a filter, so it holds nothing. */
  RESTS = 32,

  /** Of a gear: its first or its second joint is prismatic. */
  FIRST_SLIDES = 8,
  SECOND_SLIDES = 16,
}

/** Between the limits, at one of them, both limits are one, or none acts. */
export enum LimitSide {
  FREE = 0,
  LOWER = 1,
  UPPER = 2,
  EQUAL = 3,
  OFF = 4,
}

/** The end of a list. */
export const NO_EDGE = -1;

/** Initial capacity in rows; it doubles when it is used up. */
const ROWS_MIN = 16;

/**
 * The rows of one world's joints. No result depends on the order of the rows, only on that of the
 * lists.
 */
export class JointRows extends RowTable {
  /** The first edge of each body's list, by row of the body. */
  #first = new Int32Array(ROWS_MIN).fill(NO_EDGE);

  constructor() {
    super(ROWS_MIN, JointValue.STRIDE, JointInt.STRIDE);
  }

  /** The number of rows for which there is room. */
  get capacity(): number {
    return this.ints.length / JointInt.STRIDE;
  }

  /**
   * Takes a free row, fills it with zeros, and puts the joint first in the lists of both bodies.
   * @returns its number
   */
  add(a: number, b: number): number {
    const joint = this.acquire();
    this.values.fill(0, joint * JointValue.STRIDE, (joint + 1) * JointValue.STRIDE);
    this.ints.fill(0, joint * JointInt.STRIDE, (joint + 1) * JointInt.STRIDE);
    this.ints[joint * JointInt.STRIDE + JointInt.BODY_A] = a * Body.STRIDE;
    this.ints[joint * JointInt.STRIDE + JointInt.BODY_B] = b * Body.STRIDE;
    this.link(joint);
    return joint;
  }

  /** The row of the body in whose list the edge is. */
  bodyOf(edge: number): number {
    return this.ints[(edge >> 1) * JointInt.STRIDE + JointInt.BODY_A + (edge & 1)]! / Body.STRIDE |
      0;
  }

  /** The row of the joint's other body. */
  otherBodyOf(edge: number): number {
    return this.bodyOf(edge ^ 1);
  }

  /** The first edge of the list of the body with this row, or `NO_EDGE`. */
  firstEdge(body: number): number {
    return body < this.#first.length ? this.#first[body]! : NO_EDGE;
  }

  /** The next edge of the same list, or `NO_EDGE`. */
  nextEdge(edge: number): number {
    return this.ints[(edge >> 1) * JointInt.STRIDE + JointInt.NEXT_EDGE_A + (edge & 1)]!;
  }

  /** Puts the joint first in the lists of both bodies. */
  link(joint: number): void {
    for (let edge = 2 * joint; edge < 2 * joint + 2; edge++) {
      const body = this.bodyOf(edge);
      const next = this.firstEdge(body);
      this.ints[joint * JointInt.STRIDE + JointInt.NEXT_EDGE_A + (edge & 1)] = next;
      this.#setFirst(body, edge);
    }
  }

  /** Takes the joint out of both lists. */
  unlink(joint: number): void {
    for (let edge = 2 * joint; edge < 2 * joint + 2; edge++) {
      const body = this.bodyOf(edge);
      const next = this.nextEdge(edge);
      let before = this.firstEdge(body);
      if (before === edge) {
        this.#setFirst(body, next);
        continue;
      }
      while (this.nextEdge(before) !== edge) before = this.nextEdge(before);
      this.ints[(before >> 1) * JointInt.STRIDE + JointInt.NEXT_EDGE_A + (before & 1)] = next;
    }
  }

  /** Gives the list of one body to another one, which has none. The order of all lists stays. */
  moveList(from: number, to: number): void {
    const first = this.firstEdge(from);
    if (from === to || first === NO_EDGE) return;
    for (let edge = first; edge !== NO_EDGE; edge = this.nextEdge(edge)) {
      this.ints[(edge >> 1) * JointInt.STRIDE + JointInt.BODY_A + (edge & 1)] = to * Body.STRIDE;
    }
    this.#setFirst(from, NO_EDGE);
    this.#setFirst(to, first);
  }

  /** Makes all lists empty. */
  unlinkAll(): void {
    this.#first.fill(NO_EDGE);
  }

  #setFirst(body: number, edge: number): void {
    if (body >= this.#first.length) {
      const larger = new Int32Array(2 * body).fill(NO_EDGE);
      larger.set(this.#first);
      this.#first = larger;
    }
    this.#first[body] = edge;
  }
}
