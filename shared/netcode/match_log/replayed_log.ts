/**
 * Plays a log again and finds out what it holds: a whole match, one that was cut, or one that at
 * some point differs from this program.
 */
import type { Game, Simulation, Tick } from "../game.ts";
import { FrameReader, type LogFault } from "./frames.ts";
import { RecordReader, recordTypeOf } from "./record_coder.ts";
import { LOG_VERSION, LogError, type LogHeader, type LogRecord } from "./records.ts";
import { MatchReplay, unplayable } from "./replay.ts";

export interface ReplayedLog<Command> {
  readonly header: LogHeader;
  readonly replay: MatchReplay<Command>;
  /**
   * The tick of the state where the replay began; −1 if the log holds no state. `replay.tick` is
   * the last one.
   */
  readonly firstTick: Tick;
  /** How many records of each type were played. */
  readonly counts: Readonly<Partial<Record<LogRecord<Command>["type"], number>>>;
  /** All players' names. */
  readonly names: readonly string[];
  /** The bytes of all whole records. */
  readonly end: number;
  /** Why nothing follows `end`; undefined if the log consists of whole records. */
  readonly fault: LogFault | undefined;
  /** The last record's epoch. */
  readonly epoch: number;
  /**
   * The first difference between log and program, or the first record that cannot follow; undefined
   * without either.
   */
  readonly error: LogError | undefined;
}

export interface ReplayOptions<Command> {
  readonly gameOf: (id: string) => Game<Command, Simulation<Command>> | undefined;
  /** The last tick to play. */
  readonly toTick?: Tick;
  /** Whether to begin at the newest state. Records before it are checked but not played. */
  readonly fromNewestState?: boolean;
  /** Called with the first state and with each tick that was played, before the next. */
  readonly onTick?: (replay: MatchReplay<Command>) => void;
  /**
   * Runs the game's part of a record, for example under a deadline, because a log may make a game
   * hang. By default it just runs it.
   * @param tick the tick that the work leads to
   * @throws LogError if the work does not end
   */
  readonly within?: Within;
}

/** Runs synchronous work that belongs to a tick. */
export type Within = <Result>(work: () => Result, tick: Tick) => Result;

/**
 * Plays a log up to its end, to `toTick`, or to the first difference.
 * @throws LogError if the log lacks a header, or is from another game
 */
export function replayedLog<Command>(
  bytes: Uint8Array,
  options: ReplayOptions<Command>,
): ReplayedLog<Command> {
  const {
    gameOf,
    toTick = Infinity,
    fromNewestState = false,
    onTick,
    within = (work) => work(),
  } = options;

  // Find the game that wrote the log
  const header = headerOf(bytes);
  const game = gameOf(header.gameId);
  if (game === undefined) throw new LogError(`a log of ${header.gameId}, which is no game here`);

  // Find the records to play
  const { newestState, end, fault } = scan(bytes);
  const replay = within(() => new MatchReplay(game, header), 0);
  const frames = new FrameReader(bytes.subarray(0, end), fromNewestState ? newestState : 0);
  const reader = new RecordReader(game.command);

  // Collect what the caller learns about them
  const names = new Set<string>();
  const counts: Partial<Record<LogRecord<Command>["type"], number>> = {};
  let firstTick = -1;
  let error: LogError | undefined;

  /** @returns whether the record belongs to what is played */
  const play = (payload: Uint8Array): boolean => {
    const record = reader.read(payload);
    if (record.type === "tick" && record.tick > toTick) return false;
    counts[record.type] = (counts[record.type] ?? 0) + 1;
    if (record.type === "header") return true;
    replay.play(record);
    if (firstTick < 0) firstTick = replay.tick;
    if (record.type === "tick" || replay.tick === firstTick) onTick?.(replay);
    for (const name of replay.presence.names) names.add(name);
    return true;
  };

  // Play until the end, or until a record cannot be played
  try {
    for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
      const next = payload;
      if (!within(() => play(next), replay.tick + 1)) break;
    }
  } catch (caught) {
    error = caught instanceof LogError ? caught : unplayable(replay.tick + 1, caught);
  }

  return {
    header,
    replay,
    firstTick,
    counts,
    names: [...names],
    end,
    fault,
    epoch: reader.epoch,
    error,
  };
}

/**
 * Checks every record.
 * @returns the newest state's offset, 0 without a state, and where the whole records end
 */
function scan(
  bytes: Uint8Array,
): { newestState: number; end: number; fault: LogFault | undefined } {
  const frames = new FrameReader(bytes);
  let newestState = 0;
  let end = 0;
  for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
    if (recordTypeOf(payload) === "state") newestState = end;
    end = frames.offset;
  }
  return { newestState, end, fault: frames.fault };
}

/** Reads a log's header. @throws LogError if it lacks one */
export function headerOf(bytes: Uint8Array): LogHeader {
  const payload = new FrameReader(bytes).next();
  if (payload === undefined) throw new LogError("a log without a header");
  // Version 1 coded record types differently.
  if (recordTypeOf(payload) !== "header") {
    throw new LogError(`a log that does not begin with a header of version ${LOG_VERSION}`);
  }
  return plainRecordOf(payload, "header");
}

/** Reads a record without commands, which takes no game. @throws LogError if it is another type */
export function plainRecordOf<Type extends "header" | "seat" | "owner" | "end">(
  payload: Uint8Array,
  type: Type,
): LogRecord<never> & { readonly type: Type } {
  const record = new RecordReader(NO_COMMANDS).read(payload);
  if (record.type !== type) throw new LogError(`a record that is no ${type}`);
  return record as LogRecord<never> & { readonly type: Type };
}

const NO_COMMANDS = { neutral: undefined, code: () => undefined, same: () => true };
