/**
 * How records stand one after another in a log: each has its length and a check before it, so that a reader finds a torn
 * or changed one.
 *
 *     frame = length (32 bits) · check (32 bits) · payload          all numbers little-endian
 *     check = hash of the words length, payload padded with zeros to whole words
 *
 * The hash mixes each word by a bijection, so a change within one word is found always, and any other one but for one
 * in 2^32.
 */
import { SNAPSHOT_WORDS_MAX } from "../../snapshot.ts";
import { hashOfWords } from "../wire/range_coder.ts";

const HEAD_BYTES = 8;
/** The longest snapshot, and room for what stands before it. */
const PAYLOAD_BYTES_MAX = SNAPSHOT_WORDS_MAX * 4 + 65_536;

/** A place in a log where no whole record begins. */
export interface LogFault {
  /** The offset of the first byte that is no whole record. */
  readonly offset: number;
  /** "torn": the log ends within a record. "changed": a record's check is wrong, or its length cannot be. */
  readonly kind: "torn" | "changed";
}

/** Makes frames in a buffer of its own, which grows and is reused. */
export class FrameWriter {
  #words = new Uint32Array(256);
  #bytes = new Uint8Array(this.#words.buffer);

  /** @returns the frame of a payload, valid until the next one */
  frame(payload: Uint8Array): Uint8Array {
    const { length } = payload, end = HEAD_BYTES + length;
    this.#reserve(end + 3);
    this.#bytes.set(payload, HEAD_BYTES);
    this.#bytes.fill(0, end, end + 3);
    this.#words[0] = length;
    this.#words[1] = length;
    // The length is hashed with the payload: its second copy stands where the check will be.
    this.#words[1] = hashOfWords(this.#words.subarray(1), 1 + Math.ceil(length / 4));
    return this.#bytes.subarray(0, end);
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    this.#words = new Uint32Array(Math.ceil(Math.max(bytes, 2 * this.#bytes.length) / 4));
    this.#bytes = new Uint8Array(this.#words.buffer);
  }
}

/** The payloads of a log's whole records, not copied, and the fault that ends them. */
export class FrameReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #words = new Uint32Array(256);
  #at = 0;
  /** The fault at which the reader has stopped; undefined before, and for a log of whole records. */
  fault: LogFault | undefined;

  /** @param from the offset of a record */
  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = from;
  }

  /** The offset of the next record. */
  get offset(): number {
    return this.#at;
  }

  /** @returns the next payload; undefined at the end and at a fault */
  next(): Uint8Array | undefined {
    const left = this.#bytes.length - this.#at;
    if (left === 0 || this.fault !== undefined) return undefined;
    if (left < HEAD_BYTES) return this.#stop("torn");
    const length = this.#view.getUint32(this.#at, true), check = this.#view.getUint32(this.#at + 4, true);
    if (length === 0 || length > PAYLOAD_BYTES_MAX) return this.#stop("changed");
    if (left < HEAD_BYTES + length) return this.#stop("torn");
    const from = this.#at + HEAD_BYTES, payload = this.#bytes.subarray(from, from + length);
    if (this.#checkOf(payload) !== check) return this.#stop("changed");
    this.#at = from + length;
    return payload;
  }

  #checkOf(payload: Uint8Array): number {
    const words = 1 + Math.ceil(payload.length / 4);
    if (words > this.#words.length) this.#words = new Uint32Array(2 * words);
    this.#words[0] = payload.length;
    this.#words[words - 1] = words === 1 ? payload.length : 0;
    new Uint8Array(this.#words.buffer).set(payload, 4);
    return hashOfWords(this.#words, words);
  }

  #stop(kind: LogFault["kind"]): undefined {
    this.fault = { offset: this.#at, kind };
    return undefined;
  }
}
