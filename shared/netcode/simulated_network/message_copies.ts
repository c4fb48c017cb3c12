/**
 * Copies of messages. An array of bytes of its own costs an allocator's call and the garbage collector's books, a microsecond or two;
 * a message is thirty bytes. So copies are cut from a longer array, one after the other, each its owner's to keep and to write to.
 */

/** Copies are cut from arrays as long as this: some hundred of them. It lives as long as the last of them. */
const ARRAY_BYTES = 8192;
/** What is longer than this has an array of its own: a state. */
const CUT_BYTES_MAX = 1024;

/** Who copies. Nothing is ever given back: an array goes with the last copy cut from it. */
export class MessageCopies {
  #array = new Uint8Array(0);
  #used = 0;

  /** The same bytes, elsewhere. */
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
