/**
 * What a command does to a dragon's velocity in one tick, before gravity and contacts have their say. Pure arithmetic on plain
 * numbers: the simulation calls it on a dragon's fields and a mind on its own copy, to see where its wings will take it.
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

/** The longest that the clocks of `WingState` count: one byte. */
export const TIMER_MAX = 255;

/** A dragon's fields that flight reads and writes; their meanings stand in `archetypes.ts`. */
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

/** What steers: the part of a command that flight obeys. */
export type Steering = Pick<DragonCommand, "dir" | "flapHeld">;

/**
 * One tick of obeying.
 * @param presses of the flap button since the last tick
 * @returns whether the wings beat
 */
export function fly(wings: WingState, velocity: Velocity, steering: Steering, presses: number): boolean {
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

/** One tick of obeying nobody. */
export function tumble(wings: WingState, velocity: Velocity): void {
  tickFlapAge(wings);
  wings.flapBuffer = 0;
  clampSpeed(velocity);
}

function tickFlapAge(wings: WingState): void {
  if (wings.flapAge < TIMER_MAX) wings.flapAge++;
}

/** Legs on the ground and shortly after it, wings as rudders in the air. */
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
  // Who takes off does not pay for having begun to fall over the edge.
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

/** `value`, brought nearer to `target` by at most `step`. */
function moveToward(value: number, target: number, step: number): number {
  return value < target ? Math.min(value + step, target) : Math.max(value - step, target);
}
