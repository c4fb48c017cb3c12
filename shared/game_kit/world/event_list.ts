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

  /** Adds an event. @param other the other thing's id, if there is one */
  emit(
    kind: string,
    { id, x, y }: { id: number; x: number; y: number },
    other: number | undefined,
  ): void {
    for (const event of this.list) if (event.entity === id && event.kind === kind) return;
    const event = { tick: this.#tick, kind, entity: id, x, y };
    this.list.push(other === undefined ? event : { ...event, other });
  }
}
