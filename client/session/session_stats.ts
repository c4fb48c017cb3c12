/** One session's counters, and the functions that update them. */
import { PLAYER_SEATS, type SeatId, SEATS, type Tick } from "../../shared/netcode/game.ts";
import type { Pose } from "../../shared/netcode/pose_list.ts";

/** A longer correction to the player's own entity is visible. */
const VISIBLE_METRES = 0.05;

/** Counts since the session began, as whole numbers. Byte counts exclude frame headers. */
export interface SessionStats {
  /**
   * Processed definitive ticks: all received ones, except those that a newer state made obsolete.
   */
  ticks: number;
  commandsSent: number;
  /** Local commands that did not reach the server in time. */
  commandsLate: number;
  rollbacks: number;
  resimulatedTicks: number;
  /** Definitive ticks whose local hash was compared with the server's and agreed. */
  ticksProven: number;
  /** Definitive ticks at which the local hash differed. */
  desyncs: number;
  statesAdopted: number;
  /** Corrections that moved the player's own entity by more than 5 cm in its newest pose. */
  ownCorrectionsOver5cm: number;
  /**
   * NPC commands, counted when their tick is first simulated, and how many were announced by then.
   */
  npcCommands: number;
  npcKnownInTime: number;
  bytesDown: number;
  bytesUp: number;
  /** The lead in force, summed over all sent commands, ms. */
  leadMsSum: number;
  /**
   * Received ticks that report a local command's slack, and the sum of these commands' waits on the
   * server, ms. A late command counts as 0.
   */
  waits: number;
  waitMsSum: number;
}

export function newSessionStats(): SessionStats {
  return {
    ticks: 0,
    commandsSent: 0,
    commandsLate: 0,
    rollbacks: 0,
    resimulatedTicks: 0,
    ticksProven: 0,
    desyncs: 0,
    statesAdopted: 0,
    ownCorrectionsOver5cm: 0,
    npcCommands: 0,
    npcKnownInTime: 0,
    bytesDown: 0,
    bytesUp: 0,
    leadMsSum: 0,
    waits: 0,
    waitMsSum: 0,
  };
}

/** Adds one session's counts to a sum. */
export function addSessionStats(sum: SessionStats, stats: Readonly<SessionStats>): void {
  for (const key of Object.keys(sum) as (keyof SessionStats)[]) sum[key] += stats[key];
}

/** Counts a correction to the own entity, given by its newest pose, if the player could see it. */
export function countOwnCorrection(
  stats: SessionStats,
  before: Pose | undefined,
  after: Pose | undefined,
): void {
  if (before === undefined || after === undefined) return;
  const dx = after.x - before.x, dy = after.y - before.y;
  if (Math.sqrt(dx * dx + dy * dy) > VISIBLE_METRES) stats.ownCorrectionsOver5cm++;
}

/**
 * Counts how long one command waited in the server's queue.
 * @param advisedLeadMs 0 before the server received a command from this client
 */
export function countWait(
  stats: SessionStats,
  { slackMs, advisedLeadMs }: { slackMs: number; advisedLeadMs: number },
): void {
  if (advisedLeadMs === 0) return;
  stats.waits++;
  stats.waitMsSum += Math.max(0, slackMs);
}

/** What `countNpcCommands` reads from the predictor. */
interface KnownCommands {
  readonly head: Tick;
  isPresent(tick: Tick, seat: SeatId): boolean;
  isKnown(tick: Tick, seat: SeatId): boolean;
}

/** Counts the NPC commands at the head, and how many the server had announced. */
export function countNpcCommands(stats: SessionStats, predictor: KnownCommands): void {
  const { head } = predictor;
  for (let seat = PLAYER_SEATS; seat < SEATS; seat++) {
    if (!predictor.isPresent(head, seat)) continue;
    stats.npcCommands++;
    if (predictor.isKnown(head, seat)) stats.npcKnownInTime++;
  }
}
