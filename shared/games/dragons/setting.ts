/**
 * The setting of a round: its arena and its mode. Rounds go through all pairs of them in turns,
 * unless the room chose one. The arena's ground is one static thing, which stays as long as the
 * round.
 */
import type { Arena } from "./arena.ts";
import { spawnBridge } from "./bridge.ts";
import { ARENA_WORDS, type Arenas, type ArenaWord } from "./arenas/arenas.ts";
import { spawnCrateStack } from "./crates.ts";
import type { DragonWorld, DragonWorldView } from "./declaration.ts";
import { spawnLift } from "./lift.ts";
import { hangChests } from "./loot.ts";
import { endCapture } from "./modes/capture.ts";
import { MODE_WORDS, type ModeWord } from "./modes/mode.ts";
import { modeOfTurn } from "./modes/modes.ts";

/** What players choose or vote for. */
export interface Setting {
  readonly arena: ArenaWord;
  readonly mode: ModeWord;
}

/** The arena of the round. */
export function arenaIn({ match }: DragonWorldView, arenas: Arenas): Arena {
  return arenas[match.arena];
}

/** Chooses arena and mode of the round that begins now, and builds it in place of the last one. */
export function beginRound(world: DragonWorld, arenas: Arenas): Arena {
  const { match } = world;
  for (const thing of world.all(...ARENA_WORDS, "lift", "bridge", "wyrm")) world.despawn(thing);

  const setting = settingOf(world, match.turn);
  match.arena = setting.arena;
  match.mode = setting.mode;
  endCapture(world);
  const arena = arenaIn(world, arenas);
  world.spawn(match.arena);
  if (arena.lift !== undefined) spawnLift(world, arena.lift);
  if (arena.bridge !== undefined) spawnBridge(world, arena.bridge);
  spawnCrateStack(world, arena);
  hangChests(world, arena);
  return arena;
}

/** How many turns there are: a pair of arena and mode for each. */
export const TURNS = ARENA_WORDS.length * MODE_WORDS.length;

/** The turn after this one, 1 … `TURNS`. */
export function nextTurn(turn: number): number {
  return turn % TURNS + 1;
}

/** Arena and mode of a turn: those of the room, where it chose one. @param turn from 1 */
export function settingOf({ options }: Pick<DragonWorldView, "options">, turn: number): Setting {
  return {
    arena: options.arena === "rotation"
      ? ARENA_WORDS[(turn - 1) % ARENA_WORDS.length]!
      : options.arena,
    mode: options.mode === "rotation" ? modeOfTurn(turn) : options.mode,
  };
}

/** Whether the room chose both, so that all rounds are alike. */
export function isOneSetting({ options }: Pick<DragonWorldView, "options">): boolean {
  return options.arena !== "rotation" && options.mode !== "rotation";
}
