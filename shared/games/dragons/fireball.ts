/**
 * Fire breath turns a charge into a bouncing fireball. The projectile passes through its own dragon
 * and ends at another dragon, at a crate, or after its lifetime. It unseats that dragon's rider
 * unless they are invulnerable, or lights the crate.
 */
import { type Arena, isOutside } from "./arena.ts";
import {
  type Crate,
  type Dragon,
  type DragonStage,
  FIREBALL,
  type Fireball,
  isCrate,
  isDragon,
  isFireball,
} from "./archetypes.ts";
import type { EventList } from "./events.ts";
import { loseRider } from "./lance_combat.ts";
import {
  CHARGES_MAX,
  DRAGON_RADIUS,
  FIRE_SCORE,
  FIREBALL_INHERITS,
  FIREBALL_RADIUS,
  FIREBALL_SPEED,
  RECHARGE_TICKS,
} from "./tuning.ts";

/** Consumes one waiting press, and breathes a fireball if the dragon has a charge. */
export function spawnFireball(stage: DragonStage, dragon: Dragon, events: EventList): void {
  const { fields } = dragon;
  if (fields.firesWaiting === 0) return;
  fields.firesWaiting--;
  if (fields.charges === 0) return;
  fields.charges--;
  fields.invulnerable = 0;
  const fireball = stage.spawn(FIREBALL, {
    // The fireball begins wholly inside of the dragon, which is never inside of a wall.
    x: dragon.x + fields.facing * (DRAGON_RADIUS - FIREBALL_RADIUS),
    y: dragon.y,
    vx: fields.facing * FIREBALL_SPEED + dragon.vx * FIREBALL_INHERITS,
    vy: dragon.vy * FIREBALL_INHERITS,
    fields: { owner: dragon.id, seat: fields.seat },
  });
  events.emit("fire", dragon, fireball.id);
}

/**
 * Applies every hit of the last `advance`, in order. A fireball expires at a dragon or crate, so it
 * has one victim.
 */
export function resolveFireballHits(stage: DragonStage, events: EventList): void {
  for (const { projectile, target } of stage.hits) {
    if (!isFireball(projectile)) continue;
    if (isDragon(target)) burnDragon(stage, projectile, target, events);
    else if (isCrate(target)) burnCrate(projectile, target, events);
  }
}

/** Despawns fireballs outside of the arena. @param lost scratch */
export function removeLostFireballs(stage: DragonStage, arena: Arena, lost: Fireball[]): void {
  for (const fireball of stage.all(FIREBALL)) if (isOutside(arena, fireball)) lost.push(fireball);
  for (const fireball of lost) stage.despawn(fireball);
  lost.length = 0;
}

/** Counts a tick toward the dragon's next charge. */
export function tickRecharge({ fields }: Dragon): void {
  if (fields.charges >= CHARGES_MAX) return;
  fields.recharge++;
  if (fields.recharge < RECHARGE_TICKS) return;
  fields.recharge = 0;
  fields.charges++;
}

function burnDragon(
  stage: DragonStage,
  fireball: Fireball,
  target: Dragon,
  events: EventList,
): void {
  const { owner } = fireball.fields;
  if (target.fields.dead > 0 || target.fields.invulnerable > 0) return;
  loseRider(stage, target, events);
  const shooter = stage.get(owner);
  if (shooter !== undefined && isDragon(shooter)) shooter.fields.score += FIRE_SCORE;
  events.emit("burn", target, owner);
}

function burnCrate({ fields }: Fireball, target: Crate, events: EventList): void {
  if (target.fields.burning > 0) return;
  target.fields.burning = 1;
  events.emit("burn", target, fields.owner);
}
