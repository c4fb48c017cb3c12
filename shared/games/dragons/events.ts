/**
 * The events of one tick. The key of an event is (tick, kind, entity); a second event with the same
 * key is dropped, which also bounds the list. Events are sorted by entity, then kind, so their
 * order does not depend on the order of the rules.
 */
import type { GameEvent, Tick } from "../../netcode/game.ts";
import type { Entity } from "../../physics/stage/stage.ts";
import { sortShort } from "../../sorted_list.ts";

export type DragonEventKind =
  /** The dragon beat its wings. */
  | "flap"
  /** The dragon landed after a flight. */
  | "land"
  /** The dragon lost its rider to the lance of `other`. */
  | "joust"
  /** The dragon and `other` met at the same height. */
  | "clash"
  /** The dragon breathed the fireball `other`. */
  | "fire"
  /** Fire hit the dragon or crate; `other` is the dragon that breathed it. */
  | "burn"
  /** The crate `other` stunned the dragon. */
  | "crush"
  /** The dragon is back at a spawn point. */
  | "respawn"
  /** The dragon entered for a new seat. */
  | "enter"
  /** The egg was laid; `other` is the dragon that lost its rider. */
  | "egg"
  /** The dragon `other` took the egg. */
  | "take"
  /** The dragon hatched from the egg `other`. */
  | "hatch"
  /** The egg withered: no NPC seat was free. */
  | "wither"
  /** The round is over and the dragon won; the entity is the ground if there is no dragon. */
  | "round"
  /** The next round begins. The entity is the ground, the place the middle of the arena. */
  | "start";

/** The events of the tick that `begin` was called with. */
export class EventList {
  readonly list: GameEvent[] = [];
  #tick: Tick = 0;

  /** Clears the list; the next events belong to `tick`. */
  begin(tick: Tick): void {
    this.#tick = tick;
    this.list.length = 0;
  }

  /** @param other the id of the other entity that took part, if there is one */
  emit(kind: DragonEventKind, entity: Pick<Entity, "id" | "x" | "y">, other?: number): void {
    for (const event of this.list) if (event.entity === entity.id && event.kind === kind) return;
    const event = { tick: this.#tick, kind, entity: entity.id, x: entity.x, y: entity.y };
    this.list.push(other === undefined ? event : { ...event, other });
  }

  /** Sorts the tick's events. */
  end(): void {
    sortShort(this.list, this.list.length, isBefore);
  }
}

function isBefore(a: GameEvent, b: GameEvent): boolean {
  return a.entity < b.entity || a.entity === b.entity && a.kind < b.kind;
}
