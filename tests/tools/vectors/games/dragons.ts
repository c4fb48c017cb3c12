/** The dragon game for the vectors: the game's own codec and schema, with commands as lists. */
import {
  commandOf,
  type DragonCommand,
  dragonCommandCodec,
} from "../../../../shared/games/dragons/command.ts";
import { describedDragonGame } from "../../../../shared/games/dragons/schema/described_game.ts";
import { type GameSchema, gameSchemaOf } from "../../../../shared/netcode/game_schema.ts";
import { codecOfLists, type CommandValues, modelOf, type VectorGame } from "./vector_game.ts";

const schema: GameSchema = JSON.parse(JSON.stringify(gameSchemaOf(describedDragonGame)));

function listOf({ dir, flapHeld, flaps, fires }: DragonCommand): CommandValues {
  return [dir, Number(flapHeld), flaps, fires];
}

function commandOfList([dir, flapHeld, flaps, fires]: CommandValues): DragonCommand {
  return commandOf({
    dir: dir as DragonCommand["dir"],
    flapHeld: flapHeld === 1,
    flaps: flaps!,
    fires: fires!,
  });
}

export const dragons: VectorGame = {
  schema,
  codec: codecOfLists(dragonCommandCodec, { toList: listOf, fromList: commandOfList }),
  model: modelOf(schema),
};
