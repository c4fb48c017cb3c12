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
const LENGTH_MAX = 125, LENGTH_IN_TWO = 126, LENGTH_IN_EIGHT = 127;
/** Stands in the length's byte of what a client sends: a mask follows. */
const MASKED = 0x80, MASK_BYTES = 4;

/** No bytes. */
export const NOTHING = Buffer.alloc(0);

/** What is in the frames of one client. */
export interface ShortFrameHandlers {
  /** @param message the receiver's to keep */
  onMessage(message: Uint8Array): void;
  onPong(): void;
}

/** Reads one client's short frames, cut into chunks anyhow. */
export class ShortFrames {
  readonly #handlers: ShortFrameHandlers;
  /** A frame that has begun and not ended: at most 130 bytes. */
  #begun: Buffer = NOTHING;

  constructor(handlers: ShortFrameHandlers) {
    this.#handlers = handlers;
  }

  /** @returns everything from the first frame on that is none of these; undefined where all was read or is kept for the next chunk */
  read(chunk: Buffer): Buffer | undefined {
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    this.#begun = NOTHING;
    for (let at = 0; at < bytes.length;) {
      const kind = bytes[at]!, length = (bytes[at + 1] ?? MASKED) - MASKED;
      const isShort = (kind === FINAL_BINARY || kind === FINAL_PONG) && length >= 0 && length <= LENGTH_MAX;
      if (!isShort) return bytes.subarray(at);
      const from = at + 2 + MASK_BYTES, end = from + length;
      if (end > bytes.length) {
        this.#begun = Buffer.from(bytes.subarray(at)); // a copy: what a socket has read may be much longer
        return undefined;
      }
      if (kind === FINAL_PONG) this.#handlers.onPong();
      else this.#handlers.onMessage(unmasked(bytes, from, end));
      at = end;
    }
    return undefined;
  }
}

function unmasked(bytes: Uint8Array, from: number, end: number): Uint8Array {
  const message = new Uint8Array(end - from), mask = from - MASK_BYTES;
  for (let i = 0; i < message.length; i++) message[i] = bytes[from + i]! ^ bytes[mask + (i & 3)]!;
  return message;
}

/** A message of any length as a server frames it. A copy: the socket keeps the bytes until they are written, the sender may reuse his at once. */
export function framed(message: Uint8Array): Buffer {
  const { length } = message, header = length <= LENGTH_MAX ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = FINAL_BINARY;
  frame[1] = header === 2 ? length : header === 4 ? LENGTH_IN_TWO : LENGTH_IN_EIGHT;
  if (header === 4) frame.writeUInt16BE(length, 2);
  if (header === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(message, header);
  return frame;
}
