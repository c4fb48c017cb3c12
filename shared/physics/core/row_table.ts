/**
 * A table of rows of numbers in two arrays, `values` and `ints`. Code takes and releases rows by
 * their numbers. No result depends on which row something has.
 */
export abstract class RowTable {
  /** New arrays after a row was acquired: code that keeps them must take them again. */
  values: Float64Array<ArrayBuffer>;
  ints: Int32Array<ArrayBuffer>;
  readonly #valuesStride: number;
  readonly #free: number[] = [];
  #end = 0;

  /** @param rows initial capacity; it doubles when it is used up */
  constructor(rows: number, valuesStride: number, intsStride: number) {
    this.values = new Float64Array(rows * valuesStride);
    this.ints = new Int32Array(rows * intsStride);
    this.#valuesStride = valuesStride;
  }

  /** Takes a free row. The caller fills it. @returns its number */
  acquire(): number {
    const row = this.#free.pop() ?? this.#end++;
    if (row * this.#valuesStride === this.values.length) this.grow();
    return row;
  }

  /** Gives a row back for other use. */
  release(row: number): void {
    this.#free.push(row);
  }

  /** Doubles the capacity. */
  protected grow(): void {
    const { values, ints } = this;
    this.values = new Float64Array(2 * values.length);
    this.values.set(values);
    this.ints = new Int32Array(2 * ints.length);
    this.ints.set(ints);
  }
}
