/** The values of sticks, of gamepads and under thumbs, as `AxisAction.ofStick` gives them. */

/** The centre of a worn stick reads up to about this much of the full deflection. */
export const STICK_CENTRE = 0.35;
/**
 * An analog stick is at rest up to here: less than for a direction, because a small value does
 * little.
 */
const ANALOG_CENTRE = 0.15;
/** Worn sticks do not reach their full deflection. */
const ANALOG_FULL = 0.95;

/** A direction, -1, 0 or 1. @param deflection -1 … 1 */
export function digitalStick(deflection: number): number {
  return Math.abs(deflection) < STICK_CENTRE ? 0 : Math.sign(deflection);
}

/** Any value from -1 to 1, which begins with 0 where the centre ends. @param deflection -1 … 1 */
export function analogStick(deflection: number): number {
  const beyond = (Math.abs(deflection) - ANALOG_CENTRE) / (ANALOG_FULL - ANALOG_CENTRE);
  return Math.sign(deflection) * Math.min(1, Math.max(0, beyond));
}

/** The same for a vertical axis: sticks count downwards, actions upwards. */
export function upwards(ofStick: (deflection: number) => number): (deflection: number) => number {
  return (deflection) => -ofStick(deflection);
}
