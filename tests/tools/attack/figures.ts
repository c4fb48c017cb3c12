/** The server's metrics at one moment, and what changed between two moments. */

/** The histogram of the ticks' lateness. */
const LATENESS = "wyvern_tick_lateness_seconds";

/** One of a metric's samples. */
interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

export class Figures {
  readonly #samples: readonly Sample[];

  /** @param text in Prometheus' format */
  constructor(text: string) {
    this.#samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map((
      [, name, labels = "", value],
    ) => (
      { name: name!, labels, value: Number(value) }
    ));
  }

  /** The sum of a metric's samples. @param labels only those whose labels include this text */
  of(name: string, labels = ""): number {
    return this.#samplesOf(name, labels).reduce((sum, { value }) => sum + value, 0);
  }

  /** How many samples a metric has. */
  samplesOf(name: string): number {
    return this.#samplesOf(name, "").length;
  }

  /**
   * The lateness that 99 % of the ticks since `earlier` stayed below, ms. It is interpolated within
   * a bucket, as Prometheus does.
   */
  latenessP99Ms(earlier: Figures): number {
    const now = this.#buckets();
    const before = earlier.#buckets();
    const counts = now.map(({ bound, count }, i) => ({ bound, count: count - before[i]!.count }));
    const wanted = 0.99 * counts.at(-1)!.count;
    const index = counts.findIndex(({ count }) => count >= wanted);
    const upper = counts[index]!;
    const lower = counts[index - 1] ?? { bound: 0, count: 0 };
    if (upper.bound === Infinity) return lower.bound * 1000;
    return 1000 *
      (lower.bound +
        (upper.bound - lower.bound) * (wanted - lower.count) / (upper.count - lower.count));
  }

  #buckets(): { bound: number; count: number }[] {
    return this.#samplesOf(`${LATENESS}_bucket`, "").map(({ labels, value }) => {
      const bound = labels.match(/le="([^"]+)"/)![1]!;
      return { bound: bound === "+Inf" ? Infinity : Number(bound), count: value };
    });
  }

  #samplesOf(name: string, labels: string): readonly Sample[] {
    return this.#samples.filter((sample) => sample.name === name && sample.labels.includes(labels));
  }
}
