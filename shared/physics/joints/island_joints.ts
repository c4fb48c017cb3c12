/**
 * The joints of a world step. An island collects the joints of its bodies in the order of the
 * bodies' lists. It solves them in this order, each by the solver of its type.
 */
import { JointFlag, JointInt, type JointRows, JointValue, NO_EDGE } from "./joint_rows.ts";
import type { JointForm } from "./joint_form.ts";
import type { JointSolver } from "../dynamics/joint_solver.ts";
import { BodyFlag, BodyInt, type BodyTable } from "../core/body_rows.ts";

/** Solves the joints of one world on their rows. */
export class IslandJoints implements JointSolver {
  count = 0;
  readonly #bodies: BodyTable;
  readonly #rows: JointRows;
  /** The type of each definition. */
  readonly #forms: readonly JointForm[];
  /** The island's joints; `count` are valid. */
  #joints = new Int32Array(0);
  /**
   * By row: N·s, then N·m·s, of the solver steps of this world step, but for the last one. Written
   * by `keepImpulses`, read by `JointTable`.
   */
  #earlierImpulses = new Float64Array(0);
  /** Wraps after 2^32 world steps. */
  #step = 0;

  constructor(bodies: BodyTable, rows: JointRows, forms: readonly JointForm[]) {
    this.#bodies = bodies;
    this.#rows = rows;
    this.#forms = forms;
  }

  beginStep(): void {
    this.#step = this.#step + 1 | 0;
    if (this.#joints.length < this.#rows.capacity) {
      this.#joints = new Int32Array(this.#rows.capacity);
      this.#earlierImpulses = new Float64Array(2 * this.#rows.capacity);
    }
    this.#earlierImpulses.fill(0);
  }

  beginIsland(): void {
    this.count = 0;
  }

  collect(body: number, stack: number[], height: number): number {
    const rows = this.#rows;
    const { ints } = rows;
    const flags = this.#bodies.ints;
    for (let edge = rows.firstEdge(body); edge !== NO_EDGE; edge = rows.nextEdge(edge)) {
      const joint = edge >> 1;
      if (ints[joint * JointInt.STRIDE + JointInt.ISLAND_STEP] === this.#step) continue;
      if ((ints[joint * JointInt.STRIDE + JointInt.FLAGS]! & JointFlag.RESTS) !== 0) continue;
      ints[joint * JointInt.STRIDE + JointInt.ISLAND_STEP] = this.#step;
      this.#joints[this.count++] = joint;
      const other = rows.otherBodyOf(edge);
      const at = other * BodyInt.STRIDE + BodyInt.FLAGS;
      if ((flags[at]! & BodyFlag.IN_ISLAND) !== 0) continue;
      flags[at]! |= BodyFlag.IN_ISLAND;
      stack[height++] = other;
    }
    return height;
  }

  prepare(): void {
    const rows = this.#rows;
    const { ints } = rows;
    for (let i = 0; i < this.count; i++) {
      const joint = this.#joints[i]!;
      this.#forms[ints[joint * JointInt.STRIDE + JointInt.DEFINITION]!]!.prepare(rows, joint);
    }
  }

  solveVelocities(): void {
    const rows = this.#rows;
    const { ints } = rows;
    for (let i = 0; i < this.count; i++) {
      const joint = this.#joints[i]!;
      this.#forms[ints[joint * JointInt.STRIDE + JointInt.DEFINITION]!]!.solveVelocity(rows, joint);
    }
  }

  keepImpulses(): void {
    const { ints, values } = this.#rows;
    for (let i = 0; i < this.count; i++) {
      const joint = this.#joints[i]!;
      const form = this.#forms[ints[joint * JointInt.STRIDE + JointInt.DEFINITION]!]!;
      this.#earlierImpulses[2 * joint]! += form.impulse(values, joint * JointValue.STRIDE);
      this.#earlierImpulses[2 * joint + 1]! += form.twist(values, joint * JointValue.STRIDE);
    }
  }

  /** N·s of a joint in the solver steps of this world step before the last one. */
  earlierImpulseOf(joint: number): number {
    return this.#earlierImpulses[2 * joint] ?? 0;
  }

  /** N·m·s, the same. */
  earlierTwistOf(joint: number): number {
    return this.#earlierImpulses[2 * joint + 1] ?? 0;
  }

  solvePositions(): boolean {
    const rows = this.#rows;
    const { ints } = rows;
    let isSolved = true;
    for (let i = 0; i < this.count; i++) {
      const joint = this.#joints[i]!;
      isSolved = this.#forms[ints[joint * JointInt.STRIDE + JointInt.DEFINITION]!]!.solvePosition(
        rows,
        joint,
      ) &&
        isSolved;
    }
    return isSolved;
  }

  preventsContact(a: number, b: number): boolean {
    const rows = this.#rows;
    for (let edge = rows.firstEdge(b); edge !== NO_EDGE; edge = rows.nextEdge(edge)) {
      if (rows.otherBodyOf(edge) !== a) continue;
      if ((rows.ints[(edge >> 1) * JointInt.STRIDE + JointInt.FLAGS]! & JointFlag.COLLIDES) === 0) {
        return true;
      }
    }
    return false;
  }
}
