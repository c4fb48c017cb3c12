/**
 * Random numbers that survive a rollback: the whole state of the generator is one unsigned 32-bit
 * integer in the game's state.
 *
 *     state' = state + 0x6D2B79F5 (mod 2^32);   value = mix(state')
 *
 * The generator is Mulberry32 (Tommy Ettinger, public domain). Its period is 2^32. It has only
 * integer arithmetic, so every engine draws the same numbers.
 */

/** 2^32, which is also the number of different values. */
export const RANDOM_RANGE = 4_294_967_296;

/** @returns the next state */
export function nextRandom(state: number): number {
  return (state + 0x6d2b79f5) >>> 0;
}

/** @returns the random number of a state: an unsigned 32-bit integer, evenly distributed */
export function randomBits(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

/**
 * A random unsigned 32-bit integer that is a function of its three arguments, e.g. of (seed, tick,
 * entity).
 */
export function hashOf(a: number, b: number, c = 0): number {
  return randomBits(
    nextRandom(
      (Math.imul(a, 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35) ^ Math.imul(c, 0x27d4eb2f)) >>> 0,
    ),
  );
}

/** A seeded generator outside of any game state, for bots, simulated links and tests. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = hashOf(seed, 0x57797665);
  }

  /** An unsigned 32-bit integer. */
  bits(): number {
    this.#state = nextRandom(this.#state);
    return randomBits(this.#state);
  }

  /** A number in [0, 1). */
  fraction(): number {
    return this.bits() / RANDOM_RANGE;
  }

  /** An integer in [0, count). */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  /** True with this probability, 0 … 1. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }
}
