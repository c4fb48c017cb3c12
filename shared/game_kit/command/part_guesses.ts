/** How clients guess each part of a command: as its author says, or as most people play. */
import { guessButton, guessDirection } from "./command_guesser.ts";
import type { FieldGuess } from "./command_table.ts";
import { quantizedPart } from "./inputs.ts";
import type { AxisPart, CommandPart, CommandParts, HoldPart } from "./parts.ts";

/** Lists the guesses by the parts' names. Parts that are missing stay. */
export function partGuesses(parts: CommandParts): Readonly<Record<string, FieldGuess>> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => {
      const guess = guessOf(name, part);
      return guess === undefined ? [] : [[name, guess]];
    }),
  );
}

function guessOf(name: string, part: CommandPart): FieldGuess | undefined {
  switch (part.kind) {
    case "axis":
      return { guess: part.guess === undefined ? guessDirection : guessedAxis(name, part) };
    case "hold":
      return {
        of: part.of,
        guess: part.guess === undefined ? guessButton : guessedHold(name, part),
      };
    case "press":
    case "aim":
    case "dial":
      return undefined;
  }
}

function guessedAxis(name: string, part: AxisPart): FieldGuess["guess"] {
  const { guess, steps = 1 } = part;
  return (seen) => quantizedPart(name, part, guess!({ ...seen, value: seen.value / steps }));
}

function guessedHold(name: string, part: HoldPart): FieldGuess["guess"] {
  const { guess } = part;
  return (seen) => quantizedPart(name, part, guess!({ ...seen, value: seen.value === 1 }));
}
