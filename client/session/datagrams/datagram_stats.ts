/** Counts what becomes of one session's datagrams. */
export interface DatagramStats {
  /** Sent datagrams with commands, copies included; and the copies alone. */
  up: number;
  upCopies: number;
  /** Datagrams with commands on which the server reported; and the lost ones among them. */
  upJudged: number;
  upLost: number;
  /**
   * Commands that were announced although all datagrams for their own tick were lost, because later
   * ones repeated them.
   */
  commandsSaved: number;
  /** Datagrams of ticks that were due; the lost ones among them; and those that arrived again. */
  down: number;
  downLost: number;
  downAgain: number;
  /** Ticks that lost their own datagram and came with a later one. */
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
