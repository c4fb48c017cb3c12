/**
 * The spring of a distance, weld or wheel joint, after Box2D's soft constraints. Its constants
 * follow from frequency and damping ratio, for the effective mass m of the row:
 *
 *     omega = 2 pi f    d = 2 m ratio omega    k = m omega²
 *     gamma = 1 / (h (d + h k))    bias = error · h k gamma    m := 1 / (1 / m + gamma)
 */
import * as jointLayout from "../joint_rows.ts";
import * as solverLayout from "../../dynamics/solver_scratch.ts";
import { solverScratch } from "../../dynamics/solver_scratch.ts";

/** Local copies: V8 inlines a module's own constants but reads imported ones each time. */
const { FREQUENCY_HZ, DAMPING_RATIO } = jointLayout;
const { STEP_S } = solverLayout;

/**
 * Adjacent values of a joint's row. `prepareSpring` reads 1 / m, m and the error in the place of
 * the bias. It writes m, gamma and bias.
 */
export const SPRING_INVERSE = 0;
export const SPRING_MASS = 1;
export const GAMMA = 2;
export const BIAS = 3;
export const SPRING_VALUES = 4;

/** Makes the row rigid. @param at index of `SPRING_INVERSE` */
export function prepareRigid(values: Float64Array, at: number): void {
  values[at + GAMMA] = values[at + BIAS] = 0;
}

/** Makes the row soft. @param j the joint's first value @param at index of `SPRING_INVERSE` */
export function prepareSpring(values: Float64Array, j: number, at: number): void {
  const mass = values[at + SPRING_MASS]!;
  const stepS = solverScratch.step[STEP_S]!;
  const omega = 2 * Math.PI * values[j + FREQUENCY_HZ]!;
  const damping = 2 * mass * values[j + DAMPING_RATIO]! * omega;
  const stiffness = mass * omega * omega;
  const softness = stepS * (damping + stepS * stiffness);
  const gamma = softness !== 0 ? 1 / softness : 0;
  values[at + GAMMA] = gamma;
  values[at + BIAS] = values[at + BIAS]! * stepS * stiffness * gamma;
  const inverse = values[at + SPRING_INVERSE]! + gamma;
  values[at + SPRING_MASS] = inverse !== 0 ? 1 / inverse : 0;
}
