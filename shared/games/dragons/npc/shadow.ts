/**
 * The Shadow follows whoever leads. It hunts as the Hunter does, but it decides later, so that it
 * aims at what its prey does now, and it prefers prey with a high score to prey that is near. So it
 * keeps the best busy and leaves beginners alone.
 */
import type { ReadonlyDragon } from "../declaration.ts";
import { hunt } from "./hunter.ts";
import type { DragonThought, NpcPerception } from "./perception.ts";

/** Reaction time: 0.4 s, that of a good player. */
export const SHADOW_REACTION_TICKS = 8;

/** It breathes fire in one of so many ticks with its prey in sight, on average. */
const FIRE_ODDS = 2;
/** Metres by which the leader counts as nearer than it is. */
const LEADER_APPEAL = 12;

/** @returns the inputs of the tick after the queue */
export function shadowPolicy(perception: NpcPerception): DragonThought {
  const { world, dragon } = perception;
  let best = 1;
  for (const other of world.all("dragon")) {
    if (other !== dragon) best = Math.max(best, other.fields.score);
  }
  return hunt(perception, {
    appeal: ({ fields }: ReadonlyDragon) => LEADER_APPEAL * fields.score / best,
    fireOdds: FIRE_ODDS,
  });
}
