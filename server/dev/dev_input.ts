/**
 * The server's end of `deno task dev`: each line on standard input has the present problems of the sources as JSON, and
 * says that the pages may be new.
 */

/** The answer to `GET /dev` before the first line. */
const NO_PROBLEMS = '{"problems":[]}';

/** Reads lines for the life of the process. */
export class DevInput {
  #problems = NO_PROBLEMS;

  /** @param onLine called for each line, one call after the other */
  constructor(lines: ReadableStream<Uint8Array>, onLine: () => Promise<void>) {
    void this.#read(lines, onLine);
  }

  /** The newest line: the answer to `GET /dev`. */
  get problems(): string {
    return this.#problems;
  }

  async #read(bytes: ReadableStream<Uint8Array>, onLine: () => Promise<void>): Promise<void> {
    let rest = "";
    for await (const text of bytes.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        await onLine();
        this.#problems = line;
      }
    }
  }
}
