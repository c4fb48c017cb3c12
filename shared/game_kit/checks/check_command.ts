/** Checks a command's parts. */
import { AIM_STEPS, type CommandPart, type CommandParts } from "../command/parts.ts";
import type { Choices } from "../fields/kinds.ts";
import { GameError } from "../game_error.ts";
import { checkName, checkNumber } from "./check_values.ts";

/** Limited by a player's ten fingers and the help's lines. */
const PARTS_MAX = 16;
const AXIS_STEPS_MAX = 127;
const AIM_STEPS_MIN = 4;
const AIM_STEPS_MAX = 1_024;
const DIAL_VALUES_MAX = 256;

/** Each kind's options, listed because a misspelt one would go unnoticed. */
const OPTIONS: Readonly<Record<CommandPart["kind"], readonly string[]>> = {
  axis: ["steps", "up", "keys", "gamepad", "guess"],
  aim: ["steps", "fires"],
  dial: ["values", "start", "keys", "gamepad"],
  press: ["keys", "gamepad"],
  hold: ["keys", "gamepad", "of", "guess"],
};
const ALL_KINDS = ["kind", "label", "touchLabel"];

/** @throws GameError that names the part */
export function checkCommand(parts: CommandParts, join: Choices): void {
  const names = Object.keys(parts);
  if (names.length < 1 || names.length > PARTS_MAX) {
    throw new GameError(`a command has 1 to ${PARTS_MAX} parts, not ${names.length}`);
  }

  for (const [name, part] of Object.entries(parts)) {
    checkName(name, "part of the command");
    if (Object.hasOwn(join, name)) {
      throw new GameError(`"${name}" is a part of the command and a choice of join`);
    }
    const options = OPTIONS[part.kind];
    if (options === undefined) {
      throw new GameError(`the part ${name} is none of ${Object.keys(OPTIONS).join(", ")}`);
    }
    const unknown = Object.keys(part).find((key) =>
      !ALL_KINDS.includes(key) && !options.includes(key)
    );
    if (unknown !== undefined) throw new GameError(`the part ${name} has no option "${unknown}"`);
    checkPart(name, part, parts);
    if ("guess" in part && part.guess !== undefined && typeof part.guess !== "function") {
      throw new GameError(`the guess of the part ${name} is no function`);
    }
  }
}

function checkPart(name: string, part: CommandPart, parts: CommandParts): void {
  switch (part.kind) {
    case "axis":
      return checkNumber(`${name}.steps`, part.steps ?? 1, 1, AXIS_STEPS_MAX);
    case "aim":
      if (part.fires !== undefined && parts[part.fires]?.kind !== "press") {
        throw new GameError(`the part ${name} fires "${part.fires}", which is no press`);
      }
      return checkNumber(`${name}.steps`, part.steps ?? AIM_STEPS, AIM_STEPS_MIN, AIM_STEPS_MAX);
    case "dial":
      checkNumber(`${name}.values`, part.values, 2, DIAL_VALUES_MAX);
      return checkNumber(`${name}.start`, part.start ?? 0, 0, part.values - 1);
    case "hold":
      if (part.of === undefined || parts[part.of]?.kind === "press") return;
      throw new GameError(`the part ${name} holds "${part.of}", which is no press`);
    case "press":
      return;
  }
}
