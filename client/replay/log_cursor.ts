/**
 * A place in a log, with the match as it was there. It plays record by record and checks each hash.
 */
import type { Game, Simulation, Tick } from "../../shared/netcode/game.ts";
import { FrameReader } from "../../shared/netcode/match_log/frames.ts";
import { RecordReader } from "../../shared/netcode/match_log/record_coder.ts";
import { LogError, type LogHeader, type LogState } from "../../shared/netcode/match_log/records.ts";
import { MatchReplay } from "../../shared/netcode/match_log/replay.ts";

/** What a cursor needs to go on at a tick. */
export interface KeyFrame<Command> {
  readonly tick: Tick;
  /** The offset after the tick's record. */
  readonly offset: number;
  /** Never changes, because a cursor takes a copy. */
  readonly reader: RecordReader<Command>;
  readonly state: LogState<Command>;
}

export class LogCursor<Command, Sim extends Simulation<Command>> {
  readonly replay: MatchReplay<Command, Sim>;
  #bytes: Uint8Array;
  #frames: FrameReader;
  #reader: RecordReader<Command>;

  /**
   * Starts at a log's first state.
   * @throws LogError if there is none, or it is from another game
   */
  constructor(game: Game<Command, Sim>, header: LogHeader, bytes: Uint8Array) {
    this.replay = new MatchReplay(game, header);
    this.#bytes = bytes;
    this.#frames = new FrameReader(bytes);
    this.#reader = new RecordReader(game.command);
    this.#frames.next(); // the header
    if (!this.#playRecord() || this.replay.tick < 0) throw new LogError("a log without a state");
  }

  get tick(): Tick {
    return this.replay.tick;
  }

  get keyFrame(): KeyFrame<Command> {
    const { tick, state } = this.replay;
    return { tick, offset: this.#frames.offset, reader: this.#reader.copy(), state };
  }

  goTo({ offset, reader, state }: KeyFrame<Command>): void {
    this.#frames = new FrameReader(this.#bytes, offset);
    this.#reader = reader.copy();
    this.replay.goTo(state);
  }

  /** Goes on in a longer log. @param bytes equal to those so far, up to this place */
  extend(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#frames = new FrameReader(bytes, this.#frames.offset);
  }

  /**
   * Plays up to the next tick.
   * @returns false at the end
   * @throws LogError if a record cannot follow
   */
  playTick(): boolean {
    const { tick } = this;
    while (this.#playRecord()) if (this.tick > tick) return true;
    return false;
  }

  #playRecord(): boolean {
    const payload = this.#frames.next();
    if (payload === undefined) return false;
    this.replay.play(this.#reader.read(payload));
    return true;
  }
}
