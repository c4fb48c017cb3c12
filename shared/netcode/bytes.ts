/**
 * Bits in and out, and the hash. Numbers are written least significant bit first. A reader never trusts: past the end, or
 * where a value is out of range, it throws a `WireError`, and whoever owns the link closes it.
 */
import type { Snapshot } from "../snapshot.ts";

/** Bytes from outside that are no message. */
export class WireError extends Error {
  override readonly name = "WireError";
}

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder("utf-8", { fatal: true });

/** Writes into a buffer of its own that grows and is reused: `reset`, write, `bytes`. */
export class BitWriter {
  #bytes = new Uint8Array(256);
  #bit = 0;

  reset(): void {
    this.#bytes.fill(0, 0, (this.#bit + 7) >> 3);
    this.#bit = 0;
  }

  /** @param value unsigned @param width 0 … 32 bits */
  bits(value: number, width: number): void {
    if (width < 32 && value >>> width !== 0) throw new RangeError(`${value} does not fit ${width} bits`);
    this.#reserve(width);
    let left = width, rest = value >>> 0;
    while (left > 0) {
      const offset = this.#bit & 7;
      const taken = Math.min(8 - offset, left);
      this.#bytes[this.#bit >> 3]! |= (rest & ((1 << taken) - 1)) << offset;
      rest >>>= taken;
      left -= taken;
      this.#bit += taken;
    }
  }

  flag(value: boolean): void {
    this.bits(value ? 1 : 0, 1);
  }

  /** An unsigned integer below 2^32 in groups of four bits, small ones short. */
  varint(value: number): void {
    if (!(value >= 0 && value < 4_294_967_296)) throw new RangeError(`${value} is no unsigned 32-bit integer`);
    let rest = value >>> 0;
    while (rest > 7) {
      this.bits((rest & 7) | 8, 4);
      rest >>>= 3;
    }
    this.bits(rest, 4);
  }

  /** A signed integer, |value| < 2^31, small ones short. */
  signedVarint(value: number): void {
    this.varint(((value << 1) ^ (value >> 31)) >>> 0);
  }

  /** Begins at the next whole byte; the length is not written. */
  raw(bytes: Uint8Array): void {
    this.align();
    this.#reserve(bytes.length * 8);
    this.#bytes.set(bytes, this.#bit >> 3);
    this.#bit += bytes.length * 8;
  }

  /** Text as its length in bytes and UTF-8. */
  text(text: string): void {
    const bytes = utf8Encoder.encode(text);
    this.varint(bytes.length);
    this.raw(bytes);
  }

  align(): void {
    this.#bit = (this.#bit + 7) & ~7;
  }

  /** The message so far, not copied: valid until the next `reset` or write. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, (this.#bit + 7) >> 3);
  }

  #reserve(bits: number): void {
    const needed = ((this.#bit + bits + 7) >> 3) + 1;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Reads what a `BitWriter` wrote, or what somebody pretends it did: everything is checked. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #bit = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bits(width: number): number {
    if (this.#bit + width > this.#bytes.length * 8) {
      throw new WireError(`message ends at bit ${this.#bytes.length * 8}`);
    }
    let value = 0, got = 0;
    while (got < width) {
      const offset = this.#bit & 7;
      const taken = Math.min(8 - offset, width - got);
      value |= ((this.#bytes[this.#bit >> 3]! >> offset) & ((1 << taken) - 1)) << got;
      got += taken;
      this.#bit += taken;
    }
    return value >>> 0;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  varint(): number {
    // Added, not shifted: the sum may pass 2^31.
    for (let value = 0, worth = 1;; worth *= 8) {
      const group = this.bits(4);
      value += (group & 7) * worth;
      if (value >= 4_294_967_296 || worth > 1_073_741_824) throw new WireError("an integer longer than 32 bits");
      if (group < 8) return value;
    }
  }

  signedVarint(): number {
    const value = this.varint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** @param length in bytes; the result is a copy */
  raw(length: number): Uint8Array {
    this.align();
    const start = this.#bit >> 3;
    if (start + length > this.#bytes.length) throw new WireError(`message ends at byte ${this.#bytes.length}`);
    this.#bit += length * 8;
    return this.#bytes.slice(start, start + length);
  }

  /** @param bytesMax the longest text allowed, in bytes of UTF-8 */
  text(bytesMax: number): string {
    const length = this.varint();
    if (length > bytesMax) throw new WireError(`a text of ${length} bytes; ${bytesMax} are allowed`);
    const bytes = this.raw(length);
    try {
      return utf8Decoder.decode(bytes);
    } catch {
      throw new WireError("a text that is not UTF-8");
    }
  }

  align(): void {
    this.#bit = (this.#bit + 7) & ~7;
  }

  /** Leaves the rest unread. */
  skipAll(): void {
    this.#bit = this.#bytes.length * 8;
  }

  /** Only padding may be left: less than a byte of zeros. */
  end(): void {
    const left = this.#bytes.length * 8 - this.#bit;
    if (left > 7 || (left > 0 && this.bits(left) !== 0)) throw new WireError("more bits than the message has");
  }
}

/**
 * 32 bits that stand for a whole state: MurmurHash3's 32-bit mixing (Austin Appleby, public domain) over its words.
 * A hash for finding accidents, not for resisting forgers.
 */
export function hashOfSnapshot(snapshot: Snapshot): number {
  const { words, length } = snapshot;
  let hash = length;
  for (let i = 0; i < length; i++) {
    let k = Math.imul(words[i]!, 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    hash ^= k;
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
