/**
 * Reads bytes and QUIC's variable-length numbers, which take 1, 2, 4 or 8 bytes (RFC 9000 §16): the
 * two highest bits of the first byte are the logarithm of the length.
 */
import { Http3Error } from "./http3_error.ts";

/** The first byte's bits that belong to the number. */
const FIRST_MASK = 0x3f;

/** How many bytes a number takes that begins with this byte, 1 … 8. */
export function varintLength(first: number): number {
  return 1 << (first >> 6);
}

/** Encodes a number in the fewest bytes. @param value a whole number below 2^30 */
export function varint(value: number): number[] {
  if (value < 0x40) return [value];
  if (value < 0x4000) return [0x40 | value >> 8, value & 0xff];
  return [0x80 | value >> 24, value >> 16 & 0xff, value >> 8 & 0xff, value & 0xff];
}

/**
 * Reads one message. Past its end, and for whatever its caller refuses, it throws errors with one
 * code.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #errorCode: number;
  at = 0;

  /** @param errorCode the code of every `Http3Error` that it throws */
  constructor(bytes: Uint8Array, errorCode: number) {
    this.#bytes = bytes;
    this.#errorCode = errorCode;
  }

  /** Bytes not read yet. */
  get left(): number {
    return this.#bytes.length - this.at;
  }

  /** Looks at the next byte without taking it. @throws Http3Error at the end */
  peek(): number {
    if (this.left === 0) this.fail("a message ends too early");
    return this.#bytes[this.at]!;
  }

  /** @throws Http3Error at the end */
  byte(): number {
    const byte = this.peek();
    this.at++;
    return byte;
  }

  /** @returns a view, not a copy @throws Http3Error if there are fewer bytes */
  take(length: number): Uint8Array {
    if (length > this.left) this.fail("a message ends too early");
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  /** @returns a number below 2^62; above 2^53 it is rounded @throws Http3Error at the end */
  varint(): number {
    const length = varintLength(this.peek());
    let value = 0;
    for (const [i, byte] of this.take(length).entries()) {
      value = value * 256 + (i === 0 ? byte & FIRST_MASK : byte);
    }
    return value;
  }

  /** @throws Http3Error always */
  fail(message: string): never {
    throw new Http3Error(this.#errorCode, message);
  }
}
