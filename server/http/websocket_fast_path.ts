/**
 * Reads and writes the WebSocket frames that nearly all messages use: one short binary frame per message (RFC 6455
 * §5.2).
 *
 *     0x82 | length (at most 125; a client adds 0x80) | a client's mask of four bytes | the message, masked
 *
 * A client's commands and pongs all have this form. Reading them here and not in ws, which is a stream behind the
 * socket's, saves a third of the cost of receiving. ws reads and validates every other frame.
 */
import { Buffer } from "node:buffer";

/** First byte of a frame that is a whole binary message or a whole pong. */
const FINAL_BINARY = 0x82, FINAL_PONG = 0x8a;
/** The longest one-byte length, and the values that announce a length of 16 or 64 bits. */
const SHORT_LENGTH_MAX = 125, LENGTH_16_BITS = 126, LENGTH_64_BITS = 127;
/** A client's frames have this bit in the length's byte, and a mask. */
const MASKED = 0x80, MASK_BYTES = 4;

/** No bytes. */
export const NO_BYTES = Buffer.alloc(0);

/** Receives the content of one client's frames. */
export interface ShortFrameHandlers {
  /** @param message a copy, which the handler may keep */
  onMessage(message: Uint8Array): void;
  onPong(): void;
}

/** Reads one client's short frames from chunks that may be cut anywhere. */
export class ShortFrameReader {
  readonly #handlers: ShortFrameHandlers;
  /** An incomplete frame: at most 130 bytes. */
  #partialFrame: Buffer = NO_BYTES;

  constructor(handlers: ShortFrameHandlers) {
    this.#handlers = handlers;
  }

  /**
   * @returns all bytes from the first other frame on, or undefined if everything was read or is kept for the next chunk
   */
  read(chunk: Buffer): Buffer | undefined {
    const bytes = this.#partialFrame.length === 0 ? chunk : Buffer.concat([this.#partialFrame, chunk]);
    this.#partialFrame = NO_BYTES;
    for (let offset = 0; offset < bytes.length;) {
      const firstByte = bytes[offset]!, length = (bytes[offset + 1] ?? MASKED) - MASKED;
      const isShort = (firstByte === FINAL_BINARY || firstByte === FINAL_PONG) && length >= 0 &&
        length <= SHORT_LENGTH_MAX;
      if (!isShort) return bytes.subarray(offset);
      const start = offset + 2 + MASK_BYTES, end = start + length;
      if (end > bytes.length) {
        this.#partialFrame = Buffer.from(bytes.subarray(offset)); // a copy, because the chunk may be much longer
        return undefined;
      }
      if (firstByte === FINAL_PONG) this.#handlers.onPong();
      else this.#handlers.onMessage(unmask(bytes, start, end));
      offset = end;
    }
    return undefined;
  }
}

function unmask(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const message = new Uint8Array(end - start), mask = start - MASK_BYTES;
  for (let i = 0; i < message.length; i++) message[i] = bytes[start + i]! ^ bytes[mask + (i & 3)]!;
  return message;
}

/**
 * Frames a message of any length as a server does. The result is a copy: the sender may reuse the message at once, but
 * the socket keeps the bytes until they are written.
 */
export function encodeFrame(message: Uint8Array): Buffer {
  const { length } = message, header = length <= SHORT_LENGTH_MAX ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = FINAL_BINARY;
  frame[1] = header === 2 ? length : header === 4 ? LENGTH_16_BITS : LENGTH_64_BITS;
  if (header === 4) frame.writeUInt16BE(length, 2);
  if (header === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(message, header);
  return frame;
}
