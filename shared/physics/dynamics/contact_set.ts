/**
 * The pairs of one world that have a contact, as a function of its state. After `syncPairs` they
 * are exactly the pairs whose AABBs overlap, in the order of their keys. An order by age would
 * depend on history, and so would the solver's result.
 *
 *     key(fixture) = entity id · 256 + fixture index < 2^40;   order = (smaller key, larger key)
 *
 * The fixture with the smaller key is A, unless the narrow phase needs the other order of the two
 * shapes.
 *
 * A world has at most `contactsMax` contacts, because each costs time in every step. In a crowd
 * they are the first ones in that order, so the ground holds everything, and entities with small
 * ids still meet. The others pass through each other until there is room. The set is then a
 * function of the poses, too, so that a rollback finds the same one.
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as contactLayout from "../core/contact_rows.ts";
import * as fixtureLayout from "../core/fixture_rows.ts";
import { linkContact, unlinkContact } from "../core/contact_links.ts";
import { RowList } from "../core/row_list.ts";
import { BroadPhase } from "../collision/broad_phase.ts";
import { findFirstPairs, type FirstPairsSearch } from "../collision/first_pairs.ts";
import { canTouch, mustSwap } from "../geometry/collide.ts";
import { oneWaySides } from "./one_way.ts";
import { type ContactFilter, frictionOf, mayCollide, restitutionOf } from "./contact_filter.ts";
import type { World } from "./world.ts";

const { BODY_TYPE, BODY_FLAGS, BODY_INTS, BODY_ID, DYNAMIC, STATIC, BULLET } = bodyLayout;
const { FIRST_FIXTURE, FIRST_CONTACT, NONE } = bodyLayout;
const { CONTACT_VALUES, CONTACT_INTS, CONTACT_FLAGS, POINT_COUNT, FIXTURE_A, FIXTURE_B } =
  contactLayout;
const { CONTACT_BODY_A, CONTACT_BODY_B, NEXT_LINK, EVENT, IMPACT_COUNT, SAVED_AT, NOT_SAVED } =
  contactLayout;
const { TOUCHING, SOLID, OF_SENSOR, GONE, SWEPT, CONTINUOUS } = contactLayout;
const { PAIR_FRICTION, PAIR_RESTITUTION, LOW_KEY, HIGH_KEY } = contactLayout;
const {
  FIXTURE_VALUES,
  FIXTURE_INTS,
  FIXTURE_BODY,
  FIXTURE_SHAPE,
  FIXTURE_FLAGS,
  SENSOR,
  SWEEPING,
} = fixtureLayout;
const { FIXTURE_KEY, NEXT_FIXTURE } = fixtureLayout;

/** Creates and releases the contacts of one world. */
export class ContactSet {
  readonly broadPhase: BroadPhase;
  protected readonly world: World;
  protected readonly filter: ContactFilter;
  /** The contacts that the last search has created. */
  readonly created = new RowList();
  readonly #firstPairs: FirstPairsSearch;
  /**
   * In a search for the first pairs: the index of the first contact that the search has not
   * reached.
   */
  #next = 0;
  #hasGone = false;
  /**
   * Whether there were more pairs than `contactsMax` at the last search, so that the next one
   * compares all of them.
   */
  #isCrowded = false;

  constructor(world: World, filter: ContactFilter) {
    this.world = world;
    this.filter = filter;
    this.broadPhase = new BroadPhase((a, b) => this.#create(a, b));
    this.#firstPairs = {
      broadPhase: this.broadPhase,
      keyOf: (fixture) => world.fixtures.values[fixture * FIXTURE_VALUES + FIXTURE_KEY]!,
      isPair: (low, high) => this.#mayPair(low, high),
      onPair: (low, high) => this.#keepOrAdd(low, high),
    };
  }

  /**
   * Creates a contact for every pair whose AABBs have begun to overlap. If that makes more than
   * `contactsMax`, those with the largest keys vanish or are not created.
   */
  findNewContacts(): void {
    this.findNewContactsAtImpact();
    if (this.#isCrowded) this.#findFirstContacts();
  }

  /**
   * The same within a search for impacts, where no contact vanishes. A crowd gets no new ones
   * there.
   */
  findNewContactsAtImpact(): void {
    this.created.clear();
    if (this.#isCrowded) return;
    this.broadPhase.findNewPairs();
    if (this.#isCrowded) this.#dropCreated();
    else this.#insertCreated();
  }

  /** Makes the contacts those of the first pairs. */
  #findFirstContacts(): void {
    const { contactsMax, limitsReached } = this.world;
    this.created.clear();
    this.#next = 0;
    this.#isCrowded = findFirstPairs(this.#firstPairs, contactsMax);
    while (this.#next < this.world.contacts.count) {
      this.release(this.world.contacts.order[this.#next++]!);
    }
    this.releaseGone();
    this.#insertCreated();
    if (this.#isCrowded) limitsReached.add("contacts");
  }

  /** One of the first pairs, whose keys ascend from call to call, as those of the contacts do. */
  #keepOrAdd(low: number, high: number): void {
    const { contacts, fixtures: { values } } = this.world;
    const lowKey = values[low * FIXTURE_VALUES + FIXTURE_KEY]!;
    const highKey = values[high * FIXTURE_VALUES + FIXTURE_KEY]!;
    while (
      this.#next < contacts.count &&
      contacts.isBeforeKeys(contacts.order[this.#next]!, lowKey, highKey)
    ) {
      this.release(contacts.order[this.#next++]!);
    }
    const present = contacts.order[this.#next]!;
    const v = present * CONTACT_VALUES;
    const isThere = this.#next < contacts.count && contacts.values[v + LOW_KEY] === lowKey &&
      contacts.values[v + HIGH_KEY] === highKey;
    if (isThere) this.#next++;
    else this.#addPair(low, high);
  }

  /**
   * Undoes a search that has found too many pairs: the order in which it found them may depend on
   * history.
   */
  #dropCreated(): void {
    const { contacts, contacts: { ints } } = this.world;
    const { rows, count } = this.created;
    for (let i = 0; i < count; i++) {
      const k = rows[i]! * CONTACT_INTS;
      this.broadPhase.removeKnownPair(ints[k + FIXTURE_A]!, ints[k + FIXTURE_B]!);
      contacts.release(rows[i]!);
    }
    this.created.clear();
  }

  #insertCreated(): void {
    const { rows, count } = this.created;
    if (count === 0) return;
    this.world.contacts.insertAll(this.created);
    // From the last one: in a list that was empty, each then becomes the first at once, however
    // many there are.
    for (let i = count - 1; i >= 0; i--) {
      linkContact(this.world, rows[i]!, 0);
      linkContact(this.world, rows[i]!, 1);
    }
    for (let i = 0; i < count; i++) this.#wakeBesideStatic(rows[i]!);
    for (let i = 0; i < count; i++) this.world.activate(rows[i]!);
  }

  /** Removes the contacts of two bodies with each other. The bodies that touched wake up. */
  removeBetween(a: number, b: number): void {
    const { bodies, contacts } = this.world;
    const isStatic = bodies.ints[a * BODY_INTS + BODY_TYPE] === STATIC;
    const body = isStatic ? b : a;
    const other = isStatic ? a : b;
    for (let link = bodies.ints[body * BODY_INTS + FIRST_CONTACT]!; link !== NONE;) {
      const contact = link >> 1;
      const k = contact * CONTACT_INTS;
      const side = link & 1;
      link = contacts.ints[k + NEXT_LINK + side]!;
      if (contacts.ints[k + CONTACT_BODY_B - side] === other) this.release(contact);
    }
    this.releaseGone();
  }

  /** Removes all contacts of a body. The bodies that touched it wake up. */
  removeAllOf(body: number): void {
    const { bodies: { ints }, contacts } = this.world;
    const at = body * BODY_INTS;
    if (ints[at + BODY_TYPE] === STATIC) {
      for (let i = 0; i < contacts.count; i++) {
        if (this.isOf(contacts.order[i]!, body)) this.release(contacts.order[i]!);
      }
    } else while (ints[at + FIRST_CONTACT] !== NONE) this.release(ints[at + FIRST_CONTACT]! >> 1);
    this.releaseGone();
  }

  /**
   * Makes the contacts of active bodies match the AABBs, at the end of a tick. The AABB of a
   * sleeping body has not changed. Removing a touching contact wakes both of its bodies, as in
   * Box2D.
   */
  syncPairs(): void {
    const { active } = this.world;
    active.mergeAdded();
    for (let rows: readonly number[] = active.rows; rows.length > 0; rows = active.mergeAdded()) {
      this.#releaseApart(rows);
    }
    this.#endSync();
  }

  /** The same for all contacts, after a load. */
  syncAllPairs(): void {
    const { order, count } = this.world.contacts;
    this.#releaseApart(order.subarray(0, count));
    this.#endSync();
  }

  #releaseApart(rows: ArrayLike<number>): void {
    const { ints } = this.world.contacts;
    for (let i = 0; i < rows.length; i++) {
      const k = rows[i]! * CONTACT_INTS;
      if (!this.broadPhase.testOverlap(ints[k + FIXTURE_A]!, ints[k + FIXTURE_B]!)) {
        this.release(rows[i]!);
      }
    }
  }

  #endSync(): void {
    this.releaseGone();
    this.findNewContacts();
    this.world.hasNewPairs = false;
  }

  /**
   * After a change of the fixtures of a body: its contacts have the new coefficients and groups.
   * All that touch wake.
   */
  refresh(body: number): void {
    const { contacts: { ints, order, count }, fixtures } = this.world;
    this.world.wake(body);
    for (let i = 0; i < count; i++) {
      const contact = order[i]!;
      const k = contact * CONTACT_INTS;
      if (!this.isOf(contact, body)) continue;
      if ((ints[k + CONTACT_FLAGS]! & TOUCHING) !== 0) this.wakeBoth(contact);
      if (mayCollide(fixtures, ints[k + FIXTURE_A]!, ints[k + FIXTURE_B]!)) {
        this.#setCoefficients(contact);
      } else this.release(contact);
    }
    this.releaseGone();
    this.world.hasNewPairs = true;
    this.touchProxies(body);
  }

  /**
   * Makes the next search find the body's pairs again, because some may have lost their contacts.
   */
  touchProxies(body: number): void {
    const { bodies, fixtures } = this.world;
    for (let fixture = bodies.ints[body * BODY_INTS + FIRST_FIXTURE]!; fixture !== NONE;) {
      this.broadPhase.touchProxy(fixture);
      fixture = fixtures.ints[fixture * FIXTURE_INTS + NEXT_FIXTURE]!;
    }
  }

  #setCoefficients(contact: number): void {
    const { contacts: { ints, values }, fixtures } = this.world;
    const k = contact * CONTACT_INTS;
    const v = contact * CONTACT_VALUES;
    const a = ints[k + FIXTURE_A]!;
    const b = ints[k + FIXTURE_B]!;
    const bodyA = ints[k + CONTACT_BODY_A]!;
    const bodyB = ints[k + CONTACT_BODY_B]!;
    values[v + PAIR_FRICTION] = frictionOf(fixtures, a, b, this.filter.friction(bodyA, bodyB));
    values[v + PAIR_RESTITUTION] = restitutionOf(
      fixtures,
      a,
      b,
      this.filter.restitution(bodyA, bodyB),
    );
  }

  protected isOf(contact: number, body: number): boolean {
    const { ints } = this.world.contacts;
    const k = contact * CONTACT_INTS;
    return ints[k + CONTACT_BODY_A] === body || ints[k + CONTACT_BODY_B] === body;
  }

  /** Unlinks a contact and marks it as gone. `#releaseGone` releases its row. */
  protected release(contact: number): void {
    const { contacts: { ints }, listener } = this.world;
    const k = contact * CONTACT_INTS;
    if ((ints[k + CONTACT_FLAGS]! & TOUCHING) !== 0) listener.onRelease(contact);
    this.world.hasUnsavedContacts = true;
    ints[k + CONTACT_FLAGS]! |= GONE;
    this.#hasGone = true;
    this.broadPhase.removeKnownPair(ints[k + FIXTURE_A]!, ints[k + FIXTURE_B]!);
    unlinkContact(this.world, contact, 0);
    unlinkContact(this.world, contact, 1);
    if (ints[k + POINT_COUNT]! > 0) this.wakeBoth(contact);
  }

  protected releaseGone(): void {
    if (!this.#hasGone) return;
    this.#hasGone = false;
    this.world.releaseGoneContacts();
  }

  protected wakeBoth(contact: number): void {
    const { ints } = this.world.contacts;
    const k = contact * CONTACT_INTS;
    this.world.wake(ints[k + CONTACT_BODY_A]!);
    this.world.wake(ints[k + CONTACT_BODY_B]!);
  }

  #create(one: number, other: number): void {
    const { contacts, contactsMax, fixtures: { values } } = this.world;
    const isLow =
      values[one * FIXTURE_VALUES + FIXTURE_KEY]! < values[other * FIXTURE_VALUES + FIXTURE_KEY]!;
    const low = isLow ? one : other;
    const high = isLow ? other : one;
    if (this.#isCrowded || !this.#mayPair(low, high)) return;
    if (contacts.count + this.created.count === contactsMax) this.#isCrowded = true;
    else this.#addPair(low, high);
  }

  /** Whether two fixtures can have a contact. @param low that with the smaller key */
  #mayPair(low: number, high: number): boolean {
    const { fixtures, bodies, shapes, joints } = this.world;
    const { ints } = fixtures;
    const lowBody = ints[low * FIXTURE_INTS + FIXTURE_BODY]!;
    const highBody = ints[high * FIXTURE_INTS + FIXTURE_BODY]!;
    if (lowBody === highBody || !mayCollide(fixtures, low, high)) return false;
    const lowType = bodies.ints[lowBody * BODY_INTS + BODY_TYPE];
    const highType = bodies.ints[highBody * BODY_INTS + BODY_TYPE];
    if (lowType !== DYNAMIC && highType !== DYNAMIC || joints.preventsContact(lowBody, highBody)) {
      return false;
    }
    const lowShape = ints[low * FIXTURE_INTS + FIXTURE_SHAPE]!;
    const highShape = ints[high * FIXTURE_INTS + FIXTURE_SHAPE]!;
    return canTouch(shapes, lowShape, highShape);
  }

  #addPair(low: number, high: number): void {
    const { shapes, fixtures: { ints } } = this.world;
    const lowShape = ints[low * FIXTURE_INTS + FIXTURE_SHAPE]!;
    const highShape = ints[high * FIXTURE_INTS + FIXTURE_SHAPE]!;
    const swapped = mustSwap(shapes, lowShape, highShape);
    this.#add(swapped ? high : low, swapped ? low : high, low, high);
    this.broadPhase.addKnownPair(low, high);
  }

  /**
   * No step updates the contact of a static and a sleeping body, so a static body that appears
   * wakes the other one.
   */
  #wakeBesideStatic(contact: number): void {
    const { bodies: { ints: bodyInts }, contacts: { ints } } = this.world;
    const k = contact * CONTACT_INTS;
    for (let side = 0; side < 2; side++) {
      const body = ints[k + CONTACT_BODY_A + side]!;
      const at = body * BODY_INTS;
      if (bodyInts[at + BODY_TYPE] !== STATIC || bodyInts[at + BODY_ID] === 0) continue;
      const other = ints[k + CONTACT_BODY_A + 1 - side]!;
      if (!this.world.isActive(other)) this.world.wake(other);
    }
  }

  #add(a: number, b: number, low: number, high: number): void {
    const { contacts, fixtures: { values, ints } } = this.world;
    const contact = contacts.acquire();
    const k = contact * CONTACT_INTS, v = contact * CONTACT_VALUES;
    const bodyA = ints[a * FIXTURE_INTS + FIXTURE_BODY]!;
    const bodyB = ints[b * FIXTURE_INTS + FIXTURE_BODY]!;

    // The two fixtures and their bodies
    contacts.ints[k + FIXTURE_A] = a;
    contacts.ints[k + FIXTURE_B] = b;
    contacts.ints[k + CONTACT_BODY_A] = bodyA;
    contacts.ints[k + CONTACT_BODY_B] = bodyB;

    contacts.ints[k + POINT_COUNT] = contacts.ints[k + EVENT] = contacts.ints[k + IMPACT_COUNT] = 0;
    contacts.ints[k + SAVED_AT] = NOT_SAVED;

    // What they do to each other
    const flags = ints[a * FIXTURE_INTS + FIXTURE_FLAGS]! | ints[b * FIXTURE_INTS + FIXTURE_FLAGS]!;
    contacts.ints[k + CONTACT_FLAGS] = (flags & SENSOR) === 0
      ? SOLID | oneWaySides(ints, a, b)
      : SOLID | OF_SENSOR;
    const isSwept = (flags & SWEEPING) !== 0 ||
      (flags & SENSOR) !== 0 && (this.#isBullet(bodyA) || this.#isBullet(bodyB));
    if (isSwept) contacts.ints[k + CONTACT_FLAGS]! |= SWEPT;
    if (this.#isContinuous(bodyA) || this.#isContinuous(bodyB)) {
      contacts.ints[k + CONTACT_FLAGS]! |= CONTINUOUS;
    }

    contacts.values[v + LOW_KEY] = values[low * FIXTURE_VALUES + FIXTURE_KEY]!;
    contacts.values[v + HIGH_KEY] = values[high * FIXTURE_VALUES + FIXTURE_KEY]!;

    this.#setCoefficients(contact);
    this.created.add(contact);
  }

  #isBullet(body: number): boolean {
    return (this.world.bodies.ints[body * BODY_INTS + BODY_FLAGS]! & BULLET) !== 0;
  }

  /**
   * Whether a body stops at every body that it hits. Two dynamic bodies may tunnel
   * unless one is a bullet.
   */
  #isContinuous(body: number): boolean {
    return this.#isBullet(body) || this.world.bodies.ints[body * BODY_INTS + BODY_TYPE] !== DYNAMIC;
  }
}
