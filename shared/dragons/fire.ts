/**
 * Fire breath: a charge becomes a bouncing fireball that flies through its own dragon, unseats the first rider it meets or
 * sets a crate alight, and is gone with that or with its time.
 */
import type { Touch } from "../physics/stage.ts";
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
import { loseRider } from "./joust.ts";
import {
  CHARGES_MAX,
  DRAGON_RADIUS,
  FIRE_SCORE,
  FIREBALL_INHERITS,
  FIREBALL_RADIUS,
  FIREBALL_SPEED,
  FIREBALL_TICKS,
  RECHARGE_TICKS,
} from "./tuning.ts";

/** Answers one waiting press, with fire where there is a charge. */
export function breathe(stage: DragonStage, dragon: Dragon, events: EventList): void {
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
    fields: { owner: dragon.id, seat: fields.seat, life: FIREBALL_TICKS },
  });
  events.tell("fire", dragon, fireball.id);
}

/** Settles every hit of the last `advance`, in the order of touches; a fireball hits once. */
export function scorch(stage: DragonStage, events: EventList): void {
  for (const touch of stage.touches) {
    const fireball = fireballOf(touch);
    if (fireball === undefined || fireball.fields.life === 0) continue;
    const target = touch.a === fireball ? touch.b : touch.a;
    if (isDragon(target)) burnDragon(stage, fireball, target, events);
    else if (isCrate(target)) burnCrate(fireball, target, events);
  }
}

/** A tick of each fireball's life; those that are spent, over or lost leave the stage. @param spent scratch */
export function ageFireballs(stage: DragonStage, arena: Arena, spent: Fireball[]): void {
  for (const fireball of stage.all(FIREBALL)) {
    if (fireball.fields.life > 0) fireball.fields.life--;
    if (fireball.fields.life === 0 || isOutside(arena, fireball)) spent.push(fireball);
  }
  for (const fireball of spent) stage.despawn(fireball);
  spent.length = 0;
}

/** A tick toward the next charge. */
export function recharge({ fields }: Dragon): void {
  if (fields.charges >= CHARGES_MAX) return;
  fields.recharge++;
  if (fields.recharge < RECHARGE_TICKS) return;
  fields.recharge = 0;
  fields.charges++;
}

function fireballOf({ a, b }: Touch): Fireball | undefined {
  if (isFireball(a)) return a;
  return isFireball(b) ? b : undefined;
}

function burnDragon(stage: DragonStage, fireball: Fireball, target: Dragon, events: EventList): void {
  const { owner } = fireball.fields;
  if (target.id === owner || target.fields.dead > 0 || target.fields.invulnerable > 0) return;
  fireball.fields.life = 0;
  loseRider(stage, target, events);
  const shooter = stage.get(owner);
  if (shooter !== undefined && isDragon(shooter)) shooter.fields.score += FIRE_SCORE;
  events.tell("burn", target, owner);
}

function burnCrate(fireball: Fireball, target: Crate, events: EventList): void {
  fireball.fields.life = 0;
  if (target.fields.burning > 0) return;
  target.fields.burning = 1;
  events.tell("burn", target, fireball.fields.owner);
}
