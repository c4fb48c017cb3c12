/** The median. For an even count it is the upper of the two middle numbers. @param numbers at least one */
export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}
