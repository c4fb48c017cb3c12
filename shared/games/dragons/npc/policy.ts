/**
 * Which mind flies a seat, an absent player's among them. Only the server asks: a page is told what minds have decided, and its build
 * leaves this file out (`client/games/dragons/strip_npc_policy.ts`).
 */
import type { SeatId } from "../../../netcode/game.ts";
import type { MatchFields } from "../archetypes.ts";
import type { DragonCommand } from "../command.ts";
import { DRIFTER_REACTION_TICKS, drifterPolicy } from "./drifter.ts";
import { HUNTER_REACTION_TICKS, hunterPolicy } from "./hunter.ts";
import type { NpcPerception } from "./perception.ts";
import { HUNTER, tierOf } from "./seats.ts";

/** The seat's command for the tick after its queue. Pure: the same state and queue give the same command. */
export function npcPolicy(perception: NpcPerception, queued: readonly DragonCommand[]): DragonCommand {
  return isHunter(perception.stage.fields, perception.seat)
    ? hunterPolicy(perception, queued)
    : drifterPolicy(perception, queued);
}

/** How far ahead the seat's mind decides at the least, ticks. */
export function reactionTicksOf(fields: MatchFields, seat: SeatId): number {
  return isHunter(fields, seat) ? HUNTER_REACTION_TICKS : DRIFTER_REACTION_TICKS;
}

function isHunter(fields: MatchFields, seat: SeatId): boolean {
  return tierOf(fields, seat) === HUNTER;
}
