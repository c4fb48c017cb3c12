/** The dragon game for the vectors: the game's own codec and schema, with commands as lists. */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { commandOf } from "../../../support/dragons.ts";
import { type GameSchema, gameSchemaOf } from "../../../../shared/netcode/game_schema.ts";
import { codecOfLists, type CommandValues, modelOf, type VectorGame } from "./vector_game.ts";

const schema: GameSchema = JSON.parse(JSON.stringify(gameSchemaOf(dragonGame)));

function listOf({ dir, flapHeld, flaps, fires }: DragonCommand): CommandValues {
  return [dir, Number(flapHeld), flaps, fires];
}

function commandOfList([dir, flapHeld, flaps, fires]: CommandValues): DragonCommand {
  return commandOf({
    dir: dir as DragonCommand["dir"],
    flapHeld: flapHeld!,
    flaps: flaps!,
    fires: fires!,
  });
}

export const dragons: VectorGame = {
  schema,
  codec: codecOfLists(dragonGame.command, { toList: listOf, fromList: commandOfList }),
  model: modelOf(schema),
};
