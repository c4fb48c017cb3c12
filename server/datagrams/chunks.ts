/**
 * Reads a QUIC stream in small pieces. By default Deno allocates 64 KiB for each read, however few
 * bytes come, and a hundred short sessions leave 30 MB of such buffers until the next garbage
 * collection.
 */

/** How many bytes one read may return: more than a packet carries. */
const CHUNK_BYTES = 2_048;

type Bytes = Uint8Array<ArrayBuffer>;

export class ChunkReader {
  readonly #reader: ReadableStreamBYOBReader;

  /** @param stream of bytes, as all QUIC streams are */
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

  /** Stops reading. Whatever still comes is dropped. */
  cancel(): void {
    this.#reader.cancel().catch(() => {});
  }
}
