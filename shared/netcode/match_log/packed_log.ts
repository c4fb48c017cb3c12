/**
 * Packs a log for its way to a page. In a file each record needs a check, because a disk may tear
 * or change it. A page checks every tick's hash anyway, so here only a length precedes a record:
 *
 *     packed log = 4 zero bytes · (length · payload) …       length: 7 bits a byte, the lowest first; the last has no bit 7
 *
 * A log never begins with four zero bytes, because records are not empty. So a reader can take
 * either.
 */
import { FrameWriter } from "./frames.ts";
import { LogError } from "./records.ts";

const MARK_BYTES = 4;
/** The most bytes in a length: 28 bits, more than any record needs. */
const LENGTH_BYTES_MAX = 4;

/**
 * Packs one log's records into that log's own memory and so destroys it, because a page's download
 * then takes the megabytes of one buffer instead of two. Records get shorter, so the writer stays
 * behind what is still to be read.
 */
export class LogPacker {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #length = MARK_BYTES;

  /** @param log the log to overwrite; add some or all of its records, in their order */
  constructor(log: Uint8Array<ArrayBuffer>) {
    this.#bytes = log.length < MARK_BYTES ? new Uint8Array(MARK_BYTES) : log;
  }

  /** Appends a record. @throws RangeError if the records come from a longer log */
  add(payload: Uint8Array): void {
    let { length } = payload;
    for (; length > 127; length >>>= 7) this.#bytes[this.#length++] = 128 | length & 127;
    this.#bytes[this.#length++] = length;
    this.#bytes.set(payload, this.#length);
    this.#length += payload.length;
  }

  /** The packed log so far, not copied. */
  get bytes(): Uint8Array<ArrayBuffer> {
    this.#bytes.fill(0, 0, MARK_BYTES);
    return this.#bytes.subarray(0, this.#length);
  }
}

/**
 * Restores a log. @param bytes a packed log, or a log, which is returned as it is
 * @param bytesMax the longest log to accept
 * @throws LogError if the packed log ends within a record, or unpacks to a longer log
 */
export function unpackedLog(bytes: Uint8Array, bytesMax: number): Uint8Array {
  const isPacked = bytes.length >= MARK_BYTES &&
    bytes.subarray(0, MARK_BYTES).every((byte) => byte === 0);
  if (!isPacked) return bytes;

  // Unpack one record after another
  const writer = new FrameWriter();
  let log = new Uint8Array(2 * bytes.length);
  let length = 0;
  for (let at = MARK_BYTES; at < bytes.length;) {
    const { from, to } = recordAt(bytes, at);
    const frame = writer.frame(bytes.subarray(from, to));
    if (length + frame.length > bytesMax) {
      throw new LogError(`a log of more than ${bytesMax} bytes`);
    }

    // Make room
    if (length + frame.length > log.length) {
      const grown = new Uint8Array(2 * (length + frame.length));
      grown.set(log);
      log = grown;
    }

    // Append the record, framed
    log.set(frame, length);
    length += frame.length;
    at = to;
  }

  return log.subarray(0, length);
}

/** Locates a record's payload. @param at the offset of its length */
function recordAt(bytes: Uint8Array, at: number): { from: number; to: number } {
  let length = 0;
  let from = at;
  for (let more = true; more; from++) {
    const byte = bytes[from];
    if (byte === undefined || from - at >= LENGTH_BYTES_MAX) {
      throw new LogError(`a packed log that is torn at ${at}`);
    }
    length |= (byte & 127) << 7 * (from - at);
    more = byte > 127;
  }
  if (from + length > bytes.length) throw new LogError(`a packed log that is torn at ${at}`);
  return { from, to: from + length };
}
