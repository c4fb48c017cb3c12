/**
 * The place of joints in a world step. A world has one `JointSolver`. A world without joints has
 * `NO_JOINTS`, so the step needs none of their code. Bodies are the numbers of their rows.
 */

/** Solves the joints of one world, island by island. */
export interface JointSolver {
  /** The number of joints in the island. */
  readonly count: number;
  /** Begins a world step: no joint is in an island. */
  beginStep(): void;
  /** Begins an island without joints. */
  beginIsland(): void;
  /**
   * Adds the body's joints that are in no island yet, and pushes their other bodies that are not in
   * the island.
   * @param height of the stack
   * @returns its new height
   */
  collect(body: number, stack: number[], height: number): number;
  /**
   * Prepares the constraints of the island's joints and applies the impulses of the last world
   * step.
   */
  prepare(): void;
  /** One iteration over the island's joints. */
  solveVelocities(): void;
  /**
   * After the velocities of each solver step but the last one: keeps the impulses, because the next
   * one replaces them, and a joint breaks under those of the whole world step.
   */
  keepImpulses(): void;
  /**
   * One iteration over the island's joints.
   * @returns whether all errors were within their tolerances
   */
  solvePositions(): boolean;
  /** Whether a joint keeps the two bodies from touching each other. */
  preventsContact(a: number, b: number): boolean;
}

/** The solver of a world without joints. */
export const NO_JOINTS: JointSolver = {
  count: 0,
  beginStep: () => {},
  beginIsland: () => {},
  collect: (_body, _stack, height) => height,
  prepare: () => {},
  solveVelocities: () => {},
  keepImpulses: () => {},
  solvePositions: () => true,
  preventsContact: () => false,
};
