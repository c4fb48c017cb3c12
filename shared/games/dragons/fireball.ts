/**
 * Fire breath: a charge becomes a bouncing fireball, a cast that flies through its own dragon and ends at the first other one,
 * at a crate, or with its time. It unseats that dragon's rider, unless nothing can hurt him yet, or sets that crate alight.
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

/** Answers one waiting press, with fire where there is a charge. */
export function spawnFireball(stage: DragonStage, dragon: Dragon, events: EventList): void {
  const { fields } = dragon;
  if (fields.firesWaiting === 0) return;
  fields.firesWaiting--;
  if (fields.charges === 0) return;
  fields.charges--;
  fields.invulnerable = 0;
  const fireball = stage.spawn(FIREBALL, {
    // Wholly within the dragon, which is never within a wall.
    x: dragon.x + fields.facing * (DRAGON_RADIUS - FIREBALL_RADIUS),
    y: dragon.y,
    vx: fields.facing * FIREBALL_SPEED + dragon.vx * FIREBALL_INHERITS,
    vy: dragon.vy * FIREBALL_INHERITS,
    fields: { owner: dragon.id, seat: fields.seat },
  });
  events.emit("fire", dragon, fireball.id);
}

/** Settles every hit of the last `advance`, in their order. A dragon or crate spends the fireball, so it has one victim. */
export function resolveFireballHits(stage: DragonStage, events: EventList): void {
  for (const { projectile, target } of stage.hits) {
    if (!isFireball(projectile)) continue;
    if (isDragon(target)) burnDragon(stage, projectile, target, events);
    else if (isCrate(target)) burnCrate(projectile, target, events);
  }
}

/** Fireballs that are lost leave the stage. @param lost scratch */
export function removeLostFireballs(stage: DragonStage, arena: Arena, lost: Fireball[]): void {
  for (const fireball of stage.all(FIREBALL)) if (isOutside(arena, fireball)) lost.push(fireball);
  for (const fireball of lost) stage.despawn(fireball);
  lost.length = 0;
}

/** A tick toward the next charge. */
export function tickRecharge({ fields }: Dragon): void {
  if (fields.charges >= CHARGES_MAX) return;
  fields.recharge++;
  if (fields.recharge < RECHARGE_TICKS) return;
  fields.recharge = 0;
  fields.charges++;
}

function burnDragon(stage: DragonStage, fireball: Fireball, target: Dragon, events: EventList): void {
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
