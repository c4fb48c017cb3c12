/**
 * How often values were how large, the old ones counting less and less. It answers which bound holds for how many, and
 * which is cheapest, if each unit of it costs 1 and being exceeded costs `price`:
 *
 *     argmin over b of  b + price · P(value > b),   P(value > b) at most `shareMax`
 */

/** Instead of all old counts shrinking with each value, the new ones weigh more; here they are all scaled back. */
const WEIGHT_MAX = 1e9;

/** Counts of equally wide bins in a typed array. */
export class ForgettingHistogram {
  readonly #counts: Float64Array;
  readonly #from: number;
  readonly #width: number;
  readonly #growth: number;
  #weight = 1;
  #total = 0;
  /** The highest bin with anything in it. */
  #top = 0;

  /**
   * @param options.from where the first bin begins; what lies outside counts in the outermost
   * @param options.forget what a value's weight is multiplied by with each further one, 0 … 1
   */
  constructor(options: { bins: number; from: number; width: number; forget: number }) {
    this.#counts = new Float64Array(options.bins);
    this.#from = options.from;
    this.#width = options.width;
    this.#growth = 1 / options.forget;
  }

  /** Takes note of a value. @param times as if it had come so often */
  add(value: number, times = 1): void {
    const place = Math.floor((value - this.#from) / this.#width);
    const bin = Math.max(0, Math.min(this.#counts.length - 1, place));
    if (bin > this.#top) this.#top = bin;
    this.#counts[bin]! += times * this.#weight;
    this.#total += times * this.#weight;
    this.#weight *= this.#growth;
    if (this.#weight > WEIGHT_MAX) this.#scaleBack();
  }

  /** The cheapest bound: the upper end of a bin. The lowest one where nothing is known. */
  cheapestBound(price: number, shareMax: number): number {
    const counts = this.#counts, width = this.#width;
    const perCount = price / Math.max(this.#total, Number.MIN_VALUE), exceedingCostMax = price * shareMax;
    let cheapest = this.#top, cost = Infinity, exceedingCost = 0;
    // Downwards from the top, until what exceeds the bound costs by itself more than the best so far.
    for (let bin = cheapest; bin >= 0 && exceedingCost < cost && exceedingCost <= exceedingCostMax; bin--) {
      if (bin * width + exceedingCost < cost) {
        cost = bin * width + exceedingCost;
        cheapest = bin;
      }
      exceedingCost += perCount * counts[bin]!;
    }
    return this.#from + (cheapest + 1) * width;
  }

  /** The lowest bound that at most this share of the values exceeds: the upper end of a bin. */
  bound(shareMax: number): number {
    const exceedingMax = this.#total * shareMax;
    let bin = this.#top;
    for (let exceeding = this.#counts[bin]!; bin > 0 && exceeding <= exceedingMax; bin--) {
      exceeding += this.#counts[bin - 1]!;
    }
    return this.#from + (bin + 1) * this.#width;
  }

  #scaleBack(): void {
    const scale = 1 / this.#weight;
    for (let bin = 0; bin < this.#counts.length; bin++) this.#counts[bin]! *= scale;
    this.#total *= scale;
    this.#weight = 1;
  }
}
