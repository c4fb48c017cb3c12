/**
 * The source of a replay: the definitive ticks of a match's log, or what one player's page had of
 * its last minute.
 */
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import type { LogFault } from "../../shared/netcode/match_log/frames.ts";
import type { LogDifference } from "../../shared/netcode/match_log/replay.ts";
import type { LogError } from "../../shared/netcode/match_log/records.ts";
import type { Snapshot } from "../../shared/snapshot.ts";
import type { Lanes } from "../debug/lane_view.ts";

/** How the check of a file stands. */
export interface CheckStatus {
  /** Ticks whose hash is equal. */
  readonly equalTicks: number;
  readonly isComplete: boolean;
  /** The first tick whose hash differs from the server's; undefined if there is none so far. */
  readonly difference: LogDifference | undefined;
  /** Another fault of the log: a record that cannot follow, or a place where none begins. */
  readonly error: LogError | undefined;
  readonly fault: LogFault | undefined;
}

/** How far a file was played where it may hang. */
export interface PlayedElsewhere {
  /** Steps of `check` that came to an end. */
  readonly played: number;
  /** Why no further one does; empty while that is not known. */
  readonly fault: string;
}

export interface ReplaySource<Sim> {
  readonly room: string;
  readonly firstTick: Tick;
  /** The last tick that can be shown; it falls if the check finds an error. */
  readonly lastTick: Tick;
  /** The newest tick that is checked: so far a tick is shown at once. */
  readonly checkedTick: Tick;
  readonly status: CheckStatus;
  /** The names of the players in the shown tick. */
  readonly names: ReadonlyMap<SeatId, string>;
  /** The tick that is shown. Callers may read it but must not play it. */
  readonly shown: { readonly tick: Tick; readonly simulation: Sim; readonly snapshot: Snapshot };
  readonly lanes: Lanes & { hasMark(tick: Tick): boolean };
  /** Whether the next step of `check` waits until it was played elsewhere. */
  readonly isWaiting: boolean;
  /** Checks what comes next, about as much as so many ticks. @returns whether all is checked */
  check(ticks: number): boolean;
  /** Shows a tick, or the nearest that there is. */
  goTo(tick: Tick): void;
}
