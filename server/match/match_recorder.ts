/**
 * Writes a match's log: every definitive tick before any client gets it, and every ten seconds a
 * state, from which another process can continue.
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
 * Time between two states, s. Another process has to step through at most this much, which takes
 * half a second at twenty times the speed of play.
 */
const STATE_SECONDS = 10;

/** One match's log, wherever it is kept. Clients get a tick after the log has taken it. */
export interface MatchLog {
  /** The writer's epoch, higher than that of any process before it. */
  readonly epoch: number;
  /** The match's name, which no other match shares. */
  readonly id: string;
  /** Whether it holds every record so far; false after a failed write, or after its end. */
  readonly isOpen: boolean;
  /**
   * Appends a record.
   * @param frame may be reused as soon as this returns
   * @returns when the record counts; undefined if it already does
   */
  append(frame: Uint8Array): Promise<void> | undefined;
  /**
   * @returns when no fault can change the records so far any more; undefined if that already holds,
   * which is the default
   */
  durable?(): Promise<void> | undefined;
  /** Appends the last record, and ends the log. */
  end(frame: Uint8Array): void;
  /**
   * Begins the log again, empty, after it could not be written. By default that is impossible.
   * @returns whether it is open again; then a header and a state must follow
   */
  beginAgain?(): boolean;
}

/** What the recorder needs of a definitive tick. */
export interface RecordedTick<Command> {
  readonly tick: Tick;
  /** 32 bits; 0 if the server only orders commands. */
  readonly hash: number;
  readonly start: TickStart<Command>;
  /** Called for a tick if its state is written. @returns undefined if it is not known here */
  joinState(): RecordedState<Command> | undefined;
}

/** What the recorder needs of a state. */
export type RecordedState<Command> = JoinState<Command> & {
  /** Of the snapshot, 32 bits. */
  readonly hash: number;
  readonly players: readonly LoggedPlayer[];
};

/** A match's header, as known to the process that begins the match. */
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

  /** The match's name, which no other match shares. */
  get matchId(): string {
    return this.#log.id;
  }

  /** Whether another process can continue the match. */
  get isOpen(): boolean {
    return this.#log.isOpen;
  }

  /**
   * @returns when no fault can change the records so far any more; undefined if that already holds
   */
  get durable(): Promise<void> | undefined {
    return this.#log.durable?.();
  }

  /** Begins a new match's log. A state must follow. */
  begin(): void {
    this.#log.append(this.#writer.header(this.#header));
  }

  /**
   * Continues the log of a match that another process began. A state must follow.
   * @param at s since 1970
   */
  takeOver(at: number): void {
    this.#log.append(this.#writer.owner(at));
  }

  /** @returns when the state counts; undefined if it already does, or if it is not known here */
  state(recorded: RecordedTick<Command>): Promise<void> | undefined {
    const { tick, start } = recorded;
    const known = recorded.joinState();
    if (known === undefined) return undefined;
    const { state, hash, presence, announcements, players } = known;
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

  /** @returns when clients may get the tick; undefined if at once */
  tick(recorded: RecordedTick<Command>): Promise<void> | undefined {
    const isBroken = !this.#log.isOpen && recorded.joinState() !== undefined;
    if (isBroken && this.#log.beginAgain?.() === true) return this.#beginAgain(recorded);
    const written = this.#log.append(this.#writer.tick(recorded, recorded.start));
    if (recorded.tick % this.#stateTicks === 0) this.state(recorded);
    return written;
  }

  /**
   * Continues after the log could not be written for a while, so that the ticks of that time are
   * lost. The log starts from this tick's state, as if its older records had been deleted.
   */
  #beginAgain(recorded: RecordedTick<Command>): Promise<void> | undefined {
    this.begin();
    const written = this.state(recorded);

    // The state holds the players already, but lists do not read states, so they count players by
    // their own records.
    for (const player of recorded.joinState()?.players ?? []) this.seat(player);
    return written;
  }

  /**
   * Records commands that clients get before the next tick.
   * @param options.tick the tick that runs next
   * @param options.start of the tick before it
   * @returns when clients may get them; undefined if at once
   */
  early(
    announcements: readonly Announcement<Command>[],
    options: { tick: Tick; start: TickStart<Command> },
  ): Promise<void> | undefined {
    return this.#log.append(this.#writer.early(sortBySeat(announcements), options));
  }

  /** Records that a player has got a seat, or a new token. */
  seat(player: LoggedPlayer): void {
    this.#log.append(this.#writer.seat(player));
  }

  end(tick: Tick, reason: string): void {
    this.#log.end(this.#writer.end(tick, reason));
  }
}
