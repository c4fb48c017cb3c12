/**
 * The lowest number that at least this share of the numbers does not exceed; NaN for none.
 * @param share 0 … 1
 */
export function quantileOf(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/**
 * The median. For an even count it is the upper of the two middle numbers.
 * @param numbers at least one
 */
export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}
