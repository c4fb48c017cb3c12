/**
 * Forces and impulses from the game's rules. A force acts during all world steps of the coming
 * `advance`, an impulse at once. The body keeps the sum of its forces until the tick ends; neither
 * outlives the tick, so neither is part of the state.
 */
import { Body } from "../core/body_rows.ts";
import type { World } from "../dynamics/world.ts";
import type { BodyRecord } from "./entity.ts";
import {
  checkIsNumber,
  checkPosition,
  checkSpin,
  checkVelocity,
  checkWithin,
} from "../core/limits.ts";
import { StageError } from "../core/types.ts";

/**
 * Newtons, and newton metres: a hundred times the weight of 1e5 kg, the heaviest mass that makes
 * sense.
 */
const FORCE_MAX = 1e8;
/** Newton seconds: `FORCE_MAX` for a tenth of a second. */
const IMPULSE_MAX = 1e7;

/** A point on the stage, metres: where a force or an impulse acts. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Adds a force for the coming `advance`.
 * @throws StageError for a value that is not finite or out of bounds
 */
export function addForce(
  world: World,
  record: BodyRecord,
  fx: number,
  fy: number,
  point?: Point,
): void {
  const { values, offset } = record;
  checkIsNumber(fx, record, "force x");
  checkIsNumber(fy, record, "force y");
  checkWithin(values[offset + Body.FORCE_X]! + fx, FORCE_MAX, record, "force x");
  checkWithin(values[offset + Body.FORCE_Y]! + fy, FORCE_MAX, record, "force y");
  const torque = torqueOf(record, fx, fy, point);
  if (fx !== 0 || fy !== 0) world.wake(record.row);
  values[offset + Body.FORCE_X]! += fx;
  values[offset + Body.FORCE_Y]! += fy;
  values[offset + Body.TORQUE]! += torque;
}

/**
 * Adds a torque for the coming `advance`.
 * @throws StageError for a value that is not finite or out of bounds
 */
export function addTorque(world: World, record: BodyRecord, torque: number): void {
  checkWithin(torque, FORCE_MAX, record, "torque");
  if (torque !== 0) world.wake(record.row);
  record.values[record.offset + Body.TORQUE]! += torque;
}

/**
 * Changes the spin at once.
 * @throws StageError for a value or a resulting spin that is not finite or out of bounds
 */
export function addAngularImpulse(world: World, record: BodyRecord, impulse: number): void {
  checkWithin(impulse, IMPULSE_MAX, record, "angular impulse");
  const { values, offset } = record;
  const spin = values[offset + Body.SPIN]! + impulse * values[offset + Body.INVERSE_INERTIA]!;
  checkSpin(record, spin);
  if (impulse !== 0) world.wake(record.row);
  values[offset + Body.SPIN] = spin;
}

/**
 * Changes velocity and spin at once.
 * @throws StageError for a value or a resulting motion that is not finite or out of bounds
 */
export function addImpulse(
  world: World,
  record: BodyRecord,
  ix: number,
  iy: number,
  point?: Point,
): void {
  const { values, offset } = record;
  const inverseMass = values[offset + Body.INVERSE_MASS]!;
  checkWithin(ix, IMPULSE_MAX, record, "impulse x");
  checkWithin(iy, IMPULSE_MAX, record, "impulse y");
  const vx = values[offset + Body.VX]! + ix * inverseMass;
  const vy = values[offset + Body.VY]! + iy * inverseMass;
  const spin = values[offset + Body.SPIN]! +
    torqueOf(record, ix, iy, point) * values[offset + Body.INVERSE_INERTIA]!;
  checkVelocity(record, vx, vy);
  checkSpin(record, spin);
  if (ix !== 0 || iy !== 0) world.wake(record.row);
  values[offset + Body.VX] = vx;
  values[offset + Body.VY] = vy;
  values[offset + Body.SPIN] = spin;
}

/** Torque about the centre of mass, N·m, or angular impulse, N·m·s; 0 without a point. */
function torqueOf(record: BodyRecord, x: number, y: number, point: Point | undefined): number {
  if (point === undefined) return 0;
  if (typeof point !== "object" || point === null) {
    throw new StageError(
      `${record}: the point of application is ${point}; { x, y } is allowed, or nothing`,
    );
  }
  checkPosition(record, point.x, point.y);
  const { values, offset } = record;
  return (point.x - values[offset + Body.CENTER_X]!) * y -
    (point.y - values[offset + Body.CENTER_Y]!) * x;
}
