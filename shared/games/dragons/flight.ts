/**
 * The effect of one tick's input on a dragon's velocity, before gravity and contacts. Pure
 * arithmetic on plain numbers: the rules call it with a dragon's fields, and an NPC with its own
 * copy to predict its flight.
 */
import type { ReadonlyDragon } from "./declaration.ts";
import {
  AIR_STEER,
  COYOTE_TICKS,
  FALL_MAX,
  FLAP_BUFFER_TICKS,
  FLAP_COOLDOWN_TICKS,
  FLAP_REPEAT_TICKS,
  FLAP_RISE,
  FLAP_THRUST,
  FLY_SPEED_MAX,
  RISE_MAX,
  RUN_SPEED,
  RUN_STEER,
  THROWN_SPEED_MAX,
} from "./tuning.ts";

/** What a stopwatch of `WingState` says when it has not been started. */
export const NEVER = 255;

/**
 * Before physics, a dragon with a smaller or equal `airborne` counts as standing: the tick that
 * begins counts, too.
 */
const STANDING_TICKS = COYOTE_TICKS + 1;

/** A dragon's fields that flight reads and writes. They count at the beginning of each tick. */
export interface WingState {
  /** Ticks since the last flap. */
  flapAge: number;
  /** Ticks that a press may still wait for a flap. */
  flapBuffer: number;
  /** Ticks since the dragon stood. */
  airborne: number;
}

/** m/s. */
export interface Velocity {
  vx: number;
  vy: number;
}

/** The held controls that steer the flight. */
export interface Steering {
  /** −1 left, 1 right. */
  readonly dir: number;
  readonly flapHeld: boolean;
}

/**
 * Flies one tick by an input.
 * @param presses of the flap button since the last tick
 * @param belt the speed of the belt under its feet, m/s; 0 without one
 * @returns true if the wings beat
 */
export function fly(
  wings: WingState,
  velocity: Velocity,
  { dir, flapHeld }: Steering,
  { presses, belt }: { readonly presses: number; readonly belt: number },
): boolean {
  steer(wings, velocity, dir, belt);
  if (presses > 0) wings.flapBuffer = FLAP_BUFFER_TICKS + 1;
  const flaps = isFlapDue(wings, flapHeld);
  if (flaps) flap(wings, velocity, dir);
  clampSpeed(velocity);
  return flaps;
}

/** Flies one tick without control. */
export function tumble(wings: WingState, velocity: Velocity): void {
  wings.flapBuffer = 0;
  clampSpeed(velocity);
}

/** Whether the dragon has stood within the last `COYOTE_TICKS`, after the physics of a tick. */
export function isStanding({ airborne }: WingState): boolean {
  return airborne < STANDING_TICKS;
}

/** Whether the ground under it ends a flight, after the physics of a tick. */
export function isLanding({ airborne }: WingState): boolean {
  return airborne > STANDING_TICKS;
}

/** Takes the ground from under a standing dragon, after the physics of a tick. */
export function throwUp(wings: WingState): void {
  wings.airborne = STANDING_TICKS;
}

/**
 * Steers by the legs on the ground and for `COYOTE_TICKS` after it, otherwise by the wings. Legs run
 * relative to the belt that they stand on.
 */
function steer(wings: WingState, velocity: Velocity, dir: number, belt: number): void {
  if (wings.airborne <= STANDING_TICKS) {
    velocity.vx = moveToward(velocity.vx, belt + dir * RUN_SPEED, RUN_STEER);
  } else if (dir !== 0 && velocity.vx * dir < FLY_SPEED_MAX) {
    velocity.vx = moveToward(velocity.vx, dir * FLY_SPEED_MAX, AIR_STEER);
  }
}

function isFlapDue(wings: WingState, flapHeld: boolean): boolean {
  if (wings.flapBuffer > 0 && wings.flapAge >= FLAP_COOLDOWN_TICKS) return true;
  return flapHeld && wings.flapAge >= FLAP_REPEAT_TICKS;
}

function flap(wings: WingState, velocity: Velocity, dir: number): void {
  // At a take-off from an edge, the fall that has begun does not reduce the rise.
  const isTakingOff = wings.airborne <= STANDING_TICKS;
  const from = isTakingOff ? Math.max(velocity.vy, 0) : velocity.vy;
  velocity.vy = Math.max(from, Math.min(from + FLAP_RISE, RISE_MAX));
  if (dir !== 0 && velocity.vx * dir < FLY_SPEED_MAX) {
    velocity.vx = moveToward(velocity.vx, dir * FLY_SPEED_MAX, FLAP_THRUST);
  }
  wings.flapAge = 0;
  wings.flapBuffer = 0;
  if (isTakingOff) wings.airborne = STANDING_TICKS + 1;
}

function clampSpeed(velocity: Velocity): void {
  velocity.vx = Math.max(-THROWN_SPEED_MAX, Math.min(THROWN_SPEED_MAX, velocity.vx));
  velocity.vy = Math.max(-FALL_MAX, velocity.vy);
}

/** The sign of x in the direction that a dragon faces. */
export function facingOf({ fields }: ReadonlyDragon): -1 | 1 {
  return fields.facing === "left" ? -1 : 1;
}

/** `value` moved toward `target` by at most `step`. */
function moveToward(value: number, target: number, step: number): number {
  return value < target ? Math.min(value + step, target) : Math.max(value - step, target);
}
