/** Functions that give equal bits in every engine, unlike their namesakes in `Math`. */
import { cos, sin } from "../physics/core/math.ts";

/** √(x² + y²). */
export function hypot(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** The unit vector with this angle, radians, counter-clockwise from right. */
export function directionOf(angle: number): { readonly x: number; readonly y: number } {
  return { x: cos(angle), y: sin(angle) };
}
