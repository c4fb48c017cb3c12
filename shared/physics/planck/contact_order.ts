/**
 * The order of contacts in the lists of the world and of every body: ascending by (smaller proxy key, larger proxy
 * key). planck puts a new contact first, an order that depends on history. These functions move it to its place.
 */
import type { PlanckBody, PlanckContact, PlanckContactEdge, PlanckWorld } from "./planck.ts";

/** Moves the world's newest contact to its place. All others must be in order. */
export function placeNewest(world: PlanckWorld): void {
  const contact = world.m_contactList!, second = contact.m_next;
  placeEdge(contact.m_fixtureA.m_body, contact.m_nodeA);
  placeEdge(contact.m_fixtureB.m_body, contact.m_nodeB);
  if (second === null || byKeys(contact, second) < 0) return;
  world.m_contactList = second;
  second.m_prev = null;
  let before = second;
  while (before.m_next !== null && byKeys(before.m_next, contact) < 0) before = before.m_next;
  contact.m_prev = before;
  contact.m_next = before.m_next;
  if (before.m_next !== null) before.m_next.m_prev = contact;
  before.m_next = contact;
}

/** The same for one body's list. `edge` must be its first. */
function placeEdge(body: PlanckBody, edge: PlanckContactEdge): void {
  const second = edge.next;
  if (second === null || byKeys(edge.contact, second.contact) < 0) return;
  body.m_contactList = second;
  second.prev = null;
  let before = second;
  while (before.next !== null && byKeys(before.next.contact, edge.contact) < 0) before = before.next;
  edge.prev = before;
  edge.next = before.next;
  if (before.next !== null) before.next.prev = edge;
  before.next = edge;
}

/** Sorts all contacts and rebuilds all lists. @param scratch a list to use; it is empty afterwards */
export function placeAll(world: PlanckWorld, scratch: PlanckContact[]): void {
  scratch.length = 0;
  for (let contact = world.m_contactList; contact !== null; contact = contact.m_next) {
    contact.m_fixtureA.m_body.m_contactList = contact.m_fixtureB.m_body.m_contactList = null;
    scratch.push(contact);
  }
  scratch.sort(byKeys);
  let next: PlanckContact | null = null;
  for (let i = scratch.length - 1; i >= 0; i--) {
    const contact: PlanckContact = scratch[i]!;
    contact.m_next = next;
    if (next !== null) next.m_prev = contact;
    next = contact;
    linkFirst(contact.m_fixtureA.m_body, contact.m_nodeA);
    linkFirst(contact.m_fixtureB.m_body, contact.m_nodeB);
  }
  if (next !== null) next.m_prev = null;
  world.m_contactList = next;
  scratch.length = 0;
}

function linkFirst(body: PlanckBody, edge: PlanckContactEdge): void {
  edge.prev = null;
  edge.next = body.m_contactList;
  if (edge.next !== null) edge.next.prev = edge;
  body.m_contactList = edge;
}

function byKeys(a: PlanckContact, b: PlanckContact): number {
  return a.lowKey - b.lowKey || a.highKey - b.highKey;
}
