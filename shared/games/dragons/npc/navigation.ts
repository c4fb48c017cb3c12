/**
 * Navigation among platforms: pure arithmetic on a predicted flight. An NPC passes a platform at
 * its edge and keeps clear of its upper and lower face. It flaps when it is below the height of its
 * goal.
 */
import type { Arena, Platform } from "../arena.ts";
import type { Goal } from "../modes/mode.ts";
import type { FlightState } from "./motion_prediction.ts";
import { DRAGON_RADIUS, FLAP_REPEAT_TICKS } from "../tuning.ts";

/** The precision of steering. */
export interface SteeringTarget {
  /** Metres from the goal at which steering stops. */
  readonly arrivalDistance: number;
  /** Seconds ahead at which steering aims, so that it brakes before it arrives. */
  readonly brakingSeconds: number;
}

/** Metres that flaps move a dragon above and below the height that it keeps. */
export const BOB = 0.45;
/**
 * Metres from a platform's face to the centre of a dragon that keeps clear of it, `BOB` included.
 */
const CLEARANCE = DRAGON_RADIUS + BOB + 0.3;
/** Metres ahead at which a platform's edge matters. */
const SIGHT = 2;
/** Metres beside an edge at which a dragon passes. */
const BERTH = DRAGON_RADIUS + 0.5;
/** Metres beside a platform's edge within which the platform counts as overhead or underneath. */
const OVERHANG = DRAGON_RADIUS + 0.2;

/** Metres sideways within which a dragon lets itself fall onto something. */
const DROP = 0.7;

/**
 * The height to keep at the current x on the way to a goal: clear of the platforms overhead and
 * underneath. Right above a thing to touch it is the thing's own, because it may lie on a platform.
 */
export function clearHeight(
  flight: FlightState,
  goal: Goal,
  platforms: readonly Platform[],
): number {
  const { height } = goal;
  if (goal.isThing && canDropTo(flight, goal, platforms)) return height;
  let clear = height;
  for (const platform of platforms) {
    if (Math.abs(flight.x - platform.x) > platform.width / 2 + OVERHANG) continue;
    const clearance = platform.height / 2 + CLEARANCE;
    if (platform.y > flight.y) clear = Math.min(clear, platform.y - clearance);
    else clear = Math.max(clear, platform.y + clearance);
  }
  return clear;
}

function canDropTo(flight: FlightState, goal: Goal, platforms: readonly Platform[]): boolean {
  if (Math.abs(goal.x - flight.x) > DROP || flight.y < goal.height) return false;
  return platforms.every(({ x, y, width }) =>
    y > flight.y || y < goal.height || Math.abs(flight.x - x) > width / 2 + OVERHANG
  );
}

/**
 * The direction toward the goal. Before the edge of a platform at the same height, the dragon
 * brakes until it can pass.
 */
export function headingTo(
  flight: FlightState,
  { x, height }: Goal,
  { platforms, arrivalDistance, brakingSeconds }: SteeringTarget & {
    readonly platforms: readonly Platform[];
  },
): -1 | 0 | 1 {
  const distanceX = x - flight.x - flight.vx * brakingSeconds;
  if (Math.abs(distanceX) < arrivalDistance) return 0;
  const dir = distanceX < 0 ? -1 : 1;
  for (const platform of platforms) {
    const toEdge = (platform.x - flight.x) * dir - platform.width / 2;
    const isLevel = Math.abs(flight.y - platform.y) < platform.height / 2 + DRAGON_RADIUS + 0.15;
    const willClear = Math.abs(height - flight.y) < BOB;
    if (toEdge > 0 && toEdge < SIGHT && isLevel && !willClear) {
      return flight.vx * dir > 0 ? (-dir as -1 | 1) : 0;
    }
  }
  return dir;
}

/** True if the dragon is too low for `height` and can flap now. */
export function shouldFlap(flight: FlightState, height: number): boolean {
  if (flight.uncontrolledTicks > 0 || flight.flapAge + 1 < FLAP_REPEAT_TICKS || flight.vy > 1) {
    return false;
  }
  return flight.y + flight.vy * 0.1 < height - BOB;
}

/**
 * The next place on the way to `goal`: the goal itself, or the edge at which to pass the first
 * platform in between. A gap at a wall that is too narrow for a dragon does not count.
 */
export function routeAroundPlatforms(
  flight: FlightState,
  goal: Goal,
  { arena, platforms }: { readonly arena: Arena; readonly platforms: readonly Platform[] },
): Goal {
  for (const platform of platforms) {
    if ((platform.y > flight.y) === (platform.y > goal.height)) continue;
    const isHere = Math.abs(flight.x - platform.x) < platform.width / 2 + OVERHANG;
    const isThere = Math.abs(goal.x - platform.x) < platform.width / 2 + OVERHANG;
    if (!isHere && !isThere) continue;
    const edge = edgeToward(platform, isHere ? goal.x : flight.x, arena);
    return { x: edge, height: isHere ? flight.y + BOB : goal.height };
  }
  return goal;
}

/** The x beside the platform's edge that is nearer to `x` and passable. */
function edgeToward(platform: Platform, x: number, { width, wraps }: Arena): number {
  const left = platform.x - platform.width / 2 - BERTH;
  const right = platform.x + platform.width / 2 + BERTH;
  if (!wraps && left < DRAGON_RADIUS) return right;
  if (!wraps && right > width - DRAGON_RADIUS) return left;
  return x < platform.x ? left : right;
}
