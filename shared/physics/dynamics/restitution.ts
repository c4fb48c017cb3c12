/**
 * Restitution: the speed along the normal with which two bodies part. It neither adds energy nor
 * takes more than the author declared. It does not matter when in the world step the two meet, nor
 * how deep they overlap by then.
 *
 * A step adds what forces give in h seconds to the velocity, and then moves. A stored velocity is
 * therefore the true one of half a step ago. n points from A to B, and vn is the speed along n at
 * the end of the step. Forces gave the speed s along n in this step. α is the share of the step
 * that was over at the impact:
 *
 *     true speed of approach   u  = −(vn + s (α − ½))
 *     pull of the forces       p  = −2 s / h
 *     speed of parting         w² = e² (u² − p d0) + p d1
 *     speed to reach           w − s (α − ½)
 *
 * If the world step has n solver steps, an impact follows all of them. A stored velocity is then
 * the true one of h / 2n ago, so α − 1 + 1 / 2n replaces α − ½. An impact moves its bodies at the
 * mean of the velocities (`impact_solver.ts`), so they stay on their parabola.
 *
 * The outlines overlap by d0 when the two meet and by d1 when they part. Both fall through d0, so u
 * is too large by that fall, and w has to lift them by d1. With e = 1 and d0 = d1 the bodies
 * retrace their way, step by step.
 *
 * A pair that parts already has w = e u < 0, after Moreau: others may push it together again up to
 * that speed. Newton's law, which holds it at vn ≥ 0, gains energy whenever others push a pair that
 * parts.
 */
import { Body } from "../core/body_rows.ts";
import { Contact, ContactInt } from "../core/contact_rows.ts";
import { FixtureInt } from "../core/fixture_rows.ts";
import { skinOf } from "../core/shape_rows.ts";
import { Constraint, ConstraintInt, ConstraintRow, solverScratch, Step } from "./solver_scratch.ts";
import type { World } from "./world.ts";

/**
 * Sets a point's `ConstraintRow.BIAS`, the speed along n to reach. Before, `ConstraintRow.BIAS`
 * holds the separation; rows and arms are prepared.
 * @param idx offset of the contact in `indices`
 * @param p offset of the point in `contacts`
 * @param c offset of the contact in `contacts`
 */
export function prepareBounce(
  world: World,
  contact: number,
  idx: number,
  p: number,
  c: number,
): void {
  const { indices, contacts, bodies } = solverScratch;
  const a = indices[idx + ConstraintInt.BODY_A]!;
  const b = indices[idx + ConstraintInt.BODY_B]!;
  const dx = bodies[b + Body.VX]! - bodies[a + Body.VX]!;
  const dy = bodies[b + Body.VY]! - bodies[a + Body.VY]!;
  const vn = dx * contacts[c + Constraint.NORMAL_X]! + dy * contacts[c + Constraint.NORMAL_Y]! +
    (contacts[p + ConstraintRow.RN_B]! * bodies[b + Body.SPIN]! -
      contacts[p + ConstraintRow.RN_A]! * bodies[a + Body.SPIN]!);
  if (vn >= -world.bouncingSpeedMin && vn <= world.bouncingSpeedMin) {
    contacts[p + ConstraintRow.BIAS] = 0;
  } else contacts[p + ConstraintRow.BIAS] = speedToReach(world, contact, vn, { a, b, p, c });
}

/** Offsets of both bodies, of the point and of the contact. */
interface Offsets {
  readonly a: number;
  readonly b: number;
  readonly p: number;
  readonly c: number;
}

function speedToReach(world: World, contact: number, vn: number, { a, b, p, c }: Offsets): number {
  const { contacts, step } = solverScratch;
  const { values, ints } = world.contacts;
  const k = contact * ContactInt.STRIDE;
  const restitution = values[contact * Contact.STRIDE + Contact.RESTITUTION]!;
  const gained = gainedSpeed(b, c) - gainedSpeed(a, c);
  const solverSteps = step[Step.SOLVER_STEPS_BEFORE]!;
  const lag = gained * (step[Step.ALPHA]! - (solverSteps > 0 ? 1 - 0.5 / solverSteps : 0.5));
  const approach = -(vn + lag);
  if (approach <= 0) return Math.min(0, restitution * approach - lag);
  step[Step.BOUNCES] = 1;
  const skinA = skinOfFixture(world, ints[k + ContactInt.FIXTURE_A]!);
  const skinB = skinOfFixture(world, ints[k + ContactInt.FIXTURE_B]!);
  const partingDepth = -contacts[p + ConstraintRow.BIAS]! - skinA - skinB;
  // In an island, nothing has been pushed.
  const meetingDepth = solverSteps > 0 ? partingDepth + pushedApart(a, b, c) : partingDepth;
  const pull = -2 * gained / step[Step.LENGTH_S]!;
  const squared = restitution * restitution * (approach * approach - pull * meetingDepth) +
    pull * partingDepth;
  return squared > 0 ? Math.max(0, Math.sqrt(squared) - lag) : 0;
}

/** @returns the speed along n that gravity and forces give a body in the whole world step, m/s */
function gainedSpeed(body: number, c: number): number {
  const { contacts, bodies, step } = solverScratch;
  const inverseMass = bodies[body + Body.INVERSE_MASS]!;
  if (inverseMass === 0) return 0;
  const scale = bodies[body + Body.GRAVITY_SCALE]!;
  const x = scale * step[Step.GRAVITY_X]! + inverseMass * bodies[body + Body.FORCE_X]!;
  const y = scale * step[Step.GRAVITY_Y]! + inverseMass * bodies[body + Body.FORCE_Y]!;
  return step[Step.LENGTH_S]! *
    (x * contacts[c + Constraint.NORMAL_X]! + y * contacts[c + Constraint.NORMAL_Y]!);
}

/** @returns how far the position solver has pushed the two apart at an impact, along n, metres */
function pushedApart(a: number, b: number, c: number): number {
  const { contacts, bodies } = solverScratch;
  const ax = bodies[a + Body.CENTER_X]! - bodies[a + Body.CENTER_X0]!;
  const ay = bodies[a + Body.CENTER_Y]! - bodies[a + Body.CENTER_Y0]!;
  const bx = bodies[b + Body.CENTER_X]! - bodies[b + Body.CENTER_X0]!;
  const by = bodies[b + Body.CENTER_Y]! - bodies[b + Body.CENTER_Y0]!;
  return (bx - ax) * contacts[c + Constraint.NORMAL_X]! +
    (by - ay) * contacts[c + Constraint.NORMAL_Y]!;
}

/** @returns the distance of a shape's outline from the surface that the solver keeps apart, metres */
function skinOfFixture({ fixtures, shapes }: World, fixture: number): number {
  return skinOf(shapes, fixtures.ints[fixture * FixtureInt.STRIDE + FixtureInt.SHAPE]!);
}
