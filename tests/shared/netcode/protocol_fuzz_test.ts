/** Every decoder against a million messages: random ones, and real ones with bits turned over, ends cut off and parts exchanged. */
import { assert, assertGreater, assertLessOrEqual } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { CodeWriter, WireError } from "../../../shared/netcode/bytes.ts";
import { BODIES_MAX } from "../../../shared/netcode/body_codec.ts";
import { DownDecoder, encodePong, encodeWelcome } from "../../../shared/netcode/protocol_down.ts";
import { decodeHello, encodeHello, UpDecoder, UpEncoder } from "../../../shared/netcode/protocol_up.ts";
import { Random } from "../../../shared/random.ts";
import { model, streamed, streamedDatagram } from "./streamed.ts";
import { codec, COMMANDS, datagramOf, HELLOS, Teller, TICKS, UPS } from "./messages.ts";

const MESSAGES = 1_000_000;
/** What one message may make, whatever it says. */
const MADE_BYTES_MAX = 64 * 1024;

function realMessages(): Uint8Array[] {
  const writer = new CodeWriter(), teller = new Teller();
  const ordered = new UpEncoder(codec, { ordered: true }), far = new UpEncoder(codec, { ordered: false });
  return [
    ...HELLOS.map((hello) => encodeHello(hello, writer).slice()),
    ...UPS.map((message) => ordered.encode(message).slice()),
    ...COMMANDS.map((message) => far.encode(message).slice()),
    encodeWelcome({ kind: "welcome", seat: 3, resume: "0123456789abcdef", npcs: 4, seed: 99 }, writer).slice(),
    encodePong({ kind: "pong", id: 9, serverTicks: 4711.5 }, writer).slice(),
    ...TICKS.map((tick) => teller.encode(tick)),
    ...TICKS.map((tick) => teller.encode(tick, deflateRawSync)),
    datagramOf(TICKS.slice(1, 4)),
    ...streamed().messages,
    streamedDatagram(),
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
  // In the middle of a match: with memories that what comes is told by.
  const down = new DownDecoder(codec),
    streaming = new DownDecoder(codec, model),
    up = new UpDecoder(codec, { ordered: true });
  const far = new UpDecoder(codec, { ordered: false });
  down.decode(new Teller().encode(TICKS[0]!));
  streaming.decode(streamed().messages[0]!);
  const decoders = [
    (bytes: Uint8Array) => down.decode(bytes),
    (bytes: Uint8Array) => up.decode(bytes),
    (bytes: Uint8Array) => far.decode(bytes),
    decodeHello,
    (bytes: Uint8Array) => streaming.decode(bytes),
  ];
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  let read = 0, refused = 0, streamedTicks = 0;
  for (let i = 0; i < MESSAGES; i++) {
    const bytes = i % 3 === 0
      ? Uint8Array.from({ length: random.below(40) }, () => random.below(256))
      : mutated(real, random);
    try {
      const message = decoders[i % 5]!(bytes);
      read++;
      if (message.kind === "tick" && message.state !== undefined) {
        assertLessOrEqual(message.state.snapshot.length, MADE_BYTES_MAX);
      }
      if (message.kind === "tick" && message.bodies !== undefined) {
        streamedTicks++;
        // A body is some hundred bytes.
        assertLessOrEqual(message.bodies.size, BODIES_MAX);
      }
    } catch (error) {
      assert(error instanceof WireError, String(error));
      refused++;
    }
  }
  Error.stackTraceLimit = stackTraceLimit;
  assertGreater(streamedTicks, MESSAGES / 200);
  assertGreater(refused, MESSAGES / 10);
  assertGreater(read, MESSAGES / 10);
});
