/**
 * The pairs of entities that touched during one tick, and how each touch began. Two entities may have a contact for
 * every pair of fixtures. The rules get one event per pair of entities and tick.
 */
import * as bodyLayout from "../core/body_rows.ts";
import { velocityX, velocityY } from "../core/body_transform.ts";
import * as contactLayout from "../core/contact_rows.ts";
import * as manifoldLayout from "../geometry/world_manifold.ts";
import { worldManifold } from "../geometry/world_manifold.ts";
import { computeContactManifold, computeContactNormal } from "../dynamics/contact_manifold.ts";
import type { ContactListener, World } from "../dynamics/world.ts";
import { type Entity, recordOf } from "./entity.ts";

const { CENTER_X, CENTER_Y, ORIGIN_X, ORIGIN_Y, BODY_STRIDE, BODY_INTS, BODY_ID, NEWEST_EVENT } = bodyLayout;
const { CONTACT_INTS, CONTACT_FLAGS, CONTACT_BODY_A, CONTACT_BODY_B, EVENT, TOUCHING, OF_SENSOR } = contactLayout;
const { POINT_COUNT } = contactLayout;
const { WORLD_NORMAL_X, WORLD_NORMAL_Y, WORLD_POINTS, WORLD_POINT_STRIDE } = manifoldLayout;

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
  /** The rows of their bodies. */
  rowA = 0;
  rowB = 0;
  /** Number of the previous record of this tick with the same b; 0 if there is none. */
  previous = 0;
}

/** The point where two bodies touch, metres. */
const scratch = { x: 0.5, y: 0.5 };

/**
 * The contact events of one tick, pooled. During the world steps only active contacts are recorded. The events of
 * sleeping pairs are the same in every tick, so they follow when somebody reads the list, or before they change.
 */
export class ContactEventLog implements ContactListener {
  readonly #events: ContactEvent[] = [];
  /** The first `#used` records belong to this tick. Record i has the number i + 1. */
  readonly #pool: ContactEventRecord[] = [];
  #used = 0;
  /** Whether world steps are running, and whether `#events` has all events. */
  #isRecording = false;
  #isComplete = true;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    world.listener = this;
  }

  /** Ascending by (a.id, b.id). */
  get events(): readonly ContactEvent[] {
    this.complete();
    return this.#events;
  }

  /** Removes all events. */
  clear(): void {
    this.#used = 0;
    this.#events.length = 0;
    this.#isRecording = false;
    this.#isComplete = true;
  }

  /** Before the first world step: records the pairs that touch already. */
  beginTick(): void {
    this.clear();
    this.#isRecording = true;
    const { active, contacts: { ints } } = this.#world;
    active.mergeAdded();
    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!;
      if ((ints[contact * CONTACT_INTS + CONTACT_FLAGS]! & TOUCHING) !== 0) this.#recordOf(contact, false);
    }
  }

  onBegin(contact: number): void {
    this.#recordOf(contact, true).touched = true;
  }

  /** The poses of a pair that wakes up are still those of the start of the tick. */
  onActivate(contact: number): void {
    if (this.#isRecording) this.#recordOf(contact, false);
  }

  onRelease(contact: number): void {
    if (!this.#isRecording && !this.#isComplete) this.#recordOf(contact, false).touched = true;
  }

  /** After each world step. */
  markTouching(): void {
    const { active, contacts: { ints } } = this.#world;
    active.mergeAdded();
    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!;
      if ((ints[contact * CONTACT_INTS + CONTACT_FLAGS]! & TOUCHING) !== 0) {
        this.#recordOf(contact, false).touched = true;
      }
    }
  }

  /** After the last world step. */
  endTick(): void {
    this.#isRecording = this.#isComplete = false;
  }

  /** Fills the list. A touching contact without a record has slept for the whole tick. */
  complete(): void {
    if (this.#isComplete || this.#isRecording) return;
    const { order, count, ints } = this.#world.contacts, events = this.#events;
    for (let i = 0; i < count; i++) {
      if ((ints[order[i]! * CONTACT_INTS + CONTACT_FLAGS]! & TOUCHING) === 0) continue;
      this.#recordOf(order[i]!, false).touched = true;
    }
    let isSorted = true;
    for (let i = 0; i < this.#used; i++) {
      const record = this.#pool[i]!;
      if (!record.touched) continue;
      isSorted &&= events.length === 0 || compareIds(events.at(-1)!, record) < 0;
      events.push(record);
    }
    if (!isSorted) events.sort(compareIds);
    this.#isComplete = true;
  }

  /** The record of the contact's pair. A new record describes the pair as it is now. */
  #recordOf(contact: number, began: boolean): ContactEventRecord {
    const { contacts, bodies } = this.#world, k = contact * CONTACT_INTS;
    const rowA = contacts.ints[k + CONTACT_BODY_A]!, rowB = contacts.ints[k + CONTACT_BODY_B]!;
    const known = this.#pool[contacts.ints[k + EVENT]! - 1];
    if (this.#isOf(known, contacts.ints[k + EVENT]!, rowA, rowB)) return known!;
    const inOrder = bodies.ints[rowA * BODY_INTS + BODY_ID]! >>> 0 < bodies.ints[rowB * BODY_INTS + BODY_ID]! >>> 0;
    const a = inOrder ? rowA : rowB, b = inOrder ? rowB : rowA, newest = b * BODY_INTS + NEWEST_EVENT;
    let number = bodies.ints[newest]!;
    // A body has no event of this tick yet if the record with this number is another one's.
    if (number > this.#used || number === 0 || this.#pool[number - 1]!.rowB !== b) number = 0;
    const previous = number;
    for (; number !== 0; number = this.#pool[number - 1]!.previous) {
      if (this.#pool[number - 1]!.rowA !== a) continue;
      contacts.ints[k + EVENT] = number;
      return this.#pool[number - 1]!;
    }
    const record = this.#pool[this.#used++] ??= new ContactEventRecord();
    contacts.ints[k + EVENT] = bodies.ints[newest] = this.#used;
    record.previous = previous;
    record.rowA = a;
    record.rowB = b;
    record.a = recordOf(this.#world, a).entity;
    record.b = recordOf(this.#world, b).entity;
    record.began = began;
    record.touched = false;
    describe(this.#world, record, contact, inOrder);
    return record;
  }

  /** Whether the record with this number is the pair's, in this tick. */
  #isOf(record: ContactEventRecord | undefined, number: number, rowA: number, rowB: number): boolean {
    if (record === undefined || number > this.#used) return false;
    return record.rowA === rowA && record.rowB === rowB || record.rowA === rowB && record.rowB === rowA;
  }
}

/**
 * Sets the origins, the normal and, if the touch began in this tick, the approach speed.
 * @param inOrder whether the contact's body A is the entity a
 */
function describe(world: World, record: ContactEventRecord, contact: number, inOrder: boolean): void {
  const { contacts: { ints }, bodies: { values } } = world, k = contact * CONTACT_INTS;
  const a = ints[k + (inOrder ? CONTACT_BODY_A : CONTACT_BODY_B)]! * BODY_STRIDE;
  const b = ints[k + (inOrder ? CONTACT_BODY_B : CONTACT_BODY_A)]! * BODY_STRIDE;
  const isSensor = (ints[k + CONTACT_FLAGS]! & OF_SENSOR) !== 0;
  record.ax = values[a + ORIGIN_X]!;
  record.ay = values[a + ORIGIN_Y]!;
  record.bx = values[b + ORIGIN_X]!;
  record.by = values[b + ORIGIN_Y]!;
  if (isSensor) setCentreNormal(record, values, a, b);
  else setSurfaceNormal(world, record, contact, inOrder ? 1 : -1);
  record.approachSpeed = 0;
  if (!record.began) return;
  if (isSensor) setMidpoint(values, a, b);
  else setContactPoint(world, contact);
  setApproachSpeed(record, values, a, b);
}

/** Sets the speed at which the two approach along the normal at the point `scratch`, m/s. */
function setApproachSpeed(record: ContactEventRecord, values: Float64Array, a: number, b: number): void {
  const along = (velocityX(values, a, scratch) - velocityX(values, b, scratch)) * record.nx +
    (velocityY(values, a, scratch) - velocityY(values, b, scratch)) * record.ny;
  record.approachSpeed = Math.max(0, along);
}

function setSurfaceNormal(world: World, record: ContactEventRecord, contact: number, sign: number): void {
  computeContactNormal(world, contact);
  record.nx = sign * worldManifold[WORLD_NORMAL_X]!;
  record.ny = sign * worldManifold[WORLD_NORMAL_Y]!;
}

/** Sets `scratch` to the middle of the contact points. */
function setContactPoint(world: World, contact: number): void {
  computeContactManifold(world, contact);
  const isSingle = world.contacts.ints[contact * CONTACT_INTS + POINT_COUNT] === 1;
  const first = WORLD_POINTS, last = isSingle ? first : first + WORLD_POINT_STRIDE;
  scratch.x = (worldManifold[first]! + worldManifold[last]!) / 2;
  scratch.y = (worldManifold[first + 1]! + worldManifold[last + 1]!) / 2;
}

/** Sets `scratch` to the middle between the centres of mass. */
function setMidpoint(values: Float64Array, a: number, b: number): void {
  scratch.x = (values[a + CENTER_X]! + values[b + CENTER_X]!) / 2;
  scratch.y = (values[a + CENTER_Y]! + values[b + CENTER_Y]!) / 2;
}

function setCentreNormal(record: ContactEventRecord, values: Float64Array, a: number, b: number): void {
  const dx = values[b + CENTER_X]! - values[a + CENTER_X]!, dy = values[b + CENTER_Y]! - values[a + CENTER_Y]!;
  const distance = Math.sqrt(dx * dx + dy * dy);
  record.nx = distance > 0 ? dx / distance : 0;
  record.ny = distance > 0 ? dy / distance : 1;
}

function compareIds(a: ContactEvent, b: ContactEvent): number {
  return a.a.id - b.a.id || a.b.id - b.b.id;
}
