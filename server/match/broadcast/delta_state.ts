/** What one client of the state stream was told, as far back as it may be told by. */
import { type BodyMemory, NOTHING_TOLD } from "../../../shared/netcode/wire/quantized_body.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { History } from "../../../shared/netcode/tick_ring.ts";
import { DATAGRAM_TICKS_MAX } from "../../../shared/netcode/wire/messages.ts";

/** One client's. */
export class ToldBodies {
  readonly #memories = new History<{ memory: BodyMemory }>(DATAGRAM_TICKS_MAX + 1, () => ({ memory: NOTHING_TOLD }));
  /** The newest tick of which he certainly holds all. */
  base: Tick = -1;

  learn(tick: Tick, memory: BodyMemory): void {
    this.#memories.claim(tick).memory = memory;
  }

  /** Undefined where a datagram for `tick` can not be told by it: nothing is held, or it is forgotten. */
  memoryFor(tick: Tick): BodyMemory | undefined {
    if (this.base < 0 || tick - this.base > DATAGRAM_TICKS_MAX) return undefined;
    return this.#memories.get(this.base)?.memory;
  }
}
