/**
 * Hit stop: after a blow, the dragons near it stand still for a moment, so that players feel it.
 * Only their sprites stop. The dragons move on meanwhile, and the sprites then catch up softly. A
 * joust that shows late, because somebody's commands were not known, stops nobody: the dragons are
 * out of its reach by then.
 */
import type { DragonSprite } from "./sprite.ts";

/** 40 to 60 ms (DESIGN 13). */
const STOP_MS = 50;
/** The sprite catches up half of the missing distance in this time, ms. */
const HALF_LIFE_MS = 30;
/** Metres that it catches up in one frame at most: 6 m/s at 60 Hz. */
const STEP_METRES_MAX = 0.1;
/**
 * Metres. Nobody sees the rest below the first; a motion above the second in one frame is a
 * teleport.
 */
const RELEASE_METRES = 0.01;
const TELEPORT_METRES = 1.5;
/** Metres. Dragons this near to a blow take part in it: two radii and a little more. */
const REACH_METRES = 1.5;

export class HitStop {
  /**
   * By entity: the time left, the displacement of the sprite, and the dragon's place in the last
   * frame.
   */
  readonly #stopped = new Map<
    number,
    { leftMs: number; dx: number; dy: number; x: number; y: number }
  >();

  /** Stops the sprites of all dragons near the blow. */
  begin(blow: { readonly x: number; readonly y: number }, dragons: readonly DragonSprite[]): void {
    for (const { id, x, y } of dragons) {
      if (Math.hypot(x - blow.x, y - blow.y) <= REACH_METRES) {
        this.#stopped.set(id, { leftMs: STOP_MS, dx: 0, dy: 0, x, y });
      }
    }
  }

  /**
   * The sprites as they are drawn; the same list if none is displaced.
   * @param elapsedMs since the last frame
   */
  apply(dragons: DragonSprite[], elapsedMs: number): DragonSprite[] {
    if (this.#stopped.size === 0) return dragons;
    for (const id of this.#stopped.keys()) {
      if (!dragons.some((dragon) => dragon.id === id)) this.#stopped.delete(id);
    }
    return dragons.map((dragon) => this.#applyTo(dragon, elapsedMs));
  }

  #applyTo(dragon: DragonSprite, elapsedMs: number): DragonSprite {
    const stop = this.#stopped.get(dragon.id);
    if (stop === undefined) return dragon;
    stop.leftMs -= elapsedMs;
    const movedX = dragon.x - stop.x;
    const movedY = dragon.y - stop.y;
    const metres = Math.hypot(stop.dx, stop.dy);
    const isStill = stop.leftMs > 0;
    const keep = Math.max(2 ** (-elapsedMs / HALF_LIFE_MS), 1 - STEP_METRES_MAX / metres);
    stop.dx = isStill ? stop.dx - movedX : stop.dx * keep;
    stop.dy = isStill ? stop.dy - movedY : stop.dy * keep;
    stop.x = dragon.x;
    stop.y = dragon.y;
    if (Math.hypot(movedX, movedY) > TELEPORT_METRES || (!isStill && metres < RELEASE_METRES)) {
      this.#stopped.delete(dragon.id);
      return dragon;
    }
    return { ...dragon, x: dragon.x + stop.dx, y: dragon.y + stop.dy };
  }
}
