/** Where an entity may be and how fast it may move; beyond that it is lost, not playing. */
import { StageError } from "./types.ts";

/** Beyond these an entity is lost, not playing. Metres, m/s, rad/s. */
export const POSITION_MAX = 1e5;
export const SPEED_MAX = 1e4;
export const SPIN_MAX = 1e4;
/** A float32 is exact to 6e-5 rad up to here; `canonicalize` takes whole turns off beyond it. Radians. */
export const ANGLE_MAX = 1024;
/** One turn, radians. */
export const FULL_TURN = 2 * Math.PI;

/** Without whole turns beyond `ANGLE_MAX`, in 32 bits. */
export function quantizeAngle(angle: number): number {
  return Math.fround(angle - wholeTurns(angle) * FULL_TURN);
}

/** How many `quantizeAngle` takes off an angle: 0 up to `ANGLE_MAX`. */
export function wholeTurns(angle: number): number {
  return Math.abs(angle) > ANGLE_MAX ? Math.round(angle / FULL_TURN) : 0;
}

/** Who a number belongs to, for errors. */
interface Owner {
  toString(): string;
}

/** Metres. @throws StageError naming owner and quantity, like the others below */
export function checkPosition(owner: Owner, x: number, y: number): void {
  checkWithin(x, POSITION_MAX, owner, "x");
  checkWithin(y, POSITION_MAX, owner, "y");
}

/** m/s. @throws StageError naming the owner where it is not finite or out of bounds */
export function checkVelocity(owner: Owner, vx: number, vy: number): void {
  checkWithin(vx, SPEED_MAX, owner, "vx");
  checkWithin(vy, SPEED_MAX, owner, "vy");
}

/** Radians. @throws StageError naming the owner where it is not finite or out of bounds */
export function checkAngle(owner: Owner, angle: number): void {
  checkWithin(angle, ANGLE_MAX, owner, "angle");
}

/** rad/s. @throws StageError naming the owner where it is not finite or out of bounds */
export function checkSpin(owner: Owner, spin: number): void {
  checkWithin(spin, SPIN_MAX, owner, "spin");
}

/** A quantity of any kind. @throws StageError naming the owner where it is not finite or more than `max` */
export function checkWithin(value: number, max: number, owner: Owner, quantity: string): void {
  if (typeof value !== "number" || !(Math.abs(value) <= max)) {
    throw new StageError(`${owner}: ${quantity} is ${value}; at most ${max} is allowed`);
  }
}
