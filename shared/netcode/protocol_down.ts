/**
 * The messages down, bit by bit. A tick message is put together from a head for each client and a body for all, a datagram from a
 * head and the bodies of all its ticks.
 */
import { BitReader, type BitWriter, WireError } from "./bytes.ts";
import type { Codec, Tick } from "./game.ts";
import { SNAPSHOT_WORDS_MAX } from "../snapshot.ts";
import {
  type Announcement,
  DATAGRAM_TICKS_MAX,
  DOWN_KINDS,
  type DownMessage,
  fitted,
  KIND_BITS,
  NAME_BYTES_MAX,
  type Pong,
  type PresenceChange,
  readLead,
  readToken,
  type StateHandover,
  type TickMessage,
  type TicksMessage,
  type Welcome,
  writeLead,
  writeToken,
} from "./protocol.ts";

/** Bounds of lists in one tick message: 32 seats times the 64 ticks that may be ahead. */
const ANNOUNCEMENTS_MAX = 32 * 65;
const PRESENCE_CHANGES_MAX = 64;

const SEAT_BITS = 5;
const SLACK_BITS = 12;
const HASH_BITS = 16;
/** A pong's fraction of a tick. */
const FRACTION_BITS = 10;

/** The whole message; valid until `into` is used again. */
export function encodeWelcome(message: Welcome, into: BitWriter): Uint8Array {
  into.reset();
  into.bits(DOWN_KINDS.welcome, KIND_BITS);
  into.flag(message.seat !== undefined);
  if (message.seat !== undefined) into.bits(message.seat, SEAT_BITS);
  writeToken(message.resume, into);
  into.bits(message.npcs, SEAT_BITS);
  into.bits(message.seed, 32);
  return into.bytes();
}

/** The whole message; valid until `into` is used again. */
export function encodePong(message: Pong, into: BitWriter): Uint8Array {
  into.reset();
  into.bits(DOWN_KINDS.pong, KIND_BITS);
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
  into.bits(DOWN_KINDS.tick, KIND_BITS);
  into.varint(head.tick);
  into.bits(head.hash & 0xffff, HASH_BITS);
  writeAdvice(head, into);
  // What follows is encoded once for all and begins at a whole byte.
  into.align();
}

/** Begins a datagram of `count` ticks, the last of which is `tick`; as many `addTick` follow. */
export function encodeTicksHead(head: Omit<TickHead, "hash"> & { count: number }, into: BitWriter): void {
  into.reset();
  into.bits(DOWN_KINDS.ticks, KIND_BITS);
  into.varint(head.tick);
  writeAdvice(head, into);
  into.varint(head.count);
  into.align();
}

/** Adds one tick to a datagram. @param body what `encodeNews` and `encodeState` wrote, without a state */
export function addTick({ hash, body }: { hash: number; body: Uint8Array }, into: BitWriter): void {
  into.bits(hash & 0xffff, HASH_BITS);
  into.raw(body);
}

function writeAdvice({ slackMs, advisedLeadMs }: Pick<TickHead, "slackMs" | "advisedLeadMs">, into: BitWriter): void {
  const half = 1 << (SLACK_BITS - 1);
  into.bits(fitted(slackMs + half, SLACK_BITS), SLACK_BITS);
  writeLead(advisedLeadMs, into);
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

/** The end of a tick message: the state where there is one. */
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
    case DOWN_KINDS.welcome:
      return readWelcome(from);
    case DOWN_KINDS.pong: {
      const id = from.bits(8);
      const whole = from.varint();
      return { kind: "pong", id, serverTicks: whole + from.bits(FRACTION_BITS) / (1 << FRACTION_BITS) };
    }
    case DOWN_KINDS.tick:
      return readTick(from, codec);
    case DOWN_KINDS.ticks:
      return readTicks(from, codec);
    default:
      throw new WireError("a kind of message that does not exist");
  }
}

function readWelcome(from: BitReader): Welcome {
  const seat = from.flag() ? from.bits(SEAT_BITS) : undefined;
  const resume = readToken(from);
  return { kind: "welcome", seat, resume, npcs: from.bits(SEAT_BITS), seed: from.bits(32) };
}

function readTick<Command>(from: BitReader, codec: Codec<Command>): TickMessage<Command> {
  const tick = from.varint();
  const hash = from.bits(HASH_BITS);
  const advice = readAdvice(from);
  from.align();
  return { kind: "tick", tick, hash, ...advice, ...readBody(from, { tick, codec }) };
}

function readTicks<Command>(from: BitReader, codec: Codec<Command>): TicksMessage<Command> {
  const newest = from.varint();
  const advice = readAdvice(from);
  const count = from.varint();
  if (count < 1 || count > Math.min(DATAGRAM_TICKS_MAX, newest)) throw new WireError(`${count} ticks up to ${newest}`);
  const ticks: TickMessage<Command>[] = [];
  for (let tick = newest - count + 1; tick <= newest; tick++) {
    from.align();
    const hash = from.bits(HASH_BITS);
    const body = readBody(from, { tick, codec });
    if (body.state !== undefined) throw new WireError("a state in a datagram");
    ticks.push({ kind: "tick", tick, hash, ...advice, ...body });
  }
  return { kind: "ticks", ticks };
}

function readAdvice(from: BitReader): Pick<TickHead, "slackMs" | "advisedLeadMs"> {
  return { slackMs: from.bits(SLACK_BITS) - (1 << (SLACK_BITS - 1)), advisedLeadMs: readLead(from) };
}

function readBody<Command>(
  from: BitReader,
  { tick, codec }: { tick: Tick; codec: Codec<Command> },
): Pick<TickMessage<Command>, "presence" | "announcements" | "state"> {
  const presence = readList(from, PRESENCE_CHANGES_MAX, () => readPresenceChange(from, tick));
  const announcements = readList(from, ANNOUNCEMENTS_MAX, () => readAnnouncement(from, tick, codec));
  return { presence, announcements, state: from.flag() ? readState(from, codec) : undefined };
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
  const items: Item[] = [];
  for (let i = 0; i < count; i++) items.push(read());
  return items;
}
