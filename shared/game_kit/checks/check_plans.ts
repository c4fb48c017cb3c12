/** Checks what NPCs may plan for. */
import { quantizedPart } from "../command/inputs.ts";
import type { CommandParts } from "../command/parts.ts";
import { ANSWERS_MAX, type LoosePlans, PLANS_MAX } from "../command/plans.ts";
import { GameError, listed } from "../game_error.ts";
import { checkName } from "./check_values.ts";

/** @throws GameError that names plan, answer and part */
export function checkPlans(plans: LoosePlans, parts: CommandParts): void {
  const names = Object.keys(plans);
  if (names.length > PLANS_MAX) {
    throw new GameError(`${names.length} plans; a game has at most ${PLANS_MAX}`);
  }
  if (names.length > 0 && Object.hasOwn(parts, "if")) {
    throw new GameError(`"if" is a part of the command; with plans it stands for their answers`);
  }

  for (const [name, { when, answers }] of Object.entries(plans)) {
    checkName(name, "plan");
    if (typeof when !== "function") throw new GameError(`plans.${name}.when is no function`);
    const words = Object.keys(answers ?? {});
    if (words.length < 1 || words.length > ANSWERS_MAX) {
      throw new GameError(
        `plans.${name} has ${words.length} answers; 1 to ${ANSWERS_MAX} are allowed`,
      );
    }
    for (const word of words) checkAnswer(`plans.${name}.answers.${word}`, answers[word]!, parts);
  }
}

/** An answer sets parts of the command to values that a command could carry. */
function checkAnswer(
  at: string,
  answer: LoosePlans[string]["answers"][string],
  parts: CommandParts,
): void {
  for (const [name, value] of Object.entries(answer)) {
    const part = parts[name];
    if (part === undefined) {
      throw new GameError(
        `${at}: "${name}" is no part of the command: ${listed(Object.keys(parts))}`,
      );
    }
    if (part.kind === "aim" || part.kind === "dial") {
      throw new GameError(
        `${at}: ${name} is ${
          part.kind === "aim" ? "an aim" : "a dial"
        }, which stays; an answer lasts for a tick`,
      );
    }
    const isFit = part.kind === "hold" ? typeof value === "boolean" : Number.isFinite(value);
    const scale = part.kind === "axis" ? part.steps ?? 1 : 1;
    if (!isFit || quantizedPart(name, part, value as number) !== Number(value) * scale) {
      throw new GameError(`${at}: ${name} is ${value}, which no command could carry`);
    }
  }
}
