/**
 * Contacts as a function of the state: after `syncPairs` they are exactly the pairs whose boxes overlap, in the order of their
 * keys, each made with the smaller key first (planck then turns a circle and a polygon about, by their types alone). planck's
 * own set and order remember how they came about, and its solver's result depends on both.
 *
 *     key(proxy) = entity id * 256 + fixture index < 2^40;   order = (smaller key, larger key)
 */
import { SLEEP_S } from "../core/body_rows.ts";
import { type BodyRecord, recordOf } from "../stage/entity.ts";
import { FlatBroadPhase } from "../collision/broad_phase.ts";
import {
  FEATURES,
  MANIFOLD_POINT_NUMBERS,
  MANIFOLD_POINTS,
  newMemory,
  POINT_COUNT,
  PROXY_A,
  PROXY_B,
} from "../core/manifold_rows.ts";
import { normalOf } from "../collision/contact_normal.ts";
import { placeAll, placeNewest } from "../planck/contact_order.ts";
import { updateContact, updateForPlanck } from "../collision/narrow_phase.ts";
import { beginsToPass, mayLand, oneWaySides } from "./one_way.ts";
import type { PairRules } from "../stage/pair_rules.ts";
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
const PLACED_MAX = 32;

/** All contacts of one world, in canonical order. */
export class Contacts {
  readonly broadPhase: FlatBroadPhase;
  readonly #world: PlanckWorld;
  readonly #rules: PairRules;
  readonly #scratch: PlanckContact[] = [];
  /** Since the last search for contacts began. */
  #created = 0;

  /**
   * Takes over the world's broad-phase and its search for contacts; the world must be empty.
   * @param began told in the middle of a world step of two that did not touch and do now
   */
  constructor(world: PlanckWorld, rules: PairRules, began: (contact: PlanckContact) => void) {
    this.#world = world;
    this.#rules = rules;
    this.broadPhase = new FlatBroadPhase((a, b) => this.#create(a, b));
    world.m_broadPhase = this.broadPhase;
    world.findNewContacts = () => this.find();
    const destroy = world.destroyContact.bind(world);
    world.destroyContact = (contact) => {
      this.broadPhase.forget(contact.memory[PROXY_A]!, contact.memory[PROXY_B]!);
      // planck wakes both of two that touched; then the contact is anybody's
      contact.m_manifold.pointCount = contact.memory[POINT_COUNT]!;
      contact.update = updateByPlanck;
      destroy(contact);
    };
    world.beginContact = (contact) => {
      contact.passing = contact.oneWaySides !== 0 && beginsToPass(contact, world.s_step.dt);
      began(contact);
    };
    world.preSolve = (contact) => {
      contact.m_enabledFlag = this.#solid(contact);
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
  #pushes(contact: PlanckContact): boolean {
    if (contact.passing) return false;
    const a = recordOf(contact.m_fixtureA.m_body), b = recordOf(contact.m_fixtureB.m_body), rules = this.#rules;
    const asked = rules.pushes !== undefined && a.id !== 0 && b.id !== 0;
    if (asked && !(a.id < b.id ? rules.pushes(a, b) : rules.pushes(b, a))) return false;
    return contact.oneWaySides === 0 || mayLand(contact, rules);
  }

  /** The same in the middle of a step: who is let through a one-way fixture once passes it from then on. */
  #solid(contact: PlanckContact): boolean {
    const solid = this.#pushes(contact);
    if (!solid && contact.oneWaySides !== 0) contact.passing = true;
    return solid;
  }

  /** Whether something that it touches pushes it up. */
  supports({ body }: BodyRecord): boolean {
    for (let edge = body.m_contactList; edge !== null; edge = edge.next) {
      const { contact } = edge;
      if (!contact.m_touchingFlag || isSensor(contact) || !this.#pushes(contact)) continue;
      const { y } = normalOf(contact), up = contact.m_fixtureB.m_body === body ? y : -y;
      if (up > SUPPORTING_NORMAL_Y) return true;
    }
    return false;
  }

  /** Fills `ids` with those of what touches it, ascending. */
  idsTouching({ body }: BodyRecord, ids: number[]): void {
    ids.length = 0;
    for (let edge = body.m_contactList; edge !== null; edge = edge.next) {
      const { m_fixtureA: a, m_fixtureB: b, m_touchingFlag: touching } = edge.contact;
      const { id } = recordOf(a.m_body === body ? b.m_body : a.m_body);
      if (touching && !ids.includes(id)) ids.push(id);
    }
    ids.sort(ascending);
  }

  /**
   * Which of them touch now, and which push. Where nobody is awake nothing has changed but, perhaps, the rules' mind or what a
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
        if (!this.#overlap(contact)) {
          this.#world.destroyContact(contact);
          continue;
        }
        updateContact(contact, this.#world);
      }
      const { passing } = contact;
      contact.m_enabledFlag = !contact.m_touchingFlag || this.#solid(contact);
      // what slept on a one-way fixture falls
      if (contact.passing !== passing) wakeBoth(contact);
    }
  }

  /** Brings the contacts to what the boxes say. Losing a touching one wakes both of its bodies, as in planck. */
  syncPairs(): void {
    for (let contact = this.first, next; contact !== null; contact = next) {
      next = contact.m_next;
      if (!this.#overlap(contact)) this.#world.destroyContact(contact);
    }
    this.find();
    this.#world.m_newFixture = false;
  }

  /** Rounds the memory of every touching contact to 32 bits. @throws StageError where planck has lost its numbers */
  round(): void {
    for (let contact = this.first; contact !== null; contact = contact.m_next) {
      // a sensor's remembers nothing
      if (!contact.m_touchingFlag || contact.memory[POINT_COUNT] === 0) continue;
      const { memory } = contact, end = MANIFOLD_POINTS + memory[POINT_COUNT]! * MANIFOLD_POINT_NUMBERS;
      let sum = 0;
      for (let i = 0; i < end; i++) {
        if (i < MANIFOLD_POINTS || (i - MANIFOLD_POINTS) % MANIFOLD_POINT_NUMBERS !== FEATURES) {
          sum += memory[i] = Math.fround(memory[i]!);
        }
      }
      if (!Number.isFinite(sum)) throw new StageError(`contact ${contact.lowKey}-${contact.highKey} is not finite`);
    }
  }

  /** Makes a contact for every pair whose boxes have come to overlap. */
  find(): void {
    this.#created = 0;
    this.broadPhase.findPairs();
    if (this.#created > PLACED_MAX) placeAll(this.#world, this.#scratch);
  }

  #overlap({ memory }: PlanckContact): boolean {
    return this.broadPhase.testOverlap(memory[PROXY_A]!, memory[PROXY_B]!);
  }

  #create(a: PlanckProxy, b: PlanckProxy): void {
    const low = a.key < b.key ? a : b, high = low === a ? b : a;
    const bodyA = low.fixture.m_body, bodyB = high.fixture.m_body;
    if (bodyA === bodyB || !mayCollide(low, high)) return;
    const { m_awakeFlag: awakeA } = bodyA, { m_awakeFlag: awakeB } = bodyB;
    const sleptAS = bodyA.numbers[bodyA.row + SLEEP_S]!, sleptBS = bodyB.numbers[bodyB.row + SLEEP_S]!;
    const count = this.#world.m_contactCount;
    this.#world.createContact(low, high);
    // planck wakes both, although nobody touches yet: touching alone shall wake
    restoreSleep(bodyA, awakeA, sleptAS);
    restoreSleep(bodyB, awakeB, sleptBS);
    if (this.#world.m_contactCount === count) return;
    this.broadPhase.know(low.proxyId, high.proxyId);
    const contact = this.#world.m_contactList!;
    contact.lowKey = low.key;
    contact.highKey = high.key;
    contact.oneWaySides = oneWaySides(contact);
    contact.passing = false;
    contact.memory ??= newMemory();
    contact.memory[POINT_COUNT] = 0;
    contact.memory[PROXY_A] = contact.m_fixtureA.m_proxies[0].proxyId;
    contact.memory[PROXY_B] = contact.m_fixtureB.m_proxies[0].proxyId;
    contact.update = updateForPlanck;
    contact.contactEvent = undefined;
    const restitution = this.#rules.restitution(recordOf(bodyA), recordOf(bodyB));
    if (restitution >= 0) contact.m_restitution = restitution;
    if (++this.#created <= PLACED_MAX) placeNewest(this.#world);
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
  body.numbers[body.row + SLEEP_S] = sleptS;
}

function ascending(a: number, b: number): number {
  return a - b;
}
