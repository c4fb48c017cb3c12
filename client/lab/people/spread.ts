/**
 * Durations as people have them: log-normal, so never negative and with a long tail on the slow
 * side.
 *
 *     duration = median · e^( deviation · z )        z: standard normal
 *
 * Ulrich and Miller derive the law for reaction times ("Information processing models generating
 * lognormally distributed reaction times", Journal of Mathematical Psychology 37, 1993).
 */
import type { Random } from "../../../shared/random.ts";

/** A log-normal distribution of times. */
export interface Spread {
  readonly medianMs: number;
  /**
   * The standard deviation of the logarithm: 0.2 puts two thirds of the draws within a fifth of the
   * median.
   */
  readonly deviation: number;
}

/** @returns ms */
export function drawMs({ medianMs, deviation }: Spread, random: Random): number {
  return medianMs * Math.exp(deviation * drawNormal(random));
}

/** The mean of a log-normal distribution, ms. */
export function meanMsOf({ medianMs, deviation }: Spread): number {
  return medianMs * Math.exp(deviation ** 2 / 2);
}

/**
 * A nearly normal deviate (Irwin–Hall): twelve uniform values less six have mean 0 and variance 1.
 */
export function drawNormal(random: Random): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random.fraction();
  return sum;
}
