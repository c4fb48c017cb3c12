/**
 * What an arena is, as data, in metres, y upwards. `arenas/` has them all. The walls around an arena
 * belong to the declaration.
 */
import { DRAGON_RADIUS } from "./tuning.ts";

export interface Platform {
  /** The centre. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The speed of its surface, m/s, positive to the right: a conveyor. Default: it stands still. */
  readonly belt?: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A platform that a motor moves up and down. */
export interface Lift {
  /** The platform's middle, and its size. */
  readonly x: number;
  readonly width: number;
  readonly height: number;
  /** The lowest and the highest place of its centre. */
  readonly low: number;
  readonly high: number;
}

/** A place from which a chest hangs, and the length of its rope, metres. */
export interface Hook extends Point {
  readonly rope: number;
}

/** A platform that goes when it has burnt down. All bridges have the size `BRIDGE_HALF`. */
export type Bridge = Point;

/** What an arena's file says of it. */
interface ArenaParts {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly platforms: readonly Platform[];
  /** The centres of entering dragons. */
  readonly spawnPoints: readonly Point[];
  /** Heights, ascending, at which a dragon crosses the whole width without meeting a platform. */
  readonly lanes: readonly number[];
  /** The centres of the stacked crates at the start of a round. */
  readonly crates: readonly Point[];
  /** Most crates: burnt ones are replaced. Default: as many as at the start. */
  readonly cratesMax?: number;
  /** Whether the left and the right edge are one. Default: there are walls. */
  readonly wraps?: boolean;
  /** The height of the lava's surface. Default 0: there is none. */
  readonly lava?: number;
  readonly lift?: Lift;
  /** Where chests hang. Default: nowhere. */
  readonly hooks?: readonly Hook[];
  /** A bridge that burns down in the middle of a round. */
  readonly bridge?: Bridge;
}

export interface Arena extends ArenaParts {
  readonly cratesMax: number;
  readonly wraps: boolean;
  readonly lava: number;
  readonly hooks: readonly Hook[];
  /** What NPCs fly around: the platforms, and the lava. */
  readonly obstacles: readonly Platform[];
}

/** Completes what an arena's file says. */
export function arenaOf(parts: ArenaParts): Arena {
  const { width, platforms, crates, cratesMax = crates.length } = parts;
  const { wraps = false, lava = 0, hooks = [] } = parts;
  const surface = { x: width / 2, y: lava / 2, width, height: lava };
  return {
    ...parts,
    cratesMax,
    wraps,
    lava,
    hooks,
    obstacles: lava > 0 ? [...platforms, surface] : platforms,
  };
}

/** Half a crate's side, metres. */
export const CRATE_HALF = 0.4;

/** Metres outside of the walls beyond which an entity is lost: it has tunnelled. */
const LOST_MARGIN = 0.5;
/**
 * Metres beyond an edge that is one with the other edge, after which a thing appears there: so deep
 * that nobody is seen at both.
 */
export const WRAP_MARGIN = DRAGON_RADIUS + 0.05;

/** True for a place from which nothing can come back. */
export function isOutside({ width, height, wraps }: Arena, { x, y }: Point): boolean {
  const margin = wraps ? 2 * WRAP_MARGIN : LOST_MARGIN;
  const inside = x >= -margin && x <= width + margin && y >= -LOST_MARGIN &&
    y <= height + LOST_MARGIN;
  return !inside;
}

/** Where something at `x` comes out, if it has left by an edge that is one with the other; metres. */
export function wrapped({ width, wraps }: Arena, x: number): number {
  if (!wraps) return x;
  const round = width + 2 * WRAP_MARGIN;
  if (x < -WRAP_MARGIN) return x + round;
  return x > width + WRAP_MARGIN ? x - round : x;
}

/** The way from one x to another, metres: through the edges, if they are one and that is shorter. */
export function wayAcross({ width, wraps }: Arena, from: number, to: number): number {
  const way = to - from;
  if (!wraps) return way;
  const round = width + 2 * WRAP_MARGIN;
  if (way > round / 2) return way - round;
  return way < -round / 2 ? way + round : way;
}

/** The speed of the belt under the feet of a dragon, m/s; 0 if it stands on none. */
export function beltUnder(platforms: readonly Platform[], { x, y }: Point): number {
  for (const platform of platforms) {
    if (platform.belt === undefined) continue;
    const above = y - DRAGON_RADIUS - platform.y - platform.height / 2;
    if (Math.abs(above) < BELT_REACH && Math.abs(x - platform.x) < platform.width / 2) {
      return platform.belt;
    }
  }
  return 0;
}

/** Metres above or below a belt's surface within which feet are on it. */
const BELT_REACH = 0.12;
