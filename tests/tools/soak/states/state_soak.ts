/**
 * Hostile states of one game, one after another. The game must refuse each with a `SnapshotError`,
 * or step it for a second of play without an error. Except for times, the results depend only on
 * the seed and the count.
 */
import process from "node:process";
import type { Simulation } from "../../../../shared/netcode/game.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot, SnapshotError } from "../../../../shared/snapshot.ts";
import { type MatchState, playMatches, type SoakedGame, SomePlayers } from "./match_states.ts";
import { mutate } from "./mutations.ts";

/** How many ticks follow a state that the game has loaded. */
const STEPPED_TICKS = 20;
/**
 * How often a step that seems the slowest is timed. The shortest time counts, because another
 * process may have taken the core.
 */
const TIMINGS = 3;

/** What became of one state. */
interface Outcome {
  readonly isAccepted: boolean;
  readonly steps: number;
  /** The longest step, ms. */
  readonly stepMs: number;
  /** Whether one of the game's limits held back a step. */
  readonly isLimited: boolean;
  /** What a load threw other than a `SnapshotError`, or what a step threw. */
  readonly problem: string | undefined;
}

/** One game's figures. */
export interface StatesReport {
  readonly states: number;
  readonly accepted: number;
  readonly steps: number;
  /** Accepted states in which a limit held back a step. */
  readonly limited: number;
  readonly throws: number;
  readonly slowestStepMs: number;
  readonly slowestLoadMs: number;
  /** The state with this number has the slowest step. */
  readonly slowest: { readonly number: number; readonly mutation: string };
  readonly firstThrow: {
    readonly number: number;
    readonly mutation: string;
    readonly problem: string;
  } | null;
}

/** Mutates one game's states and steps them. */
export class StateSoak {
  readonly #good: readonly MatchState[];
  readonly #commands: readonly unknown[];
  readonly #simulation: Simulation<unknown>;
  readonly #saved = new Snapshot();
  #slowestLoadMs = 0;

  /** @param ticks the moments whose states are mutated; by default also some of a long match */
  constructor(game: SoakedGame, ticks?: readonly number[]) {
    const { states, commands } = playMatches(game, ticks);
    this.#good = states;
    this.#commands = commands;
    this.#simulation = game.start({ npcs: 0 }, 0);
  }

  /** @param onProgress called with the number of states that are done */
  run(
    { count, seed }: { count: number; seed: number },
    onProgress: (done: number) => void,
  ): StatesReport {
    let accepted = 0;
    let steps = 0;
    let throws = 0;
    let limited = 0;
    let slowestStepMs = 0;
    let slowest = { number: seed, mutation: "" };
    let firstThrow: StatesReport["firstThrow"] = null;

    for (let number = seed; number < seed + count; number++) {
      const { snapshot, mutation } = this.stateOf(number);
      const outcome = this.#try(snapshot, number);
      if (outcome.isAccepted) accepted++;
      steps += outcome.steps;
      if (outcome.isLimited) limited++;
      if (outcome.problem !== undefined) {
        throws++;
        firstThrow ??= { number, mutation, problem: outcome.problem };
      }
      if (outcome.stepMs > slowestStepMs) {
        let { stepMs } = outcome;
        for (let i = 1; i < TIMINGS; i++) {
          stepMs = Math.min(stepMs, this.#try(snapshot, number).stepMs);
        }
        if (stepMs > slowestStepMs) {
          slowestStepMs = stepMs;
          slowest = { number, mutation };
        }
      }
      onProgress(number + 1 - seed);
    }

    return {
      states: count,
      accepted,
      steps,
      limited,
      throws,
      slowestStepMs: Number(slowestStepMs.toFixed(2)),
      slowestLoadMs: Number(this.#slowestLoadMs.toFixed(2)),
      slowest,
      firstThrow,
    };
  }

  /** The hostile state with this number. */
  stateOf(number: number): { snapshot: Snapshot; mutation: string } {
    const random = new Random(number);
    return mutate(this.#good[random.below(this.#good.length)]!, random);
  }

  #try(snapshot: Snapshot, number: number): Outcome {
    const simulation = this.#simulation;
    const began = new Stopwatch();
    try {
      simulation.load(snapshot);
    } catch (error) {
      const problem = error instanceof SnapshotError ? undefined : `load: ${describe(error)}`;
      return { isAccepted: false, steps: 0, stepMs: 0, isLimited: false, problem };
    }
    this.#slowestLoadMs = Math.max(this.#slowestLoadMs, began.ms);
    return this.#step(snapshot, new SomePlayers(this.#commands, new Random(number)));
  }

  #step(snapshot: Snapshot, players: SomePlayers): Outcome {
    const simulation = this.#simulation;
    let steps = 0;
    let stepMs = 0;
    let isLimited = false;

    try {
      simulation.save(this.#saved);
      if (!this.#saved.equals(snapshot)) {
        throw new Error("the game saves other words than it has loaded");
      }
      for (; steps < STEPPED_TICKS; steps++) {
        const commands = players.next(simulation);
        const began = new Stopwatch();
        simulation.step(commands);
        stepMs = Math.max(stepMs, began.ms);
        isLimited ||= (simulation.limited ?? []).length > 0;
        // A joining client loads it, and a log contains it.
        simulation.save(this.#saved);
      }
    } catch (error) {
      return {
        isAccepted: true,
        steps,
        stepMs,
        isLimited,
        problem: `step ${steps + 1}: ${describe(error)}`,
      };
    }

    return { isAccepted: true, steps, stepMs, isLimited, problem: undefined };
  }
}

/**
 * Measures this process's time. The clock counts other processes, too, and the processor time
 * counts this process's other threads, so the smaller one is nearer to the truth.
 */
class Stopwatch {
  readonly #beganMs = performance.now();
  readonly #began = process.cpuUsage();

  get ms(): number {
    const { user, system } = process.cpuUsage(this.#began);
    return Math.min(performance.now() - this.#beganMs, (user + system) / 1000);
  }
}

/** The error with the place in the product that threw it. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = /\b(?:shared|client|server)\/\S+\.ts:\d+/.exec(error.stack ?? "")?.[0];
  return `${error}${place === undefined ? "" : ` (${place})`}`;
}
