/**
 * The input and output that all NPC policies share. Commands are queued long before they run, so a
 * policy decides for the state after its queue. Its decisions become commands like a player's, with
 * press counters.
 */
import type { NpcRandom, SeatId } from "../../../netcode/game.ts";
import type { Arena } from "../arena.ts";
import type { Dragon, DragonStage } from "../archetypes.ts";
import {
  addPresses,
  commandOf,
  commandOfSeen,
  type DragonCommand,
  NEUTRAL,
  release,
} from "../command.ts";
import { type FlightState, flightStateOf, predictFlight } from "./motion_prediction.ts";

/** The input of an NPC policy. */
export interface NpcPerception {
  readonly stage: DragonStage;
  readonly arena: Arena;
  readonly random: NpcRandom;
  /** The seat that the policy plays. */
  readonly seat: SeatId;
  /** The seat's dragon; undefined while there is none. */
  readonly dragon: Dragon | undefined;
}

/** The output of an NPC policy for one tick. */
export interface NpcDecision {
  readonly dir: -1 | 0 | 1;
  readonly flap: boolean;
  readonly fire: boolean;
}

/** The dragon's flight after all queued commands. */
export function predictAfterQueue(
  { stage, arena }: NpcPerception,
  dragon: Dragon,
  queued: readonly DragonCommand[],
): FlightState {
  const flight = flightStateOf(dragon, stage.fields);
  for (const command of queued) predictFlight(flight, command, arena);
  return flight;
}

/** The decision as the command after the queued ones. */
export function commandFor(
  { dir, flap, fire }: NpcDecision,
  { dragon, queued }: { readonly dragon: Dragon; readonly queued: readonly DragonCommand[] },
): DragonCommand {
  const before = release(queued.at(-1) ?? commandOfSeen(dragon.fields));
  const flaps = addPresses(before.flaps, flap ? 1 : 0);
  const fires = addPresses(before.fires, fire ? 1 : 0);
  return commandOf({ ...before, dir, flaps, fires });
}

/** The command of a seat without a dragon: nothing held, no new press. */
export function neutralAfter(queued: readonly DragonCommand[]): DragonCommand {
  const last = queued.at(-1);
  return last === undefined ? NEUTRAL : release(last);
}
