/**
 * Continuous collision: a body stops where it first hits something, so that it neither tunnels nor ends a step deep
 * inside. planck's own search does the work. This file chooses the pairs, a few in each step:
 *
 * | pair                     | is searched                                                              |
 * | ------------------------ | ------------------------------------------------------------------------ |
 * | one is fast (`aabb.ts`)  | unless they touch and slide along their face: they may pass each other   |
 * | both slow, not touching  | if they overlap at the end of the step: they cannot pass each other      |
 * | touching and bouncy      | if they move towards each other: another body pushed them together again |
 *
 * All tests are functions of the poses at the start and end of the step and of the manifold, so they depend on no
 * history.
 */
import { ALPHA0, CENTER_X, CENTER_X0, CENTER_Y, CENTER_Y0, MAX_SLOW_MOTION } from "../core/body_rows.ts";
import { normalOf } from "../collision/contact_normal.ts";
import { rotationTravel } from "../collision/aabb.ts";
import { isSensor } from "./contacts.ts";
import { overlaps } from "../collision/narrow_phase.ts";
import type { PlanckBody, PlanckContact, PlanckWorld } from "../planck/planck.ts";

/**
 * Metres that a touching pair moves together before it counts. It touches at most 5 mm deep, where a time of impact
 * stops, so that it gets at most 2 cm deep.
 */
const PRESSED_MIN = 0.0125;

/** Scratch: the pairs of the present search. */
const candidates: PlanckContact[] = [];

/** Runs after all islands are solved, and only if a body moved so far that it may have an impact. */
export function solveTimesOfImpact(world: PlanckWorld): void {
  for (let contact = world.m_contactList; contact !== null; contact = contact.m_next) {
    if (mayHit(contact)) candidates.push(contact);
  }
  if (candidates.length === 0) return;
  for (let body = world.m_bodyList; body !== null; body = body.m_next) {
    body.m_islandFlag = false;
    body.values[body.offset + ALPHA0] = 0;
  }
  for (let contact = world.m_contactList; contact !== null; contact = contact.m_next) {
    contact.m_islandFlag = false;
    contact.m_toiCount = 0;
    // A cached time of impact of 1 means none. planck clears the flag for bodies that a sub-step moves.
    contact.m_toi = 1;
    contact.m_toiFlag = true;
  }
  for (let i = 0; i < candidates.length; i++) candidates[i]!.m_toiFlag = false;
  candidates.length = 0;
  // Otherwise planck would reset the same flags, but for all pairs.
  world.m_stepComplete = false;
  world.m_solver.solveWorldTOI(world.s_step);
}

/** Whether the pair may have an impact in this step. */
function mayHit(contact: PlanckContact): boolean {
  const bodyA = contact.m_fixtureA.m_body, bodyB = contact.m_fixtureB.m_body;
  if (!(bodyA.hasMoved || bodyB.hasMoved)) return false;
  if (!contact.m_enabledFlag || !(isContinuous(bodyA) || isContinuous(bodyB))) return false;
  if (isSensor(contact)) return false;
  const isFast = bodyA.isFast || bodyB.isFast;
  if (!contact.m_touchingFlag) return isFast || overlaps(contact);
  if (contact.m_restitution > 0 && closingOf(contact) > PRESSED_MIN) return true;
  return isFast && !isSlidingAlongFace(contact);
}

/** planck skips a pair if this is false for both bodies: two dynamic bodies that are no bullets may tunnel. */
function isContinuous(body: PlanckBody): boolean {
  return body.m_bulletFlag || body.m_type !== "dynamic";
}

/** @returns how far the two have moved towards each other along the contact normal in this step, metres */
function closingOf(contact: PlanckContact): number {
  const bodyA = contact.m_fixtureA.m_body, bodyB = contact.m_fixtureB.m_body, { x, y } = normalOf(contact);
  const { values, offset: a } = bodyA, { offset: b } = bodyB;
  const ax = values[a + CENTER_X]! - values[a + CENTER_X0]!, ay = values[a + CENTER_Y]! - values[a + CENTER_Y0]!;
  const bx = values[b + CENTER_X]! - values[b + CENTER_X0]!, by = values[b + CENTER_Y]! - values[b + CENTER_Y0]!;
  return (ax - bx) * x + (ay - by) * y;
}

/** Whether the motion of both along the contact normal, plus the travel by rotation, is slow. */
function isSlidingAlongFace(contact: PlanckContact): boolean {
  const { m_body: bodyA } = contact.m_fixtureA, { m_body: bodyB } = contact.m_fixtureB;
  const { values, offset: a } = bodyA, { offset: b } = bodyB;
  let rotation = 0, maxSlowMotion = Infinity;
  if (bodyA.isFast) {
    rotation += rotationTravel(bodyA);
    maxSlowMotion = values[a + MAX_SLOW_MOTION]!;
  }
  if (bodyB.isFast) {
    rotation += rotationTravel(bodyB);
    maxSlowMotion = Math.min(maxSlowMotion, values[b + MAX_SLOW_MOTION]!);
  }
  return Math.abs(closingOf(contact)) + rotation <= maxSlowMotion;
}
