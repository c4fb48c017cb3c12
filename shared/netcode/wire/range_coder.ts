/**
 * A binary range coder (WIRE 3), as in LZMA. A message is one number between 0 and 1. Each bit
 * narrows the interval that contains the number, an unlikely bit more than a likely one. If a flag
 * is set with probability p of 4096:
 *
 *     set        [low, low + range · p/4096)
 *     not set    [low + range · p/4096, low + range)
 *
 * One function per message does everything: with a `CodeWriter` it writes the given values, with a
 * `CodeReader` it reads them, and with another `Coder` it can measure them. A reader does not trust
 * any byte. Past the end, and for a value out of range, it throws a `WireError`, and the link's
 * owner closes the link.
 */
import type { Snapshot } from "../../snapshot.ts";

/** Bytes from the other end that are not a message. */
export class WireError extends Error {
  override readonly name: string = "WireError";
}

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const PROBABILITY_BITS = 12;
/** Probabilities are shares of this, 1 … 4095. */
export const P_ONE = 1 << PROBABILITY_BITS;
const P_HALF = P_ONE / 2;
/**
 * An interval narrower than this is widened by a byte, so that it is always wide enough for
 * probabilities in units of 1/4096.
 */
const RANGE_MIN = 16_777_216;
const RANGE_MAX = 4_294_967_295;
/** After so many bits at once the interval is at least 2^16 wide. */
const BITS_AT_ONCE = 8;
/** The interval's width in bytes, by which the reader is ahead of the writer. */
const WINDOW_BYTES = 4;

/**
 * Codes the elements of messages. Each method returns the given value, or the value that it reads.
 */
export abstract class Coder {
  /** Whether values come from bytes, so that given values are ignored. */
  abstract readonly isReading: boolean;
  /** Names the part that is being coded, for coders that measure. */
  part = "";

  /**
   * Codes one bit.
   * @param p the probability that it is set, of `P_ONE`: a likely value takes less than a bit, an
   *   unlikely one more
   */
  abstract flag(value: boolean, p?: number): boolean;
  /** Codes an unsigned number in `width` bits, 0 … 32. All values are equally likely. */
  abstract bits(value: number, width: number): number;

  /**
   * Codes a whole number from 0 to 2^32 − 1 in groups of three bits, so that a small one is short.
   */
  varint(value: number): number {
    if (!(value >= 0 && value <= RANGE_MAX)) {
      throw new RangeError(`${value} is no unsigned 32-bit integer`);
    }
    // Added, not shifted, because the sum may pass 2^31.
    for (let read = 0, worth = 1, rest = value;; worth *= 8, rest = Math.floor(rest / 8)) {
      read += this.bits(rest & 7, 3) * worth;
      if (read > RANGE_MAX) throw new WireError("an integer longer than 32 bits");
      if (!this.flag(rest > 7)) return read;
      if (worth >= 1_073_741_824) throw new WireError("an integer longer than 32 bits");
    }
  }

  /** Codes a whole number with |value| < 2^31, so that a small one is short. */
  signedVarint(value: number): number {
    const folded = this.varint(value < 0 ? -2 * value - 1 : 2 * value);
    return folded % 2 === 1 ? -(folded + 1) / 2 : folded / 2;
  }

  /**
   * Codes a whole number that probably equals `likely`.
   * @param p the probability of that, of `P_ONE`
   */
  near(value: number, { likely, p }: { likely: number; p: number }): number {
    if (this.flag(value === likely, p)) return likely;
    return likely + this.signedVarint(value - likely);
  }

  /** Codes a text. @param bytesMax the longest text that a reader accepts, in UTF-8 bytes */
  text(text: string, bytesMax: number): string {
    const bytes = utf8Encoder.encode(text);
    const length = this.varint(bytes.length);
    if (this.isReading && length > bytesMax) {
      throw new WireError(`a text of ${length} bytes; ${bytesMax} are allowed`);
    }
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

/** Writes messages into its own buffer, which grows and is reused: `reset`, code, `finish`. */
export class CodeWriter extends Coder {
  override readonly isReading = false;
  #bytes = new Uint8Array(256);
  #length = 0;
  #low = 0;
  #range = RANGE_MAX;

  /** Starts a message. @param prefix bytes before the coded part */
  reset(prefix?: Uint8Array): void {
    this.#length = 0;
    this.#low = 0;
    this.#range = RANGE_MAX;
    if (prefix !== undefined) this.#append(prefix);
  }

  /** Continues another writer's message. */
  copyFrom(other: CodeWriter): void {
    this.#length = 0;
    this.#reserve(other.#length);
    // One by one, because a view would cost more than copying the usual thirty bytes.
    for (let i = 0; i < other.#length; i++) this.#bytes[i] = other.#bytes[i]!;
    this.#length = other.#length;
    this.#low = other.#low;
    this.#range = other.#range;
  }

  /** The greatest length that the message would have if it ended now. */
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

  /**
   * Ends the message with the shortest number in the interval.
   * @returns the message, at least one byte, not copied: valid until the next `reset`
   */
  finish(): Uint8Array {
    const top = this.#low + this.#range - 1;
    let kept = 0;
    let worth = RANGE_MAX + 1;
    // The reader appends zeros, so look for the fewest bytes that, followed by zeros, lie between
    // `low` and `top`.
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

  /** As `finish`, but appends uncoded bytes after the coded part. */
  finishWith(tail: Uint8Array): Uint8Array {
    for (let i = 0; i < WINDOW_BYTES; i++) this.#shift();
    this.#append(tail);
    return this.#bytes.subarray(0, this.#length);
  }

  #raise(by: number): void {
    this.#low += by;
    if (this.#low <= RANGE_MAX) return;
    this.#low -= RANGE_MAX + 1;
    // The whole number stays below 1, so the carry ends within the bytes.
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

/** Reads what a `CodeWriter` wrote. The bytes may be hostile, so it checks everything. */
export class CodeReader extends Coder {
  override readonly isReading = true;
  readonly #bytes: Uint8Array;
  #at: number;
  /** How far the number lies above the interval's low end, and the interval's width. */
  #place = 0;
  #range = RANGE_MAX;

  /**
   * @param from the index of the coded part's first byte
   * @throws WireError if the message is empty
   */
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

  /** Ends the message. @throws WireError if bytes are left */
  end(): void {
    if (this.#bytes.length > this.#at) throw new WireError("more bytes than the message has");
  }

  /**
   * Returns the bytes after the coded part, not copied.
   * @throws WireError if the coded part is cut short
   */
  tail(): Uint8Array {
    if (this.#bytes.length < this.#at) {
      throw new WireError(`message ends at byte ${this.#bytes.length}`);
    }
    return this.#bytes.subarray(this.#at);
  }

  #widen(): void {
    while (this.#range < RANGE_MIN) {
      this.#range = (this.#range << 8) >>> 0;
      this.#place = this.#place * 256 + this.#next();
    }
  }

  /** Reads the next byte. After the last one follow as many zeros as a writer can leave out. */
  #next(): number {
    if (this.#at >= this.#bytes.length + WINDOW_BYTES) {
      throw new WireError(`message ends at byte ${this.#bytes.length}`);
    }
    return this.#bytes[this.#at++] ?? 0;
  }
}

/** Hashes a state to 32 bits. */
export function hashOfSnapshot({ words, length }: Snapshot): number {
  return hashOfWords(words, length);
}

/**
 * Hashes 32-bit words to 32 bits, as MurmurHash3 mixes (Austin Appleby, public domain). It detects
 * accidental differences but does not resist forgery.
 */
export function hashOfWords(words: ArrayLike<number>, length: number): number {
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
