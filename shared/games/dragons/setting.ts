/**
 * The setting of a round: its arena and its mode. Rounds go through all of them, unless the room
 * chose one. The arena's ground is one static thing, which stays as long as the round.
 */
import type { Arena } from "./arena.ts";
import { spawnBridge } from "./bridge.ts";
import { ARENA_WORDS, type Arenas, type ArenaWord } from "./arenas/arenas.ts";
import { spawnCrateStack } from "./crates.ts";
import type { DragonWorld, DragonWorldView } from "./declaration.ts";
import { spawnLift } from "./lift.ts";
import { hangChests } from "./loot.ts";
import { endCapture } from "./modes/capture.ts";
import { modeOfRound } from "./modes/modes.ts";

/** The arena of the round. */
export function arenaIn({ match }: DragonWorldView, arenas: Arenas): Arena {
  return arenas[match.arena];
}

/** Chooses arena and mode of the round that begins now, and builds it in place of the last one. */
export function beginRound(world: DragonWorld, arenas: Arenas): Arena {
  const { match, options } = world;
  for (const thing of world.all(...ARENA_WORDS, "lift", "bridge", "wyrm")) world.despawn(thing);

  match.arena = options.arena === "rotation" ? arenaOfRound(match.round) : options.arena;
  match.mode = options.mode === "rotation" ? modeOfRound(match.round) : options.mode;
  endCapture(world);
  const arena = arenaIn(world, arenas);
  world.spawn(match.arena);
  if (arena.lift !== undefined) spawnLift(world, arena.lift);
  if (arena.bridge !== undefined) spawnBridge(world, arena.bridge);
  spawnCrateStack(world, arena);
  hangChests(world, arena);
  return arena;
}

/** @param round from 1 */
function arenaOfRound(round: number): ArenaWord {
  return ARENA_WORDS[(round - 1) % ARENA_WORDS.length]!;
}
