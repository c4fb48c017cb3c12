/**
 * The NPC policies by their kinds; lost players' seats get the first. In a
 * match only the server thinks: clients receive the NPCs' commands. A page thinks for the match
 * behind its lobby.
 */
import type { ByNpcKind, Think } from "../../../game_kit/game_kit.ts";
import type { Platform } from "../arena.ts";
import type { Arenas } from "../arenas/arenas.ts";
import type { DragonTypes, DragonWorldView } from "../declaration.ts";
import { arenaIn } from "../setting.ts";
import { BRIDGE_HALF, LIFT_HALF } from "../tuning.ts";
import { DRIFTER_REACTION_TICKS, drifterPolicy } from "./drifter.ts";
import { HUNTER_REACTION_TICKS, hunterPolicy } from "./hunter.ts";
import { SHADOW_REACTION_TICKS, shadowPolicy } from "./shadow.ts";
import type { DragonThought, NpcPerception } from "./perception.ts";

/** The policies in these arenas. */
export function thinkIn(arenas: Arenas): ByNpcKind<DragonTypes, Think<DragonTypes>> {
  const thinkAs =
    (policy: (perception: NpcPerception) => DragonThought): Think<DragonTypes> =>
    (world, dragon, aheadTicks, random, { queued, draw }) => {
      // In the troll's hand nothing helps but flapping
      if (dragon.fields.grip > aheadTicks) return { flaps: 1 };

      const arena = arenaIn(world, arenas);
      const obstacles = withMoving(world, arena.obstacles);
      return policy({ world, arena, obstacles, dragon, aheadTicks, random, queued, draw });
    };
  return {
    drifter: thinkAs(drifterPolicy),
    hunter: thinkAs(hunterPolicy),
    shadow: thinkAs(shadowPolicy),
  };
}

/** The least number of ticks that each kind decides ahead. */
export const reactionTicks: ByNpcKind<DragonTypes, number> = {
  drifter: DRIFTER_REACTION_TICKS,
  hunter: HUNTER_REACTION_TICKS,
  shadow: SHADOW_REACTION_TICKS,
};

/**
 * What NPCs fly around, with the lift where it is now, because it moves slower than they fly, and
 * with the bridge while it is there.
 */
function withMoving(
  world: DragonWorldView,
  obstacles: readonly Platform[],
): readonly Platform[] {
  const moving = world.one("lift") ?? world.one("bridge");
  if (moving === undefined) return obstacles;
  const { x, y } = moving;
  const [halfWidth, halfHeight] = moving.name === "lift" ? LIFT_HALF : BRIDGE_HALF;
  return [...obstacles, { x, y, width: 2 * halfWidth, height: 2 * halfHeight }];
}
