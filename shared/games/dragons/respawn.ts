/**
 * Dragons enter and respawn at the free spawn point that is farthest from all dragons with a rider.
 * A hatchling enters where its egg lies. All of them are invulnerable at first.
 */
import type { SeatId } from "../../netcode/game.ts";
import { type Arena, isOutside, type Point } from "./arena.ts";
import { CRATE, DRAGON, type Dragon, type DragonStage } from "./archetypes.ts";
import { type DragonCommand, seenCountersOf } from "./command.ts";
import { eggOfSeat } from "./eggs.ts";
import type { EventList } from "./events.ts";
import { TIMER_MAX } from "./flight.ts";
import { isSeatRetired } from "./npc/seats.ts";
import {
  CHARGES_MAX,
  DRAGON_RADIUS,
  EGG_RADIUS,
  INVULNERABLE_TICKS,
  RESPAWN_CHARGES,
  SPAWN_POINT_CLEARANCE,
} from "./tuning.ts";

/**
 * Spawns the dragon of `seat`, from the egg that hatches into this seat or else at a spawn point.
 * Presses are counted from the counters of its first command.
 */
export function enterArena(
  stage: DragonStage,
  arena: Arena,
  { seat, command, events }: { seat: SeatId; command: DragonCommand; events: EventList },
): Dragon {
  const egg = eggOfSeat(stage, seat);
  const at = egg === undefined
    ? chooseSpawnPoint(stage, arena, undefined)
    : hatchingPosition(egg, arena);
  const dragon = stage.spawn(DRAGON, {
    x: at.x,
    y: at.y,
    vx: egg?.vx ?? 0,
    vy: egg?.vy ?? 0,
    fields: {
      seat,
      facing: facingAt(at, arena),
      ...seenCountersOf(command),
      flapAge: TIMER_MAX,
      airborne: TIMER_MAX,
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

/**
 * Counts down the ticks without a rider; the last one respawns the dragon. A dragon outside of the
 * arena respawns at once. A hatchling's dragon without a rider gets no other: if it is lost, it is
 * only moved.
 */
export function tickRespawn(
  stage: DragonStage,
  arena: Arena,
  dragon: Dragon,
  events: EventList,
): void {
  const { fields } = dragon;
  const isLost = isOutside(arena, dragon);
  if (isSeatRetired(stage.fields, fields.seat)) {
    if (fields.dead > 1) fields.dead--;
    if (isLost) placeAt(stage, dragon, chooseSpawnPoint(stage, arena, dragon));
    return;
  }
  const isOver = fields.dead === 1;
  if (fields.dead > 0) fields.dead--;
  if (isOver || isLost) respawn(stage, arena, dragon, events);
}

/** Brings a dragon back with a rider, at a spawn point. */
export function respawn(stage: DragonStage, arena: Arena, dragon: Dragon, events: EventList): void {
  const spawnPoint = chooseSpawnPoint(stage, arena, dragon);
  placeAt(stage, dragon, spawnPoint);
  Object.assign(dragon.fields, {
    dead: 0,
    facing: facingAt(spawnPoint, arena),
    flapAge: TIMER_MAX,
    flapBuffer: 0,
    airborne: TIMER_MAX,
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

/** The centre of a dragon that stands where the egg lies, outside of the walls. */
function hatchingPosition(egg: Point, arena: Arena): Point {
  const x = Math.max(DRAGON_RADIUS, Math.min(arena.width - DRAGON_RADIUS, egg.x));
  return { x, y: egg.y + DRAGON_RADIUS - EGG_RADIUS };
}

/**
 * The free spawn point whose nearest dragon with a rider is farthest; the first of equals. If none
 * is free, all of them count.
 */
function chooseSpawnPoint(stage: DragonStage, arena: Arena, arriving: Dragon | undefined): Point {
  let best = arena.spawnPoints[0]!;
  let bestClearance = -1;
  let bestIsFree = false;
  for (const spawnPoint of arena.spawnPoints) {
    const clearance = squaredClearance(stage, spawnPoint, arriving);
    const isFree = clearance > 4 * DRAGON_RADIUS * DRAGON_RADIUS && !hasCrateOn(stage, spawnPoint);
    if (isFree === bestIsFree ? clearance <= bestClearance : bestIsFree) continue;
    best = spawnPoint;
    bestClearance = clearance;
    bestIsFree = isFree;
  }
  return best;
}

/** The squared distance to the nearest dragon with a rider, in square metres. */
function squaredClearance(
  stage: DragonStage,
  spawnPoint: Point,
  arriving: Dragon | undefined,
): number {
  let nearest = Infinity;
  for (const dragon of stage.all(DRAGON)) {
    if (dragon.fields.dead > 0 || dragon.id === arriving?.id) continue;
    nearest = Math.min(nearest, squaredDistance(dragon, spawnPoint));
  }
  return nearest;
}

function hasCrateOn(stage: DragonStage, spawnPoint: Point): boolean {
  for (const crate of stage.all(CRATE)) {
    if (squaredDistance(crate, spawnPoint) < SPAWN_POINT_CLEARANCE * SPAWN_POINT_CLEARANCE) {
      return true;
    }
  }
  return false;
}

function squaredDistance(a: Point, b: Point): number {
  const dx = a.x - b.x, dy = a.y - b.y;
  return dx * dx + dy * dy;
}

/** The direction toward the middle of the arena: -1 or 1. */
function facingAt(spawnPoint: Point, arena: Arena): number {
  return spawnPoint.x < arena.width / 2 ? 1 : -1;
}
