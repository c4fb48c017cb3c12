import { assertEquals, assertThrows } from "@std/assert";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import { inflate } from "../../../../shared/netcode/wire/inflate.ts";
import { Random } from "../../../../shared/random.ts";

/** Bytes of one of four patterns: noise, few values, repetitions, mostly zeros. */
function bytesOf(pattern: number, random: Random): Uint8Array {
  const make = [
    () => random.below(256),
    () => random.below(5),
    (i: number) => i % 17,
    () => random.chance(0.9) ? 0 : random.below(256),
  ][pattern % 4]!;
  return Uint8Array.from({ length: random.below(40_000) }, (_, i) => make(i));
}

Deno.test("inflate: deflated bytes come back, at every level [seed 5]", () => {
  const random = new Random(5);
  for (let n = 0; n < 80; n++) {
    const bytes = bytesOf(n, random);
    assertEquals(
      inflate(deflateRawSync(bytes, { level: n % 10 }), bytes.length),
      bytes,
      `round ${n}`,
    );
  }
});

/** Packs bits as deflate does: numbers from the lowest bit, codes from the highest. */
class BitWriter {
  readonly #bits: number[] = [];

  number(value: number, width: number): void {
    for (let i = 0; i < width; i++) this.#bits.push(value >> i & 1);
  }

  code(value: number, width: number): void {
    for (let i = width - 1; i >= 0; i--) this.#bits.push(value >> i & 1);
  }

  get bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, i) => bytes[i >> 3]! |= bit << (i & 7));
    return bytes;
  }
}

Deno.test("inflate: the longest codes, of fifteen bits (RFC 1951 §3.2.7)", () => {
  // The code of byte n < 14 is n ones and a 0. Byte 14 and the end of the block have the two codes
  // of 15 bits.
  const codeOf = (byte: number) =>
    byte < 14 ? [(1 << byte + 1) - 2, byte + 1] as const : [0x7ffe, 15] as const;
  const writer = new BitWriter();
  const literals = [14, 0, 13, 14, 7];
  writer.number(0b101, 3); // the last block, dynamic codes: 257 literals, one distance
  writer.number(0, 5);
  writer.number(0, 5);
  writer.number(15, 4); // all nineteen code lengths of the length alphabet: 4 for 0 … 12, 5 for 13 … 18
  for (const symbol of [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]) {
    writer.number(symbol < 13 ? 4 : 5, 3);
  }
  const writeLength = (symbol: number) =>
    writer.code(symbol < 13 ? symbol : 26 + symbol - 13, symbol < 13 ? 4 : 5);
  for (let byte = 0; byte < 15; byte++) writeLength(byte + 1);
  for (let unused = 15; unused < 256; unused++) writeLength(0);
  writeLength(15);
  writeLength(0); // no distance
  for (const byte of literals) writer.code(...codeOf(byte));
  writer.code(0x7fff, 15);
  assertEquals([...inflateRawSync(writer.bytes)], literals, "zlib reads it so");
  assertEquals([...inflate(writer.bytes, literals.length)], literals);
});

Deno.test("inflate: more or fewer bytes than announced, and bytes that are left, are refused (SPEC 8.1)", () => {
  const bytes = new Uint8Array(1000).fill(7);
  const deflated = deflateRawSync(bytes);
  assertThrows(() => inflate(deflated, 999), WireError, "more than 999");
  assertThrows(() => inflate(deflated, 1 << 20), WireError, "1000 bytes of");
  assertThrows(() => inflate(new Uint8Array([...deflated, 0]), 1000), WireError, "too many bytes");
  assertThrows(() => inflate(deflated.subarray(0, -1), 1000), WireError);
  assertThrows(() => inflate(new Uint8Array(0), 0), WireError, "ends within");
  assertThrows(() => inflate(Uint8Array.of(0xff), 10), WireError, "kind of block");
});

Deno.test("inflate: random and mutated bytes give bytes or a WireError (SPEC 8.1) [seed 6]", () => {
  const random = new Random(6);
  const real = [0, 1, 2, 3].map((pattern) =>
    deflateRawSync(bytesOf(pattern, random).subarray(0, 600))
  );
  for (let n = 0; n < 20_000; n++) {
    const bytes = n % 2 === 0
      ? real[n >> 1 & 3]!.slice()
      : Uint8Array.from({ length: 40 }, () => random.below(256));
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    try {
      inflate(bytes, random.below(700));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
  }
});
