/**
 * Contacts as a function of the state: after `syncPairs` they are exactly the pairs whose boxes overlap, in the order of their
 * keys, each made with the smaller key first (planck then turns a circle and a polygon about, by their types alone). planck's
 * own set and order remember how they came about, and its solver's result depends on both.
 *
 *     key(proxy) = entity id * 256 + fixture index < 2^40;   order = (smaller key, larger key)
 */
import { SLEEP_S } from "../core/body_rows.ts";
import { type BodyRecord, recordOf } from "../stage/entity.ts";
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
import type { ContactFilter } from "../stage/pair_rules.ts";
import {
  type PlanckBody,
  type PlanckContact,
  type PlanckProxy,
  type PlanckWorld,
  updateByPlanck,
} from "../planck/planck.ts";
import { StageError } from "../core/types.ts";

/** A contact carries an entity where its normal points up at least this much: slopes of up to 60 degrees. */
const SUPPORTING_NORMAL_Y = 0.5;

/** Of one search for contacts so many are put in place one by one; from there on sorting all is faster. */
const INSERTED_MAX = 32;

/** All contacts of one world, in canonical order. */
export class Contacts {
  readonly broadPhase: BroadPhase;
  readonly #world: PlanckWorld;
  readonly #filter: ContactFilter;
  readonly #scratch: PlanckContact[] = [];
  /** Since the last search for contacts began. */
  #created = 0;

  /**
   * Takes over the world's broad-phase and its search for contacts; the world must be empty.
   * @param onBegin called in the middle of a world step for two that did not touch and do now
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
      // planck wakes both of two that touched; then the contact is anybody's
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

  /** The first of all contacts; the others follow by `m_next`, ascending. */
  get first(): PlanckContact | null {
    return this.#world.m_contactList;
  }

  /** How many of them touch. */
  countTouching(): number {
    let count = 0;
    for (let contact = this.first; contact !== null; contact = contact.m_next) if (contact.m_touchingFlag) count++;
    return count;
  }

  /** Whether the contact moves its bodies where it touches: what the state and the rules say. */
  #shouldCollide(contact: PlanckContact): boolean {
    if (contact.oneWayIgnored) return false;
    const a = recordOf(contact.m_fixtureA.m_body), b = recordOf(contact.m_fixtureB.m_body), filter = this.#filter;
    const isFiltered = filter.shouldCollide !== undefined && a.id !== 0 && b.id !== 0;
    if (isFiltered && !(a.id < b.id ? filter.shouldCollide(a, b) : filter.shouldCollide(b, a))) return false;
    return contact.oneWaySides === 0 || canLand(contact, filter);
  }

  /** The same in the middle of a step: who is let through a one-way fixture once passes it from then on. */
  #resolveSolid(contact: PlanckContact): boolean {
    const solid = this.#shouldCollide(contact);
    if (!solid && contact.oneWaySides !== 0) contact.oneWayIgnored = true;
    return solid;
  }

  /** Whether something that it touches pushes it up. */
  isSupported({ body }: BodyRecord): boolean {
    for (let edge = body.m_contactList; edge !== null; edge = edge.next) {
      const { contact } = edge;
      if (!contact.m_touchingFlag || isSensor(contact) || !this.#shouldCollide(contact)) continue;
      const { y } = normalOf(contact), up = contact.m_fixtureB.m_body === body ? y : -y;
      if (up > SUPPORTING_NORMAL_Y) return true;
    }
    return false;
  }

  /** Fills `ids` with those of what touches it, ascending. */
  collectTouchingIds({ body }: BodyRecord, ids: number[]): void {
    ids.length = 0;
    for (let edge = body.m_contactList; edge !== null; edge = edge.next) {
      const { m_fixtureA: a, m_fixtureB: b, m_touchingFlag: touching } = edge.contact;
      const { id } = recordOf(a.m_body === body ? b.m_body : a.m_body);
      if (touching && !ids.includes(id)) ids.push(id);
    }
    ids.sort(ascending);
  }

  /**
   * Which of them touch now, and which push. Where nobody is awake nothing has changed but, perhaps, the rules' answers or what a
   * time-of-impact search has left.
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
      // what slept on a one-way fixture falls
      if (contact.oneWayIgnored !== oneWayIgnored) wakeBoth(contact);
    }
  }

  /** Brings the contacts to what the boxes say. Losing a touching one wakes both of its bodies, as in planck. */
  syncPairs(): void {
    for (let contact = this.first, next; contact !== null; contact = next) {
      next = contact.m_next;
      if (!this.#aabbsOverlap(contact)) this.#world.destroyContact(contact);
    }
    this.findNewContacts();
    this.#world.m_newFixture = false;
  }

  /** Rounds the manifold of every touching contact to 32 bits. @throws StageError where planck has lost its numbers */
  quantizeManifolds(): void {
    for (let contact = this.first; contact !== null; contact = contact.m_next) {
      // a sensor's remembers nothing
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

  /** Makes a contact for every pair whose boxes have come to overlap. */
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
    // planck wakes both, although nobody touches yet: touching alone shall wake
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
    const restitution = this.#filter.restitution(recordOf(bodyA), recordOf(bodyB));
    if (restitution >= 0) contact.m_restitution = restitution;
    if (++this.#created <= INSERTED_MAX) placeNewest(this.#world);
  }
}

function wakeBoth({ m_fixtureA, m_fixtureB }: PlanckContact): void {
  m_fixtureA.m_body.setAwake(true);
  m_fixtureB.m_body.setAwake(true);
}

/** Two that touch without pushing each other, whatever the rules say. */
export function isSensor(contact: PlanckContact): boolean {
  return contact.m_fixtureA.m_isSensor || contact.m_fixtureB.m_isSensor;
}

function mayCollide(a: PlanckProxy, b: PlanckProxy): boolean {
  return (a.fixture.m_filterMaskBits & b.fixture.m_filterCategoryBits) !== 0 &&
    (b.fixture.m_filterMaskBits & a.fixture.m_filterCategoryBits) !== 0;
}

/** What moves or may be moved. */
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
