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

/** A row of `values`. The manifold comes first. */
export enum Contact {
  /**
   * Normal and a point of the reference face, in its body's frame, metres. Two circles: A's centre.
   */
  LOCAL_NORMAL_X = 0,
  LOCAL_NORMAL_Y = 1,
  LOCAL_POINT_X = 2,
  LOCAL_POINT_Y = 3,

  /** Two points, each a `ContactPoint`. */
  POINTS = 4,

  /** Coefficients of the pair. */
  FRICTION = 12,
  RESTITUTION = 13,

  /** The smaller and the larger key of its fixtures. */
  LOW_KEY = 14,
  HIGH_KEY = 15,

  STRIDE = 16,
}

/** One of a manifold's points. */
export enum ContactPoint {
  /** Position in the other body's frame, metres. */
  LOCAL_X = 0,
  LOCAL_Y = 1,

  /** N·s, for warm starting. */
  NORMAL_IMPULSE = 2,
  TANGENT_IMPULSE = 3,

  STRIDE = 4,
}

/** A row of `ints`. */
export enum ContactInt {
  /** 0 … 2; always 0 for sensors. */
  POINT_COUNT = 0,

  /** A `ManifoldType`, valid if there is a point. */
  MANIFOLD_TYPE = 1,

  /**
   * Of each point, as one word: indices, then `FeatureType` + 1: A | B << 8 | type A << 16 | type B
   * << 24.
   */
  FEATURES = 2,

  /** Rows of both fixtures and of both bodies. */
  FIXTURE_A = 4,
  FIXTURE_B = 5,
  BODY_A = 6,
  BODY_B = 7,

  /** `ContactFlag`s. */
  FLAGS = 8,

  /** Impacts in this world step. */
  IMPACT_COUNT = 9,

  /** Number of its contact event, 0 if there never was one; it may be out of date. */
  EVENT = 10,

  /** Links of both bodies' lists of contacts: for A, then for B. */
  NEXT_LINK = 11,
  PREVIOUS_LINK = 13,

  /** Its place among the contacts of the saved state, in words, or `NOT_SAVED`. */
  SAVED_AT = 15,

  STRIDE = 16,
}

/** Two circles, a reference face of A, or one of B. */
export enum ManifoldType {
  CIRCLES = 0,
  FACE_A = 1,
  FACE_B = 2,
}

export enum FeatureType {
  VERTEX = 0,
  FACE = 1,
}

export enum ContactFlag {
  TOUCHING = 1,

  /** It pushes if it touches. A sensor's contact never does. */
  SOLID = 2,

  /** While islands are collected: one of them has it already. */
  IN_ISLAND = 4,

  OF_SENSOR = 8,

  /** That fixture is one-way. */
  ONE_WAY_A = 16,
  ONE_WAY_B = 32,

  /** The two pass each other until they part. */
  PASSING = 64,

  /**
   * In the present search for impacts: its time is up to date, or must be computed. The search
   * skips a contact with neither.
   */
  IMPACT_KNOWN = 128,
  IMPACT_OPEN = 256,

  /** A body of the pair is awake and not static. */
  ACTIVE = 512,

  /** The row waits for its release. */
  GONE = 1024,

  /** It has fallen asleep since the stage was saved or loaded. */
  UNSAVED = 2048,

  /** A sensor's, which sees what passes it within a world step. */
  SWEPT = 4096,

  /**
   * The time is that at which the hulls are nearer than an impact needs, because they had no
   * manifold there.
   */
  IMPACT_NEAR = 8192,

  /** A body is a bullet or not dynamic, so the pair may have impacts. */
  CONTINUOUS = 16384,
}

export const NOT_SAVED = -1;

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
    super(ROWS_MIN, Contact.STRIDE, ContactInt.STRIDE);
  }

  /** Whether one contact comes before another in `order`. */
  isBefore(row: number, other: number): boolean {
    const { values } = this;
    const a = row * Contact.STRIDE;
    const b = other * Contact.STRIDE;
    const low = values[a + Contact.LOW_KEY]!;
    const otherLow = values[b + Contact.LOW_KEY]!;
    return low < otherLow ||
      low === otherLow && values[a + Contact.HIGH_KEY]! < values[b + Contact.HIGH_KEY]!;
  }

  /** The same for the pair with these keys. */
  isBeforeKeys(row: number, lowKey: number, highKey: number): boolean {
    const { values } = this;
    const v = row * Contact.STRIDE;
    const low = values[v + Contact.LOW_KEY]!;
    return low < lowKey || low === lowKey && values[v + Contact.HIGH_KEY]! < highKey;
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
    const v = row * Contact.STRIDE;
    return values[v + Contact.LOW_KEY] === lowKey && values[v + Contact.HIGH_KEY] === highKey
      ? row
      : -1;
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
      if ((ints[row * ContactInt.STRIDE + ContactInt.FLAGS]! & ContactFlag.GONE) === 0) {
        order[kept++] = row;
      } else this.release(row);
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
