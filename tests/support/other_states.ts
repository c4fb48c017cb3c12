/** A client that computes another match than everybody else. */
import type { Game, Simulation, Tick } from "../../shared/netcode/game.ts";

/**
 * The same game with one bit of each state another one, as on a page with changed rules.
 * @param fromTick the first tick with another state
 */
export function withOtherStates<Command, Sim extends Simulation<Command>>(
  game: Game<Command, Sim>,
  { fromTick = 0 }: { fromTick?: Tick } = {},
): Game<Command, Sim> {
  return {
    ...game,
    start(options, seed) {
      const simulation = game.start(options, seed);
      const save = simulation.save.bind(simulation);
      simulation.save = (into) => {
        save(into);
        if (simulation.tick >= fromTick) into.words[into.length - 1]! ^= 1;
      };
      return simulation;
    },
  };
}
