/** The largest of the newest values: grows at once, forgets slowly. */
export class WindowedMax {
  readonly #values: Float64Array;
  #count = 0;

  /** @param length how many values are looked back on */
  constructor(length: number) {
    this.#values = new Float64Array(length);
  }

  add(value: number): void {
    this.#values[this.#count % this.#values.length] = value;
    this.#count++;
  }

  /** How many values it rests on. */
  get count(): number {
    return Math.min(this.#count, this.#values.length);
  }

  /** -Infinity while there is no value. */
  get max(): number {
    let max = -Infinity;
    for (let i = 0; i < this.count; i++) max = Math.max(max, this.#values[i]!);
    return max;
  }
}
