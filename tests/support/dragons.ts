/**
 * The dragons as tests write and read them: commands with counters of presses in place of presses,
 * and what the page shows of a match.
 */
import {
  type DragonCommand,
  type DragonSimulation,
  NPC_NAMES,
  NPC_WORDS,
} from "../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { PLAYER_SEATS } from "../../shared/netcode/game.ts";

/** Nothing held, nothing ever pressed. */
export const NEUTRAL: DragonCommand = dragonGame.command.neutral;

/** The command with these values; parts that are left out are neutral. */
export function commandOf(values: Partial<DragonCommand>): DragonCommand {
  return { ...NEUTRAL, ...values };
}

/** A press counter after more presses. */
export function addPresses(counter: number, presses = 1): number {
  return (counter + presses) & 3;
}

/** What players call the NPC on a seat: "Drifter Ash". */
export function npcNameOf({ world }: DragonSimulation, seat: number): string {
  return `${NPC_WORDS[world.npcKind(seat)!]} ${NPC_NAMES[seat - PLAYER_SEATS]!}`;
}

/** The phase's remaining time at most, in whole seconds, rounded up. */
export function secondsLeftOf({ world }: DragonSimulation): number {
  return Math.ceil(world.match.phaseTicksLeft / dragonGame.tickHz);
}

/** Whether this player has requested the next round. */
export function isReady({ world }: DragonSimulation, seat: number): boolean {
  return world.player(seat)?.fields.ready ?? false;
}
