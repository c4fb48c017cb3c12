/** The part of a picture of Puck that a driver looks at. */
import { type game, HALF_LENGTH, HALF_WIDTH, phaseOf } from "../../../../shared/games/puck/game.ts";
import type { SeatId } from "../../../../shared/netcode/game.ts";
import { directionOf } from "../../../../shared/game_kit/game_kit.ts";
import type { Temper } from "./styles.ts";

type World = ReturnType<typeof game.start>["world"];

/** Metres, and metres per second. */
export interface Seen {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

export interface Sight {
  /** Undefined while the own car is not on the rink. */
  readonly own: (Seen & { readonly noseX: number; readonly noseY: number }) | undefined;
  readonly puck: Seen | undefined;
  /** The cars of the other team. */
  readonly rivals: readonly Seen[];
  /** The sign of x at the own goal. */
  readonly side: -1 | 1;
  readonly isPlaying: boolean;
}

/** The sight that a page without error offsets would show of a predicted state. */
export function sightOf(world: World, seat: SeatId): Sight {
  const cars = world.all("car");
  const own = cars.find((car) => car.seat === seat);
  const puck = world.one("puck");
  const nose = own && directionOf(own.angle);
  return {
    own: own && nose && { ...seen(own), noseX: nose.x, noseY: nose.y },
    puck: puck && seen(puck),
    rivals: cars.filter(({ fields }) => fields.team !== own?.fields.team).map(seen),
    side: own?.fields.team === "orange" ? 1 : -1,
    isPlaying: phaseOf(world.match) === "play",
  };
}

function seen({ x, y, vx, vy }: Seen): Seen {
  return { x, y, vx, vy };
}

/** Where all of them will be after some time, because people lead what moves. */
export function expectedAfter(sight: Sight, seconds: number): Sight {
  const move = <Kind extends Seen>(thing: Kind): Kind => ({
    ...thing,
    x: thing.x + thing.vx * seconds,
    y: thing.y + thing.vy * seconds,
  });
  const { own, puck, rivals } = sight;
  return { ...sight, own: own && move(own), puck: puck && move(puck), rivals: rivals.map(move) };
}

/** Where a driver wants to go, metres, and whether they want to boost. */
export interface Intention {
  readonly x: number;
  readonly y: number;
  readonly boosts: boolean;
}

/** Metres from the boards within which nobody waits. */
const CLEARANCE = 1;

/** Decides from an expected sight. */
export function intentionOf(
  { puck, rivals, side }: Sight,
  own: NonNullable<Sight["own"]>,
  temper: Temper,
): Intention {
  const goalX = -side * HALF_LENGTH;
  const rival = nearest(own, rivals);

  if (rival !== undefined && distance(own, rival) < temper.ramMetres) {
    return { x: rival.x, y: rival.y, boosts: isAhead(own, rival, temper.boostMetres) };
  }

  if (puck !== undefined && distance(own, puck) < temper.chaseMetres) {
    return around(shotAt(own, puck, { goalX, temper }), { own, rival, temper });
  }

  // Wait between the own goal and the puck.
  const ownGoalX = side * HALF_LENGTH;
  const { forward } = temper;
  const x = ownGoalX + forward * ((puck?.x ?? 0) - ownGoalX);
  const y = forward * (puck?.y ?? 0);
  return around({ x: within(x, HALF_LENGTH - CLEARANCE), y, boosts: false }, {
    own,
    rival,
    temper,
  });
}

/** From behind the puck through it, or first to the place behind it. */
function shotAt(
  own: NonNullable<Sight["own"]>,
  puck: Seen,
  { goalX, temper }: { goalX: number; temper: Temper },
): Intention {
  const length = Math.hypot(goalX - puck.x, puck.y);
  const shotX = (goalX - puck.x) / length;
  const shotY = -puck.y / length;
  const inFront = (puck.x - own.x) * shotX + (puck.y - own.y) * shotY;
  const beside = (puck.x - own.x) * shotY - (puck.y - own.y) * shotX;

  if (inFront > 0.4 && Math.abs(beside) < 0.8 + inFront / 3) {
    return {
      x: puck.x + 3 * shotX,
      y: puck.y + 3 * shotY,
      boosts: isAhead(own, puck, temper.boostMetres),
    };
  }

  // Around the puck where it is in the way.
  const aside = inFront < 0.4 && Math.abs(beside) < 1.8 ? (beside < 0 ? -2 : 2) : 0;
  return {
    x: within(puck.x - 2 * shotX - shotY * aside, HALF_LENGTH - CLEARANCE),
    y: within(puck.y - 2 * shotY + shotX * aside, HALF_WIDTH - CLEARANCE),
    boosts: false,
  };
}

/** Passes a rival who is between the own car and the place on the side that is nearer to it. */
function around(
  wanted: Intention,
  { own, rival, temper }: {
    own: Seen;
    rival: Seen | undefined;
    temper: Temper;
  },
): Intention {
  if (rival === undefined || distance(own, rival) > temper.dodgeMetres) return wanted;
  const length = Math.max(0.1, Math.hypot(wanted.x - own.x, wanted.y - own.y));
  const alongX = (wanted.x - own.x) / length;
  const alongY = (wanted.y - own.y) / length;
  const inFront = (rival.x - own.x) * alongX + (rival.y - own.y) * alongY;
  if (inFront < 0 || inFront > length) return wanted;
  const beside = (rival.x - own.x) * alongY - (rival.y - own.y) * alongX;
  const aside = beside < 0 ? 2 : -2;
  return { x: rival.x + alongY * aside, y: rival.y - alongX * aside, boosts: false };
}

function isAhead(
  own: NonNullable<Sight["own"]>,
  target: Seen,
  metres: number,
): boolean {
  const ahead = (target.x - own.x) * own.noseX + (target.y - own.y) * own.noseY;
  const beside = (target.x - own.x) * own.noseY - (target.y - own.y) * own.noseX;
  return ahead > 0.5 && ahead < metres && Math.abs(beside) < 0.8;
}

function nearest(own: Seen, things: readonly Seen[]): Seen | undefined {
  let best: Seen | undefined;
  for (const thing of things) {
    if (best === undefined || distance(own, thing) < distance(own, best)) best = thing;
  }
  return best;
}

function distance(a: Seen, b: Seen): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function within(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}
