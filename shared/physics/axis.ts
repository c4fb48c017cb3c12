/**
 * Boxes in the order of their left edges: what overlaps a box begins before that one ends, and not much before it begins. The
 * order is brought up to date whenever it is asked for; boxes move little in a step, so that takes hardly longer than a look.
 * It decides only how fast pairs are found, never which: there is no memory that a rollback would have to restore.
 */

/** By id, metres. */
export interface Boxes {
  readonly left: Float64Array;
  readonly bottom: Float64Array;
  readonly right: Float64Array;
  readonly top: Float64Array;
}

/**
 * One, metres. A class of its own, beginning with fractions: V8 would box each number that is put into a literal of the same
 * names as one of arrays.
 */
export class Box {
  left = 0.5;
  bottom = 0.5;
  right = 0.5;
  top = 0.5;
}

/** Floors and the like: boxes wider than this part of the whole are looked at one by one. */
const WIDE_PART = 1 / 8;

/** The boxes of all live proxies, sorted. */
export class Axis {
  /** The narrow ones by their left edges, then the wide ones. */
  #ids = new Int32Array(64);
  #count = 0;
  #narrowCount = 0;
  #narrowWidthMax = 0;
  #isSorted = true;

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
    const ids = this.#ids, place = ids.indexOf(id);
    ids.copyWithin(place, place + 1, this.#count--);
    this.#isSorted = false;
  }

  /** Some box is not where it was. */
  change(): void {
    this.#isSorted = false;
  }

  /** Fills `found` with those that overlap this box, in no particular order. @returns how many; `found` has room for all */
  findWithin(boxes: Boxes, { left, bottom, right, top }: Box, found: Int32Array): number {
    this.#sort(boxes);
    const ids = this.#ids, { left: lefts, right: rights, bottom: bottoms, top: tops } = boxes;
    let count = 0;
    for (let place = this.#firstFrom(lefts, left - this.#narrowWidthMax); place < this.#count; place++) {
      // behind the last narrow one that begins early enough come the wide ones
      if (place < this.#narrowCount && lefts[ids[place]!]! > right) place = this.#narrowCount;
      if (place === this.#count) break;
      const id = ids[place]!;
      if (left <= rights[id]! && lefts[id]! <= right && bottoms[id]! <= top && bottom <= tops[id]!) found[count++] = id;
    }
    return count;
  }

  /**
   * Tells of every pair that overlaps, once, where one of the two has moved.
   * @param moved by id: 1 for those
   */
  findPairs(boxes: Boxes, moved: Uint8Array, tell: (a: number, b: number) => void): void {
    this.#sort(boxes);
    const ids = this.#ids, { left: lefts, right: rights, bottom: bottoms, top: tops } = boxes;
    for (let i = 0; i < this.#count; i++) {
      const id = ids[i]!, left = lefts[id]!, right = rights[id]!, bottom = bottoms[id]!, top = tops[id]!;
      const isNarrow = i < this.#narrowCount, hasMoved = moved[id] === 1;
      // a narrow one meets the narrow ones that begin on it, a wide one everybody before it
      for (let k = isNarrow ? i + 1 : 0, end = isNarrow ? this.#narrowCount : i; k < end; k++) {
        const other = ids[k]!;
        if (!(lefts[other]! <= right)) {
          if (isNarrow) break;
          continue;
        }
        if (!hasMoved && moved[other] === 0) continue;
        if (left <= rights[other]! && bottoms[other]! <= top && bottom <= tops[other]!) tell(id, other);
      }
    }
  }

  /** The first narrow one whose left edge is not before `x`. */
  #firstFrom(lefts: Float64Array, x: number): number {
    let low = 0, high = this.#narrowCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lefts[this.#ids[middle]!]! < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sort(boxes: Boxes): void {
    if (this.#isSorted) return;
    this.#isSorted = true;
    const ids = this.#ids, { left: lefts, right: rights } = boxes, wide = this.#widthOfWide(boxes);
    let narrow = 0;
    this.#narrowWidthMax = 0;
    for (let i = 0; i < this.#count; i++) {
      const id = ids[i]!, left = lefts[id]!, width = rights[id]! - left;
      if (!(width <= wide)) continue;
      this.#narrowWidthMax = Math.max(this.#narrowWidthMax, width);
      // by insertion among the narrow ones; what stood there moves up
      ids[i] = ids[narrow]!;
      let place = narrow++;
      for (; place > 0 && lefts[ids[place - 1]!]! > left; place--) ids[place] = ids[place - 1]!;
      ids[place] = id;
    }
    this.#narrowCount = narrow;
  }

  #widthOfWide({ left, right }: Boxes): number {
    let leftmost = Infinity, rightmost = -Infinity;
    for (let i = 0; i < this.#count; i++) {
      leftmost = Math.min(leftmost, left[this.#ids[i]!]!);
      rightmost = Math.max(rightmost, right[this.#ids[i]!]!);
    }
    return (rightmost - leftmost) * WIDE_PART;
  }
}
