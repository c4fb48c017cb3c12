/**
 * Deflates states for the vectors (RFC 1951). The matches of zlib's usual strategy depend on the
 * machine's processor, and the vectors must not. Three forms together have every kind of block, and
 * matches of all distances.
 */
import { constants, deflateRawSync } from "node:zlib";

/**
 * Bases of lengths 3 … 258 and distances 1 … 32,768, each with its extra bits (RFC 1951 §3.2.5).
 */
// deno-fmt-ignore
const LENGTHS = rangesOf([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5,
], 3);
const DISTANCES = rangesOf(Array.from({ length: 30 }, (_, i) => Math.max(0, (i >> 1) - 1)), 1);
const MATCH_MIN = 3;
const MATCH_MAX = 257;
const END_OF_BLOCK = 256;
const DISTANCE_BITS = 5;

type Ranges = readonly { readonly base: number; readonly extra: number }[];

function rangesOf(extras: readonly number[], first: number): Ranges {
  let next = first;
  return extras.map((extra) => {
    const base = next;
    next += 1 << extra;
    return { base, extra };
  });
}

/** One block with dynamic codes, and matches of distance 1 alone. */
export function deflateRle(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { strategy: constants.Z_RLE });
}

/** Stored blocks. All but the last one are empty. */
export function deflateStored(bytes: Uint8Array, blocks = 1): Uint8Array {
  const { length } = bytes;
  const output: number[] = [];
  for (let block = 1; block < blocks; block++) output.push(0, 0, 0, 0xff, 0xff);
  output.push(1, length & 0xff, length >> 8, ~length & 0xff, ~length >> 8 & 0xff, ...bytes);
  return Uint8Array.from(output);
}

/** One block with fixed codes. Each match is the nearest one of the greatest length. */
export function deflateFixed(bytes: Uint8Array): Uint8Array {
  const writer = new BitWriter();
  writer.put(1, 1);
  writer.put(1, 2);

  for (let at = 0; at < bytes.length;) {
    const { length, distance } = longestMatch(bytes, at);
    if (length < MATCH_MIN) {
      putSymbol(bytes[at++]!, writer);
      continue;
    }
    const ofLength = indexIn(LENGTHS, length);
    const ofDistance = indexIn(DISTANCES, distance);
    putSymbol(END_OF_BLOCK + 1 + ofLength, writer);
    writer.put(length - LENGTHS[ofLength]!.base, LENGTHS[ofLength]!.extra);
    writer.putCode(ofDistance, DISTANCE_BITS);
    writer.put(distance - DISTANCES[ofDistance]!.base, DISTANCES[ofDistance]!.extra);
    at += length;
  }

  putSymbol(END_OF_BLOCK, writer);
  return Uint8Array.from(writer.bytes);
}

/**
 * One block with fixed codes: three bytes, and a match of distance 4. A reader that takes it has
 * six bytes.
 */
export function deflateTooFar(): Uint8Array {
  const writer = new BitWriter();
  writer.put(1, 1);
  writer.put(1, 2);
  for (const byte of [1, 2, 3]) putSymbol(byte, writer);
  putSymbol(END_OF_BLOCK + 1, writer);
  writer.putCode(3, DISTANCE_BITS);
  putSymbol(END_OF_BLOCK, writer);
  return Uint8Array.from(writer.bytes);
}

function indexIn(ranges: Ranges, value: number): number {
  return ranges.findLastIndex(({ base }) => base <= value);
}

function longestMatch(bytes: Uint8Array, at: number): { length: number; distance: number } {
  let longest = 0;
  let distance = 0;
  for (let from = at - 1; from >= 0; from--) {
    let length = 0;
    while (
      length < MATCH_MAX && at + length < bytes.length &&
      bytes[from + length] === bytes[at + length]
    ) length++;
    if (length > longest) [longest, distance] = [length, at - from];
  }
  return { length: longest, distance };
}

/** A symbol in the fixed code (RFC 1951 §3.2.6). */
function putSymbol(symbol: number, writer: BitWriter): void {
  if (symbol < 144) writer.putCode(0x30 + symbol, 8);
  else if (symbol < 256) writer.putCode(0x190 + symbol - 144, 9);
  else if (symbol < 280) writer.putCode(symbol - 256, 7);
  else writer.putCode(0xc0 + symbol - 280, 8);
}

class BitWriter {
  readonly bytes: number[] = [];
  #bits = 0;

  /** Numbers begin with their lowest bit. */
  put(value: number, width: number): void {
    for (let i = 0; i < width; i++, this.#bits++) {
      if (this.#bits % 8 === 0) this.bytes.push(0);
      this.bytes[this.bytes.length - 1]! |= (value >> i & 1) << this.#bits % 8;
    }
  }

  /** Codes begin with their highest bit. */
  putCode(code: number, width: number): void {
    for (let i = width - 1; i >= 0; i--) this.put(code >> i & 1, 1);
  }
}
