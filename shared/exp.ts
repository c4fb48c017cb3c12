/**
 * e^x with the same bits on every engine, which `Math.exp` does not promise. It serves
 * probabilities and weights that must be reproducible from a seed but need not be exact.
 *
 *     e^x ≈ (1 + x/1024)^1024
 */

/** Below this, e^x is negligible, and at −1024 the formula turns wrong. */
const X_MIN = -200;

/**
 * @param x at most 700
 * @returns e^x within 1 % for |x| < 4, too small beyond; never negative, and never decreasing with
 *   x
 */
export function exp(x: number): number {
  if (x < X_MIN) return 0;
  let power = 1 + x / 1024;
  for (let i = 0; i < 10; i++) power *= power;
  return power;
}
