/**
 * Tests whether this engine agrees with the server's again. A second simulation, which is never
 * drawn, starts from the server's state and steps with the definitive commands, and the probe
 * compares each tick's hash.
 */
import { hashOfSnapshot } from "../../shared/netcode/wire/range_coder.ts";
import type { Commands, Simulation, Tick } from "../../shared/netcode/game.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { HASH_MASK } from "./state_hash_check.ts";

export class DeterminismProbe<Command> {
  readonly #simulation: Simulation<Command>;
  readonly #hashes = new TickRing<{ hash: number }>(HISTORY_TICKS, () => ({ hash: 0 }));
  readonly #snapshot = new Snapshot(0);
  #agreed = 0;

  /** @param simulation a simulation of the same match that nothing else uses */
  constructor(simulation: Simulation<Command>) {
    this.#simulation = simulation;
  }

  /** Loads the server's state. @throws SnapshotError if it is not a state of this game */
  begin(state: Snapshot): void {
    this.#simulation.load(state);
  }

  /** The newest tick that agreed. */
  get tick(): Tick {
    return this.#simulation.tick;
  }

  /** Stores the server's hash of a definitive tick, 16 bits. */
  expect(tick: Tick, hash: number): void {
    this.#hashes.claim(tick).hash = hash;
  }

  /** The definitive state at `tick`. */
  state(): Snapshot {
    return this.#snapshot;
  }

  /**
   * Steps as far as hashes arrived.
   * @returns how many ticks agreed so far; -1 if one differed
   */
  advance(commandsOf: (tick: Tick) => Commands<Command>): number {
    const simulation = this.#simulation;
    for (let next; (next = this.#hashes.get(simulation.tick + 1)) !== undefined;) {
      simulation.step(commandsOf(simulation.tick + 1));
      simulation.save(this.#snapshot);
      if ((hashOfSnapshot(this.#snapshot) & HASH_MASK) !== next.hash) return -1;
      this.#agreed++;
    }
    return this.#agreed;
  }
}
