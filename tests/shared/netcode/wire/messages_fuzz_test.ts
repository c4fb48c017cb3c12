/**
 * Every decoder against a million messages: random ones, and real ones with bits turned over, ends cut off and parts exchanged. What a
 * message costs is counted, not timed: `deno task bench wire` says how long the worst ones take.
 */
import { assert, assertGreater, assertLessOrEqual, assertThrows } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { BODIES_MAX } from "../../../../shared/netcode/wire/body_codec.ts";
import { CodeReader, CodeWriter, WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import { encodePong, encodeWelcome, ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import {
  ClientMessageDecoder,
  ClientMessageEncoder,
  decodeHello,
  encodeHello,
} from "../../../../shared/netcode/wire/client_messages.ts";
import { Random } from "../../../../shared/random.ts";
import type { CounterCommand } from "../../../lab/counter_game.ts";
import type { ClientDatagram, ClientMessage, Hello, ServerMessage } from "../../../../shared/netcode/wire/messages.ts";
import { encodeBodyDatagram, encodeBodyStream, model } from "./body_stream_messages.ts";
import { worstMessages } from "./worst_messages.ts";
import { CLIENT_MESSAGES, codec, COMMANDS, datagramOf, HELLOS, TickEncoder, TICKS } from "./messages.ts";

const MESSAGES = 1_000_000;
/** What one message may make, whatever it says. */
const MADE_BYTES_MAX = 64 * 1024;

/** So many of them with their work counted, which takes longer. */
const COUNTED = 100_000;
/** Flags and numbers that one message may make a decoder read: some 20 ns each. */
const READS_MAX = 60_000;
/** Things in one message: what a seat may announce, 65, for each of 32 seats, and 64 changes of presence, and the seats themselves. */
const ITEMS_MAX = 65 * 32 + 64 + 32;
/** In a datagram of 1,200 bytes: one for each of 32 seats and ticks is cheap, each further one takes 5 bits. */
const DATAGRAM_ITEMS_MAX = 32 * 32 + 1200 * 8 / 5;

/** Counts what readers read. */
class ReadCounter implements Disposable {
  reads = 0;
  readonly #flag = CodeReader.prototype.flag;
  readonly #bits = CodeReader.prototype.bits;

  constructor() {
    // deno-lint-ignore no-this-alias
    const counter = this, flag = this.#flag, bits = this.#bits;
    CodeReader.prototype.flag = function (value, chance) {
      counter.reads++;
      return flag.call(this, value, chance);
    };
    CodeReader.prototype.bits = function (value, width) {
      counter.reads++;
      return bits.call(this, value, width);
    };
  }

  /** @returns since the last call */
  take(): number {
    const { reads } = this;
    this.reads = 0;
    return reads;
  }

  [Symbol.dispose](): void {
    CodeReader.prototype.flag = this.#flag;
    CodeReader.prototype.bits = this.#bits;
  }
}

type AnyMessage =
  | ServerMessage<CounterCommand>
  | ClientMessage<CounterCommand>
  | ClientDatagram<CounterCommand>
  | Hello;

/** @throws AssertionError where a message holds more than it may */
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
  const writer = new CodeWriter(), tickEncoder = new TickEncoder();
  const ordered = new ClientMessageEncoder(codec, { ordered: true }),
    datagrams = new ClientMessageEncoder(codec, { ordered: false });
  return [
    ...HELLOS.map((hello) => encodeHello(hello, writer).slice()),
    ...CLIENT_MESSAGES.map((message) => ordered.encode(message).slice()),
    ...COMMANDS.map((message) => datagrams.encode(message).slice()),
    encodeWelcome({ type: "welcome", seat: 3, resume: "0123456789abcdef", npcs: 4, seed: 99 }, writer).slice(),
    encodePong({ type: "pong", id: 9, serverTicks: 4711.5 }, writer).slice(),
    ...TICKS.map((tick) => tickEncoder.encode(tick)),
    ...TICKS.map((tick) => tickEncoder.encode(tick, deflateRawSync)),
    datagramOf(TICKS.slice(1, 4)),
    ...encodeBodyStream().messages,
    encodeBodyDatagram(),
  ];
}

function mutated(real: readonly Uint8Array[], random: Random): Uint8Array {
  const bytes = real[random.below(real.length)]!.slice(0, random.chance(0.2) ? random.below(64) : undefined);
  if (random.chance(0.1)) bytes.set(real[random.below(real.length)]!.subarray(0, bytes.length >> 1));
  for (let n = random.below(4); n > 0 && bytes.length > 0; n--) {
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
  }
  return bytes;
}

Deno.test("protocol: a million messages are a value or a WireError, nothing else, and none makes much (SPEC 8.1) [seed 7]", () => {
  const random = new Random(7), real = realMessages();
  using counter = new ReadCounter();
  // In the middle of a match: with memories that what comes is told by.
  const down = new ServerMessageDecoder(codec),
    streaming = new ServerMessageDecoder(codec, model),
    up = new ClientMessageDecoder(codec, { ordered: true });
  const datagrams = new ClientMessageDecoder(codec, { ordered: false });
  down.decode(new TickEncoder().encode(TICKS[0]!));
  streaming.decode(encodeBodyStream().messages[0]!);
  const decoders = [
    (bytes: Uint8Array) => down.decode(bytes),
    (bytes: Uint8Array) => up.decode(bytes),
    (bytes: Uint8Array) => datagrams.decode(bytes),
    decodeHello,
    (bytes: Uint8Array) => streaming.decode(bytes),
  ];
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  let read = 0, refused = 0, readsMax = 0, streamedTicks = 0;
  for (let i = 0; i < MESSAGES; i++) {
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
  assertGreater(streamedTicks, MESSAGES / 200);
  assertGreater(refused, MESSAGES / 10);
  assertGreater(read, MESSAGES / 10);
});

Deno.test("protocol: the worst messages that there can be are bounded in what they make a decoder do and make (SPEC 8.1)", () => {
  using counter = new ReadCounter();
  for (const { name, bytes, to, isRead } of worstMessages((bytes) => deflateRawSync(bytes))) {
    const down = new ServerMessageDecoder(codec);
    down.decode(new TickEncoder().encode(TICKS[0]!));
    const decoders = {
      client: () => down.decode(bytes),
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
