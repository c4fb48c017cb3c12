/**
 * A body's numbers rounded to the 32 bits that a snapshot holds. Adding 0 makes a -0 a 0, so that no sum later depends on the
 * sign of nothing.
 */
import { transformToSweep } from "./boxes.ts";
import type { PlanckBody } from "./planck.ts";

/** Rounds place and angle, and brings the transform there. @returns whether they were not round before */
export function roundPose(body: PlanckBody): boolean {
  const { m_sweep: sweep } = body, { c } = sweep;
  const x = Math.fround(c.x) + 0, y = Math.fround(c.y) + 0, angle = Math.fround(sweep.a) + 0;
  if (x === c.x && y === c.y && angle === sweep.a) return false;
  c.x = x;
  c.y = y;
  sweep.a = angle;
  transformToSweep(body);
  return true;
}

/** Rounds velocity, spin and how long it has rested. */
export function roundMotion(body: PlanckBody): void {
  const { m_linearVelocity: velocity } = body;
  velocity.x = Math.fround(velocity.x) + 0;
  velocity.y = Math.fround(velocity.y) + 0;
  body.m_angularVelocity = Math.fround(body.m_angularVelocity) + 0;
  body.m_sleepTime = Math.fround(body.m_sleepTime);
}
