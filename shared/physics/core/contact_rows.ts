/**
 * The contacts of one world as rows of numbers, `values` and `ints`. A contact exists while the
 * AABBs of two fixtures overlap. Its manifold has the points where the two touch, with their
 * impulses for warm starting.
 *
 * Every body that is not static has a list of its contacts, ascending by their keys. A link is
 * `2 · row + side`, with side 0 for body A.
 */
import { sortShort } from "../../sorted_list.ts";
import type { RowList } from "./row_list.ts";
import { RowTable } from "./row_table.ts";

/**
 * Normal and a point of the reference face in its body's frame, metres. With two circles: the
 * centre of A's.
 */
export const LOCAL_NORMAL_X = 0;
export const LOCAL_NORMAL_Y = 1;
export const LOCAL_POINT_X = 2;
export const LOCAL_POINT_Y = 3;
/** Then two points: position in the other body's frame, metres; impulses, N·s. */
export const MANIFOLD_POINTS = 4;
export const MANIFOLD_POINT_STRIDE = 4;
export const POINT_LOCAL_X = 0;
export const POINT_LOCAL_Y = 1;
export const NORMAL_IMPULSE = 2;
export const TANGENT_IMPULSE = 3;
/**
 * The rest of a row of `values`: coefficients of the pair; the smaller and the larger key of its
 * fixtures.
 */
export const PAIR_FRICTION = 12;
export const PAIR_RESTITUTION = 13;
export const LOW_KEY = 14;
export const HIGH_KEY = 15;
export const CONTACT_VALUES = 16;

/**
 * A row of `ints`. Number of points, 0 for sensors; manifold type, valid if there is a point;
 * features of the points.
 */
export const POINT_COUNT = 0;
export const MANIFOLD_TYPE = 1;
export const FEATURES = 2;
/** Manifold types: two circles; a reference face of A; one of B. */
export const CIRCLES = 0;
export const FACE_A = 1;
export const FACE_B = 2;
/**
 * A feature pair as one word: indices, then types + 1: A | B << 8 | type A << 16 | type B << 24.
 */
export const VERTEX = 0;
export const FACE = 1;
/** Rows of both fixtures and of both bodies. */
export const FIXTURE_A = 4;
export const FIXTURE_B = 5;
export const CONTACT_BODY_A = 6;
export const CONTACT_BODY_B = 7;
/** The flags below; number of impacts in this world step. */
export const CONTACT_FLAGS = 8;
export const IMPACT_COUNT = 9;
/** Number of its contact event, 0 if there never was one; it may be out of date. */
export const EVENT = 10;
/** Links of both bodies' lists of contacts: for A, then for B. */
export const NEXT_LINK = 11;
export const PREVIOUS_LINK = 13;
/** Its place among the contacts of the saved state, in words, or `NOT_SAVED`. */
export const SAVED_AT = 15;
export const NOT_SAVED = -1;
export const CONTACT_INTS = 16;

/**
 * Flags. `SOLID`: the contact pushes if it touches. A contact of a sensor never pushes. `ONE_WAY_A`
 * and `ONE_WAY_B`: that fixture is one-way. `PASSING`: the two pass until they part. `IMPACT_OPEN`
 * and `IMPACT_KNOWN`: in the present search for impacts, its time must be computed, or is up to
 * date; without both the search leaves it out. `IMPACT_NEAR`: the time is that at which the hulls
 * are nearer than they need be for an impact, because they had no manifold there. `ACTIVE`: a
 * body of the pair is awake and not static. `GONE`: the row waits for its release. `UNSAVED`: it
 * has fallen asleep since the stage was saved or loaded. `SWEPT`: of a sensor that sees what passes
 * it within a world step. `CONTINUOUS`: one of the bodies is a bullet or not dynamic, so that the
 * pair may have impacts. Neither ever changes.
 */
export const TOUCHING = 1;
export const SOLID = 2;
export const IN_ISLAND = 4;
export const OF_SENSOR = 8;
export const ONE_WAY_A = 16;
export const ONE_WAY_B = 32;
export const PASSING = 64;
export const IMPACT_KNOWN = 128;
export const IMPACT_OPEN = 256;
export const ACTIVE = 512;
export const GONE = 1024;
export const UNSAVED = 2048;
export const SWEPT = 4096;
export const IMPACT_NEAR = 8192;
export const CONTINUOUS = 16384;

/** Initial capacity in rows; it doubles when it is used up. */
const ROWS_MIN = 64;

/** The rows of one world's contacts. */
export class ContactTable extends RowTable {
  /** Rows of all contacts, ascending by (smaller key, larger key); the first `count` are valid. */
  order = new Int32Array(ROWS_MIN);
  count = 0;
  /**
   * By row: the sums of the normal and of the friction impulses since a touch log has reset them,
   * N·s. Empty unless the world has such a log.
   */
  impulseSums = new Float64Array(0);
  readonly #isBefore = (row: number, other: number) => this.isBefore(row, other);

  constructor() {
    super(ROWS_MIN, CONTACT_VALUES, CONTACT_INTS);
  }

  /** Whether one contact comes before another in `order`. */
  isBefore(row: number, other: number): boolean {
    const { values } = this;
    const a = row * CONTACT_VALUES;
    const b = other * CONTACT_VALUES;
    const low = values[a + LOW_KEY]!;
    const otherLow = values[b + LOW_KEY]!;
    return low < otherLow || low === otherLow && values[a + HIGH_KEY]! < values[b + HIGH_KEY]!;
  }

  /** The same for the pair with these keys. */
  isBeforeKeys(row: number, lowKey: number, highKey: number): boolean {
    const { values } = this;
    const v = row * CONTACT_VALUES;
    const low = values[v + LOW_KEY]!;
    return low < lowKey || low === lowKey && values[v + HIGH_KEY]! < highKey;
  }

  /**
   * The row of the contact of two fixtures, by the smaller and the larger key; -1 if there is none.
   */
  find(lowKey: number, highKey: number): number {
    const { order, values } = this;
    let begin = 0;
    let end = this.count;
    while (begin < end) {
      const middle = (begin + end) >> 1;
      if (this.isBeforeKeys(order[middle]!, lowKey, highKey)) begin = middle + 1;
      else end = middle;
    }
    if (begin === this.count) return -1;
    const row = order[begin]!;
    const v = row * CONTACT_VALUES;
    return values[v + LOW_KEY] === lowKey && values[v + HIGH_KEY] === highKey ? row : -1;
  }

  /** Puts rows into `order`, and sorts the list of them. */
  insertAll({ rows, count }: RowList): void {
    sortShort(rows, count, this.#isBefore);
    const { order } = this;
    let to = this.count + count - 1;
    let from = this.count - 1;
    for (let i = count - 1; i >= 0; to--) {
      if (from >= 0 && !this.isBefore(order[from]!, rows[i]!)) order[to] = order[from--]!;
      else order[to] = rows[i--]!;
    }
    this.count += count;
  }

  /** Takes all rows that are `GONE` out of `order` and releases them. */
  releaseGone(): void {
    const { order, ints } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const row = order[i]!;
      if ((ints[row * CONTACT_INTS + CONTACT_FLAGS]! & GONE) === 0) order[kept++] = row;
      else this.release(row);
    }
    this.count = kept;
  }

  /** Makes the solver sum up the impulses of each contact. Once, before the first step. */
  sumImpulses(): void {
    this.impulseSums = new Float64Array(2 * this.order.length);
  }

  protected override grow(): void {
    super.grow();
    const { order, impulseSums } = this;
    if (impulseSums.length > 0) {
      this.impulseSums = new Float64Array(2 * impulseSums.length);
      this.impulseSums.set(impulseSums);
    }
    this.order = new Int32Array(2 * order.length);
    this.order.set(order);
  }
}
