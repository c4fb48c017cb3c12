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
 * Three lists have rows of contacts: `world.contacts.order` has all in that order, `world.active`
 * has those of bodies that are awake, and `created` has those that the last search has found. A
 * contact that ends is unlinked and marked first (`release`). Its row is free after the loop
 * (`releaseGone`).
 *
 * A world has at most `contactsMax` contacts, because each costs time in every step. In a crowd
 * they are the first ones in that order, so the ground holds everything, and entities with small
 * ids still meet. The others pass through each other until there is room. The set is then a
 * function of the poses, too, so that a rollback finds the same one.
 */
import { BodyFlag, BodyInt, MotionType, NONE } from "../core/body_rows.ts";
import { Contact, ContactFlag, ContactInt, NOT_SAVED } from "../core/contact_rows.ts";
import { Fixture, FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import { linkContact, unlinkContact } from "../core/contact_links.ts";
import { RowList } from "../core/row_list.ts";
import { BroadPhase } from "../collision/broad_phase.ts";
import { findFirstPairs, type FirstPairsSearch } from "../collision/first_pairs.ts";
import { canTouch, mustSwap } from "../geometry/collide.ts";
import { overlaps, updateContact } from "./narrow_phase.ts";
import { oneWaySides, shouldIgnoreOneWay } from "./one_way.ts";
import { type ContactFilter, frictionOf, mayCollide, restitutionOf } from "./contact_filter.ts";
import type { World } from "./world.ts";

/** What a contact is, as flags that follow from its fixtures and bodies, and not from poses. */
const KIND = ContactFlag.OF_SENSOR | ContactFlag.ONE_WAY_A | ContactFlag.ONE_WAY_B |
  ContactFlag.SWEPT | ContactFlag.CONTINUOUS;

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
      keyOf: (fixture) => world.fixtures.values[fixture * Fixture.STRIDE + Fixture.KEY]!,
      isPair: (low, high) => this.#mayPair(low, high),
      onPair: (low, high) => this.#keepOrAdd(low, high),
    };
  }

  /**
   * Box2D's FindNewContacts: creates a contact for every pair whose AABBs have begun to overlap. If
   * that makes more than `contactsMax`, those with the largest keys vanish or are not created.
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
    const lowKey = values[low * Fixture.STRIDE + Fixture.KEY]!;
    const highKey = values[high * Fixture.STRIDE + Fixture.KEY]!;
    while (
      this.#next < contacts.count &&
      contacts.isBeforeKeys(contacts.order[this.#next]!, lowKey, highKey)
    ) {
      this.release(contacts.order[this.#next++]!);
    }
    const present = contacts.order[this.#next]!;
    const v = present * Contact.STRIDE;
    const isThere = this.#next < contacts.count &&
      contacts.values[v + Contact.LOW_KEY] === lowKey &&
      contacts.values[v + Contact.HIGH_KEY] === highKey;
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
      const k = rows[i]! * ContactInt.STRIDE;
      this.broadPhase.removeKnownPair(
        ints[k + ContactInt.FIXTURE_A]!,
        ints[k + ContactInt.FIXTURE_B]!,
      );
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
    const isStatic = bodies.ints[a * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.STATIC;
    const body = isStatic ? b : a;
    const other = isStatic ? a : b;
    for (let link = bodies.ints[body * BodyInt.STRIDE + BodyInt.FIRST_CONTACT]!; link !== NONE;) {
      const contact = link >> 1;
      const k = contact * ContactInt.STRIDE;
      const side = link & 1;
      link = contacts.ints[k + ContactInt.NEXT_LINK + side]!;
      if (contacts.ints[k + ContactInt.BODY_B - side] === other) this.release(contact);
    }
    this.releaseGone();
  }

  /** Removes all contacts of a body. The bodies that touched it wake up. */
  removeAllOf(body: number): void {
    const { bodies: { ints }, contacts } = this.world;
    const at = body * BodyInt.STRIDE;
    if (ints[at + BodyInt.TYPE] === MotionType.STATIC) {
      for (let i = 0; i < contacts.count; i++) {
        if (this.isOf(contacts.order[i]!, body)) this.release(contacts.order[i]!);
      }
    } else {
      while (ints[at + BodyInt.FIRST_CONTACT] !== NONE) {
        this.release(ints[at + BodyInt.FIRST_CONTACT]! >> 1);
      }
    }
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
      const k = rows[i]! * ContactInt.STRIDE;
      if (
        !this.broadPhase.testOverlap(
          ints[k + ContactInt.FIXTURE_A]!,
          ints[k + ContactInt.FIXTURE_B]!,
        )
      ) {
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
   * After a change of a body or its fixtures: its contacts are between what they are now. All that
   * touch wake.
   */
  refresh(body: number): void {
    const { contacts: { ints, order, count } } = this.world;
    this.world.wake(body);
    for (let i = 0; i < count; i++) {
      const contact = order[i]!;
      const k = contact * ContactInt.STRIDE;
      if (!this.isOf(contact, body)) continue;
      if ((ints[k + ContactInt.FLAGS]! & ContactFlag.TOUCHING) !== 0) this.wakeBoth(contact);
      if (this.#mayStay(contact) && this.#changeKind(contact)) {
        this.#setCoefficients(contact);
      } else this.release(contact);
    }
    this.releaseGone();
    this.world.hasNewPairs = true;
    this.touchProxies(body);
  }

  /** Whether groups and types of a pair still allow its contact. */
  #mayStay(contact: number): boolean {
    const { contacts: { ints }, fixtures, bodies } = this.world;
    const k = contact * ContactInt.STRIDE;
    const typeOf = (body: number) => bodies.ints[body * BodyInt.STRIDE + BodyInt.TYPE];
    return (typeOf(ints[k + ContactInt.BODY_A]!) === MotionType.DYNAMIC ||
      typeOf(ints[k + ContactInt.BODY_B]!) === MotionType.DYNAMIC) &&
      mayCollide(fixtures, ints[k + ContactInt.FIXTURE_A]!, ints[k + ContactInt.FIXTURE_B]!);
  }

  /**
   * Sets what the two of a contact do to each other. A touch goes on if a solid fixture has become
   * a sensor; if a sensor has become solid it does so where the two touch as solid ones.
   * @returns whether the contact may stay
   */
  #changeKind(contact: number): boolean {
    const { contacts: { ints } } = this.world;
    const k = contact * ContactInt.STRIDE;
    const old = ints[k + ContactInt.FLAGS]!;
    const kind = this.#kindOf(k);
    const wasSensor = (old & ContactFlag.OF_SENSOR) !== 0;
    const isSensor = (kind & ContactFlag.OF_SENSOR) !== 0;
    if (wasSensor === isSensor) {
      ints[k + ContactInt.FLAGS] = old & ~KIND | kind;
      return true;
    }

    ints[k + ContactInt.FLAGS] = old & ~(KIND | ContactFlag.PASSING) | kind | ContactFlag.SOLID;
    if (isSensor) ints[k + ContactInt.POINT_COUNT] = 0;
    if (isSensor || (old & ContactFlag.TOUCHING) === 0) return true;
    if (!overlaps(this.world, contact)) return false;
    updateContact(this.world, contact);
    const isOneWay = (kind & (ContactFlag.ONE_WAY_A | ContactFlag.ONE_WAY_B)) !== 0;
    if (isOneWay && shouldIgnoreOneWay(this.world, contact)) {
      ints[k + ContactInt.FLAGS]! |= ContactFlag.PASSING;
    }
    return true;
  }

  /**
   * Makes a body one of another `MotionType`: a static one has no list of its contacts. `refresh`
   * must follow.
   */
  retype(body: number, type: number): void {
    const { world, world: { bodies, contacts: { order, count, ints } } } = this;
    const wasStatic = bodies.ints[body * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.STATIC;
    const isStatic = type === MotionType.STATIC;
    const own = wasStatic === isStatic
      ? []
      : [...order.subarray(0, count)].filter((contact) => this.isOf(contact, body));
    const sideOf = (contact: number) =>
      ints[contact * ContactInt.STRIDE + ContactInt.BODY_A] === body ? 0 : 1;

    // What touches a static body that begins to move is as awake as the body.
    if (isStatic) { for (const contact of own) unlinkContact(world, contact, sideOf(contact)); }
    world.retype(body, type);
    if (wasStatic) {
      for (const contact of own) linkContact(world, contact, sideOf(contact));
      for (const contact of own) world.activate(contact);
    }
  }

  /** Removes the contacts of one fixture. The bodies that touched it wake up. */
  removeOfFixture(fixture: number): void {
    const { contacts: { ints, order, count } } = this.world;
    for (let i = 0; i < count; i++) {
      const k = order[i]! * ContactInt.STRIDE;
      if (
        ints[k + ContactInt.FIXTURE_A] === fixture || ints[k + ContactInt.FIXTURE_B] === fixture
      ) this.release(order[i]!);
    }
    this.releaseGone();
  }

  /**
   * Makes the next search find the body's pairs again, because some may have lost their contacts.
   */
  touchProxies(body: number): void {
    const { bodies, fixtures } = this.world;
    for (
      let fixture = bodies.ints[body * BodyInt.STRIDE + BodyInt.FIRST_FIXTURE]!;
      fixture !== NONE;
    ) {
      this.broadPhase.touchProxy(fixture);
      fixture = fixtures.ints[fixture * FixtureInt.STRIDE + FixtureInt.NEXT]!;
    }
  }

  #setCoefficients(contact: number): void {
    const { contacts: { ints, values }, fixtures } = this.world;
    const k = contact * ContactInt.STRIDE;
    const v = contact * Contact.STRIDE;
    const a = ints[k + ContactInt.FIXTURE_A]!;
    const b = ints[k + ContactInt.FIXTURE_B]!;
    const bodyA = ints[k + ContactInt.BODY_A]!;
    const bodyB = ints[k + ContactInt.BODY_B]!;
    values[v + Contact.FRICTION] = frictionOf(fixtures, a, b, this.filter.friction(bodyA, bodyB));
    values[v + Contact.RESTITUTION] = restitutionOf(
      fixtures,
      a,
      b,
      this.filter.restitution(bodyA, bodyB),
    );
  }

  protected isOf(contact: number, body: number): boolean {
    const { ints } = this.world.contacts;
    const k = contact * ContactInt.STRIDE;
    return ints[k + ContactInt.BODY_A] === body || ints[k + ContactInt.BODY_B] === body;
  }

  /** Unlinks a contact and marks it as gone. `releaseGone` releases its row. */
  protected release(contact: number): void {
    const { contacts: { ints }, listener } = this.world;
    const k = contact * ContactInt.STRIDE;
    if ((ints[k + ContactInt.FLAGS]! & ContactFlag.TOUCHING) !== 0) listener.onRelease(contact);
    this.world.hasUnsavedContacts = true;
    ints[k + ContactInt.FLAGS]! |= ContactFlag.GONE;
    this.#hasGone = true;
    this.broadPhase.removeKnownPair(
      ints[k + ContactInt.FIXTURE_A]!,
      ints[k + ContactInt.FIXTURE_B]!,
    );
    unlinkContact(this.world, contact, 0);
    unlinkContact(this.world, contact, 1);
    if (ints[k + ContactInt.POINT_COUNT]! > 0) this.wakeBoth(contact);
  }

  protected releaseGone(): void {
    if (!this.#hasGone) return;
    this.#hasGone = false;
    this.world.releaseGoneContacts();
  }

  protected wakeBoth(contact: number): void {
    const { ints } = this.world.contacts;
    const k = contact * ContactInt.STRIDE;
    this.world.wake(ints[k + ContactInt.BODY_A]!);
    this.world.wake(ints[k + ContactInt.BODY_B]!);
  }

  #create(one: number, other: number): void {
    const { contacts, contactsMax, fixtures: { values } } = this.world;
    const isLow =
      values[one * Fixture.STRIDE + Fixture.KEY]! < values[other * Fixture.STRIDE + Fixture.KEY]!;
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
    const lowBody = ints[low * FixtureInt.STRIDE + FixtureInt.BODY]!;
    const highBody = ints[high * FixtureInt.STRIDE + FixtureInt.BODY]!;
    if (lowBody === highBody || !mayCollide(fixtures, low, high)) return false;
    const lowType = bodies.ints[lowBody * BodyInt.STRIDE + BodyInt.TYPE];
    const highType = bodies.ints[highBody * BodyInt.STRIDE + BodyInt.TYPE];
    if (
      lowType !== MotionType.DYNAMIC && highType !== MotionType.DYNAMIC ||
      joints.preventsContact(lowBody, highBody)
    ) {
      return false;
    }
    const lowShape = ints[low * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
    const highShape = ints[high * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
    return canTouch(shapes, lowShape, highShape);
  }

  #addPair(low: number, high: number): void {
    const { shapes, fixtures: { ints } } = this.world;
    const lowShape = ints[low * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
    const highShape = ints[high * FixtureInt.STRIDE + FixtureInt.SHAPE]!;
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
    const k = contact * ContactInt.STRIDE;
    for (let side = 0; side < 2; side++) {
      const body = ints[k + ContactInt.BODY_A + side]!;
      const at = body * BodyInt.STRIDE;
      if (bodyInts[at + BodyInt.TYPE] !== MotionType.STATIC || bodyInts[at + BodyInt.ID] === 0) {
        continue;
      }
      const other = ints[k + ContactInt.BODY_A + 1 - side]!;
      if (!this.world.isActive(other)) this.world.wake(other);
    }
  }

  #add(a: number, b: number, low: number, high: number): void {
    const { contacts, fixtures: { values, ints } } = this.world;
    const contact = contacts.acquire();
    const k = contact * ContactInt.STRIDE, v = contact * Contact.STRIDE;
    const bodyA = ints[a * FixtureInt.STRIDE + FixtureInt.BODY]!;
    const bodyB = ints[b * FixtureInt.STRIDE + FixtureInt.BODY]!;

    // The two fixtures and their bodies
    contacts.ints[k + ContactInt.FIXTURE_A] = a;
    contacts.ints[k + ContactInt.FIXTURE_B] = b;
    contacts.ints[k + ContactInt.BODY_A] = bodyA;
    contacts.ints[k + ContactInt.BODY_B] = bodyB;

    contacts.ints[k + ContactInt.POINT_COUNT] =
      contacts.ints[k + ContactInt.EVENT] =
      contacts
        .ints[k + ContactInt.IMPACT_COUNT] =
        0;
    contacts.ints[k + ContactInt.SAVED_AT] = NOT_SAVED;

    // What they do to each other
    contacts.ints[k + ContactInt.FLAGS] = ContactFlag.SOLID | this.#kindOf(k);

    contacts.values[v + Contact.LOW_KEY] = values[low * Fixture.STRIDE + Fixture.KEY]!;
    contacts.values[v + Contact.HIGH_KEY] = values[high * Fixture.STRIDE + Fixture.KEY]!;

    this.#setCoefficients(contact);
    this.created.add(contact);
  }

  /**
   * The flags of a contact that follow from its fixtures and bodies alone.
   * @param k offset of the contact in `ints`
   */
  #kindOf(k: number): number {
    const { contacts, fixtures: { ints } } = this.world;
    const a = contacts.ints[k + ContactInt.FIXTURE_A]!;
    const b = contacts.ints[k + ContactInt.FIXTURE_B]!;
    const bodyA = contacts.ints[k + ContactInt.BODY_A]!;
    const bodyB = contacts.ints[k + ContactInt.BODY_B]!;
    const flags = ints[a * FixtureInt.STRIDE + FixtureInt.FLAGS]! |
      ints[b * FixtureInt.STRIDE + FixtureInt.FLAGS]!;
    const isSensor = (flags & FixtureFlag.SENSOR) !== 0;
    const isSwept = isSensor && ((flags & FixtureFlag.SWEEPING) !== 0 ||
      this.#isBullet(bodyA) || this.#isBullet(bodyB));
    return (isSensor ? ContactFlag.OF_SENSOR : oneWaySides(ints, a, b)) |
      (isSwept ? ContactFlag.SWEPT : 0) |
      (this.#isContinuous(bodyA) || this.#isContinuous(bodyB) ? ContactFlag.CONTINUOUS : 0);
  }

  #isBullet(body: number): boolean {
    return (this.world.bodies.ints[body * BodyInt.STRIDE + BodyInt.FLAGS]! & BodyFlag.BULLET) !== 0;
  }

  /**
   * Whether a body stops at every body that it hits. Two dynamic bodies may tunnel
   * unless one is a bullet.
   */
  #isContinuous(body: number): boolean {
    return this.#isBullet(body) ||
      this.world.bodies.ints[body * BodyInt.STRIDE + BodyInt.TYPE] !== MotionType.DYNAMIC;
  }
}
