/**
 * The Hunter attacks the nearest vulnerable dragon from above. It climbs while it is far, dives
 * when it is over its prey, retreats when it is below, and breathes fire at the same height.
 * Without prey it flies like a Drifter.
 */
import { type Arena, wayAcross } from "../arena.ts";
import type { ReadonlyDragon } from "../declaration.ts";
import { wander } from "./drifter.ts";
import type { Goal } from "../modes/mode.ts";
import { areMates, modeGoal } from "../modes/modes.ts";
import type { FlightState } from "./motion_prediction.ts";
import {
  type DragonThought,
  fleeFromWyrm,
  type NpcPerception,
  predictAfterQueue,
} from "./perception.ts";
import { BOB, clearHeight, headingTo, routeAroundPlatforms, shouldFlap } from "./navigation.ts";
import { lootGoal } from "./loot_goal.ts";
import {
  ARROW_SPEED,
  DRAGON_RADIUS,
  FIREBALL_GRAVITY_SCALE,
  FIREBALL_INHERITS,
  FIREBALL_SPEED,
  GRAVITY,
  LANCE_LEAD,
} from "../tuning.ts";

/** Reaction time: 0.6 s, twice that of a good player. */
export const HUNTER_REACTION_TICKS = 12;

const STEERING_TARGET = { arrivalDistance: 0.25, brakingSeconds: 0.2 };
/** Metres above its prey at which it approaches. */
const HIGH_GROUND = 1.8;
/** Metres: it dives from less than this sideways and more than this above. */
const DIVE_REACH = 2;
const DIVE_LEAD = 1;
/** Metres above `LANCE_LEAD` below which a flap stops the dive. */
const DIVE_MARGIN = 0.3;
/** Metres sideways within which it must not be the lower dragon. */
const DANGER = 1.5;
/** Metres sideways of a retreat. */
const RETREAT = 5;
/** Share of a prey's vertical speed that is extrapolated; flaps make the rest bob up and down. */
const CLIMB_PERSISTENCE = 0.3;
/** It breathes fire in one of so many ticks with its prey in sight, on average. */
const FIRE_ODDS = 3;
/** Metres to the prey for fire: least and most ahead, most miss from the prey's centre. */
const FIRE_NEAR = 1.5;
const FIRE_FAR = 8;
const FIRE_MISS = 0.45;
/** Metres to the prey for a bow and for a scatter; a boost ends in what is ahead within these. */
const BOW_FAR = 14;
const SCATTER_FAR = 4;
const BOOST_NEAR = 1.5;
const BOOST_FAR = 5;
/** Metres to the prey within which it leaves chests alone. */
const BUSY = 4;
/** Seconds ahead of its prey at which a dive aims: half the time of a dive. */
const AIM_SECONDS = 0.35;

/** The predicted motion of the prey. Metres, m/s. */
interface Prey {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

/** How a kind of NPC hunts. */
export interface HuntingStyle {
  /** Metres by which a prey counts as nearer than it is; ≥ 0. */
  appeal(prey: ReadonlyDragon): number;
  /** It breathes fire in one of so many ticks with its prey in sight, on average. */
  readonly fireOdds: number;
}

const HUNTER_STYLE: HuntingStyle = { appeal: () => 0, fireOdds: FIRE_ODDS };

/** @returns the inputs of the tick after the queue */
export function hunterPolicy(perception: NpcPerception): DragonThought {
  return hunt(perception, HUNTER_STYLE);
}

/** Attacks the best prey, and without any it flies like a Drifter. */
export function hunt(perception: NpcPerception, style: HuntingStyle): DragonThought {
  const { arena, obstacles: platforms } = perception;
  const flight = predictAfterQueue(perception);
  const prey = choosePrey(perception, flight, style);
  const isBusy = fleeFromWyrm(perception, flight) !== undefined ||
    modeGoal(perception.world, arena, perception.dragon) !== undefined;
  if (prey === undefined || isBusy) return wander(perception, 1);
  const isNear = Math.abs(prey.x - flight.x) + Math.abs(prey.y - flight.y) < BUSY;
  const loot = isNear ? undefined : lootGoal(perception, flight);
  const aim = loot ?? attack(flight, prey, arena);
  const goal = routeAroundPlatforms(flight, aim, { arena, platforms });
  const height = clearHeight(flight, goal, platforms);
  const dir = headingTo(flight, { x: goal.x, height }, { ...STEERING_TARGET, platforms });
  const isArmed = perception.dragon.fields.shots > 0;
  const isFireDue = isArmed || perception.random * style.fireOdds < 1;
  const isFiring = isFireDue && flight.uncontrolledTicks === 0 &&
    isWorthIt(perception.dragon, flight, prey, dir === 0 ? flight.facing : dir);
  const isToLeft = prey.x < flight.x;
  return {
    dir,
    flaps: Number(shouldFlap(flight, height)),
    fires: Number(isFiring),
    // Up and at the prey after a clash; out of the way of whoever dives
    if: { struck: isToLeft ? "riseLeft" : "riseRight", dived: isToLeft ? "right" : "left" },
  };
}

/**
 * The predicted motion of the dragon that is nearest, less its appeal, among those that are
 * vulnerable by then; the lowest id of equals.
 */
function choosePrey(
  { world, arena, dragon, aheadTicks }: NpcPerception,
  flight: FlightState,
  { appeal }: HuntingStyle,
): Prey | undefined {
  const seconds = world.seconds(aheadTicks);
  let prey: Prey | undefined;
  let nearest = Infinity;
  for (const other of world.all("dragon")) {
    const { fields } = other;
    if (
      other === dragon || areMates(other, dragon) || fields.dead > 1 ||
      fields.invulnerable - 1 > aheadTicks
    ) continue;
    const position = seenFrom(flight, predictedPosition(other, seconds, arena), arena);
    const dx = position.x - flight.x;
    const dy = position.y - flight.y;
    const distance = Math.max(0, Math.sqrt(dx * dx + dy * dy) - appeal(other));
    if (distance >= nearest) continue;
    nearest = distance;
    prey = position;
  }
  return prey;
}

/** Extrapolates another dragon on a straight line: its inputs are unknown. */
function predictedPosition(
  { x, y, vx, vy }: ReadonlyDragon,
  seconds: number,
  { width, height, wraps }: Arena,
): Prey {
  const straightOn = x + vx * seconds;
  return {
    x: wraps ? straightOn : Math.max(DRAGON_RADIUS, Math.min(width - DRAGON_RADIUS, straightOn)),
    y: Math.max(
      DRAGON_RADIUS,
      Math.min(height - DRAGON_RADIUS, y + vy * seconds * CLIMB_PERSISTENCE),
    ),
    vx,
    vy: vy * CLIMB_PERSISTENCE,
  };
}

/** The prey at the end of the shorter way to it, which may be beyond an edge. */
function seenFrom({ x }: FlightState, prey: Prey, arena: Arena): Prey {
  return arena.wraps ? { ...prey, x: x + wayAcross(arena, x, prey.x) } : prey;
}

/** The goal of the approach, the dive or the retreat. */
function attack(flight: FlightState, prey: Prey, arena: Arena): Goal {
  const x = prey.x + prey.vx * AIM_SECONDS;
  const dx = prey.x - flight.x;
  const lead = flight.y - prey.y;
  if (lead > DIVE_LEAD && Math.abs(x - flight.x) < DIVE_REACH) {
    return { x, height: prey.y + LANCE_LEAD + DIVE_MARGIN + BOB };
  }
  const height = prey.y + HIGH_GROUND;
  if (lead > LANCE_LEAD || Math.abs(dx) > DANGER) return { x, height };
  const away = dx > 0 ? -RETREAT : RETREAT;
  const isCornered = !arena.wraps && (flight.x + away < 0 || flight.x + away > arena.width);
  return { x: flight.x + (isCornered ? -away : away), height };
}

/** Whether the key does good now: by what the dragon holds, or by its fire. */
function isWorthIt(
  { fields: { holds } }: ReadonlyDragon,
  flight: FlightState,
  prey: Prey,
  facing: number,
): boolean {
  const ahead = (prey.x - flight.x) * facing;
  switch (holds) {
    case "bow":
      return isInSights(flight, prey, { facing, speed: ARROW_SPEED, inherits: 0, far: BOW_FAR });
    case "scatter":
      return ahead > 0 && ahead < SCATTER_FAR && Math.abs(prey.y - flight.y) < ahead / 3;
    case "boost":
      return ahead > BOOST_NEAR && ahead < BOOST_FAR && flight.y - prey.y > LANCE_LEAD &&
        flight.y - prey.y < 2 * LANCE_LEAD + DRAGON_RADIUS;
    default:
      return isInSights(flight, prey, {
        facing,
        speed: FIREBALL_SPEED,
        inherits: FIREBALL_INHERITS,
        far: FIRE_FAR,
      });
  }
}

/** How something is shot: m/s, the share of the own speed, the farthest prey in metres. */
interface Aim {
  readonly facing: number;
  readonly speed: number;
  readonly inherits: number;
  readonly far: number;
}

/** True if a shot now would hit a prey that flies straight on. */
function isInSights(
  flight: FlightState,
  prey: Prey,
  { facing, speed, inherits, far }: Aim,
): boolean {
  const ahead = (prey.x - flight.x) * facing;
  const closing = speed + (flight.vx * inherits - prey.vx) * facing;
  if (ahead < FIRE_NEAR || ahead > far || closing <= 0) return false;
  const seconds = ahead / closing;
  const drop = GRAVITY * FIREBALL_GRAVITY_SCALE * seconds * seconds / 2;
  const miss = prey.y + prey.vy * seconds -
    (flight.y + flight.vy * inherits * seconds - drop);
  return Math.abs(miss) < FIRE_MISS;
}
