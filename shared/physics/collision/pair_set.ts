/**
 * A set of pairs of small numbers, as one bit each: asking costs one read. The broad-phase leaves out with it the pairs that have
 * their contact already, which are nearly all that it finds.
 */
export class PairSet {
  /** Rows of bits, one for each first number. */
  #bits = new Uint32Array(0);
  /** Numbers that there is room for, a multiple of 32. */
  #size = 0;

  /** Makes room for numbers 0 … `size` - 1, and forgets nothing. */
  reserve(size: number): void {
    if (size <= this.#size) return;
    const old = this.#bits, oldWords = this.#size >>> 5, words = (size + 31) >>> 5;
    this.#size = words << 5;
    this.#bits = new Uint32Array(this.#size * words);
    for (let row = 0; row * oldWords < old.length; row++) {
      this.#bits.set(old.subarray(row * oldWords, (row + 1) * oldWords), row * words);
    }
  }

  /** In either order. */
  has(a: number, b: number): boolean {
    return (this.#bits[this.#u32IndexOf(a, b)]! >>> (Math.max(a, b) & 31) & 1) === 1;
  }

  add(a: number, b: number): void {
    this.#bits[this.#u32IndexOf(a, b)]! |= 1 << (Math.max(a, b) & 31);
  }

  delete(a: number, b: number): void {
    this.#bits[this.#u32IndexOf(a, b)]! &= ~(1 << (Math.max(a, b) & 31));
  }

  #u32IndexOf(a: number, b: number): number {
    return Math.min(a, b) * (this.#size >>> 5) + (Math.max(a, b) >>> 5);
  }
}
