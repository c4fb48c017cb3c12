/**
 * The protocol's messages as both ends see them. `client_messages.ts`, `server_messages.ts` and
 * `tick_codec.ts` lay them out, as WIRE 6 to 10 describe. If a bit moves, raise PROTOCOL_VERSION.
 *
 *                     from the client                     from the server             each tick
 *     reliable link   hello · ping · command · report     welcome · pong · tick · early   one command, one tick
 *      … of an ordered match  proof                                                       one in ten ticks
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
import type { TickProof } from "../proof.ts";
import type { SeatRecord } from "../timeline.ts";

export const PROTOCOL_VERSION = 16;

/**
 * The longest message from a client. A command takes two or three bytes, the longest hello about
 * 150.
 */
export const CLIENT_MESSAGE_BYTES_MAX = 1024;
/**
 * The longest datagram with ticks. QUIC carries up to 1,211 bytes on a path that carries 1,280
 * (DESIGN 12.4).
 */
export const SERVER_DATAGRAM_BYTES_MAX = 1200;
/**
 * The most ticks, and the most commands, in one datagram: as far as any client simulates ahead. A
 * client that is farther behind has stalled, and a full state is shorter than the ticks that it
 * lacks.
 */
export const DATAGRAM_TICKS_MAX = 32;
/**
 * How many datagrams report each tick. If all of them are lost, the tick stays unknown, which only
 * costs bytes.
 */
export const ARRIVALS_TICKS = 8;
/** A datagram and its four copies. The network may duplicate them further. */
export const ARRIVED_MAX = 5;
/** Fits a name with 24 characters in UTF-8, in every script. */
export const NAME_BYTES_MAX = 96;
/** One or two sentences that a player can read at a glance. */
export const NOTICE_BYTES_MAX = 240;
export const GAME_ID_BYTES_MAX = 32;
/** Longer than a room code, so that the server can read a wrong code and refuse it. */
export const ROOM_BYTES_MAX = 16;
/** The most options in a room. Each choice is 0 … 255. */
export const CHOICES_MAX = 8;
export const ROOM_CODE = /^[A-Z]{4}$/;
/** Why the server closes a link (WIRE 12). SPEC 8.12 lists the page's texts. */
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
  differs: 4019,
} as const;

/**
 * A seat token, 128 bits as 32 hexadecimal digits. A player who presents it gets their seat back,
 * and a new token.
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
   * "no": the client cannot decode the body stream. "able": the server may move the client to it.
   * "chosen": the client starts with it, because it does not simulate exactly.
   */
  readonly bodyStreamMode: "no" | "able" | "chosen";
  /** The token for the player's former seat; undefined without one. */
  readonly resume: ResumeToken | undefined;
  /**
   * The room's options as the client that opens it chooses them (`GameOptions.choices`); empty for
   * the first values.
   */
  readonly choices: readonly number[];
}

/**
 * Requests a `Pong` with the same `id` at once. If a ping is not urgent, it rides on a command, and
 * its answer on the next tick.
 */
export interface Ping {
  readonly type: "ping";
  /** 0 … 255. */
  readonly id: number;
}

/**
 * What a body-stream client requests. "bodies": to stay on the body stream. "state": also one full
 * state, to probe whether its hashes agree now. If a client omits this field after it received the
 * first body-stream message, it left the body stream.
 */
export type BodyStreamRequest = "bodies" | "state";

export interface CommandMessage<Command> {
  readonly type: "command";
  readonly tick: Tick;
  readonly command: Command;
  /** The client's lead when it sent the command, in quarters of a ms, 0 … 4095.75 ms. */
  readonly leadMs: number;
  /** The newest definitive tick that the client received. */
  readonly received: Tick;
  /** The client's state differs from the definitive one. */
  readonly isDesynced: boolean;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
  /** The `id` of a piggybacked ping. */
  readonly ping?: number | undefined;
}

/**
 * A desynced client's report without a command. Spectators need it, and clients with a clock that
 * lags the received ticks, because no command can carry their report.
 */
export interface Report {
  readonly type: "report";
  /** The newest definitive tick that the client received. */
  readonly received: Tick;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
}

/**
 * Says that the client left its datagram path: it sends commands by the reliable channel again, and
 * waits for the ticks that it lacks.
 */
export interface Back {
  readonly type: "back";
  /** The newest definitive tick up to which the client received every tick; 0 before the first. */
  readonly received: Tick;
}

/**
 * What the client proves in a match whose server only orders commands (`Welcome.isOrdered`).
 * Always by the reliable channel.
 */
export interface Proof extends TickProof {
  readonly type: "proof";
}

/**
 * Commands that the server may lack, in one datagram per tick or several. Without commands it only
 * acknowledges.
 */
export interface CommandsMessage<Command> {
  readonly type: "commands";
  /**
   * The newest definitive tick up to which the client received every tick. The server repeats all
   * later ones.
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
  /** The newest command's tick. */
  readonly tick: Tick;
  /** The commands for `tick`, `tick` − 1 and so on, at most `DATAGRAM_TICKS_MAX`. */
  readonly commands: readonly Command[];
  /**
   * The tick of the earlier datagram that this one is delta-coded against; the oldest command is
   * then delta-coded against the command one tick before it. Undefined for a self-contained
   * datagram.
   */
  readonly reference?: Tick | undefined;
  /**
   * Only as read, if the server lacks the command before the oldest one: how many commands it could
   * not read for that reason. `commands` is then empty.
   */
  readonly unreadCount?: number;
}

export type ClientMessage<Command> =
  | Hello
  | Ping
  | CommandMessage<Command>
  | Report
  | Back
  | Proof;
/** The messages that a client sends by datagram. */
export type ClientDatagram<Command> = Ping | CommandsMessage<Command>;

export interface Welcome {
  readonly type: "welcome";
  /** Undefined for a spectator. */
  readonly seat: SeatId | undefined;
  /** Whether the hello's token belongs to this seat. */
  readonly isResumed: boolean;
  /** The token to present after a lost connection. */
  readonly resume: ResumeToken;
  readonly npcs: number;
  readonly seed: number;
  /** The room's choices, one for each option of the game. */
  readonly choices: readonly number[];
  /**
   * Whether the server only orders commands: NPCs decide within the step (`own_npcs.ts`), the
   * hashes of ticks mean nothing, and clients send proofs.
   */
  readonly isOrdered: boolean;
}

export interface Pong {
  readonly type: "pong";
  readonly id: number;
  /** The server's clock when it answered, in ticks, to 1/1024. */
  readonly serverTicks: number;
}

/** The answer to a piggybacked ping, which waited on the server for the next tick message. */
export interface PiggybackedPong {
  readonly id: number;
  /**
   * The server's clock when it sent the answer, in ticks, to 1/1024; mostly less than 1 beyond the
   * message's tick.
   */
  readonly serverTicks: number;
  /** How long the ping waited, in ticks, to 1/1024. */
  readonly waitedTicks: number;
}

export interface Announcement<Command> {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly command: Command;
}

/** Makes a seat present, or empty, from `tick` on. */
export interface PresenceChange {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly present: boolean;
  /** The player's name; empty for an NPC or an empty seat. */
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
  /** The low 16 bits of the hash of S(tick); of an ordered match, 0. */
  readonly hash: number;
  /**
   * The slack of this client's newest late command, or else of a recent one, in whole ms, −2048 …
   * 2047.
   */
  readonly slackMs: number;
  /**
   * The lead that the server advises this client, in quarters of a ms, 0 … 4095.75 ms; 0 before the
   * first advice.
   */
  readonly advisedLeadMs: number;
  readonly presence: readonly PresenceChange[];
  /**
   * The commands announced since the previous tick; with a state, all that were announced beyond
   * it.
   */
  readonly announcements: readonly Announcement<Command>[];
  readonly state: FullState<Command> | undefined;
  readonly pong?: PiggybackedPong | undefined;
  /** For a body-stream client: all bodies as of `tick`. */
  readonly bodies?: BodyBaselines | undefined;
}

/** A datagram with every definitive tick since the one that the client acknowledged. */
export interface TicksMessage<Command> {
  readonly type: "ticks";
  /**
   * 1 … `DATAGRAM_TICKS_MAX` ticks without gaps, the oldest first, none with a state. All carry the
   * newest one's slack and advised lead.
   */
  readonly ticks: readonly TickMessage<Command>[];
  /** Undefined if the client sent no commands lately. */
  readonly arrivals?: Arrivals | undefined;
}

/**
 * Which of the client's datagrams with commands arrived, for `newest` and the ticks before it, the
 * newest first. From it the client knows what the server received, and measures its losses.
 */
export interface Arrivals {
  /** The newest tick with a datagram that arrived. */
  readonly newest: Tick;
  /** `ARRIVALS_TICKS` entries: how many datagrams for the tick arrived, at most `ARRIVED_MAX`. */
  readonly counts: readonly number[];
  /** Whether the server could read the commands in one of them. */
  readonly areRead: readonly boolean[];
}

/**
 * Commands announced between two ticks, to clients that would get them too late with the next tick
 * message. That message repeats them.
 */
export interface EarlyMessage<Command> {
  readonly type: "early";
  readonly announcements: readonly Announcement<Command>[];
}

/** A sentence for everyone on this server, such as that it stops soon. */
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
 * Says that the reliable channel carries the ticks after `tick` again. The ticks before it went by
 * datagrams, or in `ticks`.
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
 * A lead in quarters of a ms, up to 4 s. With coarser units, commands on a steady network would
 * wait only because of rounding.
 */
export const LEAD_BITS = 14;
const LEAD_UNITS_PER_MS = 4;

/** Converts a lead to quarters of a ms, clamped to 0 … 16,383. */
export function quantizeLead(leadMs: number): number {
  return clampToBits(leadMs * LEAD_UNITS_PER_MS, LEAD_BITS);
}

/**
 * The inverse of `quantizeLead`, in ms.
 * @throws WireError if the number is out of range, which happens only to a reader
 */
export function dequantizeLead(quarters: number): number {
  if (quarters < 0 || quarters >= 1 << LEAD_BITS) {
    throw new WireError(`a lead of ${quarters} quarters of a ms`);
  }
  return quarters / LEAD_UNITS_PER_MS;
}

/** Finds the nearest unsigned whole number that fits `bits` bits. */
export function clampToBits(value: number, bits: number): number {
  return Math.round(Math.min((1 << bits) - 1, Math.max(0, value)));
}

/** Ticks take 31 bits, which last 3.4 years at 20 Hz. */
const TICK_MAX = 0x7fff_ffff;

/**
 * Returns the tick.
 * @throws WireError if the number is not a tick, which happens only to a reader
 */
export function checkedTick(tick: Tick): Tick {
  if (tick < 0 || tick > TICK_MAX) throw new WireError(`tick ${tick} is none`);
  return tick;
}

const CHOICE_COUNT_BITS = 4;
const CHOICE_BITS = 8;

/**
 * Codes a room's choices.
 * @throws WireError if they are too many, which happens only to a reader
 */
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

/** Codes hexadecimal digits. @param words how many 32-bit words, eight digits each */
export function codeDigits(digits: string, words: number, coder: Coder): string {
  let coded = "";
  for (let i = 0; i < words; i++) {
    const word = parseInt(digits.slice(i * WORD_DIGITS, (i + 1) * WORD_DIGITS), 16);
    coded += coder.bits(word, 32).toString(16).padStart(WORD_DIGITS, "0");
  }
  return coded;
}
