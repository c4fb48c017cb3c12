/**
 * What a match steps whose server only orders commands: nothing but the tick. So queues, leads,
 * seats, messages and logs are those of every match. If the referee falls behind, the match takes
 * its state and simulates by itself from then on.
 */
import type { Commands, Simulation, Tick } from "../../../shared/netcode/game.ts";
import type { PoseList } from "../../../shared/netcode/pose_list.ts";
import { type Snapshot, SnapshotError } from "../../../shared/snapshot.ts";

/** A simulation that is nothing but its tick, until it is given another one. */
export class OrderedSimulation<Command> implements Simulation<Command> {
  readonly events = [];
  /** NPCs decide within the step of those who simulate (`own_npcs.ts`). */
  readonly npcSeats = [];
  #tick: Tick;
  /** Undefined while this server simulates nothing. */
  #simulated: Simulation<Command> | undefined;

  /** @param tick the newest tick */
  constructor(tick: Tick) {
    this.#tick = tick;
  }

  get tick(): Tick {
    return this.#tick;
  }

  /** What `save` writes the state of; undefined while it writes nothing but the tick. */
  get simulated(): Simulation<Command> | undefined {
    return this.#simulated;
  }

  get limited(): readonly string[] {
    return this.#simulated?.limited ?? [];
  }

  /** Simulates from now on. @param simulation at this tick, with its NPCs inside the step */
  simulate(simulation: Simulation<Command>): void {
    if (simulation.tick !== this.#tick) {
      throw new RangeError(`a simulation of tick ${simulation.tick} at tick ${this.#tick}`);
    }
    this.#simulated = simulation;
  }

  step(commands: Commands<Command>): void {
    this.#simulated?.step(commands);
    this.#tick++;
  }

  save(into: Snapshot): void {
    if (this.#simulated !== undefined) return this.#simulated.save(into);
    into.reserve(1);
    into.words[0] = this.#tick;
    into.length = 1;
  }

  load(): never {
    throw new SnapshotError("a server that orders commands takes no state");
  }

  npcCommand(): never {
    throw new RangeError("no NPC has a seat here");
  }

  reactionTicks(): number {
    return 1;
  }

  poses(out: PoseList): void {
    this.#simulated?.poses(out);
  }
}
