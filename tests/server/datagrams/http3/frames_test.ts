import { assertEquals, assertThrows } from "@std/assert";
import { ByteReader, varint } from "../../../../server/datagrams/http3/byte_reader.ts";
import {
  CLOSE_BYTES_MAX,
  CLOSE_CAPSULE,
  decodeClose,
  encodeClose,
} from "../../../../server/datagrams/http3/capsules.ts";
import { frameOf, FrameReader } from "../../../../server/datagrams/http3/frame_reader.ts";
import { Http3Code, Http3Error } from "../../../../server/datagrams/http3/http3_error.ts";

/** A type whose frames are kept, and one that nobody knows. */
const KEPT = 7;
const UNKNOWN = 0x21 + 0x1f * 5;

Deno.test("ByteReader.varint: the examples of RFC 9000, appendix A.1; the shortest forms come back", () => {
  const read = (hex: string) => new ByteReader(Uint8Array.fromHex(hex), Http3Code.frame).varint();
  assertEquals(["9d7f3e7d", "7bbd", "25", "4025"].map(read), [494_878_333, 15_293, 37, 37]);
  assertEquals(read("c2197c5eff14e88c"), Number(151_288_809_941_952_652n));
  for (const value of [0, 63, 64, 16_383, 16_384, 2 ** 30 - 1]) {
    assertEquals(new ByteReader(Uint8Array.from(varint(value)), Http3Code.frame).varint(), value);
  }
  assertThrows(() => read("40"), Http3Error, "too early");
});

Deno.test("FrameReader: frames arrive whole however the stream is cut, and unknown ones are skipped", () => {
  const stream = [
    frameOf(KEPT, [1, 2, 3]),
    frameOf(UNKNOWN, Array(300).fill(9)),
    frameOf(KEPT, []),
    frameOf(KEPT, Array(100).fill(5)),
  ].flatMap((frame) => [...frame]);
  for (const step of [1, 2, 5, 99, stream.length]) {
    const reader = new FrameReader(new Map([[KEPT, 100]]));
    const payloads: number[][] = [];
    for (let at = 0; at < stream.length; at += step) {
      const chunk = Uint8Array.from(stream.slice(at, at + step));
      payloads.push(...reader.push(chunk).map(({ payload }) => [...payload]));
      chunk.fill(0xff); // the owner of a chunk reuses it
    }
    assertEquals(payloads, [[1, 2, 3], [], Array(100).fill(5)], `chunks of ${step} bytes`);
    assertEquals(reader.isAtBoundary, true);
    reader.push(Uint8Array.of(KEPT));
    assertEquals(reader.isAtBoundary, false);
  }
});

Deno.test("FrameReader: a payload that is too long, and 16 KiB of unknown frames, are refused before they arrive (SPEC 16.3)", () => {
  const reader = () => new FrameReader(new Map([[KEPT, 100]]));
  assertEquals(reader().push(Uint8Array.from([KEPT, 0x40, 100])), []);
  const long = assertThrows(() => reader().push(Uint8Array.from([KEPT, 0x40, 101])), Http3Error);
  assertEquals(long.code, Http3Code.excessiveLoad);
  const skipping = reader();
  const unknown = frameOf(UNKNOWN, new Uint8Array(1_000));
  assertThrows(
    () => {
      for (let n = 0; n < 17; n++) skipping.push(unknown);
    },
    Http3Error,
    "unknown frames",
  );
  const huge = Uint8Array.fromHex("21ffffffffffffffff");
  assertThrows(() => reader().push(huge), Http3Error, "unknown frames");
});

Deno.test("encodeClose: code and reason come back; a longer reason is cut between two characters (SPEC 16.6)", () => {
  for (
    const end of [{ code: 4004, reason: "room ABCD is full" }, { code: 0xffff_ffff, reason: "" }]
  ) {
    const [capsule] = new FrameReader(new Map([[CLOSE_CAPSULE, CLOSE_BYTES_MAX]])).push(
      encodeClose(end),
    );
    assertEquals(decodeClose(capsule!.payload), end);
  }
  const [capsule] = new FrameReader(new Map([[CLOSE_CAPSULE, CLOSE_BYTES_MAX]]))
    .push(encodeClose({ code: 1, reason: "€".repeat(400) }));
  assertEquals(decodeClose(capsule!.payload), { code: 1, reason: "€".repeat(341) });
  assertThrows(() => decodeClose(Uint8Array.of(0, 0, 1)), Http3Error, "without a code");
  assertThrows(() => decodeClose(Uint8Array.of(0, 0, 1, 1, 0xff)), Http3Error, "no UTF-8");
});
