/**
 * The contacts of one world as a function of its state. After `syncPairs` they are exactly the pairs whose AABBs
 * overlap, in the order of their keys. An order by age would depend on history, and so would the solver's result.
 *
 *     key(fixture) = entity id · 256 + fixture index < 2^40;   order = (smaller key, larger key)
 *
 * The fixture with the smaller key is A, unless the narrow phase needs the other order of the two shapes.
 */
import * as bodyLayout from "../core/body_rows.ts";
import * as contactLayout from "../core/contact_rows.ts";
import * as fixtureLayout from "../core/fixture_rows.ts";
import { linkContact, unlinkContact } from "../core/contact_links.ts";
import { idOfKey } from "../core/proxy_key.ts";
import { RowList } from "../core/row_list.ts";
import { BroadPhase } from "../collision/broad_phase.ts";
import { canTouch, mustSwap } from "../geometry/collide.ts";
import { WORLD_NORMAL_X, WORLD_NORMAL_Y, worldManifold } from "../geometry/world_manifold.ts";
import { computeContactNormal } from "./contact_manifold.ts";
import { updateContact } from "./narrow_phase.ts";
import { canLand, oneWaySides, shouldIgnoreOneWay } from "./one_way.ts";
import { type ContactFilter, frictionOf, mayCollide, restitutionOf } from "./contact_filter.ts";
import type { World } from "./world.ts";
import { StageError } from "../core/types.ts";

const { BODY_TYPE, BODY_INTS, BODY_ID, DYNAMIC, STATIC, FIRST_FIXTURE, FIRST_CONTACT, NONE } = bodyLayout;
const { CONTACT_VALUES, CONTACT_INTS, CONTACT_FLAGS, POINT_COUNT, FIXTURE_A, FIXTURE_B } = contactLayout;
const { CONTACT_BODY_A, CONTACT_BODY_B, NEXT_LINK, EVENT, IMPACT_COUNT, SAVED_AT, NOT_SAVED } = contactLayout;
const { TOUCHING, SOLID, OF_SENSOR, ONE_WAY_A, ONE_WAY_B, PASSING, ACTIVE, GONE, IMPACT_OPEN, IN_ISLAND } =
  contactLayout;
const { PAIR_FRICTION, PAIR_RESTITUTION, LOW_KEY, HIGH_KEY, MANIFOLD_POINTS, MANIFOLD_POINT_STRIDE } = contactLayout;
const { FIXTURE_VALUES, FIXTURE_INTS, FIXTURE_BODY, FIXTURE_SHAPE, FIXTURE_FLAGS, SENSOR } = fixtureLayout;
const { FIXTURE_KEY, NEXT_FIXTURE } = fixtureLayout;

/** A contact supports an entity if its normal points up more than this: on slopes of less than 60 degrees. */
const SUPPORTING_NORMAL = 0.5;

/** All contacts of one world, in canonical order. */
export class Contacts {
  readonly broadPhase: BroadPhase;
  readonly #world: World;
  readonly #filter: ContactFilter;
  /** Contacts created in the current search. */
  readonly #created = new RowList();
  #hasGone = false;

  constructor(world: World, filter: ContactFilter) {
    this.#world = world;
    this.#filter = filter;
    this.broadPhase = new BroadPhase((a, b) => this.#create(a, b));
  }

  /** @returns the number of touching contacts, sensors included */
  countTouching(): number {
    const { order, count, ints } = this.#world.contacts;
    let touching = 0;
    for (let i = 0; i < count; i++) {
      if ((ints[order[i]! * CONTACT_INTS + CONTACT_FLAGS]! & TOUCHING) !== 0) touching++;
    }
    return touching;
  }

  /** Whether a touching contact pushes its bodies, by its one-way decision and by the author's rules. */
  #shouldCollide(contact: number): boolean {
    const { ints } = this.#world.contacts, k = contact * CONTACT_INTS, flags = ints[k + CONTACT_FLAGS]!;
    if ((flags & PASSING) !== 0) return false;
    if (!this.#filter.shouldCollide(ints[k + CONTACT_BODY_A]!, ints[k + CONTACT_BODY_B]!)) return false;
    return (flags & (ONE_WAY_A | ONE_WAY_B)) === 0 || canLand(this.#world, contact, this.#filter);
  }

  /**
   * Sets whether a contact is solid. A body that may pass a one-way fixture once keeps passing it until the two part.
   * A contact that does not touch counts as solid.
   */
  #resolveSolid(contact: number): void {
    const { ints } = this.#world.contacts, at = contact * CONTACT_INTS + CONTACT_FLAGS, flags = ints[at]!;
    if ((flags & TOUCHING) === 0 || this.#shouldCollide(contact)) {
      ints[at] = flags | SOLID;
      return;
    }
    ints[at] = flags & ~SOLID;
    if ((flags & (ONE_WAY_A | ONE_WAY_B)) !== 0) ints[at]! |= PASSING;
  }

  /** Whether a contact pushes the body up; never a static body. */
  isSupported(body: number): boolean {
    const { bodies, contacts, upX, upY } = this.#world;
    for (let link = bodies.ints[body * BODY_INTS + FIRST_CONTACT]!; link !== NONE;) {
      const contact = link >> 1, k = contact * CONTACT_INTS, side = link & 1;
      link = contacts.ints[k + NEXT_LINK + side]!;
      if ((contacts.ints[k + CONTACT_FLAGS]! & (TOUCHING | OF_SENSOR)) !== TOUCHING) continue;
      if (!this.#shouldCollide(contact)) continue;
      computeContactNormal(this.#world, contact);
      const up = worldManifold[WORLD_NORMAL_X]! * upX + worldManifold[WORLD_NORMAL_Y]! * upY;
      if ((side === 1 ? up : -up) > SUPPORTING_NORMAL) return true;
    }
    return false;
  }

  /** @returns the ids of the entities that touch the body, ascending, without repetition */
  touchingIds(body: number): readonly number[] {
    const { bodies, contacts } = this.#world, ids: number[] = [];
    if (bodies.ints[body * BODY_INTS + BODY_TYPE] === STATIC) {
      for (let i = 0; i < contacts.count; i++) {
        const contact = contacts.order[i]!;
        if (this.#isOf(contact, body)) {
          this.#collectId(contact, contacts.ints[contact * CONTACT_INTS + CONTACT_BODY_A] === body ? 1 : 0, ids);
        }
      }
    }
    for (let link = bodies.ints[body * BODY_INTS + FIRST_CONTACT]!; link !== NONE;) {
      const contact = link >> 1, side = link & 1;
      link = contacts.ints[contact * CONTACT_INTS + NEXT_LINK + side]!;
      this.#collectId(contact, 1 - side, ids);
    }
    return ids.sort(ascending);
  }

  /** Adds the id of one side of a contact that touches. @param side 0 for A */
  #collectId(contact: number, side: number, ids: number[]): void {
    const { contacts, fixtures } = this.#world, k = contact * CONTACT_INTS;
    const id = idOfKey(fixtures.values[contacts.ints[k + FIXTURE_A + side]! * FIXTURE_VALUES + FIXTURE_KEY]!);
    if ((contacts.ints[k + CONTACT_FLAGS]! & TOUCHING) !== 0 && !ids.includes(id)) ids.push(id);
  }

  /** Updates touching, manifold and pushing of the contacts of bodies that are awake, and of those that wake up. */
  update(): void {
    const { active } = this.#world;
    try {
      if (!this.#filter.isAlwaysSolid) this.#resolveSleeping();
      active.mergeAdded();
      for (let i = 0; i < active.rows.length; i++) {
        const contact = active.rows[i]!;
        this.#updateOrRelease(contact);
        if (!active.hasAdded) continue;
        // A body has woken up. Those of its contacts that follow in the order are updated, too.
        active.mergeAdded();
        i = active.rows.indexOf(contact);
      }
    } finally {
      // Also if the author's rules throw.
      this.#releaseGone();
    }
  }

  /** Applies the author's rules to the touching contacts of sleeping bodies: their results may have changed. */
  #resolveSleeping(): void {
    const { order, count, ints } = this.#world.contacts;
    for (let i = 0; i < count; i++) {
      const contact = order[i]!, at = contact * CONTACT_INTS + CONTACT_FLAGS, flags = ints[at]!;
      if ((flags & (ACTIVE | TOUCHING)) !== TOUCHING) continue;
      this.#resolveSolid(contact);
      // A body that slept on a one-way fixture begins to fall.
      if (((flags ^ ints[at]!) & PASSING) !== 0) this.#wakeBoth(contact);
    }
  }

  #updateOrRelease(contact: number): void {
    const { contacts: { ints } } = this.#world, k = contact * CONTACT_INTS;
    // Both may have fallen asleep in an earlier step of the tick.
    if (!this.#world.isActive(ints[k + CONTACT_BODY_A]!) && !this.#world.isActive(ints[k + CONTACT_BODY_B]!)) return;
    if (!this.broadPhase.testOverlap(ints[k + FIXTURE_A]!, ints[k + FIXTURE_B]!)) return this.#release(contact);
    this.updateOne(contact);
  }

  /** Updates touching, manifold and pushing of one contact. */
  updateOne(contact: number): void {
    this.#updateTouching(contact);
    this.#resolveSolid(contact);
  }

  #updateTouching(contact: number): void {
    const { ints } = this.#world.contacts, at = contact * CONTACT_INTS + CONTACT_FLAGS;
    const wasTouching = (ints[at]! & TOUCHING) !== 0;
    if (!updateContact(this.#world, contact)) {
      if (wasTouching && (ints[at]! & TOUCHING) === 0) this.#world.listener.onEnd(contact);
      return;
    }
    const isPassing = (ints[at]! & (ONE_WAY_A | ONE_WAY_B)) !== 0 && shouldIgnoreOneWay(this.#world, contact);
    ints[at] = isPassing ? ints[at]! | PASSING : ints[at]! & ~PASSING;
    this.#world.listener.onBegin(contact);
  }

  /**
   * Makes the contacts of active bodies match the AABBs, at the end of a tick. The AABB of a sleeping body has not
   * changed. Removing a touching contact wakes both of its bodies, as in Box2D.
   */
  syncPairs(): void {
    const { active } = this.#world;
    active.mergeAdded();
    for (let rows: readonly number[] = active.rows; rows.length > 0; rows = active.mergeAdded()) {
      this.#releaseApart(rows);
    }
    this.#endSync();
  }

  /** The same for all contacts, after a load. */
  syncAllPairs(): void {
    const { order, count } = this.#world.contacts;
    this.#releaseApart(order.subarray(0, count));
    this.#endSync();
  }

  #releaseApart(rows: ArrayLike<number>): void {
    const { ints } = this.#world.contacts;
    for (let i = 0; i < rows.length; i++) {
      const k = rows[i]! * CONTACT_INTS;
      if (!this.broadPhase.testOverlap(ints[k + FIXTURE_A]!, ints[k + FIXTURE_B]!)) this.#release(rows[i]!);
    }
  }

  #endSync(): void {
    this.#releaseGone();
    this.findNewContacts();
    this.#world.hasNewPairs = false;
  }

  /**
   * Rounds the manifold of every touching contact to 32 bits. That of a sleeping pair is rounded already.
   * @throws StageError if one is not finite
   */
  quantizeManifolds(): void {
    const { active, contacts: { ints, values } } = this.#world;
    active.mergeAdded();
    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!, k = contact * CONTACT_INTS, v = contact * CONTACT_VALUES;
      // Sensors have no points.
      if ((ints[k + CONTACT_FLAGS]! & TOUCHING) === 0 || ints[k + POINT_COUNT] === 0) continue;
      const end = v + MANIFOLD_POINTS + ints[k + POINT_COUNT]! * MANIFOLD_POINT_STRIDE;
      let sum = 0;
      for (let at = v; at < end; at++) sum += values[at] = Math.fround(values[at]!);
      if (Number.isFinite(sum)) continue;
      throw new StageError(`contact ${values[v + LOW_KEY]}-${values[v + HIGH_KEY]} is not finite`);
    }
  }

  /** Resets the flags of a world step that an error has stopped. */
  resetAfterError(): void {
    const { order, count, ints } = this.#world.contacts;
    for (let i = 0; i < count; i++) ints[order[i]! * CONTACT_INTS + CONTACT_FLAGS]! &= ~IN_ISLAND;
  }

  /** Creates a contact for every pair whose AABBs have begun to overlap. */
  findNewContacts(): void {
    this.broadPhase.findNewPairs();
    const { rows, count } = this.#created;
    if (count === 0) return;
    this.#world.contacts.insertAll(this.#created);
    const { ints } = this.#world.contacts;
    // From the last one: in a list that was empty, each then becomes the first at once, however many there are.
    for (let i = count - 1; i >= 0; i--) {
      linkContact(this.#world, rows[i]!, 0);
      linkContact(this.#world, rows[i]!, 1);
    }
    for (let i = 0; i < count; i++) {
      this.#world.activate(rows[i]!);
      // A body that an impact moved may hit the other one.
      ints[rows[i]! * CONTACT_INTS + CONTACT_FLAGS]! |= IMPACT_OPEN;
    }
    this.#created.clear();
  }

  /** Removes the contacts of two bodies with each other. The bodies that touched wake up. */
  removeBetween(a: number, b: number): void {
    const { bodies, contacts } = this.#world;
    const isStatic = bodies.ints[a * BODY_INTS + BODY_TYPE] === STATIC,
      body = isStatic ? b : a,
      other = isStatic ? a : b;
    for (let link = bodies.ints[body * BODY_INTS + FIRST_CONTACT]!; link !== NONE;) {
      const contact = link >> 1, k = contact * CONTACT_INTS, side = link & 1;
      link = contacts.ints[k + NEXT_LINK + side]!;
      if (contacts.ints[k + CONTACT_BODY_B - side] === other) this.#release(contact);
    }
    this.#releaseGone();
  }

  /** Removes all contacts of a body. The bodies that touched it wake up. */
  removeAllOf(body: number): void {
    const { bodies: { ints }, contacts } = this.#world, at = body * BODY_INTS;
    if (ints[at + BODY_TYPE] === STATIC) {
      for (let i = 0; i < contacts.count; i++) {
        if (this.#isOf(contacts.order[i]!, body)) this.#release(contacts.order[i]!);
      }
    } else while (ints[at + FIRST_CONTACT] !== NONE) this.#release(ints[at + FIRST_CONTACT]! >> 1);
    this.#releaseGone();
  }

  /** After a change of the fixtures of a body: its contacts have the new coefficients and groups. All that touch wake. */
  refresh(body: number): void {
    const { bodies, contacts: { ints, order, count }, fixtures } = this.#world;
    this.#world.wake(body);
    for (let i = 0; i < count; i++) {
      const contact = order[i]!, k = contact * CONTACT_INTS;
      if (!this.#isOf(contact, body)) continue;
      if ((ints[k + CONTACT_FLAGS]! & TOUCHING) !== 0) this.#wakeBoth(contact);
      if (mayCollide(fixtures, ints[k + FIXTURE_A]!, ints[k + FIXTURE_B]!)) this.#setCoefficients(contact);
      else this.#release(contact);
    }
    this.#releaseGone();
    this.#world.hasNewPairs = true;
    for (let fixture = bodies.ints[body * BODY_INTS + FIRST_FIXTURE]!; fixture !== NONE;) {
      this.broadPhase.touchProxy(fixture);
      fixture = fixtures.ints[fixture * FIXTURE_INTS + NEXT_FIXTURE]!;
    }
  }

  #setCoefficients(contact: number): void {
    const { contacts: { ints, values }, fixtures } = this.#world;
    const k = contact * CONTACT_INTS, v = contact * CONTACT_VALUES, a = ints[k + FIXTURE_A]!, b = ints[k + FIXTURE_B]!;
    const bodyA = ints[k + CONTACT_BODY_A]!, bodyB = ints[k + CONTACT_BODY_B]!;
    values[v + PAIR_FRICTION] = frictionOf(fixtures, a, b, this.#filter.friction(bodyA, bodyB));
    values[v + PAIR_RESTITUTION] = restitutionOf(fixtures, a, b, this.#filter.restitution(bodyA, bodyB));
  }

  #isOf(contact: number, body: number): boolean {
    const { ints } = this.#world.contacts, k = contact * CONTACT_INTS;
    return ints[k + CONTACT_BODY_A] === body || ints[k + CONTACT_BODY_B] === body;
  }

  /** Unlinks a contact and marks it as gone. `#releaseGone` releases its row. */
  #release(contact: number): void {
    const { contacts: { ints }, listener } = this.#world, k = contact * CONTACT_INTS;
    if ((ints[k + CONTACT_FLAGS]! & TOUCHING) !== 0) listener.onRelease(contact);
    this.#world.hasUnsavedContacts = true;
    ints[k + CONTACT_FLAGS]! |= GONE;
    this.#hasGone = true;
    this.broadPhase.removeKnownPair(ints[k + FIXTURE_A]!, ints[k + FIXTURE_B]!);
    unlinkContact(this.#world, contact, 0);
    unlinkContact(this.#world, contact, 1);
    if (ints[k + POINT_COUNT]! > 0) this.#wakeBoth(contact);
  }

  #releaseGone(): void {
    if (!this.#hasGone) return;
    this.#hasGone = false;
    this.#world.releaseGoneContacts();
  }

  #wakeBoth(contact: number): void {
    const { ints } = this.#world.contacts, k = contact * CONTACT_INTS;
    this.#world.wake(ints[k + CONTACT_BODY_A]!);
    this.#world.wake(ints[k + CONTACT_BODY_B]!);
  }

  #create(one: number, other: number): void {
    const { fixtures, bodies, shapes, joints } = this.#world, { ints, values } = fixtures;
    const isLow = values[one * FIXTURE_VALUES + FIXTURE_KEY]! < values[other * FIXTURE_VALUES + FIXTURE_KEY]!;
    const low = isLow ? one : other, high = isLow ? other : one;
    const lowBody = ints[low * FIXTURE_INTS + FIXTURE_BODY]!, highBody = ints[high * FIXTURE_INTS + FIXTURE_BODY]!;
    if (lowBody === highBody || !mayCollide(fixtures, low, high)) return;
    const lowType = bodies.ints[lowBody * BODY_INTS + BODY_TYPE],
      highType = bodies.ints[highBody * BODY_INTS + BODY_TYPE];
    if (lowType !== DYNAMIC && highType !== DYNAMIC || joints.preventsContact(lowBody, highBody)) return;
    const lowShape = ints[low * FIXTURE_INTS + FIXTURE_SHAPE]!, highShape = ints[high * FIXTURE_INTS + FIXTURE_SHAPE]!;
    if (!canTouch(shapes, lowShape, highShape)) return;
    const swapped = mustSwap(shapes, lowShape, highShape);
    this.#add(swapped ? high : low, swapped ? low : high, low, high);
    this.broadPhase.addKnownPair(low, high);
    // No step updates the contact of a static and a sleeping body, so a static body that appears wakes the other one.
    if (lowType === STATIC && bodies.ints[lowBody * BODY_INTS + BODY_ID] !== 0) this.#wakeSleeping(highBody);
    if (highType === STATIC) this.#wakeSleeping(lowBody);
  }

  #wakeSleeping(body: number): void {
    if (!this.#world.isActive(body)) this.#world.wake(body);
  }

  #add(a: number, b: number, low: number, high: number): void {
    const { contacts, fixtures: { values, ints } } = this.#world, contact = contacts.acquire();
    const k = contact * CONTACT_INTS, v = contact * CONTACT_VALUES;
    const bodyA = ints[a * FIXTURE_INTS + FIXTURE_BODY]!, bodyB = ints[b * FIXTURE_INTS + FIXTURE_BODY]!;
    const sensors = (ints[a * FIXTURE_INTS + FIXTURE_FLAGS]! | ints[b * FIXTURE_INTS + FIXTURE_FLAGS]!) & SENSOR;
    contacts.ints[k + FIXTURE_A] = a;
    contacts.ints[k + FIXTURE_B] = b;
    contacts.ints[k + CONTACT_BODY_A] = bodyA;
    contacts.ints[k + CONTACT_BODY_B] = bodyB;
    contacts.ints[k + POINT_COUNT] = contacts.ints[k + EVENT] = contacts.ints[k + IMPACT_COUNT] = 0;
    contacts.ints[k + SAVED_AT] = NOT_SAVED;
    contacts.ints[k + CONTACT_FLAGS] = sensors !== 0 ? SOLID | OF_SENSOR : SOLID | oneWaySides(ints, a, b);
    contacts.values[v + LOW_KEY] = values[low * FIXTURE_VALUES + FIXTURE_KEY]!;
    contacts.values[v + HIGH_KEY] = values[high * FIXTURE_VALUES + FIXTURE_KEY]!;
    this.#setCoefficients(contact);
    this.#created.add(contact);
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}
