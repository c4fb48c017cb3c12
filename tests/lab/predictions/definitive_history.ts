/** What the server made definitive, as far back as anybody in the lab may still have to be compared with it. */
import type { Simulation, Tick } from "../../../shared/netcode/game.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import { Snapshot } from "../../../shared/snapshot.ts";

/** Longer than a client's lead and what it has not heard of together. */
const RETAINED_TICKS = 256;

/** Give `record` to the lab as `onDefinitive`. */
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

  /** S(tick); undefined where it is not definitive yet or forgotten. */
  stateAt(tick: Tick): Snapshot | undefined {
    return this.#states.get(tick);
  }

  /** The poses of S(tick); undefined where it is not definitive yet or forgotten. */
  posesAt(tick: Tick): PoseList | undefined {
    return this.#poses.get(tick);
  }
}
