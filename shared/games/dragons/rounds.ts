/**
 * Rounds: 90 s of play, then the result until every player there has asked for more or 8 s are over, then everything anew.
 * While the result is shown dragons obey nobody and nothing counts but a press of the flap button: it says "ready".
 */
import { PLAYER_SEATS } from "../../netcode/game.ts";
import type { Arena } from "./arena.ts";
import { ARCHETYPES, DRAGON, type Dragon, type DragonStage, type MatchFields } from "./archetypes.ts";
import { spawnCrateStack } from "./crates.ts";
import type { EventList } from "./events.ts";
import { isSeatRetired, releaseAllHatchlingSeats } from "./npc/seats.ts";
import { respawn } from "./respawn.ts";
import { CHARGES_MAX, RESULT_TICKS, RESULT_TICKS_MIN, ROUND_TICKS } from "./tuning.ts";

/** The match's phases; there is none beyond `RESULT`. */
const PLAYING = 0;
export const RESULT = 1;

/** Before the first tick. */
export function startFirstRound(fields: MatchFields): void {
  fields.phase = PLAYING;
  fields.phaseTicksLeft = ROUND_TICKS;
  fields.round = 1;
}

/** Whether dragons obey and blows count. */
export function isPlaying(fields: MatchFields): boolean {
  return fields.phase === PLAYING;
}

/** A flap was pressed while the result is shown: a player asks for the next round. */
export function requestNextRound(match: MatchFields, { fields }: Dragon): void {
  const isDeliberate = match.phaseTicksLeft <= RESULT_TICKS - RESULT_TICKS_MIN;
  if (isDeliberate && fields.seat < PLAYER_SEATS) fields.ready = 1;
}

/** A tick of the phase; the last one ends it. */
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
  // Where they were does not matter for where they come in.
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

/** Takes everything away but the dragons that stay. Backwards: `all` is live. */
function clearStage(stage: DragonStage): void {
  for (const archetype of ARCHETYPES) {
    if (archetype.name === DRAGON.name) continue;
    for (let i = stage.all(archetype).length - 1; i >= 0; i--) stage.despawn(stage.all(archetype)[i]!);
  }
  for (let i = stage.all(DRAGON).length - 1; i >= 0; i--) {
    const dragon = stage.all(DRAGON)[i]!;
    if (isSeatRetired(stage.fields, dragon.fields.seat)) stage.despawn(dragon);
  }
}

/** Nobody waits for a player who is not there; without any player the result runs its time. */
function areAllPlayersReady(stage: DragonStage): boolean {
  let players = 0;
  for (const { fields } of stage.all(DRAGON)) {
    if (fields.seat >= PLAYER_SEATS) continue;
    if (fields.ready === 0) return false;
    players++;
  }
  return players > 0;
}

/** The best score; the lowest id of equals. */
function leader(stage: DragonStage): Dragon | undefined {
  let best: Dragon | undefined;
  for (const dragon of stage.all(DRAGON)) {
    if (best === undefined || dragon.fields.score > best.fields.score) best = dragon;
  }
  return best;
}
