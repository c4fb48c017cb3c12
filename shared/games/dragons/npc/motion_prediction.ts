/**
 * Predicts the flight of a dragon through its queued inputs:
 *
 *     v  = fly(v, input)                                                         once a tick
 *     v' = v + g·h;   p' = p + v'·h, pushed out of platforms and walls           in each world step of h seconds
 *
 * The flight arithmetic is that of the rules. The result is an estimate, because it ignores all other
 * bodies. It is a pure function of the state and the inputs.
 */
import { type Arena, beltUnder, wrapped } from "../arena.ts";
import type { DragonWorldView, ReadonlyDragon } from "../declaration.ts";
import {
  facingOf,
  fly,
  NEVER,
  type Steering,
  tumble,
  type Velocity,
  type WingState,
} from "../flight.ts";
import { DRAGON_RADIUS, GRAVITY, SUBSTEPS, TICK_HZ } from "../tuning.ts";

/** A dragon's motion and wings, predicted. Metres, m/s. */
export interface FlightState extends WingState, Velocity {
  x: number;
  y: number;
  /** The direction in which it faces: −1 or 1. */
  facing: number;
  /** Remaining ticks without control. */
  uncontrolledTicks: number;
}

const TICK_SECONDS = 1 / TICK_HZ;
const SUBSTEP_SECONDS = TICK_SECONDS / SUBSTEPS;
/** Metres: a margin for rounding and for the solver's overlap at a wall. */
const SKIN = 0.1;
const NO_PLATFORMS: Arena["platforms"] = [];

/**
 * The dragon's motion and wings now, as views see them. While the result of a round is shown it is without control.
 */
export function flightStateOf(dragon: ReadonlyDragon, { match }: DragonWorldView): FlightState {
  const { x, y, vx, vy, fields } = dragon;
  const { flapAge, flapBuffer, airborne } = fields;
  const resultTicks = match.phase === "playing" ? 0 : match.phaseTicksLeft;
  // Clocks count before the next tick.
  const uncontrolledTicks = Math.max(fields.stun - 1, fields.dead - 1, resultTicks);
  const facing = facingOf(dragon);
  return { x, y, vx, vy, facing, flapAge, flapBuffer, airborne, uncontrolledTicks };
}

/** The inputs of a tick that move a dragon. */
interface FlightInput extends Steering {
  /** Presses of the flap button. */
  readonly flaps: number;
}

/** Moves the dragon through one tick of `input`. */
export function predictFlight(flight: FlightState, input: FlightInput, arena: Arena): void {
  // Clocks and stopwatches count first
  if (flight.flapAge < NEVER) flight.flapAge++;
  if (flight.flapBuffer > 0) flight.flapBuffer--;
  if (flight.airborne < NEVER) flight.airborne++;

  if (flight.uncontrolledTicks > 0) {
    flight.uncontrolledTicks--;
    tumble(flight, flight);
  } else {
    if (input.dir !== 0) flight.facing = input.dir;
    const belt = flight.airborne <= 1 ? beltUnder(arena.platforms, flight) : 0;
    fly(flight, flight, input, { presses: input.flaps, belt });
  }
  integrateMotion(flight, arena);
}

/**
 * Applies a tick of gravity, pushes the dragon out of platforms by the shorter way, and keeps it
 * between the walls. NPCs predict about a hundred ticks in each tick, mostly here. Plain variables
 * take half the time of an object's fields.
 */
function integrateMotion(flight: FlightState, arena: Arena): void {
  const { platforms, width, height, wraps } = arena;
  let { x, y, vx, vy } = flight;
  const nearby = isNearPlatform(flight, platforms) ? platforms : NO_PLATFORMS;

  for (let substep = 0; substep < SUBSTEPS; substep++) {
    vy -= GRAVITY * SUBSTEP_SECONDS;
    x += vx * SUBSTEP_SECONDS;
    y += vy * SUBSTEP_SECONDS;
    for (let i = 0; i < nearby.length; i++) {
      const platform = nearby[i]!;
      const dy = y - platform.y;
      const depthY = platform.height / 2 + DRAGON_RADIUS - Math.abs(dy);
      if (depthY <= 0) continue;
      const dx = x - platform.x;
      const depthX = platform.width / 2 + DRAGON_RADIUS - Math.abs(dx);
      if (depthX <= 0) continue;
      if (depthX < depthY) {
        x += dx < 0 ? -depthX : depthX;
        vx = 0;
      } else {
        y += dy < 0 ? -depthY : depthY;
        vy = 0;
        if (dy > 0) flight.airborne = 0;
      }
    }
    if (!wraps) {
      const clampedX = Math.max(DRAGON_RADIUS, Math.min(width - DRAGON_RADIUS, x));
      if (clampedX !== x) vx = 0;
      x = clampedX;
    }
    if (y <= height - DRAGON_RADIUS) continue;
    y = height - DRAGON_RADIUS;
    vy = Math.min(0, vy);
  }

  flight.x = wrapped(arena, x);
  flight.y = y;
  flight.vx = vx;
  flight.vy = vy;
}

/**
 * True if the dragon may touch a platform within this tick. Mostly it cannot, which saves the test
 * in each world step.
 */
function isNearPlatform({ x, y, vx, vy }: FlightState, platforms: Arena["platforms"]): boolean {
  const reachX = DRAGON_RADIUS + SKIN + Math.abs(vx) * TICK_SECONDS;
  const reachY = DRAGON_RADIUS + SKIN + (Math.abs(vy) + GRAVITY * TICK_SECONDS) * TICK_SECONDS;
  for (let i = 0; i < platforms.length; i++) {
    const platform = platforms[i]!;
    if (Math.abs(y - platform.y) > platform.height / 2 + reachY) continue;
    if (Math.abs(x - platform.x) <= platform.width / 2 + reachX) return true;
  }
  return false;
}
