/**
 * A machine that computes one tick wrong: after that tick's step the lowest bit of one number is
 * flipped. A rollback steps the tick again, and gets it wrong again, as a real fault of a processor
 * or a compiler would.
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import type { LooseGame, LooseSimulation } from "../../game_kit/loose_types.ts";

/** Shared by a client's simulations. */
export interface Fault {
  /** The tick that is computed wrong; -1 for none. */
  tick: Tick;
}

/** The same game on a machine with a fault. */
export function faultyGame(game: LooseGame, fault: Fault): LooseGame {
  return {
    ...game,
    start(options, seed) {
      const simulation = game.start(options, seed);
      const step = simulation.step.bind(simulation);
      simulation.step = (commands) => {
        step(commands);
        if (simulation.tick === fault.tick) flip(simulation, game);
      };
      return simulation;
    },
  };
}

/** Moves the first player's body by the least that there is. */
function flip(
  simulation: LooseSimulation,
  { stateLabels, declaration: { player } }: LooseGame,
): void {
  const state = new Snapshot();
  simulation.save(state);
  const labels = stateLabels?.(simulation, state) ?? [];
  const word = labels.findIndex((label) => label.endsWith(` ${player} x`));
  if (word < 0) return;
  state.words[word]! ^= 1;
  simulation.load(state);
}
