/**
 * A lost rider becomes an egg, which falls and rolls. The first dragon that touches it takes it,
 * for points unless the rider is its own. An egg that nobody takes requests an NPC seat. From then
 * on it cannot be taken, and it hatches when a dragon enters on that seat. If no seat is free, the
 * egg withers.
 */
import type { SeatId } from "../../netcode/game.ts";
import type { Entity } from "../../physics/stage/stage.ts";
import { type Arena, isOutside } from "./arena.ts";
import {
  type Dragon,
  type DragonStage,
  EGG,
  type Egg,
  isCrate,
  isDragon,
  isEgg,
} from "./archetypes.ts";
import type { EventList } from "./events.ts";
import { allocateHatchlingSeat, HUNTER, tierOf } from "./npc/seats.ts";
import {
  EGG_CAUGHT_SCORE,
  EGG_FRESH_TICKS,
  EGG_RADIUS,
  EGG_SCORE,
  EGGS_MAX,
  HATCH_TICKS,
} from "./tuning.ts";

/**
 * Turns the rider of `loser` into an egg with the dragon's velocity. It would hatch one NPC tier
 * above its rider.
 */
export function layEgg(stage: DragonStage, loser: Dragon, events: EventList): void {
  if (stage.all(EGG).length >= EGGS_MAX) return;
  const { x, y, vx, vy, fields: { seat } } = loser;
  const tier = Math.min(HUNTER, tierOf(stage.fields, seat) + 1);
  const egg = stage.spawn(EGG, { x, y, vx, vy, fields: { seat, tier } });
  events.emit("egg", egg, loser.id);
}

/**
 * Gives each egg to the rider who touched it in the last `advance`, by the lowest dragon id.
 * @param taken scratch
 */
export function takeEggs(stage: DragonStage, events: EventList, taken: Egg[]): void {
  const { contactEvents } = stage;
  // Landings come first: an egg that is taken off the ground has landed, in whatever order the
  // contacts come.
  for (let i = 0; i < contactEvents.length; i++) {
    const { a, b } = contactEvents[i]!;
    if (isEgg(b) && isGroundOrCrate(a)) b.fields.landed = 1;
    if (isEgg(a) && isGroundOrCrate(b)) a.fields.landed = 1;
  }
  for (let i = 0; i < contactEvents.length; i++) {
    const { a, b } = contactEvents[i]!;
    if (isEgg(a) && isDragon(b)) takeEgg(a, b, events, taken);
    if (isDragon(a) && isEgg(b)) takeEgg(b, a, events, taken);
  }
  for (const egg of taken) stage.despawn(egg);
  taken.length = 0;
}

/** Ages every egg by a tick. A ripe egg requests a seat or withers. @param withered scratch */
export function tickEggs(stage: DragonStage, events: EventList, withered: Egg[]): void {
  for (const egg of stage.all(EGG)) {
    const { fields } = egg;
    if (fields.age < HATCH_TICKS) fields.age++;
    if (fields.age < HATCH_TICKS || fields.hatchSeat !== 0) continue;
    fields.hatchSeat = allocateHatchlingSeat(stage, fields.tier);
    if (fields.hatchSeat === 0) withered.push(egg);
  }
  for (const egg of withered) {
    events.emit("wither", egg);
    stage.despawn(egg);
  }
  withered.length = 0;
}

/** Lost eggs fall from the middle of the sky, because a seat may already be requested for them. */
export function returnLostEggs(stage: DragonStage, arena: Arena): void {
  for (const egg of stage.all(EGG)) {
    if (!isOutside(arena, egg)) continue;
    stage.teleport(egg, arena.width / 2, arena.height - 2 * EGG_RADIUS);
    stage.setVelocity(egg, 0, 0);
  }
}

/** The egg that hatches into this seat; undefined if there is none. */
export function eggOfSeat(stage: DragonStage, seat: SeatId): Egg | undefined {
  for (const egg of stage.all(EGG)) if (egg.fields.hatchSeat === seat) return egg;
  return undefined;
}

function isGroundOrCrate(entity: Entity): boolean {
  return entity.id === 0 || isCrate(entity);
}

function takeEgg(egg: Egg, taker: Dragon, events: EventList, taken: Egg[]): void {
  const { fields } = egg;
  if (
    taker.fields.dead > 0 || fields.hatchSeat !== 0 || fields.age < EGG_FRESH_TICKS ||
    taken.includes(egg)
  ) return;
  taken.push(egg);
  if (taker.fields.seat !== fields.seat) {
    taker.fields.score += fields.landed > 0 ? EGG_SCORE : EGG_CAUGHT_SCORE;
  }
  events.emit("take", egg, taker.id);
}
