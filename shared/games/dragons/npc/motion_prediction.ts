/**
 * Predicts the flight of a dragon through its queued commands:
 *
 *     v  = fly(v, command)                                                       once a tick
 *     v' = v + g·h;   p' = p + v'·h, pushed out of platforms and walls           in each world step of h seconds
 *
 * The flight arithmetic is the simulation's own. The result is an estimate, because it ignores all
 * other bodies. It is a pure function of the state and the commands.
 */
import type { Arena } from "../arena.ts";
import type { Dragon, MatchFields } from "../archetypes.ts";
import { type DragonCommand, pressesSince } from "../command.ts";
import { fly, TIMER_MAX, tumble, type Velocity, type WingState } from "../flight.ts";
import { isPlaying } from "../rounds.ts";
import { DRAGON_RADIUS, GRAVITY, SUBSTEPS, TICK_HZ } from "../tuning.ts";

/** A dragon's motion and wings, predicted. Metres, m/s. */
export interface FlightState extends WingState, Velocity {
  x: number;
  y: number;
  /** The flap counter of the newest command. */
  flapsSeen: number;
  /** Remaining ticks without control. */
  uncontrolledTicks: number;
}

const TICK_SECONDS = 1 / TICK_HZ;
const SUBSTEP_SECONDS = TICK_SECONDS / SUBSTEPS;
/** Metres: a margin for rounding and for the solver's overlap at a wall. */
const SKIN = 0.1;
const NO_PLATFORMS: Arena["platforms"] = [];

/**
 * The dragon's motion and wings now. While the result of a round is shown it is without control.
 */
export function flightStateOf({ x, y, vx, vy, fields }: Dragon, match: MatchFields): FlightState {
  const { facing, flapAge, flapBuffer, airborne, flapsSeen } = fields;
  const uncontrolledTicks = Math.max(
    fields.stun,
    fields.dead,
    isPlaying(match) ? 0 : match.phaseTicksLeft,
  );
  return { x, y, vx, vy, facing, flapAge, flapBuffer, airborne, flapsSeen, uncontrolledTicks };
}

/** Moves the dragon through one tick of `command`. */
export function predictFlight(flight: FlightState, command: DragonCommand, arena: Arena): void {
  const presses = pressesSince(flight.flapsSeen, command.flaps);
  flight.flapsSeen = command.flaps;
  if (flight.uncontrolledTicks > 0) {
    flight.uncontrolledTicks--;
    tumble(flight, flight);
  } else {
    fly(flight, flight, command, presses);
  }
  if (flight.airborne < TIMER_MAX) flight.airborne++;
  integrateMotion(flight, arena);
}

/**
 * Applies a tick of gravity, pushes the dragon out of platforms by the shorter way, and keeps it
 * between the walls. NPCs predict about a hundred ticks in each tick, mostly here. Plain variables
 * take half the time of an object's fields.
 */
function integrateMotion(flight: FlightState, { platforms, width, height }: Arena): void {
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
    const clampedX = Math.max(DRAGON_RADIUS, Math.min(width - DRAGON_RADIUS, x));
    if (clampedX !== x) vx = 0;
    x = clampedX;
    if (y <= height - DRAGON_RADIUS) continue;
    y = height - DRAGON_RADIUS;
    vy = Math.min(0, vy);
  }

  flight.x = x;
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
