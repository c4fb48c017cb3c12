/**
 * Finds where a match of a log stood. The log is read from its newest state on, and each tick after
 * it is stepped and compared with its hash.
 */
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import { LogError, type LogHeader } from "../../shared/netcode/match_log/records.ts";
import { replayedLog, type Within } from "../../shared/netcode/match_log/replayed_log.ts";
import type { MatchState } from "../match/match_options.ts";
import { type RoundOver, RoundWatch } from "../match/round_watch.ts";

/** A match as its log ends. */
export interface ResumedMatch<Command> {
  readonly header: LogHeader;
  readonly state: MatchState<Command>;
  /** The length of all whole records; a torn one may follow. */
  readonly bytes: number;
  /** That of the last record. */
  readonly epoch: number;
  /** Ticks that were stepped and compared. */
  readonly steppedTicks: number;
  /**
   * Rounds that were over in the state, or ended in a tick after it. Another process may have
   * written them.
   */
  readonly rounds: readonly RoundOver[];
}

/**
 * Steps the match of a log to the log's end.
 * @param within runs the game's part of each record (`ReplayOptions.within`)
 * @throws LogError for a log that is of no hosted game, that is damaged before its end, that this
 *   program contradicts, or at which the game throws
 */
export function resumedMatchOf<Command>(
  log: Uint8Array,
  gameOf: (id: string) => Game<Command> | undefined,
  within?: Within,
): ResumedMatch<Command> {
  // From the newest state on, tick by tick. The rounds that end on the way are noted.
  const rounds: RoundOver[] = [];
  let watch: RoundWatch<Simulation<Command>> | undefined;
  const { header, replay, firstTick, end, fault, epoch, error } = replayedLog(log, {
    gameOf,
    fromNewestState: true,
    ...within !== undefined && { within },
    onTick(replay) {
      watch ??= new RoundWatch(gameOf(replay.header.gameId)!.rounds, (round) => rounds.push(round));
      watch.observe(replay);
    },
  });

  // A record that is torn at the end was being written when the process died: that is no fault.
  if (error !== undefined) throw error;
  if (fault?.kind === "changed") {
    throw new LogError(`a log whose record at byte ${fault.offset} was changed`);
  }
  if (firstTick < 0) throw new LogError("a log without a state");

  return {
    header,
    state: replay.state,
    bytes: end,
    epoch,
    steppedTicks: replay.tick - firstTick,
    rounds,
  };
}
