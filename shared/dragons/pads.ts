/** Coming in: a dragon enters and comes back at the free pad farthest from everybody who lives, whole and untouchable. */
import type { SeatId } from "../netcode/game.ts";
import { type Arena, isOutside, type Point } from "./arena.ts";
import { CRATE, DRAGON, type Dragon, type DragonStage } from "./archetypes.ts";
import type { DragonCommand } from "./command.ts";
import type { EventList } from "./events.ts";
import { CLOCK_MAX } from "./flight.ts";
import { CHARGES_MAX, DRAGON_RADIUS, INVULNERABLE_TICKS, PAD_CLEARANCE } from "./tuning.ts";

/** A new dragon for `seat`; what its first command has counted is where counting begins. */
export function enter(stage: DragonStage, arena: Arena, entry: { seat: SeatId; command: DragonCommand }): Dragon {
  const { seat, command } = entry;
  const pad = choosePad(stage, arena, undefined);
  return stage.spawn(DRAGON, {
    x: pad.x,
    y: pad.y,
    fields: {
      seat,
      facing: facingAt(pad, arena),
      flapsSeen: command.flaps,
      firesSeen: command.fires,
      tethersSeen: command.tethers,
      flapAge: CLOCK_MAX,
      airborne: CLOCK_MAX,
      charges: CHARGES_MAX,
      invulnerable: INVULNERABLE_TICKS,
    },
  });
}

/** A tick of being dead; the last one brings the dragon back. Lost ones come back at once. */
export function returnTheDead(stage: DragonStage, arena: Arena, dragon: Dragon, events: EventList): void {
  const { fields } = dragon;
  const isOver = fields.dead === 1;
  if (fields.dead > 0) fields.dead--;
  if (isOver || isOutside(arena, dragon)) respawn(stage, arena, dragon, events);
}

function respawn(stage: DragonStage, arena: Arena, dragon: Dragon, events: EventList): void {
  const pad = choosePad(stage, arena, dragon);
  stage.teleport(dragon, pad.x, pad.y);
  stage.setVelocity(dragon, 0, 0);
  Object.assign(dragon.fields, {
    dead: 0,
    facing: facingAt(pad, arena),
    flapAge: CLOCK_MAX,
    airborne: CLOCK_MAX,
    charges: CHARGES_MAX,
    recharge: 0,
    stun: 0,
    truce: 0,
    invulnerable: INVULNERABLE_TICKS,
  });
  events.tell("respawn", dragon);
}

/** The pad whose nearest living dragon is farthest; the first of equals. Where no pad is free, the best of all. */
function choosePad(stage: DragonStage, arena: Arena, comer: Dragon | undefined): Point {
  let best = arena.pads[0]!, bestRoom = -1;
  let bestIsFree = false;
  for (const pad of arena.pads) {
    const room = roomAround(stage, pad, comer);
    const isFree = room > 4 * DRAGON_RADIUS * DRAGON_RADIUS && !crateOn(stage, pad);
    if (isFree === bestIsFree ? room <= bestRoom : bestIsFree) continue;
    best = pad;
    bestRoom = room;
    bestIsFree = isFree;
  }
  return best;
}

/** Square metres: the distance to the nearest living dragon, squared. */
function roomAround(stage: DragonStage, pad: Point, comer: Dragon | undefined): number {
  let nearest = Infinity;
  for (const dragon of stage.all(DRAGON)) {
    if (dragon.fields.dead > 0 || dragon.id === comer?.id) continue;
    nearest = Math.min(nearest, squaredDistance(dragon, pad));
  }
  return nearest;
}

function crateOn(stage: DragonStage, pad: Point): boolean {
  for (const crate of stage.all(CRATE)) if (squaredDistance(crate, pad) < PAD_CLEARANCE * PAD_CLEARANCE) return true;
  return false;
}

function squaredDistance(a: Point, b: Point): number {
  const dx = a.x - b.x, dy = a.y - b.y;
  return dx * dx + dy * dy;
}

/** Toward the middle. */
function facingAt(pad: Point, arena: Arena): number {
  return pad.x < arena.width / 2 ? 1 : -1;
}
