/**
 * Egg Rush: eggs alone count, and one falls from the sky every two seconds. They do not hatch, they
 * wither.
 */
import { type Arena, wayAcross } from "../arena.ts";
import type { DragonWorld, DragonWorldView, ReadonlyDragon } from "../declaration.ts";
import { EGG_RADIUS, RUSH_EGG_TICKS, RUSH_EGGS_MAX, WILD_SEAT } from "../tuning.ts";
import type { Goal } from "./mode.ts";

/** Metres within which an NPC goes for an egg. */
const REACH = 9;
/** Places across the arena at which an egg may fall. */
const PLACES = 65_536;
/** Least metres from the edges at which an egg falls. */
const MARGIN = 2;

/** Lets the next egg fall. */
export function tickEggRush(world: DragonWorld, arena: Arena): void {
  if (world.match.phaseTicksLeft % RUSH_EGG_TICKS !== 0) return;
  // Drawn in any case: whether somebody takes an egg must not change other draws far away
  const along = world.random(PLACES) / PLACES;
  if (world.all("egg").length >= RUSH_EGGS_MAX) return;
  world.spawn("egg", {
    x: MARGIN + along * (arena.width - 2 * MARGIN),
    y: arena.height - 2 * EGG_RADIUS,
    fields: { seat: WILD_SEAT },
  });
}

/** The nearest egg in reach. */
export function rushGoal(
  world: DragonWorldView,
  arena: Arena,
  me: ReadonlyDragon,
): Goal | undefined {
  let nearest = REACH * REACH;
  let goal: Goal | undefined;
  for (const { x, y } of world.all("egg")) {
    const way = wayAcross(arena, me.x, x);
    const distance = way * way + (y - me.y) * (y - me.y);
    if (distance >= nearest) continue;
    nearest = distance;
    goal = { x: me.x + way, height: y + EGG_RADIUS, isThing: true };
  }
  return goal;
}
