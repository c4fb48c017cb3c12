/**
 * Plays the match behind the lobby: the game itself, without a server. The rules' `think` drives a
 * few players, as it drives NPCs. It runs in a worker (`title_worker.ts`), because rules may hang.
 */
import { type Commands, type GameEvent, playersOf, SEATS } from "../../shared/netcode/game.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import type { LooseCommand, LooseGame, LooseSimulation } from "./loose_types.ts";

/** How many players show behind the lobby, if a room has as many seats: more would be a crowd. */
const TITLE_PLAYERS_MAX = 4;
const SEED = 7;
/** How many ticks to simulate at once, so that the first frame shows a match under way. */
const FIRST_TICKS = 40;

/** A tick of the title match, for the page to show. */
export interface TitleTick {
  /** The state, as a snapshot's bytes. */
  readonly state: Uint8Array<ArrayBuffer>;
  readonly events: readonly GameEvent[];
}

/** The match at its begin, which runs no rules: `start` belongs to the first tick. */
export function titleSimulation(game: LooseGame): LooseSimulation {
  return game.start({ npcs: 0 }, SEED);
}

export class TitlePlay {
  readonly #game: LooseGame;
  readonly #simulation: LooseSimulation;
  readonly #snapshot = new Snapshot();
  readonly #commands: (LooseCommand | undefined)[] = new Array(SEATS).fill(undefined);
  readonly #players: number;

  constructor(game: LooseGame) {
    this.#game = game;
    this.#simulation = titleSimulation(game);
    this.#players = Math.min(TITLE_PLAYERS_MAX, playersOf(game).max);
  }

  /** Plays on by a tick, at first by two seconds. Throws what the rules throw. */
  next(): TitleTick {
    const simulation = this.#simulation;
    do this.#step(); while (simulation.tick < FIRST_TICKS);
    simulation.save(this.#snapshot);
    return { state: this.#snapshot.bytes().slice(), events: [...simulation.events] };
  }

  #step(): void {
    const simulation = this.#simulation;
    const commands = this.#commands;
    for (let seat = 0; seat < this.#players; seat++) {
      const isPresent = simulation.world.player(seat) !== undefined;
      commands[seat] = isPresent ? simulation.npcCommand(seat, []) : this.#game.command.neutral;
    }
    simulation.step(commands as Commands<LooseCommand>);
  }
}
