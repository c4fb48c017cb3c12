/** Compares our hash of each definitive tick with the server's, once, in order: in step or out of step. */
import type { Tick } from "../../shared/netcode/game.ts";
import { TickRing } from "../../shared/netcode/tick_ring.ts";
import { HISTORY_TICKS } from "../../shared/netcode/timeline.ts";

/** As many bits as travel. */
export const HASH_MASK = 0xffff;

export class StateHashCheck {
  readonly #expected = new TickRing<{ hash: number }>(HISTORY_TICKS, () => ({ hash: 0 }));
  /** Full hashes of ours that agreed. */
  readonly #proven = new TickRing<{ hash: number }>(HISTORY_TICKS, () => ({ hash: 0 }));
  #checked: Tick = -1;

  /** The server's hash of a definitive tick, 16 bits. */
  expect(tick: Tick, hash: number): void {
    this.#expected.claim(tick).hash = hash;
  }

  /** Goes on at `tick`, whose state was adopted. */
  restart(tick: Tick, hash: number): void {
    this.#expected.clear();
    this.expect(tick, hash);
    this.#checked = tick - 1;
  }

  /** What is not newer than `tick` has been settled otherwise. */
  skip(tick: Tick): void {
    this.#checked = Math.max(this.#checked, tick);
  }

  /**
   * Compares every tick up to `last` that has not been compared.
   * @param hashOf our own hash, 32 bits, undefined where there is none
   * @returns the first tick that differs; undefined where all agree
   */
  check(last: Tick, hashOf: (tick: Tick) => number | undefined): Tick | undefined {
    while (this.#checked < last) {
      this.#checked++;
      const expected = this.#expected.get(this.#checked), local = hashOf(this.#checked);
      if (expected === undefined || local === undefined) continue;
      if ((local & HASH_MASK) !== expected.hash) return this.#checked;
      this.#proven.claim(this.#checked).hash = local;
    }
    return undefined;
  }

  /** Our hash of a tick that agreed with the server's. */
  proven(tick: Tick): number | undefined {
    return this.#proven.get(tick)?.hash;
  }
}
