/** The largest of the newest values: grows at once, forgets slowly. */
export class WindowedMax {
  readonly #values: Float64Array;
  #count = 0;
  #max = -Infinity;

  /** @param length how many values are looked back on */
  constructor(length: number) {
    this.#values = new Float64Array(length);
  }

  /** Takes the next value; the oldest one is forgotten where there are `length` already. */
  add(value: number): void {
    const place = this.#count % this.#values.length;
    const forgotten = this.#count >= this.#values.length ? this.#values[place]! : -Infinity;
    this.#values[place] = value;
    this.#count++;
    if (value >= this.#max) this.#max = value;
    else if (forgotten === this.#max) this.#max = this.#largest();
  }

  /** How many values it rests on. */
  get count(): number {
    return Math.min(this.#count, this.#values.length);
  }

  /** -Infinity while there is no value. */
  get max(): number {
    return this.#max;
  }

  #largest(): number {
    let max = -Infinity;
    for (let i = 0; i < this.count; i++) max = Math.max(max, this.#values[i]!);
    return max;
  }
}
