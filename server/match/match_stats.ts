/** What a match has done since it began. Whole numbers; bytes are messages without frame headers. */
import type { CommandOutcome } from "./clients/command_queue.ts";

export interface MatchStats {
  ticks: number;
  commandsTaken: number;
  commandsLate: number;
  /** Duplicates, and those for a tick too far ahead. */
  commandsRefused: number;
  /** To newcomers, the out of step and the skipped. */
  statesSent: number;
  /** Tick messages not sent to who read too slowly. */
  skipped: number;
  bytesDown: number;
  bytesUp: number;
}

/** All at zero. */
export function newMatchStats(): MatchStats {
  return {
    ticks: 0,
    commandsTaken: 0,
    commandsLate: 0,
    commandsRefused: 0,
    statesSent: 0,
    skipped: 0,
    bytesDown: 0,
    bytesUp: 0,
  };
}

/** Under which count each verdict goes. */
export const STAT_OF_OUTCOME = {
  taken: "commandsTaken",
  late: "commandsLate",
  tooFarAhead: "commandsRefused",
  duplicate: "commandsRefused",
} as const satisfies Record<CommandOutcome, keyof MatchStats>;

/** Adds one match's counts to another's. */
export function addStats(total: MatchStats, stats: Readonly<MatchStats>): void {
  for (const key of Object.keys(total) as (keyof MatchStats)[]) total[key] += stats[key];
}
