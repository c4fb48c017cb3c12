/**
 * The streams that a client opens in one direction: its control stream with settings, two for
 * QPACK, which say nothing without a dynamic table, and some that browsers make up. All are read,
 * because unread bytes would stay in memory, and everything but the settings is dropped.
 */
import { ChunkReader } from "./chunks.ts";
import { FrameReader } from "./http3/frame_reader.ts";
import { Http3Code, Http3Error } from "./http3/http3_error.ts";
import { decodeSettings } from "./http3/settings.ts";
import type { QuicConnection } from "./quic.ts";

/** The control stream's type, which is its first byte. */
export const CONTROL = 0x00;
/** The type of the settings frame. */
export const SETTINGS = 0x04;
/** The longest settings frame, bytes: browsers send forty. */
const SETTINGS_BYTES_MAX = 1_024;

/** How many streams a client may open in all. Browsers open three, and may make up a few. */
const STREAMS_MAX = 16;
/** How many bytes all of them together may carry. A browser sends some hundred. */
const BYTES_MAX = 16 * 1024;

export class ControlStreams {
  readonly #settings = Promise.withResolvers<void>();
  readonly #broken = Promise.withResolvers<never>();
  #streams = 0;
  #bytes = 0;
  #hasControl = false;

  /** Reads until the connection ends. */
  constructor(connection: Pick<QuicConnection, "incomingUnidirectionalStreams">) {
    this.#broken.promise.catch(() => {});
    this.#guard(this.#readAll(connection));
  }

  /** Resolves when the client's settings have arrived and announce datagrams. */
  get settings(): Promise<void> {
    return this.#settings.promise;
  }

  /** Rejects with an `Http3Error` when the client breaks the protocol. */
  get broken(): Promise<never> {
    return this.#broken.promise;
  }

  async #readAll(
    { incomingUnidirectionalStreams }: Pick<QuicConnection, "incomingUnidirectionalStreams">,
  ) {
    for await (const stream of incomingUnidirectionalStreams) {
      if (++this.#streams > STREAMS_MAX) {
        throw new Http3Error(Http3Code.excessiveLoad, "too many streams");
      }
      this.#guard(this.#read(stream));
    }
  }

  async #read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    const reader = new ChunkReader(stream);
    try {
      await this.#readFrom(reader);
    } finally {
      reader.cancel();
    }
  }

  async #readFrom(reader: ChunkReader): Promise<void> {
    const frames = new FrameReader(new Map([[SETTINGS, SETTINGS_BYTES_MAX]]));
    let type: number | undefined;
    let chunk: Uint8Array<ArrayBuffer> | undefined;
    while ((chunk = await reader.read()) !== undefined) {
      this.#bytes += chunk.length;
      if (this.#bytes > BYTES_MAX) {
        throw new Http3Error(Http3Code.excessiveLoad, "too much on control streams");
      }

      const isFirst = type === undefined;
      type ??= chunk[0];
      if (isFirst && type === CONTROL) this.#beginControl();
      if (type === CONTROL) this.#takeSettings(frames.push(chunk.subarray(isFirst ? 1 : 0)));
    }

    if (type === CONTROL) {
      throw new Http3Error(Http3Code.closedCriticalStream, "the control stream has ended");
    }
  }

  #beginControl(): void {
    if (this.#hasControl) throw new Http3Error(Http3Code.streamCreation, "a second control stream");
    this.#hasControl = true;
  }

  #takeSettings(frames: readonly { readonly payload: Uint8Array }[]): void {
    for (const { payload } of frames) {
      if (!decodeSettings(payload).datagrams) {
        throw new Http3Error(Http3Code.settings, "datagrams are needed");
      }
      this.#settings.resolve();
    }
  }

  /**
   * Reports only protocol errors. The connection's end also fails its streams, but is reported
   * elsewhere.
   */
  #guard(reading: Promise<void>): void {
    reading.catch((error) => {
      if (error instanceof Http3Error) this.#broken.reject(error);
    });
  }
}
