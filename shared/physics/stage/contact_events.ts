/**
 * The pairs of entities that touched during one tick, and how each touch began. planck reports every contact of two
 * fixtures by itself, several times per world step. The rules get one event per pair and tick.
 */
import * as bodyLayout from "../core/body_rows.ts";
import { velocityX, velocityY } from "../core/body_transform.ts";
import { worldManifoldOf } from "../core/manifold_rows.ts";
import { normalOf } from "../collision/contact_normal.ts";
import { type Contacts, isSensor } from "../dynamics/contacts.ts";
import { type Entity, recordOf } from "./entity.ts";
import type { PlanckBody, PlanckContact, Vector } from "../planck/planck.ts";

const { CENTER_X, CENTER_Y, ORIGIN_X, ORIGIN_Y } = bodyLayout;

/**
 * Two entities that touched during a tick. `a` has the smaller id and may be the ground. Valid until the next `advance`
 * or `load`.
 */
export interface ContactEvent {
  readonly a: Entity;
  readonly b: Entity;
  /** Whether they did not touch at the end of the previous tick. */
  readonly began: boolean;
  /**
   * Origins of both when they first touched in this tick, metres. For a touch that continues: at the start of the tick.
   */
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  /**
   * Speed along the normal at which they approached when they first touched, m/s, >= 0. 0 for a touch that continues.
   */
  readonly approachSpeed: number;
  /** Unit vector from a to b: the contact normal; for sensors, from centre of mass to centre of mass. */
  readonly nx: number;
  readonly ny: number;
}

class ContactEventRecord implements ContactEvent {
  a!: Entity;
  b!: Entity;
  began = false;
  // The initial values are fractions, so that V8 stores these fields as unboxed doubles.
  ax = 0.5;
  ay = 0.5;
  bx = 0.5;
  by = 0.5;
  approachSpeed = 0.5;
  nx = 0.5;
  ny = 0.5;
  /** Whether they touched in this tick. False while all that is known is the end of the previous tick. */
  touched = false;
  /** The body of b. */
  body: PlanckBody | undefined = undefined;
  /** The previous record of this tick with the same b. */
  previous: ContactEventRecord | undefined = undefined;
}

/** The point where two bodies touch, metres. */
const scratch = { x: 0.5, y: 0.5 };

/** The contact events of one tick, pooled. */
export class ContactEventLog {
  /** Ascending by (a.id, b.id). */
  readonly events: ContactEvent[] = [];
  /**
   * The first `#used` records belong to this tick. `contactEvent` of a contact is its pair's record.
   * `newestContactEvent` of a body is the newest record in which the body is b.
   */
  readonly #pool: ContactEventRecord[] = [];
  #used = 0;

  /** Removes all events. */
  clear(): void {
    this.#reset();
    this.events.length = 0;
  }

  /** Before the first world step: records the pairs that touch already. `events` is invalid until `endTick`. */
  beginTick(contacts: Contacts): void {
    this.#reset();
    for (let contact = contacts.first; contact !== null; contact = contact.m_next) {
      contact.contactEvent = undefined;
      if (contact.m_touchingFlag) this.#recordOf(contact, false);
    }
  }

  /** planck calls this in the middle of a world step. */
  onContactBegin(contact: PlanckContact): void {
    this.#recordOf(contact, true).touched = true;
  }

  /** After each world step. */
  markTouching(contacts: Contacts): void {
    for (let contact = contacts.first; contact !== null; contact = contact.m_next) {
      if (contact.m_touchingFlag) (contact.contactEvent as ContactEventRecord).touched = true;
    }
  }

  /**
   * After the last world step: fills `events`, sorted by insertion. The records of `beginTick` are nearly in order, and
   * few are new.
   */
  endTick(): void {
    const { events } = this;
    let count = 0;
    for (let i = 0; i < this.#used; i++) {
      const record = this.#pool[i]!;
      if (!record.touched) continue;
      let index = count++;
      for (; index > 0 && compareIds(events[index - 1]!, record) > 0; index--) events[index] = events[index - 1]!;
      events[index] = record;
    }
    events.length = count;
  }

  #reset(): void {
    for (let i = 0; i < this.#used; i++) this.#pool[i]!.body!.newestContactEvent = undefined;
    this.#used = 0;
  }

  /** The record of the contact's pair. A new record describes the pair as it is now. */
  #recordOf(contact: PlanckContact, began: boolean): ContactEventRecord {
    const one = recordOf(contact.m_fixtureA.m_body), other = recordOf(contact.m_fixtureB.m_body);
    const a = one.id < other.id ? one : other, b = a === one ? other : one;
    const newest = b.body.newestContactEvent as ContactEventRecord | undefined;
    for (let record = newest; record !== undefined; record = record.previous) {
      if (record.a === a.entity) return contact.contactEvent = record;
    }
    const record = this.#pool[this.#used++] ??= new ContactEventRecord();
    contact.contactEvent = b.body.newestContactEvent = record;
    record.previous = newest;
    record.body = b.body;
    record.a = a.entity;
    record.b = b.entity;
    record.began = began;
    record.touched = false;
    describe(record, contact, a.body, b.body);
    return record;
  }
}

/** Sets the origins, the normal and, if the touch began in this tick, the approach speed. */
function describe(record: ContactEventRecord, contact: PlanckContact, a: PlanckBody, b: PlanckBody): void {
  record.ax = a.values[a.offset + ORIGIN_X]!;
  record.ay = a.values[a.offset + ORIGIN_Y]!;
  record.bx = b.values[b.offset + ORIGIN_X]!;
  record.by = b.values[b.offset + ORIGIN_Y]!;
  if (isSensor(contact)) setCentreNormal(record, a, b);
  else setSurfaceNormal(record, contact, a);
  record.approachSpeed = 0;
  if (!record.began) return;
  if (isSensor(contact)) setMidpoint(a, b);
  else setContactPoint(contact);
  setApproachSpeed(record, a, b);
}

/** Sets the speed at which the two approach along the normal at the point `scratch`, m/s. */
function setApproachSpeed(record: ContactEventRecord, a: PlanckBody, b: PlanckBody): void {
  const along = (velocityX(a, scratch) - velocityX(b, scratch)) * record.nx +
    (velocityY(a, scratch) - velocityY(b, scratch)) * record.ny;
  record.approachSpeed = Math.max(0, along);
}

function setSurfaceNormal(record: ContactEventRecord, contact: PlanckContact, a: PlanckBody): void {
  const normal = normalOf(contact), sign = contact.m_fixtureA.m_body === a ? 1 : -1;
  record.nx = sign * normal.x;
  record.ny = sign * normal.y;
}

/** Sets `scratch` to the middle of the contact points. */
function setContactPoint(contact: PlanckContact): void {
  const { points: [first, second], pointCount } = worldManifoldOf(contact);
  setMiddle(first, pointCount === 1 ? first : second);
}

/** Sets `scratch` to the middle between the centres of mass. */
function setMidpoint(a: PlanckBody, b: PlanckBody): void {
  scratch.x = (a.values[a.offset + CENTER_X]! + b.values[b.offset + CENTER_X]!) / 2;
  scratch.y = (a.values[a.offset + CENTER_Y]! + b.values[b.offset + CENTER_Y]!) / 2;
}

function setMiddle(one: Vector, other: Vector): void {
  scratch.x = (one.x + other.x) / 2;
  scratch.y = (one.y + other.y) / 2;
}

function setCentreNormal(record: ContactEventRecord, a: PlanckBody, b: PlanckBody): void {
  const dx = b.values[b.offset + CENTER_X]! - a.values[a.offset + CENTER_X]!;
  const dy = b.values[b.offset + CENTER_Y]! - a.values[a.offset + CENTER_Y]!, distance = Math.sqrt(dx * dx + dy * dy);
  record.nx = distance > 0 ? dx / distance : 0;
  record.ny = distance > 0 ? dy / distance : 1;
}

function compareIds(a: ContactEvent, b: ContactEvent): number {
  return a.a.id - b.a.id || a.b.id - b.b.id;
}
