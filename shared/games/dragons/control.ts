/**
 * Applies one tick's input to a dragon. Every press is counted; only a dragon in control acts on it.
 */
import { type Arena, beltUnder } from "./arena.ts";
import type { Dragon, DragonInput, DragonWorld } from "./declaration.ts";
import { breatheFire } from "./fire.ts";
import { fly, tumble, type Velocity } from "./flight.ts";
import { struggle } from "./lava.ts";
import { useLoot } from "./loot.ts";
import { answerResult } from "./rounds.ts";

/** Presses that wait for their fireball: as many as one command can carry. */
const FIRES_WAITING_MAX = 3;

/** Scratch. */
const velocity: Velocity = { vx: 0, vy: 0 };

/**
 * Runs before physics. Riderless and stunned dragons tumble, and so do all dragons while the result
 * is shown.
 */
export function control(
  world: DragonWorld,
  arena: Arena,
  dragon: Dragon,
  input: DragonInput,
): void {
  const { fields } = dragon;
  const { flaps, fires } = input;
  if (flaps > 0) fields.flapPresses += flaps;
  if (fires > 0) fields.firePresses += fires;

  // deno-lint-ignore wyvern/module-state -- filled before it is read
  velocity.vx = dragon.vx;
  velocity.vy = dragon.vy;
  const isOver = world.match.phase === "result";
  if (isOver) answerResult(world, dragon, input);

  if (isOver || fields.dead > 0 || fields.stun > 0) {
    tumble(fields, velocity);
  } else {
    if (input.dir !== 0) fields.facing = input.dir < 0 ? "left" : "right";
    struggle(dragon, flaps);
    const belt = beltUnder(arena.platforms, dragon);
    if (fly(fields, velocity, input, { presses: flaps, belt })) world.emit("flap", dragon);
    fields.firesWaiting = Math.min(FIRES_WAITING_MAX, fields.firesWaiting + fires);
    if (fields.firesWaiting > 0) {
      fields.firesWaiting--;
      if (!useLoot(world, dragon, velocity)) breatheFire(world, dragon);
    }
  }

  // A written velocity wakes the body. A dragon that does nothing may sleep.
  if (velocity.vx !== dragon.vx || velocity.vy !== dragon.vy) {
    world.setVelocity(dragon, velocity.vx, velocity.vy);
  }
}
