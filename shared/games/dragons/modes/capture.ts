/**
 * Capture: two teams and one golden egg. Who touches it carries it, and brings it to the edge of
 * their own team's half, blue at the left. Who loses their rider drops it. Mates cannot unseat each
 * other.
 */
import { type Arena, isOutside } from "../arena.ts";
import type { Dragon, DragonWorld, DragonWorldView, ReadonlyDragon } from "../declaration.ts";
import { CAPTURE_SCORE, FIRST_NPC_SEAT, HOME_DEPTH, RELIC_RADIUS } from "../tuning.ts";
import type { Goal } from "./mode.ts";

type Team = "blue" | "orange";

/** Removes what belongs to a Capture. */
export function endCapture(world: DragonWorld): void {
  const { match } = world;
  for (const relic of world.all("relic")) world.despawn(relic);
  match.carrier = undefined;
  match.blue = 0;
  match.orange = 0;
  for (const dragon of world.all("dragon")) dragon.fields.team = "none";
}

/** Gives teams to all who have none, brings the golden egg in, and pays for it at home. */
export function tickCapture(world: DragonWorld, arena: Arena): void {
  for (const dragon of world.all("dragon")) {
    if (dragon.fields.team === "none") dragon.fields.team = smallerTeam(world, dragon);
  }

  const { carrier } = world.match;
  const [relic] = world.all("relic");
  if (carrier === undefined) {
    if (relic === undefined) {
      spawnRelic(world, arena.width / 2, arena.height - 2 * RELIC_RADIUS);
    } else if (isOutside(arena, relic) || relic.y < arena.lava) {
      world.teleport(relic, arena.width / 2, arena.height - 2 * RELIC_RADIUS);
      world.setVelocity(relic, 0, 0);
    }
  } else if (carrier.fields.dead > 0) {
    world.match.carrier = undefined;
    spawnRelic(world, carrier.x, carrier.y, carrier);
    world.emit("drop", carrier);
  } else if (isHome(arena, carrier)) {
    bringHome(world, carrier);
  }
}

/** A dragon with a rider touches the golden egg, and carries it from now on. */
export function takeRelic(world: DragonWorld, dragon: Dragon): void {
  if (dragon.fields.dead > 0 || world.match.carrier !== undefined) return;
  for (const relic of world.all("relic")) world.despawn(relic);
  world.match.carrier = dragon;
  world.emit("carry", dragon);
}

/** Home for a carrier, the golden egg for half of the others; the rest fights. */
export function captureGoal(
  { match, one }: Pick<DragonWorldView, "match" | "one">,
  arena: Arena,
  me: ReadonlyDragon,
): Goal | undefined {
  if (match.carrier?.id === me.id) {
    const x = me.fields.team === "blue" ? HOME_DEPTH / 2 : arena.width - HOME_DEPTH / 2;
    return { x, height: me.y + 1 };
  }
  const relic = one("relic");
  // Neighbours on NPC seats play for different teams
  if (relic === undefined || Math.floor(me.seat / 2) % 2 === 1) return undefined;
  return { x: relic.x, height: relic.y + RELIC_RADIUS, isThing: true };
}

/** Whether a dragon is at its team's edge. */
function isHome({ width }: Arena, { x, fields }: ReadonlyDragon): boolean {
  return fields.team === "blue" ? x < HOME_DEPTH : x > width - HOME_DEPTH;
}

function bringHome(world: DragonWorld, carrier: Dragon): void {
  const { match } = world;
  match.carrier = undefined;
  match[carrier.fields.team as Team]++;
  carrier.fields.score += CAPTURE_SCORE;
  world.emit("capture", carrier);
}

/** @param dropper whose motion it keeps */
function spawnRelic(world: DragonWorld, x: number, y: number, dropper?: ReadonlyDragon): void {
  world.spawn("relic", { x, y, vx: dropper?.vx ?? 0, vy: dropper?.vy ?? 0 });
}

/** The team with fewer players, or NPCs if the dragon is one; the lower seat gets blue of equals. */
function smallerTeam(world: DragonWorld, { seat }: ReadonlyDragon): Team {
  const isNpc = seat >= FIRST_NPC_SEAT;
  let blueLead = 0;
  for (const other of world.all("dragon")) {
    if ((other.seat >= FIRST_NPC_SEAT) !== isNpc || other.fields.team === "none") continue;
    blueLead += other.fields.team === "blue" ? 1 : -1;
  }
  if (blueLead !== 0) return blueLead > 0 ? "orange" : "blue";
  return isNpc ? "orange" : "blue";
}
