/**
 * Fire breath turns a charge into a bouncing fireball. The projectile passes through its own dragon
 * and ends at another dragon, at a crate, or after its lifetime. It unseats that dragon's rider
 * unless they are invulnerable, or lights the crate.
 */
import { type Arena, isOutside } from "./arena.ts";
import type { Crate, Dragon, DragonWorld, Fireball, Shot } from "./declaration.ts";
import { facingOf } from "./flight.ts";
import { loseRider } from "./joust.ts";
import { takesBlow } from "./loot.ts";
import { areMates, award } from "./modes/modes.ts";
import {
  CHARGES_MAX,
  CRATE_BURN_TICKS,
  DRAGON_RADIUS,
  FIREBALL_INHERITS,
  FIREBALL_RADIUS,
  FIREBALL_SPEED,
  RECHARGE_TICKS,
} from "./tuning.ts";

/** Gives a dragon the charge that it has waited for. Runs before physics. */
export function tickRecharge({ fields }: Dragon): void {
  if (fields.charges >= CHARGES_MAX || fields.recharge > 0) return;
  fields.charges++;
  fields.recharge = RECHARGE_TICKS;
}

/** Breathes a fireball if the dragon has a charge. */
export function breatheFire(world: DragonWorld, dragon: Dragon): void {
  const { fields, seat } = dragon;
  if (fields.charges === 0) return;
  if (fields.charges === CHARGES_MAX) fields.recharge = RECHARGE_TICKS;
  fields.charges--;
  fields.invulnerable = 0;

  const facing = facingOf(dragon);
  const fireball = world.spawn("fireball", {
    // The fireball begins wholly inside of the dragon, which is never inside of a wall.
    x: dragon.x + facing * (DRAGON_RADIUS - FIREBALL_RADIUS),
    y: dragon.y,
    vx: facing * FIREBALL_SPEED + dragon.vx * FIREBALL_INHERITS,
    vy: dragon.vy * FIREBALL_INHERITS,
    fields: { owner: dragon, seat },
  });
  world.emit("fire", dragon, fireball);
}

/** A fireball, an arrow or a pellet hits a dragon. */
export function hitDragon(world: DragonWorld, shot: Shot, dragon: Dragon): void {
  if (dragon.fields.dead > 0 || dragon.fields.invulnerable > 0) return;
  const { owner } = shot.fields;
  if (owner !== undefined && areMates(owner, dragon)) return;
  if (takesBlow(world, dragon)) return;
  loseRider(world, dragon);
  if (owner !== undefined) award(world, owner, "burn");
  world.emit(shot.name === "fireball" ? "burn" : "shoot", dragon, owner);
}

/** A fireball hits a crate. */
export function burnCrate(world: DragonWorld, { fields }: Fireball, crate: Crate): void {
  if (crate.fields.burning > 0) return;
  crate.fields.burning = CRATE_BURN_TICKS;
  world.emit("ignite", crate, fields.owner);
}

/** Removes fireballs outside of the arena. */
export function removeLostFireballs(world: DragonWorld, arena: Arena): void {
  for (const fireball of world.all("fireball")) {
    if (isOutside(arena, fireball)) world.despawn(fireball);
  }
}
