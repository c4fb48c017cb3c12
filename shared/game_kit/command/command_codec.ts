/** Makes a game's command table from its fields' schema. Each field is a whole number. */
import type { CommandFieldSchema } from "../../netcode/game.ts";
import { fieldCoderOf } from "../../netcode/wire/command_fields.ts";
import { GameError } from "../game_error.ts";
import { CommandTable, type FieldGuess, type TableField } from "./command_table.ts";
import type { Command } from "./parts.ts";

/** 2^48, so that a command's number is exact. */
const COMMANDS_MAX = 281_474_976_710_656;

/**
 * @param guesses how clients guess fields, by name
 * @throws GameError if the fields allow too many commands; RangeError if a field is out of range
 */
export function commandTableOf(
  schema: readonly CommandFieldSchema[],
  guesses: Readonly<Record<string, FieldGuess>> = {},
): CommandTable<Command> {
  const fields = schema.map((field) =>
    [field.name, { ...tableFieldOf(field), guessed: guesses[field.name] }] as const
  );
  const count = fields.reduce((product, [, field]) => product * field.count, 1);
  if (count > COMMANDS_MAX) {
    throw new GameError("the parts of the command have over 2^48 values together");
  }
  return new CommandTable<Command>(Object.fromEntries(fields));
}

function tableFieldOf(field: CommandFieldSchema): TableField<number> {
  const { neutral, held: isHeld } = field;
  const { least, greatest } = rangeOf(field);
  return { neutral, isHeld, least, count: greatest - least + 1, code: fieldCoderOf(field) };
}

function rangeOf(field: CommandFieldSchema): { least: number; greatest: number } {
  if (field.type === "number") return field;
  return { least: field.values[0]!, greatest: field.values.at(-1)! };
}
