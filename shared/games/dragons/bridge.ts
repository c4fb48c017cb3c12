/** A bridge between two rocks burns in the middle of each round, and what stands on it falls. */
import type { Bridge } from "./arena.ts";
import type { DragonWorld, DragonWorldView } from "./declaration.ts";
import { BRIDGE_FLAME_TICKS, BRIDGE_TICK, ROUND_TICKS } from "./tuning.ts";

/** Builds the arena's bridge anew. */
export function spawnBridge(world: DragonWorld, { x, y }: Bridge): void {
  world.spawn("bridge", { x, y });
}

/** How much of a bridge has burnt: 0 before it burns, and 1 when it falls. */
export function burntShare({ match }: Pick<DragonWorldView, "match">): number {
  const isLater = match.phase !== "playing" || match.suddenDeath;
  const elapsed = isLater ? ROUND_TICKS : ROUND_TICKS - match.phaseTicksLeft;
  const flames = elapsed - (BRIDGE_TICK - BRIDGE_FLAME_TICKS);
  return Math.max(0, Math.min(1, flames / BRIDGE_FLAME_TICKS));
}

/** Removes a bridge that has burnt down. Runs after physics while a round is played. */
export function tickBridge(world: DragonWorld): void {
  if (burntShare(world) < 1) return;
  for (const bridge of world.all("bridge")) {
    world.emit("collapse", bridge);
    world.despawn(bridge);
  }
}
