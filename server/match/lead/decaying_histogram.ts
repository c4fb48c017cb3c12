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
const TOP = 5;
const BINS = 6;

/** Counts of equally wide bins in a typed array. */
export class ForgettingHistogram {
  readonly #numbers: Float64Array;

  /**
   * @param options.from where the first bin begins; what lies outside counts in the outermost
   * @param options.forget what a value's weight is multiplied by with each further one, 0 … 1
   */
  constructor(options: { bins: number; from: number; width: number; forget: number }) {
    const numbers = this.#numbers = new Float64Array(BINS + options.bins);
    numbers[FROM] = options.from;
    numbers[WIDTH] = options.width;
    numbers[GROWTH] = 1 / options.forget;
    numbers[WEIGHT] = 1;
  }

  /** Takes note of a value. @param times as if it had come so often */
  add(value: number, times = 1): void {
    const numbers = this.#numbers, place = Math.floor((value - numbers[FROM]!) / numbers[WIDTH]!);
    const bin = Math.max(0, Math.min(numbers.length - BINS - 1, place)), weight = numbers[WEIGHT]!;
    if (bin > numbers[TOP]!) numbers[TOP] = bin;
    numbers[BINS + bin]! += times * weight;
    numbers[TOTAL]! += times * weight;
    numbers[WEIGHT] = weight * numbers[GROWTH]!;
    if (numbers[WEIGHT]! > WEIGHT_MAX) this.#scaleBack();
  }

  /** The cheapest bound: the upper end of a bin. The lowest one where nothing is known. */
  cheapestBound(price: number, shareMax: number): number {
    const numbers = this.#numbers, width = numbers[WIDTH]!;
    const perCount = price / Math.max(numbers[TOTAL]!, Number.MIN_VALUE), exceedingCostMax = price * shareMax;
    let cheapest = numbers[TOP]!, cost = Infinity, exceedingCost = 0;
    // Downwards from the top, until what exceeds the bound costs by itself more than the best so far.
    for (let bin = cheapest; bin >= 0 && exceedingCost < cost && exceedingCost <= exceedingCostMax; bin--) {
      if (bin * width + exceedingCost < cost) {
        cost = bin * width + exceedingCost;
        cheapest = bin;
      }
      exceedingCost += perCount * numbers[BINS + bin]!;
    }
    return numbers[FROM]! + (cheapest + 1) * width;
  }

  /** The lowest bound that at most this share of the values exceeds: the upper end of a bin. */
  bound(shareMax: number): number {
    const numbers = this.#numbers, exceedingMax = numbers[TOTAL]! * shareMax;
    let bin = numbers[TOP]!;
    for (let exceeding = numbers[BINS + bin]!; bin > 0 && exceeding <= exceedingMax; bin--) {
      exceeding += numbers[BINS + bin - 1]!;
    }
    return numbers[FROM]! + (bin + 1) * numbers[WIDTH]!;
  }

  #scaleBack(): void {
    const numbers = this.#numbers, scale = 1 / numbers[WEIGHT]!;
    for (let at = BINS; at < numbers.length; at++) numbers[at]! *= scale;
    numbers[TOTAL]! *= scale;
    numbers[WEIGHT] = 1;
  }
}
