/**
 * Plays a log again and says what it is: a whole match, one that was cut, or where it and this
 * program part.
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
   * The tick of the state from which it was played; −1 if there is none. `replay.tick` is the last
   * one.
   */
  readonly firstTick: Tick;
  /** Records by their types. */
  readonly counts: Readonly<Partial<Record<LogRecord<Command>["type"], number>>>;
  /** Names of all players. */
  readonly names: readonly string[];
  /** The length of all whole records. */
  readonly end: number;
  /** Why nothing follows there; undefined for a log of whole records. */
  readonly fault: LogFault | undefined;
  /** That of the last record. */
  readonly epoch: number;
  /**
   * The first difference between log and program, or a record that cannot follow; undefined if
   * there is none.
   */
  readonly error: LogError | undefined;
}

export interface ReplayOptions<Command> {
  readonly gameOf: (id: string) => Game<Command, Simulation<Command>> | undefined;
  /** The last tick to play. */
  readonly toTick?: Tick;
  /** Whether to begin at the newest state. Records before it are checked, and not played. */
  readonly fromNewestState?: boolean;
  /** Called with the first state and with each tick that was played, before the next. */
  readonly onTick?: (replay: MatchReplay<Command>) => void;
  /**
   * Runs the game's part of a record, for example under a deadline, because a log may hang; by
   * default it just runs it.
   * @param tick the one to which the work leads
   * @throws LogError if the work does not end
   */
  readonly within?: Within;
}

/** Runs synchronous work that belongs to a tick. */
export type Within = <Result>(work: () => Result, tick: Tick) => Result;

/**
 * Plays a log up to its end, to `toTick`, or to the first difference.
 * @throws LogError for a log without a header, or of another game
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

  // The game that wrote the log
  const header = headerOf(bytes);
  const game = gameOf(header.gameId);
  if (game === undefined) throw new LogError(`a log of ${header.gameId}, which is no game here`);

  // The records to play
  const { newestState, end, fault } = scan(bytes);
  const replay = within(() => new MatchReplay(game, header), 0);
  const frames = new FrameReader(bytes.subarray(0, end), fromNewestState ? newestState : 0);
  const reader = new RecordReader(game.command);

  // What the caller learns about them
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
 * @returns the offsets of the newest state, 0 if there is none, and of the end of whole records
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

/** The header of a log. @throws LogError if there is none */
export function headerOf(bytes: Uint8Array): LogHeader {
  const payload = new FrameReader(bytes).next();
  if (payload === undefined) throw new LogError("a log without a header");
  // Version 1 coded the types of records otherwise.
  if (recordTypeOf(payload) !== "header") {
    throw new LogError(`a log that does not begin with a header of version ${LOG_VERSION}`);
  }
  return plainRecordOf(payload, "header");
}

/** A record without commands, which needs no game to be read. @throws LogError for another one */
export function plainRecordOf<Type extends "header" | "seat" | "owner" | "end">(
  payload: Uint8Array,
  type: Type,
): LogRecord<never> & { readonly type: Type } {
  const record = new RecordReader(NO_COMMANDS).read(payload);
  if (record.type !== type) throw new LogError(`a record that is no ${type}`);
  return record as LogRecord<never> & { readonly type: Type };
}

const NO_COMMANDS = { neutral: undefined, code: () => undefined, same: () => true };
