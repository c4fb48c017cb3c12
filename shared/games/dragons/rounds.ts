/**
 * A round is 90 s of play and then the result. The result ends when every player is ready, or after
 * 8 s; the next round begins from scratch. During the result no dragon is in control and no hit
 * counts. A press of the flap button means "ready".
 */
import type { Arena } from "./arena.ts";
import type { Arenas } from "./arenas/arenas.ts";
import type { Place } from "../../game_kit/game_kit.ts";
import type { Dragon, DragonWorld } from "./declaration.ts";
import { FIRST_NPC_SEAT, isSeatRetired, respawn } from "./entering.ts";
import { arenaIn, beginRound } from "./setting.ts";
import { CHARGES_MAX, RESULT_TICKS, RESULT_TICKS_MIN, ROUND_TICKS } from "./tuning.ts";

/** Starts round 1 in the first tick, which counts. */
export function startFirstRound({ match }: DragonWorld): void {
  match.phaseTicksLeft = ROUND_TICKS - 1;
  match.round = 1;
}

/** True while dragons are in control and hits count. */
export function isPlaying({ match }: DragonWorld): boolean {
  return match.phase === "playing";
}

/**
 * A player's flap during the result requests the next round, unless it comes within the first
 * `RESULT_TICKS_MIN`.
 */
export function requestNextRound({ match }: DragonWorld, { seat, fields }: Dragon): void {
  const isDeliberate = match.phaseTicksLeft < RESULT_TICKS - RESULT_TICKS_MIN;
  if (isDeliberate && seat < FIRST_NPC_SEAT) fields.ready = true;
}

/** Ends the phase whose time is over. */
export function advanceRound(world: DragonWorld, arenas: Arenas): void {
  const isOver = world.match.phaseTicksLeft === 0;
  if (isPlaying(world)) {
    if (isOver) endRound(world, arenaIn(world, arenas));
  } else if (isOver || areAllPlayersReady(world)) {
    startRound(world, arenas);
  }
}

function endRound(world: DragonWorld, arena: Arena): void {
  world.match.phase = "result";
  world.match.phaseTicksLeft = RESULT_TICKS;
  world.emit("round", leader(world) ?? middleOf(arena));
}

function startRound(world: DragonWorld, arenas: Arenas): void {
  const { match } = world;
  match.round++;
  for (const seat of world.npcSeats) world.removeNpc(seat);
  clearArena(world);
  const arena = beginRound(world, arenas);

  // No dragon's old place must affect the choice of spawn points, so none has a rider until it is
  // placed.
  const dragons = world.all("dragon");
  for (const dragon of dragons) dragon.fields.dead = 1;
  for (const dragon of dragons) {
    dragon.fields.score = 0;
    dragon.fields.ready = false;
    respawn(world, arena, { dragon, charges: CHARGES_MAX });
  }

  match.phase = "playing";
  match.phaseTicksLeft = ROUND_TICKS;
  world.emit("start", middleOf(arena));
}

/** Where events of the match itself happen. */
function middleOf({ width, height }: Arena): Place {
  return { x: width / 2, y: height / 2 };
}

/** Removes everything but the dragons that stay. */
function clearArena(world: DragonWorld): void {
  for (const thing of world.all("fireball", "crate", "egg")) world.despawn(thing);
  for (const dragon of world.all("dragon")) {
    if (isSeatRetired(world, dragon.seat)) world.despawn(dragon);
  }
}

/** False if there is no player: the result then lasts its full time. */
function areAllPlayersReady(world: DragonWorld): boolean {
  const players = world.all("dragon").filter(({ seat }) => seat < FIRST_NPC_SEAT);
  return players.length > 0 && players.every(({ fields }) => fields.ready);
}

/** The dragon with the best score; the lowest id of equals. */
function leader(world: DragonWorld): Dragon | undefined {
  let best: Dragon | undefined;
  for (const dragon of world.all("dragon")) {
    if (best === undefined || dragon.fields.score > best.fields.score) best = dragon;
  }
  return best;
}
