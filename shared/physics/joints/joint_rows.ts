/**
 * The joints of one world as rows of numbers, `values` and `ints`, and each body's list of its
 * joints. The solvers of the types work on the rows.
 *
 * Joint j has two edges, 2 j in the list of body A and 2 j + 1 in the list of body B. A list begins
 * with the newest joint, because planck solves joints in this order.
 */
import { RowTable } from "../core/row_table.ts";
import { BODY_STRIDE } from "../core/body_rows.ts";

/**
 * A row of `values`. First the values that last: both anchors in the frames of their bodies,
 * metres, and the values of the type, in the order of `JointForm.names`.
 */
export const ANCHOR_AX = 0;
export const ANCHOR_AY = 1;
export const ANCHOR_BX = 2;
export const ANCHOR_BY = 3;
export const TYPE_VALUES = 4;
/** The largest number of values that last. */
export const LASTING_VALUES_MAX = 12;
/**
 * Then the constants of the definition, 0 if it has none: limits, radians or metres; the motor's
 * strength, N or N·m; the spring, Hz and a ratio. Changeable joints have their own.
 */
export const LOWER = 12;
export const UPPER = 13;
export const MOTOR_MAX = 14;
export const FREQUENCY_HZ = 15;
export const DAMPING_RATIO = 16;
/**
 * The largest force, N, and torque, N·m; the ratio of a gear or a pulley; the correction factor of
 * a motor joint.
 */
export const FORCE_MAX = 17;
export const TORQUE_MAX = 18;
export const RATIO = 19;
/**
 * Then values of one world step: arms from the centres of mass to the anchors, metres, and those of
 * the type.
 */
export const R_AX = 20;
export const R_AY = 21;
export const R_BX = 22;
export const R_BY = 23;
export const STEP_VALUES = 24;
export const JOINT_VALUES = 45;

/**
 * A row of `ints`. Index of its definition in the declaration. Bits, see below. Side of its limits,
 * see below.
 */
export const JOINT_DEFINITION = 0;
export const JOINT_FLAGS = 1;
export const LIMIT_SIDE = 2;
/** Offsets of the rows of both bodies; the next edge in A's list, and behind it the one in B's. */
export const JOINT_BODY_A = 3;
export const JOINT_BODY_B = 4;
export const NEXT_EDGE_A = 5;
/** Number of the last world step in which it was in an island. */
export const ISLAND_STEP = 7;
/** The rows of the two joints that a gear couples; 0 for other types. */
export const FIRST_JOINT = 8;
export const SECOND_JOINT = 9;
export const JOINT_INTS = 10;

/** Bits of `JOINT_FLAGS`: its limits hold, its motor runs, its bodies may touch each other. */
export const LIMIT_ON = 1;
export const MOTOR_ON = 2;
export const COLLIDES = 4;
/** Of a gear: whether its first and its second joint are prismatic. */
export const FIRST_SLIDES = 8;
export const SECOND_SLIDES = 16;
/** `LIMIT_SIDE`: between the limits, at one of them, or both limits are one. */
export const SIDE_FREE = 0;
export const SIDE_LOWER = 1;
export const SIDE_UPPER = 2;
export const SIDE_EQUAL = 3;

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
    super(ROWS_MIN, JOINT_VALUES, JOINT_INTS);
  }

  /** The number of rows for which there is room. */
  get capacity(): number {
    return this.ints.length / JOINT_INTS;
  }

  /**
   * Takes a free row, fills it with zeros, and puts the joint first in the lists of both bodies.
   * @returns its number
   */
  add(a: number, b: number): number {
    const joint = this.acquire();
    this.values.fill(0, joint * JOINT_VALUES, (joint + 1) * JOINT_VALUES);
    this.ints.fill(0, joint * JOINT_INTS, (joint + 1) * JOINT_INTS);
    this.ints[joint * JOINT_INTS + JOINT_BODY_A] = a * BODY_STRIDE;
    this.ints[joint * JOINT_INTS + JOINT_BODY_B] = b * BODY_STRIDE;
    this.link(joint);
    return joint;
  }

  /** The row of the body in whose list the edge is. */
  bodyOf(edge: number): number {
    return this.ints[(edge >> 1) * JOINT_INTS + JOINT_BODY_A + (edge & 1)]! / BODY_STRIDE | 0;
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
    return this.ints[(edge >> 1) * JOINT_INTS + NEXT_EDGE_A + (edge & 1)]!;
  }

  /** Puts the joint first in the lists of both bodies. */
  link(joint: number): void {
    for (let edge = 2 * joint; edge < 2 * joint + 2; edge++) {
      const body = this.bodyOf(edge);
      const next = this.firstEdge(body);
      this.ints[joint * JOINT_INTS + NEXT_EDGE_A + (edge & 1)] = next;
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
      this.ints[(before >> 1) * JOINT_INTS + NEXT_EDGE_A + (before & 1)] = next;
    }
  }

  /** Gives the list of one body to another one, which has none. The order of all lists stays. */
  moveList(from: number, to: number): void {
    const first = this.firstEdge(from);
    if (from === to || first === NO_EDGE) return;
    for (let edge = first; edge !== NO_EDGE; edge = this.nextEdge(edge)) {
      this.ints[(edge >> 1) * JOINT_INTS + JOINT_BODY_A + (edge & 1)] = to * BODY_STRIDE;
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
