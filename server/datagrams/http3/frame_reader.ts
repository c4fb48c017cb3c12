/**
 * Splits a stream into frames. HTTP/3's frames and the capsules inside them share one form (RFC
 * 9114 §7.1, RFC 9297 §3.2):
 *
 *     frame = type, length (both numbers of QUIC), payload
 *
 * A reader must skip types that it does not know, and browsers send such types on purpose. Both the
 * payloads that are kept and the bytes that are skipped are limited.
 */
import { ByteReader, varint, varintLength } from "./byte_reader.ts";
import { Http3Code, Http3Error } from "./http3_error.ts";

export interface Frame {
  readonly type: number;
  readonly payload: Uint8Array;
}

/**
 * How many bytes one stream may make its reader skip. Browsers' made-up frames take a few dozen,
 * and a session has no other use for unknown frames.
 */
const SKIPPED_BYTES_MAX = 16 * 1024;

/** Encodes a frame. */
export function frameOf(type: number, payload: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const head = [...varint(type), ...varint(payload.length)];
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
}

export class FrameReader {
  readonly #bytesMaxByType: ReadonlyMap<number, number>;
  /**
   * The beginning of a frame: at most the longest payload that is kept, its head, and one chunk.
   */
  #bytes: Uint8Array = new Uint8Array();
  /** Bytes still to come of a payload that is skipped. */
  #toSkip = 0;
  #skipped = 0;

  /**
   * @param bytesMaxByType by type, the longest payload that is kept; frames of other types are
   * skipped
   */
  constructor(bytesMaxByType: ReadonlyMap<number, number>) {
    this.#bytesMaxByType = bytesMaxByType;
  }

  /** Whether the stream may end here, because all its frames are complete. */
  get isAtBoundary(): boolean {
    return this.#bytes.length === 0 && this.#toSkip === 0;
  }

  /**
   * Takes the stream's next bytes.
   * @returns the frames that are now complete
   * @throws Http3Error for a payload that is too long, or too many bytes of unknown types
   */
  push(chunk: Uint8Array): Frame[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : joined(this.#bytes, chunk);

    const frames: Frame[] = [];
    for (;;) {
      // The rest of a frame that is skipped
      const skipped = Math.min(this.#toSkip, this.#bytes.length);
      this.#toSkip -= skipped;
      this.#bytes = this.#bytes.subarray(skipped);

      // The next frame, if its type is known
      const head = this.#head();
      if (head === undefined) return this.#end(frames);
      const { type, length, headBytes } = head;
      const bytesMax = this.#bytesMaxByType.get(type);
      if (bytesMax === undefined) {
        this.#skip(headBytes + length);
        continue;
      }

      if (length > bytesMax) {
        throw new Http3Error(Http3Code.excessiveLoad, `a frame of ${length} bytes`);
      }
      if (this.#bytes.length < headBytes + length) return this.#end(frames);
      frames.push({ type, payload: this.#bytes.slice(headBytes, headBytes + length) });
      this.#bytes = this.#bytes.subarray(headBytes + length);
    }
  }

  /** Keeps a copy of the rest, because the stream's owner may reuse its chunk. */
  #end(frames: Frame[]): Frame[] {
    this.#bytes = this.#bytes.slice();
    return frames;
  }

  /** Reads the next frame's head; undefined while it is incomplete. */
  #head(): { type: number; length: number; headBytes: number } | undefined {
    const bytes = this.#bytes;
    if (bytes.length === 0) return undefined;
    const typeBytes = varintLength(bytes[0]!);
    if (bytes.length <= typeBytes || bytes.length < typeBytes + varintLength(bytes[typeBytes]!)) {
      return undefined;
    }
    const reader = new ByteReader(bytes, Http3Code.frame);
    return { type: reader.varint(), length: reader.varint(), headBytes: reader.at };
  }

  #skip(bytes: number): void {
    this.#skipped += bytes;
    if (this.#skipped > SKIPPED_BYTES_MAX) {
      throw new Http3Error(Http3Code.excessiveLoad, "too many unknown frames");
    }
    this.#toSkip = bytes;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
