/**
 * One game's real states of play and its players' commands, from which a soak makes hostile states.
 */
import { GAMES } from "../../../../shared/games/registry.ts";
import {
  type Commands,
  type Game,
  PLAYER_SEATS,
  SEATS,
  type Simulation,
} from "../../../../shared/netcode/game.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";

/** The game as a soak runs it. */
export type SoakedGame = Game<unknown>;

/**
 * The games from which a soak makes hostile states: those in the list of games, and the template
 * for new ones.
 */
export const SOAKED_GAMES: Readonly<Record<string, () => Promise<{ readonly game: SoakedGame }>>> =
  {
    ...GAMES,
    template: async () => {
      const { game } = await import("../../../../shared/game_kit/templates/side/game.ts");
      return { game: game as SoakedGame };
    },
  };

/** A real state, and each of its words' names. */
export interface MatchState {
  readonly snapshot: Snapshot;
  readonly labels: readonly string[];
}

/** Before the first tick, the first one, an early one, and some of a long match. */
const TICKS = [0, 1, 40, 300, 1200, 2400];
const SEEDS = [1, 2];
const PLAYERS = 6;
const NPCS = 4;
/** How many ticks a player keeps a command, as people do. */
const HELD_TICKS = 5;

/**
 * Plays matches by NPC policies, on players' seats as well.
 * @param ticks the moments
 * @returns the states of each match at each moment, and the commands that were played
 */
export function playMatches(
  game: SoakedGame,
  ticks: readonly number[] = TICKS,
): { states: MatchState[]; commands: unknown[] } {
  const states: MatchState[] = [];
  const commands: unknown[] = [];

  for (const seed of SEEDS) {
    const simulation = game.start({ npcs: NPCS }, seed);
    for (const tick of ticks) {
      while (simulation.tick < tick) {
        const played = policyCommands(simulation);
        if (simulation.tick % HELD_TICKS === 0) {
          commands.push(...played.filter((each) => each !== undefined));
        }
        simulation.step(played);
      }
      const snapshot = new Snapshot();
      simulation.save(snapshot);
      states.push({ snapshot, labels: game.stateLabels!(simulation, snapshot) });
    }
  }

  return { states, commands };
}

function policyCommands(simulation: Simulation<unknown>): Commands<unknown> {
  const commands = new Array(SEATS).fill(undefined);
  for (let seat = 0; seat < PLAYERS; seat++) commands[seat] = simulation.npcCommand(seat, []);
  for (const seat of simulation.npcSeats) commands[seat] = simulation.npcCommand(seat, []);
  return commands;
}

/**
 * Commands for a state from outside: NPCs decide, and players hold commands of other moments. Some
 * come and go.
 */
export class SomePlayers {
  readonly #random: Random;
  readonly #pool: readonly unknown[];
  readonly #held: unknown[];

  constructor(pool: readonly unknown[], random: Random) {
    this.#random = random;
    this.#pool = pool;
    const players = random.below(PLAYER_SEATS + 1);
    this.#held = Array.from(
      { length: PLAYER_SEATS },
      (_, seat) => seat < players ? this.#some() : undefined,
    );
  }

  /** The next tick's commands. */
  next(simulation: Simulation<unknown>): Commands<unknown> {
    const random = this.#random;
    const commands = new Array(SEATS).fill(undefined);
    for (let seat = 0; seat < PLAYER_SEATS; seat++) {
      if (random.chance(0.01)) {
        this.#held[seat] = this.#held[seat] === undefined ? this.#some() : undefined;
      } else if (this.#held[seat] !== undefined && random.chance(0.2)) {
        this.#held[seat] = this.#some();
      }
      commands[seat] = this.#held[seat];
    }
    for (const seat of simulation.npcSeats) commands[seat] = simulation.npcCommand(seat, []);
    return commands;
  }

  #some(): unknown {
    return this.#pool[this.#random.below(this.#pool.length)];
  }
}
