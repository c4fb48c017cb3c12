/** Converts stick deflections, on gamepads and under thumbs, to values for `AxisAction.ofStick`. */

/** How much a worn stick may read in its centre, relative to full deflection. */
export const STICK_CENTRE = 0.35;
/**
 * Up to here an analog stick is at rest: less than for a direction, because a small value does
 * little.
 */
const ANALOG_CENTRE = 0.15;
/** Worn sticks do not reach their full deflection. */
const ANALOG_FULL = 0.95;

/** Gives a direction, -1, 0 or 1. @param deflection -1 … 1 */
export function digitalStick(deflection: number): number {
  return Math.abs(deflection) < STICK_CENTRE ? 0 : Math.sign(deflection);
}

/** Gives any value from -1 to 1, starting with 0 where the centre ends. @param deflection -1 … 1 */
export function analogStick(deflection: number): number {
  const beyond = (Math.abs(deflection) - ANALOG_CENTRE) / (ANALOG_FULL - ANALOG_CENTRE);
  return Math.sign(deflection) * Math.min(1, Math.max(0, beyond));
}

/** Inverts a conversion for a vertical axis, because sticks count downwards and actions upwards. */
export function upwards(ofStick: (deflection: number) => number): (deflection: number) => number {
  return (deflection) => -ofStick(deflection);
}
