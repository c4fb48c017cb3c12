/**
 * How a mind gets somewhere among platforms: a goal is a place and a height, a platform between is gone round at its edge, a
 * face is never hugged, wings beat when the height is lost. Pure arithmetic on where the dragon is foreseen to be.
 */
import type { Arena, Platform } from "../arena.ts";
import type { FlightState } from "./motion_prediction.ts";
import { DRAGON_RADIUS, FLAP_REPEAT_TICKS } from "../tuning.ts";

/** Where to be. Metres. */
export interface Goal {
  readonly x: number;
  readonly height: number;
}

/** How exactly. */
export interface SteeringTarget {
  /** Metres from the goal at which steering stops. */
  readonly arrivalDistance: number;
  /** Seconds ahead at which steering aims, so that it brakes before it arrives. */
  readonly brakingSeconds: number;
}

/** Metres that a wing beat's bobbing needs above and below. */
export const BOB = 0.45;
/** Metres kept from a platform's face, bobbing included. */
const CLEARANCE = DRAGON_RADIUS + BOB + 0.3;
/** Metres ahead at which a platform's edge is seen. */
const SIGHT = 2;
/** Metres beside an edge at which a dragon passes it. */
const BERTH = DRAGON_RADIUS + 0.5;
/** Metres beside a platform's edge from which it is overhead, or underneath. */
const OVERHANG = DRAGON_RADIUS + 0.2;

/** The height to keep here on the way to `height`: platforms between are passed at their edges, not through them. */
export function clearHeight(flight: FlightState, height: number, platforms: readonly Platform[]): number {
  let clear = height;
  for (const platform of platforms) {
    if (Math.abs(flight.x - platform.x) > platform.width / 2 + OVERHANG) continue;
    const clearance = platform.height / 2 + CLEARANCE;
    if (platform.y > flight.y) clear = Math.min(clear, platform.y - clearance);
    else clear = Math.max(clear, platform.y + clearance);
  }
  return clear;
}

/** Toward the goal; back from a platform whose edge is ahead until the height is right to pass it. */
export function headingTo(
  flight: FlightState,
  { x, height }: Goal,
  { platforms, arrivalDistance, brakingSeconds }: SteeringTarget & { readonly platforms: readonly Platform[] },
): -1 | 0 | 1 {
  const distanceX = x - flight.x - flight.vx * brakingSeconds;
  if (Math.abs(distanceX) < arrivalDistance) return 0;
  const dir = distanceX < 0 ? -1 : 1;
  for (const platform of platforms) {
    const toEdge = (platform.x - flight.x) * dir - platform.width / 2;
    const isLevel = Math.abs(flight.y - platform.y) < platform.height / 2 + DRAGON_RADIUS + 0.15;
    const willClear = Math.abs(height - flight.y) < BOB;
    if (toEdge > 0 && toEdge < SIGHT && isLevel && !willClear) return flight.vx * dir > 0 ? (-dir as -1 | 1) : 0;
  }
  return dir;
}

/** Below where a beat would be too much, and wings ready that somebody moves. */
export function shouldFlap(flight: FlightState, height: number): boolean {
  if (flight.uncontrolledTicks > 0 || flight.flapAge + 1 < FLAP_REPEAT_TICKS || flight.vy > 1) return false;
  return flight.y + flight.vy * 0.1 < height - BOB;
}

/**
 * The next place on the way to `goal`: the goal itself, or the edge at which the first platform between is passed. A gap
 * between a platform and a wall that is too narrow for a dragon is none.
 */
export function routeAroundPlatforms(flight: FlightState, goal: Goal, arena: Arena): Goal {
  for (const platform of arena.platforms) {
    if ((platform.y > flight.y) === (platform.y > goal.height)) continue;
    const isHere = Math.abs(flight.x - platform.x) < platform.width / 2 + OVERHANG;
    const isThere = Math.abs(goal.x - platform.x) < platform.width / 2 + OVERHANG;
    if (!isHere && !isThere) continue;
    const edge = edgeToward(platform, isHere ? goal.x : flight.x, arena);
    return { x: edge, height: isHere ? flight.y + BOB : goal.height };
  }
  return goal;
}

/** Beside the platform's nearer passable edge. */
function edgeToward(platform: Platform, x: number, arena: Arena): number {
  const left = platform.x - platform.width / 2 - BERTH, right = platform.x + platform.width / 2 + BERTH;
  if (left < DRAGON_RADIUS) return right;
  if (right > arena.width - DRAGON_RADIUS) return left;
  return x < platform.x ? left : right;
}
