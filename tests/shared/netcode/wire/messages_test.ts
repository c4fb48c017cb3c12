import { assert, assertEquals, assertGreater, assertLessOrEqual, assertThrows } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { CodeWriter, WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import { CLIENT_MESSAGE_BYTES_MAX } from "../../../../shared/netcode/wire/messages.ts";
import {
  encodeNotice,
  encodeOffer,
  encodePong,
  encodeWelcome,
  ServerMessageDecoder,
} from "../../../../shared/netcode/wire/server_messages.ts";
import { roundedAdvice } from "../../../../shared/netcode/wire/advice_codec.ts";
import {
  ClientMessageDecoder,
  ClientMessageEncoder,
  decodeHello,
  encodeHello,
} from "../../../../shared/netcode/wire/client_messages.ts";
import type { CounterCommand } from "../../../tools/lab/counter_game.ts";
import {
  ARRIVALS,
  CLIENT_MESSAGES,
  codec,
  COMMANDS,
  datagramOf,
  HELLOS,
  hex,
  OFFERS,
  resumeAt,
  SHORT_COMMANDS,
  TickEncoder,
  TICKS,
} from "./messages.ts";

const ORDERED = { ordered: true };
const DATAGRAMS = { ordered: false };
/** Ticks without gaps, for a datagram. */
const FOLLOWING = TICKS.slice(1, 4).map((tick) => ({
  ...tick,
  slackMs: -33,
  advisedLeadMs: 120.25,
}));

Deno.test("messages: every client message comes back (SPEC 10.1)", () => {
  const writer = new CodeWriter();
  const encoder = new ClientMessageEncoder(codec, ORDERED);
  const decoder = new ClientMessageDecoder(codec, ORDERED);
  for (const hello of HELLOS) assertEquals(decodeHello(encodeHello(hello, writer)), hello);
  for (const message of CLIENT_MESSAGES) {
    assertEquals(decoder.decode(encoder.encode(message)), message);
  }
});

Deno.test("messages: every server message comes back (SPEC 2.2, 10.2)", () => {
  const writer = new CodeWriter();
  const tickEncoder = new TickEncoder();
  const decoder = new ServerMessageDecoder(codec);

  for (const seat of [0, 15, undefined]) {
    const welcome = {
      type: "welcome",
      seat,
      isResumed: seat === 15,
      resume: "0123456789abcdef0123456789abcdef",
      npcs: 16,
      seed: 2 ** 32 - 1,
      choices: [0, 255],
      isOrdered: seat === 0,
    } as const;
    assertEquals(decoder.decode(encodeWelcome(welcome, writer)), welcome);
  }

  const pong = { type: "pong", id: 9, serverTicks: 4711.5 } as const;
  assertEquals(decoder.decode(encodePong(pong, writer)), pong);
  const notice = { type: "notice", text: "Noon ☀" } as const;
  assertEquals(decoder.decode(encodeNotice(notice, writer)), notice);
  for (const offer of OFFERS) assertEquals(decoder.decode(encodeOffer(offer, writer)), offer);
  assertEquals(decoder.decode(resumeAt(4711)), { type: "resume", tick: 4711 });
  for (const tick of TICKS) assertEquals(decoder.decode(tickEncoder.encode(tick)), tick);
  for (const tick of TICKS) {
    assertEquals(decoder.decode(tickEncoder.encode(tick, deflateRawSync)), tick);
  }
});

Deno.test("messages: every datagram comes back (SPEC 2.8, 10.3, 10.4)", () => {
  const encoder = new ClientMessageEncoder(codec, DATAGRAMS);
  const decoder = new ClientMessageDecoder(codec, DATAGRAMS);
  for (const message of [...COMMANDS, { type: "ping", id: 200 } as const]) {
    assertEquals(decoder.decode(encoder.encode(message)), message);
  }
  for (const ticks of [FOLLOWING, FOLLOWING.slice(1), FOLLOWING.slice(0, 1)]) {
    assertEquals(new ServerMessageDecoder(codec).decode(datagramOf(ticks)), {
      type: "ticks",
      ticks,
    });
  }
  for (const arrivals of ARRIVALS) {
    const message = { type: "ticks", ticks: FOLLOWING, arrivals } as const;
    assertEquals(new ServerMessageDecoder(codec).decode(datagramOf(FOLLOWING, arrivals)), message);
  }
});

Deno.test("messages: a datagram is coded against an earlier one, mostly in one byte (SPEC 1.23, 10.3)", () => {
  const encoder = new ClientMessageEncoder(codec, DATAGRAMS);
  const decoder = new ClientMessageDecoder(codec, DATAGRAMS);
  const lengths = SHORT_COMMANDS.map((message) => {
    const bytes = encoder.encode(message).slice();
    assertEquals(decoder.decode(bytes), message);
    return bytes.length;
  });
  assertEquals([lengths[0], lengths.at(-1)], [8, 1]);
});

Deno.test("ClientMessageDecoder: a datagram whose reference is missing is refused, and its commands stay unread without the one before them (SPEC 1.23, 8.1)", () => {
  const encoder = new ClientMessageEncoder(codec, DATAGRAMS);
  const decoder = new ClientMessageDecoder(codec, DATAGRAMS);
  const bytes = SHORT_COMMANDS.map((message) => encoder.encode(message).slice());

  // The fifth message is coded against the first one, and begins with the command after the fourth
  // one's.
  const other = new ClientMessageDecoder(codec, DATAGRAMS);
  other.decode(bytes[1]!);
  assertThrows(() => other.decode(bytes[4]!), WireError, "no datagram of tick 4688");
  decoder.decode(bytes[0]!);
  assertEquals(decoder.decode(bytes[4]!), { ...SHORT_COMMANDS[4]!, commands: [], unreadCount: 4 });
  assertEquals(decoder.arrivals(4704), {
    newest: 4705,
    counts: [1, 0, 0, 0, 0, 0, 0, 0],
    areRead: [false, false, false, false, false, false, false, false],
  });
  for (const i of [3, 4, 4]) decoder.decode(bytes[i]!);
  const { counts, areRead } = decoder.arrivals(4704)!;
  assertEquals([counts, areRead.map(Number)], [[3, 0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0]]);
  assertEquals(decoder.arrivals(5000), undefined);
  assertThrows(
    () => encoder.encode({ ...SHORT_COMMANDS[4]!, reference: 4680 }),
    RangeError,
    "no reference",
  );
  assertThrows(
    () => encoder.encode({ ...SHORT_COMMANDS[4]!, tick: 4760, reference: 4744 }),
    RangeError,
    "was sent",
  );
});

Deno.test("ClientMessageDecoder: another path begins anew, without the datagrams of the one before (SPEC 1.23, 16.13)", () => {
  const encoder = new ClientMessageEncoder(codec, DATAGRAMS);
  const decoder = new ClientMessageDecoder(codec, DATAGRAMS);
  const bytes = SHORT_COMMANDS.map((message) => encoder.encode(message).slice());
  for (const i of [0, 3, 4]) decoder.decode(bytes[i]!);
  decoder.endPath();
  assertEquals(decoder.arrivals(4704), undefined);
  assertThrows(() => decoder.decode(bytes[4]!), WireError, "is none");
  decoder.decode(bytes[3]!);
  assertEquals(decoder.arrivals(4704)!.counts, [1, 0, 0, 0, 0, 0, 0, 0]);
});

Deno.test("messages: a client that joins later shares the baselines of all others (SPEC 2.8, 10.2)", () => {
  const tickEncoder = new TickEncoder();
  const late = new ServerMessageDecoder(codec);
  for (const tick of TICKS.slice(0, 3)) tickEncoder.encode(tick);
  // The encoder has commands of seats 31 and 17 that do not follow from this state.
  const state = { ...TICKS.at(-1)!, tick: 4713 };
  assertEquals(late.decode(tickEncoder.encode(state)), state);
  const next = {
    ...TICKS[3]!,
    announcements: [{ seat: 31, tick: 4741, command: { presses: 3, dir: -1 } }],
  };
  const bytes = tickEncoder.encode(next);
  assertEquals(late.decode(bytes), next);
  assertLessOrEqual(bytes.length, 8);
});

Deno.test("messages: the bits do not change (SPEC 10.1, 10.2, 10.3, 10.4, 10.5)", () => {
  const writer = new CodeWriter();
  const tickEncoder = new TickEncoder();
  const ordered = new ClientMessageEncoder(codec, ORDERED);
  const datagrams = new ClientMessageEncoder(codec, DATAGRAMS);
  const shortDatagrams = new ClientMessageEncoder(codec, DATAGRAMS);
  const welcome = {
    type: "welcome",
    seat: 3,
    isResumed: true,
    resume: "0123456789abcdef0123456789abcdef",
    npcs: 4,
    seed: 99,
    choices: [],
    isOrdered: false,
  } as const;
  const encoded = [
    ...HELLOS.map((hello) => encodeHello(hello, writer).slice()),
    ...CLIENT_MESSAGES.map((message) => ordered.encode(message).slice()),
    ...[COMMANDS[0]!, COMMANDS.at(-1)!].map((message) => datagrams.encode(message).slice()),
    ...SHORT_COMMANDS.map((message) => shortDatagrams.encode(message).slice()).slice(4),
    encodeWelcome(welcome, writer).slice(),
    encodePong({ type: "pong", id: 9, serverTicks: 4711.5 }, writer).slice(),
    encodeNotice({ type: "notice", text: "Noon ☀" }, writer).slice(),
    ...OFFERS.map((offer) => encodeOffer(offer, writer).slice()),
    resumeAt(4711),
    ...TICKS.map((tick) => tickEncoder.encode(tick)),
    datagramOf(FOLLOWING),
    datagramOf(FOLLOWING, ARRIVALS[2]),
  ];
  assertEquals(encoded.map(hex), GOLDEN);
});

const GOLDEN: string[] = [
  "40 00 00 23 63 69 2c 7a aa 6a a0 f3 50 d0 6f 30 c1 41 aa 14 66 76 97 22 0f 09 f9 08 9e",
  "40 00 00 23 63 69 2c 7a aa 6a a0 f3 50 d0 6f 30 c1 3e 8d cf f0 0f fd ea db ee f0 0f f0 0f fd ea db ee f0",
  "40 00 00 23 63 69 2c 7a aa 6a a0 f3 50 d0 6f 30 c1 41 aa 14 66 76 97 22 0f 09 f9 08 99",
  "ff e3",
  "fd 6f a1 d4 05 24 cc 9a a8 20 51",
  "04",
  "d6 f3 58",
  "fc 3b 37 58 91 d9 f4 47 20 15 b8 a4 0c c1 c8 fe b6",
  "fc 6b f8 15 aa a9 f7 91 3d 39 66 64 2b 59 70 5a",
  "ff fb 05",
  "ff fc b7 90",
  "ff f2 60 dd",
  "ff e8 95 7d ca fd 08 67",
  "d4 53 a2",
  "03",
  "00 07",
  "00 9d",
  "4e 4f 79",
  "fc 64 a6 bf d6 6a 88 9b 66",
  "fc 64 a6 be c8 23 28 7a e2 21 74",
  "85 47 82 68",
  "89 31 8d",
  "8d 21 31 5b",
  "91 01 e9 ff 85",
  "94 ed 80 66",
  "98 d9 18 8b 02 22",
  "99",
  "f3 d2 54 40 04 8d 15 9e 26 ab f3 7c 04 8d 15 9e 26 ac 52 00 00 09 7b",
  "f5 57 1e 29 4d c0",
  "fb 6d 0a 65 8d ee f0 a5 5c 2c",
  "fd 20 50 cf 16 7a 86 cd f9 eb 0b b8 ad 03 69 d0 36 9d 01 d1 82 1a a2 29 b1 38 bf eb 93 1a a2 29 b1 38 bf eb 93 1a a2 29 b1 38 bf eb 93 1a a2 29 b1 38 c0",
  "fe 77 fb a5 ff 00 00 00 00 00 00 00 00 00 00 00 00 00 01",
  "ff db 74 1f 4e 01 74 5e 3d 8e 88",
  "f8 33 6a ad c5 df 83 2b 05 37 9c ad 41 c5 fa 7d 50 f5 28 01 82 21 8a f3 81 dd 88 26 f7 3c 08 19 d2 70 7c bc c8 63 50 f2 86 ad fb 70 00 00 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 20 21 22 23 24 25 26 27 28 29 2a 2b 2c 2d 2e 2f 30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f",
  "00 00 46",
  "00 00 f3 e9 16 cc 9c b4 ec ba da 92 d7 01 e5 5f 99 85 19 64",
  "f3 bf ef ff f2 48 41 b0",
  "00 00 f3 bf e1 f9 58 f3 fd 5b 41 56",
  "00 00 f3 bf e4 08 ad a4 84 3c 67 0d",
  "f6 e2 88 fd 80 ae 14 7f 3f 6e c0 af fd ad 15 39 ab df 90 62 ab 0d 50 2d 70 23 00 00 00 00 00 00 00 00 00 00",
  "f8 c9 7b 5b 08 00 12 43 a5 57 0d cd 12 9e 93 fb 62 ce ad e2 ae ca 9e e1 0d 6e fd e4 5a e7 ff 7d 9c 0c 7d",
  "f8 c9 7b 5b 08 00 12 43 a5 57 0d cd 12 9e 93 fb 62 ce ad e2 ae ca 9e e1 0d 6e fd e4 5a e7 ff 7d 9c 0c 6b 2f 62 9e 0e 7a",
];

Deno.test("roundedAdvice: numbers out of range are clamped, not wrapped", () => {
  assertEquals(roundedAdvice({ slackMs: -99_999, advisedLeadMs: 99_999 }), {
    slackMs: -2048,
    advisedLeadMs: 4095.75,
  });
});

Deno.test("decodeHello: another version's hello gives its number, for any bytes after it (SPEC 8.2, 10.6)", () => {
  // The first bytes of a hello of version 3.
  const { protocolVersion } = decodeHello(Uint8Array.of(0x0c, 0x00, 0x44, 0x1f));
  assertEquals(protocolVersion, 3);
  assertEquals(
    decodeHello(encodeHello({ ...HELLOS[0]!, protocolVersion: 65_535 }, new CodeWriter()))
      .protocolVersion,
    65_535,
  );
});

Deno.test("ClientMessageEncoder: if not all commands fit a datagram, the oldest are left out (SPEC 1.8)", () => {
  const decoder = new ClientMessageDecoder(codec, DATAGRAMS);
  const all = COMMANDS[1]!;
  const bytes = new ClientMessageEncoder(codec, DATAGRAMS).encode({
    ...all,
    commands: [...all.commands, ...all.commands],
  });
  assertEquals(decoder.decode(bytes), all);

  // A game whose commands take 100 bytes each.
  const wide = {
    ...codec,
    code(value: CounterCommand, reference: CounterCommand, coder: CodeWriter) {
      for (let i = 0; i < 25; i++) coder.bits(value.presses, 32);
      return codec.code(value, reference, coder);
    },
  };
  const wideBytes = new ClientMessageEncoder(wide as typeof codec, DATAGRAMS).encode(all);
  assertLessOrEqual(wideBytes.length, CLIENT_MESSAGE_BYTES_MAX);
  assertGreater(wideBytes.length, CLIENT_MESSAGE_BYTES_MAX / 2);
});

Deno.test("messages: bytes that no honest end sends are refused (SPEC 8.1)", () => {
  const refused = (decode: () => unknown, what: string) => assertThrows(decode, WireError, what);
  const tickEncoder = new TickEncoder();
  const [state, next] = [tickEncoder.encode(TICKS[0]!), tickEncoder.encode(TICKS[1]!)];
  refused(() => new ServerMessageDecoder(codec).decode(next), "before the first state");
  refused(
    () => new ServerMessageDecoder(codec).decode(state.slice(0, -1)),
    "63 bytes of a snapshot of 64",
  );
  refused(() => new ServerMessageDecoder(codec).decode(new Uint8Array(0)), "empty");
  refused(
    () =>
      new ServerMessageDecoder(codec).decode(
        datagramOf([{ ...TICKS[1]!, tick: 1 }, { ...TICKS[1]!, tick: 1 }]),
      ),
    "up to",
  );
  refused(() => decodeHello(Uint8Array.of(2, 0, 0, 0)), "no hello");
  refused(() => decodeHello(Uint8Array.of(0)), "no hello");
  const encoder = new ClientMessageEncoder(codec, ORDERED);
  const long = new Uint8Array([...encoder.encode(CLIENT_MESSAGES[0]!), 1, 2, 3, 4, 5]);
  refused(() => new ClientMessageDecoder(codec, ORDERED).decode(long), "more bytes");
  assert(
    new ClientMessageDecoder(codec, ORDERED).decode(encoder.encode(CLIENT_MESSAGES[0]!)).type ===
      "ping",
  );
});
