/**
 * Crates form a stack that dragons push around. They burn, stun dragons that they fall on, and
 * return one at a time.
 */
import type { Contact } from "../../game_kit/game_kit.ts";
import { type Arena, isOutside } from "./arena.ts";
import type { Crate, Dragon, DragonWorld } from "./declaration.ts";
import { CRATE_DROP_TICKS, CRUSH_SPEED, STUN_TICKS } from "./tuning.ts";

/** A crate hits from above if the y of the normal from crate to dragon is at most this. */
const DOWNWARDS = -0.7;
/** Metres below the ceiling at which a crate appears. */
const DROP_DEPTH = 1;
/** Least metres from the side walls at which a crate appears. */
const DROP_MARGIN = 1.5;
/** Places across the arena at which a crate may appear. */
const DROP_PLACES = 4_294_967_296;

/** Spawns the arena's stack. */
export function spawnCrateStack(world: DragonWorld, arena: Arena): void {
  for (const { x, y } of arena.crates) world.spawn("crate", { x, y });
}

/** A crate begins to touch a dragon, and stuns it if it falls on it. */
export function crush(world: DragonWorld, crate: Crate, dragon: Dragon, contact: Contact): void {
  const { fields } = dragon;
  if (contact.speed <= CRUSH_SPEED || contact.ny > DOWNWARDS) return;
  if (fields.dead > 0 || fields.invulnerable > 0) return;
  fields.stun = STUN_TICKS;
  world.emit("crush", dragon, crate);
}

/** Removes crates that have burnt down or are lost. */
export function removeCrates(world: DragonWorld, arena: Arena): void {
  for (const crate of world.all("crate")) {
    if (crate.fields.burning === 1 || isOutside(arena, crate)) world.despawn(crate);
  }
}

/**
 * While crates are missing, one falls from below the ceiling every `CRATE_DROP_TICKS`, at a random
 * place.
 */
export function dropCrate(world: DragonWorld, arena: Arena): void {
  if ((world.tick + 1) % CRATE_DROP_TICKS !== 0) return;
  // Drawn in any case: whether somebody burns a crate must not change other draws far away
  const along = world.random(DROP_PLACES) / DROP_PLACES;
  if (world.all("crate").length >= arena.cratesMax) return;
  world.spawn("crate", {
    x: DROP_MARGIN + along * (arena.width - 2 * DROP_MARGIN),
    y: arena.height - DROP_DEPTH,
  });
}
