/**
 * The bounds of a stage: how much it holds, how much work one world step does, and an entity's pose
 * and motion. A check throws if a value is not finite or beyond its bound.
 */
import { SPEED_TOLERANCE } from "./tuning.ts";
import { StageError } from "./types.ts";

/**
 * A match of 32 seats has about a hundred entities. A world step and the broad phase are slow
 * beyond this limit.
 */
export const ENTITIES_MAX = 1024;
/** As many, which is enough for a chain of all entities. */
export const JOINTS_MAX = 1024;
/**
 * Entities and joints that the rules of one tick may add beyond these limits; the end of the tick
 * removes them. More are a loop without an end.
 */
export const SURPLUS_MAX = 1024;
/**
 * Fixtures and segments of chains, those of the ground included. The broad phase has a bit for each
 * pair of them, 8 MB here, and compares all pairs if they are in one place.
 */
export const PARTS_MAX = 8192;
/** Contacts. All of them in one place take a tick of 20 Hz about as long as it lasts. */
export const CONTACTS_MAX = 8192;
/** The default of a declaration: a packed pile has 3 to 4 pairs of neighbours for each body. */
export const CONTACTS_PER_ENTITY = 8;
/**
 * The bound of two loops of a world step: the search for impacts, and the casts of projectiles. The
 * number of contacts alone does not bound them.
 *
 *     work = WORK_MIN + WORK_PER_CONTACT · contacts that the stage may have
 *
 * The scenes of tests and benchmarks need less than a fifth of the smallest. Two in a hundred
 * closed rooms, in which up to 40 bodies and bullets are kicked to 400 m/s again and again, come
 * near that of the default.
 */
export const WORK_MIN = 4096;
export const WORK_PER_CONTACT = 2;

/** The largest float32. */
export const FLOAT_MAX = 3.4028234663852886e38;
/**
 * Largest coordinate, speed and spin, in m, m/s and rad/s. An entity beyond them has left any
 * playable arena.
 */
export const POSITION_MAX = 1e5;
export const SPEED_MAX = 1e4;
export const SPIN_MAX = 1e4;
/**
 * Metres: how far from the middle a rule may name a place. A body at the edge of the world is
 * beyond it until the tick ends: by up to 500 m at `SPEED_MAX` and 20 Hz. What rules put beside it
 * may be that far beyond, too.
 */
const PLACE_MAX = POSITION_MAX + 1024;
/**
 * Radians. A float32 is exact to 6e-5 rad up to here. Beyond it the stage subtracts whole turns.
 */
export const ANGLE_MAX = 1024;
/** One turn, radians. */
export const FULL_TURN = 2 * Math.PI;

/**
 * @returns the angle in 32 bits, less the nearest number of whole turns if it exceeds `ANGLE_MAX`
 */
export function quantizeAngle(angle: number): number {
  return Math.fround(angle - wholeTurns(angle) * FULL_TURN);
}

/** @returns the number of whole turns that `quantizeAngle` subtracts: 0 up to `ANGLE_MAX` */
export function wholeTurns(angle: number): number {
  return Math.abs(angle) > ANGLE_MAX ? Math.round(angle / FULL_TURN) : 0;
}

/** The owner of a number, for error messages: an entity or a name. */
interface Owner {
  toString(): string;
}

/** A place that rules name, metres. @throws StageError that names owner and quantity */
export function checkPosition(owner: Owner, x: number, y: number): void {
  checkWithin(x, PLACE_MAX, owner, "x");
  checkWithin(y, PLACE_MAX, owner, "y");
}

/** A vector in any unit. @throws StageError that names owner and quantity */
export function checkVector(owner: Owner, x: number, y: number): void {
  checkWithin(x, FLOAT_MAX, owner, "x");
  checkWithin(y, FLOAT_MAX, owner, "y");
}

/** m/s. @throws StageError */
export function checkVelocity(owner: Owner, vx: number, vy: number): void {
  checkWithin(vx, SPEED_MAX, owner, "vx");
  checkWithin(vy, SPEED_MAX, owner, "vy");
}

/** Radians. @throws StageError */
export function checkAngle(owner: Owner, angle: number): void {
  checkWithin(angle, ANGLE_MAX, owner, "angle");
}

/** rad/s. @throws StageError */
export function checkSpin(owner: Owner, spin: number): void {
  checkWithin(spin, SPIN_MAX, owner, "spin");
}

/** The greatest speed and spin of a stage's bodies, m/s and rad/s. */
export interface SpeedLimits {
  readonly speedMax: number;
  readonly spinMax: number;
}

/** A motion that rules set on a stage that refuses faster ones. @throws StageError */
export function checkSpeed(owner: Owner, { speedMax, spinMax }: SpeedLimits, motion: Motion): void {
  const { vx = 0, vy = 0, spin = 0 } = motion;
  const speed = Math.sqrt(vx * vx + vy * vy);
  if (speed * SPEED_TOLERANCE > speedMax) throw tooFast(owner, "speed", speed, speedMax);
  if (Math.abs(spin) * SPEED_TOLERANCE > spinMax) throw tooFast(owner, "spin", spin, spinMax);
}

interface Motion {
  readonly vx?: number;
  readonly vy?: number;
  readonly spin?: number;
}

function tooFast(owner: Owner, quantity: "speed" | "spin", value: number, max: number): StageError {
  return new StageError(`${owner}: ${quantity} is ${value}; the stage's ${quantity}Max is ${max}`);
}

/** @returns the nearest number of magnitude at most `most`; NaN for NaN */
export function within(value: number, most: number): number {
  return value > most ? most : value < -most ? -most : value;
}

/** Refuses what JavaScript would count as a number, such as null as 0. @throws StageError */
export function checkIsNumber(value: number, owner: Owner, quantity: string): void {
  if (typeof value === "number" && !Number.isNaN(value)) return;
  throw new StageError(`${owner}: ${quantity} is ${value}; a number is allowed`);
}

/** Any quantity within ±`max`. @throws StageError */
export function checkWithin(value: number, max: number, owner: Owner, quantity: string): void {
  if (typeof value !== "number" || !(Math.abs(value) <= max)) {
    throw new StageError(`${owner}: ${quantity} is ${value}; at most ${max} is allowed`);
  }
}
