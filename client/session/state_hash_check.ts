/** Compares each definitive tick's local hash with the server's, once per tick and in order. */
import type { Tick } from "../../shared/netcode/game.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";

/** The hash bits that tick messages contain. */
export const HASH_MASK = 0xffff;

export class StateHashCheck {
  readonly #expected = new TickRing<{ hash: number }>(HISTORY_TICKS, () => ({ hash: 0 }));
  /** Full local hashes that agreed with the server's. */
  readonly #proven = new TickRing<{ hash: number }>(HISTORY_TICKS, () => ({ hash: 0 }));
  #checked: Tick = -1;
  /** How many ticks agreed so far. */
  provenTicks = 0;

  /** Stores the server's hash of a definitive tick, 16 bits. */
  expect(tick: Tick, hash: number): void {
    this.#expected.claim(tick).hash = hash;
  }

  /** Restarts at `tick`, after its state was adopted. */
  restart(tick: Tick, hash: number): void {
    this.#expected.clear();
    this.expect(tick, hash);
    this.#checked = tick - 1;
  }

  /** Treats all ticks up to `tick` as compared. */
  skip(tick: Tick): void {
    this.#checked = Math.max(this.#checked, tick);
  }

  /**
   * Compares every tick up to `last` that was not compared yet. A tick that lacks a hash is
   * skipped.
   * @param hashOf returns the local hash, 32 bits; undefined if there is none
   * @returns the first tick that differs; undefined if all agree
   */
  check(last: Tick, hashOf: (tick: Tick) => number | undefined): Tick | undefined {
    while (this.#checked < last) {
      this.#checked++;
      const expected = this.#expected.get(this.#checked);
      const local = hashOf(this.#checked);
      if (expected === undefined || local === undefined) continue;
      if ((local & HASH_MASK) !== expected.hash) return this.#checked;
      this.#proven.claim(this.#checked).hash = local;
      this.provenTicks++;
    }
    return undefined;
  }

  /**
   * The local hash, 32 bits, for a tick that agreed with the server's; undefined for any other
   * tick.
   */
  proven(tick: Tick): number | undefined {
    return this.#proven.get(tick)?.hash;
  }
}
