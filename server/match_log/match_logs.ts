/**
 * The place of the matches' logs. Rooms know no more of it: a folder of files, or servers that
 * several machines share (DESIGN 15, 18).
 */
import type { MatchLog } from "../match/match_recorder.ts";
import type { Attempts } from "./attempts.ts";

/** A log whose match is not over. */
export interface UnfinishedLog {
  /** The log's name, as in the log of the server. */
  readonly id: string;
  /** Every record so far, also a torn one at the end. */
  read(): Uint8Array;
  /** Goes on with it, after its last whole record. @param bytes the length of all whole records */
  takeOver(options: { readonly bytes: number; readonly epoch: number }): MatchLog;
  /** The attempts to go on with it so far. */
  readonly attempts: Attempts;
  /** Remembers the attempts, also beyond the end of this process. */
  note(attempts: Attempts): void;
  /** Keeps it for people, and never offers it again. */
  setAside(): void;
}

export interface MatchLogs {
  /**
   * Begins the log of a new match.
   * @param room the room's code, as a part of the log's name
   * @param gameId `Game.id`
   */
  create(room: string, gameId: string): MatchLog;
  /** The logs of matches that are not over, the oldest first. */
  unfinished(): readonly UnfinishedLog[];
}
