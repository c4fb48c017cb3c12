/**
 * The parts of a session that exist from the welcome on. A session without them is still joining:
 * it sent its hello, and pings.
 */
import type { SeatId } from "../../shared/netcode/game.ts";
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import type { CommandSender } from "./command_sender.ts";
import type { Predictor } from "./predictor.ts";
import type { Reconciler } from "./reconciler.ts";

export interface JoinedMatch<Command, Sim> {
  /** Undefined for a spectator. */
  readonly seat: SeatId | undefined;
  readonly isResumed: boolean;
  readonly resume: ResumeToken;
  /** Whether the server only orders commands. */
  readonly isOrdered: boolean;
  /** Creates another simulation of the same match. */
  readonly start: () => Sim;
  readonly simulation: Sim;
  readonly predictor: Predictor<Command>;
  readonly reconciler: Reconciler<Command>;
  readonly sender: CommandSender<Command>;
}
