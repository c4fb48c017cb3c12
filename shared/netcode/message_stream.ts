/**
 * Frames messages on a byte stream, which does not mark where they end: a datagram link's reliable
 * channel (WIRE 10).
 *
 *     stream  = message after message
 *     message = number of its bytes (32 bits, the lowest byte first), its bytes
 */
import { WireError } from "./wire/range_coder.ts";

const HEAD_BYTES = 4;

/** Puts the length before a message. */
export function streamedMessage(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD_BYTES + message.length);
  new DataView(bytes.buffer).setUint32(0, message.length, true);
  bytes.set(message, HEAD_BYTES);
  return bytes;
}

/** Splits a stream into its messages. */
export class MessageSplitter {
  readonly #bytesMax: number;
  readonly #head = new Uint8Array(HEAD_BYTES);
  #headBytes = 0;
  /** The message that is arriving; undefined until its length is known. */
  #message: Uint8Array<ArrayBuffer> | undefined;
  #messageBytes = 0;

  /** @param bytesMax the longest message to accept */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Takes the stream's next bytes.
   * @returns the messages that are now complete; their bytes belong to the caller
   * @throws WireError as soon as a message announces that it is too long
   */
  push(chunk: Uint8Array): Uint8Array<ArrayBuffer>[] {
    const messages: Uint8Array<ArrayBuffer>[] = [];
    for (let at = 0; at < chunk.length;) {
      if (this.#message === undefined) {
        this.#head[this.#headBytes++] = chunk[at++]!;
        if (this.#headBytes === HEAD_BYTES) this.#begin();
      } else {
        const part = chunk.subarray(at, at + this.#message.length - this.#messageBytes);
        this.#message.set(part, this.#messageBytes);
        this.#messageBytes += part.length;
        at += part.length;
      }
      if (this.#message?.length !== this.#messageBytes) continue;
      messages.push(this.#message);
      this.#message = undefined;
    }
    return messages;
  }

  #begin(): void {
    const length = new DataView(this.#head.buffer).getUint32(0, true);
    if (length > this.#bytesMax) throw new WireError(`a message of ${length} bytes`);
    this.#message = new Uint8Array(length);
    this.#headBytes = this.#messageBytes = 0;
  }
}
