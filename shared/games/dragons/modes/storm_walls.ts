/**
 * Storm Walls: two storms come in from the sides and leave a third of the arena at last. They blow
 * all that gets into them back out.
 */
import type { Arena } from "../arena.ts";
import type { DragonWorld, DragonWorldView } from "../declaration.ts";
import { ROUND_TICKS, STORM_CALM_TICKS, STORM_DEPTH_SHARE, STORM_WIND } from "../tuning.ts";

/** How far the storms have come in from each side, metres: evenly, after a calm. */
export function stormDepth({ match }: DragonWorldView, { width }: Arena): number {
  const elapsed = match.phase === "playing" ? ROUND_TICKS - match.phaseTicksLeft : ROUND_TICKS;
  const share = (elapsed - STORM_CALM_TICKS) / (ROUND_TICKS - STORM_CALM_TICKS);
  return Math.max(0, share) * STORM_DEPTH_SHARE * width;
}

/** What the storms leave free, from x to x. */
export function inShelter(world: DragonWorldView, arena: Arena): { left: number; right: number } {
  const depth = stormDepth(world, arena);
  return { left: depth, right: arena.width - depth };
}

/** Blows dragons, eggs and crates out of the storms. Runs after physics. */
export function tickStorm(world: DragonWorld, arena: Arena): void {
  const { left, right } = inShelter(world, arena);
  for (const thing of world.all("dragon", "egg", "crate")) {
    if (thing.x < left && thing.vx < STORM_WIND) {
      world.setVelocity(thing, Math.min(STORM_WIND, Math.max(0, thing.vx) + 2), thing.vy);
    } else if (thing.x > right && thing.vx > -STORM_WIND) {
      world.setVelocity(thing, Math.max(-STORM_WIND, Math.min(0, thing.vx) - 2), thing.vy);
    }
  }
}
