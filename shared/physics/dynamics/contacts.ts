/**
 * The contacts of one world as a function of its state. After `syncPairs` they are exactly the pairs whose AABBs
 * overlap, in the order of their keys. planck's own set and order depend on history, and so does its solver's result.
 *
 *     key(proxy) = entity id · 256 + fixture index < 2^40;   order = (smaller key, larger key)
 *
 * A contact is created with the smaller key as A. planck may then swap A and B, by the types of their shapes alone.
 */
import { SLEEP_S } from "../core/body_rows.ts";
import { idOfKey } from "../core/proxy_key.ts";
import { BroadPhase } from "../collision/broad_phase.ts";
import {
  FEATURES,
  MANIFOLD_POINT_STRIDE,
  MANIFOLD_POINTS,
  newManifold,
  POINT_COUNT,
  PROXY_A,
  PROXY_B,
} from "../core/manifold_rows.ts";
import { normalOf } from "../collision/contact_normal.ts";
import { placeAll, placeNewest } from "../planck/contact_order.ts";
import { updateContact, updateForPlanck } from "../collision/narrow_phase.ts";
import { canLand, oneWaySides, shouldIgnoreOneWay } from "./one_way.ts";
import type { ContactFilter } from "./contact_filter.ts";
import {
  type PlanckBody,
  type PlanckContact,
  type PlanckProxy,
  type PlanckWorld,
  updateByPlanck,
} from "../planck/planck.ts";
import { StageError } from "../core/types.ts";

/** A contact supports an entity if its normal's y is larger: on slopes of less than 60 degrees. */
const SUPPORTING_NORMAL_Y = 0.5;

/** Up to this many new contacts per search are inserted one by one. Beyond it, sorting all contacts is faster. */
const INSERTED_MAX = 32;

/** All contacts of one world, in canonical order. */
export class Contacts {
  readonly broadPhase: BroadPhase;
  readonly #world: PlanckWorld;
  readonly #filter: ContactFilter;
  readonly #scratch: PlanckContact[] = [];
  /** Contacts created in the current search. */
  #created = 0;

  /**
   * Replaces the world's broad-phase and its search for contacts; the world must be empty.
   * @param onBegin called during a world step for each contact that begins to touch
   */
  constructor(world: PlanckWorld, filter: ContactFilter, onBegin: (contact: PlanckContact) => void) {
    this.#world = world;
    this.#filter = filter;
    this.broadPhase = new BroadPhase((a, b) => this.#create(a, b));
    world.m_broadPhase = this.broadPhase;
    world.findNewContacts = () => this.findNewContacts();
    const destroy = world.destroyContact.bind(world);
    world.destroyContact = (contact) => {
      this.broadPhase.removeKnownPair(contact.manifold[PROXY_A]!, contact.manifold[PROXY_B]!);
      // planck reads the count, to wake bodies that touched. Then it returns the contact to its pool.
      contact.m_manifold.pointCount = contact.manifold[POINT_COUNT]!;
      contact.update = updateByPlanck;
      destroy(contact);
    };
    world.beginContact = (contact) => {
      contact.oneWayIgnored = contact.oneWaySides !== 0 && shouldIgnoreOneWay(contact, world.s_step.dt);
      onBegin(contact);
    };
    world.preSolve = (contact) => {
      contact.m_enabledFlag = this.#resolveSolid(contact);
    };
  }

  /** Head of the list, which is linked by `m_next` in ascending order. */
  get first(): PlanckContact | null {
    return this.#world.m_contactList;
  }

  /** @returns the number of touching contacts, sensors included */
  countTouching(): number {
    let count = 0;
    for (let contact = this.first; contact !== null; contact = contact.m_next) if (contact.m_touchingFlag) count++;
    return count;
  }

  /** Whether a touching contact pushes its bodies, by its one-way decision and by the author's rules. */
  #shouldCollide(contact: PlanckContact): boolean {
    if (contact.oneWayIgnored) return false;
    if (!this.#filter.shouldCollide(contact.m_fixtureA.m_body, contact.m_fixtureB.m_body)) return false;
    return contact.oneWaySides === 0 || canLand(contact, this.#filter);
  }

  /** The same during a step. A body that may pass a one-way fixture once keeps passing it until the two part. */
  #resolveSolid(contact: PlanckContact): boolean {
    const solid = this.#shouldCollide(contact);
    if (!solid && contact.oneWaySides !== 0) contact.oneWayIgnored = true;
    return solid;
  }

  /** Whether a contact pushes the body up. */
  isSupported(body: PlanckBody): boolean {
    for (let edge = body.m_contactList; edge !== null; edge = edge.next) {
      const { contact } = edge;
      if (!contact.m_touchingFlag || isSensor(contact) || !this.#shouldCollide(contact)) continue;
      const { y } = normalOf(contact), up = contact.m_fixtureB.m_body === body ? y : -y;
      if (up > SUPPORTING_NORMAL_Y) return true;
    }
    return false;
  }

  /** Fills `ids` with the ids of the entities that touch the body, ascending, without repetition. */
  collectTouchingIds(body: PlanckBody, ids: number[]): void {
    ids.length = 0;
    for (let edge = body.m_contactList; edge !== null; edge = edge.next) {
      const { m_fixtureA: a, m_fixtureB: b, m_touchingFlag: touching } = edge.contact;
      const id = idOfKey((a.m_body === body ? b : a).m_proxies[0].key);
      if (touching && !ids.includes(id)) ids.push(id);
    }
    ids.sort(ascending);
  }

  /**
   * Updates manifolds, touching and pushing of all contacts. Between sleeping bodies only two things can have changed:
   * the results of the author's rules, and the flags that a time of impact left.
   */
  update(): void {
    for (let contact = this.first, next; contact !== null; contact = next) {
      next = contact.m_next;
      const { m_fixtureA: fixtureA, m_fixtureB: fixtureB } = contact;
      if (contact.m_filterFlag && !fixtureB.m_body.shouldCollide(fixtureA.m_body)) {
        this.#world.destroyContact(contact);
        continue;
      }
      contact.m_filterFlag = false;
      if (isActive(fixtureA.m_body) || isActive(fixtureB.m_body)) {
        if (!this.#aabbsOverlap(contact)) {
          this.#world.destroyContact(contact);
          continue;
        }
        updateContact(contact, this.#world);
      }
      const { oneWayIgnored } = contact;
      contact.m_enabledFlag = !contact.m_touchingFlag || this.#resolveSolid(contact);
      // A body that slept on a one-way fixture begins to fall.
      if (contact.oneWayIgnored !== oneWayIgnored) wakeBoth(contact);
    }
  }

  /** Makes the contacts match the AABBs. Removing a touching contact wakes both of its bodies, as in planck. */
  syncPairs(): void {
    for (let contact = this.first, next; contact !== null; contact = next) {
      next = contact.m_next;
      if (!this.#aabbsOverlap(contact)) this.#world.destroyContact(contact);
    }
    this.findNewContacts();
    this.#world.m_newFixture = false;
  }

  /** Rounds the manifold of every touching contact to 32 bits. @throws StageError if one is not finite */
  quantizeManifolds(): void {
    for (let contact = this.first; contact !== null; contact = contact.m_next) {
      // Sensors have no points.
      if (!contact.m_touchingFlag || contact.manifold[POINT_COUNT] === 0) continue;
      const { manifold } = contact, end = MANIFOLD_POINTS + manifold[POINT_COUNT]! * MANIFOLD_POINT_STRIDE;
      let sum = 0;
      for (let i = 0; i < end; i++) {
        if (i < MANIFOLD_POINTS || (i - MANIFOLD_POINTS) % MANIFOLD_POINT_STRIDE !== FEATURES) {
          sum += manifold[i] = Math.fround(manifold[i]!);
        }
      }
      if (!Number.isFinite(sum)) throw new StageError(`contact ${contact.lowKey}-${contact.highKey} is not finite`);
    }
  }

  /** Creates a contact for every pair whose AABBs have begun to overlap. */
  findNewContacts(): void {
    this.#created = 0;
    this.broadPhase.findNewPairs();
    if (this.#created > INSERTED_MAX) placeAll(this.#world, this.#scratch);
  }

  #aabbsOverlap({ manifold }: PlanckContact): boolean {
    return this.broadPhase.testOverlap(manifold[PROXY_A]!, manifold[PROXY_B]!);
  }

  #create(a: PlanckProxy, b: PlanckProxy): void {
    const low = a.key < b.key ? a : b, high = low === a ? b : a;
    const bodyA = low.fixture.m_body, bodyB = high.fixture.m_body;
    if (bodyA === bodyB || !mayCollide(low, high)) return;
    const { m_awakeFlag: awakeA } = bodyA, { m_awakeFlag: awakeB } = bodyB;
    const sleptAS = bodyA.values[bodyA.offset + SLEEP_S]!, sleptBS = bodyB.values[bodyB.offset + SLEEP_S]!;
    const count = this.#world.m_contactCount;
    this.#world.createContact(low, high);
    // planck wakes both bodies here, although they do not touch yet. On a stage only touching wakes bodies.
    restoreSleep(bodyA, awakeA, sleptAS);
    restoreSleep(bodyB, awakeB, sleptBS);
    if (this.#world.m_contactCount === count) return;
    this.broadPhase.addKnownPair(low.proxyId, high.proxyId);
    const contact = this.#world.m_contactList!;
    contact.lowKey = low.key;
    contact.highKey = high.key;
    contact.oneWaySides = oneWaySides(contact);
    contact.oneWayIgnored = false;
    contact.manifold ??= newManifold();
    contact.manifold[POINT_COUNT] = 0;
    contact.manifold[PROXY_A] = contact.m_fixtureA.m_proxies[0].proxyId;
    contact.manifold[PROXY_B] = contact.m_fixtureB.m_proxies[0].proxyId;
    contact.update = updateForPlanck;
    contact.contactEvent = undefined;
    const restitution = this.#filter.restitution(bodyA, bodyB);
    if (restitution >= 0) contact.m_restitution = restitution;
    if (++this.#created <= INSERTED_MAX) placeNewest(this.#world);
  }
}

function wakeBoth({ m_fixtureA, m_fixtureB }: PlanckContact): void {
  m_fixtureA.m_body.setAwake(true);
  m_fixtureB.m_body.setAwake(true);
}

/** Whether one of the fixtures is a sensor. Such a contact never pushes, despite the author's rules. */
export function isSensor(contact: PlanckContact): boolean {
  return contact.m_fixtureA.m_isSensor || contact.m_fixtureB.m_isSensor;
}

function mayCollide(a: PlanckProxy, b: PlanckProxy): boolean {
  return (a.fixture.m_filterMaskBits & b.fixture.m_filterCategoryBits) !== 0 &&
    (b.fixture.m_filterMaskBits & a.fixture.m_filterCategoryBits) !== 0;
}

/** Whether the body is awake and not static. */
function isActive(body: PlanckBody): boolean {
  return body.m_awakeFlag && body.m_type !== "static";
}

function restoreSleep(body: PlanckBody, awake: boolean, sleptS: number): void {
  body.m_awakeFlag = awake;
  body.values[body.offset + SLEEP_S] = sleptS;
}

function ascending(a: number, b: number): number {
  return a - b;
}
