/** What a session has done, since it began. Counts are whole numbers; bytes are messages without frame headers. */
export interface SessionCounts {
  /** Definitive ticks received. */
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
  npcForeknown: number;
  bytesDown: number;
  bytesUp: number;
  /** Sum over the commands sent of the lead in force, ms. */
  leadMsSum: number;
}

export function newSessionCounts(): SessionCounts {
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
    npcForeknown: 0,
    bytesDown: 0,
    bytesUp: 0,
    leadMsSum: 0,
  };
}
