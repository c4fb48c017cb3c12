/**
 * Where a dragon will be once its queued commands have run, as far as its own wings and the ground decide it:
 *
 *     v' = fly(v, command) + gravity;   p' = p + v'·h, pushed out of platforms and walls
 *
 * The same flight arithmetic as the simulation's; other bodies are ignored, so it is a guess, and a pure one.
 */
import type { Arena, Platform } from "./arena.ts";
import type { Dragon, MatchFields } from "./archetypes.ts";
import { type DragonCommand, pressesSince } from "./command.ts";
import { CLOCK_MAX, fly, tumble, type Velocity, type Wings } from "./flight.ts";
import { isPlaying } from "./rounds.ts";
import { DRAGON_RADIUS, GRAVITY, SUBSTEPS, TICK_HZ } from "./tuning.ts";

/** A dragon as a mind imagines it. Metres, m/s. */
export interface Flyer extends Wings, Velocity {
  x: number;
  y: number;
  /** Of the last command that it obeyed. */
  flapsSeen: number;
  /** Ticks for which it obeys nobody. */
  helpless: number;
}

const SUBSTEP_SECONDS = 1 / (TICK_HZ * SUBSTEPS);

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
  for (let substep = 0; substep < SUBSTEPS; substep++) {
    flyer.vy -= GRAVITY * SUBSTEP_SECONDS;
    flyer.x += flyer.vx * SUBSTEP_SECONDS;
    flyer.y += flyer.vy * SUBSTEP_SECONDS;
    for (const platform of arena.platforms) leave(flyer, platform);
    stayWithin(flyer, arena);
  }
}

/** Out of a platform by the shorter way, if it is in one. */
function leave(flyer: Flyer, platform: Platform): void {
  const dx = flyer.x - platform.x, dy = flyer.y - platform.y;
  const depthX = platform.width / 2 + DRAGON_RADIUS - Math.abs(dx);
  const depthY = platform.height / 2 + DRAGON_RADIUS - Math.abs(dy);
  if (depthX <= 0 || depthY <= 0) return;
  if (depthX < depthY) {
    flyer.x += dx < 0 ? -depthX : depthX;
    flyer.vx = 0;
    return;
  }
  flyer.y += dy < 0 ? -depthY : depthY;
  flyer.vy = 0;
  if (dy > 0) flyer.airborne = 0;
}

function stayWithin(flyer: Flyer, { width, height }: Arena): void {
  const x = Math.max(DRAGON_RADIUS, Math.min(width - DRAGON_RADIUS, flyer.x));
  if (x !== flyer.x) flyer.vx = 0;
  flyer.x = x;
  if (flyer.y <= height - DRAGON_RADIUS) return;
  flyer.y = height - DRAGON_RADIUS;
  flyer.vy = Math.min(0, flyer.vy);
}
