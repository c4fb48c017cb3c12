/**
 * What the contacts of one world do: whether they touch, and whether they push. `contact_set.ts`
 * decides which pairs have a contact, and in which order.
 */
import { BodyInt, MotionType, NONE } from "../core/body_rows.ts";
import { Contact, ContactFlag, ContactInt, ContactPoint } from "../core/contact_rows.ts";
import { Fixture } from "../core/fixture_rows.ts";
import { idOfKey } from "../core/proxy_key.ts";
import { WorldManifold, worldManifold } from "../geometry/world_manifold.ts";
import { computeContactNormal } from "./contact_manifold.ts";
import { ContactSet } from "./contact_set.ts";
import { updateContact } from "./narrow_phase.ts";
import { canLand, shouldIgnoreOneWay } from "./one_way.ts";
import { FLOAT_MAX } from "../core/limits.ts";
import { StageError } from "../core/types.ts";

/**
 * A contact supports an entity if its normal points up more than this: on slopes of less than 60
 * degrees.
 */
const SUPPORTING_NORMAL = 0.5;

/** All contacts of one world, in canonical order. */
export class Contacts extends ContactSet {
  /**
   * Box2D's Collide: updates touching, manifold and pushing of the contacts of bodies that are
   * awake, and of those that wake up.
   */
  update(): void {
    const { active } = this.world;
    try {
      if (!this.filter.isAlwaysSolid) this.#resolveSleeping();
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
      this.releaseGone();
    }
  }

  /**
   * Applies the author's rules to the touching contacts of sleeping bodies: their results may have
   * changed.
   */
  #resolveSleeping(): void {
    const { order, count, ints } = this.world.contacts;
    for (let i = 0; i < count; i++) {
      const contact = order[i]!;
      const at = contact * ContactInt.STRIDE + ContactInt.FLAGS;
      const flags = ints[at]!;
      if ((flags & (ContactFlag.ACTIVE | ContactFlag.TOUCHING)) !== ContactFlag.TOUCHING) continue;
      this.#resolveSolid(contact);
      // A body that slept on a one-way fixture begins to fall.
      if (((flags ^ ints[at]!) & ContactFlag.PASSING) !== 0) this.wakeBoth(contact);
    }
  }

  #updateOrRelease(contact: number): void {
    const { contacts: { ints } } = this.world;
    const k = contact * ContactInt.STRIDE;
    // Both may have fallen asleep in an earlier step of the tick.
    if (
      !this.world.isActive(ints[k + ContactInt.BODY_A]!) &&
      !this.world.isActive(ints[k + ContactInt.BODY_B]!)
    ) return;
    if (
      !this.broadPhase.testOverlap(ints[k + ContactInt.FIXTURE_A]!, ints[k + ContactInt.FIXTURE_B]!)
    ) {
      return this.release(contact);
    }
    this.updateOne(contact);
  }

  /** Updates touching, manifold and pushing of one contact. */
  updateOne(contact: number): void {
    this.#updateTouching(contact);
    this.#resolveSolid(contact);
  }

  #updateTouching(contact: number): void {
    const { ints } = this.world.contacts;
    const at = contact * ContactInt.STRIDE + ContactInt.FLAGS;
    const wasTouching = (ints[at]! & ContactFlag.TOUCHING) !== 0;
    if (!updateContact(this.world, contact)) {
      if (wasTouching && (ints[at]! & ContactFlag.TOUCHING) === 0) {
        this.world.listener.onEnd(contact);
      }
      return;
    }
    const isPassing = (ints[at]! & (ContactFlag.ONE_WAY_A | ContactFlag.ONE_WAY_B)) !== 0 &&
      shouldIgnoreOneWay(this.world, contact);
    ints[at] = isPassing ? ints[at]! | ContactFlag.PASSING : ints[at]! & ~ContactFlag.PASSING;
    this.world.listener.onBegin(contact);
  }

  /**
   * Whether a touching contact pushes its bodies, by its one-way decision and by the author's
   * rules.
   */
  #shouldCollide(contact: number): boolean {
    const { ints } = this.world.contacts;
    const k = contact * ContactInt.STRIDE;
    const flags = ints[k + ContactInt.FLAGS]!;
    if ((flags & ContactFlag.PASSING) !== 0) return false;
    if (!this.filter.shouldCollide(ints[k + ContactInt.BODY_A]!, ints[k + ContactInt.BODY_B]!)) {
      return false;
    }
    return (flags & (ContactFlag.ONE_WAY_A | ContactFlag.ONE_WAY_B)) === 0 ||
      canLand(this.world, contact, this.filter);
  }

  /**
   * Sets whether a contact is solid. A body that may pass a one-way fixture once keeps passing it
   * until the two part. A contact that does not touch counts as solid.
   */
  #resolveSolid(contact: number): void {
    const { ints } = this.world.contacts;
    const at = contact * ContactInt.STRIDE + ContactInt.FLAGS;
    const flags = ints[at]!;
    if ((flags & ContactFlag.TOUCHING) === 0 || this.#shouldCollide(contact)) {
      ints[at] = flags | ContactFlag.SOLID;
      return;
    }
    ints[at] = flags & ~ContactFlag.SOLID;
    if ((flags & (ContactFlag.ONE_WAY_A | ContactFlag.ONE_WAY_B)) !== 0) {
      ints[at]! |= ContactFlag.PASSING;
    }
  }

  /** @returns the number of touching contacts, sensors included */
  countTouching(): number {
    const { order, count, ints } = this.world.contacts;
    let touching = 0;
    for (let i = 0; i < count; i++) {
      if ((ints[order[i]! * ContactInt.STRIDE + ContactInt.FLAGS]! & ContactFlag.TOUCHING) !== 0) {
        touching++;
      }
    }
    return touching;
  }

  /** Whether a contact pushes the body up; never a static body. */
  isSupported(body: number): boolean {
    const { bodies, contacts } = this.world;
    for (let link = bodies.ints[body * BodyInt.STRIDE + BodyInt.FIRST_CONTACT]!; link !== NONE;) {
      if (this.#supports(link)) return true;
      link = contacts.ints[(link >> 1) * ContactInt.STRIDE + ContactInt.NEXT_LINK + (link & 1)]!;
    }
    return false;
  }

  /** @returns the smallest id of the entities that push the body up; -1 if none does */
  supportOf(body: number): number {
    const { bodies, contacts, fixtures } = this.world;
    let least = -1;
    for (let link = bodies.ints[body * BodyInt.STRIDE + BodyInt.FIRST_CONTACT]!; link !== NONE;) {
      const k = (link >> 1) * ContactInt.STRIDE;
      const side = link & 1;
      if (this.#supports(link)) {
        const other = contacts.ints[k + ContactInt.FIXTURE_A + 1 - side]! * Fixture.STRIDE;
        const id = idOfKey(fixtures.values[other + Fixture.KEY]!);
        if (least < 0 || id < least) least = id;
      }
      link = contacts.ints[k + ContactInt.NEXT_LINK + side]!;
    }
    return least;
  }

  /** Whether a contact pushes up the body that has it as this link: 2 · contact + side. */
  #supports(link: number): boolean {
    const { contacts, upX, upY } = this.world;
    const contact = link >> 1;
    const flags = contacts.ints[contact * ContactInt.STRIDE + ContactInt.FLAGS]!;
    if ((flags & (ContactFlag.TOUCHING | ContactFlag.OF_SENSOR)) !== ContactFlag.TOUCHING) {
      return false;
    }
    if (!this.#shouldCollide(contact)) return false;
    computeContactNormal(this.world, contact);
    const up = worldManifold[WorldManifold.NORMAL_X]! * upX +
      worldManifold[WorldManifold.NORMAL_Y]! * upY;
    return ((link & 1) === 1 ? up : -up) > SUPPORTING_NORMAL;
  }

  /** Wakes all bodies that touch this one. */
  wakeTouching(body: number): void {
    const { contacts: { order, count, ints } } = this.world;
    for (let i = 0; i < count; i++) {
      const contact = order[i]!;
      const isTouching =
        (ints[contact * ContactInt.STRIDE + ContactInt.FLAGS]! & ContactFlag.TOUCHING) !== 0;
      if (isTouching && this.isOf(contact, body)) this.wakeBoth(contact);
    }
  }

  /** @returns the ids of the entities that touch the body, ascending, without repetition */
  touchingIds(body: number): readonly number[] {
    const { bodies, contacts } = this.world;
    const ids: number[] = [];

    // A static body has no list of its contacts
    if (bodies.ints[body * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.STATIC) {
      for (let i = 0; i < contacts.count; i++) {
        const contact = contacts.order[i]!;
        if (this.isOf(contact, body)) {
          this.#collectId(
            contact,
            contacts.ints[contact * ContactInt.STRIDE + ContactInt.BODY_A] === body ? 1 : 0,
            ids,
          );
        }
      }
    }

    // Those of any other body are linked
    for (let link = bodies.ints[body * BodyInt.STRIDE + BodyInt.FIRST_CONTACT]!; link !== NONE;) {
      const contact = link >> 1;
      const side = link & 1;
      link = contacts.ints[contact * ContactInt.STRIDE + ContactInt.NEXT_LINK + side]!;
      this.#collectId(contact, 1 - side, ids);
    }

    return ids.sort(ascending);
  }

  /** Adds the id of one side of a contact that touches. @param side 0 for A */
  #collectId(contact: number, side: number, ids: number[]): void {
    const { contacts, fixtures } = this.world;
    const k = contact * ContactInt.STRIDE;
    const id = idOfKey(
      fixtures
        .values[contacts.ints[k + ContactInt.FIXTURE_A + side]! * Fixture.STRIDE + Fixture.KEY]!,
    );
    if ((contacts.ints[k + ContactInt.FLAGS]! & ContactFlag.TOUCHING) !== 0 && !ids.includes(id)) {
      ids.push(id);
    }
  }

  /**
   * Rounds the manifold of every touching contact to 32 bits. That of a sleeping pair is rounded
   * already. An impulse beyond them is held at their largest number.
   * @throws StageError if a number is none
   */
  quantizeManifolds(): void {
    const { active, contacts: { ints, values } } = this.world;
    active.mergeAdded();

    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!;
      const k = contact * ContactInt.STRIDE;
      const v = contact * Contact.STRIDE;
      // Sensors have no points.
      if (
        (ints[k + ContactInt.FLAGS]! & ContactFlag.TOUCHING) === 0 ||
        ints[k + ContactInt.POINT_COUNT] === 0
      ) continue;
      const end = v + Contact.POINTS + ints[k + ContactInt.POINT_COUNT]! * ContactPoint.STRIDE;
      let sum = 0;
      for (let at = v; at < end; at++) sum += values[at] = Math.fround(values[at]!);
      if (Number.isFinite(sum)) continue;
      for (let at = v; at < end; at++) {
        if (Number.isNaN(values[at]!)) {
          throw new StageError(
            `contact ${values[v + Contact.LOW_KEY]}-${
              values[v + Contact.HIGH_KEY]
            } has a number that is none`,
          );
        }
        values[at] = Math.max(-FLOAT_MAX, Math.min(FLOAT_MAX, values[at]!));
      }
    }
  }

  /** Resets the flags of a world step that an error has stopped. */
  resetAfterError(): void {
    const { order, count, ints } = this.world.contacts;
    for (let i = 0; i < count; i++) {
      const k = order[i]! * ContactInt.STRIDE;
      ints[k + ContactInt.FLAGS]! &=
        ~(ContactFlag.IN_ISLAND | ContactFlag.IMPACT_KNOWN | ContactFlag.IMPACT_OPEN |
          ContactFlag.IMPACT_NEAR);
      ints[k + ContactInt.IMPACT_COUNT] = 0;
    }
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}
