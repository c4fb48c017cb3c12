/**
 * Writes a match's log: every definitive tick before a client gets it, and a state every ten seconds, from which another
 * process can go on.
 */
import type { Codec, Tick } from "../../shared/netcode/game.ts";
import type { JoinState } from "../../shared/netcode/join_state.ts";
import { RecordWriter } from "../../shared/netcode/match_log/record_coder.ts";
import type { LoggedPlayer, LogHeader } from "../../shared/netcode/match_log/records.ts";
import { sortBySeat } from "../../shared/netcode/wire/announcement_codec.ts";
import type { Announcement } from "../../shared/netcode/wire/messages.ts";
import { type Deflate, packSnapshot } from "../../shared/netcode/wire/packed_snapshot.ts";
import type { TickStart } from "../../shared/netcode/tick_start.ts";

/** How far another process has to step from the newest state, s: half a second of its time at twenty times. */
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
  /** @returns when no fault can change a record so far any more; undefined if none can already. By default none can. */
  confirmed?(): Promise<void> | undefined;
  /** Appends the last record, and ends the log. */
  end(frame: Uint8Array): void;
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
export type RecordedState<Command> = JoinState<Command> & { readonly players: readonly LoggedPlayer[] };

export interface MatchRecorderOptions {
  readonly log: MatchLog;
  readonly tickHz: number;
  readonly deflate: Deflate | undefined;
}

/** The recorder of one match. */
export class MatchRecorder<Command> {
  readonly #log: MatchLog;
  readonly #writer: RecordWriter<Command>;
  readonly #deflate: Deflate | undefined;
  readonly #stateTicks: number;

  constructor(codec: Codec<Command>, { log, tickHz, deflate }: MatchRecorderOptions) {
    this.#log = log;
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
  get confirmed(): Promise<void> | undefined {
    return this.#log.confirmed?.();
  }

  /** Begins the log of a new match. A state must follow. */
  begin(header: Omit<LogHeader, "type" | "version">): void {
    this.#log.append(this.#writer.header(header));
  }

  /** Goes on with the log of a match that another process began. A state must follow. @param at s since 1970 */
  takeOver(at: number): void {
    this.#log.append(this.#writer.owner(at));
  }

  state(recorded: RecordedTick<Command>): void {
    const { tick, hash, start } = recorded, { state, presence, announcements, players } = recorded.joinState();
    const record = {
      ...{ tick, hash, seats: state.seats, presence, players },
      announcements: sortBySeat(announcements),
      snapshot: packSnapshot(state.snapshot, this.#deflate),
    };
    this.#log.append(this.#writer.state(record, start));
  }

  /** @returns when clients may get the tick; undefined for at once */
  tick(recorded: RecordedTick<Command>): Promise<void> | undefined {
    const written = this.#log.append(this.#writer.tick(recorded, recorded.start));
    if (recorded.tick % this.#stateTicks === 0) this.state(recorded);
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
