/**
 * Boxes in the order in which they begin along the longer side of the scene: what overlaps a box begins before that one ends,
 * and not much before it begins. The order is brought up to date whenever it is asked for; boxes move little in a step, so that
 * takes hardly longer than a look. It decides only how fast pairs are found, never which: there is no memory that a rollback
 * would have to restore. Of n boxes in a square some n^1.5 pairs are looked at; up to 1,024 a grid of cells was slower.
 */

import type { PairSet } from "./pair_set.ts";

/** By id, metres. */
export interface AabbArrays {
  readonly left: Float64Array;
  readonly bottom: Float64Array;
  readonly right: Float64Array;
  readonly top: Float64Array;
}

/**
 * One, metres. A class of its own, beginning with fractions: V8 would box each number that is put into a literal of the same
 * names as one of arrays.
 */
export class Aabb {
  left = 0.5;
  bottom = 0.5;
  right = 0.5;
  top = 0.5;
}

/** Floors and the like: boxes longer than this part of the whole are looked at one by one. */
const LONG_FRACTION = 1 / 4;
/** The other side must be so much longer before the order turns to it: it is costly to make from nothing. */
const AXIS_SWITCH_RATIO = 1.5;

/** The boxes of all live proxies, sorted. */
export class SweepAndPrune {
  /** The short ones by where they begin, then the long ones. */
  #ids = new Int32Array(64);
  #count = 0;
  #shortCount = 0;
  #shortLengthMax = 0;
  #isSorted = true;
  /** The order is from bottom to top, not from left to right. */
  #isVertical = false;

  add(id: number): void {
    if (this.#count === this.#ids.length) {
      const ids = new Int32Array(this.#count * 2);
      ids.set(this.#ids);
      this.#ids = ids;
    }
    this.#ids[this.#count++] = id;
    this.#isSorted = false;
  }

  remove(id: number): void {
    const ids = this.#ids, index = ids.indexOf(id);
    ids.copyWithin(index, index + 1, this.#count--);
    this.#isSorted = false;
  }

  /** Some box is not where it was. */
  invalidate(): void {
    this.#isSorted = false;
  }

  /** Fills `results` with those that overlap this box, in no particular order. @returns how many; `results` has room for all */
  query(aabbs: AabbArrays, { left, bottom, right, top }: Aabb, results: Int32Array): number {
    this.#sort(aabbs);
    const ids = this.#ids, { left: lefts, right: rights, bottom: bottoms, top: tops } = aabbs;
    const begins = this.#isVertical ? bottoms : lefts, begin = this.#isVertical ? bottom : left;
    const end = this.#isVertical ? top : right;
    let count = 0;
    for (let index = this.#firstFrom(begins, begin - this.#shortLengthMax); index < this.#count; index++) {
      // behind the last short one that begins early enough come the long ones
      if (index < this.#shortCount && begins[ids[index]!]! > end) index = this.#shortCount;
      if (index === this.#count) break;
      const id = ids[index]!;
      if (left <= rights[id]! && lefts[id]! <= right && bottoms[id]! <= top && bottom <= tops[id]!) {
        results[count++] = id;
      }
    }
    return count;
  }

  /**
   * Reports every pair that overlaps, once, where one of the two has moved.
   * @param of.moved by id: 1 for those
   * @param of.known pairs that nobody wants to hear of
   */
  findNewPairs(
    aabbs: AabbArrays,
    { moved, known }: { readonly moved: Uint8Array; readonly known: PairSet },
    onPair: (a: number, b: number) => void,
  ): void {
    this.#sort(aabbs);
    const { left, bottom, right, top } = aabbs;
    const ids = this.#ids, isVertical = this.#isVertical;
    const begins = isVertical ? bottom : left, ends = isVertical ? top : right;
    const lows = isVertical ? left : bottom, highs = isVertical ? right : top;
    for (let i = 0; i < this.#count; i++) {
      const id = ids[i]!, begin = begins[id]!, end = ends[id]!, low = lows[id]!, high = highs[id]!;
      const isShort = i < this.#shortCount, hasMoved = moved[id] === 1;
      // a short one meets the short ones that begin on it, a long one everybody before it
      for (let k = isShort ? i + 1 : 0, last = isShort ? this.#shortCount : i; k < last; k++) {
        const other = ids[k]!;
        if (!(begins[other]! <= end)) {
          if (isShort) break;
          continue;
        }
        if (!hasMoved && moved[other] === 0) continue;
        if (!(begin <= ends[other]! && lows[other]! <= high && low <= highs[other]!)) continue;
        if (!known.has(id, other)) onPair(id, other);
      }
    }
  }

  /** The first short one that does not begin before `x`. */
  #firstFrom(begins: Float64Array, x: number): number {
    let low = 0, high = this.#shortCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (begins[this.#ids[middle]!]! < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sort(aabbs: AabbArrays): void {
    if (this.#isSorted) return;
    this.#isSorted = true;
    const longLength = this.#chooseAxis(aabbs) * LONG_FRACTION, ids = this.#ids;
    const begins = this.#isVertical ? aabbs.bottom : aabbs.left, ends = this.#isVertical ? aabbs.top : aabbs.right;
    let shortCount = 0;
    this.#shortLengthMax = 0;
    for (let i = 0; i < this.#count; i++) {
      const id = ids[i]!, begin = begins[id]!, length = ends[id]! - begin;
      if (!(length <= longLength)) continue;
      this.#shortLengthMax = Math.max(this.#shortLengthMax, length);
      // by insertion among the short ones; what stood there moves up
      ids[i] = ids[shortCount]!;
      let index = shortCount++;
      for (; index > 0 && begins[ids[index - 1]!]! > begin; index--) ids[index] = ids[index - 1]!;
      ids[index] = id;
    }
    this.#shortCount = shortCount;
  }

  /** Along the longer side of the whole. @returns its length */
  #chooseAxis({ left, bottom, right, top }: AabbArrays): number {
    let leftmost = Infinity, rightmost = -Infinity, lowest = Infinity, highest = -Infinity;
    for (let i = 0; i < this.#count; i++) {
      const id = this.#ids[i]!;
      leftmost = Math.min(leftmost, left[id]!);
      rightmost = Math.max(rightmost, right[id]!);
      lowest = Math.min(lowest, bottom[id]!);
      highest = Math.max(highest, top[id]!);
    }
    const width = rightmost - leftmost, height = highest - lowest;
    if (height > width * AXIS_SWITCH_RATIO) this.#isVertical = true;
    else if (width > height * AXIS_SWITCH_RATIO) this.#isVertical = false;
    return this.#isVertical ? height : width;
  }
}
