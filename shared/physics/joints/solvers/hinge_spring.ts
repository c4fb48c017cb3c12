/**
 * The spring of a hinge or a rail: one more row, which draws its coordinate back to 0. Its mass is
 * that of the row while all other rows hold. So the frequency is that of the whole swing, wherever
 * the anchor is:
 *
 *     K = the matrix of the joint, whose third row is the coordinate's
 *     1 / m = K33 − (K13, K23) K22⁻¹ (K13, K23)ᵀ        K22 = the upper two rows
 *     impulse := old − m · (speed + bias + gamma · old)
 */
import { JointValue } from "../joint_rows.ts";
import { prepareSpring, Spring } from "./spring.ts";
import { Matrix } from "./symmetric_matrix.ts";

/** Values of one world step, behind those of the joint. */
export const HINGE_SPRING = JointValue.STRIDE - Spring.STRIDE;

/**
 * Prepares the row, after `prepare22`.
 * @param values of the joints; `j` the joint's first
 * @param k index of the joint's matrix. The coordinate is in the place of the bias
 * @returns whether the row can move anything
 */
export function prepareHingeSpring(values: Float64Array, j: number, k: number): boolean {
  const k12 = values[k + Matrix.K12]!;
  const k13 = values[k + Matrix.K13]!;
  const k23 = values[k + Matrix.K23]!;
  const inverse22 = values[k + Matrix.INVERSE_22]!;
  const x = inverse22 * (values[k + Matrix.K22]! * k13 - k12 * k23);
  const y = inverse22 * (values[k + Matrix.K11]! * k23 - k12 * k13);
  const inverse = values[k + Matrix.K33]! - (k13 * x + k23 * y);

  // What is left of two numbers that differ by rounding alone moves nothing.
  const isFree = inverse > values[k + Matrix.K33]! * 1e-9;
  values[j + HINGE_SPRING + Spring.INVERSE] = isFree ? inverse : 0;
  values[j + HINGE_SPRING + Spring.MASS] = isFree ? 1 / inverse : 0;
  if (isFree) prepareSpring(values, j, j + HINGE_SPRING);
  return isFree;
}
