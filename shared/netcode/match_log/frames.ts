/**
 * Frames a log's records one after another. A length and a check precede each payload, so that a
 * reader detects a torn or changed one.
 *
 *     frame  = length · check (32 bits) · payload                   all numbers little-endian
 *     length = number of the payload's bytes (24 bits) · exclusive or of these three bytes (8 bits)
 *     check  = hash of the words length, payload padded with zeros to whole words
 *
 * The hash mixes each word by a bijection, so it always detects a change within one word, and
 * misses other changes once in 2^32. The length carries its own check, because a corrupted, longer
 * length would make the newest record pass for a torn one, which is cut off silently.
 */
import { SNAPSHOT_WORDS_MAX } from "../../snapshot.ts";
import { hashOfWords } from "../wire/range_coder.ts";

const HEAD_BYTES = 8;
/** The longest snapshot, and room for what precedes it. */
const PAYLOAD_BYTES_MAX = SNAPSHOT_WORDS_MAX * 4 + 65_536;

const LENGTH_BITS = 24;
const LENGTH_MASK = (1 << LENGTH_BITS) - 1;

/** Adds the check to a length; it detects every single changed bit in either. */
function checkedLength(length: number): number {
  return (length | ((length ^ (length >>> 8) ^ (length >>> 16)) << LENGTH_BITS)) >>> 0;
}

/** Where a log's whole records end, although bytes follow. */
export interface LogFault {
  /** The offset of the first byte after the whole records. */
  readonly offset: number;
  /**
   * "torn": the log ends within a record. "changed": a record's check is wrong, or its length is
   * impossible.
   */
  readonly kind: "torn" | "changed";
}

/** Makes frames in its own buffer, which grows and is reused. */
export class FrameWriter {
  #words = new Uint32Array(256);
  #bytes = new Uint8Array(this.#words.buffer);

  /** Frames a payload. @returns bytes that are valid until the next call */
  frame(payload: Uint8Array): Uint8Array {
    const { length } = payload;
    const end = HEAD_BYTES + length;
    this.#reserve(end + 3);
    this.#bytes.set(payload, HEAD_BYTES);
    this.#bytes.fill(0, end, end + 3);
    this.#words[0] = this.#words[1] = checkedLength(length);
    // The hash includes the length: its second copy stands where the check will be.
    this.#words[1] = hashOfWords(this.#words.subarray(1), 1 + Math.ceil(length / 4));
    return this.#bytes.subarray(0, end);
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    this.#words = new Uint32Array(Math.ceil(Math.max(bytes, 2 * this.#bytes.length) / 4));
    this.#bytes = new Uint8Array(this.#words.buffer);
  }
}

/**
 * Reads the payloads of a log's whole records, without copying them, and finds the fault that ends
 * them.
 */
export class FrameReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #words = new Uint32Array(256);
  #at = 0;
  /**
   * The fault at which the reader stopped; undefined before, and if the log consists of whole
   * records.
   */
  fault: LogFault | undefined;

  /** @param from a record's offset */
  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = from;
  }

  /** The next record's offset. */
  get offset(): number {
    return this.#at;
  }

  /** @returns the next payload; undefined at the end and at a fault */
  next(): Uint8Array | undefined {
    const left = this.#bytes.length - this.#at;
    if (left === 0 || this.fault !== undefined) return undefined;
    if (left < HEAD_BYTES) return this.#stop("torn");
    const head = this.#view.getUint32(this.#at, true);
    const check = this.#view.getUint32(this.#at + 4, true);
    const length = head & LENGTH_MASK;
    if (head !== checkedLength(length) || length === 0 || length > PAYLOAD_BYTES_MAX) {
      return this.#stop("changed");
    }
    if (left < HEAD_BYTES + length) return this.#stop("torn");
    const from = this.#at + HEAD_BYTES;
    const payload = this.#bytes.subarray(from, from + length);
    if (this.#checkOf(payload) !== check) return this.#stop("changed");
    this.#at = from + length;
    return payload;
  }

  #checkOf(payload: Uint8Array): number {
    const words = 1 + Math.ceil(payload.length / 4);
    if (words > this.#words.length) this.#words = new Uint32Array(2 * words);
    const head = checkedLength(payload.length);
    this.#words[0] = head;
    this.#words[words - 1] = words === 1 ? head : 0;
    new Uint8Array(this.#words.buffer).set(payload, 4);
    return hashOfWords(this.#words, words);
  }

  #stop(kind: LogFault["kind"]): undefined {
    this.fault = { offset: this.#at, kind };
    return undefined;
  }
}
