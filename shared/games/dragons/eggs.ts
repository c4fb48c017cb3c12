/**
 * A lost rider becomes an egg, which falls and rolls. The first dragon that touches it takes it,
 * for points unless the rider is its own. An egg that nobody takes asks for a Hunter. From then on
 * it cannot be taken, and it hatches when the Hunter's dragon enters. If no seat is free, the egg
 * withers.
 */
import { type Arena, isOutside } from "./arena.ts";
import type { Dragon, DragonWorld, Egg } from "./declaration.ts";
import { award, doEggsHatch } from "./modes/modes.ts";
import { EGG_FRESH_TICKS, EGG_RADIUS, EGGS_MAX, HATCH_TICKS, HATCHLINGS_MAX } from "./tuning.ts";

/** Turns the rider of `loser` into an egg with the dragon's velocity. */
export function layEgg(world: DragonWorld, loser: Dragon): void {
  if (world.all("egg").length >= EGGS_MAX) return;
  const { x, y, vx, vy, seat } = loser;
  const egg = world.spawn("egg", { x, y, vx, vy, fields: { seat } });
  world.emit("egg", egg, loser);
}

/** A dragon with a rider touches an egg, and takes it unless it is fresh or hatches. */
export function takeEgg(world: DragonWorld, taker: Dragon, egg: Egg): void {
  const { fields } = egg;
  if (taker.fields.dead > 0 || fields.hatchSeat !== 0 || fields.age < EGG_FRESH_TICKS) return;
  if (taker.seat !== fields.seat) {
    award(world, taker, fields.landed ? "egg" : "caughtEgg");
  }
  world.emit("take", egg, taker);
  world.despawn(egg);
}

/** A ripe egg asks for a Hunter or withers. */
export function hatchEggs(world: DragonWorld): void {
  for (const egg of world.all("egg")) {
    const { fields } = egg;
    // The tick that ends now has not counted yet
    if (fields.age + 1 < HATCH_TICKS || fields.hatchSeat !== 0) continue;
    const hatchlings = world.npcSeats.length - world.npcs;
    const mayHatch = doEggsHatch(world) && hatchlings < HATCHLINGS_MAX;
    fields.hatchSeat = mayHatch ? world.addNpc("hunter") ?? 0 : 0;
    if (fields.hatchSeat !== 0) continue;
    world.emit("wither", egg);
    world.despawn(egg);
  }
}

/** Lost eggs fall from the middle of the sky, because a Hunter may already be on the way. */
export function returnLostEggs(world: DragonWorld, arena: Arena): void {
  for (const egg of world.all("egg")) {
    if (!isOutside(arena, egg)) continue;
    world.teleport(egg, arena.width / 2, arena.height - 2 * EGG_RADIUS);
    world.setVelocity(egg, 0, 0);
  }
}

/** The egg that hatches into this seat; undefined if there is none. */
export function eggOfSeat(world: DragonWorld, seat: number): Egg | undefined {
  return world.all("egg").find(({ fields }) => fields.hatchSeat === seat);
}
