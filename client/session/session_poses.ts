/**
 * Holds the poses that a session offers for drawing, and counts the corrections that change them.
 */
import type { SeatId, Simulation } from "../../shared/netcode/game.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import { countOwnCorrection, type SessionStats } from "./session_stats.ts";

/** The poses at the head and at the tick before it. */
export interface PosePair {
  readonly previous: PoseList;
  readonly head: PoseList;
}

export class SessionPoses {
  /** The predictor writes the previous poses before each step; `refresh` writes the head's. */
  readonly current: PosePair = newPosePair();
  readonly #beforeCorrection: PosePair = newPosePair();
  readonly #stats: SessionStats;
  readonly #onCorrection: ((before: PosePair, after: PosePair) => void) | undefined;
  #isHeadStale = false;

  /**
   * @param onCorrection called with both pairs after each correction; they are valid only during
   *   the call
   */
  constructor(
    stats: SessionStats,
    onCorrection: ((before: PosePair, after: PosePair) => void) | undefined,
  ) {
    this.#stats = stats;
    this.#onCorrection = onCorrection;
  }

  /** Call it whenever the simulation's state changes. */
  invalidate(): void {
    this.#isHeadStale = true;
  }

  /** Reads the head's poses if the simulation changed since the last time. */
  refresh(simulation: Pick<Simulation<unknown>, "poses">): void {
    if (this.#isHeadStale) simulation.poses(this.current.head);
    this.#isHeadStale = false;
  }

  /** Call it before the simulation may be corrected. */
  beginCorrection(): void {
    this.#isHeadStale = true;
    this.#beforeCorrection.previous.copyFrom(this.current.previous);
    this.#beforeCorrection.head.copyFrom(this.current.head);
  }

  /**
   * Counts and reports a correction that resimulated ticks.
   * @param options.seat the local seat; -1 for a spectator
   */
  endCorrection(
    simulation: Pick<Simulation<unknown>, "poses">,
    { seat, resimulated }: { seat: SeatId; resimulated: number },
  ): void {
    this.refresh(simulation);
    const stats = this.#stats;
    const before = this.#beforeCorrection;
    const after = this.current;
    stats.rollbacks++;
    stats.resimulatedTicks += resimulated;
    countOwnCorrection(stats, before.head.findBySeat(seat), after.head.findBySeat(seat));
    this.#onCorrection?.(before, after);
  }
}

function newPosePair(): PosePair {
  return { previous: new PoseList(), head: new PoseList() };
}
