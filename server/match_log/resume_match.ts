/**
 * Finds where a match of a log stood. The log is read from its newest state on, and each tick after it is stepped and
 * compared with its hash.
 */
import type { Game } from "../../shared/netcode/game.ts";
import { joinStateAt } from "../../shared/netcode/join_state.ts";
import { FrameReader } from "../../shared/netcode/match_log/frames.ts";
import { isState, RecordReader } from "../../shared/netcode/match_log/record_coder.ts";
import { LogError, type LogHeader } from "../../shared/netcode/match_log/records.ts";
import { MatchReplay } from "../../shared/netcode/match_log/replay.ts";
import type { MatchState } from "../match/match_options.ts";

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
}

/** @throws LogError for a log that is of no hosted game, that is damaged before its end, or that this program contradicts */
export function resumedMatchOf<Command>(
  bytes: Uint8Array,
  gameOf: (id: string) => Game<Command> | undefined,
): ResumedMatch<Command> {
  const header = headerOf(bytes), game = gameOf(header.gameId);
  if (game === undefined) throw new LogError(`no game ${header.gameId} is hosted here`);
  const { newestState, end } = scan(bytes), replay = new MatchReplay(game, header);
  const records = new RecordReader(game.command), frames = new FrameReader(bytes.subarray(0, end), newestState);
  let first = -1;
  for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
    replay.play(records.read(payload));
    if (first < 0) first = replay.tick;
  }
  const { tick, timeline, presence, snapshot, players } = replay;
  const { state: { seats, snapshot: words }, ...announced } = joinStateAt(tick, { timeline, presence, snapshot });
  return {
    header,
    state: { tick, seats, ...announced, players, snapshot: words.slice() },
    ...{ bytes: end, epoch: records.epoch, steppedTicks: tick - first },
  };
}

/**
 * Checks every record of a log.
 * @returns the offsets of the newest state and of the end of the last whole record
 * @throws LogError for a changed record, and for a log without a state
 */
function scan(bytes: Uint8Array): { newestState: number; end: number } {
  const frames = new FrameReader(bytes);
  let newestState = -1, offset = 0;
  for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
    if (isState(payload)) newestState = offset;
    offset = frames.offset;
  }
  if (frames.fault?.kind === "changed") throw new LogError(`the record at byte ${offset} was changed`);
  if (newestState < 0) throw new LogError("a log without a state");
  return { newestState, end: offset };
}

/** The header of a log, which needs no game to be read. @throws LogError if there is none */
export function headerOf(bytes: Uint8Array): LogHeader {
  const payload = new FrameReader(bytes).next();
  if (payload === undefined) throw new LogError("a log without a header");
  const record = new RecordReader(NO_COMMANDS).read(payload);
  if (record.type !== "header") throw new LogError("a log that does not begin with its header");
  return record;
}

/** A header has no commands. */
const NO_COMMANDS = { neutral: undefined, code: () => undefined, same: () => true };
