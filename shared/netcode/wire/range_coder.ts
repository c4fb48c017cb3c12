/**
 * Values in and out, and the hash. A message is one number between 0 and 1 (a binary range coder, as LZMA's): each bit narrows
 * the interval that the number is in, by as much as the bit was unlikely, so a message is as long as it is surprising.
 *
 *     chance c of 4096 that a flag is set:   set → [low, low + range · c/4096)      not set → what is left of it
 *
 * One definition per message does everything: given a `CodeWriter` it writes the values it is given, given a `CodeReader` it
 * reads them, given anything else that is a `Coder` it measures them.
 * A reader never trusts: past the end, or where a value is out of range, it throws a `WireError`, and whoever owns the link
 * closes it.
 */
import type { Snapshot } from "../../snapshot.ts";

/** Bytes from outside that are no message. */
export class WireError extends Error {
  override readonly name = "WireError";
}

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder("utf-8", { fatal: true });

const PROBABILITY_BITS = 12;
/** Chances are shares of this: 1 … 4095. */
export const P_ONE = 1 << PROBABILITY_BITS;
const P_HALF = P_ONE / 2;
/** The interval is widened by a byte whenever it is narrower than this, so chances are always met within 1/4096. */
const RANGE_MIN = 16_777_216;
const RANGE_MAX = 4_294_967_295;
/** So many bits at once leave the interval at least 2^16 wide. */
const BITS_AT_ONCE = 8;
/** The interval's width in bytes: so many the reader is ahead of the writer. */
const WINDOW_BYTES = 4;

/** What messages are made of. Each method takes the value to write and returns the value: the same, or the one that was read. */
export abstract class Coder {
  /** Values come from bytes: what is passed in as a value is ignored. */
  abstract readonly isReading: boolean;
  /** What is being coded, for whoever measures. */
  part = "";

  /** @param p that it is set, of `P_ONE`: what is likely takes less than a bit, what is not takes more */
  abstract flag(value: boolean, p?: number): boolean;
  /** A whole number of `width` bits, 0 … 32, each value as likely as every other. */
  abstract bits(value: number, width: number): number;

  /** A whole number from 0 to 2^32 - 1 in groups of three bits, small ones short. */
  varint(value: number): number {
    if (!(value >= 0 && value <= RANGE_MAX)) throw new RangeError(`${value} is no unsigned 32-bit integer`);
    // Added, not shifted: the sum may pass 2^31.
    for (let read = 0, worth = 1, rest = value;; worth *= 8, rest = Math.floor(rest / 8)) {
      read += this.bits(rest & 7, 3) * worth;
      if (read > RANGE_MAX) throw new WireError("an integer longer than 32 bits");
      if (!this.flag(rest > 7)) return read;
      if (worth >= 1_073_741_824) throw new WireError("an integer longer than 32 bits");
    }
  }

  /** A whole number, |value| < 2^31, small ones short. */
  signedVarint(value: number): number {
    const folded = this.varint(value < 0 ? -2 * value - 1 : 2 * value);
    return folded % 2 === 1 ? -(folded + 1) / 2 : folded / 2;
  }

  /** A whole number that is most likely `likely`. @param p that it is */
  near(value: number, { likely, p }: { likely: number; p: number }): number {
    if (this.flag(value === likely, p)) return likely;
    return likely + this.signedVarint(value - likely);
  }

  /** @param bytesMax the longest text allowed, in bytes of UTF-8 */
  text(text: string, bytesMax: number): string {
    const bytes = utf8Encoder.encode(text);
    const length = this.varint(bytes.length);
    if (this.isReading && length > bytesMax) throw new WireError(`a text of ${length} bytes; ${bytesMax} are allowed`);
    if (!this.isReading) {
      for (const byte of bytes) this.bits(byte, 8);
      return text;
    }
    const read = new Uint8Array(length);
    for (let i = 0; i < length; i++) read[i] = this.bits(0, 8);
    try {
      return utf8Decoder.decode(read);
    } catch {
      throw new WireError("a text that is not UTF-8");
    }
  }
}

/** Writes into a buffer of its own that grows and is reused: `reset`, code, `finish`. */
export class CodeWriter extends Coder {
  override readonly isReading = false;
  #bytes = new Uint8Array(256);
  #length = 0;
  #low = 0;
  #range = RANGE_MAX;

  /** @param prefix bytes that stand before what is coded */
  reset(prefix?: Uint8Array): void {
    this.#length = 0;
    this.#low = 0;
    this.#range = RANGE_MAX;
    if (prefix !== undefined) this.#append(prefix);
  }

  /** Goes on where another one is. */
  copyFrom(other: CodeWriter): void {
    this.#length = 0;
    this.#reserve(other.#length);
    // One by one: a view to copy from costs more than the thirty bytes that there are.
    for (let i = 0; i < other.#length; i++) this.#bytes[i] = other.#bytes[i]!;
    this.#length = other.#length;
    this.#low = other.#low;
    this.#range = other.#range;
  }

  /** How long the message would be at most if it were finished now. */
  get bytesMax(): number {
    return this.#length + WINDOW_BYTES;
  }

  override flag(value: boolean, p = P_HALF): boolean {
    const share = (this.#range >>> PROBABILITY_BITS) * p;
    if (value) this.#range = share;
    else {
      this.#raise(share);
      this.#range -= share;
    }
    while (this.#range < RANGE_MIN) this.#shift();
    return value;
  }

  override bits(value: number, width: number): number {
    if (!(value >= 0 && value <= RANGE_MAX) || (width < 32 && value >>> width !== 0)) {
      throw new RangeError(`${value} does not fit ${width} bits`);
    }
    for (let left = width; left > 0;) {
      const taken = Math.min(left, BITS_AT_ONCE);
      left -= taken;
      this.#range >>>= taken;
      this.#raise(((value >>> left) & ((1 << taken) - 1)) * this.#range);
      while (this.#range < RANGE_MIN) this.#shift();
    }
    return value;
  }

  /** The whole message, not copied: valid until the next `reset`. The shortest of all numbers in the interval; at least a byte. */
  finish(): Uint8Array {
    const top = this.#low + this.#range - 1;
    let kept = 0, worth = RANGE_MAX + 1;
    // Zeros follow for the reader: the fewest bytes that are not below `low` and, with zeros after them, not above `top`.
    for (; kept < WINDOW_BYTES; kept++, worth /= 256) {
      const rounded = Math.ceil(this.#low / worth) * worth;
      if (rounded > top) continue;
      this.#raise(rounded - this.#low);
      break;
    }
    for (let i = 0; i < kept; i++) this.#shift();
    if (this.#length === 0) this.#shift();
    return this.#bytes.subarray(0, this.#length);
  }

  /** Ends the message with bytes as they are. As `finish`. */
  finishWith(tail: Uint8Array): Uint8Array {
    for (let i = 0; i < WINDOW_BYTES; i++) this.#shift();
    this.#append(tail);
    return this.#bytes.subarray(0, this.#length);
  }

  #raise(by: number): void {
    this.#low += by;
    if (this.#low <= RANGE_MAX) return;
    this.#low -= RANGE_MAX + 1;
    // The whole number stays below 1: the carry ends before the first byte.
    let at = this.#length - 1;
    while (this.#bytes[at] === 255) this.#bytes[at--] = 0;
    this.#bytes[at]!++;
  }

  #shift(): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = this.#low >>> 24;
    this.#low = (this.#low << 8) >>> 0;
    this.#range = (this.#range << 8) >>> 0;
  }

  #append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Reads what a `CodeWriter` wrote, or what somebody pretends it did: everything is checked. */
export class CodeReader extends Coder {
  override readonly isReading = true;
  readonly #bytes: Uint8Array;
  #at: number;
  /** The number's place in the interval, and the interval's width. */
  #place = 0;
  #range = RANGE_MAX;

  /** @param from where the coded part begins */
  constructor(bytes: Uint8Array, from = 0) {
    super();
    if (bytes.length <= from) throw new WireError("an empty message");
    this.#bytes = bytes;
    this.#at = from;
    for (let i = 0; i < WINDOW_BYTES; i++) this.#place = this.#place * 256 + this.#next();
    if (this.#place >= RANGE_MAX) throw new WireError("a number that nobody can have written");
  }

  override flag(_value: boolean, p = P_HALF): boolean {
    const share = (this.#range >>> PROBABILITY_BITS) * p;
    const value = this.#place < share;
    if (value) this.#range = share;
    else {
      this.#place -= share;
      this.#range -= share;
    }
    if (this.#range < RANGE_MIN) this.#widen();
    return value;
  }

  override bits(_value: number, width: number): number {
    let value = 0;
    for (let left = width; left > 0;) {
      const taken = Math.min(left, BITS_AT_ONCE);
      left -= taken;
      this.#range >>>= taken;
      const read = Math.floor(this.#place / this.#range);
      if (read >= 1 << taken) throw new WireError("a number that nobody can have written");
      this.#place -= read * this.#range;
      value = value * (1 << taken) + read;
      if (this.#range < RANGE_MIN) this.#widen();
    }
    return value;
  }

  /** Nothing may be left. */
  end(): void {
    if (this.#bytes.length > this.#at) throw new WireError("more bytes than the message has");
  }

  /** The bytes after what is coded, not copied. */
  tail(): Uint8Array {
    if (this.#bytes.length < this.#at) throw new WireError(`message ends at byte ${this.#bytes.length}`);
    return this.#bytes.subarray(this.#at);
  }

  #widen(): void {
    while (this.#range < RANGE_MIN) {
      this.#range = (this.#range << 8) >>> 0;
      this.#place = this.#place * 256 + this.#next();
    }
  }

  /** Zeros follow the last byte, as many as a writer can have left out. */
  #next(): number {
    if (this.#at >= this.#bytes.length + WINDOW_BYTES) {
      throw new WireError(`message ends at byte ${this.#bytes.length}`);
    }
    return this.#bytes[this.#at++] ?? 0;
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
