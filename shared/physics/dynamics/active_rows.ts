import { sortShort } from "../../sorted_list.ts";

const NONE: readonly number[] = [];

/**
 * Rows in an order: the bodies that are awake, and their contacts. A step computes only rows in
 * these lists, so sleep costs it nothing. Rows that were added are sorted in together, when they
 * are needed.
 */
export class ActiveRows {
  /** In order, without the rows that were added since the last `mergeAdded`. */
  readonly rows: number[] = [];
  #added: number[] = [];
  /** The last result of `mergeAdded`. */
  #merged: number[] = [];
  readonly #isBefore: (a: number, b: number) => boolean;

  /** @param isBefore a total order of rows */
  constructor(isBefore: (a: number, b: number) => boolean) {
    this.#isBefore = isBefore;
  }

  /** Adds a row that is not in the list. */
  add(row: number): void {
    this.#added.push(row);
  }

  /** Whether rows were added since the last `mergeAdded`. */
  get hasAdded(): boolean {
    return this.#added.length > 0;
  }

  /** Sorts in the rows that were added. @returns those, in order, valid until the next call */
  mergeAdded(): readonly number[] {
    if (this.#added.length === 0) return NONE;
    const { rows } = this;
    const added = this.#added;
    this.#added = this.#merged;
    this.#added.length = 0;
    this.#merged = added;
    sortShort(added, added.length, this.#isBefore);
    for (let i = added.length - 1, from = rows.length - 1, to = from + added.length; i >= 0; to--) {
      if (from >= 0 && this.#isBefore(added[i]!, rows[from]!)) rows[to] = rows[from--]!;
      else rows[to] = added[i--]!;
    }
    return added;
  }

  /** Removes the rows for which `isKept` is false. */
  filter(isKept: (row: number) => boolean): void {
    this.mergeAdded();
    let count = 0;
    for (let i = 0; i < this.rows.length; i++) {
      if (isKept(this.rows[i]!)) this.rows[count++] = this.rows[i]!;
    }
    this.rows.length = count;
  }

  clear(): void {
    this.rows.length = this.#added.length = 0;
  }
}
