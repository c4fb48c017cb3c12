/** Schedules that have found mistakes of the server, of the client or of the log. Each passes since its mistake is mended. */
import type { Schedule } from "./schedule.ts";

/** A schedule, and what it has found. */
export interface FoundSeed {
  readonly found: string;
  readonly schedule: Schedule;
}

export const FOUND_SEEDS: readonly FoundSeed[] = [
];
