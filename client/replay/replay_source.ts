/**
 * Where a replay comes from: a match log's definitive ticks, or what one player's page knew about
 * its last minute.
 */
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import type { LogFault } from "../../shared/netcode/match_log/frames.ts";
import type { LogDifference } from "../../shared/netcode/match_log/replay.ts";
import type { LogError } from "../../shared/netcode/match_log/records.ts";
import type { Snapshot } from "../../shared/snapshot.ts";
import type { Lanes } from "../debug/lane_view.ts";

/** How far a file is checked, and what the check found. */
export interface CheckStatus {
  /** How many ticks had an equal hash. */
  readonly equalTicks: number;
  readonly isComplete: boolean;
  /** The first tick with a hash that differs from the server's; undefined if none did so far. */
  readonly difference: LogDifference | undefined;
  /** Another fault in the log: a record that cannot follow, or a place where none begins. */
  readonly error: LogError | undefined;
  readonly fault: LogFault | undefined;
}

/** How far a file was played in a worker, which may hang. */
export interface PlayedElsewhere {
  /** How many steps of `check` came to an end. */
  readonly played: number;
  /** Why no further step does; empty while that is unknown. */
  readonly fault: string;
}

export interface ReplaySource<Sim> {
  readonly room: string;
  readonly firstTick: Tick;
  /** The last tick that can be shown; it falls if the check finds an error. */
  readonly lastTick: Tick;
  /** The newest checked tick; up to it, ticks can be shown at once. */
  readonly checkedTick: Tick;
  readonly status: CheckStatus;
  /** The players' names in the shown tick. */
  readonly names: ReadonlyMap<SeatId, string>;
  /** The shown tick. Callers may read it but must not play it. */
  readonly shown: { readonly tick: Tick; readonly simulation: Sim; readonly snapshot: Snapshot };
  readonly lanes: Lanes & { hasMark(tick: Tick): boolean };
  /** Whether the next step of `check` waits until it was played elsewhere. */
  readonly isWaiting: boolean;
  /** Checks what comes next, about as much as `ticks` ticks. @returns whether all is checked */
  check(ticks: number): boolean;
  /** Shows a tick, or the nearest one. */
  goTo(tick: Tick): void;
}
