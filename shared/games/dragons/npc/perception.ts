/**
 * What every mind has in common: what it looks at, and how its wishes become a command. Commands are queued long before they
 * run, so a mind decides for where its queue will have taken it; its presses enter by the player's door, as counters.
 */
import type { SeatId } from "../../../netcode/game.ts";
import type { Arena } from "../arena.ts";
import type { Dragon, DragonStage } from "../archetypes.ts";
import { addPresses, commandOf, commandOfSeen, type DragonCommand, NEUTRAL, release } from "../command.ts";
import { type FlightState, flightStateOf, predictFlight } from "./motion_prediction.ts";

/** What a mind looks at. */
export interface NpcPerception {
  readonly stage: DragonStage;
  readonly arena: Arena;
  /** Whose mind it is; its commands know it by its seat. */
  readonly seat: SeatId;
  /** Its own; undefined while it has none. */
  readonly dragon: Dragon | undefined;
}

/** What a mind decides for one tick. */
export interface NpcDecision {
  readonly dir: -1 | 0 | 1;
  readonly flap: boolean;
  readonly fire: boolean;
}

/** Its dragon as it will be when the queue has run. */
export function predictAfterQueue(
  { stage, arena }: NpcPerception,
  dragon: Dragon,
  queued: readonly DragonCommand[],
): FlightState {
  const flight = flightStateOf(dragon, stage.fields);
  for (const command of queued) predictFlight(flight, command, arena);
  return flight;
}

/** The wish as the command after those queued. */
export function commandFor(
  { dir, flap, fire }: NpcDecision,
  { dragon, queued }: { readonly dragon: Dragon; readonly queued: readonly DragonCommand[] },
): DragonCommand {
  const before = release(queued.at(-1) ?? commandOfSeen(dragon.fields));
  const flaps = addPresses(before.flaps, flap ? 1 : 0), fires = addPresses(before.fires, fire ? 1 : 0);
  return commandOf({ ...before, dir, flaps, fires });
}

/** Hands off, for who has no dragon. */
export function neutralAfter(queued: readonly DragonCommand[]): DragonCommand {
  const last = queued.at(-1);
  return last === undefined ? NEUTRAL : release(last);
}
