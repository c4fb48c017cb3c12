/**
 * Reads a stream of QUIC in small pieces. By default Deno takes 64 KiB for each read, however few
 * bytes come, and a hundred sessions that come and go leave 30 MB of them until the next garbage
 * collection.
 */

/** Bytes of one read: more than a packet carries. */
const CHUNK_BYTES = 2_048;

type Bytes = Uint8Array<ArrayBuffer>;

export class ChunkReader {
  readonly #reader: ReadableStreamBYOBReader;

  /** @param stream of bytes, as all of QUIC are */
  constructor(stream: ReadableStream<Bytes>) {
    this.#reader = stream.getReader({ mode: "byob" });
  }

  /**
   * @returns the next bytes, at least one; undefined at the end
   * @throws Error if the connection has ended
   */
  async read(): Promise<Bytes | undefined> {
    const { value, done } = await this.#reader.read(new Uint8Array(CHUNK_BYTES));
    return done ? undefined : value;
  }

  /** Reads nothing more. What comes is dropped. */
  cancel(): void {
    this.#reader.cancel().catch(() => {});
  }
}
