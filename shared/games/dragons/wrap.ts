/** An arena whose left and right edge are one: who leaves by one comes in at the other. */
import { type Arena, wrapped } from "./arena.ts";
import type { DragonWorld } from "./declaration.ts";

/** A hanging chest is never near an edge. */
const WRAPPED = [
  "dragon",
  "fireball",
  "crate",
  "egg",
  "relic",
  "chest",
  "loot",
  "arrow",
  "pellet",
] as const;

/** Teleports all that has left by an edge, so that pages do not ease it across the picture. */
export function wrapAround(world: DragonWorld, arena: Arena): void {
  if (!arena.wraps) return;
  for (const thing of world.all(...WRAPPED)) {
    const x = wrapped(arena, thing.x);
    if (x !== thing.x) world.teleport(thing, x, thing.y);
  }
}
