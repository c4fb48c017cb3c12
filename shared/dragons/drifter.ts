/**
 * The Drifter's mind: it crosses the arena from side to side, each time in a lane drawn from its seed, and breathes fire at
 * who happens to fly level and ahead. Its commands are queued long before they run, so it decides for where its queue will
 * have taken it. Its presses enter by the player's door, as counters.
 */
import type { SeatId } from "../netcode/game.ts";
import { hashOf } from "../random.ts";
import type { Arena, Platform } from "./arena.ts";
import { DRAGON, type Dragon, type DragonStage } from "./archetypes.ts";
import { type DragonCommand, NEUTRAL, pressed } from "./command.ts";
import { type Flyer, flyerOf, foresee } from "./foresight.ts";
import { DRAGON_RADIUS, FLAP_REPEAT_TICKS } from "./tuning.ts";

/** What the mind looks at. */
export interface View {
  readonly stage: DragonStage;
  readonly arena: Arena;
  /** Its own; undefined while it has none. */
  readonly dragon: Dragon | undefined;
}

/** A second: it drifts, it does not react. */
export const DRIFTER_REACTION_TICKS = 20;

/** Ticks of one crossing: 3.2 s reach the other half at flying speed. */
const LEG_TICKS = 64;
/** Ticks by which seats begin their legs apart, so that they do not turn all at once. */
const SEAT_STAGGER_TICKS = 23;
/** Metres from the middle of the arena to where a leg ends, at least and at most. */
const LEG_END_NEAR = 4, LEG_END_FAR = 12;
/** Metres from a leg's end at which steering stops. */
const ARRIVED = 0.8;
/** Seconds ahead at which steering aims, so that it brakes before it arrives. */
const BRAKING_SECONDS = 0.5;
/** Metres that a wing beat's bobbing needs above and below. */
const BOB = 0.45;
/** Metres kept from a platform's face, bobbing included. */
const CLEARANCE = DRAGON_RADIUS + BOB + 0.3;
/** Metres ahead at which a platform's edge is seen. */
const SIGHT = 2;
/** One in so many ticks with somebody in sight brings fire. */
const FIRE_ODDS = 12;
/** Metres: how near and how far, and how level, a target must be. */
const FIRE_NEAR = 2, FIRE_FAR = 10, FIRE_LEVEL = 0.9;

/** The seat's command for the tick after its queue. */
export function drift(view: View, seat: SeatId, queued: readonly DragonCommand[]): DragonCommand {
  const { stage, arena, dragon } = view;
  const last = queued.at(-1);
  if (dragon === undefined) return last === undefined ? NEUTRAL : { ...last, dir: 0, hold: false };

  const flyer = flyerOf(dragon);
  for (const command of queued) foresee(flyer, command, arena);
  const tick = stage.tick + queued.length + 1;
  const leg = legOf(arena, stage.fields.seed, { seat, tick });
  const height = clearHeight(flyer, leg.height, arena.platforms);
  const dir = headingTo(flyer, leg.x, height, arena.platforms);
  const fires = last?.fires ?? dragon.fields.firesSeen;
  const facing = dir === 0 ? flyer.facing : dir;
  return {
    dir,
    hold: false,
    flaps: pressed(flyer.flapsSeen, wantsFlap(flyer, height) ? 1 : 0),
    fires: pressed(fires, wantsFire(view, { ...flyer, facing }, hashOf(stage.fields.seed, seat, tick)) ? 1 : 0),
    tethers: last?.tethers ?? dragon.fields.tethersSeen,
  };
}

/** Where this leg ends: left and right by turns, how far and how high by chance. */
function legOf(
  arena: Arena,
  seed: number,
  { seat, tick }: { seat: SeatId; tick: number },
): { x: number; height: number } {
  const leg = Math.floor((tick + seat * SEAT_STAGGER_TICKS) / LEG_TICKS);
  const chance = hashOf(seed, seat, leg);
  const side = (leg + seat) % 2 === 0 ? -1 : 1;
  const reach = LEG_END_NEAR + (LEG_END_FAR - LEG_END_NEAR) * ((chance >>> 16) / 65_536);
  return { x: arena.width / 2 + side * reach, height: arena.lanes[chance % arena.lanes.length]! };
}

/** The height to keep here on the way to `height`: platforms between are passed at their edges, not through them. */
function clearHeight(flyer: Flyer, height: number, platforms: readonly Platform[]): number {
  let clear = height;
  for (const platform of platforms) {
    if (Math.abs(flyer.x - platform.x) > platform.width / 2 + DRAGON_RADIUS + 0.2) continue;
    const keep = platform.height / 2 + CLEARANCE;
    if (platform.y > flyer.y) clear = Math.min(clear, platform.y - keep);
    else clear = Math.max(clear, platform.y + keep);
  }
  return clear;
}

/** Toward `x`; back from a platform whose edge is ahead until the height is right to pass it. */
function headingTo(flyer: Flyer, x: number, height: number, platforms: readonly Platform[]): -1 | 0 | 1 {
  const way = x - flyer.x - flyer.vx * BRAKING_SECONDS;
  if (Math.abs(way) < ARRIVED) return 0;
  const dir = way < 0 ? -1 : 1;
  for (const platform of platforms) {
    const toEdge = (platform.x - flyer.x) * dir - platform.width / 2;
    const level = Math.abs(flyer.y - platform.y) < platform.height / 2 + DRAGON_RADIUS + 0.15;
    const willClear = Math.abs(height - flyer.y) < BOB;
    if (toEdge > 0 && toEdge < SIGHT && level && !willClear) return flyer.vx * dir > 0 ? (-dir as -1 | 1) : 0;
  }
  return dir;
}

/** Below where a beat would be too much, and wings ready. */
function wantsFlap(flyer: Flyer, height: number): boolean {
  if (flyer.flapAge + 1 < FLAP_REPEAT_TICKS || flyer.vy > 1) return false;
  return flyer.y + flyer.vy * 0.1 < height - BOB;
}

function wantsFire({ stage, dragon }: View, flyer: Flyer, chance: number): boolean {
  if (chance % FIRE_ODDS !== 0) return false;
  for (const other of stage.all(DRAGON)) {
    if (other.id === dragon?.id || other.fields.dead > 0) continue;
    const ahead = (other.x - flyer.x) * flyer.facing;
    if (ahead > FIRE_NEAR && ahead < FIRE_FAR && Math.abs(other.y - flyer.y) < FIRE_LEVEL) return true;
  }
  return false;
}
