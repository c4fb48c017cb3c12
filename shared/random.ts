/**
 * Randomness that rolls back: the generator's whole state is one unsigned 32-bit integer that lives in the game's state.
 *
 *     state' = state + 0x6D2B79F5 (mod 2^32);   value = mix(state')
 *
 * The generator is Mulberry32 (Tommy Ettinger, public domain): full period 2^32, only integer arithmetic, so every engine
 * draws the same numbers.
 */

/** The state that follows `state`. */
export function nextRandom(state: number): number {
  return (state + 0x6d2b79f5) >>> 0;
}

/** What `state` is worth: an unsigned 32-bit integer, evenly spread. */
export function randomBits(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

/** An integer that depends on all three arguments and looks random: for choices that are a function of (seed, tick, who). */
export function hashOf(a: number, b: number, c = 0): number {
  return randomBits(nextRandom((Math.imul(a, 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35) ^ Math.imul(c, 0x27d4eb2f)) >>> 0));
}

/** A generator outside any state, for bots, links and tests: seeded, never `Math.random`. */
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

  /** In [0, 1). */
  fraction(): number {
    return this.bits() / 4_294_967_296;
  }

  /** An integer in [0, count). */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }
}
