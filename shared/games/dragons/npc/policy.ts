/**
 * Picks the NPC policy of a seat, also for a bot takeover. Only the server calls it. Clients
 * receive the NPCs' commands, so the page's build leaves this file out
 * (`client/games/dragons/strip_npc_policy.ts`).
 */
import type { SeatId } from "../../../netcode/game.ts";
import type { MatchFields } from "../archetypes.ts";
import type { DragonCommand } from "../command.ts";
import { DRIFTER_REACTION_TICKS, drifterPolicy } from "./drifter.ts";
import { HUNTER_REACTION_TICKS, hunterPolicy } from "./hunter.ts";
import type { NpcPerception } from "./perception.ts";
import { HUNTER, tierOf } from "./seats.ts";

/**
 * @returns the seat's command for the tick after its queue: a pure function of the state and the
 *   queue
 */
export function npcPolicy(
  perception: NpcPerception,
  queued: readonly DragonCommand[],
): DragonCommand {
  return isHunter(perception.stage.fields, perception.seat)
    ? hunterPolicy(perception, queued)
    : drifterPolicy(perception, queued);
}

/** The least number of ticks that the seat's policy decides ahead. */
export function reactionTicksOf(fields: MatchFields, seat: SeatId): number {
  return isHunter(fields, seat) ? HUNTER_REACTION_TICKS : DRIFTER_REACTION_TICKS;
}

function isHunter(fields: MatchFields, seat: SeatId): boolean {
  return tierOf(fields, seat) === HUNTER;
}
