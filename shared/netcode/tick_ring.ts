/**
 * Keeps values by tick, for the newest `length` ticks only. It creates the values once and reuses
 * them, so they cause no garbage.
 */
import type { Tick } from "./game.ts";

/** A ring buffer indexed by tick. */
export class TickRing<Value> {
  readonly #values: Value[];
  readonly #ticks: Int32Array;

  /** @param length how many ticks to keep @param create creates an empty value */
  constructor(length: number, create: () => Value) {
    this.#values = Array.from({ length }, create);
    this.#ticks = new Int32Array(length).fill(-1);
  }

  /** The value for `tick`; undefined if it was never claimed, or a later tick replaced it. */
  get(tick: Tick): Value | undefined {
    const slot = this.#slotOf(tick);
    return this.#ticks[slot] === tick ? this.#values[slot] : undefined;
  }

  /**
   * Claims the value for `tick`, for the caller to fill in. It still holds what the replaced tick
   * left there.
   */
  claim(tick: Tick): Value {
    const slot = this.#slotOf(tick);
    this.#ticks[slot] = tick;
    return this.#values[slot]!;
  }

  /** Removes all ticks. */
  clear(): void {
    this.#ticks.fill(-1);
  }

  #slotOf(tick: Tick): number {
    return tick % this.#values.length;
  }
}
