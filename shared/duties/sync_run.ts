/**
 * The sync test of any game: a run without rollbacks first, then the same ticks with mispredictions
 * and rollbacks of random depth. Both must lead to the same words.
 */
import type { Commands, Game, Simulation, Tick } from "../netcode/game.ts";
import { differingWords, formatWord, nameDifference } from "../netcode/state_difference.ts";
import { Random } from "../random.ts";
import { Snapshot } from "../snapshot.ts";
import { MatchCommands } from "./match_commands.ts";

/** The deepest rollback, ticks. */
const DEPTH_MAX = 12;
/** Right ticks between two rollbacks, at most. */
const RIGHT_TICKS_MAX = 6;

export interface SyncOptions {
  readonly seed: number;
  readonly npcs: number;
  readonly ticks: number;
  /** The room's options; without them each has its first value. */
  readonly choices?: readonly number[];
}

/** The last value of each of a game's room options. */
export function lastChoices({ choices = [] }: Pick<Game<unknown>, "choices">): readonly number[] {
  return choices.map((values) => values - 1);
}

export interface SyncResult {
  /** Ticks that were stepped again and compared. */
  readonly compared: number;
  readonly rollbacks: number;
  /** Tick, field and both values of the first difference; empty if there is none. */
  readonly firstDifference: string;
}

/** A run without rollbacks. */
interface ReferenceRun<Command> {
  /** By tick: commands[n] lead from states[n − 1] to states[n]. */
  readonly commands: readonly Commands<Command>[];
  readonly states: readonly Snapshot[];
}

function playReference<Command>(
  game: Game<Command>,
  { seed, ticks, ...options }: SyncOptions,
): ReferenceRun<Command> {
  const simulation = game.start(options, seed);
  const source = new MatchCommands(game, { seed });
  const commands: Commands<Command>[] = [[]];
  const states = [saved(simulation)];
  for (let tick: Tick = 0; tick < ticks; tick++) {
    commands.push(source.next(simulation));
    simulation.step(commands.at(-1)!);
    states.push(saved(simulation));
  }
  return { commands, states };
}

/** Runs the sync test of a game. */
export function runSync<Command>(game: Game<Command>, options: SyncOptions): SyncResult {
  const { seed, ticks, ...gameOptions } = options;
  const { commands, states } = playReference(game, options);
  const random = new Random(seed);
  const wrong = new MatchCommands(game, { seed: seed + 1 });
  const reached = new Snapshot();
  const last = ticks - DEPTH_MAX - RIGHT_TICKS_MAX;
  let simulation = game.start(gameOptions, seed);
  let compared = 0;
  let rollbacks = 0;
  let firstDifference = "";
  const stepRight = (ticks: number) => {
    for (let i = 0; i < ticks && firstDifference === ""; i++) {
      simulation.step(commands[simulation.tick + 1]!);
      simulation.save(reached);
      compared++;
      firstDifference = difference(game, {
        simulation,
        expected: states[simulation.tick]!,
        reached,
      });
    }
  };

  while (simulation.tick < last && firstDifference === "") {
    stepRight(1 + random.below(RIGHT_TICKS_MAX));
    const head = simulation.tick;
    const depth = 1 + random.below(DEPTH_MAX);
    for (let i = 0; i < depth; i++) simulation.step(wrong.next(simulation));
    // At times a page that has just joined loads the state.
    if (++rollbacks % 5 === 0) simulation = game.start(gameOptions, seed);
    simulation.load(states[head]!);
    stepRight(depth);
  }

  return { compared, rollbacks, firstDifference };
}

function difference<Command>(
  game: Game<Command>,
  { simulation, expected, reached }: {
    simulation: Simulation<Command>;
    expected: Snapshot;
    reached: Snapshot;
  },
): string {
  const words = differingWords(expected, reached);
  const { tick } = simulation;
  if (words.length === 0) return "";
  const { field, word } = nameDifference(game, { simulation, tick, state: expected, words });
  return `tick ${tick}: ${field} is ${formatWord(expected, word)}, but ${
    formatWord(reached, word)
  } after a rollback`;
}

function saved(simulation: Pick<Simulation<unknown>, "save">): Snapshot {
  const state = new Snapshot();
  simulation.save(state);
  return state;
}
