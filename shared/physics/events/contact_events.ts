/**
 * The pairs of entities that touched during one tick, and how each touch began. Two entities may
 * have a contact for every pair of fixtures. The rules get one event per pair of entities and tick.
 */
import * as bodyLayout from "../core/body_rows.ts";
import { velocityX, velocityY } from "../core/body_transform.ts";
import * as contactLayout from "../core/contact_rows.ts";
import * as manifoldLayout from "../geometry/world_manifold.ts";
import { worldManifold } from "../geometry/world_manifold.ts";
import { computeContactManifold, computeContactNormal } from "../dynamics/contact_manifold.ts";
import type { ContactListener, World } from "../dynamics/world.ts";
import { sortShort } from "../../sorted_list.ts";
import { type Entity, recordOf } from "../stage/entity.ts";

const { CENTER_X, CENTER_Y, ORIGIN_X, ORIGIN_Y, BODY_STRIDE, BODY_INTS, BODY_ID, NEWEST_EVENT } =
  bodyLayout;
const { CONTACT_INTS, CONTACT_FLAGS, CONTACT_BODY_A, CONTACT_BODY_B, EVENT, TOUCHING, OF_SENSOR } =
  contactLayout;
const { POINT_COUNT } = contactLayout;
const { WORLD_NORMAL_X, WORLD_NORMAL_Y, WORLD_POINTS, WORLD_POINT_STRIDE } = manifoldLayout;

/**
 * Two entities that touched during a tick: at least their skins did (`Shape`). `a` has the smaller
 * id and may be the ground. Valid until `endTick` or `load`.
 */
export interface ContactEvent {
  readonly a: Entity;
  readonly b: Entity;
  /** Whether they did not touch at the end of the previous tick. */
  readonly began: boolean;
  /**
   * Whether they touched only in passing, between two world steps, where a sensor saw it
   * (`FixtureDef.swept`).
   */
  readonly swept: boolean;
  /**
   * Origins of both when they first touched in this tick, metres. For a touch that continues: at
   * the start of the tick.
   */
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  /**
   * Speed along the normal at which they approached when they first touched, m/s, >= 0. 0 for a
   * touch that continues.
   */
  readonly approachSpeed: number;
  /**
   * Unit vector from a to b: the contact normal; for sensors, from centre of mass to centre of
   * mass.
   */
  readonly nx: number;
  readonly ny: number;
}

/**
 * A row of `EventRows.values`: the numbers of `ContactEvent` with these names. `describe` sets
 * them.
 */
export const AX = 0;
export const AY = 1;
export const BX = 2;
export const BY = 3;
export const NX = 4;
export const NY = 5;
export const APPROACH_SPEED = 6;
const EVENT_VALUES = 8;
/**
 * A row of `EventRows.ints`: the rows of both bodies; the previous event of this tick with the same
 * b; the flags below. An event is given by its number, which is its row + 1. The number 0 is none.
 */
const ROW_A = 0;
const ROW_B = 1;
const PREVIOUS = 2;
const EVENT_FLAGS = 3;
const EVENT_INTS = 4;
/**
 * Flags. Without `TOUCHED` all that is known of the pair is the end of the previous tick. `LISTED`:
 * the list of events has it. `SWEPT`: it has touched in passing alone.
 */
const BEGAN = 1;
const TOUCHED = 2;
const LISTED = 4;
const SWEPT = 8;

/**
 * The events of one tick as rows of numbers: many stages take turns, and each finds its events in
 * few cache lines.
 */
class EventRows {
  values = new Float64Array(16 * EVENT_VALUES);
  ints = new Int32Array(16 * EVENT_INTS);

  reserve(count: number): void {
    if (count * EVENT_INTS <= this.ints.length) return;
    const { values, ints } = this;
    this.values = new Float64Array(2 * values.length);
    this.values.set(values);
    this.ints = new Int32Array(2 * ints.length);
    this.ints.set(ints);
  }
}

/** One row as its readers see it. */
class EventView implements ContactEvent {
  a!: Entity;
  b!: Entity;
  readonly #rows: EventRows;
  readonly #row: number;

  constructor(rows: EventRows, row: number) {
    this.#rows = rows;
    this.#row = row;
  }

  get began(): boolean {
    return (this.#rows.ints[this.#row * EVENT_INTS + EVENT_FLAGS]! & BEGAN) !== 0;
  }

  get swept(): boolean {
    return (this.#rows.ints[this.#row * EVENT_INTS + EVENT_FLAGS]! & SWEPT) !== 0;
  }

  get ax(): number {
    return this.#rows.values[this.#row * EVENT_VALUES + AX]!;
  }

  get ay(): number {
    return this.#rows.values[this.#row * EVENT_VALUES + AY]!;
  }

  get bx(): number {
    return this.#rows.values[this.#row * EVENT_VALUES + BX]!;
  }

  get by(): number {
    return this.#rows.values[this.#row * EVENT_VALUES + BY]!;
  }

  get nx(): number {
    return this.#rows.values[this.#row * EVENT_VALUES + NX]!;
  }

  get ny(): number {
    return this.#rows.values[this.#row * EVENT_VALUES + NY]!;
  }

  get approachSpeed(): number {
    return this.#rows.values[this.#row * EVENT_VALUES + APPROACH_SPEED]!;
  }
}

const NO_EVENTS: readonly ContactEvent[] = [];

/**
 * The point where two bodies touch, metres. Written by `setContactPoint` and `setMidpoint`, read by
 * `setApproachSpeed`.
 */
const scratch = { x: 0.5, y: 0.5 };

/**
 * The contact events of one tick. During the world steps only active contacts are recorded. The
 * events of sleeping pairs are the same in every tick, so they follow when somebody reads the list,
 * or before they change.
 */
export class ContactEventLog implements ContactListener {
  readonly #events: ContactEvent[] = [];
  /** The first `#used` rows belong to this tick. */
  readonly #rows = new EventRows();
  readonly #views: EventView[] = [];
  #used = 0;
  /** The number of events in the list. */
  #listed = 0;
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
    return this.#isComplete ? this.#events : NO_EVENTS;
  }

  /** Removes all events. */
  clear(): void {
    this.#used = this.#listed = this.#events.length = 0;
    this.#isRecording = false;
    this.#isComplete = true;
  }

  /** Before the first world step: records the pairs that touch already. The log is clear. */
  beginTick(): void {
    this.#isRecording = true;
    this.#isComplete = false;
    const { active, contacts: { ints } } = this.#world;
    active.mergeAdded();
    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!;
      if ((ints[contact * CONTACT_INTS + CONTACT_FLAGS]! & TOUCHING) !== 0) {
        this.#numberOf(contact, false);
      }
    }
  }

  onBegin(contact: number): void {
    this.#markTouched(this.#numberOf(contact, true));
  }

  /** The poses of a pair that wakes up are still those of the start of the tick. */
  onActivate(contact: number): void {
    if (this.#isRecording) this.#numberOf(contact, false);
  }

  onEnd(): void {}

  onSweep(contact: number): void {
    const before = this.#used;
    const number = this.#numberOf(contact, true);
    const isNew = number > before;
    this.#markTouched(number);
    if (isNew) this.#rows.ints[(number - 1) * EVENT_INTS + EVENT_FLAGS]! |= SWEPT;
  }

  onRelease(contact: number): void {
    if (!this.#isRecording && !this.#isComplete) this.#markTouched(this.#numberOf(contact, false));
  }

  /** After each world step. */
  markTouching(): void {
    const { active, contacts: { ints } } = this.#world;
    active.mergeAdded();
    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!;
      if ((ints[contact * CONTACT_INTS + CONTACT_FLAGS]! & TOUCHING) !== 0) {
        this.#markTouched(this.#numberOf(contact, false));
      }
    }
  }

  /** After the last world step. */
  endTick(): void {
    this.#isRecording = false;
  }

  /** Fills the list. A touching contact without an event has slept for the whole tick. */
  complete(): void {
    if (this.#isComplete || this.#isRecording) return;
    const { order, count, ints } = this.#world.contacts;
    for (let i = 0; i < count; i++) {
      const contact = order[i]!;
      const isTouching = (ints[contact * CONTACT_INTS + CONTACT_FLAGS]! & TOUCHING) !== 0;
      const number = isTouching ? this.#numberOf(contact, false) : this.#knownNumberOf(contact);
      if (isTouching) this.#markTouched(number);
      if (number !== 0) this.#list(number);
    }
    // Those of contacts that are gone.
    for (let number = 1; number <= this.#used; number++) this.#list(number);
    // In the order of the contacts, all events but those of the ground are in order: it has many
    // fixtures.
    sortShort(this.#events, this.#listed, isBefore);
    this.#events.length = this.#listed;
    this.#isComplete = true;
  }

  /** Appends an event to the list unless it is there, or did not touch. */
  #list(number: number): void {
    const { ints } = this.#rows;
    const row = (number - 1) * EVENT_INTS;
    if ((ints[row + EVENT_FLAGS]! & (TOUCHED | LISTED)) !== TOUCHED) return;
    ints[row + EVENT_FLAGS]! |= LISTED;
    const view = this.#views[number - 1] ??= new EventView(this.#rows, number - 1);
    view.a = recordOf(this.#world, ints[row + ROW_A]!).entity;
    view.b = recordOf(this.#world, ints[row + ROW_B]!).entity;
    this.#events[this.#listed++] = view;
  }

  #markTouched(number: number): void {
    const { ints } = this.#rows;
    const flags = (number - 1) * EVENT_INTS + EVENT_FLAGS;
    ints[flags] = ints[flags]! & ~SWEPT | TOUCHED;
  }

  /**
   * @returns the number of the event of the contact's pair. A new event describes the pair as it is
   *   now
   */
  #numberOf(contact: number, began: boolean): number {
    const known = this.#knownNumberOf(contact);
    if (known !== 0) return known;

    // The pair in the order of its ids
    const { contacts, bodies } = this.#world;
    const k = contact * CONTACT_INTS;
    const rowA = contacts.ints[k + CONTACT_BODY_A]!;
    const rowB = contacts.ints[k + CONTACT_BODY_B]!;
    const inOrder = bodies.ints[rowA * BODY_INTS + BODY_ID]! >>> 0 <
      bodies.ints[rowB * BODY_INTS + BODY_ID]! >>> 0;
    const a = inOrder ? rowA : rowB;
    const b = inOrder ? rowB : rowA;

    // An event that another contact of the pair has begun
    const previous = this.#newestOf(b);
    for (let number = previous; number !== 0;) {
      const row = (number - 1) * EVENT_INTS;
      if (this.#rows.ints[row + ROW_A] === a) return contacts.ints[k + EVENT] = number;
      number = this.#rows.ints[row + PREVIOUS]!;
    }

    // A new event
    const newest = b * BODY_INTS + NEWEST_EVENT;
    const number = ++this.#used;
    const row = (number - 1) * EVENT_INTS;
    this.#rows.reserve(number);
    const { ints, values } = this.#rows;
    contacts.ints[k + EVENT] = bodies.ints[newest] = number;
    ints[row + ROW_A] = a;
    ints[row + ROW_B] = b;
    ints[row + PREVIOUS] = previous;
    ints[row + EVENT_FLAGS] = began ? BEGAN : 0;
    describe(this.#world, values, (number - 1) * EVENT_VALUES, contact, inOrder, began);
    return number;
  }

  /**
   * @returns the number that the contact has from an earlier call if it is that of its pair in this
   *   tick; 0 if not
   */
  #knownNumberOf(contact: number): number {
    const { ints } = this.#world.contacts;
    const k = contact * CONTACT_INTS;
    const number = ints[k + EVENT]!;
    if (number === 0 || number > this.#used) return 0;
    const row = (number - 1) * EVENT_INTS;
    const a = this.#rows.ints[row + ROW_A]!;
    const b = this.#rows.ints[row + ROW_B]!;
    const rowA = ints[k + CONTACT_BODY_A]!;
    const rowB = ints[k + CONTACT_BODY_B]!;
    return a === rowA && b === rowB || a === rowB && b === rowA ? number : 0;
  }

  /**
   * @returns the number of the newest event of this tick in which the body is b; 0 if there is none
   */
  #newestOf(body: number): number {
    const number = this.#world.bodies.ints[body * BODY_INTS + NEWEST_EVENT]!;
    // It is out of date if the event with this number is another body's.
    if (number === 0 || number > this.#used) return 0;
    return this.#rows.ints[(number - 1) * EVENT_INTS + ROW_B] === body ? number : 0;
  }
}

/**
 * Sets the origins, the normal and, if the touch began in this tick, the approach speed.
 * @param v offset of the event in `values`
 * @param inOrder whether the contact's body A is the entity a
 */
export function describe(
  world: World,
  values: Float64Array,
  v: number,
  contact: number,
  inOrder: boolean,
  began: boolean,
): void {
  const { contacts: { ints }, bodies } = world;
  const k = contact * CONTACT_INTS;
  const a = ints[k + (inOrder ? CONTACT_BODY_A : CONTACT_BODY_B)]! * BODY_STRIDE;
  const b = ints[k + (inOrder ? CONTACT_BODY_B : CONTACT_BODY_A)]! * BODY_STRIDE;

  // Where the two are
  values[v + AX] = bodies.values[a + ORIGIN_X]!;
  values[v + AY] = bodies.values[a + ORIGIN_Y]!;
  values[v + BX] = bodies.values[b + ORIGIN_X]!;
  values[v + BY] = bodies.values[b + ORIGIN_Y]!;

  // The normal
  const isSensor = (ints[k + CONTACT_FLAGS]! & OF_SENSOR) !== 0;
  if (isSensor) setCentreNormal(values, v, bodies.values, a, b);
  else setSurfaceNormal(world, values, v, contact, inOrder ? 1 : -1);

  // The approach speed
  values[v + APPROACH_SPEED] = 0;
  if (!began) return;
  if (isSensor) setMidpoint(bodies.values, a, b);
  else setContactPoint(world, contact);
  setApproachSpeed(values, v, bodies.values, a, b);
}

/** Sets the speed at which the two approach along the normal at the point `scratch`, m/s. */
function setApproachSpeed(
  values: Float64Array,
  v: number,
  bodies: Float64Array,
  a: number,
  b: number,
): void {
  const along = (velocityX(bodies, a, scratch) - velocityX(bodies, b, scratch)) * values[v + NX]! +
    (velocityY(bodies, a, scratch) - velocityY(bodies, b, scratch)) * values[v + NY]!;
  values[v + APPROACH_SPEED] = Math.max(0, along);
}

function setSurfaceNormal(
  world: World,
  values: Float64Array,
  v: number,
  contact: number,
  sign: number,
): void {
  computeContactNormal(world, contact);
  values[v + NX] = sign * worldManifold[WORLD_NORMAL_X]!;
  values[v + NY] = sign * worldManifold[WORLD_NORMAL_Y]!;
}

/** Sets `scratch` to the middle of the contact points. */
function setContactPoint(world: World, contact: number): void {
  computeContactManifold(world, contact);
  const isSingle = world.contacts.ints[contact * CONTACT_INTS + POINT_COUNT] === 1;
  const first = WORLD_POINTS;
  const last = isSingle ? first : first + WORLD_POINT_STRIDE;
  scratch.x = (worldManifold[first]! + worldManifold[last]!) / 2;
  scratch.y = (worldManifold[first + 1]! + worldManifold[last + 1]!) / 2;
}

/** Sets `scratch` to the middle between the centres of mass. */
function setMidpoint(values: Float64Array, a: number, b: number): void {
  scratch.x = (values[a + CENTER_X]! + values[b + CENTER_X]!) / 2;
  scratch.y = (values[a + CENTER_Y]! + values[b + CENTER_Y]!) / 2;
}

function setCentreNormal(
  values: Float64Array,
  v: number,
  bodies: Float64Array,
  a: number,
  b: number,
): void {
  const dx = bodies[b + CENTER_X]! - bodies[a + CENTER_X]!;
  const dy = bodies[b + CENTER_Y]! - bodies[a + CENTER_Y]!;
  const distance = Math.sqrt(dx * dx + dy * dy);
  values[v + NX] = distance > 0 ? dx / distance : 0;
  values[v + NY] = distance > 0 ? dy / distance : 1;
}

function isBefore(one: ContactEvent, other: ContactEvent): boolean {
  return one.a.id < other.a.id || one.a.id === other.a.id && one.b.id < other.b.id;
}
