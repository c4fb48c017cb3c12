/**
 * The Drifter's mind: it crosses the arena from side to side, each time in a lane drawn from its seed, and breathes fire at
 * who happens to fly level and ahead.
 */
import type { SeatId } from "../../../netcode/game.ts";
import { hashOf } from "../../../random.ts";
import type { Arena } from "../arena.ts";
import { DRAGON } from "../archetypes.ts";
import type { DragonCommand } from "../command.ts";
import type { FlightState } from "./motion_prediction.ts";
import { commandFor, neutralAfter, type NpcPerception, predictAfterQueue } from "./perception.ts";
import { clearHeight, type Goal, headingTo, shouldFlap } from "./navigation.ts";

/** A second: it drifts, it does not react. */
export const DRIFTER_REACTION_TICKS = 20;

/** It decides only so often, and in between its last command goes on: to foresee a second of flight is most of what a mind costs. */
const DECISION_INTERVAL_TICKS = 2;

/** Ticks of one crossing: 3.2 s reach the other half at flying speed. */
const LEG_TICKS = 64;
/** Ticks by which seats begin their legs apart, so that they do not turn all at once. */
const SEAT_STAGGER_TICKS = 23;
/** Metres from the middle of the arena to where a leg ends, at least and at most. */
const LEG_END_NEAR = 4, LEG_END_FAR = 12;
/** It need not be exact. */
const STEERING_TARGET = { arrivalDistance: 0.8, brakingSeconds: 0.5 };
/** With somebody in sight all the while it breathes fire once in so many ticks, on average. */
const FIRE_EVERY_TICKS = 12;
/** Metres: how near and how far, and how level, a target must be. */
const FIRE_NEAR = 2, FIRE_FAR = 10, FIRE_LEVEL = 0.9;

/** The seat's command for the tick after its queue. */
export function drifterPolicy(perception: NpcPerception, queued: readonly DragonCommand[]): DragonCommand {
  const last = queued.at(-1);
  // Seats by turns, so that not all decide at once.
  const isBetweenDecisions = (perception.stage.tick + queued.length + perception.seat) % DECISION_INTERVAL_TICKS !== 0;
  return last !== undefined && isBetweenDecisions ? last : wander(perception, queued, DECISION_INTERVAL_TICKS);
}

/**
 * What a Drifter decides for the tick after its queue.
 * @param everyTicks how often its seat decides: who decides less often breathes fire as often
 */
export function wander(perception: NpcPerception, queued: readonly DragonCommand[], everyTicks: number): DragonCommand {
  const { stage, arena, seat, dragon } = perception;
  if (dragon === undefined) return neutralAfter(queued);
  const flight = predictAfterQueue(perception, dragon, queued);
  const tick = stage.tick + queued.length + 1;
  const leg = legOf(arena, stage.fields.seed, { seat, tick });
  const height = clearHeight(flight, leg.height, arena.platforms);
  const dir = headingTo(flight, { x: leg.x, height }, { ...STEERING_TARGET, platforms: arena.platforms });
  const isFireDue = hashOf(stage.fields.seed, seat, tick) % (FIRE_EVERY_TICKS / everyTicks) === 0;
  const fire = isFireDue && hasTarget(perception, flight, dir === 0 ? flight.facing : dir);
  return commandFor({ dir, flap: shouldFlap(flight, height), fire }, { dragon, queued });
}

/** Where this leg ends: left and right by turns, how far and how high by chance. */
function legOf(arena: Arena, seed: number, { seat, tick }: { seat: SeatId; tick: number }): Goal {
  const leg = Math.floor((tick + seat * SEAT_STAGGER_TICKS) / LEG_TICKS);
  const hash = hashOf(seed, seat, leg);
  const side = (leg + seat) % 2 === 0 ? -1 : 1;
  const reach = LEG_END_NEAR + (LEG_END_FAR - LEG_END_NEAR) * ((hash >>> 16) / 65_536);
  return { x: arena.width / 2 + side * reach, height: arena.lanes[hash % arena.lanes.length]! };
}

function hasTarget({ stage, dragon }: NpcPerception, flight: FlightState, facing: number): boolean {
  for (const other of stage.all(DRAGON)) {
    if (other.id === dragon?.id || other.fields.dead > 0) continue;
    const ahead = (other.x - flight.x) * facing;
    if (ahead > FIRE_NEAR && ahead < FIRE_FAR && Math.abs(other.y - flight.y) < FIRE_LEVEL) return true;
  }
  return false;
}
