/**
 * Reads the bodies of the few requests that carry one. They are short; a longer one is not read to
 * its end.
 */
import type { IncomingMessage } from "node:http";

/** @returns the body as text; undefined if it is longer than `bytesMax` */
export async function bodyOf(
  request: IncomingMessage,
  bytesMax: number,
): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > bytesMax) return undefined;
    parts.push(part);
  }
  return await new Blob(parts as BlobPart[]).text();
}

/** @returns the JSON value of a text; undefined if the text is not JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
