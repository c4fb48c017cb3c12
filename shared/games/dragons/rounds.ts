/**
 * A set is the best of three rounds, or of one or five, as the room wants it:
 *
 *     90 s of play → result → … → 90 s of play → podium → a new set with the same players
 *                ↘ nobody is ahead: sudden death, until somebody is, at most 20 s ↗
 *
 * During a result and a podium no dragon is in control and no hit counts. A press of the flap button
 * means "ready". Each of the two lasts its least time, and then until every player is ready, or for
 * its most.
 */
import type { Arena } from "./arena.ts";
import type { Arenas } from "./arenas/arenas.ts";
import { outcomeOf, type Place, type RoundState } from "../../game_kit/game_kit.ts";
import type {
  Dragon,
  DragonInput,
  DragonTypes,
  DragonWorld,
  DragonWorldView,
} from "./declaration.ts";
import { FIRST_NPC_SEAT, isSeatRetired, respawn } from "./entering.ts";
import { scoreOf, teamOf } from "./modes/modes.ts";
import { arenaIn, beginRound } from "./setting.ts";
import { castVote, countVotes, openVote } from "./vote.ts";
import {
  CHARGES_MAX,
  DELIBERATE_TICKS,
  INVULNERABLE_TICKS,
  PODIUM_TICKS,
  PODIUM_TICKS_MIN,
  RESULT_TICKS,
  RESULT_TICKS_MIN,
  ROUND_TICKS,
  SUDDEN_DEATH_TICKS,
} from "./tuning.ts";

/** Starts round 1 in the first tick, which counts. */
export function startFirstRound({ match }: DragonWorld): void {
  match.phaseTicksLeft = ROUND_TICKS - 1;
  match.round = 1;
  match.turn = 1;
  match.roundOfSet = 1;
}

/** True while dragons are in control and hits count. */
export function isPlaying({ match }: DragonWorld): boolean {
  return match.phase === "playing";
}

/**
 * Whether one deed may decide something for all: in sudden death the next point ends the round, a
 * round's end names who is best of all, and a flap of the last player begins the next one. The first
 * ticks of a round count, because a page may be ahead of the server by some of them.
 */
export function isDecisive(world: DragonWorldView): boolean {
  const { phase, suddenDeath, phaseTicksLeft } = world.match;
  const hasJustBegun = phaseTicksLeft > ROUND_TICKS - INVULNERABLE_TICKS;
  return phase !== "playing" || suddenDeath || hasJustBegun;
}

/** The newest round, as results and pages have it. */
export function roundOf(world: DragonWorldView): RoundState<DragonTypes> {
  const { match, options } = world;
  return {
    number: match.round,
    isOver: match.phase === "result",
    score: (dragon) => scoreOf(world, dragon),
    total: ({ fields }) => fields.earlierScore + fields.score,
    set: {
      round: match.roundOfSet,
      of: Number(options.rounds),
      isOver: match.setOver,
      wins: ({ fields }) => fields.wins,
    },
  };
}

/**
 * A player's flap during a result says that they want to go on, and on a podium the other keys vote.
 * Nothing counts that comes within the first `DELIBERATE_TICKS`.
 */
export function answerResult(world: DragonWorld, dragon: Dragon, input: DragonInput): void {
  if (shownTicks(world) <= DELIBERATE_TICKS) return;
  if (input.flaps > 0 && dragon.seat < FIRST_NPC_SEAT) dragon.fields.ready = true;
  castVote(world, dragon, input);
}

/** Ends the phase whose time is over. */
export function advanceRound(world: DragonWorld, arenas: Arenas): void {
  const { match } = world;
  const isTimeUp = match.phaseTicksLeft === 0;

  if (!isPlaying(world)) {
    const { min } = resultTicksOf(world);
    const isRead = shownTicks(world) >= min;
    if (isTimeUp || isRead && areAllPlayersReady(world)) startRound(world, arenas);
    return;
  }

  const arena = arenaIn(world, arenas);
  if (match.suddenDeath) {
    if (isTimeUp || winnersOf(world).length > 0) endRound(world, arena);
  } else if (isTimeUp) {
    const isTie = winnersOf(world).length === 0 && world.all("dragon").length > 1;
    if (isTie) beginSuddenDeath(world, arena);
    else endRound(world, arena);
  }
}

function beginSuddenDeath(world: DragonWorld, arena: Arena): void {
  const { match } = world;
  match.suddenDeath = true;
  match.phaseTicksLeft = SUDDEN_DEATH_TICKS;
  world.emit("suddenDeath", middleOf(arena));
}

function endRound(world: DragonWorld, arena: Arena): void {
  const { match } = world;
  const winners = winnersOf(world);
  for (const { fields } of winners) fields.wins++;

  // The set is over with its last round, or when nobody can catch up any more.
  const rounds = Number(world.options.rounds);
  const mostWins = Math.max(0, ...world.all("dragon").map(({ fields }) => fields.wins));
  match.setOver = match.roundOfSet >= rounds || 2 * mostWins > rounds;

  if (match.setOver) openVote(world);

  match.phase = "result";
  match.phaseTicksLeft = resultTicksOf(world).max;
  world.emit("round", winners[0] ?? middleOf(arena));
}

function startRound(world: DragonWorld, arenas: Arenas): void {
  const { match } = world;
  match.round++;
  match.turn = countVotes(world);
  for (const seat of world.npcSeats) world.removeNpc(seat);
  clearArena(world);
  const arena = beginRound(world, arenas);

  // No dragon's old place must affect the choice of spawn points, so none has a rider until it is
  // placed.
  const dragons = world.all("dragon");
  for (const dragon of dragons) dragon.fields.dead = 1;
  for (const dragon of dragons) {
    beginScore(dragon, match.setOver);
    dragon.fields.ready = false;
    respawn(world, arena, { dragon, charges: CHARGES_MAX });
  }

  match.phase = "playing";
  match.phaseTicksLeft = ROUND_TICKS;
  match.suddenDeath = false;
  match.roundOfSet = match.setOver ? 1 : match.roundOfSet + 1;
  match.setOver = false;
  world.emit("start", middleOf(arena));
}

/** @param isRematch whether a new set begins */
function beginScore({ fields }: Dragon, isRematch: boolean): void {
  fields.earlierScore = isRematch ? 0 : fields.earlierScore + fields.score;
  if (isRematch) fields.wins = 0;
  fields.score = 0;
}

/** How long the result or the podium lasts, in ticks. */
function resultTicksOf({ match }: DragonWorld): { readonly min: number; readonly max: number } {
  return match.setOver
    ? { min: PODIUM_TICKS_MIN, max: PODIUM_TICKS }
    : { min: RESULT_TICKS_MIN, max: RESULT_TICKS };
}

/** For how many ticks the result has been there. */
function shownTicks(world: DragonWorld): number {
  return resultTicksOf(world).max - world.match.phaseTicksLeft;
}

/** Where events of the match itself happen. */
function middleOf({ width, height }: Arena): Place {
  return { x: width / 2, y: height / 2 };
}

/** Removes everything but the dragons that stay. */
function clearArena(world: DragonWorld): void {
  for (const thing of world.all("fireball", "crate", "egg", "chest", "loot", "arrow", "pellet")) {
    world.despawn(thing);
  }
  for (const dragon of world.all("dragon")) {
    if (isSeatRetired(world, dragon.seat)) world.despawn(dragon);
  }
}

/** False if there is no player: the result then lasts its full time. */
function areAllPlayersReady(world: DragonWorld): boolean {
  const players = world.all("dragon").filter(({ seat }) => seat < FIRST_NPC_SEAT);
  return players.length > 0 && players.every(({ fields }) => fields.ready);
}

/** The dragon that is better than all others, or all of the better team; empty without one. */
function winnersOf(world: DragonWorld): readonly Dragon[] {
  const scores = world.all("dragon").map((dragon) => ({
    dragon,
    score: scoreOf(world, dragon),
    team: teamOf(dragon),
  }));
  return outcomeOf(scores).winners.map(({ dragon }) => dragon);
}
