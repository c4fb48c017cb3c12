/**
 * The scene that all engines simulate, on the page `/same-bits` and in `bench physics`: 40 × 24 m,
 * 24 static platforms between ground, walls and ceiling, 12 dragons, and 30 stacked pieces of loot.
 * 40 projectiles fly at once; each tick adds one and removes one. Each engine has a builder of its
 * own for this description.
 */
import { hashOf } from "../../shared/random.ts";

export const TICK_HZ = 20;
export const GRAVITY = 10;
const WIDTH = 40;
const HEIGHT = 24;

/**
 * Body counts. One projectile is added per tick, so `projectiles` is also how many ticks each one
 * lives.
 */
export interface SceneSize {
  readonly dragons: number;
  readonly loot: number;
  readonly projectiles: number;
}

export const FULL: SceneSize = { dragons: 12, loot: 30, projectiles: 40 };
/** As many bodies as in a quiet match. */
export const SMALL: SceneSize = { dragons: 8, loot: 10, projectiles: 10 };

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

export const GROUND: readonly Box[] = [
  { x: WIDTH / 2, y: -0.5, halfWidth: WIDTH / 2, halfHeight: 0.5 },
  ...[-0.5, WIDTH + 0.5].map((x) => ({
    x,
    y: HEIGHT / 2,
    halfWidth: 0.5,
    halfHeight: HEIGHT / 2 + 1,
  })),
  { x: WIDTH / 2, y: HEIGHT + 0.5, halfWidth: WIDTH / 2, halfHeight: 0.5 },
  ...Array.from({ length: 24 }, (_, i) => ({
    x: 3.1 + (i % 6) * 6.7,
    y: 3.3 + Math.floor(i / 6) * 5.1 + (i % 3) * 0.37,
    halfWidth: 1.7,
    halfHeight: 0.25,
  })),
];

export const DRAGON_RADIUS = 0.6;
export const PROJECTILE_RADIUS = 0.15;
export const LOOT_HALF = { halfWidth: 0.35, halfHeight: 0.3 };

export const dragonPlaces = Array.from(
  { length: FULL.dragons },
  (_, i) => ({ x: 2 + i * 3.1, y: 12 + (i % 3) * 3.3 }),
);
export const lootPlaces = Array.from({ length: FULL.loot }, (_, i) => {
  const column = i % 6;
  const row = Math.floor(i / 6);
  return { x: 3.1 + column * 6.7 + (row % 2) * 0.11, y: 4.2 + row * 0.75 };
});

/** What the dragons do: as the scene says, or as somebody guessed who was wrong. */
export type Script = "right" | "wrong";

/** How much one dragon's velocity changes in one tick, m/s. */
export function push(
  tick: number,
  dragon: number,
  script: Script = "right",
): { dvx: number; dvy: number } {
  const choice = hashOf(script === "right" ? 1 : 3, tick >> 2, dragon);
  const flaps = choice % 5 === 0 && (tick & 3) === 0;
  return { dvx: ((choice >>> 4) % 3 - 1) * 0.5, dvy: flaps ? 6 : 0 };
}

/** The dragon that shoots in a tick, and the side it shoots to. @param dragons their number */
export function shot(tick: number, dragons = FULL.dragons): { dragon: number; side: -1 | 1 } {
  const choice = hashOf(2, tick);
  return { dragon: choice % dragons, side: (choice >>> 8) % 2 === 0 ? 1 : -1 };
}

export const SHOT_SPEED = 18;

/** An engine that has built the full scene. */
export interface FullScene {
  /** One tick: 50 ms. */
  step(script?: Script): void;
  /** A hash of the state with all its bits, 32 bits. */
  hash(): number;
  /**
   * Saves the whole state. An engine that cannot do that lacks the method.
   * @returns goes back to that state
   */
  keep?(): () => void;
}
