/**
 * Inflates bytes (RFC 1951) synchronously, because a client needs the state before it decodes the
 * ticks after it, and the browser's own `DecompressionStream` is asynchronous. Hostile bytes cannot
 * produce more output than the announced length.
 */
import { WireError } from "./range_coder.ts";

const CODE_LENGTH_MAX = 15;
const END_OF_BLOCK = 256;
const LITERALS_MAX = 286;
const DISTANCES_MAX = 30;
/** The order of the code-length alphabet's own code lengths (RFC 1951 §3.2.7). */
const LENGTHS_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** The output's first capacity, so that a false length costs no more than that. */
const FIRST_BYTES = 16 * 1024;

/**
 * The block limit: this many, and one more for every `BYTES_PER_BLOCK` bytes in the output. It
 * exists because each block may define its own codes, which take a thousand steps to read. zlib's
 * blocks contain 16,383 symbols.
 */
const BLOCKS_AT_ONCE = 16;
const BYTES_PER_BLOCK = 1024;

/** A canonical Huffman code: how many codes have each length, and the symbols in code order. */
interface Tree {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

function treeOf(lengths: Uint8Array): Tree {
  const counts = new Uint16Array(CODE_LENGTH_MAX + 1);
  const offsets = new Uint16Array(CODE_LENGTH_MAX + 2);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  let left = 1;
  for (let length = 1; length <= CODE_LENGTH_MAX; length++) {
    left = left * 2 - counts[length]!;
    if (left < 0) throw new WireError("deflated: too many codes");
    offsets[length + 1] = offsets[length]! + counts[length]!;
  }
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length > 0) symbols[offsets[length]!++] = symbol;
  });
  return { counts, symbols };
}

/**
 * Computes the bases that belong to extra bits, for lengths and distances (§3.2.5). Each base
 * follows the previous one's range.
 */
function ranges(extras: number[], first: number): { bases: number[]; extras: number[] } {
  let base = first;
  return { extras, bases: extras.map((extra) => (base += 1 << extra) - (1 << extra)) };
}
// deno-fmt-ignore
const LENGTHS = ranges([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5,
], 3);
LENGTHS.bases.push(258);
LENGTHS.extras.push(0);
const DISTANCES = ranges(
  Array.from({ length: DISTANCES_MAX }, (_, i) => Math.max(0, (i >> 1) - 1)),
  1,
);

const FIXED_LENGTHS = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(
  8,
  280,
);
const FIXED = {
  literals: treeOf(FIXED_LENGTHS),
  distances: treeOf(new Uint8Array(DISTANCES_MAX).fill(5)),
};

class Inflater {
  readonly #from: Uint8Array;
  readonly #length: number;
  #output: Uint8Array<ArrayBuffer>;
  #count = 0;
  #bit = 0;

  constructor(from: Uint8Array, length: number) {
    this.#from = from;
    this.#length = length;
    this.#output = new Uint8Array(Math.min(length, FIRST_BYTES));
  }

  run(): Uint8Array<ArrayBuffer> {
    const blocksMax = BLOCKS_AT_ONCE + this.#length / BYTES_PER_BLOCK;
    for (let isLast = false, blocks = 1; !isLast; blocks++) {
      if (blocks > blocksMax) throw new WireError("deflated: too many blocks");
      isLast = this.#bits(1) === 1;
      const blockType = this.#bits(2);
      if (blockType === 0) this.#stored();
      else if (blockType === 1) this.#block(FIXED.literals, FIXED.distances);
      else if (blockType === 2) this.#dynamic();
      else throw new WireError("deflated: a kind of block that does not exist");
    }
    if (this.#count !== this.#length) {
      throw new WireError(`inflated ${this.#count} bytes of ${this.#length}`);
    }
    if ((this.#bit + 7) >> 3 !== this.#from.length) throw new WireError("deflated: too many bytes");
    return this.#output.length === this.#length
      ? this.#output
      : this.#output.slice(0, this.#length);
  }

  #bits(width: number): number {
    if (this.#bit + width > this.#from.length * 8) throw new WireError("deflated: it ends within");
    let value = 0;
    for (let i = 0; i < width; i++, this.#bit++) {
      value |= ((this.#from[this.#bit >> 3]! >> (this.#bit & 7)) & 1) << i;
    }
    return value;
  }

  /** Reads a symbol. Codes of equal length are consecutive numbers (§3.2.2). */
  #symbol({ counts, symbols }: Tree): number {
    for (let length = 1, code = 0, first = 0, index = 0; length <= CODE_LENGTH_MAX; length++) {
      code |= this.#bits(1);
      const count = counts[length]!;
      if (code - first < count) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new WireError("deflated: a code that does not exist");
  }

  #put(byte: number): void {
    if (this.#count >= this.#length) {
      throw new WireError(`inflated more than ${this.#length} bytes`);
    }
    if (this.#count === this.#output.length) {
      const grown = new Uint8Array(Math.min(this.#length, this.#output.length * 2));
      grown.set(this.#output);
      this.#output = grown;
    }
    this.#output[this.#count++] = byte;
  }

  #stored(): void {
    this.#bit = (this.#bit + 7) & ~7;
    const length = this.#bits(16);
    if (this.#bits(16) !== (~length & 0xffff)) throw new WireError("deflated: two lengths");
    for (let i = 0; i < length; i++) this.#put(this.#bits(8));
  }

  #dynamic(): void {
    const literals = this.#bits(5) + 257;
    const distances = this.#bits(5) + 1;
    const lengthCount = this.#bits(4) + 4;
    if (literals > LITERALS_MAX || distances > DISTANCES_MAX) {
      throw new WireError("deflated: too many codes");
    }
    const ofLengths = new Uint8Array(LENGTHS_ORDER.length);
    for (let i = 0; i < lengthCount; i++) ofLengths[LENGTHS_ORDER[i]!] = this.#bits(3);
    const lengths = this.#codeLengths(treeOf(ofLengths), literals + distances);
    this.#block(treeOf(lengths.subarray(0, literals)), treeOf(lengths.subarray(literals)));
  }

  #codeLengths(tree: Tree, count: number): Uint8Array {
    const lengths = new Uint8Array(count);
    for (let i = 0; i < count;) {
      const symbol = this.#symbol(tree);
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) throw new WireError("deflated: a repetition of nothing");

      // 16 repeats the length before; 17 and 18 repeat 0
      const repeated = symbol === 16 ? lengths[i - 1]! : 0;
      let times: number;
      if (symbol === 16) times = 3 + this.#bits(2);
      else if (symbol === 17) times = 3 + this.#bits(3);
      else times = 11 + this.#bits(7);
      if (i + times > count) throw new WireError("deflated: too many codes");
      lengths.fill(repeated, i, i += times);
    }

    return lengths;
  }

  #block(literals: Tree, distances: Tree): void {
    for (
      let symbol = this.#symbol(literals);
      symbol !== END_OF_BLOCK;
      symbol = this.#symbol(literals)
    ) {
      if (symbol < END_OF_BLOCK) this.#put(symbol);
      else {this.#copy(
          this.#ranged(symbol - END_OF_BLOCK - 1, LENGTHS),
          this.#ranged(this.#symbol(distances), DISTANCES),
        );}
    }
  }

  #ranged(symbol: number, { bases, extras }: { bases: number[]; extras: number[] }): number {
    if (symbol >= bases.length) throw new WireError("deflated: a symbol that does not exist");
    return bases[symbol]! + this.#bits(extras[symbol]!);
  }

  #copy(length: number, distance: number): void {
    if (distance > this.#count) throw new WireError("deflated: a copy of nothing");
    for (let i = 0; i < length; i++) this.#put(this.#output[this.#count - distance]!);
  }
}

/**
 * Inflates bytes.
 * @param length how long the result must be
 * @throws WireError if the bytes are not deflated, or do not inflate to `length` bytes
 */
export function inflate(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  return new Inflater(bytes, length).run();
}
