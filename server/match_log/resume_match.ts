/**
 * Finds where a logged match stood. The log is read from its newest state on, and each tick after
 * that state is stepped and compared with its hash.
 */
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import { LogError, type LogHeader } from "../../shared/netcode/match_log/records.ts";
import { replayedLog, type Within } from "../../shared/netcode/match_log/replayed_log.ts";
import type { MatchState } from "../match/match_options.ts";
import { type RoundOver, RoundWatch } from "../match/round_watch.ts";

/** A match as it stood at the end of its log. */
export interface ResumedMatch<Command> {
  readonly header: LogHeader;
  readonly state: MatchState<Command>;
  /** The length of all complete records; a torn one may follow. */
  readonly bytes: number;
  /** The last record's epoch. */
  readonly epoch: number;
  /** How many ticks were stepped and compared. */
  readonly steppedTicks: number;
  /**
   * Rounds that were over in the state, or that ended in a later tick. Another process may have
   * reported them already.
   */
  readonly rounds: readonly RoundOver[];
}

/**
 * Steps a logged match to the end of its log.
 * @param within runs the game's part of each record (`ReplayOptions.within`)
 * @throws LogError for a log of a game that is not hosted, one that is damaged before its end, one
 * that this program contradicts, or one at which the game throws
 */
export function resumedMatchOf<Command>(
  log: Uint8Array,
  gameOf: (id: string) => Game<Command> | undefined,
  within?: Within,
): ResumedMatch<Command> {
  // From the newest state on, tick by tick, noting the rounds that end on the way
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

  // A torn record at the end is no fault, because it was being written when the process died.
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
