/**
 * How clients guess each part of a command: as its author says, or as most people play. An author's
 * guess that throws, or returns no value of the part, must not end the match of the page, because
 * only a prediction depends on it. So the kit guesses in its place, and names the mistake once.
 */
import { GameError } from "../game_error.ts";
import { guessButton, guessDirection } from "./command_guesser.ts";
import type { FieldGuess, SeenPart } from "./command_table.ts";
import { quantizedPart } from "./inputs.ts";
import type { CommandPart, CommandParts } from "./parts.ts";

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
    case "axis": {
      const { guess, steps = 1 } = part;
      if (guess === undefined) return { guess: guessDirection };
      return {
        guess: guardedGuess(name, guessDirection, (seen) => {
          const guessed = guess({ ...seen, value: seen.value / steps });
          if (!Number.isFinite(guessed)) throw noValue(guessed, "an axis is a finite number");
          return quantizedPart(name, part, guessed);
        }),
      };
    }
    case "hold": {
      const { guess, of } = part;
      if (guess === undefined) return { of, guess: guessButton };
      return {
        of,
        guess: guardedGuess(name, guessButton, (seen) => {
          const guessed = guess({ ...seen, value: seen.value === 1 });
          if (typeof guessed !== "boolean") throw noValue(guessed, "a hold is true or false");
          return quantizedPart(name, part, guessed);
        }),
      };
    }
    case "press":
    case "aim":
    case "dial":
      return undefined;
  }
}

/** Guesses as the kit does while the author's own guess fails. */
function guardedGuess(
  name: string,
  usual: (seen: SeenPart<number>) => number,
  own: (seen: SeenPart<number>) => number,
): FieldGuess["guess"] {
  let isReported = false;
  return (seen, report) => {
    try {
      return own(seen);
    } catch (cause) {
      // A guess is asked for each missing tick of each rival, and one report says it all.
      if (!isReported) report(mistakeOf(name, cause));
      isReported = true;
      return usual(seen);
    }
  };
}

function noValue(guessed: unknown, allowed: string): GameError {
  return new GameError(`it returns ${guessed}; ${allowed}`);
}

/** The stack is that of the cause, which leads to the author's line. */
function mistakeOf(name: string, cause: unknown): Error {
  const words = cause instanceof Error ? cause.message : String(cause);
  const mistake = new GameError(`the guess of ${name} failed, so the kit guesses: ${words}`);
  if (cause instanceof Error && cause.stack !== undefined) {
    mistake.stack = `${mistake.message}\n${cause.stack}`;
  }
  return mistake;
}
