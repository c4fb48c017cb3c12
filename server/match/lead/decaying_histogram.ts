/**
 * A histogram in which older values count less and less. It yields the bound that only a given
 * share of the values exceeds, and the bound of least cost if each unit of the bound costs 1 and
 * exceeding it costs `price`:
 *
 *     argmin over b of  b + price · P(value > b),   with P(value > b) at most `shareMax`
 */

/**
 * Each new value weighs more than the one before, so that old counts need not shrink. When a weight
 * exceeds this, all counts are scaled back.
 */
const WEIGHT_MAX = 1e9;

/**
 * Offsets of the numbers before the bins. One array holds everything, because a tick finds it in no
 * cache and every further object would cost another miss.
 */
const FROM = 0;
const WIDTH = 1;
const GROWTH = 2;
const WEIGHT = 3;
const TOTAL = 4;
/** The highest non-empty bin. */
const TOP_BIN = 5;
const FIRST_BIN = 6;

/** Equally wide bins in one typed array. */
export class DecayingHistogram {
  readonly #values: Float64Array;

  /**
   * @param options.from lower end of the first bin; values outside the bins count in the outermost
   *   ones
   * @param options.decay factor on a value's weight for each later value, 0 … 1
   */
  constructor(options: { bins: number; from: number; width: number; decay: number }) {
    const values = this.#values = new Float64Array(FIRST_BIN + options.bins);
    values[FROM] = options.from;
    values[WIDTH] = options.width;
    values[GROWTH] = 1 / options.decay;
    values[WEIGHT] = 1;
  }

  /** Adds a value. @param count how many times it counts */
  add(value: number, count = 1): void {
    const values = this.#values;
    const unclampedBin = Math.floor((value - values[FROM]!) / values[WIDTH]!);
    const bin = Math.max(0, Math.min(values.length - FIRST_BIN - 1, unclampedBin));
    const weight = values[WEIGHT]!;
    if (bin > values[TOP_BIN]!) values[TOP_BIN] = bin;
    values[FIRST_BIN + bin]! += count * weight;
    values[TOTAL]! += count * weight;
    values[WEIGHT] = weight * values[GROWTH]!;
    if (values[WEIGHT]! > WEIGHT_MAX) this.#scaleBack();
  }

  /**
   * The bound of least cost, which is the upper end of a bin; the first bin's if there are no
   * values.
   */
  cheapestBound(price: number, shareMax: number): number {
    const values = this.#values;
    const width = values[WIDTH]!;
    const perCount = price / Math.max(values[TOTAL]!, Number.MIN_VALUE);
    const exceedingCostMax = price * shareMax;

    // From the top bin down, until the cost of exceeding the bound is by itself above the least
    // cost so far, or above what `shareMax` allows.
    let cheapest = values[TOP_BIN]!;
    let cost = Infinity;
    let exceedingCost = 0;
    for (
      let bin = cheapest;
      bin >= 0 && exceedingCost < cost && exceedingCost <= exceedingCostMax;
      bin--
    ) {
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
    const values = this.#values;
    const exceedingMax = values[TOTAL]! * shareMax;
    let bin = values[TOP_BIN]!;
    for (let exceeding = values[FIRST_BIN + bin]!; bin > 0 && exceeding <= exceedingMax; bin--) {
      exceeding += values[FIRST_BIN + bin - 1]!;
    }
    return values[FROM]! + (bin + 1) * values[WIDTH]!;
  }

  #scaleBack(): void {
    const values = this.#values;
    const scale = 1 / values[WEIGHT]!;
    for (let at = FIRST_BIN; at < values.length; at++) values[at]! *= scale;
    values[TOTAL]! *= scale;
    values[WEIGHT] = 1;
  }
}
