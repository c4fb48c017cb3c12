/**
 * Continuous collision: a fast body stops where it first hits something, so that it does not tunnel. planck's own
 * search does the work. This file excludes the pairs that cannot tunnel, nearly all in nearly every step:
 *
 * - Two slow bodies (`aabb.ts`) cannot pass each other within a step. The next step finds them overlapping.
 * - Two bodies that touch and slide along their face cannot either, at any speed.
 *
 * Both tests are functions of the poses at the start and end of the step and of the manifold, so they depend on no
 * history.
 */
import { ALPHA0, CENTER_X, CENTER_X0, CENTER_Y, CENTER_Y0, MAX_SLOW_MOTION } from "../core/body_rows.ts";
import { normalOf } from "../collision/contact_normal.ts";
import { rotationTravel } from "../collision/aabb.ts";
import { isSensor } from "./contacts.ts";
import type { PlanckBody, PlanckContact, PlanckWorld } from "../planck/planck.ts";

/** Runs after all islands are solved, and only if a body moved fast. */
export function solveTimesOfImpact(world: PlanckWorld): void {
  for (let body = world.m_bodyList; body !== null; body = body.m_next) {
    body.m_islandFlag = false;
    body.values[body.offset + ALPHA0] = 0;
  }
  let needsSearch = false;
  for (let contact = world.m_contactList; contact !== null; contact = contact.m_next) {
    const bodyA = contact.m_fixtureA.m_body, bodyB = contact.m_fixtureB.m_body;
    const mayTunnel = (bodyA.isFast || bodyB.isFast) && !(contact.m_touchingFlag && isSlidingAlongFace(contact));
    contact.m_islandFlag = false;
    contact.m_toiCount = 0;
    contact.m_toi = 1;
    // A cached time of impact of 1 means none. planck clears the flag for bodies that a sub-step moves.
    contact.m_toiFlag = !mayTunnel;
    if (mayTunnel && contact.m_enabledFlag && (isContinuous(bodyA) || isContinuous(bodyB))) needsSearch = true;
  }
  if (!needsSearch) return;
  // Otherwise planck would reset the same flags, but for all pairs.
  world.m_stepComplete = false;
  world.m_solver.solveWorldTOI(world.s_step);
}

/** planck skips a pair if this is false for both bodies: two dynamic bodies that are no bullets may tunnel. */
function isContinuous(body: PlanckBody): boolean {
  return body.m_bulletFlag || body.m_type !== "dynamic";
}

/** Whether the motion of both along the contact normal, plus the travel by rotation, is slow. */
function isSlidingAlongFace(contact: PlanckContact): boolean {
  if (isSensor(contact)) return false;
  const bodyA = contact.m_fixtureA.m_body, bodyB = contact.m_fixtureB.m_body, { x, y } = normalOf(contact);
  const { values, offset: a } = bodyA, { offset: b } = bodyB;
  const ax = values[a + CENTER_X]! - values[a + CENTER_X0]!, ay = values[a + CENTER_Y]! - values[a + CENTER_Y0]!;
  const bx = values[b + CENTER_X]! - values[b + CENTER_X0]!, by = values[b + CENTER_Y]! - values[b + CENTER_Y0]!;
  const closing = (ax - bx) * x + (ay - by) * y;
  let rotation = 0, maxSlowMotion = Infinity;
  if (bodyA.isFast) {
    rotation += rotationTravel(bodyA);
    maxSlowMotion = values[a + MAX_SLOW_MOTION]!;
  }
  if (bodyB.isFast) {
    rotation += rotationTravel(bodyB);
    maxSlowMotion = Math.min(maxSlowMotion, values[b + MAX_SLOW_MOTION]!);
  }
  return Math.abs(closing) + rotation <= maxSlowMotion;
}
