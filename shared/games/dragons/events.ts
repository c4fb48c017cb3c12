/**
 * What happened in one tick, told once: an event is its (tick, kind, entity), and a second one with the same key is the same
 * event. They are listed by entity, then kind, so their order depends on nothing but what happened. At most one of each kind
 * per entity bounds the list.
 */
import type { GameEvent, Tick } from "../../netcode/game.ts";
import type { Entity } from "../../physics/stage/stage.ts";

export type DragonEventKind =
  /** A dragon beat its wings. */
  | "flap"
  /** It came down on something after a flight. */
  | "land"
  /** It lost its rider to the lance of `other`. */
  | "joust"
  /** It and `other` met at the same height. */
  | "clash"
  /** It breathed the fireball `other`. */
  | "fire"
  /** A dragon or crate was hit by fire; `other` is the dragon that breathed it. */
  | "burn"
  /** A dragon was stunned by the crate `other`. */
  | "crush"
  /** It is back on a pad. */
  | "respawn"
  /** Its seat was taken. */
  | "enter"
  /** An egg was laid; `other` is the dragon that lost its rider. */
  | "egg"
  /** An egg was taken by the dragon `other`. */
  | "take"
  /** A dragon came out of the egg `other`. */
  | "hatch"
  /** An egg came to nothing: no seat was free for what was in it. */
  | "wither"
  /** The round is over; it won. The ground where there is nobody. */
  | "round"
  /** The next round begins; the ground, in the middle of the arena. */
  | "start";

/** What happened in the tick that `begin` named. */
export class EventList {
  readonly list: GameEvent[] = [];
  #tick: Tick = 0;

  /** Forgets everything; what is told next happens in `tick`. */
  begin(tick: Tick): void {
    this.#tick = tick;
    this.list.length = 0;
  }

  /** @param other the entity id of the one who did it, where there is one */
  emit(kind: DragonEventKind, entity: Pick<Entity, "id" | "x" | "y">, other?: number): void {
    for (const event of this.list) if (event.entity === entity.id && event.kind === kind) return;
    const event = { tick: this.#tick, kind, entity: entity.id, x: entity.x, y: entity.y };
    this.list.push(other === undefined ? event : { ...event, other });
  }

  /** Brings the tick's events into their order. */
  end(): void {
    if (this.list.length > 1) this.list.sort(byEntityThenKind);
  }
}

function byEntityThenKind(a: GameEvent, b: GameEvent): number {
  if (a.entity !== b.entity) return a.entity - b.entity;
  return a.kind < b.kind ? -1 : 1;
}
