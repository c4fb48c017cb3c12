/**
 * The Drifter crosses the arena from side to side, each time in a lane that it draws. It breathes
 * fire at dragons that happen to be ahead at its height.
 */
import { wayAcross } from "../arena.ts";
import type { FlightState } from "./motion_prediction.ts";
import {
  type DragonThought,
  fleeFromWyrm,
  type NpcPerception,
  predictAfterQueue,
} from "./perception.ts";
import type { Goal } from "../modes/mode.ts";
import { modeGoal, shelter } from "../modes/modes.ts";
import { clearHeight, headingTo, routeAroundPlatforms, shouldFlap } from "./navigation.ts";

/** Reaction time: 1 s. A Drifter hardly reacts to others. */
export const DRIFTER_REACTION_TICKS = 20;

/**
 * Ticks between two decisions; the last input is held in between. Predicting a second of flight
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
const FIRE_EVERY_TICKS = 30;
/** Metres to a target: least and most ahead, most difference in height. */
const FIRE_NEAR = 2;
const FIRE_FAR = 10;
const FIRE_LEVEL = 0.9;

/** @returns the inputs of the tick after the queue */
export function drifterPolicy(perception: NpcPerception): DragonThought {
  const { world, dragon, aheadTicks, queued } = perception;
  const last = queued.at(-1);
  // Even and odd seats decide in different ticks, to spread the cost.
  const turn = (world.tick + aheadTicks - 1 + dragon.seat) % DECISION_INTERVAL_TICKS;
  return last !== undefined && turn !== 0
    ? { dir: last.dir, flapHeld: last.flapHeld }
    : wander(perception, DECISION_INTERVAL_TICKS);
}

/**
 * Decides for the tick after the queue as a Drifter does.
 * @param everyTicks ticks between two decisions of the caller; the mean rate of fire is the same
 *   for each value
 */
export function wander(perception: NpcPerception, everyTicks: number): DragonThought {
  const { obstacles: platforms } = perception;
  const flight = predictAfterQueue(perception);
  const { world, arena, dragon } = perception;
  const wanted = fleeFromWyrm(perception, flight) ?? modeGoal(world, arena, dragon) ??
    legOf(perception);
  // A leg goes along a lane; a thing may be behind a platform
  const leg = wanted.isThing ? routeAroundPlatforms(flight, wanted, { arena, platforms }) : wanted;
  const height = clearHeight(flight, leg, platforms);
  const dir = headingTo(flight, { x: leg.x, height }, { ...STEERING_TARGET, platforms });
  const isFireDue = perception.random * FIRE_EVERY_TICKS < everyTicks;
  const isFiring = isFireDue && hasTarget(perception, flight, dir === 0 ? flight.facing : dir);
  return { dir, flaps: Number(shouldFlap(flight, height)), fires: Number(isFiring) };
}

/** The end of the current leg: left and right by turns, at a random distance and height. */
function legOf({ world, arena, dragon: { seat }, aheadTicks, draw }: NpcPerception): Goal {
  const leg = Math.floor((world.tick + aheadTicks + seat * SEAT_STAGGER_TICKS) / LEG_TICKS);
  const side = (leg + seat) % 2 === 0 ? -1 : 1;
  const reach = LEG_END_NEAR + (LEG_END_FAR - LEG_END_NEAR) * draw(2 * leg);
  const lane = Math.floor(draw(2 * leg + 1) * arena.lanes.length);
  const { left, right } = shelter(world, arena);
  const x = Math.max(left + 1, Math.min(right - 1, arena.width / 2 + side * reach));
  return { x, height: arena.lanes[lane]! };
}

function hasTarget(
  { world, arena, dragon }: NpcPerception,
  flight: FlightState,
  facing: number,
): boolean {
  for (const other of world.all("dragon")) {
    if (other === dragon || other.fields.dead > 1) continue;
    const ahead = wayAcross(arena, flight.x, other.x) * facing;
    if (ahead > FIRE_NEAR && ahead < FIRE_FAR && Math.abs(other.y - flight.y) < FIRE_LEVEL) {
      return true;
    }
  }
  return false;
}
