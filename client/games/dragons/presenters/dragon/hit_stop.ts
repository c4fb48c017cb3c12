/**
 * A blow is felt when those who strike each other stand still for a moment. Only their picture does: what they do meanwhile goes on, and
 * is caught up with softly. What is definitive before it is shown (a joust) has no such moment: it would come too late.
 */
import type { DragonSprite } from "./sprite.ts";

/** 40 to 60 ms (DESIGN 13). */
const STOP_MS = 50;
/** Half of what is missing is caught up with in this time, ms. */
const HALF_LIFE_MS = 30;
/** Within one picture no faster than this, metres, as in `error_smoother.ts`. */
const STEP_METRES_MAX = 0.1;
/** Nearer than a centimetre nobody sees; farther than this it was teleported. */
const RELEASE_METRES = 0.01, TELEPORT_METRES = 1.5;
/** Who is as near as this to a blow takes part in it: two radii and some. Metres. */
const REACH_METRES = 1.5;

export class HitStop {
  /** By entity: for how long still, how far from its place it is shown, and that place in the last picture. */
  readonly #stopped = new Map<number, { leftMs: number; dx: number; dy: number; x: number; y: number }>();

  /** Stops those who take part in a blow, where they are. */
  begin(blow: { readonly x: number; readonly y: number }, dragons: readonly DragonSprite[]): void {
    for (const { id, x, y } of dragons) {
      if (Math.hypot(x - blow.x, y - blow.y) <= REACH_METRES) {
        this.#stopped.set(id, { leftMs: STOP_MS, dx: 0, dy: 0, x, y });
      }
    }
  }

  /** The dragons as they are shown; the same list where nobody is held. @param elapsedMs since the last picture */
  apply(dragons: DragonSprite[], elapsedMs: number): DragonSprite[] {
    if (this.#stopped.size === 0) return dragons;
    for (const id of this.#stopped.keys()) if (!dragons.some((dragon) => dragon.id === id)) this.#stopped.delete(id);
    return dragons.map((dragon) => this.#applyTo(dragon, elapsedMs));
  }

  #applyTo(dragon: DragonSprite, elapsedMs: number): DragonSprite {
    const stop = this.#stopped.get(dragon.id);
    if (stop === undefined) return dragon;
    stop.leftMs -= elapsedMs;
    const movedX = dragon.x - stop.x, movedY = dragon.y - stop.y, metres = Math.hypot(stop.dx, stop.dy);
    const isStill = stop.leftMs > 0, keep = Math.max(2 ** (-elapsedMs / HALF_LIFE_MS), 1 - STEP_METRES_MAX / metres);
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
