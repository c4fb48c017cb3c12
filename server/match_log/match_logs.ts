/**
 * Where match logs are kept. Rooms do not know whether that is a folder of files, or servers that
 * several machines share (DESIGN 15, 18).
 */
import type { MatchLog } from "../match/match_recorder.ts";
import type { Attempts } from "./attempts.ts";

/** The log of an unfinished match. */
export interface UnfinishedLog {
  /** The log's name, as the server's log shows it. */
  readonly id: string;
  /** Reads every record so far, including a torn one at the end. */
  read(): Uint8Array;
  /**
   * Continues the log after its last complete record.
   * @param bytes the length of all complete records
   */
  takeOver(options: { readonly bytes: number; readonly epoch: number }): MatchLog;
  /** The attempts to continue it so far. */
  readonly attempts: Attempts;
  /** Remembers the attempts, even beyond the end of this process. */
  note(attempts: Attempts): void;
  /** Keeps it for people to look at, and never offers it again. */
  setAside(): void;
}

export interface MatchLogs {
  /**
   * Begins a new match's log.
   * @param room the room's code, which becomes a part of the log's name
   * @param gameId `Game.id`
   */
  create(room: string, gameId: string): MatchLog;
  /** The logs of unfinished matches, oldest first. */
  unfinished(): readonly UnfinishedLog[];
}
