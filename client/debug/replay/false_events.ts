/**
 * Finds predicted events that never happened, as the page's own reconciler does, but for all kinds.
 * The page shows some kinds only once they are definitive, so not every false event was shown.
 */
import type { GameEvent, SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { PoseList } from "../../../shared/netcode/pose_list.ts";
import { EventReconciler } from "../../presentation/event_reconciler.ts";

/**
 * The most open predicted events. A tick brings a few events, which are open for at most 32 ticks.
 */
const OPEN_MAX = 512;

export interface FalseEvent {
  /** As the page's reconciler names it, if it showed the event. */
  readonly key: string;
  readonly kind: string;
  /** The seat that it seemed to happen to; -1 for none. */
  readonly seat: SeatId;
  /** When it was first predicted, and when no longer, ms on the page's clock. */
  readonly fromMs: number;
  readonly toMs: number;
}

export class FalseEvents {
  readonly #reconciler = new EventReconciler();
  readonly #open = new Map<
    string,
    { readonly kind: string; readonly seat: SeatId; readonly fromMs: number }
  >();

  /** Records all events from one step. @param poses those after the step */
  record(events: readonly GameEvent[], { tick, poses }: { tick: Tick; poses: PoseList }): void {
    this.#reconciler.record(events, { tick, poses });
  }

  /** Returns the events that turned out false since the last call. */
  take({ head, definitive, atMs }: { head: Tick; definitive: Tick; atMs: number }): FalseEvent[] {
    const { begun, retracted } = this.#reconciler.collectChanges({ head, definitive });
    for (const { key, kind, seat } of begun) this.#open.set(key, { kind, seat, fromMs: atMs });
    for (const key of this.#open.keys()) if (this.#open.size > OPEN_MAX) this.#open.delete(key);
    return retracted.flatMap((key) => {
      const event = this.#open.get(key);
      this.#open.delete(key);
      return event === undefined ? [] : [{ key, ...event, toMs: atMs }];
    });
  }
}
