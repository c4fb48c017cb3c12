/**
 * The server's end of `deno task dev`. Each line on standard input lists the sources' present
 * problems as JSON, and means that the pages may have changed.
 */

/** The answer to `GET /dev` before the first line. */
export const NO_PROBLEMS = '{"problems":[]}';

/** Reads lines for as long as the process lives. */
export class DevInput {
  #problems = NO_PROBLEMS;

  /**
   * @param lines each the answer to `GET /dev`, as JSON
   * @param onLine called for each line, one call after the other
   */
  constructor(lines: AsyncIterable<string>, onLine: () => Promise<void>) {
    void this.#read(lines, onLine);
  }

  /** The newest line: the answer to `GET /dev`. */
  get problems(): string {
    return this.#problems;
  }

  async #read(lines: AsyncIterable<string>, onLine: () => Promise<void>): Promise<void> {
    for await (const line of lines) {
      await onLine();
      this.#problems = line;
    }
  }
}
