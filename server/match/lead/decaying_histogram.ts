/**
 * How often values were how large, the old ones counting less and less. It answers which bound holds for how many, and
 * which is cheapest, if each unit of it costs 1 and being exceeded costs `price`:
 *
 *     argmin over b of  b + price · P(value > b),   P(value > b) at most `shareMax`
 */

/** Instead of all old counts shrinking with each value, the new ones weigh more; here they are all scaled back. */
const WEIGHT_MAX = 1e9;

/** What stands before the bins: one array holds all, since a tick finds it in no cache and should not have to look in several places. */
const FROM = 0, WIDTH = 1, GROWTH = 2, WEIGHT = 3, TOTAL = 4;
/** The highest bin with anything in it. */
const TOP_BIN = 5;
const FIRST_BIN = 6;

/** Counts of equally wide bins in a typed array. */
export class DecayingHistogram {
  readonly #values: Float64Array;

  /**
   * @param options.from where the first bin begins; what lies outside counts in the outermost
   * @param options.decay what a value's weight is multiplied by with each further one, 0 … 1
   */
  constructor(options: { bins: number; from: number; width: number; decay: number }) {
    const values = this.#values = new Float64Array(FIRST_BIN + options.bins);
    values[FROM] = options.from;
    values[WIDTH] = options.width;
    values[GROWTH] = 1 / options.decay;
    values[WEIGHT] = 1;
  }

  /** Takes note of a value. @param count as if it had come so often */
  add(value: number, count = 1): void {
    const values = this.#values, unclampedBin = Math.floor((value - values[FROM]!) / values[WIDTH]!);
    const bin = Math.max(0, Math.min(values.length - FIRST_BIN - 1, unclampedBin)), weight = values[WEIGHT]!;
    if (bin > values[TOP_BIN]!) values[TOP_BIN] = bin;
    values[FIRST_BIN + bin]! += count * weight;
    values[TOTAL]! += count * weight;
    values[WEIGHT] = weight * values[GROWTH]!;
    if (values[WEIGHT]! > WEIGHT_MAX) this.#scaleBack();
  }

  /** The cheapest bound: the upper end of a bin. The lowest one where nothing is known. */
  cheapestBound(price: number, shareMax: number): number {
    const values = this.#values, width = values[WIDTH]!;
    const perCount = price / Math.max(values[TOTAL]!, Number.MIN_VALUE), exceedingCostMax = price * shareMax;
    let cheapest = values[TOP_BIN]!, cost = Infinity, exceedingCost = 0;
    // Downwards from the top, until what exceeds the bound costs by itself more than the best so far.
    for (let bin = cheapest; bin >= 0 && exceedingCost < cost && exceedingCost <= exceedingCostMax; bin--) {
      if (bin * width + exceedingCost < cost) {
        cost = bin * width + exceedingCost;
        cheapest = bin;
      }
      exceedingCost += perCount * values[FIRST_BIN + bin]!;
    }
    return values[FROM]! + (cheapest + 1) * width;
  }

  /** The lowest bound that at most this share of the values exceeds: the upper end of a bin. */
  bound(shareMax: number): number {
    const values = this.#values, exceedingMax = values[TOTAL]! * shareMax;
    let bin = values[TOP_BIN]!;
    for (let exceeding = values[FIRST_BIN + bin]!; bin > 0 && exceeding <= exceedingMax; bin--) {
      exceeding += values[FIRST_BIN + bin - 1]!;
    }
    return values[FROM]! + (bin + 1) * values[WIDTH]!;
  }

  #scaleBack(): void {
    const values = this.#values, scale = 1 / values[WEIGHT]!;
    for (let at = FIRST_BIN; at < values.length; at++) values[at]! *= scale;
    values[TOTAL]! *= scale;
    values[WEIGHT] = 1;
  }
}
