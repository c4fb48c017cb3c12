/** One tick's events, in the order that the rules emitted them. */
import type { GameEvent, Tick } from "../../netcode/game.ts";

/**
 * Collects events. An event's key is (tick, kind, entity); a second event with the same key is
 * dropped, which bounds the list.
 */
export class EventList {
  readonly list: GameEvent[] = [];
  #tick: Tick = 0;

  /** Clears the list; the next events belong to `tick`. */
  begin(tick: Tick): void {
    this.#tick = tick;
    this.list.length = 0;
  }

  /**
   * Adds an event at a thing, or at a place without one.
   * @param other the other thing's id, if there is one
   * @param amount how much it was, if the rules say so
   */
  emit(
    kind: string,
    { id = 0, x, y }: { readonly id?: number; readonly x: number; readonly y: number },
    other: number | undefined,
    amount: number | undefined,
  ): void {
    for (const event of this.list) if (event.entity === id && event.kind === kind) return;
    this.list.push({
      tick: this.#tick,
      kind,
      entity: id,
      x,
      y,
      ...(other !== undefined && { other }),
      ...(amount !== undefined && { amount }),
    });
  }
}
