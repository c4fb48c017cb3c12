/**
 * What a match asks of its referee, which replays the match's log at another place and another
 * time: in a process of low priority, or in virtual time.
 */
import type { LogState } from "../../../shared/netcode/match_log/records.ts";
import type { TickProof } from "../../../shared/netcode/proof.ts";
import type { HeldBack } from "../limit_watch.ts";
import type { RoundOver } from "../round_watch.ts";

/** What the referee has found since its last answer. */
export interface Verdict<Command> {
  /** The match at the newest tick that was recorded when it was asked. */
  readonly state: LogState<Command>;
  /** The true proofs, ascending. */
  readonly proofs: readonly TickProof[];
  /** The rounds that ended. */
  readonly rounds: readonly RoundOver[];
  /** What the game's limits held back. */
  readonly heldBack: readonly HeldBack[];
  /** How long a tick took to replay, ms in the mean; 0 in virtual time. */
  readonly msPerTick: number;
}

/** The referee of one match. */
export interface MatchReferee<Command> {
  /** Whether every tick is judged, and not only what clients disagree on. */
  readonly judgesAll: boolean;
  /** Whether the match is judged once more when it is over, because its rounds have results. */
  readonly judgesEnd: boolean;
  /** Whether so much waits to be judged that it must be asked soon. */
  readonly isFull: boolean;
  /**
   * Asks for a verdict on everything that is recorded by now. One question at a time.
   * @param answer gets it later, never before this returns; undefined if there is none, because the
   * referee has failed or the match cannot be replayed
   */
  ask(answer: (verdict: Verdict<Command> | undefined) => void): void;
  /** Nothing is judged any more. */
  stopJudging(): void;
}
