/**
 * Copies of messages, cut one after another from a longer array. A message has about 30 bytes. An
 * array of its own would cost an allocation of one or two microseconds, and work for the garbage
 * collector. A receiver may keep and change its copy.
 */

/** The length of the arrays that copies are cut from: room for some hundred messages. */
const ARRAY_BYTES = 8192;
/** A longer message, such as a state, gets an array of its own. */
const CUT_BYTES_MAX = 1024;

/**
 * Makes copies. Nothing is released: the collector frees an array after the last copy cut from it.
 */
export class MessageCopies {
  #array = new Uint8Array(0);
  #used = 0;

  /** A copy of these bytes. */
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
