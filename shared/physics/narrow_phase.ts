/**
 * Whether a contact touches now, and where: planck's `Contact.update` without its copy of the whole manifold. Only
 * the impulses must outlive the new manifold: a point that has the same features as an old one starts from its impulses.
 */
import { collidePolygons } from "./collide_polygons.ts";
import type { PlanckContact, PlanckManifold, PlanckWorld } from "./planck.ts";

/** Impulses and feature keys of the points before, one after the other. */
const before = new Float64Array(6);
const POINT = 3;

/**
 * Sets touching and manifold from the poses; enables the contact. Where touching changes, both bodies wake up and the world is
 * told. It does not ask whether the two push each other.
 */
export function updateContact(contact: PlanckContact, world: PlanckWorld): void {
  const { m_fixtureA: fixtureA, m_fixtureB: fixtureB, m_manifold: manifold } = contact;
  if (fixtureA.m_isSensor || fixtureB.m_isSensor) return contact.update(world);
  contact.m_enabledFlag = true;
  const bodyA = fixtureA.m_body, bodyB = fixtureB.m_body, was = contact.m_touchingFlag, count = manifold.pointCount;
  for (let i = 0; i < count; i++) remember(manifold, i as 0 | 1);
  const shapeA = fixtureA.m_shape, shapeB = fixtureB.m_shape;
  if (shapeA.m_type === "polygon" && shapeB.m_type === "polygon") {
    collidePolygons(manifold, shapeA, bodyA.m_xf, shapeB, bodyB.m_xf);
  } else {
    contact.m_evaluateFcn(manifold, bodyA.m_xf, fixtureA, contact.m_indexA, bodyB.m_xf, fixtureB, contact.m_indexB);
  }
  for (let i = 0; i < manifold.pointCount; i++) recall(manifold, i as 0 | 1, count);
  const touches = manifold.pointCount > 0;
  contact.m_touchingFlag = touches;
  if (touches === was) return;
  bodyA.setAwake(true);
  bodyB.setAwake(true);
  if (touches) world.beginContact(contact);
  else world.endContact(contact);
}

function remember({ points }: PlanckManifold, i: 0 | 1): void {
  const point = points[i], at = i * POINT;
  before[at] = point.normalImpulse;
  before[at + 1] = point.tangentImpulse;
  before[at + 2] = point.id.key;
}

function recall({ points }: PlanckManifold, i: 0 | 1, count: number): void {
  const point = points[i], { key } = point.id;
  let at = 0;
  while (at < count * POINT && before[at + 2] !== key) at += POINT;
  const isOld = at < count * POINT;
  point.normalImpulse = isOld ? before[at]! : 0;
  point.tangentImpulse = isOld ? before[at + 1]! : 0;
}
