/**
 * Values by tick, of which only the newest `length` are kept: a ring of values that are made once and used again, so that
 * remembering costs no garbage.
 */
import type { Tick } from "./game.ts";

/** The newest values, by tick. */
export class TickRing<Value> {
  readonly #values: Value[];
  readonly #ticks: Int32Array;

  /** @param length how many ticks are remembered; longer than any rollback reaches @param create makes an empty value */
  constructor(length: number, create: () => Value) {
    this.#values = Array.from({ length }, create);
    this.#ticks = new Int32Array(length).fill(-1);
  }

  /** The value of `tick`, or undefined where it was never claimed or is forgotten. */
  get(tick: Tick): Value | undefined {
    const slot = this.#slotOf(tick);
    return this.#ticks[slot] === tick ? this.#values[slot] : undefined;
  }

  /** The value to fill in for `tick`, whatever is in it: it may still hold an older tick's content. */
  claim(tick: Tick): Value {
    const slot = this.#slotOf(tick);
    this.#ticks[slot] = tick;
    return this.#values[slot]!;
  }

  /** Forgets everything. */
  clear(): void {
    this.#ticks.fill(-1);
  }

  #slotOf(tick: Tick): number {
    return tick % this.#values.length;
  }
}
