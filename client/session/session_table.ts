/** What a session has once the server has let it in. */
import type { SeatId } from "../../shared/netcode/game.ts";
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import type { CommandSender } from "./command_sender.ts";
import type { Reconciler } from "./reconciler.ts";
import type { Predictor } from "./predictor.ts";

export interface JoinedMatch<Command, Sim> {
  /** Undefined for a watcher. */
  readonly seat: SeatId | undefined;
  readonly resume: ResumeToken;
  /** Makes another simulation of the same match. */
  readonly start: () => Sim;
  readonly simulation: Sim;
  readonly predictor: Predictor<Command>;
  readonly reconciler: Reconciler<Command>;
  readonly sender: CommandSender<Command>;
}
