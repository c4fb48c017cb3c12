/**
 * The dragon game as netcode sees it. `simulation.ts` has the rules, `tuning.ts` their constants,
 * `arena.ts` the arena.
 */
import type { Game, GameOptions } from "../../netcode/game.ts";
import { LEDGES } from "./arena.ts";
import {
  assumeCommand,
  type DragonCommand,
  dragonCommandCodec,
  isUrgentCommand,
  newCommandGuesser,
} from "./command.ts";
import { DragonSimulation } from "./simulation.ts";
import { TICK_HZ } from "./tuning.ts";

export const dragonGame: Game<DragonCommand, DragonSimulation> = {
  id: "dragons-7",
  tickHz: TICK_HZ,
  command: dragonCommandCodec,
  assume: assumeCommand,
  newGuesser: newCommandGuesser,
  isUrgent: isUrgentCommand,
  rounds: {
    isOver: ({ phase }) => phase === "result",
    result: ({ round, dragons }) => (
      { round, scores: dragons.map(({ fields: { seat, score } }) => ({ seat, score })) }
    ),
  },
  /** @throws RangeError if `options.npcs` is not 0 … 16 */
  start(options: GameOptions, seed: number) {
    return new DragonSimulation(LEDGES, options, seed);
  },
};

export { dragonGame as game };
