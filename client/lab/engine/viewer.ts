/** What all techniques have in common: one client's picture of the match. */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { PoseList } from "../../../shared/netcode/pose_list.ts";

/** One frame of one client. */
export interface ViewedFrame {
  /** Where its bodies are drawn, ascending by entity. */
  readonly drawn: PoseList;
  /**
   * The moment at which a key that is pressed now acts, in ticks, less the input delay that the
   * player chose. A perfect picture shows the server's bodies of this moment.
   */
  readonly moment: number;
  /** The moment that the own body is drawn at, in ticks. */
  readonly ownMoment: number;
  readonly head: Tick;
  readonly definitive: Tick;
}

export interface ViewerStats {
  readonly bytesDown: number;
  readonly messagesDown: number;
  readonly rollbacks: number;
  readonly resimulatedTicks: number;
}

export interface Viewer {
  readonly seat: SeatId;
  readonly stats: ViewerStats;
  /** When `advance` must be called again at the latest, ms on the clock. */
  readonly nextDueMs: number;
  /** Does everything that is due. */
  advance(): void;
  /** @returns this moment's frame, valid until the next call; undefined before the first state */
  frame(): ViewedFrame | undefined;
  /**
   * What the client knows of a definitive tick: that its state is the server's, that it differs, or
   * nothing, because it has no hash to compare.
   */
  verdictOf(tick: Tick): "proven" | "differs" | undefined;
}
