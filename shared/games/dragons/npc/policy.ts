/**
 * The NPC policies by their kinds; lost players' seats get the first. In a
 * match only the server thinks: clients receive the NPCs' commands. A page thinks for the match
 * behind its lobby.
 */
import type { ByNpcKind, Think } from "../../../game_kit/game_kit.ts";
import type { Arena } from "../arena.ts";
import type { DragonTypes } from "../declaration.ts";
import { DRIFTER_REACTION_TICKS, drifterPolicy } from "./drifter.ts";
import { HUNTER_REACTION_TICKS, hunterPolicy } from "./hunter.ts";
import { SHADOW_REACTION_TICKS, shadowPolicy } from "./shadow.ts";
import type { DragonThought, NpcPerception } from "./perception.ts";

/** The policies in one arena. */
export function thinkIn(arena: Arena): ByNpcKind<DragonTypes, Think<DragonTypes>> {
  const thinkAs =
    (policy: (perception: NpcPerception) => DragonThought): Think<DragonTypes> =>
    (world, dragon, aheadTicks, random, { queued, draw }) =>
      policy({ world, arena, dragon, aheadTicks, random, queued, draw });
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
