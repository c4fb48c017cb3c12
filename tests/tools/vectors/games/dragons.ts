/** The dragon game for the vectors: the game's own codec and schema, with commands as lists. */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { commandOf } from "../../../support/dragons.ts";
import { type GameSchema, gameSchemaOf } from "../../../../shared/netcode/game_schema.ts";
import { codecOfLists, type CommandValues, modelOf, type VectorGame } from "./vector_game.ts";

const schema: GameSchema = JSON.parse(JSON.stringify(gameSchemaOf(dragonGame)));

/** In wire order: what players do, and the plans of NPCs. */
const NAMES = schema.command!.map(({ name }) => name);

function listOf(command: DragonCommand): CommandValues {
  return NAMES.map((name) => (command as Readonly<Record<string, number>>)[name]!);
}

function commandOfList(values: CommandValues): DragonCommand {
  return commandOf(Object.fromEntries(NAMES.map((name, i) => [name, values[i]!])));
}

export const dragons: VectorGame = {
  schema,
  codec: codecOfLists(dragonGame.command, { toList: listOf, fromList: commandOfList }),
  model: modelOf(schema),
};
