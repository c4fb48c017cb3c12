/**
 * A round is 90 s of play and then the result. The result ends when every player is ready, or after
 * 8 s; the next round begins from scratch. During the result no dragon is in control and no hit
 * counts. A press of the flap button means "ready".
 */
import { PLAYER_SEATS } from "../../netcode/game.ts";
import type { Arena } from "./arena.ts";
import {
  ARCHETYPES,
  DRAGON,
  type Dragon,
  type DragonStage,
  type MatchFields,
} from "./archetypes.ts";
import { spawnCrateStack } from "./crates.ts";
import type { EventList } from "./events.ts";
import { isSeatRetired, releaseAllHatchlingSeats } from "./npc/seats.ts";
import { respawn } from "./respawn.ts";
import { CHARGES_MAX, RESULT_TICKS, RESULT_TICKS_MIN, ROUND_TICKS } from "./tuning.ts";

/** The match's phases; `RESULT` is the greatest. */
const PLAYING = 0;
export const RESULT = 1;

/** Starts round 1, before the first tick. */
export function startFirstRound(fields: MatchFields): void {
  fields.phase = PLAYING;
  fields.phaseTicksLeft = ROUND_TICKS;
  fields.round = 1;
}

/** True while dragons are in control and hits count. */
export function isPlaying(fields: MatchFields): boolean {
  return fields.phase === PLAYING;
}

/**
 * A player's flap during the result requests the next round, unless it comes within the first
 * `RESULT_TICKS_MIN`.
 */
export function requestNextRound(match: MatchFields, { fields }: Dragon): void {
  const isDeliberate = match.phaseTicksLeft <= RESULT_TICKS - RESULT_TICKS_MIN;
  if (isDeliberate && fields.seat < PLAYER_SEATS) fields.ready = 1;
}

/** Counts down the phase; its last tick ends it. */
export function advanceRound(stage: DragonStage, arena: Arena, events: EventList): void {
  const { fields } = stage;
  if (fields.phaseTicksLeft > 0) fields.phaseTicksLeft--;
  if (isPlaying(fields)) {
    if (fields.phaseTicksLeft === 0) endRound(stage, events);
  } else if (fields.phaseTicksLeft === 0 || areAllPlayersReady(stage)) {
    startRound(stage, arena, events);
  }
}

function endRound(stage: DragonStage, events: EventList): void {
  stage.fields.phase = RESULT;
  stage.fields.phaseTicksLeft = RESULT_TICKS;
  events.emit("round", leader(stage) ?? stage.ground);
}

function startRound(stage: DragonStage, arena: Arena, events: EventList): void {
  const { fields } = stage;
  releaseAllHatchlingSeats(fields);
  clearStage(stage);
  spawnCrateStack(stage, arena);
  // No dragon's old place must affect the choice of spawn points, so none has a rider until it is
  // placed.
  for (const dragon of stage.all(DRAGON)) dragon.fields.dead = 1;
  for (const dragon of stage.all(DRAGON)) {
    dragon.fields.score = 0;
    dragon.fields.ready = 0;
    respawn(stage, arena, dragon, events);
    dragon.fields.charges = CHARGES_MAX;
  }
  fields.phase = PLAYING;
  fields.phaseTicksLeft = ROUND_TICKS;
  fields.round = (fields.round + 1) >>> 0;
  events.emit("start", { id: stage.ground.id, x: arena.width / 2, y: arena.height / 2 });
}

/** Despawns everything but the dragons that stay. The loops run backwards because `all` is live. */
function clearStage(stage: DragonStage): void {
  for (const archetype of ARCHETYPES) {
    if (archetype.name === DRAGON.name) continue;
    for (let i = stage.all(archetype).length - 1; i >= 0; i--) {
      stage.despawn(stage.all(archetype)[i]!);
    }
  }
  for (let i = stage.all(DRAGON).length - 1; i >= 0; i--) {
    const dragon = stage.all(DRAGON)[i]!;
    if (isSeatRetired(stage.fields, dragon.fields.seat)) stage.despawn(dragon);
  }
}

/** False if there is no player: the result then lasts its full time. */
function areAllPlayersReady(stage: DragonStage): boolean {
  let players = 0;
  for (const { fields } of stage.all(DRAGON)) {
    if (fields.seat >= PLAYER_SEATS) continue;
    if (fields.ready === 0) return false;
    players++;
  }
  return players > 0;
}

/** The dragon with the best score; the lowest id of equals. */
function leader(stage: DragonStage): Dragon | undefined {
  let best: Dragon | undefined;
  for (const dragon of stage.all(DRAGON)) {
    if (best === undefined || dragon.fields.score > best.fields.score) best = dragon;
  }
  return best;
}
