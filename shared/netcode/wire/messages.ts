/**
 * The messages of the protocol as the two ends see them. `client_messages.ts`, `server_messages.ts`
 * and `tick_codec.ts` have their layout, and WIRE 6 to 10 describe it. If a bit moves,
 * PROTOCOL_VERSION grows.
 *
 *                     from the client                     from the server             each tick
 *     reliable link   hello · ping · command · report     welcome · pong · tick · early   one command, one tick
 *      … with a path  back                                offer · resume · ticks          see `DatagramPath`
 *     datagram link   hello · ping · commands             welcome · pong · ticks      all that is not acknowledged
 *
 * On a datagram link hello, welcome, notices and full states use the reliable channel; all other
 * messages may be lost. Fields are delta-coded: on a reliable link against the previous message, in
 * a datagram against the preceding entry.
 */
import { type Coder, WireError } from "./range_coder.ts";
import type { BodyBaselines } from "./quantized_body.ts";
import type { SeatId, Tick } from "../game.ts";
import type { PathOffer } from "../link.ts";
import type { SeatRecord } from "../timeline.ts";

export const PROTOCOL_VERSION = 15;

/**
 * The longest message from a client. A command has two or three bytes, the longest hello about 150.
 */
export const CLIENT_MESSAGE_BYTES_MAX = 1024;
/**
 * The longest datagram of ticks. QUIC's largest has 1,211 bytes on a path that carries 1,280
 * (DESIGN 12.4).
 */
export const SERVER_DATAGRAM_BYTES_MAX = 1200;
/**
 * The most ticks, and the most commands, in one datagram: as far as any client simulates ahead. A
 * client that is farther behind has stopped, and a full state is shorter than the ticks that it
 * misses.
 */
export const DATAGRAM_TICKS_MAX = 32;
/**
 * Each tick is reported in so many datagrams. With all of them lost, it stays unknown: no harm, but
 * bytes.
 */
export const ARRIVALS_TICKS = 8;
/** A datagram and its four copies. The network may make more of them. */
export const ARRIVED_MAX = 5;
/** In UTF-8 a name of 24 characters fits, in every script. */
export const NAME_BYTES_MAX = 96;
/** One or two sentences that a player can read at a glance. */
export const NOTICE_BYTES_MAX = 240;
export const GAME_ID_BYTES_MAX = 32;
/** Longer than a room code, so that the server can read a wrong code and refuse it. */
export const ROOM_BYTES_MAX = 16;
/** A room has at most so many options. Each of its choices is 0 … 255. */
export const CHOICES_MAX = 8;
export const ROOM_CODE = /^[A-Z]{4}$/;
/** The server's reasons to close a link (WIRE 12). SPEC 8.12 has the page's texts. */
export const CloseCode = {
  protocol: 4000,
  version: 4001,
  game: 4002,
  roomCode: 4003,
  roomFull: 4004,
  tooSlow: 4005,
  flood: 4006,
  roomFailed: 4007,
  helloMissing: 4008,
  replaced: 4009,
  busy: 4010,
  kicked: 4011,
  roomClosed: 4012,
  idle: 4013,
  addressFull: 4014,
  unauthorised: 4015,
  displaced: 4016,
  noRoom: 4017,
  roomTaken: 4018,
} as const;

/**
 * A seat token, 128 bits as 32 hexadecimal digits. A player who presents it gets their seat back,
 * and a new token with it.
 */
export type ResumeToken = string;

export interface Hello {
  readonly type: "hello";
  readonly protocolVersion: number;
  readonly gameId: string;
  readonly room: string;
  readonly name: string;
  /** A spectator gets no seat. */
  readonly spectate: boolean;
  /**
   * "no": the client cannot decode the body stream. "able": the server may move it there. "chosen":
   * it starts there, because it does not simulate exactly.
   */
  readonly bodyStreamMode: "no" | "able" | "chosen";
  /** The token of the seat that the player had; undefined if there was none. */
  readonly resume: ResumeToken | undefined;
  /**
   * The room's options as the client that opens it chooses them (`GameOptions.choices`); empty for
   * the first values.
   */
  readonly choices: readonly number[];
}

/**
 * Requests a `Pong` with the same `id` at once. A ping that is not urgent is piggybacked on a
 * command, and its answer on the next tick.
 */
export interface Ping {
  readonly type: "ping";
  /** 0 … 255. */
  readonly id: number;
}

/**
 * The request of a body-stream client. "bodies": it stays on the body stream. "state": it also
 * requests one full state, to probe whether its hashes agree now. A client that has received the
 * first body-stream message and omits this field has left the body stream.
 */
export type BodyStreamRequest = "bodies" | "state";

export interface CommandMessage<Command> {
  readonly type: "command";
  readonly tick: Tick;
  readonly command: Command;
  /** The client's lead when it sent the command, in quarters of a ms, 0 … 4095.75 ms. */
  readonly leadMs: number;
  /** The newest definitive tick that the client has received. */
  readonly received: Tick;
  /** The client's state differs from the definitive one. */
  readonly isDesynced: boolean;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
  /** The `id` of a piggybacked ping. */
  readonly ping?: number | undefined;
}

/**
 * The report of a desynced client without a command. Needed when no command can carry the report:
 * for spectators, and for clients whose clock lags the received ticks.
 */
export interface Report {
  readonly type: "report";
  /** The newest definitive tick that the client has received. */
  readonly received: Tick;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
}

/**
 * The client has left its datagram path: it sends commands by the reliable channel again, and waits
 * for the ticks that it misses.
 */
export interface Back {
  readonly type: "back";
  /** The newest definitive tick up to which the client has every tick; 0 before the first. */
  readonly received: Tick;
}

/**
 * Commands that the server may not have, one datagram per tick or several. Without commands it only
 * acknowledges.
 */
export interface CommandsMessage<Command> {
  readonly type: "commands";
  /**
   * The newest definitive tick up to which the client has every tick. The server repeats all later
   * ones.
   */
  readonly received: Tick;
  /** As in a command message. */
  readonly isDesynced: boolean;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
  /**
   * A body-stream client's newest tick with bodies. The server may delta-code later bodies against
   * them.
   */
  readonly bodiesAck?: Tick | undefined;
  readonly leadMs: number;
  /** The tick of the newest command. */
  readonly tick: Tick;
  /** Commands for `tick`, `tick` − 1 and so on, at most `DATAGRAM_TICKS_MAX`. */
  readonly commands: readonly Command[];
  /**
   * The tick of an earlier datagram that this one is delta-coded against. The oldest command is
   * then delta-coded against the one of the tick before it. Undefined for a self-contained
   * datagram.
   */
  readonly reference?: Tick | undefined;
  /**
   * As read: the server lacks the command before the oldest one. So it could not read this number
   * of commands, and `commands` is empty.
   */
  readonly unreadCount?: number;
}

export type ClientMessage<Command> = Hello | Ping | CommandMessage<Command> | Report | Back;
/** The messages that a client sends by datagram. */
export type ClientDatagram<Command> = Ping | CommandsMessage<Command>;

export interface Welcome {
  readonly type: "welcome";
  /** Undefined for a spectator. */
  readonly seat: SeatId | undefined;
  /** Whether it is the seat of the hello's token. */
  readonly isResumed: boolean;
  /** The token to present after a lost connection. */
  readonly resume: ResumeToken;
  readonly npcs: number;
  readonly seed: number;
  /** The room's, one for each option of the game. */
  readonly choices: readonly number[];
}

export interface Pong {
  readonly type: "pong";
  readonly id: number;
  /** The server's clock when it answered, in ticks, to 1/1024. */
  readonly serverTicks: number;
}

/** The answer to a piggybacked ping. It waited on the server for the next tick message. */
export interface PiggybackedPong {
  readonly id: number;
  /**
   * The server's clock when it sent the answer, in ticks, to 1/1024. Mostly that is less than 1
   * beyond the message's tick.
   */
  readonly serverTicks: number;
  /** How long the ping had waited, in ticks, to 1/1024. */
  readonly waitedTicks: number;
}

export interface Announcement<Command> {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly command: Command;
}

/** A seat is present, or empty, from `tick` on. */
export interface PresenceChange {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly present: boolean;
  /** The player's name; empty for an NPC, and if the seat becomes empty. */
  readonly name: string;
}

/** S(n), and the present seats with their last known commands. */
export interface FullState<Command> {
  readonly seats: readonly (SeatRecord<Command> & { readonly name: string })[];
  /** The snapshot's words as bytes; empty if the body stream starts instead. */
  readonly snapshot: Uint8Array;
}

/** One definitive tick. */
export interface TickMessage<Command> {
  readonly type: "tick";
  readonly tick: Tick;
  /** The low 16 bits of the hash of S(tick). */
  readonly hash: number;
  /**
   * The slack of this client's newest late command, or of a recent one, in whole ms, −2048 … 2047.
   */
  readonly slackMs: number;
  /**
   * The lead that the server advises this client, in quarters of a ms, 0 … 4095.75 ms; 0 if there
   * is no advice yet.
   */
  readonly advisedLeadMs: number;
  readonly presence: readonly PresenceChange[];
  /**
   * The commands announced since the previous tick; with a state, all that are announced beyond it.
   */
  readonly announcements: readonly Announcement<Command>[];
  readonly state: FullState<Command> | undefined;
  readonly pong?: PiggybackedPong | undefined;
  /** For a body-stream client: all bodies as of `tick`. */
  readonly bodies?: BodyBaselines | undefined;
}

/** A datagram: every definitive tick since the one that the client acknowledged. */
export interface TicksMessage<Command> {
  readonly type: "ticks";
  /**
   * 1 … `DATAGRAM_TICKS_MAX` ticks without gaps, the oldest first, none with a state. All have the
   * newest one's slack and advised lead.
   */
  readonly ticks: readonly TickMessage<Command>[];
  /** Undefined for a client that has sent no commands lately. */
  readonly arrivals?: Arrivals | undefined;
}

/**
 * The client's datagrams with commands that have arrived: for `newest` and the ticks before it, the
 * newest first. So the client knows what the server has, and measures its losses.
 */
export interface Arrivals {
  /** The newest tick of which a datagram has arrived. */
  readonly newest: Tick;
  /**
   * `ARRIVALS_TICKS` entries: how many datagrams of the tick have arrived, at most `ARRIVED_MAX`.
   */
  readonly counts: readonly number[];
  /** Whether the server could read the commands of one of them. */
  readonly areRead: readonly boolean[];
}

/**
 * Commands that are announced between two ticks, to clients for which the next tick message comes
 * late. That message repeats them.
 */
export interface EarlyMessage<Command> {
  readonly type: "early";
  readonly announcements: readonly Announcement<Command>[];
}

/** A sentence for everybody on this server, such as that it stops soon. */
export interface Notice {
  readonly type: "notice";
  /** At most `NOTICE_BYTES_MAX` in UTF-8. */
  readonly text: string;
}

/** Lets this client open a datagram path beside its reliable channel (`DatagramPath`). */
export interface Offer extends PathOffer {
  readonly type: "offer";
}

/**
 * The reliable channel has the ticks after `tick` again. The ticks before it went by datagrams, or
 * in `ticks`.
 */
export interface Resume {
  readonly type: "resume";
  readonly tick: Tick;
}

export type ServerMessage<Command> =
  | Welcome
  | Pong
  | TickMessage<Command>
  | TicksMessage<Command>
  | EarlyMessage<Command>
  | Notice
  | Offer
  | Resume;

/** A seat, 0 … 31. */
export const SEAT_BITS = 5;

/**
 * A lead in quarters of a ms, up to 4 s. With coarser units commands on a steady network would wait
 * for the rounding alone.
 */
export const LEAD_BITS = 14;
const LEAD_UNITS_PER_MS = 4;

/** A lead as a number of quarters of a ms, clamped to 0 … 16,383. */
export function quantizeLead(leadMs: number): number {
  return clampToBits(leadMs * LEAD_UNITS_PER_MS, LEAD_BITS);
}

/**
 * The inverse of `quantizeLead`, in ms.
 * @throws WireError for a number out of its range, which only a reader can have
 */
export function dequantizeLead(quarters: number): number {
  if (quarters < 0 || quarters >= 1 << LEAD_BITS) {
    throw new WireError(`a lead of ${quarters} quarters of a ms`);
  }
  return quarters / LEAD_UNITS_PER_MS;
}

/** The nearest whole number that fits `bits` bits, unsigned. */
export function clampToBits(value: number, bits: number): number {
  return Math.round(Math.min((1 << bits) - 1, Math.max(0, value)));
}

/** Ticks have 31 bits: 3.4 years at 20 Hz. */
const TICK_MAX = 0x7fff_ffff;

/** The same tick. @throws WireError for a number that is no tick, which only a reader can have */
export function checkedTick(tick: Tick): Tick {
  if (tick < 0 || tick > TICK_MAX) throw new WireError(`tick ${tick} is none`);
  return tick;
}

const CHOICE_COUNT_BITS = 4;
const CHOICE_BITS = 8;

/** Codes a room's choices. @throws WireError for too many of them, which only a reader can have */
export function codeChoices(choices: readonly number[], coder: Coder): readonly number[] {
  const count = coder.bits(choices.length, CHOICE_COUNT_BITS);
  if (count > CHOICES_MAX) throw new WireError("more choices than there can be");
  return Array.from({ length: count }, (_, i) => coder.bits(choices[i] ?? 0, CHOICE_BITS));
}

const WORD_DIGITS = 8;

/** Codes a token in 128 bits. */
export function codeToken(token: ResumeToken, coder: Coder): ResumeToken {
  return codeDigits(token, 4, coder);
}

/** Codes hexadecimal digits. @param words of 32 bits, eight digits each */
export function codeDigits(digits: string, words: number, coder: Coder): string {
  let coded = "";
  for (let i = 0; i < words; i++) {
    const word = parseInt(digits.slice(i * WORD_DIGITS, (i + 1) * WORD_DIGITS), 16);
    coded += coder.bits(word, 32).toString(16).padStart(WORD_DIGITS, "0");
  }
  return coded;
}
