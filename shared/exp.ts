/**
 * e^x with the same bits on every engine, which `Math.exp` does not promise: for chance, weights and whatever else must repeat
 * from a seed and need not be exact.
 *
 *     e^x ≈ (1 + x/1024)^1024
 */

/** Below this e^x is smaller than anything it is compared with, and the formula would soon be wrong. */
const X_MIN = -200;

/** @param x at most 700 @returns e^x, within 1 % for |x| < 4 and too small beyond, never negative, growing with x */
export function exp(x: number): number {
  if (x < X_MIN) return 0;
  let power = 1 + x / 1024;
  for (let i = 0; i < 10; i++) power *= power;
  return power;
}
