/**
 * The joust: two dragons touch. If one lance is at least `LANCE_LEAD` higher, its rider wins;
 * otherwise both dragons are thrown back. Each joust of a tick counts: a rider who loses one may win
 * another. A rider who loses two loses one egg, and only the first winner scores.
 */
import type { Contact } from "../../game_kit/game_kit.ts";
import type { Dragon, DragonWorld } from "./declaration.ts";
import { layEgg } from "./eggs.ts";
import { isStanding, throwUp } from "./flight.ts";
import { cutRopesAt, takesBlow } from "./loot.ts";
import { areMates, award } from "./modes/modes.ts";
import { CLASH_HOP, CLASH_PART_SPEED, DEAD_TICKS, LANCE_LEAD, TRUCE_TICKS } from "./tuning.ts";

/** Two dragons touch. Runs in the order of ids. */
export function joust(world: DragonWorld, a: Dragon, b: Dragon, contact: Contact): void {
  if (!canJoust(a) || !canJoust(b)) return;
  if (areMates(a, b)) return clash(world, contact, a, b);
  const lead = contact.ay - contact.by;
  if (Math.abs(lead) < LANCE_LEAD) return clash(world, contact, a, b);

  const [winner, loser] = lead > 0 ? [a, b] : [b, a];
  if (loser.fields.dead === 0 && takesBlow(world, loser)) return clash(world, contact, a, b);
  unseat(world, { loser, winner });
}

/**
 * Lays the rider's egg. The dragon tumbles until it respawns; a hatchling's dragon never respawns.
 */
export function loseRider(world: DragonWorld, dragon: Dragon): void {
  dragon.fields.dead = DEAD_TICKS;
  dragon.fields.stun = 0;
  dragon.fields.firesWaiting = 0;
  layEgg(world, dragon);
  world.removeNpc(dragon.seat);
}

/** A full clock was set in this tick and does not count yet. */
function canJoust({ fields }: Dragon): boolean {
  if (fields.invulnerable > 0) return false;
  return (fields.dead === 0 || fields.dead === DEAD_TICKS) &&
    (fields.truce === 0 || fields.truce === TRUCE_TICKS);
}

function unseat(world: DragonWorld, { loser, winner }: { loser: Dragon; winner: Dragon }): void {
  if (loser.fields.dead > 0) return;
  loseRider(world, loser);
  award(world, winner, "joust");
  world.emit("joust", loser, winner);
  cutRopesAt(world, { x: (loser.x + winner.x) / 2, y: (loser.y + winner.y) / 2 }, winner);
}

function clash(world: DragonWorld, { nx, ny }: Contact, a: Dragon, b: Dragon): void {
  const parting = (b.vx - a.vx) * nx + (b.vy - a.vy) * ny;
  const kick = Math.max(0, CLASH_PART_SPEED - parting) / 2;
  throwBack(world, a, -kick * nx, -kick * ny);
  throwBack(world, b, kick * nx, kick * ny);
  world.emit("clash", a, b);
}

/** Also lifts a standing dragon off the ground, because its legs would stop it within two ticks. */
function throwBack(world: DragonWorld, dragon: Dragon, kickX: number, kickY: number): void {
  const { fields } = dragon;
  fields.truce = TRUCE_TICKS;
  const isOnFeet = isStanding(fields);
  if (isOnFeet) throwUp(fields);
  const vy = dragon.vy + kickY;
  world.setVelocity(dragon, dragon.vx + kickX, isOnFeet ? Math.max(vy, CLASH_HOP) : vy);
}
