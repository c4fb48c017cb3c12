/**
 * Copies messages into pieces of a longer array. A message takes about 30 bytes; its own array
 * would cost an allocation of one or two microseconds, and work for the garbage collector. A
 * receiver may keep and change its copy.
 */

/** The length of the arrays that copies are cut from: room for some hundred messages. */
const ARRAY_BYTES = 8192;
/** A longer message, such as a state, gets its own array. */
const CUT_BYTES_MAX = 1024;

/**
 * Makes copies. It releases nothing: the collector frees an array after the last copy cut from it.
 */
export class MessageCopies {
  #array = new Uint8Array(0);
  #used = 0;

  /** Copies these bytes. */
  of(message: Uint8Array): Uint8Array {
    const { length } = message;
    if (length > CUT_BYTES_MAX) return message.slice();
    if (this.#used + length > this.#array.length) {
      this.#array = new Uint8Array(ARRAY_BYTES);
      this.#used = 0;
    }
    const copy = this.#array.subarray(this.#used, this.#used + length);
    copy.set(message);
    this.#used += length;
    return copy;
  }
}
