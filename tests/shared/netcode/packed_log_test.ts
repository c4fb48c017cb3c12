import { assertEquals, assertLess, assertThrows } from "@std/assert";
import { FrameReader, FrameWriter } from "../../../shared/netcode/match_log/frames.ts";
import { LogPacker, unpackedLog } from "../../../shared/netcode/match_log/packed_log.ts";
import { LogError } from "../../../shared/netcode/match_log/records.ts";
import { Random } from "../../../shared/random.ts";

/** A log of records with these lengths. */
function logOf(lengths: readonly number[], random: Random): Uint8Array {
  const writer = new FrameWriter();
  const bytes: number[] = [];
  for (const length of lengths) {
    for (const byte of writer.frame(Uint8Array.from({ length }, () => random.below(256)))) {
      bytes.push(byte);
    }
  }
  return new Uint8Array(bytes);
}

function packedLog(unpacked: Uint8Array): Uint8Array {
  const log = new Uint8Array(unpacked);
  const packer = new LogPacker(log);
  const frames = new FrameReader(log);
  for (let payload = frames.next(); payload !== undefined; payload = frames.next()) {
    packer.add(payload);
  }
  return packer.bytes;
}

Deno.test("LogPacker: unpacked it is the log again, and shorter on its way (SPEC 15.11) [seed 97]", () => {
  const random = new Random(97);
  for (
    const lengths of [
      [],
      [1],
      [127, 128, 129],
      [16_383, 16_384, 1],
      [70_000, 200_000],
      Array.from({ length: 500 }, () => 1 + random.below(40)),
    ]
  ) {
    const log = logOf(lengths, random);
    const packed = packedLog(log);
    assertEquals(unpackedLog(packed, Infinity), log);
    assertEquals(
      packed.length,
      4 + lengths.reduce((sum, n) => sum + n + (n < 128 ? 1 : n < 16_384 ? 2 : 3), 0),
    );
    assertEquals(unpackedLog(log, 0), log, "a log stays as it is");
  }

  assertLess(packedLog(logOf([9, 9, 9], random)).length, logOf([9, 9, 9], random).length);
});

Deno.test("unpackedLog: a torn, hostile or too long packed log is refused (SPEC 15.11) [seed 98]", () => {
  const packed = packedLog(logOf([200, 3, 200], new Random(98)));
  const ends = [4, 4 + 202, 4 + 202 + 4, packed.length];
  for (let length = 4; length <= packed.length; length++) {
    const unpack = () => unpackedLog(packed.subarray(0, length), 1000);
    if (ends.includes(length)) unpack();
    else assertThrows(unpack, LogError, "torn");
  }
  assertThrows(
    () => unpackedLog(new Uint8Array([0, 0, 0, 0, 255, 255, 255, 255, 255, 1]), 1000),
    LogError,
    "torn",
  );
  assertThrows(() => unpackedLog(packed, 426), LogError, "more than 426 bytes");
  assertEquals(unpackedLog(packed, 427).length, 427);
});
