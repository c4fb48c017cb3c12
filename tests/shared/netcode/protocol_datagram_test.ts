import { assertEquals, assertGreater, assertLessOrEqual, assertThrows } from "@std/assert";
import { BitWriter, WireError } from "../../../shared/netcode/bytes.ts";
import {
  type CommandsMessage,
  DATAGRAM_TICKS_MAX,
  MESSAGE_UP_BYTES_MAX,
  type TickMessage,
} from "../../../shared/netcode/protocol.ts";
import {
  addTick,
  decodeDown,
  encodeNews,
  encodeState,
  encodeTicksHead,
} from "../../../shared/netcode/protocol_down.ts";
import { decodeUpDatagram, encodeCommands, encodeUp } from "../../../shared/netcode/protocol_up.ts";
import { Random } from "../../../shared/random.ts";
import { type CounterCommand, counterGame } from "../../lab/counter_game.ts";

const codec = counterGame.command;
const command: CounterCommand = { presses: 3, dir: -1 };
const many = (count: number) => Array.from({ length: count }, (_, i): CounterCommand => ({ presses: i & 3, dir: 1 }));
const head = { received: 4700, outOfStep: false, leadMs: 87 };

const COMMANDS: readonly CommandsMessage<CounterCommand>[] = [
  { kind: "commands", ...head, tick: 4705, commands: [command, { presses: 2, dir: 0 }, { presses: 2, dir: 1 }] },
  { kind: "commands", ...head, tick: 4705, commands: many(DATAGRAM_TICKS_MAX) },
  { kind: "commands", ...head, tick: 4700, commands: [] },
  { kind: "commands", received: 2 ** 31, outOfStep: true, leadMs: 4095, tick: 2 ** 31 - 9, commands: [command] },
  { kind: "commands", received: 0, outOfStep: false, leadMs: 0, tick: 0, commands: [command] },
];

const advice = { slackMs: -33, advisedLeadMs: 120 };
const TICKS: readonly TickMessage<CounterCommand>[] = [
  { kind: "tick", tick: 4709, hash: 0xbeef, ...advice, presence: [], announcements: [], state: undefined },
  {
    kind: "tick",
    tick: 4710,
    hash: 1,
    ...advice,
    presence: [{ seat: 4, tick: 4720, present: true, name: "Wren" }],
    announcements: [{ seat: 0, tick: 4711, command }, { seat: 17, tick: 4731, command: { presses: 0, dir: 1 } }],
    state: undefined,
  },
  { kind: "tick", tick: 4711, hash: 0xffff, ...advice, presence: [], announcements: [], state: undefined },
];

function bodyOf(tick: TickMessage<CounterCommand>): Uint8Array {
  const writer = new BitWriter();
  encodeNews(tick, codec, writer);
  encodeState(tick.state, codec, writer);
  return writer.bytes();
}

function encodeTicks(ticks: readonly TickMessage<CounterCommand>[], count = ticks.length): Uint8Array {
  const writer = new BitWriter();
  encodeTicksHead({ tick: ticks.at(-1)?.tick ?? 9, count, ...advice }, writer);
  for (const tick of ticks) addTick({ hash: tick.hash, body: bodyOf(tick) }, writer);
  return writer.bytes().slice();
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");

Deno.test("protocol: every datagram comes back as it was (SPEC 10.3, 10.4)", () => {
  const writer = new BitWriter();
  for (const message of COMMANDS) {
    assertEquals(decodeUpDatagram(encodeCommands(message, codec, writer), codec), message);
  }
  const ping = { kind: "ping", id: 200 } as const;
  assertEquals(decodeUpDatagram(encodeUp(ping, codec, writer), codec), ping);
  for (const ticks of [TICKS, TICKS.slice(1), TICKS.slice(0, 1)]) {
    assertEquals(decodeDown(encodeTicks(ticks), codec), { kind: "ticks", ticks: [...ticks] });
  }
});

Deno.test("protocol: the bits of datagrams stay where they are (SPEC 10.3, 10.4)", () => {
  const writer = new BitWriter();
  assertEquals(hex(encodeCommands(COMMANDS[0]!, codec, writer)), "f2 66 06 ae 40 63 c6 14");
  assertEquals(
    hex(encodeTicks(TICKS)),
    "3f 67 c6 f7 81 07 03 ef be 00 00 01 00 41 34 12 57 72 65 6e 02 62 62 0b 02 ff ff 00 00",
  );
});

Deno.test("protocol: more commands than a datagram holds lose their oldest (SPEC 1.8)", () => {
  const writer = new BitWriter();
  const bytes = encodeCommands({ ...COMMANDS[1]!, commands: many(100) }, codec, writer);
  assertEquals(decodeUpDatagram(bytes, codec), COMMANDS[1]!);
  // A game whose commands take 100 bytes each.
  const wide = {
    ...codec,
    encode: (value: CounterCommand, into: BitWriter) => {
      for (let i = 0; i < 25; i++) into.bits(value.presses, 32);
    },
  };
  const wideBytes = encodeCommands(COMMANDS[1]!, wide, writer);
  assertLessOrEqual(wideBytes.length, MESSAGE_UP_BYTES_MAX);
  assertGreater(wideBytes.length, MESSAGE_UP_BYTES_MAX / 2);
});

Deno.test("protocol: a datagram that no honest end sends is refused (SPEC 8.1)", () => {
  const writer = new BitWriter();
  const up = (write: () => void) => {
    writer.reset();
    write();
    assertThrows(() => decodeUpDatagram(writer.bytes(), codec), WireError);
  };
  const commands = (received: number, { ahead, count }: { ahead: number; count: number }) => () => {
    writer.bits(2, 2);
    writer.varint(received);
    writer.bits(0, 13);
    writer.signedVarint(ahead);
    writer.varint(count);
    for (let i = 0; i < Math.min(count, 100); i++) codec.encode(command, writer);
  };
  commands(5, { ahead: 5, count: 2 })();
  up(commands(500, { ahead: 5, count: DATAGRAM_TICKS_MAX + 1 }));
  up(commands(5, { ahead: 5, count: 2 ** 32 - 1 }));
  up(commands(5, { ahead: -5, count: 2 }));
  up(commands(5, { ahead: -9, count: 0 }));
  up(() => writer.bits(3, 2));
  // A hello comes by the stream.
  up(() => writer.bits(0, 2));

  const down = (bytes: Uint8Array) => assertThrows(() => decodeDown(bytes, codec), WireError);
  down(encodeTicks([], 0));
  down(encodeTicks([], 2 ** 31));
  down(encodeTicks(TICKS, 4));
  down(encodeTicks([{ ...TICKS[0]!, tick: 2 }, { ...TICKS[0]!, tick: 0 }]));
  down(encodeTicks([{ ...TICKS[0]!, state: { seats: [], snapshot: new Uint8Array(8) } }]));
  down(encodeTicks(TICKS.slice(0, 1), DATAGRAM_TICKS_MAX + 1));
});

Deno.test("protocol: random and mutated datagrams are a message or a WireError, nothing else (SPEC 8.1) [seed 8]", () => {
  const random = new Random(8);
  const writer = new BitWriter();
  const real = [...COMMANDS.map((message) => encodeCommands(message, codec, writer).slice()), encodeTicks(TICKS)];
  let refused = 0, read = 0;
  for (let i = 0; i < 50_000; i++) {
    const bytes = i % 2 === 0
      ? Uint8Array.from({ length: random.below(80) }, () => random.below(256))
      : real[random.below(real.length)]!.slice();
    for (let n = random.below(4); n > 0 && bytes.length > 0; n--) {
      bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    }
    for (const decode of [decodeUpDatagram, decodeDown]) {
      try {
        decode(bytes, codec);
        read++;
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        refused++;
      }
    }
  }
  assertGreater(refused, 50_000);
  assertGreater(read, 1000);
});
