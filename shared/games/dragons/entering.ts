/**
 * Dragons enter and respawn at the free spawn point that is farthest from all dragons with a rider.
 * A hatchling enters where its egg lies. All of them are invulnerable at first.
 */
import type { Placement } from "../../game_kit/game_kit.ts";
import { type Arena, isOutside, type Point } from "./arena.ts";
import type { Dragon, DragonTypes, DragonWorld, ReadonlyDragon } from "./declaration.ts";
import { eggOfSeat } from "./eggs.ts";
import { NEVER } from "./flight.ts";
import { dropLoot } from "./loot.ts";
import { shelter } from "./modes/modes.ts";
import {
  CHARGES_MAX,
  DRAGON_RADIUS,
  EGG_RADIUS,
  FIRST_NPC_SEAT,
  INVULNERABLE_TICKS,
  RECHARGE_TICKS,
  RESPAWN_CHARGES,
  SPAWN_POINT_CLEARANCE,
} from "./tuning.ts";

export { FIRST_NPC_SEAT };

/** The place of a new dragon: that of the egg which hatches into this seat, or a spawn point. */
export function enterArena(
  world: DragonWorld,
  arena: Arena,
  seat: number,
): Placement<DragonTypes, "dragon"> {
  const egg = eggOfSeat(world, seat);
  const at = egg === undefined
    ? chooseSpawnPoint(world, arena, undefined)
    : hatchingPosition(egg, arena);
  return {
    x: at.x,
    y: at.y,
    vx: egg?.vx ?? 0,
    vy: egg?.vy ?? 0,
    fields: {
      facing: facingAt(at, arena),
      flapAge: NEVER,
      airborne: NEVER,
      charges: CHARGES_MAX,
      invulnerable: INVULNERABLE_TICKS,
    },
  };
}

/** A dragon is in the arena now. The egg that it hatched from is gone. */
export function hasEntered(world: DragonWorld, dragon: Dragon): void {
  const egg = eggOfSeat(world, dragon.seat);
  if (egg === undefined) {
    world.emit("enter", dragon);
  } else {
    world.emit("hatch", dragon, egg);
    world.despawn(egg);
  }
}

/**
 * The last tick without a rider respawns the dragon. A dragon outside of the arena respawns at once.
 * A hatchling's dragon without a rider gets no other: if it is lost, it is only moved.
 */
export function tickRespawn(world: DragonWorld, arena: Arena, dragon: Dragon): void {
  const { fields } = dragon;
  const isLost = isOutside(arena, dragon);
  if (isSeatRetired(world, dragon.seat)) {
    // It stays without a rider until it leaves
    if (fields.dead === 1) fields.dead = 2;
    if (isLost) placeAt(world, dragon, chooseSpawnPoint(world, arena, dragon));
    return;
  }
  if (fields.dead === 1 || isLost) respawn(world, arena, { dragon, charges: RESPAWN_CHARGES });
}

/** Brings a dragon back with a rider, at a spawn point. */
export function respawn(
  world: DragonWorld,
  arena: Arena,
  { dragon, charges }: { readonly dragon: Dragon; readonly charges: number },
): void {
  const spawnPoint = chooseSpawnPoint(world, arena, dragon);
  placeAt(world, dragon, spawnPoint);
  const { fields } = dragon;
  fields.dead = 0;
  fields.facing = facingAt(spawnPoint, arena);
  fields.flapAge = NEVER;
  fields.flapBuffer = 0;
  fields.airborne = NEVER;
  fields.firesWaiting = 0;
  fields.charges = charges;
  fields.stun = 0;
  fields.truce = 0;
  fields.grip = 0;
  dropLoot(dragon);
  // The clocks count before the next tick, which is to be the first one.
  fields.recharge = RECHARGE_TICKS + 1;
  fields.invulnerable = INVULNERABLE_TICKS + 1;
  world.emit("respawn", dragon);
}

/** True for an NPC's seat that it has lost: its dragon never gets another rider. */
export function isSeatRetired({ npcSeats }: DragonWorld, seat: number): boolean {
  return seat >= FIRST_NPC_SEAT && !npcSeats.includes(seat);
}

function placeAt(world: DragonWorld, dragon: Dragon, { x, y }: Point): void {
  world.teleport(dragon, x, y);
  world.setVelocity(dragon, 0, 0);
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
function chooseSpawnPoint(
  world: DragonWorld,
  arena: Arena,
  arriving: ReadonlyDragon | undefined,
): Point {
  let best = arena.spawnPoints[0]!;
  let bestClearance = -1;
  let bestIsFree = false;
  const { left, right } = shelter(world, arena);
  for (const spawnPoint of arena.spawnPoints) {
    const clearance = squaredClearance(world, spawnPoint, arriving);
    const isFree = clearance > 4 * DRAGON_RADIUS * DRAGON_RADIUS &&
      spawnPoint.x >= left && spawnPoint.x <= right && !hasCrateOn(world, spawnPoint);
    if (isFree === bestIsFree ? clearance <= bestClearance : bestIsFree) continue;
    best = spawnPoint;
    bestClearance = clearance;
    bestIsFree = isFree;
  }
  return best;
}

/** The squared distance to the nearest dragon with a rider, in square metres. */
function squaredClearance(
  world: DragonWorld,
  spawnPoint: Point,
  arriving: ReadonlyDragon | undefined,
): number {
  let nearest = Infinity;
  for (const dragon of world.all("dragon")) {
    if (dragon.fields.dead > 0 || dragon.id === arriving?.id) continue;
    nearest = Math.min(nearest, squaredDistance(dragon, spawnPoint));
  }
  return nearest;
}

function hasCrateOn(world: DragonWorld, spawnPoint: Point): boolean {
  for (const crate of world.all("crate")) {
    if (squaredDistance(crate, spawnPoint) < SPAWN_POINT_CLEARANCE * SPAWN_POINT_CLEARANCE) {
      return true;
    }
  }
  return false;
}

function squaredDistance(a: Point, b: Point): number {
  const dx = a.x - b.x;
  const dy = a.y - b.y;
  return dx * dx + dy * dy;
}

/** The direction toward the middle of the arena. */
function facingAt(spawnPoint: Point, arena: Arena): "left" | "right" {
  return spawnPoint.x < arena.width / 2 ? "right" : "left";
}
