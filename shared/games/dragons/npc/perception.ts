/**
 * What all NPC policies share. Inputs are queued long before they are applied, so a policy decides
 * for the state after its queue.
 */
import type { Foresight, Thought } from "../../../game_kit/game_kit.ts";
import type { Arena, Platform } from "../arena.ts";
import type { DragonInput, DragonTypes, DragonWorldView, ReadonlyDragon } from "../declaration.ts";
import type { Goal } from "../modes/mode.ts";
import { WYRM_LEG_TICKS } from "../tuning.ts";
import { wyrmPlace } from "../wyrm.ts";
import { type FlightState, flightStateOf, predictFlight } from "./motion_prediction.ts";

/** What an NPC policy decides. */
export type DragonThought = Thought<DragonTypes>;

/** What an NPC policy knows: what `Think` gets, in one object. */
export interface NpcPerception {
  readonly world: DragonWorldView;
  readonly arena: Arena;
  /** What it flies around now: platforms, lava, the lift, the bridge. */
  readonly obstacles: readonly Platform[];
  readonly dragon: ReadonlyDragon;
  readonly aheadTicks: number;
  readonly random: number;
  readonly queued: readonly DragonInput[];
  readonly draw: Foresight<DragonTypes>["draw"];
}

/** Metres around the Wyrm that NPCs keep clear of. */
const WYRM_BERTH = 4;

/**
 * Where to flee from the Wyrm, if it will be near in the tick of the decision: its way is known so
 * far ahead.
 */
export function fleeFromWyrm(
  { world, aheadTicks }: NpcPerception,
  { x, y }: FlightState,
): Goal | undefined {
  const wyrm = world.one("wyrm");
  if (wyrm === undefined) return undefined;
  const at = wyrmPlace(wyrm, Math.min(aheadTicks, WYRM_LEG_TICKS));
  const dx = x - at.x;
  const dy = y - at.y;
  if (dx * dx + dy * dy > WYRM_BERTH * WYRM_BERTH) return undefined;
  return { x: x + (dx < 0 ? -WYRM_BERTH : WYRM_BERTH), height: y + (dy < 0 ? -2 : 2) };
}

/** The dragon's flight after all queued inputs. */
export function predictAfterQueue({ world, arena, dragon, queued }: NpcPerception): FlightState {
  const flight = flightStateOf(dragon, world);
  for (const input of queued) predictFlight(flight, input, arena);
  return flight;
}
