/**
 * What all NPC policies share. Inputs are queued long before they are applied, so a policy decides
 * for the state after its queue.
 */
import type { Foresight, InputChanges } from "../../../game_kit/game_kit.ts";
import type { Arena, Platform } from "../arena.ts";
import type { DragonInput, DragonTypes, DragonWorldView, ReadonlyDragon } from "../declaration.ts";
import { type FlightState, flightStateOf, predictFlight } from "./motion_prediction.ts";

/** What an NPC policy decides. */
export type DragonThought = InputChanges<DragonTypes>;

/** What an NPC policy knows: what `Think` gets, in one object. */
export interface NpcPerception {
  readonly world: DragonWorldView;
  readonly arena: Arena;
  /** What it flies around now: platforms, lava, the lift. */
  readonly obstacles: readonly Platform[];
  readonly dragon: ReadonlyDragon;
  readonly aheadTicks: number;
  readonly random: number;
  readonly queued: readonly DragonInput[];
  readonly draw: Foresight<DragonTypes>["draw"];
}

/** The dragon's flight after all queued inputs. */
export function predictAfterQueue({ world, arena, dragon, queued }: NpcPerception): FlightState {
  const flight = flightStateOf(dragon, world);
  for (const input of queued) predictFlight(flight, input, arena);
  return flight;
}
