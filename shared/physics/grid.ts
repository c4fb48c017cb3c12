/**
 * Boxes sorted into square cells, so that a box is compared with its neighbours only. Built anew from the boxes alone whenever
 * it is used: what overlaps is a function of the boxes, and there is no memory that a rollback would have to restore.
 *
 *     cell(x, y) = (floor(x / size), floor(y / size)),   its bucket = hash(cell) mod a power of two
 *
 * A pair shares several cells; it is found in the one that holds the lower left corner of what the two have in common.
 */

import type { Boxes } from "./axis.ts";

/** A box in more cells is compared with everybody: floors and walls, of which there are few. */
const CELLS_PER_BOX_MAX = 16;
/** In boxes of mean size: fewer cells per box against fewer boxes per cell; from 1.5 to 3 the time is flat. */
const CELL_BOXES = 2;
/** Metres: no scene is finer or coarser. Whole numbers of cells then stay small enough to be exact. */
const CELL_MIN = 0.01, CELL_MAX = 1e4;

/** In cells: beyond this a coordinate fits no Int32Array. */
const FAR = 1 << 30;

/** Finds what overlaps a box. */
export class Grid {
  #boxes: Boxes = emptyBoxes;
  #ids: readonly number[] = [];
  #size = 1;
  /** By id: the first and last cells of its box. */
  #x0 = new Int32Array(0);
  #y0 = new Int32Array(0);
  #x1 = new Int32Array(0);
  #y1 = new Int32Array(0);
  /** By id: 1 for a box in too many cells. */
  #isLarge = new Uint8Array(0);
  readonly #large: number[] = [];
  /** By bucket, and one more: where its ids begin in `#entries`. */
  #begins = new Int32Array(0);
  #entries = new Int32Array(0);
  #mask = 0;

  /** Sorts the boxes of these ids, until one of them changes. */
  build(ids: readonly number[], boxes: Boxes): void {
    this.#boxes = boxes;
    this.#ids = ids;
    this.#reserve(boxes.left.length, ids.length);
    this.#size = cellSize(ids, boxes);
    this.#large.length = 0;
    const begins = this.#begins.fill(0);
    for (let i = 0; i < ids.length; i++) this.#measure(ids[i]!);
    for (let i = 1; i < begins.length; i++) begins[i] = begins[i]! + begins[i - 1]!;
    const entries = begins[begins.length - 1]!;
    if (entries > this.#entries.length) this.#entries = new Int32Array(entries * 2);
    for (let i = 0; i < ids.length; i++) this.#enter(ids[i]!);
  }

  /** Writes the ids of all boxes that overlap that of `id` into `found`, itself included, some twice. @returns how many */
  overlapping(id: number, found: number[]): number {
    if (this.#isLarge[id] === 1) return this.#compare(id, this.#ids, found, 0);
    const { left, bottom, right, top } = this.#boxes;
    const l = left[id]!, b = bottom[id]!, r = right[id]!, t = top[id]!;
    const x0 = this.#x0, y0 = this.#y0, entries = this.#entries, begins = this.#begins;
    let count = 0;
    for (let y = y0[id]!; y <= this.#y1[id]!; y++) {
      for (let x = x0[id]!; x <= this.#x1[id]!; x++) {
        const bucket = this.#bucketOf(x, y);
        for (let i = begins[bucket]!; i < begins[bucket + 1]!; i++) {
          const other = entries[i]!;
          if (!(left[other]! <= r && l <= right[other]! && bottom[other]! <= t && b <= top[other]!)) continue;
          if (Math.max(x0[id]!, x0[other]!) === x && Math.max(y0[id]!, y0[other]!) === y) found[count++] = other;
        }
      }
    }
    return this.#compare(id, this.#large, found, count);
  }

  /** One by one. */
  #compare(id: number, others: readonly number[], found: number[], count: number): number {
    const { left, bottom, right, top } = this.#boxes;
    const l = left[id]!, b = bottom[id]!, r = right[id]!, t = top[id]!;
    for (let i = 0; i < others.length; i++) {
      const other = others[i]!;
      if (left[other]! <= r && l <= right[other]! && bottom[other]! <= t && b <= top[other]!) found[count++] = other;
    }
    return count;
  }

  /** In which cells it is; counts it in their buckets. */
  #measure(id: number): void {
    const { left, bottom, right, top } = this.#boxes, size = this.#size;
    const x0 = Math.floor(left[id]! / size), x1 = Math.floor(right[id]! / size);
    const y0 = Math.floor(bottom[id]! / size), y1 = Math.floor(top[id]! / size);
    // so written that a box of no numbers, or one that reaches to infinity, is large
    const small = (x1 - x0 + 1) * (y1 - y0 + 1) <= CELLS_PER_BOX_MAX && x1 >= x0 && y1 >= y0 &&
      x0 > -FAR && x1 < FAR && y0 > -FAR && y1 < FAR;
    this.#isLarge[id] = small ? 0 : 1;
    if (!small) {
      this.#large.push(id);
      return;
    }
    this.#x0[id] = x0;
    this.#x1[id] = x1;
    this.#y0[id] = y0;
    this.#y1[id] = y1;
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const bucket = this.#bucketOf(x, y);
        this.#begins[bucket] = this.#begins[bucket]! + 1;
      }
    }
  }

  /** Into its buckets, from the end of each to its beginning. */
  #enter(id: number): void {
    if (this.#isLarge[id] === 1) return;
    for (let y = this.#y0[id]!; y <= this.#y1[id]!; y++) {
      for (let x = this.#x0[id]!; x <= this.#x1[id]!; x++) {
        const bucket = this.#bucketOf(x, y), place = this.#begins[bucket]! - 1;
        this.#begins[bucket] = place;
        this.#entries[place] = id;
      }
    }
  }

  #bucketOf(x: number, y: number): number {
    const mixed = Math.imul(x, 0x9e37_79b1) ^ Math.imul(y, 0x85eb_ca6b);
    return (mixed ^ mixed >>> 15) & this.#mask;
  }

  #reserve(capacity: number, count: number): void {
    if (this.#isLarge.length < capacity) {
      this.#x0 = new Int32Array(capacity);
      this.#y0 = new Int32Array(capacity);
      this.#x1 = new Int32Array(capacity);
      this.#y1 = new Int32Array(capacity);
      this.#isLarge = new Uint8Array(capacity);
    }
    let buckets = 64;
    while (buckets < 2 * count) buckets *= 2;
    if (this.#begins.length < buckets + 1) this.#begins = new Int32Array(buckets + 1);
    this.#mask = this.#begins.length - 2;
  }
}

const emptyBoxes: Boxes = {
  left: new Float64Array(0),
  bottom: new Float64Array(0),
  right: new Float64Array(0),
  top: new Float64Array(0),
};

/** From the boxes' mean size. Whatever it is, the grid finds the same. */
function cellSize(ids: readonly number[], { left, bottom, right, top }: Boxes): number {
  let sum = 0;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!, size = (right[id]! - left[id]! + top[id]! - bottom[id]!) / 2;
    if (size < CELL_MAX) sum += size;
  }
  return Math.min(CELL_MAX, Math.max(CELL_MIN, CELL_BOXES * sum / ids.length));
}
