/**
 * A match's counts since its start, as whole numbers. Bytes count messages without frame headers.
 */
import type { CommandOutcome } from "./clients/command_queue.ts";

export interface MatchStats {
  ticks: number;
  commandsTaken: number;
  commandsLate: number;
  /** Late commands that were read after their tick because the server ran that tick late. */
  commandsLateByServer: number;
  /** Duplicates, and commands for a tick too far ahead. */
  commandsRefused: number;
  /** Full states sent to clients that joined, desynced or were skipped. */
  statesSent: number;
  /** Desync reports that were answered with a state. */
  desyncs: number;
  /** Tick messages not sent because the client read too slowly. */
  skipped: number;
  bytesDown: number;
  bytesUp: number;
}

/** All counts at zero. */
export function newMatchStats(): MatchStats {
  return {
    ticks: 0,
    commandsTaken: 0,
    commandsLate: 0,
    commandsLateByServer: 0,
    commandsRefused: 0,
    statesSent: 0,
    desyncs: 0,
    skipped: 0,
    bytesDown: 0,
    bytesUp: 0,
  };
}

/** Which count each outcome of a command increases. */
export const STAT_OF_OUTCOME = {
  taken: "commandsTaken",
  late: "commandsLate",
  tooFarAhead: "commandsRefused",
  duplicate: "commandsRefused",
} as const satisfies Record<CommandOutcome, keyof MatchStats>;

/** Adds one match's counts to `total`. */
export function addStats(total: MatchStats, stats: Readonly<MatchStats>): void {
  for (const key of Object.keys(total) as (keyof MatchStats)[]) total[key] += stats[key];
}
