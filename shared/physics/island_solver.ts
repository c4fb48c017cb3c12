/**
 * One island through one world step, in the order of planck 1.5.0's `Solver.solveIsland`, but on flat numbers:
 *
 *     load · prepare · warm start · velocities, 8 times · move · positions, up to 3 times · store · perhaps to sleep
 *
 * Functions in these loops take no fractions as arguments: V8 boxes each one that it does not inline.
 *
 * Joints are solved by planck's own methods, between pushes of their bodies' numbers into planck's objects and pulls back.
 */
import { prepareContact, warmStart } from "./contact_constraints.ts";
import { solvePositions, solveVelocities } from "./contact_solver.ts";
import * as known from "./contact_memory.ts";
import * as at from "./island_memory.ts";
import { memory, reserve, transformBody, transformIsOf } from "./island_memory.ts";
import {
  ANGULAR_SLEEP_TOLERANCE,
  LINEAR_SLEEP_TOLERANCE,
  MAX_ROTATION,
  MAX_TRANSLATION,
  type PlanckBody,
  type PlanckContact,
  type PlanckJoint,
  type PlanckStep,
  TIME_TO_SLEEP,
  type Vector,
} from "./planck.ts";

/** Named here again: V8 compiles a module's own constants into the code and reads another's each time, 7 % of a step. */
const { VX, VY, SPIN, INVERSE_MASS, INVERSE_INERTIA, CENTER_X, CENTER_Y, ANGLE, COS, SIN, ORIGIN_X, ORIGIN_Y } = at;
const { LOCAL_CENTER_X, LOCAL_CENTER_Y, BODY_NUMBERS, POINTS, POINT_NUMBERS, IMPULSE, SLIDE } = at;
const { CONTACT_NUMBERS, VELOCITY_POINTS, LINK_NUMBERS } = at;

const { POINT_COUNT, NORMAL_IMPULSE, TANGENT_IMPULSE, MANIFOLD_POINTS, MANIFOLD_POINT_NUMBERS } = known;

/** What hangs together; the lists are longer than their counts, so that they never shrink and grow. */
export interface Island {
  readonly bodies: PlanckBody[];
  readonly contacts: PlanckContact[];
  readonly joints: PlanckJoint[];
  bodyCount: number;
  contactCount: number;
  jointCount: number;
}

/** Moves the island's bodies by one world step. */
export function solveIsland(island: Island, step: PlanckStep, gravity: Vector): void {
  const { contacts, contactCount, jointCount } = island;
  reserve(island.bodyCount, contactCount);
  for (let i = 0; i < island.bodyCount; i++) loadBody(island.bodies[i]!, i * BODY_NUMBERS, step, gravity);
  for (let i = 0; i < contactCount; i++) prepareContact(contacts[i]!, i, step);
  warmStart(contactCount);
  if (jointCount > 0) prepareJoints(island, step);
  for (let i = 0; i < step.velocityIterations; i++) {
    if (jointCount > 0) solveJointVelocities(island, step);
    if (!solveVelocities(contactCount) && jointCount === 0) break; // for good
  }
  for (let i = 0; i < contactCount; i++) storeImpulses(contacts[i]!, i);
  for (let i = 0; i < island.bodyCount; i++) moveBody(i * BODY_NUMBERS, step);
  const isSolved = solveAllPositions(island, step);
  for (let i = 0; i < island.bodyCount; i++) storeBody(island.bodies[i]!, i * BODY_NUMBERS);
  rest(island, step, isSolved);
}

/** Takes over a body's state, with the velocity that gravity, forces and damping give it in this step. */
function loadBody(body: PlanckBody, b: number, { dt: stepS }: PlanckStep, gravity: Vector): void {
  const { bodies } = memory, { m_sweep: sweep, m_linearVelocity: velocity, m_xf: transform } = body;
  body.islandAt = b;
  let vx = velocity.x, vy = velocity.y, spin = body.m_angularVelocity;
  sweep.c0.x = sweep.c.x;
  sweep.c0.y = sweep.c.y;
  sweep.a0 = sweep.a;
  if (body.m_type === "dynamic") {
    const fall = stepS * body.m_gravityScale, push = stepS * body.m_invMass;
    vx += fall * gravity.x;
    vy += fall * gravity.y;
    vx += push * body.m_force.x;
    vy += push * body.m_force.y;
    spin += stepS * body.m_invI * body.m_torque;
    const kept = 1 / (1 + stepS * body.m_linearDamping);
    vx = kept * vx;
    vy = kept * vy;
    spin *= 1 / (1 + stepS * body.m_angularDamping);
  }
  bodies[b + VX] = vx;
  bodies[b + VY] = vy;
  bodies[b + SPIN] = spin;
  bodies[b + INVERSE_MASS] = body.m_invMass;
  bodies[b + INVERSE_INERTIA] = body.m_invI;
  bodies[b + CENTER_X] = sweep.c.x;
  bodies[b + CENTER_Y] = sweep.c.y;
  bodies[b + ANGLE] = sweep.a;
  bodies[b + COS] = transform.q.c;
  bodies[b + SIN] = transform.q.s;
  bodies[b + ORIGIN_X] = transform.p.x;
  bodies[b + ORIGIN_Y] = transform.p.y;
  bodies[b + LOCAL_CENTER_X] = sweep.localCenter.x;
  bodies[b + LOCAL_CENTER_Y] = sweep.localCenter.y;
  transformIsOf(b);
}

/** Keeps what was needed, to start the next step from; friction is shared out among the points. */
function storeImpulses({ memory: numbers }: PlanckContact, index: number): void {
  const { links, contacts } = memory, pointCount = numbers[POINT_COUNT]!;
  const solved = links[index * LINK_NUMBERS + VELOCITY_POINTS]!, c = index * CONTACT_NUMBERS;
  const tangentImpulse = contacts[c + SLIDE + IMPULSE]! / pointCount;
  for (let i = 0; i < pointCount; i++) {
    const to = MANIFOLD_POINTS + i * MANIFOLD_POINT_NUMBERS;
    numbers[to + TANGENT_IMPULSE] = tangentImpulse;
    if (i < solved) numbers[to + NORMAL_IMPULSE] = contacts[c + POINTS + i * POINT_NUMBERS + IMPULSE]!;
  }
}

/** Along its velocity; what is faster than planck allows is slowed down. */
function moveBody(b: number, { dt: stepS }: PlanckStep): void {
  const { bodies } = memory;
  let vx = bodies[b + VX]!, vy = bodies[b + VY]!, spin = bodies[b + SPIN]!;
  const dx = stepS * vx, dy = stepS * vy, squared = dx * dx + dy * dy;
  if (squared > MAX_TRANSLATION * MAX_TRANSLATION) {
    const ratio = MAX_TRANSLATION / Math.sqrt(squared);
    vx *= ratio;
    vy *= ratio;
  }
  const turn = stepS * spin;
  if (turn * turn > MAX_ROTATION * MAX_ROTATION) spin *= MAX_ROTATION / Math.abs(turn);
  bodies[b + CENTER_X]! += stepS * vx;
  bodies[b + CENTER_Y]! += stepS * vy;
  bodies[b + ANGLE]! += stepS * spin;
  bodies[b + VX] = vx;
  bodies[b + VY] = vy;
  bodies[b + SPIN] = spin;
  transformBody(b);
}

/** @returns whether contacts and joints hold closely enough */
function solveAllPositions(island: Island, step: PlanckStep): boolean {
  for (let i = 0; i < step.positionIterations; i++) {
    const contactsHold = solvePositions(island.contactCount);
    const jointsHold = island.jointCount === 0 || solveJointPositions(island, step);
    if (contactsHold && jointsHold) return true;
  }
  return false;
}

function storeBody(body: PlanckBody, b: number): void {
  if (body.m_type === "static") return; // it has not moved
  const { bodies } = memory, { m_sweep: sweep, m_linearVelocity: velocity, m_xf: transform } = body;
  sweep.c.x = bodies[b + CENTER_X]!;
  sweep.c.y = bodies[b + CENTER_Y]!;
  sweep.a = bodies[b + ANGLE]!;
  velocity.x = bodies[b + VX]!;
  velocity.y = bodies[b + VY]!;
  body.m_angularVelocity = bodies[b + SPIN]!;
  transform.q.c = bodies[b + COS]!;
  transform.q.s = bodies[b + SIN]!;
  transform.p.x = bodies[b + ORIGIN_X]!;
  transform.p.y = bodies[b + ORIGIN_Y]!;
}

/** Puts all to sleep where even the last one to move has rested for long enough. */
function rest({ bodies, bodyCount }: Island, { dt: stepS }: PlanckStep, isSolved: boolean): void {
  let shortest = Infinity;
  for (let i = 0; i < bodyCount; i++) {
    const body = bodies[i]!, { m_linearVelocity: { x, y }, m_angularVelocity: spin } = body;
    if (body.m_type === "static") continue;
    const isStill = body.m_autoSleepFlag && spin * spin <= ANGULAR_SLEEP_TOLERANCE * ANGULAR_SLEEP_TOLERANCE &&
      x * x + y * y <= LINEAR_SLEEP_TOLERANCE * LINEAR_SLEEP_TOLERANCE;
    body.m_sleepTime = isStill ? body.m_sleepTime + stepS : 0;
    shortest = Math.min(shortest, body.m_sleepTime);
  }
  if (shortest < TIME_TO_SLEEP || !isSolved) return;
  for (let i = 0; i < bodyCount; i++) bodies[i]!.setAwake(false);
}

function prepareJoints(island: Island, step: PlanckStep): void {
  pushPositions(island);
  pushVelocities(island);
  for (let i = 0; i < island.jointCount; i++) island.joints[i]!.initVelocityConstraints(step);
  pullVelocities(island);
}

function solveJointVelocities(island: Island, step: PlanckStep): void {
  pushVelocities(island);
  for (let i = 0; i < island.jointCount; i++) island.joints[i]!.solveVelocityConstraints(step);
  pullVelocities(island);
}

function solveJointPositions(island: Island, step: PlanckStep): boolean {
  pushPositions(island);
  let hold = true;
  for (let i = 0; i < island.jointCount; i++) hold = island.joints[i]!.solvePositionConstraints(step) && hold;
  pullPositions(island);
  return hold;
}

function pushVelocities({ bodies, bodyCount }: Island): void {
  const numbers = memory.bodies;
  for (let i = 0; i < bodyCount; i++) {
    const body = bodies[i]!, b = i * BODY_NUMBERS, { c_velocity: velocity } = body;
    if (body.m_jointList === null) continue;
    velocity.v.x = numbers[b + VX]!;
    velocity.v.y = numbers[b + VY]!;
    velocity.w = numbers[b + SPIN]!;
  }
}

function pullVelocities({ bodies, bodyCount }: Island): void {
  const numbers = memory.bodies;
  for (let i = 0; i < bodyCount; i++) {
    const body = bodies[i]!, b = i * BODY_NUMBERS, { c_velocity: velocity } = body;
    if (body.m_jointList === null) continue;
    numbers[b + VX] = velocity.v.x;
    numbers[b + VY] = velocity.v.y;
    numbers[b + SPIN] = velocity.w;
  }
}

function pushPositions({ bodies, bodyCount }: Island): void {
  const numbers = memory.bodies;
  for (let i = 0; i < bodyCount; i++) {
    const body = bodies[i]!, b = i * BODY_NUMBERS, { c_position: position } = body;
    if (body.m_jointList === null) continue;
    position.c.x = numbers[b + CENTER_X]!;
    position.c.y = numbers[b + CENTER_Y]!;
    position.a = numbers[b + ANGLE]!;
  }
}

function pullPositions({ bodies, bodyCount }: Island): void {
  const numbers = memory.bodies;
  for (let i = 0; i < bodyCount; i++) {
    const body = bodies[i]!, b = i * BODY_NUMBERS, { c_position: position } = body;
    if (body.m_jointList === null) continue;
    numbers[b + CENTER_X] = position.c.x;
    numbers[b + CENTER_Y] = position.c.y;
    numbers[b + ANGLE] = position.a;
    transformBody(b);
  }
}
