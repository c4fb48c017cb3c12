/**
 * Counts values between bounds, as lines in Prometheus' format and as OpenTelemetry observations.
 */

export type Labels = Readonly<Record<string, string | number>>;

/** One value of a metric. */
export interface Sample {
  /** Appended to the metric's name. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

export class Histogram {
  /** Ascending; each is the largest value in its bucket. */
  readonly bounds: readonly number[];
  /** One count for each bound, and one for values above all bounds; not cumulative. */
  readonly #counts: Float64Array;
  #sum = 0;
  #onObserved: ((value: number) => void) | undefined;

  /** @param bounds ascending; each is the largest value in its bucket */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > this.bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sum += value;
    this.#onObserved?.(value);
  }

  /**
   * Passes each further value on, because OpenTelemetry does not read finished histograms. There is
   * at most one listener.
   */
  passOn(onObserved: (value: number) => void): void {
    this.#onObserved = onObserved;
  }

  /** Yields the metric's lines: cumulative buckets, sum and count. */
  *samples(labels: Labels = {}): Generator<Sample> {
    let count = 0;
    for (const [i, inBucket] of this.#counts.entries()) {
      count += inBucket;
      yield {
        suffix: "_bucket",
        labels: { ...labels, le: this.bounds[i] ?? "+Inf" },
        value: count,
      };
    }
    yield { suffix: "_sum", labels, value: this.#sum };
    yield { suffix: "_count", labels, value: count };
  }
}
