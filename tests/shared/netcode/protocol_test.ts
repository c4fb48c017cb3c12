import { assert, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { BitWriter, WireError } from "../../../shared/netcode/bytes.ts";
import { PROTOCOL_VERSION, type TickMessage, type UpMessage } from "../../../shared/netcode/protocol.ts";
import {
  decodeDown,
  encodeNews,
  encodePong,
  encodeState,
  encodeTickHead,
  encodeWelcome,
} from "../../../shared/netcode/protocol_down.ts";
import { decodeUp, encodeUp } from "../../../shared/netcode/protocol_up.ts";
import { Random } from "../../../shared/random.ts";
import { type CounterCommand, counterGame } from "../../lab/counter_game.ts";

const codec = counterGame.command;
const command: CounterCommand = { presses: 3, dir: -1 };

const UPS: readonly UpMessage<CounterCommand>[] = [
  {
    kind: "hello",
    protocolVersion: PROTOCOL_VERSION,
    gameId: "counter-1",
    room: "ABCD",
    name: "Ægir 🐉",
    watch: false,
    resume: undefined,
  },
  {
    kind: "hello",
    protocolVersion: PROTOCOL_VERSION,
    gameId: "counter-1",
    room: "ABCD",
    name: "",
    watch: true,
    resume: "00ff00ffdeadbeef",
  },
  { kind: "report", received: 77 },
  { kind: "ping", id: 255 },
  { kind: "command", tick: 123_456, received: 123_449, leadMs: 87, outOfStep: false, command },
  { kind: "command", tick: 2 ** 31, received: 2 ** 31 - 64, leadMs: 4095, outOfStep: true, command },
  { kind: "command", tick: 7, received: 9, leadMs: 0, outOfStep: false, command },
];

const TICK: TickMessage<CounterCommand> = {
  kind: "tick",
  tick: 4711,
  hash: 0xbeef,
  slackMs: -33,
  advisedLeadMs: 120,
  presence: [
    { seat: 4, tick: 4720, present: true, name: "Wren" },
    { seat: 31, tick: 4712, present: false, name: "" },
  ],
  announcements: [{ seat: 0, tick: 4711, command }, { seat: 17, tick: 4731, command: { presses: 0, dir: 1 } }],
  state: {
    seats: [
      { seat: 2, name: "Wren", last: command, ticksMissing: 0 },
      { seat: 17, name: "", last: undefined, ticksMissing: 12 },
    ],
    snapshot: Uint8Array.from({ length: 64 }, (_, i) => i),
  },
};

function encodeTick(message: TickMessage<CounterCommand>): Uint8Array {
  const writer = new BitWriter();
  encodeTickHead(message, writer);
  encodeNews(message, codec, writer);
  encodeState(message.state, codec, writer);
  return writer.bytes().slice();
}

Deno.test("protocol: every message up comes back as it was (SPEC 10.1)", () => {
  const writer = new BitWriter();
  for (const message of UPS) assertEquals(decodeUp(encodeUp(message, codec, writer), codec), message);
});

Deno.test("protocol: every message down comes back as it was (SPEC 10.2)", () => {
  const writer = new BitWriter();
  for (const seat of [0, 15, undefined]) {
    const welcome = { kind: "welcome", seat, resume: "0123456789abcdef", npcs: 16, seed: 2 ** 32 - 1 } as const;
    assertEquals(decodeDown(encodeWelcome(welcome, writer), codec), welcome);
  }
  const pong = { kind: "pong", id: 9, serverTicks: 4711.5 } as const;
  assertEquals(decodeDown(encodePong(pong, writer), codec), pong);
  assertEquals(decodeDown(encodeTick(TICK), codec), TICK);
  const plain = { ...TICK, state: undefined, presence: [], announcements: [] };
  assertEquals(decodeDown(encodeTick(plain), codec), plain);
});

Deno.test("protocol: numbers that do not fit are held at their limits, not wrapped", () => {
  const decoded = decodeDown(encodeTick({ ...TICK, slackMs: -99_999, advisedLeadMs: 99_999 }), codec);
  assert(decoded.kind === "tick");
  assertEquals([decoded.slackMs, decoded.advisedLeadMs], [-2048, 4095.75]);
});

Deno.test("protocol: another version's hello says its number, whatever follows", () => {
  const writer = new BitWriter();
  const bytes = encodeUp({ ...UPS[0]!, protocolVersion: 999 } as UpMessage<CounterCommand>, codec, writer);
  const message = decodeUp(bytes, codec);
  assert(message.kind === "hello");
  assertEquals(message.protocolVersion, 999);
});

Deno.test("protocol: random and mutated bytes are a message or a WireError, nothing else (SPEC 8.1) [seed 7]", () => {
  const random = new Random(7);
  const writer = new BitWriter();
  const real = [...UPS.map((message) => encodeUp(message, codec, writer).slice()), encodeTick(TICK)];
  let refused = 0, read = 0;
  for (let i = 0; i < 100_000; i++) {
    const bytes = i % 2 === 0
      ? Uint8Array.from({ length: random.below(80) }, () => random.below(256))
      : mutated(real[random.below(real.length)]!, random);
    for (const decode of [decodeUp, decodeDown]) {
      try {
        decode(bytes, codec);
        read++;
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        refused++;
      }
    }
  }
  assertGreater(refused, 100_000);
  assertGreater(read, 1000);
});

function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = bytes.slice(0, random.chance(0.3) ? random.below(bytes.length + 1) : bytes.length);
  for (let n = random.below(4); n > 0 && copy.length > 0; n--) copy[random.below(copy.length)]! ^= 1 << random.below(8);
  return copy;
}

Deno.test("protocol: a list longer than any honest one is refused before it is read", () => {
  const writer = new BitWriter();
  encodeTickHead(TICK, writer);
  writer.varint(2 ** 31);
  assertThrows(() => decodeDown(writer.bytes(), codec), WireError, "are allowed");
});
