/**
 * The effect of one command on a dragon's velocity in one tick, before gravity and contacts. Pure
 * arithmetic on plain numbers: the simulation calls it with a dragon's fields, and an NPC with its
 * own copy to predict its flight.
 */
import type { DragonCommand } from "./command.ts";
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

/** The largest value of the timers in `WingState`, which are one byte each. */
export const TIMER_MAX = 255;

/** A dragon's fields that flight reads and writes, as `archetypes.ts` defines them. */
export interface WingState {
  facing: number;
  flapAge: number;
  flapBuffer: number;
  airborne: number;
}

/** m/s. */
export interface Velocity {
  vx: number;
  vy: number;
}

/** The held controls of a command that steer the flight. */
export type Steering = Pick<DragonCommand, "dir" | "flapHeld">;

/**
 * Flies one tick by a command.
 * @param presses of the flap button since the last tick
 * @returns true if the wings beat
 */
export function fly(
  wings: WingState,
  velocity: Velocity,
  steering: Steering,
  presses: number,
): boolean {
  if (steering.dir !== 0) wings.facing = steering.dir;
  steer(wings, velocity, steering.dir);
  tickFlapAge(wings);
  if (presses > 0) wings.flapBuffer = FLAP_BUFFER_TICKS + 1;
  const flaps = isFlapDue(wings, steering.flapHeld);
  if (flaps) flap(wings, velocity, steering.dir);
  else if (wings.flapBuffer > 0) wings.flapBuffer--;
  clampSpeed(velocity);
  return flaps;
}

/** Flies one tick without control. */
export function tumble(wings: WingState, velocity: Velocity): void {
  tickFlapAge(wings);
  wings.flapBuffer = 0;
  clampSpeed(velocity);
}

function tickFlapAge(wings: WingState): void {
  if (wings.flapAge < TIMER_MAX) wings.flapAge++;
}

/** Steers by the legs on the ground and for `COYOTE_TICKS` after it, otherwise by the wings. */
function steer(wings: WingState, velocity: Velocity, dir: number): void {
  if (wings.airborne <= COYOTE_TICKS) {
    velocity.vx = moveToward(velocity.vx, dir * RUN_SPEED, RUN_STEER);
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
  const from = wings.airborne <= COYOTE_TICKS ? Math.max(velocity.vy, 0) : velocity.vy;
  velocity.vy = Math.max(from, Math.min(from + FLAP_RISE, RISE_MAX));
  if (dir !== 0 && velocity.vx * dir < FLY_SPEED_MAX) {
    velocity.vx = moveToward(velocity.vx, dir * FLY_SPEED_MAX, FLAP_THRUST);
  }
  wings.flapAge = 0;
  wings.flapBuffer = 0;
  wings.airborne = Math.max(wings.airborne, COYOTE_TICKS + 1);
}

function clampSpeed(velocity: Velocity): void {
  velocity.vx = Math.max(-THROWN_SPEED_MAX, Math.min(THROWN_SPEED_MAX, velocity.vx));
  velocity.vy = Math.max(-FALL_MAX, velocity.vy);
}

/** `value` moved toward `target` by at most `step`. */
function moveToward(value: number, target: number, step: number): number {
  return value < target ? Math.min(value + step, target) : Math.max(value - step, target);
}
