/** Counts what becomes of one session's datagrams. */
export interface DatagramStats {
  /** Datagrams with commands that were sent, copies included; and the copies alone. */
  up: number;
  upCopies: number;
  /**
   * Datagrams with commands of which the server has reported the outcome; and those of them that
   * were lost.
   */
  upJudged: number;
  upLost: number;
  /**
   * Commands that were announced although all datagrams of their own tick were lost: later ones
   * repeated them.
   */
  commandsSaved: number;
  /**
   * Datagrams of ticks that were due; those of them that were lost; and those that arrived again.
   */
  down: number;
  downLost: number;
  downAgain: number;
  /** Ticks whose own datagram was lost, and which a later one repeated. */
  ticksSaved: number;
}

export function newDatagramStats(): DatagramStats {
  return {
    up: 0,
    upCopies: 0,
    upJudged: 0,
    upLost: 0,
    commandsSaved: 0,
    down: 0,
    downLost: 0,
    downAgain: 0,
    ticksSaved: 0,
  };
}
