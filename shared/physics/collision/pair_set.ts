/**
 * A set of pairs of small numbers, one bit per pair: a test costs one read. The broad-phase
 * excludes with it the pairs that already have a contact, nearly all that it finds.
 */
export class PairSet {
  /** One row of bits for each smaller number. */
  #bits = new Uint32Array(0);
  /** Capacity in numbers, a multiple of 32. */
  #size = 0;

  /** Makes room for numbers 0 … `size` − 1 and keeps all pairs. */
  reserve(size: number): void {
    if (size <= this.#size) return;
    const old = this.#bits;
    const oldWords = this.#size >>> 5;
    const words = (size + 31) >>> 5;
    this.#size = words << 5;
    this.#bits = new Uint32Array(this.#size * words);
    for (let row = 0; row * oldWords < old.length; row++) {
      this.#bits.set(old.subarray(row * oldWords, (row + 1) * oldWords), row * words);
    }
  }

  /** Whether the set has the pair, in either order. */
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
