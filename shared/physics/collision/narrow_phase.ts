/**
 * Narrow-phase: whether a contact touches, and where. It is planck's `Contact.update` on the contact's row of numbers,
 * and copies only the impulses of the old manifold.
 */
import { collidePolygons } from "./collide_polygons.ts";
import { copyTransform, newTransform } from "../core/body_transform.ts";
import { POINT_COUNT, scratchManifold, updateManifold, writePlanckManifold } from "../core/manifold_rows.ts";
import { type PlanckContact, type PlanckWorld, updateByPlanck } from "../planck/planck.ts";

const transformA = newTransform(), transformB = newTransform();

/**
 * Computes touching and manifold from the poses and enables the contact. If touching changes, it wakes both bodies and
 * runs the world's callbacks. It does not apply the author's rules.
 */
export function updateContact(contact: PlanckContact, world: PlanckWorld): void {
  const { m_fixtureA: fixtureA, m_fixtureB: fixtureB } = contact;
  if (fixtureA.m_isSensor || fixtureB.m_isSensor) return updateByPlanck.call(contact, world);
  contact.m_enabledFlag = true;
  const bodyA = fixtureA.m_body, bodyB = fixtureB.m_body, wasTouching = contact.m_touchingFlag;
  evaluate(contact);
  updateManifold(contact);
  const isTouching = contact.manifold[POINT_COUNT]! > 0;
  contact.m_touchingFlag = isTouching;
  if (isTouching === wasTouching) return;
  bodyA.setAwake(true);
  bodyB.setAwake(true);
  if (isTouching) world.beginContact(contact);
  else world.endContact(contact);
}

/** Whether the shapes of a contact overlap at their present poses, skins included. Not for sensors. */
export function overlaps(contact: PlanckContact): boolean {
  evaluate(contact);
  return scratchManifold.pointCount > 0;
}

/** Computes `scratchManifold` from the present poses. */
function evaluate(contact: PlanckContact): void {
  const { m_fixtureA: fixtureA, m_fixtureB: fixtureB } = contact;
  const bodyA = fixtureA.m_body, bodyB = fixtureB.m_body;
  const shapeA = fixtureA.m_shape, shapeB = fixtureB.m_shape;
  if (shapeA.m_type === "polygon" && shapeB.m_type === "polygon") {
    collidePolygons(scratchManifold, shapeA, bodyA, shapeB, bodyB);
  } else {
    copyTransform(transformA, bodyA);
    copyTransform(transformB, bodyB);
    contact.m_evaluateFcn(
      scratchManifold,
      transformA,
      fixtureA,
      contact.m_indexA,
      transformB,
      fixtureB,
      contact.m_indexB,
    );
  }
}

/** Replaces planck's own `update` while planck solves a time of impact. planck then reads its own manifold. */
export function updateForPlanck(this: PlanckContact, world: PlanckWorld): void {
  updateContact(this, world);
  if (this.m_fixtureA.m_isSensor || this.m_fixtureB.m_isSensor) return;
  if (this.m_touchingFlag) world.preSolve(this);
  writePlanckManifold(this);
}
