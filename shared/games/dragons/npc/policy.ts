/**
 * Which mind flies a seat, an absent player's among them. Only the server asks: a page is told what minds have decided, and its build
 * leaves this file out (`client/games/dragons/strip_npc_policy.ts`).
 */
import type { SeatId } from "../../../netcode/game.ts";
import type { MatchFields } from "../archetypes.ts";
import type { DragonCommand } from "../command.ts";
import { drift, DRIFTER_REACTION_TICKS } from "./drifter.ts";
import { hunt, HUNTER_REACTION_TICKS } from "./hunter.ts";
import type { View } from "./perception.ts";
import { HUNTER, tierOf } from "./seats.ts";

/** The seat's command for the tick after its queue. Pure: the same state and queue give the same command. */
export function decide(view: View, queued: readonly DragonCommand[]): DragonCommand {
  return isHunter(view.stage.fields, view.seat) ? hunt(view, queued) : drift(view, queued);
}

/** How far ahead the seat's mind decides at the least, ticks. */
export function reactionTicksOf(fields: MatchFields, seat: SeatId): number {
  return isHunter(fields, seat) ? HUNTER_REACTION_TICKS : DRIFTER_REACTION_TICKS;
}

function isHunter(fields: MatchFields, seat: SeatId): boolean {
  return tierOf(fields, seat) === HUNTER;
}
