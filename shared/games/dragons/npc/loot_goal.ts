/** Where an NPC goes for loot: to what lies there, or to a chest, which it rams. */
import { wayAcross } from "../arena.ts";
import type { Goal } from "../modes/mode.ts";
import type { FlightState } from "./motion_prediction.ts";
import type { NpcPerception } from "./perception.ts";

/** Metres within which an NPC goes for loot. */
const REACH = 8;

/** The nearest loot or chest in reach; undefined for a dragon that holds something. */
export function lootGoal(
  { world, arena, dragon, aheadTicks }: NpcPerception,
  flight: FlightState,
): Goal | undefined {
  if (dragon.fields.holds !== "none") return undefined;
  let nearest = REACH * REACH;
  let goal: Goal | undefined;
  for (const thing of world.all("chest", "loot")) {
    // What goes before it arrives is no goal
    if (thing.name === "loot" && thing.fields.ticksLeft < aheadTicks) continue;
    const way = wayAcross(arena, flight.x, thing.x);
    const rise = thing.y - flight.y;
    const distance = way * way + rise * rise;
    if (distance >= nearest) continue;
    nearest = distance;
    goal = { x: flight.x + way, height: thing.y, isThing: true };
  }
  return goal;
}
