/**
 * The pairs of entities that touched during one tick, and how each touch began. Two entities may
 * have a contact for every pair of fixtures. The rules get one event per pair of entities and tick.
 */
import { Body, BodyInt } from "../core/body_rows.ts";
import { velocityX, velocityY } from "../core/body_transform.ts";
import { ContactFlag, ContactInt } from "../core/contact_rows.ts";
import { WorldManifold, worldManifold, WorldPoint } from "../geometry/world_manifold.ts";
import { computeContactManifold, computeContactNormal } from "../dynamics/contact_manifold.ts";
import type { ContactListener, World } from "../dynamics/world.ts";
import { sortShort } from "../../sorted_list.ts";
import { type Entity, recordOf } from "../stage/entity.ts";

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
export enum EventValue {
  AX = 0,
  AY = 1,
  BX = 2,
  BY = 3,
  NX = 4,
  NY = 5,
  APPROACH_SPEED = 6,
  STRIDE = 8,
}

/**
 * A row of `EventRows.ints`: the rows of both bodies; the previous event of this tick with the same
 * b; the flags below. An event is given by its number, which is its row + 1. The number 0 is none.
 */
enum EventInt {
  ROW_A = 0,
  ROW_B = 1,
  PREVIOUS = 2,
  FLAGS = 3,
  STRIDE = 4,
}

/**
 * Flags. Without `TOUCHED` all that is known of the pair is the end of the previous tick. `LISTED`:
 * the list of events has it. `SWEPT`: it has touched in passing alone.
 */
enum EventFlag {
  BEGAN = 1,
  TOUCHED = 2,
  LISTED = 4,
  SWEPT = 8,
}

/**
 * The events of one tick as rows of numbers: many stages take turns, and each finds its events in
 * few cache lines.
 */
class EventRows {
  values = new Float64Array(16 * EventValue.STRIDE);
  ints = new Int32Array(16 * EventInt.STRIDE);

  reserve(count: number): void {
    if (count * EventInt.STRIDE <= this.ints.length) return;
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
    return (this.#rows.ints[this.#row * EventInt.STRIDE + EventInt.FLAGS]! & EventFlag.BEGAN) !== 0;
  }

  get swept(): boolean {
    return (this.#rows.ints[this.#row * EventInt.STRIDE + EventInt.FLAGS]! & EventFlag.SWEPT) !== 0;
  }

  get ax(): number {
    return this.#rows.values[this.#row * EventValue.STRIDE + EventValue.AX]!;
  }

  get ay(): number {
    return this.#rows.values[this.#row * EventValue.STRIDE + EventValue.AY]!;
  }

  get bx(): number {
    return this.#rows.values[this.#row * EventValue.STRIDE + EventValue.BX]!;
  }

  get by(): number {
    return this.#rows.values[this.#row * EventValue.STRIDE + EventValue.BY]!;
  }

  get nx(): number {
    return this.#rows.values[this.#row * EventValue.STRIDE + EventValue.NX]!;
  }

  get ny(): number {
    return this.#rows.values[this.#row * EventValue.STRIDE + EventValue.NY]!;
  }

  get approachSpeed(): number {
    return this.#rows.values[this.#row * EventValue.STRIDE + EventValue.APPROACH_SPEED]!;
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
      if ((ints[contact * ContactInt.STRIDE + ContactInt.FLAGS]! & ContactFlag.TOUCHING) !== 0) {
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
    if (isNew) this.#rows.ints[(number - 1) * EventInt.STRIDE + EventInt.FLAGS]! |= EventFlag.SWEPT;
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
      if ((ints[contact * ContactInt.STRIDE + ContactInt.FLAGS]! & ContactFlag.TOUCHING) !== 0) {
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
      const isTouching =
        (ints[contact * ContactInt.STRIDE + ContactInt.FLAGS]! & ContactFlag.TOUCHING) !== 0;
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
    const row = (number - 1) * EventInt.STRIDE;
    if (
      (ints[row + EventInt.FLAGS]! & (EventFlag.TOUCHED | EventFlag.LISTED)) !== EventFlag.TOUCHED
    ) return;
    ints[row + EventInt.FLAGS]! |= EventFlag.LISTED;
    const view = this.#views[number - 1] ??= new EventView(this.#rows, number - 1);
    view.a = recordOf(this.#world, ints[row + EventInt.ROW_A]!).entity;
    view.b = recordOf(this.#world, ints[row + EventInt.ROW_B]!).entity;
    this.#events[this.#listed++] = view;
  }

  #markTouched(number: number): void {
    const { ints } = this.#rows;
    const flags = (number - 1) * EventInt.STRIDE + EventInt.FLAGS;
    ints[flags] = ints[flags]! & ~EventFlag.SWEPT | EventFlag.TOUCHED;
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
    const k = contact * ContactInt.STRIDE;
    const rowA = contacts.ints[k + ContactInt.BODY_A]!;
    const rowB = contacts.ints[k + ContactInt.BODY_B]!;
    const inOrder = bodies.ints[rowA * BodyInt.STRIDE + BodyInt.ID]! >>> 0 <
      bodies.ints[rowB * BodyInt.STRIDE + BodyInt.ID]! >>> 0;
    const a = inOrder ? rowA : rowB;
    const b = inOrder ? rowB : rowA;

    // An event that another contact of the pair has begun
    const previous = this.#newestOf(b);
    for (let number = previous; number !== 0;) {
      const row = (number - 1) * EventInt.STRIDE;
      if (this.#rows.ints[row + EventInt.ROW_A] === a) {
        return contacts.ints[k + ContactInt.EVENT] = number;
      }
      number = this.#rows.ints[row + EventInt.PREVIOUS]!;
    }

    // A new event
    const newest = b * BodyInt.STRIDE + BodyInt.NEWEST_EVENT;
    const number = ++this.#used;
    const row = (number - 1) * EventInt.STRIDE;
    this.#rows.reserve(number);
    const { ints, values } = this.#rows;
    contacts.ints[k + ContactInt.EVENT] = bodies.ints[newest] = number;
    ints[row + EventInt.ROW_A] = a;
    ints[row + EventInt.ROW_B] = b;
    ints[row + EventInt.PREVIOUS] = previous;
    ints[row + EventInt.FLAGS] = began ? EventFlag.BEGAN : 0;
    describe(this.#world, values, (number - 1) * EventValue.STRIDE, contact, inOrder, began);
    return number;
  }

  /**
   * @returns the number that the contact has from an earlier call if it is that of its pair in this
   *   tick; 0 if not
   */
  #knownNumberOf(contact: number): number {
    const { ints } = this.#world.contacts;
    const k = contact * ContactInt.STRIDE;
    const number = ints[k + ContactInt.EVENT]!;
    if (number === 0 || number > this.#used) return 0;
    const row = (number - 1) * EventInt.STRIDE;
    const a = this.#rows.ints[row + EventInt.ROW_A]!;
    const b = this.#rows.ints[row + EventInt.ROW_B]!;
    const rowA = ints[k + ContactInt.BODY_A]!;
    const rowB = ints[k + ContactInt.BODY_B]!;
    return a === rowA && b === rowB || a === rowB && b === rowA ? number : 0;
  }

  /**
   * @returns the number of the newest event of this tick in which the body is b; 0 if there is none
   */
  #newestOf(body: number): number {
    const number = this.#world.bodies.ints[body * BodyInt.STRIDE + BodyInt.NEWEST_EVENT]!;
    // It is out of date if the event with this number is another body's.
    if (number === 0 || number > this.#used) return 0;
    return this.#rows.ints[(number - 1) * EventInt.STRIDE + EventInt.ROW_B] === body ? number : 0;
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
  const k = contact * ContactInt.STRIDE;
  const a = ints[k + (inOrder ? ContactInt.BODY_A : ContactInt.BODY_B)]! * Body.STRIDE;
  const b = ints[k + (inOrder ? ContactInt.BODY_B : ContactInt.BODY_A)]! * Body.STRIDE;

  // Where the two are
  values[v + EventValue.AX] = bodies.values[a + Body.ORIGIN_X]!;
  values[v + EventValue.AY] = bodies.values[a + Body.ORIGIN_Y]!;
  values[v + EventValue.BX] = bodies.values[b + Body.ORIGIN_X]!;
  values[v + EventValue.BY] = bodies.values[b + Body.ORIGIN_Y]!;

  // The normal
  const isSensor = (ints[k + ContactInt.FLAGS]! & ContactFlag.OF_SENSOR) !== 0;
  if (isSensor) setCentreNormal(values, v, bodies.values, a, b);
  else setSurfaceNormal(world, values, v, contact, inOrder ? 1 : -1);

  // The approach speed
  values[v + EventValue.APPROACH_SPEED] = 0;
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
  const along =
    (velocityX(bodies, a, scratch) - velocityX(bodies, b, scratch)) * values[v + EventValue.NX]! +
    (velocityY(bodies, a, scratch) - velocityY(bodies, b, scratch)) * values[v + EventValue.NY]!;
  values[v + EventValue.APPROACH_SPEED] = Math.max(0, along);
}

function setSurfaceNormal(
  world: World,
  values: Float64Array,
  v: number,
  contact: number,
  sign: number,
): void {
  computeContactNormal(world, contact);
  values[v + EventValue.NX] = sign * worldManifold[WorldManifold.NORMAL_X]!;
  values[v + EventValue.NY] = sign * worldManifold[WorldManifold.NORMAL_Y]!;
}

/** Sets `scratch` to the middle of the contact points. */
function setContactPoint(world: World, contact: number): void {
  computeContactManifold(world, contact);
  const isSingle = world.contacts.ints[contact * ContactInt.STRIDE + ContactInt.POINT_COUNT] === 1;
  const first = WorldManifold.POINTS;
  const last = isSingle ? first : first + WorldPoint.STRIDE;
  scratch.x = (worldManifold[first]! + worldManifold[last]!) / 2;
  scratch.y = (worldManifold[first + 1]! + worldManifold[last + 1]!) / 2;
}

/** Sets `scratch` to the middle between the centres of mass. */
function setMidpoint(values: Float64Array, a: number, b: number): void {
  scratch.x = (values[a + Body.CENTER_X]! + values[b + Body.CENTER_X]!) / 2;
  scratch.y = (values[a + Body.CENTER_Y]! + values[b + Body.CENTER_Y]!) / 2;
}

function setCentreNormal(
  values: Float64Array,
  v: number,
  bodies: Float64Array,
  a: number,
  b: number,
): void {
  const dx = bodies[b + Body.CENTER_X]! - bodies[a + Body.CENTER_X]!;
  const dy = bodies[b + Body.CENTER_Y]! - bodies[a + Body.CENTER_Y]!;
  const distance = Math.sqrt(dx * dx + dy * dy);
  values[v + EventValue.NX] = distance > 0 ? dx / distance : 0;
  values[v + EventValue.NY] = distance > 0 ? dy / distance : 1;
}

function isBefore(one: ContactEvent, other: ContactEvent): boolean {
  return one.a.id < other.a.id || one.a.id === other.a.id && one.b.id < other.b.id;
}
