/** Draws from a seed: values of a spread, waits of a Poisson process, and choices. */
import { Random } from "../../../shared/random.ts";
import type { Spread } from "./assumptions.ts";

export class Chance {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** A number in [0, 1), as placement takes it. */
  readonly draw = (): number => this.#random.fraction();

  /** Draws a value from a spread, with straight lines between its quantiles. */
  from(spread: Spread): number {
    const share = this.draw();
    const above = spread.findIndex(([upTo]) => share < upTo);
    const [toShare, to] = spread[above]!;
    const [fromShare, from] = spread[above - 1]!;
    return from + (to - from) * (share - fromShare) / (toShare - fromShare);
  }

  /**
   * Draws a wait for an event that happens once in `mean` on average, in the same unit; Infinity if
   * it never does.
   */
  wait(mean: number): number {
    return mean === Infinity ? Infinity : -Math.log(1 - this.draw()) * mean;
  }

  /**
   * Draws an index with a probability in proportion to its weight.
   * @param weights their sum is 1
   */
  index(weights: readonly number[]): number {
    let left = this.draw();
    for (const [i, weight] of weights.entries()) if ((left -= weight) < 0) return i;
    return weights.length - 1;
  }

  below(count: number): number {
    return this.#random.below(count);
  }
}
