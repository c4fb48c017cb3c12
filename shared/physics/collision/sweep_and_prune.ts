/**
 * Sweep and prune along one axis: the longer side of the scene. AABBs are sorted by their start. An
 * AABB that overlaps another starts before that one ends, and at most the longest short length
 * before that one starts.
 *
 * Insertion sort repairs the order before each search. AABBs move little in a step, so that costs
 * hardly more than one pass. The order decides only the speed of a search, never its result: a
 * rollback need not restore it.
 *
 * With n AABBs in a square a search compares about n^1.5 pairs. A grid of cells was slower up to n
 * = 1,024.
 */

import type { RowList } from "../core/row_list.ts";
import type { PairSet } from "./pair_set.ts";

/** AABBs by proxy id, metres. */
export interface AabbArrays {
  readonly left: Float64Array;
  readonly bottom: Float64Array;
  readonly right: Float64Array;
  readonly top: Float64Array;
}

/** The proxies whose AABB was set since the last search. */
interface Moved {
  /** By id: 1 for those. */
  readonly moved: Uint8Array;
  /** Their ids, each once. A destroyed proxy's may be among them, and its `moved` is 0 then. */
  readonly movedIds: RowList;
}

/**
 * One AABB, metres. It is a class with fractions as initial values. In a literal with the shape of
 * `AabbArrays` V8 would allocate a heap number per field.
 */
export class Aabb {
  left = 0.5;
  bottom = 0.5;
  right = 0.5;
  top = 0.5;
}

/**
 * AABBs longer than this fraction of the scene, such as floors, are not sorted but compared with
 * every other.
 */
const LONG_FRACTION = 1 / 4;
/**
 * The axis changes once the other side is longer by this factor, because sorting from scratch is
 * costly.
 */
const AXIS_SWITCH_RATIO = 1.5;

/**
 * Searches between two choices of the axis. The choice takes half as long as the repair of the
 * order, and scenes change their shape slowly.
 */
const AXIS_SEARCHES = 16;
/**
 * Up to this many moved AABBs are compared with all others, without sorting: after a time of impact
 * there are one or two.
 */
const UNSORTED_MOVED_MAX = 4;

/** The ids of all live proxies, sorted. */
export class SweepAndPrune {
  /** First the short ones, sorted by their start, then the long ones. */
  #ids = new Int32Array(64);
  #count = 0;
  #shortCount = 0;
  #shortLengthMax = 0;
  #isSorted = true;
  /** Whether the axis is y instead of x. */
  #isVertical = false;
  /** Metres: the scene along the axis when it was chosen. */
  #sceneLength = 0;
  #searchesWithAxis = AXIS_SEARCHES;

  add(id: number): void {
    if (this.#count === this.#ids.length) {
      const ids = new Int32Array(this.#count * 2);
      ids.set(this.#ids);
      this.#ids = ids;
    }
    this.#ids[this.#count++] = id;
    this.#isSorted = false;
    this.#searchesWithAxis = AXIS_SEARCHES;
  }

  remove(id: number): void {
    const ids = this.#ids;
    const index = ids.indexOf(id);
    ids.copyWithin(index, index + 1, this.#count--);
    this.#isSorted = false;
  }

  /** @returns a copy of the ids, in no order */
  all(): Int32Array<ArrayBuffer> {
    return this.#ids.slice(0, this.#count);
  }

  /** An AABB has changed. */
  invalidate(): void {
    this.#isSorted = false;
  }

  /**
   * Fills `results`, with room for all ids, with those that overlap, in no order.
   * @returns their number
   */
  query(aabbs: AabbArrays, { left, bottom, right, top }: Aabb, results: Int32Array): number {
    this.#sort(aabbs);
    const ids = this.#ids;
    const { left: lefts, right: rights, bottom: bottoms, top: tops } = aabbs;
    const begins = this.#isVertical ? bottoms : lefts;
    const begin = this.#isVertical ? bottom : left;
    const end = this.#isVertical ? top : right;
    let count = 0;

    // From the first short one that may reach into the AABB
    for (
      let index = this.#firstFrom(begins, begin - this.#shortLengthMax);
      index < this.#count;
      index++
    ) {
      // After the last short one that begins early enough the long ones follow.
      if (index < this.#shortCount && begins[ids[index]!]! > end) index = this.#shortCount;
      if (index === this.#count) break;
      const id = ids[index]!;
      if (
        left <= rights[id]! && lefts[id]! <= right && bottoms[id]! <= top && bottom <= tops[id]!
      ) {
        results[count++] = id;
      }
    }

    return count;
  }

  /**
   * Reports every overlapping pair once if one of the two has moved.
   * @param of.moved by id: 1 if its AABB was set since the last search
   * @param of.movedIds the same as a list
   * @param of.known pairs to exclude
   */
  findNewPairs(
    aabbs: AabbArrays,
    { moved, movedIds, known }: Moved & { readonly known: PairSet },
    onPair: (a: number, b: number) => void,
  ): void {
    // Few have moved: sorting would cost more
    if (movedIds.count <= UNSORTED_MOVED_MAX) {
      return this.#compareMoved(aabbs, { moved, movedIds, known }, onPair);
    }

    // Sweep along the axis
    this.#sort(aabbs);
    const { left, bottom, right, top } = aabbs;
    const ids = this.#ids;
    const isVertical = this.#isVertical;
    const begins = isVertical ? bottom : left;
    const ends = isVertical ? top : right;
    const lows = isVertical ? left : bottom;
    const highs = isVertical ? right : top;

    for (let i = 0; i < this.#count; i++) {
      const id = ids[i]!;
      const begin = begins[id]!;
      const end = ends[id]!;
      const low = lows[id]!;
      const high = highs[id]!;
      const isShort = i < this.#shortCount;
      const hasMoved = moved[id] === 1;

      // A short one is compared with the short ones that begin within it, a long one with all that
      // precede it.
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

  /** The same for few moved AABBs. */
  #compareMoved(
    { left, bottom, right, top }: AabbArrays,
    { moved, movedIds, known }: Moved & { readonly known: PairSet },
    onPair: (a: number, b: number) => void,
  ): void {
    for (let i = 0; i < movedIds.count; i++) {
      const id = movedIds.rows[i]!;

      // A proxy that was destroyed after it moved; a new one may have its id, which is then in the
      // list twice.
      if (moved[id] === 0 || movedIds.indexOf(id) < i) continue;

      const begin = left[id]!;
      const end = right[id]!;
      const low = bottom[id]!;
      const high = top[id]!;
      for (let k = 0; k < this.#count; k++) {
        const other = this.#ids[k]!;
        if (
          !(begin <= right[other]! && left[other]! <= end && bottom[other]! <= high &&
            low <= top[other]!)
        ) continue;

        // If both have moved, the first one reports the pair.
        if (other === id || (moved[other] === 1 && movedIds.indexOf(other) < i)) continue;
        if (!known.has(id, other)) onPair(id, other);
      }
    }
  }

  /** @returns the index of the first short one that begins at or after `x` */
  #firstFrom(begins: Float64Array, x: number): number {
    let low = 0;
    let high = this.#shortCount;
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
    if (++this.#searchesWithAxis > AXIS_SEARCHES) this.#chooseAxis(aabbs);

    // Short ones first, by where they begin; long ones follow in no order
    const longLength = this.#sceneLength * LONG_FRACTION;
    const ids = this.#ids;
    const begins = this.#isVertical ? aabbs.bottom : aabbs.left;
    const ends = this.#isVertical ? aabbs.top : aabbs.right;
    let shortCount = 0;
    this.#shortLengthMax = 0;
    for (let i = 0; i < this.#count; i++) {
      const id = ids[i]!;
      const begin = begins[id]!;
      const length = ends[id]! - begin;
      if (!(length <= longLength)) continue;
      this.#shortLengthMax = Math.max(this.#shortLengthMax, length);

      // Insertion among the short ones. The long one at this index moves up.
      ids[i] = ids[shortCount]!;
      let index = shortCount++;
      for (; index > 0 && begins[ids[index - 1]!]! > begin; index--) ids[index] = ids[index - 1]!;
      ids[index] = id;
    }

    this.#shortCount = shortCount;
  }

  /** Chooses the scene's longer side as the axis. */
  #chooseAxis({ left, bottom, right, top }: AabbArrays): void {
    this.#searchesWithAxis = 0;
    let leftmost = Infinity;
    let rightmost = -Infinity;
    let lowest = Infinity;
    let highest = -Infinity;
    for (let i = 0; i < this.#count; i++) {
      const id = this.#ids[i]!;
      leftmost = Math.min(leftmost, left[id]!);
      rightmost = Math.max(rightmost, right[id]!);
      lowest = Math.min(lowest, bottom[id]!);
      highest = Math.max(highest, top[id]!);
    }
    const width = rightmost - leftmost;
    const height = highest - lowest;
    if (height > width * AXIS_SWITCH_RATIO) this.#isVertical = true;
    else if (width > height * AXIS_SWITCH_RATIO) this.#isVertical = false;
    this.#sceneLength = this.#isVertical ? height : width;
  }
}
