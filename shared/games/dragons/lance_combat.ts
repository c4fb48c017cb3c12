/**
 * The joust: two dragons touch. If one lance is at least `LANCE_LEAD` higher, its rider wins;
 * otherwise both dragons are thrown back. Contacts are resolved in the order of ids. Each joust of
 * a tick counts: a rider who loses one may win another. A rider who loses two loses one egg, and
 * only the first winner scores.
 */
import type { ContactEvent } from "../../physics/stage/stage.ts";
import { type Dragon, type DragonStage, isDragon } from "./archetypes.ts";
import { layEgg } from "./eggs.ts";
import type { EventList } from "./events.ts";
import { releaseHatchlingSeat } from "./npc/seats.ts";
import {
  CLASH_HOP,
  CLASH_PART_SPEED,
  COYOTE_TICKS,
  DEAD_TICKS,
  JOUST_SCORE,
  LANCE_LEAD,
  TRUCE_TICKS,
} from "./tuning.ts";

/** Applies every joust of the last `advance`. */
export function resolveLanceCombat(stage: DragonStage, events: EventList): void {
  for (const touch of stage.contactEvents) {
    const { a, b } = touch;
    if (!isDragon(a) || !isDragon(b) || !canJoust(a) || !canJoust(b)) continue;
    const lead = touch.ay - touch.by;
    if (lead >= LANCE_LEAD) unseat(stage, { loser: b, winner: a }, events);
    else if (lead <= -LANCE_LEAD) unseat(stage, { loser: a, winner: b }, events);
    else clash(stage, touch, a, b, events);
  }
}

/**
 * Lays the rider's egg. The dragon tumbles until it respawns; a hatchling's dragon never respawns.
 */
export function loseRider(stage: DragonStage, dragon: Dragon, events: EventList): void {
  dragon.fields.dead = DEAD_TICKS;
  dragon.fields.stun = 0;
  dragon.fields.firesWaiting = 0;
  layEgg(stage, dragon, events);
  releaseHatchlingSeat(stage.fields, dragon.fields.seat);
}

/**
 * Timers count down at the end of a tick. A full timer was set in this tick and does not count yet.
 */
function canJoust({ fields }: Dragon): boolean {
  if (fields.invulnerable > 0) return false;
  return (fields.dead === 0 || fields.dead === DEAD_TICKS) &&
    (fields.truce === 0 || fields.truce === TRUCE_TICKS);
}

function unseat(
  stage: DragonStage,
  { loser, winner }: { loser: Dragon; winner: Dragon },
  events: EventList,
): void {
  if (loser.fields.dead > 0) return;
  loseRider(stage, loser, events);
  winner.fields.score += JOUST_SCORE;
  events.emit("joust", loser, winner.id);
}

function clash(
  stage: DragonStage,
  touch: ContactEvent,
  a: Dragon,
  b: Dragon,
  events: EventList,
): void {
  const { nx, ny } = touch;
  const parting = (b.vx - a.vx) * nx + (b.vy - a.vy) * ny;
  const kick = Math.max(0, CLASH_PART_SPEED - parting) / 2;
  throwBack(stage, a, -kick * nx, -kick * ny);
  throwBack(stage, b, kick * nx, kick * ny);
  events.emit("clash", a, b.id);
}

/** Also lifts a standing dragon off the ground, because its legs would stop it within two ticks. */
function throwBack(stage: DragonStage, dragon: Dragon, kickX: number, kickY: number): void {
  const { fields } = dragon;
  fields.truce = TRUCE_TICKS;
  const isStanding = fields.airborne <= COYOTE_TICKS;
  if (isStanding) fields.airborne = COYOTE_TICKS + 1;
  const vy = dragon.vy + kickY;
  stage.setVelocity(dragon, dragon.vx + kickX, isStanding ? Math.max(vy, CLASH_HOP) : vy);
}
