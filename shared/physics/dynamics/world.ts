/**
 * One world: its bodies, fixtures and contacts as rows, and the parameters of a world step. It is a
 * cache of a stage's state. The rows are linked by their numbers.
 */
import { CONTACTS_MAX, type SpeedLimits, WORK_MIN, WORK_PER_CONTACT } from "../core/limits.ts";
import { Body, BodyFlag, BodyInt, BodyTable, MotionType, NONE } from "../core/body_rows.ts";
import { ContactFlag, ContactInt, ContactTable } from "../core/contact_rows.ts";
import { Fixture, FixtureFlag, FixtureInt, FixtureTable } from "../core/fixture_rows.ts";
import { proxyKey } from "../core/proxy_key.ts";
import { RowList } from "../core/row_list.ts";
import type { RoundedGeometry, SegmentGeometry } from "../geometry/collide.ts";
import { ActiveRows } from "./active_rows.ts";
import type { Vector } from "../core/body_transform.ts";
import {
  BOUNCING_SPEED_MIN,
  MAX_ROTATION,
  MAX_TRANSLATION,
  POSITION_ITERATIONS,
  PROJECTILE_BOUNCING_SPEED_MIN,
  VELOCITY_ITERATIONS,
} from "../core/tuning.ts";
import { type JointSolver, NO_JOINTS } from "./joint_solver.ts";
import type { StepProfile } from "../../step_profile.ts";

/** Both layouts have a flag of this name. */
const CONTACT_UNSAVED = ContactFlag.UNSAVED;
/** A fixture as its archetype declares it: rows of `fixture_rows.ts` without body, key and link. */
export interface FixtureTemplate {
  readonly values: Float64Array;
  readonly ints: Int32Array;
}

/**
 * A body as its archetype declares it, at rest at the origin: rows of `body_rows.ts` without links.
 */
export interface BodyTemplate {
  readonly values: Float64Array;
  readonly ints: Int32Array;
  readonly fixtures: readonly FixtureTemplate[];
}

/** The parameters of every world step. */
export interface WorldParameters {
  /** m/s²: a number is downwards positive. */
  readonly gravity: number | Readonly<Vector>;
  /** Length of a world step, seconds. */
  readonly stepS: number;
  /** Steps of the solver within it, ≥ 1. Default 1. */
  readonly solverSteps?: number;
  /** The rows of all shapes (`shape_rows.ts`). */
  readonly shapes: Float64Array;
  /** The geometry of chains, only if the declaration lists them (`chains/feature.ts`). */
  readonly segments?: SegmentGeometry | undefined;
  /** The geometry of rounded shapes, only if the declaration lists them (`rounded/feature.ts`). */
  readonly rounded?: RoundedGeometry | undefined;
  /**
   * Iterations of the velocity solver in each solver step of an island, >= 1. Default:
   * `VELOCITY_ITERATIONS`, shared by the solver steps. An impact has those of all solver steps.
   */
  readonly velocityIterations?: number;
  /**
   * Iterations of the position solver in each island, at most, >= 1. Default:
   * `POSITION_ITERATIONS`.
   */
  readonly positionIterations?: number;
  /**
   * m/s: bodies and projectiles that approach more slowly do not bounce. Default:
   * `BOUNCING_SPEED_MIN` and the other one.
   */
  readonly bouncingSpeedMin?: number;
  readonly projectileBouncingSpeedMin?: number;
  /**
   * The largest motion of one world step, metres and radians. Default: `MAX_TRANSLATION`,
   * `MAX_ROTATION`.
   */
  readonly translationMax?: number;
  readonly rotationMax?: number;
  /** The same as speeds, if the declaration refuses faster motions. */
  readonly speedLimits?: SpeedLimits | undefined;
  /** Contacts, whether they touch or not. Default: `CONTACTS_MAX`. */
  readonly contactsMax?: number;
  /** Whether a sensor may see what passes it within a world step. Default: no. */
  readonly sweepsSensors?: boolean;
}

/**
 * A limit that holds a world step back. The work at impacts and the casts of projectiles follow
 * from `contactsMax`.
 */
export type StepLimit = "contacts" | "corrections" | "impacts" | "casts" | "sweeps";

/** A log of events: the world calls it in the middle of a step. */
export interface ContactListener {
  /** It begins to touch. */
  onBegin(contact: number): void;
  /** It touches, and the first of its bodies wakes up. */
  onActivate(contact: number): void;
  /** It touched, and does not any more. */
  onEnd(contact: number): void;
  /** It touches, and is about to vanish. */
  onRelease(contact: number): void;
  /**
   * It did not touch before this world step, nor does it after it. Meanwhile its bodies are where
   * they touched.
   */
  onSweep(contact: number): void;
}

const NOBODY: ContactListener = {
  onBegin: () => {},
  onActivate: () => {},
  onEnd: () => {},
  onRelease: () => {},
  onSweep: () => {},
};

/** The rows of one world. */
export class World {
  readonly bodies = new BodyTable();
  readonly fixtures = new FixtureTable();
  readonly contacts = new ContactTable();
  readonly shapes: Float64Array;
  readonly segments: SegmentGeometry | undefined;
  readonly rounded: RoundedGeometry | undefined;
  /** m/s²; constant, unless the declaration lets the rules change it. */
  gravityX: number;
  gravityY: number;
  /** Unit vector against gravity; (0, 1) for a gravity that is a number or zero. */
  upX = 0;
  upY = 1;
  readonly stepS: number;
  readonly solverSteps: number;
  readonly velocityIterations: number;
  readonly positionIterations: number;
  readonly bouncingSpeedMin: number;
  readonly projectileBouncingSpeedMin: number;
  readonly translationMax: number;
  readonly rotationMax: number;
  /** The same as speeds, m/s and rad/s. */
  readonly speedMax: number;
  readonly spinMax: number;
  readonly speedLimits: SpeedLimits | undefined;
  readonly contactsMax: number;
  readonly sweepsSensors: boolean;
  /**
   * The work of one world step at impacts, in the casts of projectiles, and in sweeps of sensors.
   */
  readonly workMax: number;
  /** The limits that have held back a world step or the end of a tick. The stage clears it. */
  readonly limitsReached = new Set<StepLimit>();
  /**
   * The rows of the bodies that were faster than these allow, in no order, some of them twice. The
   * stage clears it.
   */
  readonly clamped: number[] = [];
  /** Set once, before the first joint. */
  joints: JointSolver = NO_JOINTS;
  listener: ContactListener = NOBODY;
  /** Gets the times of the parts of each step. No result depends on it. */
  profile: StepProfile | undefined;
  /** The bodies that are awake and not static, ascending by their entities' ids. */
  readonly awake = new ActiveRows((a, b) => this.#idOf(a) < this.#idOf(b));
  /** The contacts of those bodies. */
  readonly active = new ActiveRows((a, b) => this.contacts.isBefore(a, b));
  /** The bodies that are `BodyFlag.DIRTY`, in no order. A row may be another body's by now. */
  readonly dirty = new RowList();
  /** The bodies that are `BodyFlag.UNSAVED`, each once, in no order. */
  readonly unsaved: number[] = [];
  /** Whether a contact may differ from the state that was last saved or loaded. */
  hasUnsavedContacts = true;
  /** By row: the owner of the body, for the stage. */
  readonly owners: (object | undefined)[] = [];
  /**
   * Whether the next world step begins with a search for contacts, because a body appeared or was
   * moved.
   */
  hasNewPairs = false;
  /** Whether a body has fallen asleep since `dropSleeping`. */
  #hasSlept = false;

  constructor(parameters: WorldParameters) {
    const { gravity, stepS, shapes } = parameters;

    // Gravity, and the direction against it
    const isVector = typeof gravity !== "number";
    this.gravityX = isVector ? gravity.x : 0;
    this.gravityY = isVector ? gravity.y : -gravity;
    if (isVector) this.setGravity(gravity.x, gravity.y);

    this.stepS = stepS;
    this.shapes = shapes;
    this.segments = parameters.segments;
    this.rounded = parameters.rounded;

    // Tuning
    const { solverSteps = 1 } = parameters;
    this.solverSteps = solverSteps;
    this.velocityIterations = parameters.velocityIterations ??
      Math.ceil(VELOCITY_ITERATIONS / solverSteps);
    this.positionIterations = parameters.positionIterations ?? POSITION_ITERATIONS;
    this.bouncingSpeedMin = parameters.bouncingSpeedMin ?? BOUNCING_SPEED_MIN;
    this.projectileBouncingSpeedMin = parameters.projectileBouncingSpeedMin ??
      PROJECTILE_BOUNCING_SPEED_MIN;
    this.translationMax = parameters.translationMax ?? MAX_TRANSLATION;
    this.rotationMax = parameters.rotationMax ?? MAX_ROTATION;

    // Limits
    this.speedMax = this.translationMax / stepS;
    this.spinMax = this.rotationMax / stepS;
    this.speedLimits = parameters.speedLimits;
    this.contactsMax = parameters.contactsMax ?? CONTACTS_MAX;
    this.sweepsSensors = parameters.sweepsSensors ?? false;
    this.workMax = WORK_MIN + WORK_PER_CONTACT * this.contactsMax;
  }

  /** Sets the gravity as a vector, m/s², and the direction against it. */
  setGravity(x: number, y: number): void {
    const length = Math.sqrt(x * x + y * y);
    this.gravityX = x;
    this.gravityY = y;
    this.upX = length > 0 ? -x / length : 0;
    this.upY = length > 0 ? -y / length : 1;
  }

  /** Iterations of the velocity solver at an impact, and in a solver step in which a pair bounces. */
  get impactIterations(): number {
    return this.solverSteps * this.velocityIterations;
  }

  /** Adds a body with its fixtures, awake. Its AABBs are missing. @returns the body's row */
  addBody({ values, ints, fixtures }: BodyTemplate, id: number): number {
    const { bodies } = this;
    const row = bodies.acquire();
    bodies.values.set(values, row * Body.STRIDE);
    bodies.ints.set(ints, row * BodyInt.STRIDE);
    bodies.ints[row * BodyInt.STRIDE + BodyInt.ID] = id;
    // The last one comes first, so that the list is in the order of the declaration.
    for (let i = fixtures.length - 1; i >= 0; i--) {
      this.#addFixture(row, fixtures[i]!, proxyKey(id, i));
    }
    this.hasNewPairs = true;
    this.wake(row);
    return row;
  }

  #addFixture(body: number, { values, ints }: FixtureTemplate, key: number): void {
    const { bodies, fixtures } = this;
    const row = fixtures.acquire();
    fixtures.values.set(values, row * Fixture.STRIDE);
    fixtures.values[row * Fixture.STRIDE + Fixture.KEY] = key;
    fixtures.ints.set(ints, row * FixtureInt.STRIDE);
    fixtures.ints[row * FixtureInt.STRIDE + FixtureInt.BODY] = body;
    const isOff = (ints[FixtureInt.FLAGS]! & FixtureFlag.OFF) !== 0;
    const list = body * BodyInt.STRIDE + (isOff ? BodyInt.FIRST_OFF : BodyInt.FIRST_FIXTURE);
    fixtures.ints[row * FixtureInt.STRIDE + FixtureInt.NEXT] = bodies.ints[list]!;
    bodies.ints[list] = row;
  }

  /** Removes a body with its fixtures. Its contacts, joints and AABBs must be gone. */
  removeBody(row: number): void {
    const { bodies } = this;
    this.awake.filter((other) => other !== row);
    if ((bodies.ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! & BodyFlag.UNSAVED) !== 0) {
      this.unsaved.splice(this.unsaved.indexOf(row), 1);
    }
    this.#releaseFixtures(bodies.ints[row * BodyInt.STRIDE + BodyInt.FIRST_FIXTURE]!);
    this.#releaseFixtures(bodies.ints[row * BodyInt.STRIDE + BodyInt.FIRST_OFF]!);
    bodies.release(row);
    this.owners[row] = undefined;
  }

  /** Releases all fixtures of a list. @param first its first one */
  #releaseFixtures(first: number): void {
    const { fixtures } = this;
    for (let fixture = first; fixture !== NONE;) {
      const next = fixtures.ints[fixture * FixtureInt.STRIDE + FixtureInt.NEXT]!;
      fixtures.release(fixture);
      fixture = next;
    }
  }

  /**
   * Makes a body one of another `MotionType`, awake. Its links of contacts must follow
   * (`ContactSet.retype`).
   */
  retype(row: number, type: number): void {
    const { values, ints } = this.bodies;
    const at = row * BodyInt.STRIDE;
    const wasStatic = ints[at + BodyInt.TYPE] === MotionType.STATIC;
    this.edit(row);
    ints[at + BodyInt.TYPE] = type;
    if (type === MotionType.STATIC) {
      this.awake.filter((other) => other !== row);
      ints[at + BodyInt.FLAGS] = ints[at + BodyInt.FLAGS]! & ~BodyFlag.LISTED | BodyFlag.AWAKE;
      values[row * Body.STRIDE + Body.SLEEP_S] = 0;
      // Contacts of two that do not move now stop to be active.
      this.#hasSlept = true;
    } else if (wasStatic) this.#list(row);
  }

  /** Wakes a body, or keeps it awake for as long as one that has just begun to rest. */
  wake(row: number): void {
    const { values, ints } = this.bodies;
    const at = row * BodyInt.STRIDE;
    if (ints[at + BodyInt.TYPE] === MotionType.STATIC) return;
    this.edit(row);
    values[row * Body.STRIDE + Body.SLEEP_S] = 0;
    if ((ints[at + BodyInt.FLAGS]! & BodyFlag.AWAKE) !== 0) return;
    ints[at + BodyInt.FLAGS]! |= BodyFlag.AWAKE;
    this.#list(row);
    this.#activateContacts(row);
  }

  /**
   * Puts a body to sleep, at rest and without forces. It stays among those awake until
   * `dropSleeping`. Static and sleepless bodies never sleep.
   */
  putToSleep(row: number): void {
    const { values, ints } = this.bodies;
    const b = row * Body.STRIDE;
    if (
      ints[row * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.STATIC ||
      (ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! & BodyFlag.SLEEPLESS) !== 0
    ) return;
    this.edit(row);
    ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BodyFlag.AWAKE;
    values[b + Body.SLEEP_S] =
      values[b + Body.VX] =
      values[b + Body.VY] =
      values[b + Body.SPIN] =
        0;
    values[b + Body.FORCE_X] = values[b + Body.FORCE_Y] = values[b + Body.TORQUE] = 0;
    this.#hasSlept = true;
  }

  /** Whether a body is awake and not static. */
  isActive(row: number): boolean {
    const { ints } = this.bodies;
    const at = row * BodyInt.STRIDE;
    return (ints[at + BodyInt.FLAGS]! & BodyFlag.AWAKE) !== 0 &&
      ints[at + BodyInt.TYPE]! !== MotionType.STATIC;
  }

  /**
   * Marks a body whose numbers change, so that the end of the tick rounds them and the next
   * snapshot has them.
   */
  edit(row: number): void {
    const { ints } = this.bodies;
    const at = row * BodyInt.STRIDE + BodyInt.FLAGS;
    const flags = ints[at]!;
    if ((flags & BodyFlag.DIRTY) === 0) this.dirty.add(row);
    if ((flags & BodyFlag.UNSAVED) === 0) this.unsaved.push(row);
    ints[at] = flags | BodyFlag.DIRTY | BodyFlag.UNSAVED;
  }

  /** All numbers are those of the end of a tick. */
  endEdits(): void {
    const { dirty: { rows, count }, bodies: { ints } } = this;
    for (let i = 0; i < count; i++) {
      ints[rows[i]! * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BodyFlag.DIRTY;
    }
    this.dirty.clear();
  }

  /**
   * The stage is in the state that was just saved or loaded. Active contacts are about to leave it.
   */
  endUnsaved(): void {
    const { bodies: { ints }, unsaved, active } = this;
    for (let i = 0; i < unsaved.length; i++) {
      ints[unsaved[i]! * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BodyFlag.UNSAVED;
    }
    unsaved.length = 0;
    this.hasUnsavedContacts = active.hasAdded || active.rows.length > 0;
  }

  /** Adds a contact to the active ones if one of its bodies is active. */
  activate(contact: number): void {
    const { ints } = this.contacts;
    const k = contact * ContactInt.STRIDE;
    if ((ints[k + ContactInt.FLAGS]! & ContactFlag.ACTIVE) !== 0) return;
    if (
      !this.isActive(ints[k + ContactInt.BODY_A]!) && !this.isActive(ints[k + ContactInt.BODY_B]!)
    ) {
      return;
    }
    ints[k + ContactInt.FLAGS]! |= ContactFlag.ACTIVE;
    this.active.add(contact);
    this.hasUnsavedContacts = true;
    if ((ints[k + ContactInt.FLAGS]! & ContactFlag.TOUCHING) !== 0) {
      this.listener.onActivate(contact);
    }
  }

  #list(body: number): void {
    const { ints } = this.bodies;
    const at = body * BodyInt.STRIDE + BodyInt.FLAGS;
    if ((ints[at]! & BodyFlag.LISTED) !== 0) return;
    ints[at]! |= BodyFlag.LISTED;
    this.awake.add(body);
  }

  #activateContacts(body: number): void {
    const { ints } = this.contacts;
    for (
      let link = this.bodies.ints[body * BodyInt.STRIDE + BodyInt.FIRST_CONTACT]!;
      link !== NONE;
    ) {
      const contact = link >> 1;
      link = ints[contact * ContactInt.STRIDE + ContactInt.NEXT_LINK + (link & 1)]!;
      this.activate(contact);
    }
  }

  /**
   * Drops the bodies that have fallen asleep from those awake, and the contacts of sleeping bodies.
   * It runs between two ticks: the end of a tick still rounds them.
   */
  dropSleeping(): void {
    if (!this.#hasSlept) return;
    this.#hasSlept = false;
    const { bodies, contacts: { ints } } = this;
    this.awake.filter((row) => {
      const at = row * BodyInt.STRIDE + BodyInt.FLAGS;
      const isAwake = (bodies.ints[at]! & BodyFlag.AWAKE) !== 0;
      if (!isAwake) bodies.ints[at]! &= ~BodyFlag.LISTED;
      return isAwake;
    });
    this.active.filter((contact) => {
      const k = contact * ContactInt.STRIDE;
      const flags = ints[k + ContactInt.FLAGS]!;
      if (
        this.isActive(ints[k + ContactInt.BODY_A]!) || this.isActive(ints[k + ContactInt.BODY_B]!)
      ) {
        return true;
      }
      // A search for impacts may have cleared the flag of a contact that does not touch.
      const passive = flags & ~ContactFlag.ACTIVE | CONTACT_UNSAVED;
      ints[k + ContactInt.FLAGS] = (flags & ContactFlag.PASSING) !== 0
        ? passive
        : passive | ContactFlag.SOLID;
      return false;
    });
  }

  /** Releases the rows of all contacts that are `ContactFlag.GONE`. */
  releaseGoneContacts(): void {
    const { ints } = this.contacts;
    this.active.filter((contact) =>
      (ints[contact * ContactInt.STRIDE + ContactInt.FLAGS]! & ContactFlag.GONE) === 0
    );
    this.contacts.releaseGone();
  }

  /**
   * Updates the active rows after a load that has changed the sleep of the `unsaved` bodies alone.
   */
  updateActive(): void {
    for (const row of this.unsaved) {
      if (this.isActive(row)) {
        this.#list(row);
        this.#activateContacts(row);
      } else this.#hasSlept = true;
    }
    this.dropSleeping();
  }

  /** Finds all active rows anew, after a load. */
  resetActive(bodies: Iterable<number>): void {
    const { contacts: { order, count, ints } } = this;
    this.awake.clear();
    this.active.clear();
    this.#hasSlept = false;
    for (const row of bodies) {
      this.bodies.ints[row * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BodyFlag.LISTED;
      if (this.isActive(row)) this.#list(row);
    }
    for (let i = 0; i < count; i++) {
      ints[order[i]! * ContactInt.STRIDE + ContactInt.FLAGS]! &= ~ContactFlag.ACTIVE;
      this.activate(order[i]!);
    }
  }

  #idOf(row: number): number {
    return this.bodies.ints[row * BodyInt.STRIDE + BodyInt.ID]! >>> 0;
  }
}
