import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { BitReader, BitWriter, hashOfSnapshot, WireError } from "../../../shared/netcode/bytes.ts";
import { Random } from "../../../shared/random.ts";
import { Snapshot } from "../../../shared/snapshot.ts";

/** A random sequence of writes, each with the read that must give it back. */
function randomField(
  random: Random,
): { write: (into: BitWriter) => void; read: (from: BitReader) => unknown; value: unknown } {
  const bits = random.bits();
  switch (random.below(6)) {
    case 0: {
      const width = random.below(33);
      const value = width === 32 ? bits : bits % 2 ** width;
      return { value, write: (into) => into.bits(value, width), read: (from) => from.bits(width) };
    }
    case 1: {
      const value = bits >>> random.below(32);
      return { value, write: (into) => into.varint(value), read: (from) => from.varint() };
    }
    case 2: {
      const value = (bits | 0) >> random.below(32);
      return { value, write: (into) => into.signedVarint(value), read: (from) => from.signedVarint() };
    }
    case 3: {
      const value = bits % 2 === 0;
      return { value, write: (into) => into.flag(value), read: (from) => from.flag() };
    }
    case 4: {
      const value = ["", "Wren", "Дракон", "飛竜", "🐉".repeat(bits % 9)][bits % 5]!;
      return { value, write: (into) => into.text(value), read: (from) => from.text(64) };
    }
    default: {
      const value = Uint8Array.from({ length: bits % 40 }, () => random.below(256));
      return { value, write: (into) => into.raw(value), read: (from) => from.raw(value.length) };
    }
  }
}

Deno.test("BitWriter: what is written is read back, whatever the order and width [seeds 1-200]", () => {
  const writer = new BitWriter();
  for (let seed = 1; seed <= 200; seed++) {
    const random = new Random(seed);
    const fields = Array.from({ length: 60 }, () => randomField(random));
    writer.reset();
    for (const { write } of fields) write(writer);
    const reader = new BitReader(writer.bytes());
    for (const { read, value } of fields) assertEquals(read(reader), value, `seed ${seed}`);
    reader.end();
  }
});

Deno.test("BitWriter: refuses a value that does not fit instead of cutting it", () => {
  const writer = new BitWriter();
  assertThrows(() => writer.bits(8, 3), RangeError);
  assertThrows(() => writer.varint(-1), RangeError);
  assertThrows(() => writer.varint(2 ** 32), RangeError);
});

Deno.test("BitReader: the end of the message, long integers, bad text and left-over bits are WireErrors", () => {
  assertThrows(() => new BitReader(new Uint8Array(1)).bits(9), WireError, "ends at bit 8");
  assertThrows(() => new BitReader(new Uint8Array(20).fill(0xff)).varint(), WireError, "longer than 32 bits");
  assertThrows(() => new BitReader(new Uint8Array(1)).raw(2), WireError, "ends at byte 1");
  const writer = new BitWriter();
  writer.text("a name that is long");
  assertThrows(() => new BitReader(writer.bytes()).text(4), WireError, "4 are allowed");
  assertThrows(() => new BitReader(Uint8Array.of(0x02, 0xff, 0xfe)).text(4), WireError, "not UTF-8");
  assertThrows(() => new BitReader(Uint8Array.of(0, 0)).end(), WireError, "more bits");
  assertThrows(
    () => {
      const reader = new BitReader(Uint8Array.of(0x81));
      reader.bits(4);
      reader.end();
    },
    WireError,
    "more bits",
  );
});

Deno.test("hashOfSnapshot: follows every bit and the length", () => {
  const snapshot = new Snapshot();
  snapshot.length = 3;
  const hashes = new Set([hashOfSnapshot(snapshot)]);
  for (let bit = 0; bit < 96; bit++) {
    snapshot.words[bit >> 5]! ^= 1 << (bit & 31);
    hashes.add(hashOfSnapshot(snapshot));
    snapshot.words[bit >> 5]! ^= 1 << (bit & 31);
  }
  assertEquals(hashes.size, 97);
  const before = hashOfSnapshot(snapshot);
  snapshot.length = 4;
  assertNotEquals(hashOfSnapshot(snapshot), before);
  assert([...hashes].every((hash) => Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32));
});
