/**
 * Continuous collision: a fast body is stopped where it first meets something, so that it does not pass through. planck's own
 * search does the work; here is said whom it may leave out, which is nearly everybody in nearly every step: pairs of slow bodies
 * cannot get past each other within a step, and the next step finds them overlapping. Nor can two that touch already and keep to the
 * face they touch at, however fast they slide along it. Both are functions of where bodies were and are and of what touches
 * (`aabb.ts`), so leaving out remembers nothing.
 */
import { ALPHA0, CENTER_X, CENTER_X0, CENTER_Y, CENTER_Y0, MAX_SLOW_MOTION } from "../core/body_rows.ts";
import { normalOf } from "../collision/contact_normal.ts";
import { rotationTravel } from "../collision/aabb.ts";
import { isSensor } from "./contacts.ts";
import type { PlanckBody, PlanckContact, PlanckWorld } from "../planck/planck.ts";

/** After the bodies have moved, and only where one of them went fast. */
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
    // a known time of impact of 1 is none; planck asks anew for those that a sub-step moves
    contact.m_toiFlag = !mayTunnel;
    if (mayTunnel && contact.m_enabledFlag && (isContinuous(bodyA) || isContinuous(bodyB))) needsSearch = true;
  }
  if (!needsSearch) return;
  // otherwise planck would begin with the same, for all pairs
  world.m_stepComplete = false;
  world.m_solver.solveWorldTOI(world.s_step);
}

/** planck lets two that are neither pass each other. */
function isContinuous(body: PlanckBody): boolean {
  return body.m_bulletFlag || body.m_type !== "dynamic";
}

/** Whether two that touch keep to the face they touch at: along its normal, turning at their reach included, they are slow. */
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
