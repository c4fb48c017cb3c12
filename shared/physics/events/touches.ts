/**
 * The touches of one tick: every time that two fixtures began to touch, went on, or parted, with
 * the impulses between them. Each touch that begins ends once: in the list of the tick whose
 * physics finds the two apart, or in the next list if it ends after a tick's physics
 * (`ended_touches.ts`). `contact_events.ts` has less: one event per pair of entities.
 */
import { Contact, ContactFlag, ContactInt, ContactPoint } from "../core/contact_rows.ts";
import { BodyInt } from "../core/body_rows.ts";
import { FixtureInt } from "../core/fixture_rows.ts";
import { fixtureOfKey, idOfKey } from "../core/proxy_key.ts";
import type { StageFeature } from "../core/types.ts";
import { computeContactManifold } from "../dynamics/contact_manifold.ts";
import type { ContactListener, World } from "../dynamics/world.ts";
import { WorldManifold, worldManifold, WorldPoint } from "../geometry/world_manifold.ts";
import { describe, EventValue } from "./contact_events.ts";
import type { EndedTouchWords } from "../snapshot/layout.ts";
import type { CompiledBody } from "../stage/compiled_archetypes.ts";
import { type Entity, GoneRecord, recordOf } from "../stage/entity.ts";
import type { EntityTable } from "../stage/entity_table.ts";
import {
  checkEndedTouches,
  type EndedTouch,
  EndedTouches,
  labelsOfEndedTouches,
} from "./ended_touches.ts";

/** A point on the stage, metres. */
export interface TouchPoint {
  readonly x: number;
  readonly y: number;
}

/**
 * One touch of two fixtures within a tick, from its begin, or the start of the tick, to its end. A
 * ball that bounces several times in a tick has as many touches. It begins when the skins of both
 * meet, which is up to 2 cm before the shapes do (`Shape`). Valid until `endTick` or `load`.
 */
export interface Touch {
  /**
   * The entity with the smaller id; it may be the ground. One that had left the stage before this
   * tick's physics, or had become one of another archetype, is a handle that is not `isOnStage`: it
   * has the id and the archetype of then, and throws a `StageError` for all else.
   */
  readonly a: Entity;
  readonly b: Entity;
  /** Index in the list of fixtures that the archetype, or the ground, declares. */
  readonly fixtureA: number;
  readonly fixtureB: number;
  /** The segment of a chain; 0 for other shapes. */
  readonly segmentA: number;
  readonly segmentB: number;
  /** The tag that the author gave to the fixture. */
  readonly tagA: string | undefined;
  readonly tagB: string | undefined;
  /** Whether the two began to touch in the world steps of this tick. */
  readonly began: boolean;
  /**
   * Whether they have parted since the physics of the tick before, by whatever: motion, rules, or
   * the loss of one.
   */
  readonly ended: boolean;
  /**
   * Whether they had parted before the physics of this tick. Nothing more is known of such a touch:
   * it has no points, and its numbers are 0.
   */
  readonly endedBefore: boolean;
  /**
   * Whether a sensor saw it in passing, between two world steps (`FixtureDef.swept`). It has begun
   * and ended.
   */
  readonly swept: boolean;
  /**
   * Where they touched when the touch began; for a touch that continues: at the start of the tick.
   * One or two points, none for a sensor.
   */
  readonly points: readonly TouchPoint[];
  /** Unit vector from a to b at that time; for sensors, from centre of mass to centre of mass. */
  readonly nx: number;
  readonly ny: number;
  /**
   * Speed along the normal at which they approached when the touch began, m/s, >= 0. 0 for a touch
   * that continues.
   */
  readonly approachSpeed: number;
  /**
   * Impulse along the normal in this tick, N·s, >= 0: what presses a resting body is its weight
   * times the length of the tick. It is 0 for sensors and for pairs that do not push each other.
   */
  readonly normalImpulse: number;
  /** Sum of the magnitudes of the friction impulses of all world steps of this tick, N·s, >= 0. */
  readonly frictionImpulse: number;
}

/**
 * A row of the log's `values`: the numbers that `describe` sets, then up to two points and the
 * impulses.
 */
const POINTS = 8;
const NORMAL_SUM = 12;
const FRICTION_SUM = 13;
const TOUCH_VALUES = 14;
/**
 * A row of `ints`: the contact's row; the rows of a and b; the number of points; the flags below.
 */
const CONTACT = 0;
const ROW_A = 1;
const ROW_B = 2;
const POINTS_USED = 3;
const TOUCH_FLAGS = 4;
/** Then the indices and the segments of both fixtures. */
const FIXTURE_OF_A = 5;
const FIXTURE_OF_B = 6;
const SEGMENT_OF_A = 7;
const SEGMENT_OF_B = 8;
const TOUCH_INTS = 10;
/** In place of the contact of a touch that had ended before this tick's physics. */
const NO_CONTACT = -1;
const BEGAN = 1;
const ENDED = 2;
const BEFORE = 4;
const SWEPT = 8;

/** One row as its readers see it. */
class TouchView implements Touch {
  a!: Entity;
  b!: Entity;
  readonly points: TouchPoint[] = [];
  readonly #log: TouchLog;
  /** Made once: `points` has the first of them. */
  readonly #bothPoints = [{ x: 0, y: 0 }, { x: 0, y: 0 }];
  readonly row: number;

  constructor(log: TouchLog, row: number) {
    this.#log = log;
    this.row = row;
  }

  /** Fills `points` from the row. */
  readPoints(): void {
    const { values, ints } = this.#log;
    const count = ints[this.row * TOUCH_INTS + POINTS_USED]!;
    this.points.length = 0;
    for (let i = 0; i < count; i++) {
      const point = this.#bothPoints[i]!;
      const from = this.row * TOUCH_VALUES + POINTS + 2 * i;
      point.x = values[from]!;
      point.y = values[from + 1]!;
      this.points.push(point);
    }
  }

  get fixtureA(): number {
    return this.#log.ints[this.row * TOUCH_INTS + FIXTURE_OF_A]!;
  }

  get fixtureB(): number {
    return this.#log.ints[this.row * TOUCH_INTS + FIXTURE_OF_B]!;
  }

  get segmentA(): number {
    return this.#log.ints[this.row * TOUCH_INTS + SEGMENT_OF_A]!;
  }

  get segmentB(): number {
    return this.#log.ints[this.row * TOUCH_INTS + SEGMENT_OF_B]!;
  }

  get tagA(): string | undefined {
    return this.a.archetype.body?.fixtures[this.fixtureA]?.tag;
  }

  get tagB(): string | undefined {
    return this.b.archetype.body?.fixtures[this.fixtureB]?.tag;
  }

  get began(): boolean {
    return (this.#log.ints[this.row * TOUCH_INTS + TOUCH_FLAGS]! & BEGAN) !== 0;
  }

  get ended(): boolean {
    return (this.#log.ints[this.row * TOUCH_INTS + TOUCH_FLAGS]! & ENDED) !== 0;
  }

  get endedBefore(): boolean {
    return (this.#log.ints[this.row * TOUCH_INTS + TOUCH_FLAGS]! & BEFORE) !== 0;
  }

  get swept(): boolean {
    return (this.#log.ints[this.row * TOUCH_INTS + TOUCH_FLAGS]! & SWEPT) !== 0;
  }

  get nx(): number {
    return this.#log.values[this.row * TOUCH_VALUES + EventValue.NX]!;
  }

  get ny(): number {
    return this.#log.values[this.row * TOUCH_VALUES + EventValue.NY]!;
  }

  get approachSpeed(): number {
    return this.#log.values[this.row * TOUCH_VALUES + EventValue.APPROACH_SPEED]!;
  }

  get normalImpulse(): number {
    return this.#log.values[this.row * TOUCH_VALUES + NORMAL_SUM]!;
  }

  get frictionImpulse(): number {
    return this.#log.values[this.row * TOUCH_VALUES + FRICTION_SUM]!;
  }
}

/**
 * The touches of one tick. Those of pairs that sleep follow when somebody reads the list, or before
 * they change. Their impulses are those that the pair had in each world step when it fell asleep.
 */
export class TouchLog implements ContactListener {
  values = new Float64Array(16 * TOUCH_VALUES);
  ints = new Int32Array(16 * TOUCH_INTS);
  /** The touches that have ended since this tick's physics: the next list has their ends. */
  readonly ended = new EndedTouches();
  readonly #world: World;
  readonly #entities: EntityTable;
  readonly #solverSteps: number;
  /** The listener that was there before. */
  readonly #next: ContactListener;
  readonly #touches: TouchView[] = [];
  readonly #views: TouchView[] = [];
  /** By row of a contact: 1 + the row of its newest touch. It may be out of date. */
  #newest = new Int32Array(64);
  #used = 0;
  /** The touches that had ended before this tick's physics: those of the first rows. */
  #endedBefore: readonly EndedTouch[] = [];
  /**
   * The handles of entities that are gone, by archetype and id, so that one entity has one handle
   * in a tick.
   */
  readonly #gone = new Map<string, Entity>();
  #isRecording = false;
  #isComplete = true;

  /** @param solverSteps solver steps per tick, those of all world steps */
  constructor(world: World, entities: EntityTable, solverSteps: number) {
    this.#world = world;
    this.#entities = entities;
    this.#solverSteps = solverSteps;
    this.#next = world.listener;
    world.listener = this;
    world.contacts.sumImpulses();
  }

  /** Ascending by (a.id, b.id, fixtureA, segmentA, fixtureB, segmentB), and by time. */
  get touches(): readonly Touch[] {
    this.complete();
    return this.#isComplete ? this.#touches : [];
  }

  /** Removes all touches from the list. Those that have ended wait for the next one. */
  clear(): void {
    this.#used = this.#touches.length = 0;
    this.#endedBefore = [];
    this.#gone.clear();
    this.#isRecording = false;
    this.#isComplete = true;
  }

  /**
   * Before the first world step: the touches that have ended, then the pairs of active bodies that
   * touch already.
   */
  beginTick(): void {
    this.#isRecording = true;
    this.#isComplete = false;
    this.#endedBefore = this.ended.take();
    for (let i = 0; i < this.#endedBefore.length; i++) this.#openEnded(this.#endedBefore[i]!);
    const { active, contacts: { ints } } = this.#world;
    active.mergeAdded();
    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!;
      if ((ints[contact * ContactInt.STRIDE + ContactInt.FLAGS]! & ContactFlag.TOUCHING) !== 0) {
        this.#open(contact, false);
      }
    }
  }

  onBegin(contact: number): void {
    this.#next.onBegin(contact);
    if (this.#isRecording) this.#open(contact, true);
  }

  onActivate(contact: number): void {
    this.#next.onActivate(contact);
    if (this.#isRecording && this.#openRowOf(contact) < 0) this.#open(contact, false);
  }

  onEnd(contact: number): void {
    this.#next.onEnd(contact);
    if (this.#isRecording) this.#end(contact);
  }

  /**
   * Between two ticks' physics it ends a touch of the next list. A load ends none: it replaces them
   * afterwards.
   */
  onRelease(contact: number): void {
    this.#next.onRelease(contact);
    if (this.#isRecording) return this.#end(contact);
    // The list of this tick has a pair that sleeps, too.
    this.complete();
    this.ended.add(this.#world, contact);
  }

  onSweep(contact: number): void {
    this.#next.onSweep(contact);
    const row = this.#used;
    this.#open(contact, true);
    this.ints[row * TOUCH_INTS + TOUCH_FLAGS]! |= ENDED | SWEPT;
  }

  /** After the last world step. */
  endTick(): void {
    this.#isRecording = false;
    for (let row = 0; row < this.#used; row++) if (!this.#has(row, ENDED)) this.#takeSums(row);
  }

  /** Fills the list. A touching contact without a touch has slept for the whole tick. */
  complete(): void {
    if (this.#isComplete || this.#isRecording) return;
    const { order, count, ints } = this.#world.contacts;
    for (let i = 0; i < count; i++) {
      const contact = order[i]!;
      const flags = ints[contact * ContactInt.STRIDE + ContactInt.FLAGS]!;
      if (
        (flags & (ContactFlag.TOUCHING | ContactFlag.ACTIVE)) !== ContactFlag.TOUCHING ||
        this.#openRowOf(contact) >= 0
      ) continue;
      this.#open(contact, false);
      this.#setSleepingImpulses(this.#used - 1, contact);
    }
    for (let row = 0; row < this.#used; row++) this.#touches.push(this.#viewOf(row));
    this.#touches.sort(compare);
    this.#isComplete = true;
  }

  #has(row: number, flag: number): boolean {
    return (this.ints[row * TOUCH_INTS + TOUCH_FLAGS]! & flag) !== 0;
  }

  /** @returns the row of the touch that goes on at this contact; -1 if there is none */
  #openRowOf(contact: number): number {
    const row = (this.#newest[contact] ?? 0) - 1;
    if (row < 0 || row >= this.#used || this.ints[row * TOUCH_INTS + CONTACT] !== contact) {
      return -1;
    }
    return this.#has(row, ENDED) ? -1 : row;
  }

  /** Adds a touch that had ended before this tick's physics. */
  #openEnded({ lowKey, highKey, archetypeA, archetypeB }: EndedTouch): void {
    const row = this.#used++;
    const i = row * TOUCH_INTS;
    this.#reserve(0);
    this.values.fill(0, row * TOUCH_VALUES, (row + 1) * TOUCH_VALUES);
    this.ints[i + CONTACT] = NO_CONTACT;
    this.ints[i + POINTS_USED] = 0;
    const partA = this.#archetype(archetypeA).body.fixtures[fixtureOfKey(lowKey)]!.ints;
    const partB = this.#archetype(archetypeB).body.fixtures[fixtureOfKey(highKey)]!.ints;
    this.ints[i + FIXTURE_OF_A] = partA[FixtureInt.DECLARED_INDEX]!;
    this.ints[i + FIXTURE_OF_B] = partB[FixtureInt.DECLARED_INDEX]!;
    this.ints[i + SEGMENT_OF_A] = partA[FixtureInt.SEGMENT]!;
    this.ints[i + SEGMENT_OF_B] = partB[FixtureInt.SEGMENT]!;
    this.ints[i + TOUCH_FLAGS] = ENDED | BEFORE;
  }

  /** One with a body: projectiles touch nothing. */
  #archetype(index: number): CompiledBody {
    return this.#entities.archetypes[index] as CompiledBody;
  }

  /**
   * The entity of an ended touch if it is still there as one of that archetype; otherwise a handle
   * that says who it was.
   */
  #entityOf(id: number, archetype: number): Entity {
    const record = this.#entities.get(id);
    if (record?.compiled.index === archetype) return record.entity;
    const key = `${archetype} ${id}`;
    const known = this.#gone.get(key);
    if (known !== undefined) return known;
    const { entity } = new GoneRecord(id, this.#archetype(archetype));
    this.#gone.set(key, entity);
    return entity;
  }

  /** Begins a touch, described as the pair is now. */
  #open(contact: number, began: boolean): void {
    const { contacts, bodies, fixtures, contacts: { impulseSums } } = this.#world;
    const k = contact * ContactInt.STRIDE;
    const row = this.#used++;
    const i = row * TOUCH_INTS;
    const v = row * TOUCH_VALUES;
    this.#reserve(contact);

    // The pair in the order of its ids
    const rowA = contacts.ints[k + ContactInt.BODY_A]!;
    const rowB = contacts.ints[k + ContactInt.BODY_B]!;
    const inOrder = bodies.ints[rowA * BodyInt.STRIDE + BodyInt.ID]! >>> 0 <
      bodies.ints[rowB * BodyInt.STRIDE + BodyInt.ID]! >>> 0;

    this.#newest[contact] = row + 1;
    this.ints[i + CONTACT] = contact;
    this.ints[i + ROW_A] = inOrder ? rowA : rowB;
    this.ints[i + ROW_B] = inOrder ? rowB : rowA;

    // Its fixtures
    const partA = contacts.ints[k + (inOrder ? ContactInt.FIXTURE_A : ContactInt.FIXTURE_B)]! *
      FixtureInt.STRIDE;
    const partB = contacts.ints[k + (inOrder ? ContactInt.FIXTURE_B : ContactInt.FIXTURE_A)]! *
      FixtureInt.STRIDE;
    this.ints[i + FIXTURE_OF_A] = fixtures.ints[partA + FixtureInt.DECLARED_INDEX]!;
    this.ints[i + FIXTURE_OF_B] = fixtures.ints[partB + FixtureInt.DECLARED_INDEX]!;
    this.ints[i + SEGMENT_OF_A] = fixtures.ints[partA + FixtureInt.SEGMENT]!;
    this.ints[i + SEGMENT_OF_B] = fixtures.ints[partB + FixtureInt.SEGMENT]!;
    this.ints[i + TOUCH_FLAGS] = began ? BEGAN : 0;

    // Where they touch; the sums of impulses begin at 0
    describe(this.#world, this.values, v, contact, inOrder, began);
    this.#setPoints(row, contact);
    this.values[v + NORMAL_SUM] = this.values[v + FRICTION_SUM] = 0;
    impulseSums[2 * contact] = impulseSums[2 * contact + 1] = 0;
  }

  #setPoints(row: number, contact: number): void {
    const { ints } = this.#world.contacts;
    const k = contact * ContactInt.STRIDE;
    const count = (ints[k + ContactInt.FLAGS]! & ContactFlag.OF_SENSOR) !== 0
      ? 0
      : ints[k + ContactInt.POINT_COUNT]!;
    this.ints[row * TOUCH_INTS + POINTS_USED] = count;
    if (count === 0) return;
    computeContactManifold(this.#world, contact);
    for (let point = 0; point < count; point++) {
      const from = WorldManifold.POINTS + point * WorldPoint.STRIDE;
      const to = row * TOUCH_VALUES + POINTS + 2 * point;
      this.values[to] = worldManifold[from + WorldPoint.X]!;
      this.values[to + 1] = worldManifold[from + WorldPoint.Y]!;
    }
  }

  #end(contact: number): void {
    const row = this.#openRowOf(contact);
    if (row < 0) return;
    this.#takeSums(row);
    this.ints[row * TOUCH_INTS + TOUCH_FLAGS]! |= ENDED;
  }

  #takeSums(row: number): void {
    const { impulseSums } = this.#world.contacts;
    const contact = this.ints[row * TOUCH_INTS + CONTACT]!;
    this.values[row * TOUCH_VALUES + NORMAL_SUM] = impulseSums[2 * contact]!;
    this.values[row * TOUCH_VALUES + FRICTION_SUM] = impulseSums[2 * contact + 1]!;
  }

  #setSleepingImpulses(row: number, contact: number): void {
    const { values } = this.#world.contacts;
    const v = row * TOUCH_VALUES;
    let normal = 0;
    let friction = 0;
    for (let point = 0; point < this.ints[row * TOUCH_INTS + POINTS_USED]!; point++) {
      const p = contact * Contact.STRIDE + Contact.POINTS + point * ContactPoint.STRIDE;
      normal += values[p + ContactPoint.NORMAL_IMPULSE]!;
      friction += values[p + ContactPoint.TANGENT_IMPULSE]!;
    }
    this.values[v + NORMAL_SUM] = this.#solverSteps * normal;
    this.values[v + FRICTION_SUM] = this.#solverSteps * Math.abs(friction);
  }

  /**
   * Rules have changed no entity since this tick's physics: the log is completed before they do.
   */
  #viewOf(row: number): TouchView {
    const view = this.#views[row] ??= new TouchView(this, row);
    if (row < this.#endedBefore.length) {
      const { lowKey, highKey, archetypeA, archetypeB } = this.#endedBefore[row]!;
      view.a = this.#entityOf(idOfKey(lowKey), archetypeA);
      view.b = this.#entityOf(idOfKey(highKey), archetypeB);
    } else {
      view.a = recordOf(this.#world, this.ints[row * TOUCH_INTS + ROW_A]!).entity;
      view.b = recordOf(this.#world, this.ints[row * TOUCH_INTS + ROW_B]!).entity;
    }
    view.readPoints();
    return view;
  }

  /** Makes room for `#used` touches and for this contact. */
  #reserve(contact: number): void {
    if (this.#used * TOUCH_INTS > this.ints.length) {
      const { values, ints } = this;
      this.values = new Float64Array(2 * values.length);
      this.values.set(values);
      this.ints = new Int32Array(2 * ints.length);
      this.ints.set(ints);
    }
    if (contact < this.#newest.length) return;
    const newest = new Int32Array(Math.max(contact + 1, 2 * this.#newest.length));
    newest.set(this.#newest);
    this.#newest = newest;
  }
}

function compare(one: TouchView, other: TouchView): number {
  return one.a.id - other.a.id || one.b.id - other.b.id || one.fixtureA - other.fixtureA ||
    one.segmentA - other.segmentA || one.fixtureB - other.fixtureB ||
    one.segmentB - other.segmentB ||
    one.row - other.row;
}

/** The touches as a part of a stage. */
export interface TouchesFeature extends StageFeature<"touches"> {
  create(world: World, entities: EntityTable, solverSteps: number): TouchLog;
  readonly words: EndedTouchWords;
}

/**
 * The feature `touches`: stages that list it in their declaration report every touch of two
 * fixtures.
 */
export const touches: TouchesFeature = {
  feature: "touches",
  create: (world, entities, solverSteps) => new TouchLog(world, entities, solverSteps),
  words: { check: checkEndedTouches, labelsOf: labelsOfEndedTouches },
};
