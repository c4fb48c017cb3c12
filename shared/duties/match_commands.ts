/** Random players and the real NPCs of any game. It imports only what a browser can run. */
import type { Commands, Game, Simulation } from "../netcode/game.ts";
import { RandomCommands } from "./random_commands.ts";

const PLAYERS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The commands of players and NPCs, tick by tick. NPCs decide as early as they do on a server. */
export class MatchCommands<Command> {
  readonly #players: RandomCommands<Command>;
  readonly #queues = new Map<number, Command[]>();

  constructor({ command }: Pick<Game<Command>, "command">, { seed }: { seed: number }) {
    this.#players = new RandomCommands(command, { seed, seats: PLAYERS });
  }

  /** @returns the commands of the tick after the simulation's */
  next(simulation: Simulation<Command>): Commands<Command> {
    const commands = [...this.#players.next()];
    for (const seat of simulation.npcSeats) {
      const queue = this.#queues.get(seat) ?? [];
      this.#queues.set(seat, queue);
      while (queue.length < simulation.reactionTicks(seat)) {
        queue.push(simulation.npcCommand(seat, queue));
      }
      commands[seat] = queue.shift()!;
    }
    return commands;
  }
}
