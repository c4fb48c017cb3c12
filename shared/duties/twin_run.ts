/** Runs a game with random commands and watches it with a twin, as `serve --check-twin` does. */
import type { Game, Simulation } from "../netcode/game.ts";
import { type ContractFault, TwinCheck } from "../netcode/twin_check.ts";
import { Snapshot } from "../snapshot.ts";
import { MatchCommands } from "./match_commands.ts";

export interface TwinRun {
  readonly seed: number;
  readonly npcs: number;
  readonly ticks: number;
  /** Called with each sentence about a limit that was reached. */
  readonly onLimited?: (sentence: string) => void;
}

/** @returns every fault within so many ticks; a game that keeps the contract has none */
export function twinFaults<Command, Sim extends Simulation<Command>>(
  game: Game<Command, Sim>,
  { seed, npcs, ticks, onLimited = () => {} }: TwinRun,
): ContractFault[] {
  const options = { npcs };
  const simulation = game.start(options, seed);
  const after = new Snapshot();
  const twin = new TwinCheck(game, { simulation, options, seed });
  const source = new MatchCommands(game, { seed });
  const faults: (ContractFault | undefined)[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    const commands = source.next(simulation);
    faults.push(twin.beforeStep());
    simulation.step(commands);
    simulation.limited?.forEach(onLimited);
    simulation.save(after);
    faults.push(twin.afterStep(commands, after));
  }
  return faults.filter((fault) => fault !== undefined);
}
