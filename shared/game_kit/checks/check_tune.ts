/** Checks the constants that an author tunes. */
import { GameError } from "../game_error.ts";
import { TUNE_STEPS_MAX, type TunedConstants, tuneSteps } from "../tune/tune.ts";
import { checkName } from "./check_values.ts";

/** As many as fit on a page beside the picture. */
const CONSTANTS_MAX = 16;
/** Values are rounded to six decimals. */
const STEP_MIN = 1e-6;

/** @throws GameError that names the constant */
export function checkTune(constants: TunedConstants): void {
  const all = Object.entries(constants);
  if (all.length > CONSTANTS_MAX) {
    throw new GameError(`a game has at most ${CONSTANTS_MAX} constants to tune, not ${all.length}`);
  }

  for (const [name, constant] of all) {
    checkName(name, "constant of tune");
    if (constant?.kind !== "tune") {
      throw new GameError(
        `tune.${name} is no constant: write ${name}: tune(4, { min: 1, max: 9 })`,
      );
    }
    const { value, min, max, step } = constant;
    if (!(Number.isFinite(min) && Number.isFinite(max) && min < max)) {
      throw new GameError(`tune.${name} goes from ${min} to ${max}, which is no range`);
    }
    if (!(value >= min && value <= max)) {
      throw new GameError(`tune.${name} is ${value}, which is not between ${min} and ${max}`);
    }
    if (!(step >= STEP_MIN && step <= max - min) || tuneSteps(constant) > TUNE_STEPS_MAX) {
      throw new GameError(
        `tune.${name} has steps of ${step}; 1 to ${TUNE_STEPS_MAX} steps from ${min} to ${max} are allowed`,
      );
    }
  }
}
