/**
 * The lift: a platform on a rail with a motor. The motor is strong enough for all crates, and it
 * waits for whoever is in its way.
 */
import type { Lift } from "./arena.ts";
import type { DragonWorld } from "./declaration.ts";
import { LIFT_SPEED, LIFT_TURN_TICKS } from "./tuning.ts";

/** Puts the lift at the lower end of its rail, which the arena's ground holds. */
export function spawnLift(world: DragonWorld, { x, low }: Lift): void {
  const ground = world.one(world.match.arena)!;
  const lift = world.spawn("lift", { x, y: low });
  world.joints.add("rail", ground, lift, { x, y: low, axis: { x: 0, y: 1 } });
}

/** The motor turns round at fixed times, whether the lift has arrived or not. Runs after physics. */
export function tickLift(world: DragonWorld): void {
  // The rail leaves a last bit of a push from the side, which means nothing
  for (const lift of world.all("lift")) if (lift.vx !== 0) world.setVelocity(lift, 0, lift.vy);

  if (world.match.phaseTicksLeft % LIFT_TURN_TICKS !== 0) return;
  const isGoingDown = world.match.phaseTicksLeft / LIFT_TURN_TICKS % 2 === 1;
  for (const rail of world.joints.all("rail")) {
    world.joints.setMotor(rail, { speed: isGoingDown ? -LIFT_SPEED : LIFT_SPEED });
  }
}
