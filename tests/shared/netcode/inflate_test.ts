import { assertEquals, assertThrows } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { WireError } from "../../../shared/netcode/bytes.ts";
import { inflated } from "../../../shared/netcode/inflate.ts";
import { Random } from "../../../shared/random.ts";

/** Noise, few values, repetitions, and mostly zeros. */
function bytesOf(kind: number, random: Random): Uint8Array {
  const make = [
    () => random.below(256),
    () => random.below(5),
    (i: number) => i % 17,
    () => random.chance(0.9) ? 0 : random.below(256),
  ][kind % 4]!;
  return Uint8Array.from({ length: random.below(40_000) }, (_, i) => make(i));
}

Deno.test("inflated: what was deflated comes back, at every level [seed 5]", () => {
  const random = new Random(5);
  for (let n = 0; n < 80; n++) {
    const bytes = bytesOf(n, random);
    assertEquals(inflated(deflateRawSync(bytes, { level: n % 10 }), bytes.length), bytes, `round ${n}`);
  }
});

Deno.test("inflated: not a byte more than announced, nor less, nor left over (SPEC 8.1)", () => {
  const bytes = new Uint8Array(1000).fill(7), deflated = deflateRawSync(bytes);
  assertThrows(() => inflated(deflated, 999), WireError, "more than 999");
  assertThrows(() => inflated(deflated, 1 << 20), WireError, "1000 bytes of");
  assertThrows(() => inflated(new Uint8Array([...deflated, 0]), 1000), WireError, "more bytes");
  assertThrows(() => inflated(deflated.subarray(0, -1), 1000), WireError);
  assertThrows(() => inflated(new Uint8Array(0), 0), WireError, "ends within");
  assertThrows(() => inflated(Uint8Array.of(0xff), 10), WireError, "kind of block");
});

Deno.test("inflated: random and mutated bytes are bytes or a WireError, nothing else (SPEC 8.1) [seed 6]", () => {
  const random = new Random(6);
  const real = [0, 1, 2, 3].map((kind) => deflateRawSync(bytesOf(kind, random).subarray(0, 600)));
  for (let n = 0; n < 20_000; n++) {
    const bytes = n % 2 === 0 ? real[n >> 1 & 3]!.slice() : Uint8Array.from({ length: 40 }, () => random.below(256));
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    try {
      inflated(bytes, random.below(700));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
  }
});
