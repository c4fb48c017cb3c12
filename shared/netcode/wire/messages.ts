/**
 * Every message, as the two ends see it. `client_messages.ts`, `server_messages.ts` and `tick_codec.ts` hold their definitions,
 * SPEC.md says the same in words, and PROTOCOL_VERSION grows when a bit moves.
 *
 *                  up                                  down                        each tick
 * ordered link:    hello · ping · command · report     welcome · pong · tick       one command, one tick
 * datagram link:   hello · ping · commands             welcome · pong · ticks      everything since the tick last confirmed
 *
 * On a datagram link hello, welcome, and a tick with its state go by the stream; all else may be lost.
 * What is likely is told by what it differs from: on an ordered link from the message before, in a datagram from what stands
 * before it there.
 */
import { type Coder, WireError } from "./range_coder.ts";
import type { BodyBaselines } from "./quantized_body.ts";
import type { SeatId, Tick } from "../game.ts";
import type { SeatRecord } from "../timeline.ts";

export const PROTOCOL_VERSION = 8;

/** No message up may be longer: a command takes two or three bytes, the longest hello about 150. */
export const CLIENT_MESSAGE_BYTES_MAX = 1024;
/** No datagram with ticks may be longer: QUIC's largest is 1,211 bytes where a path carries 1,280 (DESIGN 12.4). */
export const SERVER_DATAGRAM_BYTES_MAX = 1200;
/**
 * Ticks, and commands, that one datagram may hold: as far as any client simulates ahead. Who is farther behind stands still, and
 * the state is shorter than all that he has missed.
 */
export const DATAGRAM_TICKS_MAX = 32;
/** UTF-8; a name of 24 characters fits whatever its script. */
export const NAME_BYTES_MAX = 96;
export const GAME_ID_BYTES_MAX = 32;
/** Room for a wrong code, so that it can be answered as one. */
export const ROOM_BYTES_MAX = 16;
export const ROOM_CODE = /^[A-Z]{4}$/;
/** Why a link was closed by the server; SPEC.md lists what the player reads. */
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
} as const;

/** 64 bits as 16 hexadecimal digits: who shows it gets his seat back. */
export type ResumeToken = string;

export interface Hello {
  readonly type: "hello";
  readonly protocolVersion: number;
  readonly gameId: string;
  readonly room: string;
  readonly name: string;
  /** Wants no seat, only to see. */
  readonly spectate: boolean;
  /** Whether it can be on the state stream, and wants to be from the beginning: it does not simulate, or not as others do. */
  readonly bodyStreamMode: "no" | "able" | "chosen";
  /** Of the welcome to the seat that it had; undefined where it had none. */
  readonly resume: ResumeToken | undefined;
}

/** Asks for a `pong` with the same `id`, at once. A ping that is not urgent goes with a command, and its answer with the next tick. */
export interface Ping {
  readonly type: "ping";
  /** 0 … 255. */
  readonly id: number;
}

/**
 * Of who is on the state stream, else undefined. "bodies": to stay on it. "state": the state itself besides, once, to try whether its
 * hashes agree now. Who says nothing of it once he has been told the stream's beginning has left it.
 */
export type BodyStreamRequest = "bodies" | "state";

export interface CommandMessage<Command> {
  readonly type: "command";
  readonly tick: Tick;
  readonly command: Command;
  /** The lead in force when it was sent, ms in quarters, 0 … 4095.75. */
  readonly leadMs: number;
  /** The newest definitive tick that has arrived here. */
  readonly received: Tick;
  /** The state of this client is known to differ from the definitive one. */
  readonly isDesynced: boolean;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
  /** The `id` of a ping that goes with it. */
  readonly ping?: number | undefined;
}

/** What says that somebody is out of step where no command does: a watcher has none, and a player's next one may be far. */
export interface Report {
  readonly type: "report";
  /** The newest definitive tick that has arrived here. */
  readonly received: Tick;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
}

/** All that the server may not have, once a tick by datagram; without commands it only confirms. */
export interface CommandsMessage<Command> {
  readonly type: "commands";
  /** The newest definitive tick up to which nothing is missing here: the server tells again what came after it. */
  readonly received: Tick;
  /** As in a command message. */
  readonly isDesynced: boolean;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
  /** Of who is on the state stream: the newest tick whose bodies are here; what is told next may be told by them. */
  readonly bodiesAck?: Tick | undefined;
  readonly leadMs: number;
  /** The tick of the newest command. */
  readonly tick: Tick;
  /** For `tick`, the tick before it, and so on: at most `DATAGRAM_TICKS_MAX`. */
  readonly commands: readonly Command[];
}

export type ClientMessage<Command> = Hello | Ping | CommandMessage<Command> | Report;
/** What travels up by datagram. */
export type ClientDatagram<Command> = Ping | CommandsMessage<Command>;

export interface Welcome {
  readonly type: "welcome";
  /** Undefined for a watcher. */
  readonly seat: SeatId | undefined;
  /** To show when the line was lost. */
  readonly resume: ResumeToken;
  readonly npcs: number;
  readonly seed: number;
}

export interface Pong {
  readonly type: "pong";
  readonly id: number;
  /** Where the server's clock stood, in ticks and 1/1024 of one. */
  readonly serverTicks: number;
}

/** The answer to a ping that came with a command: it waited for the tick's message. */
export interface PiggybackedPong {
  readonly id: number;
  /** Where the server's clock stood when it went, in ticks and 1/1024 of one: mostly less than one after its message's tick. */
  readonly serverTicks: number;
  /** How long it had waited, in ticks and 1/1024 of one. */
  readonly waitedTicks: number;
}

export interface Announcement<Command> {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly command: Command;
}

/** From `tick` on somebody sits on `seat`, or nobody does. */
export interface PresenceChange {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly present: boolean;
  /** The player's name; empty for an NPC and for who leaves. */
  readonly name: string;
}

/** S(n) itself and what is known of the seats at n. */
export interface FullState<Command> {
  readonly seats: readonly (SeatRecord<Command> & { readonly name: string })[];
  /** The snapshot's words as bytes; empty where the bodies of the state stream begin instead. */
  readonly snapshot: Uint8Array;
}

/** Definitive tick `tick`. */
export interface TickMessage<Command> {
  readonly type: "tick";
  readonly tick: Tick;
  /** Of S(tick), 16 bits. */
  readonly hash: number;
  /** The slack of a recent command of this client, whole ms, -2048 … 2047; of the newest one that was late. */
  readonly slackMs: number;
  /** How far ahead this client had better run, ms in quarters, 0 … 4095.75; 0 where there is no advice yet. */
  readonly advisedLeadMs: number;
  readonly presence: readonly PresenceChange[];
  /** What is newly known; with a state, all that is known beyond it. */
  readonly announcements: readonly Announcement<Command>[];
  readonly state: FullState<Command> | undefined;
  readonly pong?: PiggybackedPong | undefined;
  /** Of the state stream: all bodies as of `tick`. */
  readonly bodies?: BodyBaselines | undefined;
}

/** By datagram: every definitive tick since the one that this client has confirmed. */
export interface TicksMessage<Command> {
  readonly type: "ticks";
  /** Without gaps, the oldest first; 1 … `DATAGRAM_TICKS_MAX`, none with a state. Slack and advice are the newest in all of them. */
  readonly ticks: readonly TickMessage<Command>[];
}

export type ServerMessage<Command> = Welcome | Pong | TickMessage<Command> | TicksMessage<Command>;

/** A seat, 0 … 31. */
export const SEAT_BITS = 5;

/** A lead in quarters of a ms, up to 4 s: rounder, the rounding would be what a command waits for on a quiet line. */
export const LEAD_BITS = 14;
const LEAD_UNITS_PER_MS = 4;

/** A lead of 0 … 4095.75 ms as a whole number; what lies outside is held at the limits. */
export function quantizeLead(leadMs: number): number {
  return clampToBits(leadMs * LEAD_UNITS_PER_MS, LEAD_BITS);
}

/** The reverse of `quantizeLead`. @throws WireError outside of its range: only a reader can find it there */
export function dequantizeLead(quarters: number): number {
  if (quarters < 0 || quarters >= 1 << LEAD_BITS) throw new WireError(`a lead of ${quarters} quarters of a ms`);
  return quarters / LEAD_UNITS_PER_MS;
}

/** The whole number nearest to `value` that `bits` bits can hold. */
export function clampToBits(value: number, bits: number): number {
  return Math.round(Math.min((1 << bits) - 1, Math.max(0, value)));
}

/** Ticks are told as 31 bits: 3.4 years at 20 Hz. */
const TICK_MAX = 0x7fff_ffff;

/** @returns the tick @throws WireError where it is none: only a reader can find that */
export function checkedTick(tick: Tick): Tick {
  if (tick < 0 || tick > TICK_MAX) throw new WireError(`tick ${tick} is none`);
  return tick;
}

/** A token's bits. */
const TOKEN_HALF_DIGITS = 8;

/** A token's 64 bits. */
export function codeToken(token: ResumeToken, coder: Coder): ResumeToken {
  const half = (from: number) => {
    const digits = token.slice(from, from + TOKEN_HALF_DIGITS);
    return coder.bits(parseInt(digits, 16), 32).toString(16).padStart(TOKEN_HALF_DIGITS, "0");
  };
  return half(0) + half(TOKEN_HALF_DIGITS);
}
