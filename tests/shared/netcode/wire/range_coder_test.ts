import { assert, assertEquals, assertLess, assertNotEquals, assertThrows } from "@std/assert";
import {
  type Coder,
  CodeReader,
  CodeWriter,
  hashOfSnapshot,
  WireError,
} from "../../../../shared/netcode/wire/range_coder.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";

/** A random value and the function that codes it. */
function randomField(
  random: Random,
): { code: (coder: Coder, value: never) => unknown; value: unknown } {
  const bits = random.bits();
  switch (random.below(6)) {
    case 0: {
      const width = random.below(33);
      return {
        value: width === 32 ? bits : bits % 2 ** width,
        code: (coder, value) => coder.bits(value, width),
      };
    }
    case 1:
      return { value: bits >>> random.below(32), code: (coder, value) => coder.varint(value) };
    case 2:
      return {
        value: (bits | 0) >> random.below(32),
        code: (coder, value) => coder.signedVarint(value),
      };
    case 3: {
      const p = [1, 7, 2048, 4000, 4095][random.below(5)];
      return { value: bits % 2 === 0, code: (coder, value) => coder.flag(value, p) };
    }
    case 4: {
      const value = ["", "Wren", "Дракон", "\ufeff飛竜", "🐉".repeat(bits % 9)][bits % 5]!;
      return { value, code: (coder, value) => coder.text(value, 64) };
    }
    default:
      return {
        value: bits % 100,
        code: (coder, value) => coder.near(value, { likely: 50, p: 3000 }),
      };
  }
}

Deno.test("CodeWriter: a reader returns the written values, for any order, width and probability [seeds 1-400]", () => {
  const writer = new CodeWriter();
  const other = new CodeWriter();

  for (let seed = 1; seed <= 400; seed++) {
    const random = new Random(seed);
    const fields = Array.from({ length: seed % 60 }, () => randomField(random));
    const tail = seed % 3 === 0
      ? Uint8Array.from({ length: seed % 7 }, () => random.below(256))
      : undefined;
    writer.reset(Uint8Array.of(1, 2));
    other.reset();
    fields.forEach(({ code, value }, i) => {
      // After half of the values a copy continues.
      if (i === fields.length >> 1) other.copyFrom(writer);
      code(i < fields.length >> 1 ? writer : other, value as never);
    });
    const last = fields.length > 0 ? other : writer;
    const bytes = tail === undefined ? last.finish() : last.finishWith(tail);
    const reader = new CodeReader(bytes, 2);
    for (const { code, value } of fields) {
      assertEquals(code(reader, 0 as never), value, `seed ${seed}`);
    }
    if (tail === undefined) reader.end();
    else assertEquals(reader.tail(), tail);
  }
});

Deno.test("CodeWriter: a value takes −log2 of its probability in bits", () => {
  const writer = new CodeWriter();
  writer.reset();
  for (let i = 0; i < 1000; i++) writer.flag(true, 4000);
  assertEquals(writer.finish().length, 4); // 1000 · 0.034 bits
  writer.reset();
  for (let i = 0; i < 1000; i++) writer.flag(i % 5 === 0, 819);
  assertLess(writer.finish().length, 92); // 1000 · 0.722 bits
  writer.reset();
  for (let i = 0; i < 100; i++) writer.bits(i, 8);
  assertLess(writer.finish().length, 102);
});

Deno.test("CodeWriter: a value that does not fit is refused, not cut", () => {
  const writer = new CodeWriter();
  assertThrows(() => writer.bits(8, 3), RangeError);
  assertThrows(() => writer.varint(-1), RangeError);
  assertThrows(() => writer.varint(2 ** 32), RangeError);
});

Deno.test("CodeReader: short messages, long integers, bad texts and bytes that are left are WireErrors", () => {
  assertThrows(() => new CodeReader(new Uint8Array(0)), WireError, "empty");
  assertThrows(() => new CodeReader(new Uint8Array(9).fill(0xff)), WireError, "nobody");
  assertThrows(
    () => {
      const reader = new CodeReader(Uint8Array.of(7));
      for (let i = 0; i < 6; i++) reader.bits(0, 8);
    },
    WireError,
    "ends at byte 1",
  );
  const writer = new CodeWriter();
  writer.reset();
  for (let i = 0; i < 12; i++) {
    writer.bits(7, 3);
    writer.flag(true);
  }
  assertThrows(() => new CodeReader(writer.finish()).varint(0), WireError, "longer than 32 bits");
  writer.reset();
  writer.text("a name that is long", 64);
  assertThrows(() => new CodeReader(writer.finish()).text("", 4), WireError, "4 are allowed");
  writer.reset();
  writer.varint(2);
  writer.bits(0xfffe, 16);
  assertThrows(() => new CodeReader(writer.finish()).text("", 4), WireError, "not UTF-8");
  assertThrows(
    () => new CodeReader(Uint8Array.of(0, 0, 0, 0, 0, 0)).end(),
    WireError,
    "more bytes",
  );
});

Deno.test("hashOfSnapshot: every bit and the length change the hash", () => {
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
