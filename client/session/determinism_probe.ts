/**
 * Whether this engine agrees with the server's now: a second simulation, begun with the server's own state, is stepped with the
 * definitive commands, and each tick's hash is compared. Nobody sees it.
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

  /** @param simulation of the same match and nobody else's */
  constructor(simulation: Simulation<Command>) {
    this.#simulation = simulation;
  }

  /** @throws SnapshotError where that is no state of this game */
  begin(state: Snapshot): void {
    this.#simulation.load(state);
  }

  /** The newest tick that agreed. */
  get tick(): Tick {
    return this.#simulation.tick;
  }

  /** The server's hash of a definitive tick, 16 bits. */
  expect(tick: Tick, hash: number): void {
    this.#hashes.claim(tick).hash = hash;
  }

  /** The definitive state of `tick`. */
  state(): Snapshot {
    return this.#snapshot;
  }

  /** Steps as far as hashes are here. @returns how many ticks have agreed so far; -1 where one did not */
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
