/** The counters of one session, and the functions that update them. */
import { PLAYER_SEATS, type SeatId, SEATS, type Tick } from "../../shared/netcode/game.ts";
import type { Pose } from "../../shared/netcode/pose_list.ts";

/** A longer correction of the own entity is visible to the player. */
const VISIBLE_METRES = 0.05;

/** Counts since the session began, as whole numbers. Byte counts exclude frame headers. */
export interface SessionStats {
  /**
   * Definitive ticks processed: all received ones, except those that a newer state made obsolete.
   */
  ticks: number;
  commandsSent: number;
  /** Local commands that did not reach the server in time. */
  commandsLate: number;
  rollbacks: number;
  resimulatedTicks: number;
  /** Definitive ticks whose hash differed from the local one. */
  desyncs: number;
  statesAdopted: number;
  /** Corrections that moved the own entity's newest pose by more than 5 cm. */
  ownCorrectionsOver5cm: number;
  /**
   * NPC commands, counted when their tick is first simulated, and how many of them were announced
   * by then.
   */
  npcCommands: number;
  npcKnownInTime: number;
  bytesDown: number;
  bytesUp: number;
  /** Sum of the lead in force over all commands sent, ms. */
  leadMsSum: number;
  /**
   * Ticks received that report the slack of a local command, and the sum of its wait on the server,
   * ms. A late command counts as 0.
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

/** Adds the counts of one session to those of others. */
export function addSessionStats(sum: SessionStats, stats: Readonly<SessionStats>): void {
  for (const key of Object.keys(sum) as (keyof SessionStats)[]) sum[key] += stats[key];
}

/** Counts a correction of the own entity, given by its newest pose, if the player could see it. */
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
 * Counts the wait of one command in the server's queue.
 * @param advisedLeadMs 0 before the server has received a command of this client
 */
export function countWait(
  stats: SessionStats,
  { slackMs, advisedLeadMs }: { slackMs: number; advisedLeadMs: number },
): void {
  if (advisedLeadMs === 0) return;
  stats.waits++;
  stats.waitMsSum += Math.max(0, slackMs);
}

/** The part of the predictor that `countNpcCommands` reads. */
interface KnownCommands {
  readonly head: Tick;
  isPresent(tick: Tick, seat: SeatId): boolean;
  isKnown(tick: Tick, seat: SeatId): boolean;
}

/** Counts the NPC commands of the head tick, and how many of them the server had announced. */
export function countNpcCommands(stats: SessionStats, predictor: KnownCommands): void {
  const { head } = predictor;
  for (let seat = PLAYER_SEATS; seat < SEATS; seat++) {
    if (!predictor.isPresent(head, seat)) continue;
    stats.npcCommands++;
    if (predictor.isKnown(head, seat)) stats.npcKnownInTime++;
  }
}
