/**
 * Every decoder against 300,000 messages: random ones, and real ones with flipped bits, cut ends
 * and exchanged parts. The test counts the decoders' reads; `deno task bench wire` measures the
 * time of the worst messages.
 */
import { assert, assertGreater, assertLessOrEqual, assertThrows } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { BODIES_MAX } from "../../../../shared/netcode/wire/body_codec.ts";
import { CodeWriter, WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import {
  encodeNotice,
  encodeOffer,
  encodePong,
  encodeWelcome,
  ServerMessageDecoder,
} from "../../../../shared/netcode/wire/server_messages.ts";
import {
  ClientMessageDecoder,
  ClientMessageEncoder,
  decodeHello,
  encodeHello,
} from "../../../../shared/netcode/wire/client_messages.ts";
import { Random } from "../../../../shared/random.ts";
import type { CounterCommand } from "../../../tools/lab/counter_game.ts";
import type {
  ClientDatagram,
  ClientMessage,
  Hello,
  ServerMessage,
} from "../../../../shared/netcode/wire/messages.ts";
import { encodeBodyDatagram, encodeBodyStream, reader } from "./body_stream_messages.ts";
import { worstMessages } from "./worst_messages.ts";
import {
  ARRIVALS,
  CLIENT_MESSAGES,
  codec,
  COMMANDS,
  datagramOf,
  HELLOS,
  OFFERS,
  resumeAt,
  SHORT_COMMANDS,
  TickEncoder,
  TICKS,
} from "./messages.ts";
import { observeReads } from "./read_observer.ts";

const MESSAGES = 300_000;
/** The most output that any message may cause. */
const MADE_BYTES_MAX = 64 * 1024;

/** The reads of so many messages are counted, because counting is slow. */
const COUNTED = 100_000;
/** The most flags and numbers that a decoder may read for one message: some 20 ns each. */
const READS_MAX = 60_000;
/**
 * The most items in one message: 65 announcements for each of 32 seats, 64 changes of presence, and
 * the seats.
 */
const ITEMS_MAX = 65 * 32 + 64 + 32;
/**
 * The most in a datagram of 1,200 bytes: one for each of 32 seats and ticks is cheap, each further
 * one takes 5 bits.
 */
const DATAGRAM_ITEMS_MAX = 32 * 32 + 1200 * 8 / 5;

/** Counts the reads of all `CodeReader`s. */
class ReadCounter implements Disposable {
  reads = 0;
  readonly #observer = observeReads({ onFlag: () => this.reads++, onBits: () => this.reads++ });

  /** @returns the reads since the last call */
  take(): number {
    const { reads } = this;
    this.reads = 0;
    return reads;
  }

  [Symbol.dispose](): void {
    this.#observer[Symbol.dispose]();
  }
}

type AnyMessage =
  | ServerMessage<CounterCommand>
  | ClientMessage<CounterCommand>
  | ClientDatagram<CounterCommand>
  | Hello;

/** @throws AssertionError for a message with more than the most items */
function assertSmall(message: AnyMessage): void {
  if (message.type === "commands") assertLessOrEqual(message.commands.length, 32);
  if (message.type !== "tick" && message.type !== "ticks") return;
  const ticks = message.type === "tick" ? [message] : message.ticks;
  let items = 0;
  for (const { presence, announcements, state } of ticks) {
    items += presence.length + announcements.length + (state?.seats.length ?? 0);
    if (state !== undefined) assertLessOrEqual(state.snapshot.length, MADE_BYTES_MAX);
  }
  assertLessOrEqual(items, message.type === "tick" ? ITEMS_MAX : DATAGRAM_ITEMS_MAX);
}

function realMessages(): Uint8Array[] {
  const writer = new CodeWriter();
  const tickEncoder = new TickEncoder();
  const ordered = new ClientMessageEncoder(codec, { ordered: true });
  const datagrams = new ClientMessageEncoder(codec, { ordered: false });
  const shortDatagrams = new ClientMessageEncoder(codec, { ordered: false });
  return [
    ...HELLOS.map((hello) => encodeHello(hello, writer).slice()),
    ...CLIENT_MESSAGES.map((message) => ordered.encode(message).slice()),
    ...COMMANDS.map((message) => datagrams.encode(message).slice()),
    ...SHORT_COMMANDS.map((message) => shortDatagrams.encode(message).slice()),
    encodeWelcome(
      {
        type: "welcome",
        seat: 3,
        isResumed: false,
        resume: "0123456789abcdef0123456789abcdef",
        npcs: 4,
        seed: 99,
        choices: [1, 255],
        isOrdered: false,
      },
      writer,
    ).slice(),
    encodePong({ type: "pong", id: 9, serverTicks: 4711.5 }, writer).slice(),
    encodeNotice({ type: "notice", text: "Noon ☀" }, writer).slice(),
    ...OFFERS.map((offer) => encodeOffer(offer, writer).slice()),
    resumeAt(4711),
    ...TICKS.map((tick) => tickEncoder.encode(tick)),
    ...TICKS.map((tick) => tickEncoder.encode(tick, deflateRawSync)),
    ...ARRIVALS.map((arrivals) => datagramOf(TICKS.slice(1, 4), arrivals)),
    // Twice, because their decoder reads no others.
    ...encodeBodyStream().messages,
    ...encodeBodyStream().messages,
    encodeBodyDatagram(),
  ];
}

function mutated(real: readonly Uint8Array[], random: Random): Uint8Array {
  const bytes = real[random.below(real.length)]!.slice(
    0,
    random.chance(0.2) ? random.below(64) : undefined,
  );
  if (random.chance(0.1)) {
    bytes.set(real[random.below(real.length)]!.subarray(0, bytes.length >> 1));
  }
  for (let n = random.below(4); n > 0 && bytes.length > 0; n--) {
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
  }
  return bytes;
}

Deno.test("messages: 300,000 messages give a small value or a WireError (SPEC 8.1) [seed 7]", () => {
  const random = new Random(7);
  const real = realMessages();
  using counter = new ReadCounter();

  // These decoders have read a state, as in the middle of a match.
  const server = new ServerMessageDecoder(codec);
  const bodyStream = new ServerMessageDecoder(codec, reader);
  const client = new ClientMessageDecoder(codec, { ordered: true });
  const clientDatagrams = new ClientMessageDecoder(codec, { ordered: false });
  const datagrams = new ClientMessageEncoder(codec, { ordered: false });
  for (const message of SHORT_COMMANDS) clientDatagrams.decode(datagrams.encode(message));
  server.decode(new TickEncoder().encode(TICKS[0]!));
  const bodyStart = encodeBodyStream().messages[0]!;
  bodyStream.decode(bodyStart);
  const decoders = [
    (bytes: Uint8Array) => server.decode(bytes),
    (bytes: Uint8Array) => client.decode(bytes),
    (bytes: Uint8Array) => clientDatagrams.decode(bytes),
    decodeHello,
    (bytes: Uint8Array) => bodyStream.decode(bytes),
  ];
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  let read = 0;
  let refused = 0;
  let readsMax = 0;
  let streamedTicks = 0;

  for (let i = 0; i < MESSAGES; i++) {
    // A message by chance may resume at a tick behind which there are hardly any.
    if (i % 100 === 0) bodyStream.decode(bodyStart);
    counter.take();
    const bytes = i % 3 === 0
      ? Uint8Array.from({ length: random.below(40) }, () => random.below(256))
      : mutated(real, random);
    try {
      const message = decoders[i % 5]!(bytes);
      read++;
      assertSmall(message);
      if (message.type === "tick" && message.bodies !== undefined) {
        streamedTicks++;
        // A body is some hundred bytes.
        assertLessOrEqual(message.bodies.size, BODIES_MAX);
      }
    } catch (error) {
      assert(error instanceof WireError, String(error));
      refused++;
    }
    readsMax = Math.max(readsMax, counter.take());
    if (i === COUNTED) counter[Symbol.dispose]();
  }

  Error.stackTraceLimit = stackTraceLimit;
  assertLessOrEqual(readsMax, READS_MAX);
  assertGreater(readsMax, 500); // the counter counts
  assertGreater(streamedTicks, MESSAGES / 250);
  assertGreater(refused, MESSAGES / 10);
  assertGreater(read, MESSAGES / 10);
});

Deno.test("messages: the reads and the output of the worst messages are bounded (SPEC 8.1)", () => {
  using counter = new ReadCounter();
  for (const { name, bytes, to, isRead } of worstMessages((bytes) => deflateRawSync(bytes))) {
    const server = new ServerMessageDecoder(codec);
    server.decode(new TickEncoder().encode(TICKS[0]!));
    const decoders = {
      client: () => server.decode(bytes),
      server: () => new ClientMessageDecoder(codec, { ordered: true }).decode(bytes),
      serverDatagram: () => new ClientMessageDecoder(codec, { ordered: false }).decode(bytes),
      hello: () => decodeHello(bytes),
    };
    counter.take();
    if (isRead) assertSmall(decoders[to]());
    else assertThrows(decoders[to], WireError);
    const reads = counter.take();
    assertLessOrEqual(reads, READS_MAX, name);
  }
});
