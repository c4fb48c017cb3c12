/**
 * Matches that made their process hang or die. The next process counts that before it continues
 * them (SPEC 15).
 */
import * as z from "zod";
import { PHASES } from "./heartbeat.ts";

/**
 * A match that stopped its process, because one of its ticks did not end. The process's supervisor
 * tells the next process.
 */
export const FAULT = z.object({
  /** The name of the match's log. */
  matchId: z.string().max(64),
  tick: z.int(),
  /** What the process was doing. */
  phase: z.enum(PHASES),
});
export type Fault = z.output<typeof FAULT>;

/**
 * How many faults a process is told of at its start. Each has ended a process, so there are seldom
 * two.
 */
export const FAULTS_MAX = 64;
