/** Checks of names and numbers in a declaration. */
import { GameError } from "../game_error.ts";

/** The kit's own names have spaces. */
const NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,31}$/;

/** @param what for the error, such as "thing" @throws GameError */
export function checkName(name: string, what: string): void {
  if (!NAME.test(name)) {
    throw new GameError(`the ${what} "${name}" is not named by 1 to 32 letters, digits and "_"`);
  }
}

/**
 * @param owner for the error, such as "dx.steps"
 * @throws GameError for what is no whole number of the range
 */
export function checkNumber(owner: string, value: number, least: number, greatest: number): void {
  if (Number.isInteger(value) && value >= least && value <= greatest) return;
  throw new GameError(
    `${owner} is ${value}; whole numbers from ${least} to ${greatest} are allowed`,
  );
}
