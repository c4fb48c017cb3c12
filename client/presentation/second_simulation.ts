/** A second simulation of a match, at a tick before the head, from the session's history. */
import type { Simulation, Tick } from "../../shared/netcode/game.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import type { Session } from "../session/session.ts";

export class SecondSimulation<Command, Sim extends Simulation<Command>> {
  readonly #session: Session<Command, Sim>;
  readonly #snapshot = new Snapshot(0);
  /** Created when it is first needed. */
  #simulation: Sim | undefined;
  #tick: Tick = -1;
  /** How many ticks the session had resimulated when the state was loaded: they may be others now. */
  #resimulated = -1;

  constructor(session: Session<Command, Sim>) {
    this.#session = session;
  }

  /**
   * Loads a tick's state, or that of the tick before the head if this is earlier.
   * @returns the newest state that could be loaded, the same object every time; undefined before the
   *   first
   */
  at(wanted: Tick): Sim | undefined {
    const session = this.#session;
    const { head, isInSync, stats } = session;
    const tick = Math.min(wanted, head - 1);
    const isLoaded = tick === this.#tick && stats.resimulatedTicks === this.#resimulated;
    if (isLoaded || !isInSync || !session.copyState(tick, this.#snapshot)) return this.#simulation;
    this.#tick = tick;
    this.#resimulated = stats.resimulatedTicks;
    this.#simulation ??= session.newSimulation();
    this.#simulation.load(this.#snapshot);
    return this.#simulation;
  }
}
