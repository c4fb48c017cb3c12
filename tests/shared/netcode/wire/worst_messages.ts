/**
 * The messages that cost a decoder most: everything is repeated as often as allowed, and each
 * number is as long as possible.
 */
import { CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";
import {
  DATAGRAM_TICKS_MAX,
  GAME_ID_BYTES_MAX,
  NAME_BYTES_MAX,
  ROOM_BYTES_MAX,
  SERVER_DATAGRAM_BYTES_MAX,
} from "../../../../shared/netcode/wire/messages.ts";
import { codeMessageType } from "../../../../shared/netcode/wire/server_messages.ts";
import { AnnouncementBaselines } from "../../../../shared/netcode/wire/announcement_codec.ts";
import { codeTicks, EMPTY_TICK } from "../../../../shared/netcode/wire/tick_codec.ts";
import { encodeHello } from "../../../../shared/netcode/wire/client_messages.ts";
import type { CounterCommand } from "../../../tools/lab/counter_game.ts";
import {
  CLIENT_MESSAGES,
  codec,
  COMMANDS,
  HELLOS,
  type Tick,
  TickEncoder,
  TICKS,
} from "./messages.ts";
import { ClientMessageEncoder } from "../../../../shared/netcode/wire/client_messages.ts";

/** Bounds of WIRE 7.2: announcements of one seat, and presence changes, in one tick delta. */
const ANNOUNCEMENTS_PER_SEAT = 65;
const PRESENCE_CHANGES = 64;
const TICK = 4711;
const FARTHEST = 2 ** 31 - 1;
const LONG_NAME = "x".repeat(NAME_BYTES_MAX);

/** Ticks that alternate between far and near: each is coded with its whole distance. */
const alternating = (i: number) => i % 2 === 0 ? FARTHEST : TICK + 1;

function fullTick(tick: number, state?: Tick["state"]): Tick {
  const seats = Array.from({ length: SEATS }, (_, seat) => seat);
  return {
    ...TICKS[1]!,
    tick,
    presence: Array.from({ length: PRESENCE_CHANGES }, (_, i) => ({
      seat: i % SEATS,
      tick: FARTHEST,
      present: true,
      name: LONG_NAME,
    })),
    announcements: seats.flatMap((seat) =>
      Array.from({ length: ANNOUNCEMENTS_PER_SEAT }, (_, i) => ({
        seat,
        tick: alternating(i),
        command: { presses: i & 3, dir: i % 3 - 1 },
      }))
    ),
    state,
  };
}

function fullState(snapshot: Uint8Array): Tick {
  const last = { presses: 3, dir: -1 };
  const seats = Array.from(
    { length: SEATS },
    (_, seat) => ({ seat, name: LONG_NAME, last, ticksMissing: TICK }),
  );
  return fullTick(TICK, { seats, snapshot });
}

/** A datagram with as many announcements as fit, each as short as possible. */
function fullDatagram(bytesMax: number): Uint8Array {
  const ticks = Array.from({ length: DATAGRAM_TICKS_MAX }, (_, i) => ({
    ...EMPTY_TICK,
    announcements: Array.from(
      { length: SEATS },
      (_, seat) => ({ seat, tick: TICK + i, command: codec.neutral }),
    ),
  }));
  const coder = new CodeWriter();
  const code = () => {
    coder.reset();
    const announced = new AnnouncementBaselines<CounterCommand>();
    codeMessageType("ticks", coder);
    codeTicks(ticks, { tick: TICK + ticks.length - 1, announced, codec, coder, bodies: undefined });
    return coder.finish().slice();
  };
  let bytes = code();

  for (let i = 0; bytes.length < bytesMax - 8; i++) {
    const each = ticks[i % ticks.length]!;
    const seat = i % SEATS;
    const announcements = [...each.announcements, {
      seat,
      tick: TICK + 100 + i,
      command: codec.neutral,
    }];
    announcements.sort((a, b) => a.seat - b.seat);
    ticks[i % ticks.length] = { ...each, announcements };
    bytes = code();
  }

  return bytes;
}

/** Dynamic blocks (RFC 1951 §3.2.7) with as many codes as possible, each empty but for its end. */
function emptyBlocks(count: number): Uint8Array {
  const bits: number[] = [];
  const put = (value: number, width: number) => {
    for (let i = 0; i < width; i++) bits.push(value >> i & 1);
  };

  for (let block = 1; block <= count; block++) {
    put(block === count ? 1 : 0, 1);
    put(2, 2);
    // 286 literals, 30 distances. The length alphabet in RFC 1951's order, up to that of 1: 18 and
    // 1 have codes of one bit.
    put(29, 5);
    put(29, 5);
    put(14, 4);
    for (const length of [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]) put(length, 3);
    // Codes: 1 → 0, 18 → 1. 256 zeros, one bit for the end of the block, zeros for all others.
    put(1, 1);
    put(127, 7); // 138
    put(1, 1);
    put(107, 7); // 118
    put(0, 1);
    put(1, 1);
    put(48, 7); // 59
    put(0, 1); // the block's end
  }

  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, i) => bytes[i >> 3]! |= bit << (i & 7));
  return bytes;
}

export interface Worst {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The decoder that it is for. */
  readonly to: "client" | "server" | "serverDatagram" | "hello";
  /** Whether it decodes; otherwise it is refused. */
  readonly isRead: boolean;
}

/** Messages for decoders that have read `TICKS[0]`. @param deflate deflates snapshots */
export function worstMessages(deflate: (bytes: Uint8Array) => Uint8Array): Worst[] {
  const hello = {
    ...HELLOS[1]!,
    gameId: "g".repeat(GAME_ID_BYTES_MAX),
    room: "r".repeat(ROOM_BYTES_MAX),
    name: LONG_NAME,
  };
  const tickEncoder = new TickEncoder();
  tickEncoder.encode(TICKS[0]!);
  const toClient = (name: string, bytes: Uint8Array, isRead = true): Worst => ({
    name,
    bytes,
    to: "client",
    isRead,
  });
  return [
    toClient("a tick with as much as possible", tickEncoder.encode(fullTick(TICK + 1))),
    toClient(
      "a state with as much as possible",
      new TickEncoder().encode(fullState(new Uint8Array(0))),
    ),
    toClient("a datagram full of announcements", fullDatagram(SERVER_DATAGRAM_BYTES_MAX)),
    toClient("more than a datagram", fullDatagram(SERVER_DATAGRAM_BYTES_MAX + 200), false),
    toClient(
      "a snapshot of 64 KiB of zeros",
      new TickEncoder().encode(fullState(new Uint8Array(65_536)), deflate),
    ),
    toClient(
      "sixteen blocks",
      new TickEncoder().encode(fullState(new Uint8Array(0)), () => emptyBlocks(16)),
    ),
    toClient(
      "four thousand blocks",
      new TickEncoder().encode(fullState(new Uint8Array(0)), () => emptyBlocks(4000)),
      false,
    ),
    {
      name: "a hello",
      bytes: encodeHello(hello, new CodeWriter()).slice(),
      to: "hello",
      isRead: true,
    },
    {
      name: "a command",
      bytes: new ClientMessageEncoder(codec, { ordered: true }).encode(CLIENT_MESSAGES[4]!).slice(),
      to: "server",
      isRead: true,
    },
    {
      name: "commands",
      bytes: new ClientMessageEncoder(codec, { ordered: false }).encode(COMMANDS[1]!).slice(),
      to: "serverDatagram",
      isRead: true,
    },
  ];
}
