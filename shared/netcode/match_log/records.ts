/**
 * The log of a match. S(n) = f( S(n−1), C(n) ) is pure, so the log of the commands is the match
 * (DESIGN 15).
 *
 *     header · state · (tick · early · seat · …) · state · … · end
 *
 * The records of ticks and states are those of the wire's reliable link, with the whole hash. Every
 * record has the epoch of its writer. A server that takes a match over raises the epoch, so that a
 * record of an earlier one can be refused.
 */
import type { SeatId, Tick } from "../game.ts";
import type { Announcement, FullState, PresenceChange } from "../wire/messages.ts";

/** It grows when a bit of a record moves. A log of another version is refused in words. */
export const LOG_VERSION = 2;

/** What a match begins with. The first record. */
export interface LogHeader {
  readonly type: "header";
  readonly version: number;
  /** `Game.id`. */
  readonly gameId: string;
  readonly room: string;
  readonly npcs: number;
  readonly seed: number;
  readonly choices: readonly number[];
  /**
   * The digest of the room's key, 32 hexadecimal digits; undefined for a room that is open to all.
   */
  readonly key: string | undefined;
  /** When the match began, s since 1970. */
  readonly startedAt: number;
}

/** Who has a seat, as far as a server needs it to give the seat back. */
export interface LoggedPlayer {
  readonly seat: SeatId;
  /** Hashes of the tokens that give the seat back, 32 hexadecimal digits each; one or two. */
  readonly tokenHashes: readonly string[];
  /** The name by which an operator's hook knows the player; undefined without a hook. */
  readonly identity: string | undefined;
  /** The tick from which the player is in the game; undefined until their first command. */
  readonly entersAt: Tick | undefined;
}

/** S(tick), with everything that is announced beyond it. A reader can begin here. */
export interface LogState<Command> {
  readonly type: "state";
  readonly tick: Tick;
  /** All 32 bits of the hash of S(tick). */
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

/** A player has got a seat, or another token for it. */
export interface LogSeat extends LoggedPlayer {
  readonly type: "seat";
}

/** Another process goes on with the match. Its epoch is the one of this record. */
export interface LogOwner {
  readonly type: "owner";
  /** When, s since 1970. */
  readonly at: number;
}

/** The match is over. The last record. */
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

/** A log that is none, or that contradicts itself. The message says where. */
export class LogError extends Error {
  override readonly name = "LogError";
}
