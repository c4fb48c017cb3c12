/**
 * Every message, as the two ends see it, and its bits. SPEC.md says the same in words; PROTOCOL_VERSION grows when a bit moves.
 *
 * Up:   hello · ping · command                 one command each tick
 * Down: welcome · pong · tick                  one tick message each tick
 */
import { BitReader, BitWriter, WireError } from "./bytes.ts";
import type { Codec, SeatId, Tick } from "./game.ts";
import type { SeatRecord } from "./timeline.ts";
import { SNAPSHOT_WORDS_MAX } from "../snapshot.ts";

export const PROTOCOL_VERSION = 1;

/** No message up may be longer: a command takes about ten bytes, the longest hello about 150. */
export const MESSAGE_UP_BYTES_MAX = 1024;
/** UTF-8; a name of 24 characters fits whatever its script. */
export const NAME_BYTES_MAX = 96;
export const GAME_ID_BYTES_MAX = 32;
export const ROOM_CODE = /^[A-Z]{4}$/;
/** Bounds of lists in one tick message: 32 seats times the 64 ticks that may be ahead. */
const ANNOUNCEMENTS_MAX = 32 * 65;
const PRESENCE_CHANGES_MAX = 64;

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
} as const;

export interface Hello {
  readonly kind: "hello";
  readonly protocolVersion: number;
  readonly gameId: string;
  readonly room: string;
  readonly name: string;
}

/** Asks for a `pong` with the same `id`, at once. */
export interface Ping {
  readonly kind: "ping";
  /** 0 … 255. */
  readonly id: number;
}

export interface CommandMessage<Command> {
  readonly kind: "command";
  readonly tick: Tick;
  readonly command: Command;
  /** The lead in force when it was sent, whole ms, 0 … 4095. */
  readonly leadMs: number;
  /** The newest definitive tick that has arrived here. */
  readonly received: Tick;
  /** The state of this client is known to differ from the definitive one. */
  readonly outOfStep: boolean;
}

export type UpMessage<Command> = Hello | Ping | CommandMessage<Command>;

export interface Welcome {
  readonly kind: "welcome";
  readonly seat: SeatId;
  readonly npcs: number;
  readonly seed: number;
}

export interface Pong {
  readonly kind: "pong";
  readonly id: number;
  /** Where the server's clock stood, in ticks and 1/1024 of one. */
  readonly serverTicks: number;
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
export interface StateHandover<Command> {
  readonly seats: readonly (SeatRecord<Command> & { readonly name: string })[];
  /** The snapshot's words as bytes. */
  readonly snapshot: Uint8Array;
}

/** Definitive tick `tick`. */
export interface TickMessage<Command> {
  readonly kind: "tick";
  readonly tick: Tick;
  /** Of S(tick), its low 16 bits. */
  readonly hash: number;
  /** The slack of this client's newest command, whole ms, -2048 … 2047. */
  readonly slackMs: number;
  /** How far ahead this client had better run, whole ms, 0 … 4095. */
  readonly advisedLeadMs: number;
  readonly presence: readonly PresenceChange[];
  /** What is newly known; with a state, all that is known beyond it. */
  readonly announcements: readonly Announcement<Command>[];
  readonly state: StateHandover<Command> | undefined;
}

export type DownMessage<Command> = Welcome | Pong | TickMessage<Command>;

const UP = { hello: 0, ping: 1, command: 2 } as const;
const DOWN = { welcome: 0, pong: 1, tick: 2 } as const;
const KIND_BITS = 2;
const SEAT_BITS = 5;
const LEAD_BITS = 12;
const SLACK_BITS = 12;
const HASH_BITS = 16;
/** A pong's fraction of a tick. */
const FRACTION_BITS = 10;

export function encodeUp<Command>(message: UpMessage<Command>, codec: Codec<Command>, into: BitWriter): Uint8Array {
  into.reset();
  into.bits(UP[message.kind], KIND_BITS);
  switch (message.kind) {
    case "hello":
      into.bits(message.protocolVersion, 16);
      into.text(message.gameId);
      into.text(message.room);
      into.text(message.name);
      break;
    case "ping":
      into.bits(message.id, 8);
      break;
    case "command":
      into.varint(message.tick);
      into.signedVarint(message.tick - message.received);
      into.bits(clamp(message.leadMs, 0, (1 << LEAD_BITS) - 1), LEAD_BITS);
      into.flag(message.outOfStep);
      codec.encode(message.command, into);
  }
  return into.bytes();
}

/** @throws WireError for bytes that are no message up */
export function decodeUp<Command>(bytes: Uint8Array, codec: Codec<Command>): UpMessage<Command> {
  const from = new BitReader(bytes);
  const message = readUp(from, codec);
  from.end();
  return message;
}

function readUp<Command>(from: BitReader, codec: Codec<Command>): UpMessage<Command> {
  switch (from.bits(KIND_BITS)) {
    case UP.hello: {
      const protocolVersion = from.bits(16);
      // Another version's hello may go on differently: it is answered by its number alone.
      if (protocolVersion !== PROTOCOL_VERSION) return otherVersion(from, protocolVersion);
      const gameId = from.text(GAME_ID_BYTES_MAX);
      const room = from.text(16);
      return { kind: "hello", protocolVersion, gameId, room, name: from.text(NAME_BYTES_MAX) };
    }
    case UP.ping:
      return { kind: "ping", id: from.bits(8) };
    case UP.command: {
      const tick = from.varint();
      const received = tick - from.signedVarint();
      const leadMs = from.bits(LEAD_BITS);
      const outOfStep = from.flag();
      return { kind: "command", tick, received, leadMs, outOfStep, command: codec.decode(from) };
    }
    default:
      throw new WireError("a kind of message that does not exist");
  }
}

function otherVersion(from: BitReader, protocolVersion: number): Hello {
  from.skipAll();
  return { kind: "hello", protocolVersion, gameId: "", room: "", name: "" };
}

export function encodeWelcome(message: Welcome, into: BitWriter): Uint8Array {
  into.reset();
  into.bits(DOWN.welcome, KIND_BITS);
  into.bits(message.seat, SEAT_BITS);
  into.bits(message.npcs, SEAT_BITS);
  into.bits(message.seed, 32);
  return into.bytes();
}

export function encodePong(message: Pong, into: BitWriter): Uint8Array {
  into.reset();
  into.bits(DOWN.pong, KIND_BITS);
  into.bits(message.id, 8);
  const whole = Math.floor(message.serverTicks);
  into.varint(whole);
  into.bits(Math.floor((message.serverTicks - whole) * (1 << FRACTION_BITS)), FRACTION_BITS);
  return into.bytes();
}

/** What a tick message says to one client only. */
export type TickHead = Pick<TickMessage<never>, "tick" | "hash" | "slackMs" | "advisedLeadMs">;

/** Begins a tick message; `encodeNews` and `encodeState` follow. */
export function encodeTickHead(head: TickHead, into: BitWriter): void {
  into.reset();
  into.bits(DOWN.tick, KIND_BITS);
  into.varint(head.tick);
  into.bits(head.hash & 0xffff, HASH_BITS);
  const half = 1 << (SLACK_BITS - 1);
  into.bits(clamp(head.slackMs, -half, half - 1) + half, SLACK_BITS);
  into.bits(clamp(head.advisedLeadMs, 0, (1 << LEAD_BITS) - 1), LEAD_BITS);
  // What follows is encoded once for all and begins at a whole byte.
  into.align();
}

/** What a tick message says to everybody, so that it is encoded once: ticks are relative to `tick`. */
export function encodeNews<Command>(
  news: { tick: Tick; presence: readonly PresenceChange[]; announcements: readonly Announcement<Command>[] },
  codec: Codec<Command>,
  into: BitWriter,
): void {
  into.varint(news.presence.length);
  for (const change of news.presence) {
    into.bits(change.seat, SEAT_BITS);
    into.varint(change.tick - news.tick);
    into.flag(change.present);
    if (change.present) into.text(change.name);
  }
  into.varint(news.announcements.length);
  for (const { seat, tick, command } of news.announcements) {
    into.bits(seat, SEAT_BITS);
    into.varint(tick - news.tick);
    codec.encode(command, into);
  }
}

export function encodeState<Command>(
  state: StateHandover<Command> | undefined,
  codec: Codec<Command>,
  into: BitWriter,
): void {
  into.flag(state !== undefined);
  if (state === undefined) return;
  into.varint(state.seats.length);
  for (const { seat, name, last, ticksMissing } of state.seats) {
    into.bits(seat, SEAT_BITS);
    into.text(name);
    into.varint(ticksMissing);
    into.flag(last !== undefined);
    if (last !== undefined) codec.encode(last, into);
  }
  into.varint(state.snapshot.length);
  into.raw(state.snapshot);
}

/** @throws WireError for bytes that are no message down */
export function decodeDown<Command>(bytes: Uint8Array, codec: Codec<Command>): DownMessage<Command> {
  const from = new BitReader(bytes);
  const message = readDown(from, codec);
  from.end();
  return message;
}

function readDown<Command>(from: BitReader, codec: Codec<Command>): DownMessage<Command> {
  switch (from.bits(KIND_BITS)) {
    case DOWN.welcome:
      return { kind: "welcome", seat: from.bits(SEAT_BITS), npcs: from.bits(SEAT_BITS), seed: from.bits(32) };
    case DOWN.pong: {
      const id = from.bits(8);
      const whole = from.varint();
      return { kind: "pong", id, serverTicks: whole + from.bits(FRACTION_BITS) / (1 << FRACTION_BITS) };
    }
    case DOWN.tick:
      return readTick(from, codec);
    default:
      throw new WireError("a kind of message that does not exist");
  }
}

function readTick<Command>(from: BitReader, codec: Codec<Command>): TickMessage<Command> {
  const tick = from.varint();
  const hash = from.bits(HASH_BITS);
  const slackMs = from.bits(SLACK_BITS) - (1 << (SLACK_BITS - 1));
  const advisedLeadMs = from.bits(LEAD_BITS);
  from.align();
  const presence = readList(from, PRESENCE_CHANGES_MAX, () => readPresenceChange(from, tick));
  const announcements = readList(from, ANNOUNCEMENTS_MAX, () => readAnnouncement(from, tick, codec));
  const state = from.flag() ? readState(from, codec) : undefined;
  return { kind: "tick", tick, hash, slackMs, advisedLeadMs, presence, announcements, state };
}

function readPresenceChange(from: BitReader, base: Tick): PresenceChange {
  const seat = from.bits(SEAT_BITS);
  const tick = base + from.varint();
  const present = from.flag();
  return { seat, tick, present, name: present ? from.text(NAME_BYTES_MAX) : "" };
}

function readAnnouncement<Command>(from: BitReader, base: Tick, codec: Codec<Command>): Announcement<Command> {
  return { seat: from.bits(SEAT_BITS), tick: base + from.varint(), command: codec.decode(from) };
}

function readState<Command>(from: BitReader, codec: Codec<Command>): StateHandover<Command> {
  const seats = readList(from, 1 << SEAT_BITS, () => {
    const seat = from.bits(SEAT_BITS);
    const name = from.text(NAME_BYTES_MAX);
    const ticksMissing = from.varint();
    return { seat, name, ticksMissing, last: from.flag() ? codec.decode(from) : undefined };
  });
  const length = from.varint();
  if (length > SNAPSHOT_WORDS_MAX * 4) throw new WireError(`a snapshot of ${length} bytes`);
  return { seats, snapshot: from.raw(length) };
}

function readList<Item>(from: BitReader, countMax: number, read: () => Item): Item[] {
  const count = from.varint();
  if (count > countMax) throw new WireError(`a list of ${count}; ${countMax} are allowed`);
  return Array.from({ length: count }, read);
}

function clamp(value: number, low: number, high: number): number {
  return Math.round(Math.min(high, Math.max(low, value)));
}
