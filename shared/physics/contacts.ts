/**
 * Contacts as a function of the state: after `settle` they are exactly the pairs whose boxes overlap, in the order of their
 * keys, each made with the smaller key first (planck then turns a circle and a polygon about, by their types alone). planck's
 * own set and order remember how they came about, and its solver's result depends on both.
 *
 *     key(proxy) = entity id * 256 + fixture index < 2^40;   order = (smaller key, larger key)
 */
import { type Actor, actorOf, type BodyActor } from "./entity.ts";
import { FlatBroadPhase } from "./broad_phase.ts";
import {
  createWorldManifold,
  type PlanckBody,
  type PlanckContact,
  type PlanckProxy,
  type PlanckWorld,
  type Vector,
} from "./planck.ts";
import { StageError } from "./types.ts";

/** A contact carries an entity where its normal points up at least this much: slopes of up to 60 degrees. */
const SUPPORTING_NORMAL_Y = 0.5;

const manifold = createWorldManifold();

/** What the stage's author says about pairs. */
export interface PairRules {
  /** -1 where the fixtures' own counts. */
  restitution(a: Actor, b: Actor): number;
  /** Neither is the ground. */
  pushes(a: Actor, b: Actor): boolean;
}

/** All contacts of one world, in canonical order. */
export class Contacts {
  readonly broadPhase: FlatBroadPhase;
  readonly #world: PlanckWorld;
  readonly #rules: PairRules;
  readonly #sorted: PlanckContact[] = [];
  #created = 0;

  /** Takes over the world's broad-phase and its search for contacts; the world must be empty. */
  constructor(world: PlanckWorld, rules: PairRules) {
    this.#world = world;
    this.#rules = rules;
    this.broadPhase = new FlatBroadPhase((a, b) => this.#create(a, b));
    world.m_broadPhase = this.broadPhase;
    world.findNewContacts = () => this.#find();
    world.preSolve = (contact) => {
      contact.m_enabledFlag = this.#pushes(contact);
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

  /** Whether the contact moves its bodies where it touches. */
  #pushes(contact: PlanckContact): boolean {
    const a = actorOf(contact.m_fixtureA.m_body), b = actorOf(contact.m_fixtureB.m_body);
    if (a.id === 0 || b.id === 0) return true;
    return a.id < b.id ? this.#rules.pushes(a, b) : this.#rules.pushes(b, a);
  }

  /** Whether something that it touches pushes it up. */
  supports({ body }: BodyActor): boolean {
    for (let edge = body.m_contactList; edge !== null; edge = edge.next) {
      const { contact } = edge;
      if (!contact.m_touchingFlag || isSensor(contact) || !this.#pushes(contact)) continue;
      contact.getWorldManifold(manifold);
      const up = contact.m_fixtureB.m_body === body ? manifold.normal.y : -manifold.normal.y;
      if (up > SUPPORTING_NORMAL_Y) return true;
    }
    return false;
  }

  /** Fills `ids` with those of what touches it, ascending. */
  idsTouching({ body }: BodyActor, ids: number[]): void {
    ids.length = 0;
    for (let edge = body.m_contactList; edge !== null; edge = edge.next) {
      const { m_fixtureA: a, m_fixtureB: b, m_touchingFlag: touching } = edge.contact;
      const { id } = actorOf(a.m_body === body ? b.m_body : a.m_body);
      if (touching && !ids.includes(id)) ids.push(id);
    }
    ids.sort(ascending);
  }

  /**
   * Before each world step. planck asks anew only where somebody is awake; what a time-of-impact search or an older rule left
   * at sleeping pairs would be history.
   */
  enable(): void {
    for (let contact = this.first; contact !== null; contact = contact.m_next) {
      contact.m_enabledFlag = !contact.m_touchingFlag || this.#pushes(contact);
    }
  }

  /** Brings the contacts to what the boxes say. Losing a touching one wakes both of its bodies, as in planck. */
  settle(): void {
    for (let contact = this.first, next; contact !== null; contact = next) {
      next = contact.m_next;
      const a = contact.m_fixtureA.m_proxies[0], b = contact.m_fixtureB.m_proxies[0];
      if (!this.broadPhase.testOverlap(a.proxyId, b.proxyId)) this.#world.destroyContact(contact);
    }
    this.#find();
    this.#world.m_newFixture = false;
  }

  /** Rounds the memory of every touching contact to 32 bits. @throws StageError where planck has lost its numbers */
  round(): void {
    for (let contact = this.first; contact !== null; contact = contact.m_next) {
      if (!contact.m_touchingFlag) continue;
      const memory = contact.m_manifold;
      let sum = roundVector(memory.localNormal) + roundVector(memory.localPoint);
      for (let i = 0; i < memory.pointCount; i++) {
        const point = memory.points[i]!;
        point.normalImpulse = Math.fround(point.normalImpulse);
        point.tangentImpulse = Math.fround(point.tangentImpulse);
        sum += roundVector(point.localPoint) + point.normalImpulse + point.tangentImpulse;
      }
      if (!Number.isFinite(sum)) throw new StageError(`contact ${contact.lowKey}-${contact.highKey} is not finite`);
    }
  }

  #find(): void {
    this.#created = 0;
    this.broadPhase.findPairs();
    if (this.#created > 0) this.#sort();
  }

  #create(a: PlanckProxy, b: PlanckProxy): void {
    const low = a.key < b.key ? a : b, high = low === a ? b : a;
    const bodyA = low.fixture.m_body, bodyB = high.fixture.m_body;
    if (bodyA === bodyB || !mayCollide(low, high)) return;
    const { m_awakeFlag: awakeA, m_sleepTime: sleepTimeA } = bodyA;
    const { m_awakeFlag: awakeB, m_sleepTime: sleepTimeB } = bodyB;
    const count = this.#world.m_contactCount;
    this.#world.createContact(low, high);
    // planck wakes both, although nobody touches yet: touching alone shall wake
    restoreSleep(bodyA, awakeA, sleepTimeA);
    restoreSleep(bodyB, awakeB, sleepTimeB);
    if (this.#world.m_contactCount === count) return;
    const contact = this.#world.m_contactList!;
    contact.lowKey = low.key;
    contact.highKey = high.key;
    const restitution = this.#rules.restitution(actorOf(bodyA), actorOf(bodyB));
    if (restitution >= 0) contact.m_restitution = restitution;
    this.#created++;
  }

  /** Links the world's list and every body's in ascending order. */
  #sort(): void {
    const sorted = this.#sorted;
    sorted.length = 0;
    for (let contact = this.first; contact !== null; contact = contact.m_next) {
      contact.m_fixtureA.m_body.m_contactList = contact.m_fixtureB.m_body.m_contactList = null;
      sorted.push(contact);
    }
    sorted.sort(byKeys);
    let next: PlanckContact | null = null;
    for (let i = sorted.length - 1; i >= 0; i--) {
      const contact: PlanckContact = sorted[i]!;
      contact.m_next = next;
      if (next !== null) next.m_prev = contact;
      next = contact;
      linkFirst(contact.m_fixtureA.m_body, contact.m_nodeA);
      linkFirst(contact.m_fixtureB.m_body, contact.m_nodeB);
    }
    if (next !== null) next.m_prev = null;
    this.#world.m_contactList = next;
  }
}

/** Two that touch without pushing each other, whatever the rules say. */
export function isSensor(contact: PlanckContact): boolean {
  return contact.m_fixtureA.m_isSensor || contact.m_fixtureB.m_isSensor;
}

/** @returns the sum of both, for a quick look at whether they are finite */
function roundVector(vector: Vector): number {
  vector.x = Math.fround(vector.x);
  vector.y = Math.fround(vector.y);
  return vector.x + vector.y;
}

function mayCollide(a: PlanckProxy, b: PlanckProxy): boolean {
  return (a.fixture.m_filterMaskBits & b.fixture.m_filterCategoryBits) !== 0 &&
    (b.fixture.m_filterMaskBits & a.fixture.m_filterCategoryBits) !== 0;
}

function restoreSleep(body: PlanckBody, awake: boolean, sleepTime: number): void {
  body.m_awakeFlag = awake;
  body.m_sleepTime = sleepTime;
}

function ascending(a: number, b: number): number {
  return a - b;
}

function byKeys(a: PlanckContact, b: PlanckContact): number {
  return a.lowKey - b.lowKey || a.highKey - b.highKey;
}

function linkFirst(body: PlanckBody, node: PlanckContact["m_nodeA"]): void {
  node.prev = null;
  node.next = body.m_contactList;
  if (node.next !== null) node.next.prev = node;
  body.m_contactList = node;
}
