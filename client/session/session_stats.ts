/** What a session has done, since it began, and how some of it is told. */
import { PLAYER_SEATS, type SeatId, SEATS, type Tick } from "../../shared/netcode/game.ts";
import type { Pose } from "../../shared/netcode/pose_list.ts";

/** A correction that a player could see. */
const VISIBLE_METRES = 0.05;

/** Counts are whole numbers; bytes are messages without frame headers. */
export interface SessionStats {
  /** Definitive ticks taken: all that were received, but for those that a newer state made needless. */
  ticks: number;
  commandsSent: number;
  /** Own commands that the server did not have in time. */
  commandsLate: number;
  rollbacks: number;
  resimulatedTicks: number;
  /** Definitive ticks whose hash differed from ours. */
  desyncs: number;
  statesAdopted: number;
  /** Corrections that moved the own entity's newest pose by more than 5 cm. */
  ownCorrectionsOver5cm: number;
  /** NPC commands at the first simulation of their tick, and how many of them were known then. */
  npcCommands: number;
  npcKnownInTime: number;
  bytesDown: number;
  bytesUp: number;
  /** Sum over the commands sent of the lead in force, ms. */
  leadMsSum: number;
  /** Ticks received with word of how long our newest command had waited on the server, and the sum of that, ms; late is 0. */
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

/** Counts a correction of the own entity where a player could see it. */
export function countOwnCorrection(stats: SessionStats, before: Pose | undefined, after: Pose | undefined): void {
  if (before === undefined || after === undefined) return;
  const dx = after.x - before.x, dy = after.y - before.y;
  if (Math.sqrt(dx * dx + dy * dy) > VISIBLE_METRES) stats.ownCorrectionsOver5cm++;
}

/** Counts the wait of a command. @param advisedLeadMs 0 before our first command has arrived */
export function countWait(
  stats: SessionStats,
  { slackMs, advisedLeadMs }: { slackMs: number; advisedLeadMs: number },
): void {
  if (advisedLeadMs === 0) return;
  stats.waits++;
  stats.waitMsSum += Math.max(0, slackMs);
}

/** What of a tick is known when it is first simulated. */
interface KnownCommands {
  readonly head: Tick;
  isPresent(tick: Tick, seat: SeatId): boolean;
  isKnown(tick: Tick, seat: SeatId): boolean;
}

/** Counts the NPC commands of the head, and how many of them the server had told us. */
export function countNpcCommands(stats: SessionStats, predictor: KnownCommands): void {
  const { head } = predictor;
  for (let seat = PLAYER_SEATS; seat < SEATS; seat++) {
    if (!predictor.isPresent(head, seat)) continue;
    stats.npcCommands++;
    if (predictor.isKnown(head, seat)) stats.npcKnownInTime++;
  }
}
