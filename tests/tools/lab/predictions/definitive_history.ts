/**
 * The server's definitive states and poses, as far back as any comparison in the lab needs them.
 */
import type { Simulation, Tick } from "../../../../shared/netcode/game.ts";
import { PoseList } from "../../../../shared/netcode/pose_list.ts";
import { TickRing } from "../../../../shared/netcode/tick_ring.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";

/** Longer than a client's lead and its messages' delay together. */
const RETAINED_TICKS = 256;

/** Pass `record` to the lab as its `onDefinitive`. */
export class DefinitiveHistory<Command> {
  readonly #states = new TickRing<Snapshot>(RETAINED_TICKS, () => new Snapshot(0));
  readonly #poses = new TickRing<PoseList>(RETAINED_TICKS, () => new PoseList());
  /** The newest definitive tick. */
  tick: Tick = 0;

  record(simulation: Simulation<Command>, state: Snapshot): void {
    this.tick = simulation.tick;
    this.#states.claim(this.tick).copyFrom(state);
    simulation.poses(this.#poses.claim(this.tick));
  }

  /** S(tick); undefined if it is not definitive yet or no longer retained. */
  stateAt(tick: Tick): Snapshot | undefined {
    return this.#states.get(tick);
  }

  /** The poses of S(tick); undefined if it is not definitive yet or no longer retained. */
  posesAt(tick: Tick): PoseList | undefined {
    return this.#poses.get(tick);
  }
}
