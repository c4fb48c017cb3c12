/**
 * WebSocket frames as nearly all messages travel: one frame each, short and binary (RFC 6455 §5.2).
 *
 *     0x82 | length, at most 125; with 0x80 in what a client sends | a client's mask of four bytes | the message, masked by it
 *
 * A client's commands and pongs are all like this. To read them here and not in ws, a stream of its own behind the socket's, takes a third
 * off what receiving costs. Whatever else comes, right or wrong, is left to ws to read and to judge.
 */
import { Buffer } from "node:buffer";

/** The first byte of a message's only frame with bytes in it, and of a pong. */
const FINAL_BINARY = 0x82, FINAL_PONG = 0x8a;
/** A length of one byte, and what says that two or eight follow. */
const SHORT_LENGTH_MAX = 125, LENGTH_16_BITS = 126, LENGTH_64_BITS = 127;
/** Stands in the length's byte of what a client sends: a mask follows. */
const MASKED = 0x80, MASK_BYTES = 4;

/** No bytes. */
export const NO_BYTES = Buffer.alloc(0);

/** What is in the frames of one client. */
export interface ShortFrameHandlers {
  /** @param message the receiver's to keep */
  onMessage(message: Uint8Array): void;
  onPong(): void;
}

/** Reads one client's short frames, cut into chunks anyhow. */
export class ShortFrameReader {
  readonly #handlers: ShortFrameHandlers;
  /** A frame that has begun and not ended: at most 130 bytes. */
  #partialFrame: Buffer = NO_BYTES;

  constructor(handlers: ShortFrameHandlers) {
    this.#handlers = handlers;
  }

  /** @returns everything from the first frame on that is none of these; undefined where all was read or is kept for the next chunk */
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
        this.#partialFrame = Buffer.from(bytes.subarray(offset)); // a copy: what a socket has read may be much longer
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

/** A message of any length as a server frames it. A copy: the socket keeps the bytes until they are written, the sender may reuse his at once. */
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
