/**
 * The modes of a round. Each is a small file that says what differs from the melee; the rules ask
 * here. Rounds go through all of them, unless the room chose one.
 */
import type { Arena } from "../arena.ts";
import type { Dragon, DragonWorld, DragonWorldView, ReadonlyDragon } from "../declaration.ts";
import { type Goal, MODE_WORDS, type ModeWord } from "./mode.ts";
import { captureGoal, tickCapture } from "./capture.ts";
import { rushGoal, tickEggRush } from "./egg_rush.ts";
import { inShelter, tickStorm } from "./storm_walls.ts";
import { EGG_CAUGHT_SCORE, EGG_SCORE, FIRE_SCORE, JOUST_SCORE } from "../tuning.ts";

/** What a dragon is paid for. */
const POINTS = {
  joust: JOUST_SCORE,
  burn: FIRE_SCORE,
  egg: EGG_SCORE,
  caughtEgg: EGG_CAUGHT_SCORE,
} as const;

type Feat = keyof typeof POINTS;

/** The mode of a turn. After all arenas the modes have moved on by one, so that all pairs come. */
export function modeOfTurn(turn: number): ModeWord {
  const passes = Math.floor((turn - 1) / MODE_WORDS.length);
  return MODE_WORDS[(turn - 1 + passes) % MODE_WORDS.length]!;
}

/** Runs after physics while the round is played. */
export function tickMode(world: DragonWorld, arena: Arena): void {
  const { mode } = world.match;
  if (mode === "egg_rush") tickEggRush(world, arena);
  else if (mode === "capture") tickCapture(world, arena);
  else if (mode === "storm_walls") tickStorm(world, arena);
}

/** Pays a dragon. In an Egg Rush eggs alone count. */
export function award({ match }: DragonWorld, dragon: Dragon, feat: Feat): void {
  const counts = match.mode !== "egg_rush" || feat === "egg" || feat === "caughtEgg";
  if (counts) dragon.fields.score += POINTS[feat];
}

/** Whether the two cannot unseat each other. */
export function areMates(a: ReadonlyDragon, b: ReadonlyDragon): boolean {
  return a.fields.team !== "none" && a.fields.team === b.fields.team;
}

/** Whether left eggs hatch: not in an Egg Rush, where they would fill the arena with Hunters. */
export function doEggsHatch({ match }: DragonWorldView): boolean {
  return match.mode !== "egg_rush";
}

/** Where an NPC wants to go, if the mode has something more urgent than a fight. */
export function modeGoal(
  world: DragonWorldView,
  arena: Arena,
  me: ReadonlyDragon,
): Goal | undefined {
  switch (world.match.mode) {
    case "egg_rush":
      return rushGoal(world, arena, me);
    case "capture":
      return captureGoal(world, arena, me);
    default:
      return undefined;
  }
}

/** The part of the arena where one can be now: from x to x, metres. */
export function shelter(world: DragonWorldView, arena: Arena): { left: number; right: number } {
  return world.match.mode === "storm_walls"
    ? inShelter(world, arena)
    : { left: 0, right: arena.width };
}

/** What a seat's dragon has scored: in a Capture its team's captures. */
export function scoreOf({ match }: DragonWorldView, { fields }: ReadonlyDragon): number {
  return match.mode === "capture" && fields.team !== "none" ? match[fields.team] : fields.score;
}

/** A dragon's team in a Capture; undefined in other modes. */
export function teamOf({ fields: { team } }: ReadonlyDragon): "blue" | "orange" | undefined {
  return team === "none" ? undefined : team;
}
