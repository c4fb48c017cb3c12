/**
 * The spring of a distance, weld or wheel joint, after Box2D's soft constraints. Its constants
 * follow from frequency and damping ratio, for the effective mass m of the row:
 *
 *     omega = 2 pi f    d = 2 m ratio omega    k = m omega²
 *     gamma = 1 / (h (d + h k))    bias = error · h k gamma    m := 1 / (1 / m + gamma)
 */
import { JointValue } from "../joint_rows.ts";
import { solverScratch, Step } from "../../dynamics/solver_scratch.ts";

/**
 * Adjacent values of a joint's row. `prepareSpring` reads 1 / m, m and the error in the place of
 * the bias. It writes m, gamma and bias.
 */
export enum Spring {
  INVERSE = 0,
  MASS = 1,
  GAMMA = 2,
  BIAS = 3,
  STRIDE = 4,
}

/** Makes the row rigid. @param at index of `Spring.INVERSE` */
export function prepareRigid(values: Float64Array, at: number): void {
  values[at + Spring.GAMMA] = values[at + Spring.BIAS] = 0;
}

/** Makes the row soft. @param j the joint's first value @param at index of `Spring.INVERSE` */
export function prepareSpring(values: Float64Array, j: number, at: number): void {
  const mass = values[at + Spring.MASS]!;
  const stepS = solverScratch.step[Step.LENGTH_S]!;
  const omega = 2 * Math.PI * values[j + JointValue.FREQUENCY_HZ]!;
  const damping = 2 * mass * values[j + JointValue.DAMPING_RATIO]! * omega;
  const stiffness = mass * omega * omega;
  const softness = stepS * (damping + stepS * stiffness);
  const gamma = softness !== 0 ? 1 / softness : 0;
  values[at + Spring.GAMMA] = gamma;
  values[at + Spring.BIAS] = values[at + Spring.BIAS]! * stepS * stiffness * gamma;
  const inverse = values[at + Spring.INVERSE]! + gamma;
  values[at + Spring.MASS] = inverse !== 0 ? 1 / inverse : 0;
}
