/**
 * The Drifter crosses the arena from side to side, each time in a lane that it draws. It breathes
 * fire at dragons that happen to be ahead at its height.
 */
import type { NpcRandom, SeatId } from "../../../netcode/game.ts";
import type { Arena } from "../arena.ts";
import { DRAGON } from "../archetypes.ts";
import type { DragonCommand } from "../command.ts";
import type { FlightState } from "./motion_prediction.ts";
import { commandFor, neutralAfter, type NpcPerception, predictAfterQueue } from "./perception.ts";
import { clearHeight, type Goal, headingTo, shouldFlap } from "./navigation.ts";

/** Reaction time: 1 s. A Drifter hardly reacts to others. */
export const DRIFTER_REACTION_TICKS = 20;

/**
 * Ticks between two decisions; the last command repeats in between. Predicting a second of flight
 * is most of an NPC's cost.
 */
const DECISION_INTERVAL_TICKS = 2;

/** Ticks of one crossing. In 3.2 s a flying dragon reaches the other half. */
const LEG_TICKS = 64;
/** Ticks between the turns of neighbouring seats, so that Drifters do not turn all at once. */
const SEAT_STAGGER_TICKS = 23;
/** Metres from the middle of the arena to the end of a leg: least and most. */
const LEG_END_NEAR = 4;
const LEG_END_FAR = 12;
/** Coarse: a Drifter's goals need no precision. */
const STEERING_TARGET = { arrivalDistance: 0.8, brakingSeconds: 0.5 };
/** Mean ticks between two fireballs while a target is in sight all the time. */
const FIRE_EVERY_TICKS = 12;
/** Metres to a target: least and most ahead, most difference in height. */
const FIRE_NEAR = 2;
const FIRE_FAR = 10;
const FIRE_LEVEL = 0.9;

/** @returns the seat's command for the tick after its queue */
export function drifterPolicy(
  perception: NpcPerception,
  queued: readonly DragonCommand[],
): DragonCommand {
  const last = queued.at(-1);
  // Even and odd seats decide in different ticks, to spread the cost.
  const isBetweenDecisions =
    (perception.stage.tick + queued.length + perception.seat) % DECISION_INTERVAL_TICKS !== 0;
  return last !== undefined && isBetweenDecisions
    ? last
    : wander(perception, queued, DECISION_INTERVAL_TICKS);
}

/**
 * Decides for the tick after the queue as a Drifter does.
 * @param everyTicks ticks between two decisions of the caller; the mean rate of fire is the same
 *   for each value
 */
export function wander(
  perception: NpcPerception,
  queued: readonly DragonCommand[],
  everyTicks: number,
): DragonCommand {
  const { stage, arena, random, seat, dragon } = perception;
  if (dragon === undefined) return neutralAfter(queued);
  const flight = predictAfterQueue(perception, dragon, queued);
  const tick = stage.tick + queued.length + 1;
  const leg = legOf(arena, random, { seat, tick });
  const height = clearHeight(flight, leg.height, arena.platforms);
  const dir = headingTo(flight, { x: leg.x, height }, {
    ...STEERING_TARGET,
    platforms: arena.platforms,
  });
  const isFireDue = random(seat, tick) % (FIRE_EVERY_TICKS / everyTicks) === 0;
  const fire = isFireDue && hasTarget(perception, flight, dir === 0 ? flight.facing : dir);
  return commandFor({ dir, flap: shouldFlap(flight, height), fire }, { dragon, queued });
}

/** The end of the current leg: left and right by turns, at a random distance and height. */
function legOf(
  arena: Arena,
  random: NpcRandom,
  { seat, tick }: { seat: SeatId; tick: number },
): Goal {
  const leg = Math.floor((tick + seat * SEAT_STAGGER_TICKS) / LEG_TICKS);
  const hash = random(seat, leg);
  const side = (leg + seat) % 2 === 0 ? -1 : 1;
  const reach = LEG_END_NEAR + (LEG_END_FAR - LEG_END_NEAR) * ((hash >>> 16) / 65_536);
  return { x: arena.width / 2 + side * reach, height: arena.lanes[hash % arena.lanes.length]! };
}

function hasTarget({ stage, dragon }: NpcPerception, flight: FlightState, facing: number): boolean {
  for (const other of stage.all(DRAGON)) {
    if (other.id === dragon?.id || other.fields.dead > 0) continue;
    const ahead = (other.x - flight.x) * facing;
    if (ahead > FIRE_NEAR && ahead < FIRE_FAR && Math.abs(other.y - flight.y) < FIRE_LEVEL) {
      return true;
    }
  }
  return false;
}
