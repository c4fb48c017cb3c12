/**
 * Shows a log at any tick. Two cursors go through it: one checks every tick in the background and
 * leaves key frames behind, and the other is shown.
 *
 *     S(tick) = f( … f( newest key frame ≤ tick ) … )      at most one distance of key frames to step
 */
import type { Game, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import { FrameReader, type LogFault } from "../../shared/netcode/match_log/frames.ts";
import { recordTypeOf } from "../../shared/netcode/match_log/record_coder.ts";
import { unpackedLog } from "../../shared/netcode/match_log/packed_log.ts";
import { LogDifference, type MatchReplay } from "../../shared/netcode/match_log/replay.ts";
import { LogError, type LogHeader } from "../../shared/netcode/match_log/records.ts";
import { headerOf } from "../../shared/netcode/match_log/replayed_log.ts";
import { CommandLanes } from "./command_lanes.ts";
import { KeyFrames } from "./key_frames.ts";
import { type KeyFrame, LogCursor } from "./log_cursor.ts";
import { playerNamesOf } from "./match_observer.ts";
import type { CheckStatus, PlayedElsewhere, ReplaySource } from "./replay_source.ts";

/** The longest log to accept, bytes, which holds hours. Its lanes take at most twice as much. */
export const LOG_BYTES_MAX = 1 << 25;

export interface LogPlayerOptions<Command, Sim extends Simulation<Command>> {
  /** Called with each tick in order. @returns whether lanes should mark it */
  readonly onChecked?: (match: MatchReplay<Command, Sim>) => boolean;
  /**
   * How far the log was played elsewhere, which limits how far it is played here. Without it, all
   * of the log is played.
   */
  readonly trial?: PlayedElsewhere | undefined;
}

export class LogPlayer<Command, Sim extends Simulation<Command>> implements ReplaySource<Sim> {
  readonly header: LogHeader;
  readonly firstTick: Tick;
  readonly lanes: CommandLanes<Command>;
  readonly #checked: LogCursor<Command, Sim>;
  readonly #shown: LogCursor<Command, Sim>;
  readonly #keyFrames = new KeyFrames<Command>();
  readonly #options: LogPlayerOptions<Command, Sim>;
  /** Unpacked. */
  #bytes: Uint8Array;
  #fault: LogFault | undefined;
  /** The newest tick in the whole records. */
  #lastLoggedTick: Tick;
  /** The newest tick in the whole records, once it is checked. */
  #end: KeyFrame<Command> | undefined;
  /** The newest tick with an equal hash. */
  #equalTick: Tick;
  #error: LogError | undefined;
  #isComplete = false;
  /** How many ticks were checked, or failed. */
  #checks = 0;

  /**
   * @param log may be packed
   * @throws LogError if the bytes are not a log from this game, or too many
   */
  constructor(
    game: Game<Command, Sim>,
    log: Uint8Array,
    options: LogPlayerOptions<Command, Sim> = {},
  ) {
    if (log.length > LOG_BYTES_MAX) throw new LogError(`a log of more than ${LOG_BYTES_MAX} bytes`);
    const bytes = this.#bytes = unpackedLog(log, LOG_BYTES_MAX);
    this.#options = options;
    this.header = headerOf(bytes);
    this.#checked = new LogCursor(game, this.header, bytes);
    this.#shown = new LogCursor(game, this.header, bytes);
    const { ticks, fault } = countTicks(bytes);
    this.#fault = fault;
    this.firstTick = this.#equalTick = this.#checked.tick;
    this.#lastLoggedTick = this.firstTick + ticks;
    this.lanes = new CommandLanes((a, b) => game.command.same(a, b), {
      first: this.firstTick,
      ticks,
    });
    this.#keyFrames.add(this.#checked.keyFrame);
  }

  /** The last tick that can be shown; it falls if the check finds an error. */
  get lastTick(): Tick {
    return this.#isComplete ? this.#equalTick : this.#lastLoggedTick;
  }

  /** The newest tick that is known to be equal; up to it, ticks can be shown at once. */
  get checkedTick(): Tick {
    return this.#equalTick;
  }

  get status(): CheckStatus {
    const error = this.#error;
    const difference = error instanceof LogDifference ? error : undefined;
    return {
      equalTicks: this.#equalTick - this.firstTick,
      isComplete: this.#isComplete,
      difference,
      error: difference === undefined ? error : undefined,
      fault: this.#fault,
    };
  }

  get isWaiting(): boolean {
    const { trial } = this.#options;
    return !this.#isComplete && trial !== undefined && trial.fault === "" &&
      this.#checks >= trial.played;
  }

  get room(): string {
    return this.header.room;
  }

  get names(): ReadonlyMap<SeatId, string> {
    return playerNamesOf(this.#shown.replay);
  }

  /** The match at the shown tick. Callers may read it but must not play it. */
  get shown(): MatchReplay<Command, Sim> {
    return this.#shown.replay;
  }

  get keyFrameCount(): number {
    return this.#keyFrames.count;
  }

  /** Checks the next ticks. @returns whether all are checked */
  check(ticks: number): boolean {
    for (let i = 0; i < ticks && this.#mayCheck(); i++) this.#checkTick();
    return this.#isComplete;
  }

  /**
   * Goes on with a longer log of the same match. Call it once all of this one is checked.
   * @param log may be packed
   * @throws LogError if it does not begin as this one does, or has too many bytes; then nothing changes
   * @throws RangeError if not all is checked, or is not as it was played
   */
  extend(log: Uint8Array): void {
    const end = this.#end;
    if (end === undefined || !this.#isComplete || this.#error !== undefined) {
      throw new RangeError("a log is extended before all of it is checked");
    }
    const bytes = unpackedLog(log, LOG_BYTES_MAX);
    if (!beginsWith(bytes, this.#bytes.subarray(0, end.offset))) {
      throw new LogError("a log of another match");
    }

    this.#bytes = bytes;
    this.#checked.extend(bytes);
    this.#checked.goTo(end);
    this.#shown.extend(bytes);

    const { ticks, fault } = countTicks(bytes);
    this.#fault = fault;
    this.#lastLoggedTick = this.firstTick + ticks;
    this.lanes.extend(ticks);
    this.#end = undefined;
    this.#isComplete = false;
  }

  /** Shows a tick, or the nearest one. @param onStep called after each step */
  goTo(tick: Tick, onStep: () => void = () => {}): void {
    while (this.#equalTick < tick && this.#mayCheck()) this.#checkTick();
    const wanted = Math.max(this.firstTick, Math.min(tick, this.#equalTick));
    const shown = this.#shown;
    const keyFrame = this.#keyFrames.before(wanted);
    if (shown.tick > wanted || shown.tick < keyFrame.tick) shown.goTo(keyFrame);
    while (shown.tick < wanted && shown.playTick()) onStep();
  }

  /**
   * Whether the next tick may be checked now. If the trial found a fault, ticks beyond it never
   * may.
   */
  #mayCheck(): boolean {
    const { trial } = this.#options;
    if (this.#isComplete) return false;
    if (trial === undefined || this.#checks < trial.played) return true;
    if (trial.fault !== "") {
      this.#error = new LogError(
        `a log whose tick ${this.#equalTick + 1} cannot be played (${trial.fault})`,
      );
      this.#isComplete = true;
    }
    return false;
  }

  #checkTick(): void {
    this.#checks++;
    const cursor = this.#checked;
    const { replay } = cursor;
    // Before the records after it, which may be there only until the next tick repeats them.
    if (cursor.tick === this.#lastLoggedTick) this.#end = cursor.keyFrame;
    try {
      this.#isComplete = !cursor.playTick();
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      this.#error = error;
      this.#isComplete = true;
    }
    if (this.#isComplete) return;
    this.#equalTick = cursor.tick;
    const isMarked = this.#options.onChecked?.(replay) ?? false;
    this.lanes.add(replay.timeline.commands(cursor.tick), replay.timeline, isMarked);
    if (this.#keyFrames.isDue(cursor.tick)) this.#keyFrames.add(cursor.keyFrame);
  }
}

function beginsWith(bytes: Uint8Array, first: Uint8Array): boolean {
  return bytes.length >= first.length && first.every((byte, i) => byte === bytes[i]);
}

function countTicks(bytes: Uint8Array): { ticks: number; fault: LogFault | undefined } {
  const frames = new FrameReader(bytes);
  let ticks = 0;
  for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
    if (recordTypeOf(payload) === "tick") ticks++;
  }
  return { ticks, fault: frames.fault };
}
