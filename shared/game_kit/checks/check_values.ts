/** Checks names and numbers in a declaration. */
import { GameError } from "../game_error.ts";

/** No spaces, which mark the kit's own names. */
const NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,31}$/;

/** @param what for the error, such as "thing" @throws GameError */
export function checkName(name: string, what: string): void {
  if (!NAME.test(name)) {
    throw new GameError(`the ${what} "${name}" is not named by 1 to 32 letters, digits and "_"`);
  }
}

/**
 * @param owner for the error, such as "dx.steps"
 * @throws GameError if the value is not a whole number in the range
 */
export function checkNumber(owner: string, value: number, least: number, greatest: number): void {
  if (Number.isInteger(value) && value >= least && value <= greatest) return;
  throw new GameError(
    `${owner} is ${value}; whole numbers from ${least} to ${greatest} are allowed`,
  );
}
