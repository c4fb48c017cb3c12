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
import { CLOCK_MAX, fly, tumble, type Velocity, type Wings } from "../flight.ts";
import { isPlaying } from "../rounds.ts";
import { DRAGON_RADIUS, GRAVITY, SUBSTEPS, TICK_HZ } from "../tuning.ts";

/** A dragon as a mind imagines it. Metres, m/s. */
export interface Flyer extends Wings, Velocity {
  x: number;
  y: number;
  /** Of the last command that it obeyed. */
  flapsSeen: number;
  /** Ticks for which it obeys nobody. */
  helpless: number;
}

const TICK_SECONDS = 1 / TICK_HZ, SUBSTEP_SECONDS = TICK_SECONDS / SUBSTEPS;
/** Metres: more than rounding, or a wall that it has sunk into a little, moves it within a tick. */
const SKIN = 0.1;
const NONE: Arena["platforms"] = [];

/** The dragon as it is now; while the result of a round is shown it obeys nobody. */
export function flyerOf({ x, y, vx, vy, fields }: Dragon, match: MatchFields): Flyer {
  const { facing, flapAge, flapBuffer, airborne, flapsSeen } = fields;
  const helpless = Math.max(fields.stun, fields.dead, isPlaying(match) ? 0 : match.clock);
  return { x, y, vx, vy, facing, flapAge, flapBuffer, airborne, flapsSeen, helpless };
}

/** Moves it through one tick of `command`. */
export function foresee(flyer: Flyer, command: DragonCommand, arena: Arena): void {
  const presses = pressesSince(flyer.flapsSeen, command.flaps);
  flyer.flapsSeen = command.flaps;
  if (flyer.helpless > 0) {
    flyer.helpless--;
    tumble(flyer, flyer);
  } else {
    fly(flyer, flyer, command, presses);
  }
  if (flyer.airborne < CLOCK_MAX) flyer.airborne++;
  coast(flyer, arena);
}

/**
 * A tick of gravity, out of platforms by the shorter way, and within walls. Minds foresee a hundred ticks in each: here is most of their
 * time, and plain variables take half of what an object's fields do.
 */
function coast(flyer: Flyer, { platforms, width, height }: Arena): void {
  let { x, y, vx, vy } = flyer;
  const nearby = isNearOne(flyer, platforms) ? platforms : NONE;
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
        if (dy > 0) flyer.airborne = 0;
      }
    }
    const within = Math.max(DRAGON_RADIUS, Math.min(width - DRAGON_RADIUS, x));
    if (within !== x) vx = 0;
    x = within;
    if (y <= height - DRAGON_RADIUS) continue;
    y = height - DRAGON_RADIUS;
    vy = Math.min(0, vy);
  }
  flyer.x = x;
  flyer.y = y;
  flyer.vx = vx;
  flyer.vy = vy;
}

/** Whether it can come to touch a platform within a tick; mostly not, and then nobody need ask at each substep. */
function isNearOne({ x, y, vx, vy }: Flyer, platforms: Arena["platforms"]): boolean {
  const reachX = DRAGON_RADIUS + SKIN + Math.abs(vx) * TICK_SECONDS;
  const reachY = DRAGON_RADIUS + SKIN + (Math.abs(vy) + GRAVITY * TICK_SECONDS) * TICK_SECONDS;
  for (let i = 0; i < platforms.length; i++) {
    const platform = platforms[i]!;
    if (Math.abs(y - platform.y) > platform.height / 2 + reachY) continue;
    if (Math.abs(x - platform.x) <= platform.width / 2 + reachX) return true;
  }
  return false;
}
