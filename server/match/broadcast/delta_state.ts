/** What one client of the state stream was told, as far back as it may be told by. */
import { type BodyBaselines, NO_BASELINES } from "../../../shared/netcode/wire/quantized_body.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import { DATAGRAM_TICKS_MAX } from "../../../shared/netcode/wire/messages.ts";

/** One client's. */
export class BodyBaselineHistory {
  readonly #byTick = new TickRing<{ baselines: BodyBaselines }>(
    DATAGRAM_TICKS_MAX + 1,
    () => ({ baselines: NO_BASELINES }),
  );
  /** The newest tick of which he certainly holds all. */
  baseTick: Tick = -1;

  record(tick: Tick, baselines: BodyBaselines): void {
    this.#byTick.claim(tick).baselines = baselines;
  }

  /** Undefined where a datagram for `tick` can not be told by it: nothing is held, or it is forgotten. */
  baselinesFor(tick: Tick): BodyBaselines | undefined {
    if (this.baseTick < 0 || tick - this.baseTick > DATAGRAM_TICKS_MAX) return undefined;
    return this.#byTick.get(this.baseTick)?.baselines;
  }
}
