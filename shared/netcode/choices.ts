/** Room options: the choices that a game offers, and the check of what a client chose. */
import type { Game } from "./game.ts";
import { CHOICES_MAX } from "./wire/messages.ts";

/** One more than the greatest choice. */
const VALUES_MAX = 256;

/**
 * Fills in a room's options, one number for each option of the game.
 * @param chosen what the hello that opens the room chose, already checked by `choicesFaultOf`;
 *   empty to choose each option's first value
 * @throws RangeError if the game declares too many options or values
 */
export function roomChoicesOf<Command>(
  { id, choices = [] }: Game<Command>,
  chosen: readonly number[] = [],
): readonly number[] {
  const isAllowed = (values: number) =>
    Number.isInteger(values) && values >= 1 && values <= VALUES_MAX;
  if (choices.length > CHOICES_MAX || !choices.every(isAllowed)) {
    throw new RangeError(
      `${id}: a room has at most ${CHOICES_MAX} options of 1 … ${VALUES_MAX} values each`,
    );
  }
  return chosen.length > 0 ? chosen : choices.map(() => 0);
}

/**
 * Compares a hello's choices with the game's options. An empty list chooses the first values.
 * @returns the reason to refuse them, or undefined
 */
export function choicesFaultOf<Command>(
  { id, choices = [] }: Game<Command>,
  chosen: readonly number[],
) {
  if (chosen.length === 0) return undefined;
  if (chosen.length !== choices.length) {
    return `${id} has ${choices.length} room options, not ${chosen.length}`;
  }
  const wrong = chosen.findIndex((choice, i) => choice >= choices[i]!);
  if (wrong < 0) return undefined;
  return `room option ${wrong + 1} of ${id} has the values 0 to ${choices[wrong]! - 1}, not ${
    chosen[wrong]
  }`;
}
