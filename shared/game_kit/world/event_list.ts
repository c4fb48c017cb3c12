/** The events of one tick, in the order in which the rules emitted them. */
import type { GameEvent, Tick } from "../../netcode/game.ts";

/**
 * The key of an event is (tick, kind, entity). A second event with the same key is dropped, which
 * bounds the list.
 */
export class EventList {
  readonly list: GameEvent[] = [];
  #tick: Tick = 0;

  /** Clears the list; the next events belong to `tick`. */
  begin(tick: Tick): void {
    this.#tick = tick;
    this.list.length = 0;
  }

  /** @param other the id of the other thing, if there is one */
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
