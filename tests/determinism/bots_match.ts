/**
 * A match of any game of the registry: some players who ask for what NPCs would ask for, and NPCs. All commands follow
 * from the state, so a state can be handed over. This module imports only what a browser can run.
 */
import { GAMES } from "../../shared/games/registry.ts";
import { type Game, SEATS, type Simulation } from "../../shared/netcode/game.ts";
import type { Snapshot } from "../../shared/snapshot.ts";

const PLAYERS = 6;
const NPCS = 4;

/** A game that can name the words of its states. */
type LabelledGame = Game<unknown> & {
  stateLabels?(simulation: Simulation<unknown>, state: Snapshot): readonly string[];
};

export class BotsMatch {
  readonly #game: LabelledGame;
  readonly #simulation: Simulation<unknown>;
  readonly #commands: unknown[] = new Array(SEATS).fill(undefined);

  private constructor(game: Game<unknown>, seed: number) {
    this.#game = game;
    this.#simulation = game.start({ npcs: NPCS }, seed);
  }

  /** @param name of a game of the registry */
  static async open(name: string, seed: number): Promise<BotsMatch> {
    return new BotsMatch((await GAMES[name]!()).game, seed);
  }

  get tick(): number {
    return this.#simulation.tick;
  }

  step(): void {
    const simulation = this.#simulation, commands = this.#commands;
    commands.fill(undefined);
    for (let seat = 0; seat < PLAYERS; seat++) commands[seat] = simulation.npcCommand(seat, []);
    for (const seat of simulation.npcSeats) commands[seat] = simulation.npcCommand(seat, []);
    simulation.step(commands);
  }

  save(into: Snapshot): void {
    this.#simulation.save(into);
  }

  load(from: Snapshot): void {
    this.#simulation.load(from);
  }

  /** A label for each word; its number for a game without labels. */
  snapshotLabels(snapshot: Snapshot): readonly string[] {
    return this.#game.stateLabels?.(this.#simulation, snapshot) ??
      Array.from({ length: snapshot.length }, (_, word) => `word ${word}`);
  }
}
