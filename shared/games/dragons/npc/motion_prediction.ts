/**
 * Where a dragon will be once its queued commands have run, as far as its own wings and the ground decide it:
 *
 *     v' = fly(v, command) + gravity;   p' = p + v'·h, pushed out of platforms and walls
 *
 * The same flight arithmetic as the simulation's; other bodies are ignored, so it is a guess, and a pure one.
 */
import type { Arena } from "../arena.ts";
import type { Dragon, MatchFields } from "../archetypes.ts";
import { type DragonCommand, pressesSince } from "../command.ts";
import { fly, TIMER_MAX, tumble, type Velocity, type WingState } from "../flight.ts";
import { isPlaying } from "../rounds.ts";
import { DRAGON_RADIUS, GRAVITY, SUBSTEPS, TICK_HZ } from "../tuning.ts";

/** A dragon as a mind imagines it. Metres, m/s. */
export interface FlightState extends WingState, Velocity {
  x: number;
  y: number;
  /** Of the last command that it obeyed. */
  flapsSeen: number;
  /** Ticks for which it obeys nobody. */
  uncontrolledTicks: number;
}

const TICK_SECONDS = 1 / TICK_HZ, SUBSTEP_SECONDS = TICK_SECONDS / SUBSTEPS;
/** Metres: more than rounding, or a wall that it has sunk into a little, moves it within a tick. */
const SKIN = 0.1;
const NO_PLATFORMS: Arena["platforms"] = [];

/** The dragon as it is now; while the result of a round is shown it obeys nobody. */
export function flightStateOf({ x, y, vx, vy, fields }: Dragon, match: MatchFields): FlightState {
  const { facing, flapAge, flapBuffer, airborne, flapsSeen } = fields;
  const uncontrolledTicks = Math.max(fields.stun, fields.dead, isPlaying(match) ? 0 : match.phaseTicksLeft);
  return { x, y, vx, vy, facing, flapAge, flapBuffer, airborne, flapsSeen, uncontrolledTicks };
}

/** Moves it through one tick of `command`. */
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
 * A tick of gravity, out of platforms by the shorter way, and within walls. Minds foresee a hundred ticks in each: here is most of their
 * time, and plain variables take half of what an object's fields do.
 */
function integrateMotion(flight: FlightState, { platforms, width, height }: Arena): void {
  let { x, y, vx, vy } = flight;
  const nearby = isNearPlatform(flight, platforms) ? platforms : NO_PLATFORMS;
  for (let substep = 0; substep < SUBSTEPS; substep++) {
    vy -= GRAVITY * SUBSTEP_SECONDS;
    x += vx * SUBSTEP_SECONDS;
    y += vy * SUBSTEP_SECONDS;
    for (let i = 0; i < nearby.length; i++) {
      const platform = nearby[i]!, dy = y - platform.y;
      const depthY = platform.height / 2 + DRAGON_RADIUS - Math.abs(dy);
      if (depthY <= 0) continue;
      const dx = x - platform.x, depthX = platform.width / 2 + DRAGON_RADIUS - Math.abs(dx);
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

/** Whether it can come to touch a platform within a tick; mostly not, and then nobody need ask at each substep. */
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
