/**
 * A table of numbers in one flat array, so that a page appends a row for each dragon in each frame
 * without any garbage.
 */

/** How many rows a new table holds; the space doubles when it is full. */
const ROWS_AT_FIRST = 1024;

export type Row<Name extends string> = Readonly<Record<Name, number>>;

export class Columns<Name extends string> {
  readonly #names: readonly Name[];
  #values: Float64Array;
  length = 0;

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.#values = new Float64Array(ROWS_AT_FIRST * names.length);
  }

  append(row: Row<Name>): void {
    const names = this.#names;
    const offset = this.length * names.length;
    if (offset === this.#values.length) {
      const grown = new Float64Array(2 * this.#values.length);
      grown.set(this.#values);
      this.#values = grown;
    }
    for (let i = 0; i < names.length; i++) this.#values[offset + i] = row[names[i]!];
    this.length++;
  }

  /** Copies one row. @param index 0 … length − 1 @throws RangeError */
  at(index: number): Row<Name> {
    if (!(index >= 0 && index < this.length)) {
      throw new RangeError(`row ${index} of ${this.length}`);
    }
    const offset = index * this.#names.length;
    return Object.fromEntries(
      this.#names.map((name, i) => [name, this.#values[offset + i]!]),
    ) as Row<Name>;
  }

  *[Symbol.iterator](): Generator<Row<Name>> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}
