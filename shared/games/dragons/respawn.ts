/**
 * Coming in: a dragon enters and comes back at the free pad farthest from everybody who lives, untouchable; a
 * hatchling where its egg lay.
 */
import type { SeatId } from "../../netcode/game.ts";
import { type Arena, isOutside, type Point } from "./arena.ts";
import { CRATE, DRAGON, type Dragon, type DragonStage } from "./archetypes.ts";
import type { DragonCommand } from "./command.ts";
import { eggOfSeat } from "./eggs.ts";
import type { EventList } from "./events.ts";
import { CLOCK_MAX } from "./flight.ts";
import { isSeatRetired } from "./npc/seats.ts";
import {
  CHARGES_MAX,
  DRAGON_RADIUS,
  EGG_RADIUS,
  INVULNERABLE_TICKS,
  PAD_CLEARANCE,
  RESPAWN_CHARGES,
} from "./tuning.ts";

/**
 * A new dragon for `seat`, out of the egg that hatches into it or else on a pad; what its first command has counted is where
 * counting begins.
 */
export function enterArena(
  stage: DragonStage,
  arena: Arena,
  { seat, command, events }: { seat: SeatId; command: DragonCommand; events: EventList },
): Dragon {
  const egg = eggOfSeat(stage, seat);
  const at = egg === undefined ? choosePad(stage, arena, undefined) : hatchingPosition(egg, arena);
  const dragon = stage.spawn(DRAGON, {
    x: at.x,
    y: at.y,
    vx: egg?.vx ?? 0,
    vy: egg?.vy ?? 0,
    fields: {
      seat,
      facing: facingAt(at, arena),
      flapsSeen: command.flaps,
      firesSeen: command.fires,
      flapAge: CLOCK_MAX,
      airborne: CLOCK_MAX,
      charges: CHARGES_MAX,
      invulnerable: INVULNERABLE_TICKS,
    },
  });
  if (egg === undefined) {
    events.emit("enter", dragon);
  } else {
    events.emit("hatch", dragon, egg.id);
    stage.despawn(egg);
  }
  return dragon;
}

/** A tick of being dead; the last one brings the dragon back, if it has a rider to come. Lost ones come back at once. */
export function tickRespawn(stage: DragonStage, arena: Arena, dragon: Dragon, events: EventList): void {
  const { fields } = dragon;
  const isLost = isOutside(arena, dragon);
  if (isSeatRetired(stage.fields, fields.seat)) {
    if (fields.dead > 1) fields.dead--;
    if (isLost) placeAt(stage, dragon, choosePad(stage, arena, dragon));
    return;
  }
  const isOver = fields.dead === 1;
  if (fields.dead > 0) fields.dead--;
  if (isOver || isLost) respawn(stage, arena, dragon, events);
}

/** Brings a dragon back on a pad. */
export function respawn(stage: DragonStage, arena: Arena, dragon: Dragon, events: EventList): void {
  const pad = choosePad(stage, arena, dragon);
  placeAt(stage, dragon, pad);
  Object.assign(dragon.fields, {
    dead: 0,
    facing: facingAt(pad, arena),
    flapAge: CLOCK_MAX,
    flapBuffer: 0,
    airborne: CLOCK_MAX,
    firesWaiting: 0,
    charges: RESPAWN_CHARGES,
    recharge: 0,
    stun: 0,
    truce: 0,
    invulnerable: INVULNERABLE_TICKS,
  });
  events.emit("respawn", dragon);
}

function placeAt(stage: DragonStage, dragon: Dragon, { x, y }: Point): void {
  stage.teleport(dragon, x, y);
  stage.setVelocity(dragon, 0, 0);
}

/** Standing where the egg lies, and not within a wall. */
function hatchingPosition(egg: Point, arena: Arena): Point {
  const x = Math.max(DRAGON_RADIUS, Math.min(arena.width - DRAGON_RADIUS, egg.x));
  return { x, y: egg.y + DRAGON_RADIUS - EGG_RADIUS };
}

/** The pad whose nearest living dragon is farthest; the first of equals. Where no pad is free, the best of all. */
function choosePad(stage: DragonStage, arena: Arena, comer: Dragon | undefined): Point {
  let best = arena.pads[0]!, bestRoom = -1;
  let bestIsFree = false;
  for (const pad of arena.pads) {
    const room = roomAround(stage, pad, comer);
    const isFree = room > 4 * DRAGON_RADIUS * DRAGON_RADIUS && !crateOn(stage, pad);
    if (isFree === bestIsFree ? room <= bestRoom : bestIsFree) continue;
    best = pad;
    bestRoom = room;
    bestIsFree = isFree;
  }
  return best;
}

/** Square metres: the distance to the nearest living dragon, squared. */
function roomAround(stage: DragonStage, pad: Point, comer: Dragon | undefined): number {
  let nearest = Infinity;
  for (const dragon of stage.all(DRAGON)) {
    if (dragon.fields.dead > 0 || dragon.id === comer?.id) continue;
    nearest = Math.min(nearest, squaredDistance(dragon, pad));
  }
  return nearest;
}

function crateOn(stage: DragonStage, pad: Point): boolean {
  for (const crate of stage.all(CRATE)) if (squaredDistance(crate, pad) < PAD_CLEARANCE * PAD_CLEARANCE) return true;
  return false;
}

function squaredDistance(a: Point, b: Point): number {
  const dx = a.x - b.x, dy = a.y - b.y;
  return dx * dx + dy * dy;
}

/** Toward the middle. */
function facingAt(pad: Point, arena: Arena): number {
  return pad.x < arena.width / 2 ? 1 : -1;
}
