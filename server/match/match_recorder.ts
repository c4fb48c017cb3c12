/**
 * Writes a match's log: every definitive tick before a client gets it, and a state every ten
 * seconds, from which another process can go on.
 */
import type { Codec, Tick } from "../../shared/netcode/game.ts";
import type { JoinState } from "../../shared/netcode/join_state.ts";
import { RecordWriter } from "../../shared/netcode/match_log/record_coder.ts";
import type { LoggedPlayer, LogHeader } from "../../shared/netcode/match_log/records.ts";
import { sortBySeat } from "../../shared/netcode/wire/announcement_codec.ts";
import type { Announcement } from "../../shared/netcode/wire/messages.ts";
import { type Deflate, packSnapshot } from "../../shared/netcode/wire/packed_snapshot.ts";
import type { TickStart } from "../../shared/netcode/tick_start.ts";

/**
 * Time between two states, s. It is how far another process has to step at most, which takes half a
 * second at twenty times the speed of play.
 */
const STATE_SECONDS = 10;

/** The log of one match, wherever it is. A tick is sent to clients after its log has taken it. */
export interface MatchLog {
  /** Of its writer: higher than that of any process before it. */
  readonly epoch: number;
  /** The match's name, which no other match has. */
  readonly id: string;
  /** Whether it has every record so far; false once one could not be written, or after its end. */
  readonly isOpen: boolean;
  /**
   * Appends a record.
   * @param frame may be reused as soon as this returns
   * @returns when the record counts; undefined if it does already
   */
  append(frame: Uint8Array): Promise<void> | undefined;
  /**
   * @returns when no fault can change a record so far any more; undefined if none can already. By
   *   default none can.
   */
  durable?(): Promise<void> | undefined;
  /** Appends the last record, and ends the log. */
  end(frame: Uint8Array): void;
  /**
   * Begins the log anew, empty, after it could not be written. By default it never can.
   * @returns whether it is open again; then a header and a state must follow
   */
  beginAgain?(): boolean;
}

/** A definitive tick as the recorder needs it. */
export interface RecordedTick<Command> {
  readonly tick: Tick;
  /** 32 bits. */
  readonly hash: number;
  readonly start: TickStart<Command>;
  /** Called for a tick whose state is written. */
  joinState(): RecordedState<Command>;
}

/** A state as the recorder needs it. */
export type RecordedState<Command> = JoinState<Command> & {
  readonly players: readonly LoggedPlayer[];
};

/** The header of a match, as the process that begins the match knows it. */
export type MatchHeader = Omit<LogHeader, "type" | "version">;

export interface MatchRecorderOptions {
  readonly log: MatchLog;
  readonly header: MatchHeader;
  readonly tickHz: number;
  readonly deflate: Deflate | undefined;
}

/** The recorder of one match. */
export class MatchRecorder<Command> {
  readonly #log: MatchLog;
  readonly #header: MatchHeader;
  readonly #writer: RecordWriter<Command>;
  readonly #deflate: Deflate | undefined;
  readonly #stateTicks: number;

  constructor(codec: Codec<Command>, { log, header, tickHz, deflate }: MatchRecorderOptions) {
    this.#log = log;
    this.#header = header;
    this.#writer = new RecordWriter(codec, log.epoch);
    this.#deflate = deflate;
    this.#stateTicks = STATE_SECONDS * tickHz;
  }

  /** The match's name, which no other match has. */
  get matchId(): string {
    return this.#log.id;
  }

  /** Whether another process can go on with the match. */
  get isOpen(): boolean {
    return this.#log.isOpen;
  }

  /** @returns when no fault can change a record so far any more; undefined if none can already */
  get durable(): Promise<void> | undefined {
    return this.#log.durable?.();
  }

  /** Begins the log of a new match. A state must follow. */
  begin(): void {
    this.#log.append(this.#writer.header(this.#header));
  }

  /**
   * Goes on with the log of a match that another process began. A state must follow.
   * @param at s since 1970
   */
  takeOver(at: number): void {
    this.#log.append(this.#writer.owner(at));
  }

  /** @returns when the state counts; undefined if it does already */
  state(recorded: RecordedTick<Command>): Promise<void> | undefined {
    const { tick, hash, start } = recorded;
    const { state, presence, announcements, players } = recorded.joinState();
    const record = {
      tick,
      hash,
      seats: state.seats,
      presence,
      players,
      announcements: sortBySeat(announcements),
      snapshot: packSnapshot(state.snapshot, this.#deflate),
    };
    return this.#log.append(this.#writer.state(record, start));
  }

  /** @returns when clients may get the tick; undefined for at once */
  tick(recorded: RecordedTick<Command>): Promise<void> | undefined {
    if (!this.#log.isOpen && this.#log.beginAgain?.() === true) return this.#beginAgain(recorded);
    const written = this.#log.append(this.#writer.tick(recorded, recorded.start));
    if (recorded.tick % this.#stateTicks === 0) this.state(recorded);
    return written;
  }

  /**
   * The log could not be written for a while, so the ticks of that time are lost. It goes on with
   * the state of this one, as it would if its older records had been deleted.
   */
  #beginAgain(recorded: RecordedTick<Command>): Promise<void> | undefined {
    this.begin();
    const written = this.state(recorded);

    // The state holds the players already, but lists count players by their own records, because
    // they read no states.
    for (const player of recorded.joinState().players) this.seat(player);
    return written;
  }

  /**
   * Commands that clients get before the next tick.
   * @param options.tick the one that runs next
   * @param options.start of the tick before it
   * @returns when clients may get them; undefined for at once
   */
  early(
    announcements: readonly Announcement<Command>[],
    options: { tick: Tick; start: TickStart<Command> },
  ): Promise<void> | undefined {
    return this.#log.append(this.#writer.early(sortBySeat(announcements), options));
  }

  /** A player has got a seat, or another token. */
  seat(player: LoggedPlayer): void {
    this.#log.append(this.#writer.seat(player));
  }

  end(tick: Tick, reason: string): void {
    this.#log.end(this.#writer.end(tick, reason));
  }
}
