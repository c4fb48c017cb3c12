/**
 * What happened, told once: a resimulation tells it again and a misprediction may tell what never was, but each key comes
 * through a single time.
 */
import type { GameEvent, PoseList, Tick } from "../shared/netcode/game.ts";
import type { EffectSprite } from "./scene.ts";

/** A resimulation reaches 32 ticks back; what is older than this cannot come again. */
const REMEMBERED_TICKS = 64;
/** More at once than anybody could see. */
const WAITING_MAX = 64;

export class EffectLog {
  /** The tick of each key told. */
  readonly #told = new Map<string, Tick>();
  #waiting: EffectSprite[] = [];

  /** Takes what one step said. @param poses where everybody is, for their seats */
  hear(events: readonly GameEvent[], poses: PoseList): void {
    for (const { tick, kind, entity, x, y } of events) {
      const key = `${tick} ${kind} ${entity}`;
      if (this.#told.has(key)) continue;
      this.#told.set(key, tick);
      if (this.#waiting.length >= WAITING_MAX) continue;
      this.#waiting.push({ key, kind, x, y, seat: poses.of(entity)?.seat ?? -1 });
    }
  }

  /** What is new since the last call. @param head the newest tick */
  take(head: Tick): EffectSprite[] {
    const effects = this.#waiting;
    this.#waiting = [];
    // In the order they were told, so the oldest come first.
    for (const [key, tick] of this.#told) {
      if (tick >= head - REMEMBERED_TICKS) break;
      this.#told.delete(key);
    }
    return effects;
  }
}
