/**
 * The stream of a session's request: its headers, the answer, and then the capsules with which
 * either end closes the session. The stream ends when the session does, so a closed tab is noticed
 * at once.
 */
import { ChunkReader } from "./chunks.ts";
import {
  CLOSE_BYTES_MAX,
  CLOSE_CAPSULE,
  decodeClose,
  encodeClose,
  type SessionEnd,
} from "./http3/capsules.ts";
import { type Frame, frameOf, FrameReader } from "./http3/frame_reader.ts";
import { Http3Code, Http3Error } from "./http3/http3_error.ts";
import { encodeStatus, SECTION_BYTES_MAX } from "./http3/qpack.ts";
import { decodeSessionRequest, type SessionRequest } from "./http3/session_request.ts";
import type { QuicStream } from "./quic.ts";

/** Types of frames. */
const DATA = 0x00;
const HEADERS = 0x01;
/** The longest data frame: the longest capsule that is read, beside one that is skipped. */
const DATA_BYTES_MAX = 4_096;

/** A session's end without a capsule: the client just closes the stream. */
const NO_WORD: SessionEnd = { code: 0, reason: "" };

export class RequestStream {
  readonly #reader: ChunkReader;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #frames = new FrameReader(
    new Map([[DATA, DATA_BYTES_MAX], [HEADERS, SECTION_BYTES_MAX]]),
  );
  readonly #capsules = new FrameReader(new Map([[CLOSE_CAPSULE, CLOSE_BYTES_MAX]]));
  /** Frames that arrived together with the headers. */
  #waiting: Frame[] = [];

  constructor({ readable, writable }: QuicStream) {
    this.#reader = new ChunkReader(readable);
    this.#writer = writable.getWriter();
  }

  /** Reads the headers. @throws Http3Error if they do not request a session, or do not come */
  async request(): Promise<SessionRequest> {
    for (;;) {
      const chunk = await this.#reader.read();
      if (chunk === undefined) throw new Http3Error(Http3Code.message, "a request without headers");
      const [headers, ...frames] = this.#frames.push(chunk);
      if (headers === undefined) continue;
      if (headers.type !== HEADERS) {
        throw new Http3Error(Http3Code.frameUnexpected, "data before the headers");
      }
      this.#waiting = frames;
      return decodeSessionRequest(headers.payload);
    }
  }

  /** Answers the request. @param status 200 for a session; any other one also ends the stream */
  async answer(status: number): Promise<void> {
    await this.#writer.write(frameOf(HEADERS, encodeStatus(status)));
    if (status !== 200) await this.#writer.close();
  }

  /**
   * Reads until the client ends the session. Call it after `request`.
   * @returns the client's close
   * @throws Http3Error for frames that are not allowed here, Error if the connection has ended
   */
  async end(): Promise<SessionEnd> {
    for (;;) {
      for (const { type, payload } of this.#waiting) {
        if (type !== DATA) {
          throw new Http3Error(Http3Code.frameUnexpected, "headers after the headers");
        }
        const [close] = this.#capsules.push(payload);
        if (close !== undefined) return decodeClose(close.payload);
      }

      const chunk = await this.#reader.read();
      if (chunk === undefined) return NO_WORD;
      this.#waiting = this.#frames.push(chunk);
    }
  }

  /** Closes the session. @throws Error if the connection has ended */
  async close(end: SessionEnd): Promise<void> {
    await this.#writer.write(frameOf(DATA, encodeClose(end)));
    await this.#writer.close();
  }
}
