/** Schedules that have found mistakes of the server, of the client or of the log. Each passes since its mistake is mended. */
import type { Schedule } from "./schedule.ts";

/** A schedule, and what it has found. */
export interface FoundSeed {
  readonly found: string;
  readonly schedule: Schedule;
}

export const FOUND_SEEDS: readonly FoundSeed[] = [
  {
    found: "a changed length of the newest record passed for a torn record, and a tick that clients had was lost",
    schedule: {
      ...{ seed: 6, game: "counter", seconds: 180 },
      faults: [{ atMs: 170931, kind: "flipped bit in the newest record", who: 1, ms: 146, draw: 1937628421 }],
    },
  },
];
