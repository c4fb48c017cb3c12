/**
 * Every decoder of HTTP/3 against messages that real clients sent, with flipped bits, cut ends and
 * exchanged parts, and against random ones. A decoder returns something small, or throws an
 * `Http3Error`.
 */
import { assert, assertGreater, assertLessOrEqual } from "@std/assert";
import {
  CLOSE_BYTES_MAX,
  CLOSE_CAPSULE,
  decodeClose,
  encodeClose,
} from "../../../../server/datagrams/http3/capsules.ts";
import { FrameReader } from "../../../../server/datagrams/http3/frame_reader.ts";
import { Http3Error } from "../../../../server/datagrams/http3/http3_error.ts";
import { decodeHuffman } from "../../../../server/datagrams/http3/huffman.ts";
import { decodeFields, SECTION_BYTES_MAX } from "../../../../server/datagrams/http3/qpack.ts";
import { decodeSessionRequest } from "../../../../server/datagrams/http3/session_request.ts";
import { decodeSettings } from "../../../../server/datagrams/http3/settings.ts";
import { Random } from "../../../../shared/random.ts";
import { RECORDED } from "./recorded.ts";

const MESSAGES = 200_000;
/** The longest value of the static table has fewer characters. */
const ENTRY_CHARACTERS_MAX = 80;

const framesOf = () =>
  new FrameReader(
    new Map([[0, 4096], [1, SECTION_BYTES_MAX], [4, 1024], [CLOSE_CAPSULE, CLOSE_BYTES_MAX]]),
  );

/** The output of each decoder for some bytes; the sum of its output's sizes. */
const DECODERS: Readonly<Record<string, (bytes: Uint8Array, random: Random) => number>> = {
  frames(bytes, random) {
    const reader = framesOf();
    let length = 0;
    for (let at = 0; at < bytes.length;) {
      const step = 1 + random.below(bytes.length);
      for (const { payload } of reader.push(bytes.subarray(at, at += step))) {
        length += payload.length;
      }
    }
    return length;
  },
  fields: (bytes) =>
    decodeFields(bytes).reduce((sum, [name, value]) => sum + name.length + value.length, 0),
  request: (bytes) => decodeSessionRequest(bytes).path.length,
  settings: (bytes) => Number(decodeSettings(bytes).datagrams),
  close: (bytes) => decodeClose(bytes).reason.length,
  huffman: (bytes) => decodeHuffman(bytes).length,
};

const REAL: readonly Uint8Array[] = [
  ...RECORDED.flatMap(({ control, request }) => [control.subarray(1), request]),
  ...RECORDED.flatMap(({ control, request }) => [
    ...framesOf().push(control.subarray(1)).map(({ payload }) => payload),
    ...framesOf().push(request).map(({ payload }) => payload),
  ]),
  encodeClose({ code: 4002, reason: "bye – until later" }),
  encodeClose({ code: 1, reason: "€" }).subarray(4),
];

function mutated(random: Random): Uint8Array {
  if (random.chance(0.1)) {
    return Uint8Array.from({ length: random.below(200) }, () => random.below(256));
  }
  const real = REAL[random.below(REAL.length)]!;
  const bytes = real.slice(0, random.chance(0.2) ? random.below(real.length + 1) : undefined);
  if (random.chance(0.1)) {
    bytes.set(REAL[random.below(REAL.length)]!.subarray(0, bytes.length >> 1));
  }
  for (let n = random.below(4); n > 0 && bytes.length > 0; n--) {
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
  }
  return bytes;
}

Deno.test("HTTP/3's decoders: hostile bytes give a small result or an Http3Error, and nothing else [seed 27] (SPEC 16.3)", () => {
  const random = new Random(27);
  const names = Object.keys(DECODERS);
  const results = new Map<string, number>();
  let refused = 0;

  for (let n = 0; n < MESSAGES; n++) {
    const bytes = mutated(random);
    const name = names[n % names.length]!;
    try {
      const size = DECODERS[name]!(bytes, random);
      assertLessOrEqual(size, 4 + bytes.length * ENTRY_CHARACTERS_MAX, name);
      results.set(name, (results.get(name) ?? 0) + 1);
    } catch (error) {
      assert(error instanceof Http3Error, `${name}, message ${n}: ${error}`);
      refused++;
    }
  }

  assertGreater(refused, MESSAGES / 10);
  for (const name of names) assertGreater(results.get(name) ?? 0, 100, `${name} accepts nothing`);
});
