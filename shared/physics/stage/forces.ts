/**
 * Pushes that the rules give: a force acts through all world steps of the coming advance, an impulse at once. Neither outlives
 * its tick, so neither is state: the body keeps the sum of its forces until `canonicalize` takes it away.
 */
import {
  CENTER_X,
  CENTER_Y,
  FORCE_X,
  FORCE_Y,
  INVERSE_INERTIA,
  INVERSE_MASS,
  SPIN,
  TORQUE,
  VX,
  VY,
} from "../core/body_rows.ts";
import type { BodyRecord } from "./entity.ts";
import { checkPosition, checkSpin, checkVelocity, checkWithin } from "../core/limits.ts";

/** A hundred times the weight of the heaviest thing that makes sense, 1e5 kg. Newtons. */
const FORCE_MAX = 1e8;
/** That force for a tenth of a second. Newton seconds. */
const IMPULSE_MAX = 1e7;

/** Where a push acts, metres, in the stage's frame. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Adds to what acts on it in the coming advance. @throws StageError naming what is not finite or out of bounds */
export function addForce(record: BodyRecord, fx: number, fy: number, point?: Point): void {
  const { body, body: { values, offset } } = record;
  checkWithin(values[offset + FORCE_X]! + fx, FORCE_MAX, record, "force x");
  checkWithin(values[offset + FORCE_Y]! + fy, FORCE_MAX, record, "force y");
  const torque = torqueOf(record, fx, fy, point);
  if (fx !== 0 || fy !== 0) body.setAwake(true);
  values[offset + FORCE_X]! += fx;
  values[offset + FORCE_Y]! += fy;
  values[offset + TORQUE]! += torque;
}

/** Changes its velocity and spin at once. @throws StageError naming what is not finite or out of bounds, also of the result */
export function addImpulse(record: BodyRecord, ix: number, iy: number, point?: Point): void {
  const { body, body: { values, offset } } = record, inverseMass = values[offset + INVERSE_MASS]!;
  checkWithin(ix, IMPULSE_MAX, record, "impulse x");
  checkWithin(iy, IMPULSE_MAX, record, "impulse y");
  const vx = values[offset + VX]! + ix * inverseMass, vy = values[offset + VY]! + iy * inverseMass;
  const spin = values[offset + SPIN]! + torqueOf(record, ix, iy, point) * values[offset + INVERSE_INERTIA]!;
  checkVelocity(record, vx, vy);
  checkSpin(record, spin);
  if (ix !== 0 || iy !== 0) body.setAwake(true);
  values[offset + VX] = vx;
  values[offset + VY] = vy;
  values[offset + SPIN] = spin;
}

/** About the centre of mass; 0 for a push at it. */
function torqueOf(record: BodyRecord, x: number, y: number, point: Point | undefined): number {
  if (point === undefined) return 0;
  checkPosition(record, point.x, point.y);
  const { values, offset } = record.body;
  return (point.x - values[offset + CENTER_X]!) * y - (point.y - values[offset + CENTER_Y]!) * x;
}
