/**
 * Introductions as texts that people carry by any messenger: one line of letters, digits, "-" and
 * "_", which no messenger changes.
 *
 *     "wyvern-" base64url( deflate( { room, text } ) )
 */

const PREFIX = "wyvern-";
/** The longest line that is read, characters: an introduction with dozens of addresses. */
const LINE_LENGTH_MAX = 16_384;
/** The longest introduction, bytes. */
const BYTES_MAX = 16_384;

/** A line that is none of these: a sentence for the player. */
export class HandTextError extends Error {
  override readonly name = "HandTextError";
}

/** An introduction between a page in a room and one that wants to come in. */
export interface HandText {
  /** The room's code, four letters A–Z; empty from a page that does not know it yet. */
  readonly room: string;
  readonly text: string;
}

export async function writtenHandText({ room, text }: HandText): Promise<string> {
  const json = new Blob([JSON.stringify({ room, text })]);
  const packed = await bytesOf(json.stream().pipeThrough(new CompressionStream("deflate-raw")));
  const base64 = btoa(String.fromCharCode(...packed)).replace(/=+$/, "");
  return PREFIX + base64.replaceAll("+", "-").replaceAll("/", "_");
}

/**
 * Reads a line, also one that a messenger has broken or surrounded with other words.
 * @throws HandTextError for anything else
 */
export async function readHandText(line: string): Promise<HandText> {
  if (line.length > LINE_LENGTH_MAX) throw new HandTextError("This text is too long.");
  const packed = /wyvern-([\w-]+)/.exec(line.replace(/\s+/g, ""))?.[1];
  if (packed === undefined) throw new HandTextError("This is not a text of such a page.");
  let value: Partial<HandText> | null;
  try {
    const base64 = packed.replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    value = JSON.parse(new TextDecoder().decode(await bytesOf(unpacked)));
  } catch {
    throw new HandTextError("A part of this text is missing. Please copy all of it.");
  }
  const { room, text } = value ?? {};
  if (typeof room === "string" && /^([A-Z]{4})?$/.test(room) && typeof text === "string") {
    return { room, text };
  }
  throw new HandTextError("This is not a text of such a page.");
}

/** @throws RangeError for a stream of more bytes than an introduction has */
async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const bytes = new Uint8Array(BYTES_MAX);
  let length = 0;
  const reader = stream.getReader();
  while (true) {
    const { value, done } = await reader.read();
    if (done) return bytes.subarray(0, length);
    if (length + value.length > BYTES_MAX) {
      await reader.cancel();
      throw new RangeError("more bytes than an introduction");
    }
    bytes.set(value, length);
    length += value.length;
  }
}
