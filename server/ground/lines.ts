/** Reads a pipe's lines, each of bounded length. */

const NEWLINE = 10;

/**
 * Reads text line by line.
 * @param bytesMax the longest line, without its newline
 * @throws RangeError for a longer line, before all of it is in memory
 */
export async function* linesOf(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();

  // The unfinished line
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array): void => {
    length += part.length;
    if (length > bytesMax) throw new RangeError(`a line of more than ${bytesMax} bytes`);
    parts.push(part);
  };

  for await (const chunk of stream) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, to));
      const whole = joined(parts, length);

      parts = [];
      length = 0;
      from = to + 1;
      yield decoder.decode(whole);
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
