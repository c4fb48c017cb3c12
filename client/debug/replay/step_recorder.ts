/**
 * Records one client's simulation: each step's commands, the commands before a rollback changed
 * them, and the state that the rollback loaded. It wraps the game, so session and simulation are
 * unchanged.
 */
import {
  type Commands,
  type Game,
  type SeatId,
  SEATS,
  type Simulation,
  type Tick,
} from "../../../shared/netcode/game.ts";
import { HISTORY_TICKS } from "../../../shared/netcode/timeline.ts";
import type { Snapshot } from "../../../shared/snapshot.ts";

type SeatCommands<Command> = (Command | undefined)[];

/** One tick's commands, now and before the current rollback. */
class Step<Command> {
  tick: Tick = -1;
  rollback = -1;
  readonly before: SeatCommands<Command> = new Array(SEATS).fill(undefined);
  readonly now: SeatCommands<Command> = new Array(SEATS).fill(undefined);

  record(commands: Commands<Command>, { tick, rollback }: { tick: Tick; rollback: number }): void {
    if (this.tick === tick && this.rollback !== rollback) copy(this.now, this.before);
    copy(commands, this.now);
    if (this.tick !== tick) copy(commands, this.before);
    this.tick = tick;
    this.rollback = rollback;
  }
}

/** A rollback: the client loaded `base` and stepped the ticks after it again. */
export interface Rollback {
  /** The loaded state, valid until the next tick is predicted. */
  readonly base: Snapshot;
  readonly first: Tick;
  readonly head: Tick;
  /** Whether the server sent the state, because the client desynced. */
  readonly adopted: boolean;
}

export class StepRecorder<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly #steps = Array.from({ length: HISTORY_TICKS }, () => new Step<Command>());
  /** The session's own snapshots; every other snapshot comes from the server. */
  readonly #sessionSnapshots = new Set<Snapshot>();
  readonly #onPredicted: (simulation: Sim) => void;
  #head: Tick = 0;
  #rollbacks = 0;
  #base: { state: Snapshot; tick: Tick; adopted: boolean } | undefined;
  /** Another simulation of the same match, for hypotheses. */
  scratch: Sim | undefined;

  /** @param onPredicted called after a tick was stepped for the first time */
  constructor(onPredicted: (simulation: Sim) => void = () => {}) {
    this.#onPredicted = onPredicted;
  }

  /** Wraps a game to record it. Only one session may use the result. */
  record(game: Game<Command, Sim>): Game<Command, Sim> {
    return {
      ...game,
      start: (options, seed) => {
        this.scratch = game.start(options, seed);
        return this.#instrument(game.start(options, seed));
      },
    };
  }

  /**
   * The rollback that just ended; undefined if there was none since the newest tick was predicted.
   */
  get rollback(): Rollback | undefined {
    if (this.#base === undefined) return undefined;
    const { state, tick, adopted } = this.#base;
    return { base: state, first: tick + 1, head: this.#head, adopted };
  }

  /** Ends the current rollback. */
  endRollback(): void {
    this.#base = undefined;
    this.#rollbacks++;
  }

  commandBefore(tick: Tick, seat: SeatId): Command | undefined {
    return this.#at(tick).before[seat];
  }

  commandNow(tick: Tick, seat: SeatId): Command | undefined {
    return this.#at(tick).now[seat];
  }

  /** Fills `out` with the commands before the rollback, but with the present command for `seat`. */
  commandsWith(tick: Tick, seat: SeatId, out: SeatCommands<Command>): void {
    const step = this.#at(tick);
    copy(step.before, out);
    out[seat] = step.now[seat];
  }

  #at(tick: Tick): Step<Command> {
    const step = this.#steps[tick % HISTORY_TICKS]!;
    if (step.tick !== tick) throw new RangeError(`tick ${tick} is forgotten`);
    return step;
  }

  #instrument(simulation: Sim): Sim {
    const step = simulation.step.bind(simulation);
    const save = simulation.save.bind(simulation);
    const load = simulation.load.bind(simulation);

    simulation.step = (commands) => {
      const tick = simulation.tick + 1;
      if (tick > this.#head) this.endRollback();
      this.#steps[tick % HISTORY_TICKS]!.record(commands, { tick, rollback: this.#rollbacks });
      step(commands);

      if (tick <= this.#head) return;
      this.#head = tick;
      this.#onPredicted(simulation);
    };

    simulation.save = (into) => {
      this.#sessionSnapshots.add(into);
      save(into);
    };

    simulation.load = (from) => {
      load(from);
      const adopted = !this.#sessionSnapshots.has(from);
      if (simulation.tick > this.#head) this.#head = simulation.tick;

      const { tick = Infinity, adopted: wasAdopted = false } = this.#base ?? {};
      if (adopted || simulation.tick < tick) {
        this.#base = { state: from, tick: simulation.tick, adopted };
      }
      if (wasAdopted) this.#base = { ...this.#base!, adopted: true };
    };
    return simulation;
  }
}

function copy<Command>(from: Commands<Command>, to: SeatCommands<Command>): void {
  for (let seat = 0; seat < SEATS; seat++) to[seat] = from[seat];
}
