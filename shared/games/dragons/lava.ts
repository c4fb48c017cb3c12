/**
 * Lava. The troll's hand grips a rider who comes too low: a spring to the bottom of the lake.
 * `GRIP_FLAPS` flaps within `GRIP_TICKS` free them; otherwise they sink, without an egg. What else
 * falls in burns.
 */
import type { Arena } from "./arena.ts";
import type { Dragon, DragonWorld } from "./declaration.ts";
import { CRATE_BURN_TICKS, DEAD_TICKS, GRIP_FLAPS, GRIP_FREE_SPEED, GRIP_TICKS } from "./tuning.ts";

/** Metres above the lake's bottom at which the hand holds. */
const HAND_HEIGHT = 0.05;
/** Metres: the length to which the hand's spring pulls. */
const HAND_LENGTH = 0.4;

/** Counts the flaps of a gripped dragon. Runs before physics. */
export function struggle({ fields }: Dragon, flaps: number): void {
  if (fields.grip > 0) fields.struggles += flaps;
}

/** Grips, frees and sinks riders, burns crates and ends eggs. Runs after physics. */
export function tickLava(world: DragonWorld, arena: Arena, isPlaying: boolean): void {
  if (arena.lava === 0) return;
  for (const dragon of world.all("dragon")) tickGrip(world, arena, dragon, isPlaying);

  for (const { fields, y } of world.all("crate")) {
    if (y < arena.lava && fields.burning === 0) fields.burning = CRATE_BURN_TICKS;
  }
  for (const egg of world.all("egg")) {
    if (egg.y >= arena.lava) continue;
    if (egg.fields.hatchSeat !== 0) world.removeNpc(egg.fields.hatchSeat);
    world.emit("wither", egg);
    world.despawn(egg);
  }
}

function tickGrip(world: DragonWorld, arena: Arena, dragon: Dragon, isPlaying: boolean): void {
  const { fields } = dragon;
  if (fields.grip === 0) {
    // Who rises has just got free
    const isCaught = isPlaying && dragon.y < arena.lava && dragon.vy <= 0 && fields.dead === 0 &&
      fields.invulnerable === 0;
    if (isCaught) grip(world, dragon);
    return;
  }

  if (fields.dead > 0 || !isPlaying) {
    release(world, dragon);
  } else if (fields.struggles >= GRIP_FLAPS) {
    release(world, dragon);
    world.setVelocity(dragon, dragon.vx, GRIP_FREE_SPEED);
    world.emit("free", dragon);
  } else if (fields.grip === 1) {
    release(world, dragon);
    sink(world, dragon);
  }
}

function grip(world: DragonWorld, dragon: Dragon): void {
  const { fields, x, y } = dragon;
  // The clock counts before the next tick
  fields.grip = GRIP_TICKS + 1;
  fields.struggles = 0;
  const ground = world.one(world.match.arena)!;
  world.joints.add("hand", ground, dragon, {
    x,
    y: HAND_HEIGHT,
    bx: x,
    by: y,
    length: HAND_LENGTH,
  });
  world.emit("grip", dragon);
}

function release(world: DragonWorld, dragon: Dragon): void {
  dragon.fields.grip = 0;
  for (const hand of world.joints.of(dragon, "hand")) world.joints.remove(hand);
}

/** The rider is lost without an egg. A hatchling's dragon gets no other rider. */
function sink(world: DragonWorld, dragon: Dragon): void {
  dragon.fields.dead = DEAD_TICKS;
  dragon.fields.stun = 0;
  dragon.fields.firesWaiting = 0;
  world.removeNpc(dragon.seat);
  world.emit("sink", dragon);
}
