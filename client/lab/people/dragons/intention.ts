/**
 * From a sight to an intention: where a rider of some temper wants to go now, and whether they want
 * to fire.
 */
import type { Platform } from "../../../../shared/games/dragons/arena.ts";
import type { SeenDragon, Sight } from "./sight.ts";
import type { Temper } from "./styles.ts";

export interface Intention {
  readonly dir: -1 | 0 | 1;
  /** They want to be at least this high, metres. */
  readonly height: number;
  readonly fires: boolean;
}

/** Metres. Within this distance of a wall they turn. */
const WALL_METRES = 2;
/** Metres. Nearer than this to a rival, who is lower, they come down on them. */
const STRIKE_METRES = 2.5;
/** Metres by which they want to be higher at the touch. */
const STRIKE_HEIGHT = 0.4;
/** Metres by which they rise over a rival from whom they flee. */
const FLEE_HEIGHT = 2;
/** Metres: the room that a dragon needs between its centre and a platform's. */
const CLEARANCE = 1;
/** Metres. A fireball flies about level. */
const LEVEL_METRES = 0.9;
/** Shares of the arena's height and width between which they circle. */
const CIRCLE_LOW = 0.4;
const CIRCLE_EDGE = 0.2;

/**
 * Decides from a sight whose dragons are already where the rider expects them to be now.
 * @param dir the direction that they hold now
 */
export function intentionOf(
  sight: Sight,
  own: SeenDragon,
  dir: -1 | 0 | 1,
  temper: Temper,
): Intention {
  const { rivals, eggs, arena } = sight;
  const prey = nearest(own, rivals.filter(({ isPrey }) => isPrey), temper.huntMetres);
  const fires = prey !== undefined && isInSights(own, prey, temper.fireMetres);
  const foe = nearest(
    own,
    rivals.filter((rival) => rival.isPrey && rival.y > own.y - 0.1),
    temper.fleeMetres,
  );
  if (foe !== undefined) return { dir: own.x < foe.x ? -1 : 1, height: foe.y + FLEE_HEIGHT, fires };
  const target = nearest(own, eggs, temper.eggMetres) ?? strikeAt(own, prey, temper);
  if (target === undefined) return { ...circle(own, dir, sight), fires };
  return { ...flyTo(own, target, arena.platforms), fires };
}

/** Turns back at a wall. */
export function awayFromWalls({ x }: SeenDragon, dir: -1 | 0 | 1, width: number): -1 | 0 | 1 {
  return x < WALL_METRES ? 1 : x > width - WALL_METRES ? -1 : dir;
}

/** First above the prey, then down on it. */
function strikeAt(own: SeenDragon, prey: SeenDragon | undefined, { perchMetres }: Temper) {
  if (prey === undefined) return undefined;
  const isNear = Math.abs(prey.x - own.x) < STRIKE_METRES && own.y > prey.y;
  return { x: prey.x, y: prey.y + (isNear ? STRIKE_HEIGHT : perchMetres) };
}

function isInSights(own: SeenDragon, prey: SeenDragon, fireMetres: number): boolean {
  const ahead = (prey.x - own.x) * own.facing;
  return ahead > 0 && ahead < fireMetres && Math.abs(prey.y - own.y) < LEVEL_METRES;
}

/** To and fro through the upper half of the arena. */
function circle(own: SeenDragon, dir: -1 | 0 | 1, { arena }: Sight): Omit<Intention, "fires"> {
  const edge = CIRCLE_EDGE * arena.width;
  const turned = own.x < edge ? 1 : own.x > arena.width - edge ? -1 : dir;
  return { dir: turned || 1, height: CIRCLE_LOW * arena.height };
}

/** Toward a place, and around a platform in between. */
function flyTo(
  own: SeenDragon,
  target: { x: number; y: number },
  platforms: readonly Platform[],
): Omit<Intention, "fires"> {
  const platform = platforms.find((each) => isBetween(each, own, target));
  if (platform === undefined) return { dir: directionTo(own, target.x), height: target.y };
  const reach = platform.width / 2 + CLEARANCE;
  const [left, right] = [platform.x - reach, platform.x + reach];
  const detour = (edge: number) => Math.abs(own.x - edge) + Math.abs(target.x - edge);
  const height = platform.y > own.y ? Math.min(target.y, platform.y - CLEARANCE - 0.2) : target.y;
  return { dir: directionTo(own, detour(left) < detour(right) ? left : right), height };
}

/** Whether a platform is straight above or below, and the target is behind it. */
function isBetween({ x, y, width }: Platform, own: SeenDragon, target: { y: number }): boolean {
  return Math.abs(own.x - x) < width / 2 + CLEARANCE / 2 && (y - own.y) * (y - target.y) < 0;
}

function directionTo(own: SeenDragon, x: number): -1 | 0 | 1 {
  return Math.abs(x - own.x) < 0.3 ? 0 : x > own.x ? 1 : -1;
}

/** The nearest of these within `metres`. */
function nearest<Thing extends { readonly x: number; readonly y: number }>(
  { x, y }: SeenDragon,
  things: readonly Thing[],
  metres: number,
): Thing | undefined {
  let best: Thing | undefined;
  let bestMetres = metres;
  for (const thing of things) {
    const distance = Math.hypot(thing.x - x, thing.y - y);
    if (distance >= bestMetres) continue;
    best = thing;
    bestMetres = distance;
  }
  return best;
}
