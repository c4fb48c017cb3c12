/**
 * A match's log. S(n) = f( S(n−1), C(n) ) is pure, so a log of the commands is the match (DESIGN
 * 15).
 *
 *     header · state · (tick · early · seat · …) · state · … · end
 *
 * Tick and state records are coded as on the wire's reliable link, with the whole hash. Every
 * record carries its writer's epoch. A server that takes a match over raises the epoch, so that
 * records from the earlier server can be refused.
 */
import type { SeatId, Tick } from "../game.ts";
import type { Announcement, FullState, PresenceChange } from "../wire/messages.ts";

/**
 * Raise it when a record's bits change. A reader refuses versions that are newer, or older than
 * `OLDEST_LOG_VERSION`, with a message.
 */
export const LOG_VERSION = 4;

/** The first version whose headers have a fingerprint; all else is as in the oldest one. */
export const FINGERPRINT_LOG_VERSION = 3;
/** Its matches are all simulated by their servers; all else is as in version 3. */
export const OLDEST_LOG_VERSION = 2;

/** The first record: what a match begins with. */
export interface LogHeader {
  readonly type: "header";
  readonly version: number;
  /** `Game.id`. */
  readonly gameId: string;
  /** The fingerprint of the rules that began the match (`builtRulesOf`); undefined without one. */
  readonly rules: string | undefined;
  readonly room: string;
  readonly npcs: number;
  readonly seed: number;
  readonly choices: readonly number[];
  /** The digest of the room's key, 32 hexadecimal digits; undefined if the room is open to all. */
  readonly key: string | undefined;
  /** When the match began, s since 1970. */
  readonly startedAt: number;
  /**
   * Whether servers only ordered commands: NPCs decided within the step (`own_npcs.ts`), and a
   * tick's hash is mostly 0, which says nothing.
   */
  readonly isOrdered: boolean;
}

/** A player at a seat, as far as a server needs to know to give the seat back. */
export interface LoggedPlayer {
  readonly seat: SeatId;
  /** Hashes of the one or two tokens that give the seat back, 32 hexadecimal digits each. */
  readonly tokenHashes: readonly string[];
  /** The name by which an operator's hook knows the player; undefined without a hook. */
  readonly identity: string | undefined;
  /** When the player entered the game, in ticks; undefined until their first command. */
  readonly entersAt: Tick | undefined;
}

/** S(tick), with everything that is announced beyond it. A reader can begin here. */
export interface LogState<Command> {
  readonly type: "state";
  readonly tick: Tick;
  /** The hash of S(tick), all 32 bits. */
  readonly hash: number;
  readonly seats: FullState<Command>["seats"];
  readonly presence: readonly PresenceChange[];
  readonly announcements: readonly Announcement<Command>[];
  readonly players: readonly LoggedPlayer[];
  /** The snapshot's words as bytes. */
  readonly snapshot: Uint8Array;
}

/** One definitive tick: what was announced since the record before it. */
export interface LogTick<Command> {
  readonly type: "tick";
  readonly tick: Tick;
  readonly hash: number;
  readonly presence: readonly PresenceChange[];
  readonly announcements: readonly Announcement<Command>[];
}

/** Commands that were announced between two ticks. The next tick repeats them. */
export interface LogEarly<Command> {
  readonly type: "early";
  readonly announcements: readonly Announcement<Command>[];
}

/** A player received a seat, or another token for it. */
export interface LogSeat extends LoggedPlayer {
  readonly type: "seat";
}

/** Another process goes on with the match, with this record's epoch. */
export interface LogOwner {
  readonly type: "owner";
  /** When, s since 1970. */
  readonly at: number;
}

/** The last record: the match is over. */
export interface LogEnd {
  readonly type: "end";
  readonly tick: Tick;
  /** One or two words, such as "empty". */
  readonly reason: string;
}

export type LogRecord<Command> =
  | LogHeader
  | LogState<Command>
  | LogTick<Command>
  | LogEarly<Command>
  | LogSeat
  | LogOwner
  | LogEnd;

/** Bytes that are not a log, or a log that contradicts itself. The message says where. */
export class LogError extends Error {
  override readonly name = "LogError";
}
