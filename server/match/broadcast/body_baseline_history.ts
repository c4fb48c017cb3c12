/**
 * The bodies that were sent to one body-stream client, as far back as a message may be delta-coded
 * against them.
 */
import { type BodyBaselines, NO_BASELINES } from "../../../shared/netcode/wire/quantized_body.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import { DATAGRAM_TICKS_MAX } from "../../../shared/netcode/wire/messages.ts";

/** The bodies sent to one client, by tick. */
export class BodyBaselineHistory {
  readonly #byTick = new TickRing<{ baselines: BodyBaselines }>(
    DATAGRAM_TICKS_MAX + 1,
    () => ({ baselines: NO_BASELINES }),
  );
  #baseTick: Tick = -1;

  /** The newest tick with bodies that the client certainly has; -1 before the first. */
  get baseTick(): Tick {
    return this.#baseTick;
  }

  /** Notes that these bodies were sent. */
  record(tick: Tick, baselines: BodyBaselines): void {
    this.#byTick.claim(tick).baselines = baselines;
  }

  /** Notes that the client has the bodies of `tick`. Acknowledgements may come in any order. */
  acknowledge(tick: Tick): void {
    this.#baseTick = Math.max(this.#baseTick, tick);
  }

  /**
   * The bodies of `baseTick`; undefined if there are none, or if they are too old for a message of
   * `tick`.
   */
  baselinesFor(tick: Tick): BodyBaselines | undefined {
    if (this.#baseTick < 0 || tick - this.#baseTick > DATAGRAM_TICKS_MAX) return undefined;
    return this.#byTick.get(this.#baseTick)?.baselines;
  }
}
