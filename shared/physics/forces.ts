/**
 * Pushes that the rules give: a force acts through all world steps of the coming advance, an impulse at once. Neither outlives
 * its tick, so neither is state: the body keeps the sum of its forces until `settle` takes it away.
 */
import type { BodyActor } from "./entity.ts";
import { checkPosition, checkSpin, checkVelocity, checkWithin } from "./limits.ts";

/** A hundred times the weight of the heaviest thing that makes sense, 1e5 kg. Newtons. */
const FORCE_MAX = 1e8;
/** That force for a tenth of a second. Newton seconds. */
const IMPULSE_MAX = 1e7;

/** Where a push acts, metres, in the stage's frame. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Adds to what acts on it in the coming advance. @throws StageError naming what is not finite or out of bounds */
export function addForce(actor: BodyActor, fx: number, fy: number, at?: Place): void {
  const { body } = actor, { m_force: force } = body;
  checkWithin(force.x + fx, FORCE_MAX, actor, "force x");
  checkWithin(force.y + fy, FORCE_MAX, actor, "force y");
  const torque = torqueOf(actor, fx, fy, at);
  if (fx !== 0 || fy !== 0) body.setAwake(true);
  force.x += fx;
  force.y += fy;
  body.m_torque += torque;
}

/** Changes its velocity and spin at once. @throws StageError naming what is not finite or out of bounds, also of the result */
export function addImpulse(actor: BodyActor, ix: number, iy: number, at?: Place): void {
  const { body } = actor, { m_linearVelocity: velocity, m_invMass: invMass } = body;
  checkWithin(ix, IMPULSE_MAX, actor, "impulse x");
  checkWithin(iy, IMPULSE_MAX, actor, "impulse y");
  const vx = velocity.x + ix * invMass, vy = velocity.y + iy * invMass;
  const spin = body.m_angularVelocity + torqueOf(actor, ix, iy, at) * body.m_invI;
  checkVelocity(actor, vx, vy);
  checkSpin(actor, spin);
  if (ix !== 0 || iy !== 0) body.setAwake(true);
  velocity.x = vx;
  velocity.y = vy;
  body.m_angularVelocity = spin;
}

/** About the centre of mass; 0 for a push at it. */
function torqueOf(actor: BodyActor, x: number, y: number, at: Place | undefined): number {
  if (at === undefined) return 0;
  checkPosition(actor, at.x, at.y);
  const { c } = actor.body.m_sweep;
  return (at.x - c.x) * y - (at.y - c.y) * x;
}
