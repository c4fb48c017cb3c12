/**
 * Continuous collision: a body stops where it first hits something, so that it neither tunnels nor
 * ends a step deep inside. After the islands, the earliest time of impact of all candidates is
 * solved, then the next, as in Box2D's b2World::SolveTOI. The candidates are pairs with a bullet or
 * a body that is not dynamic. Of those, it leaves out only the pairs that cannot meet:
 *
 * | pair                           | is left out if                                                                |
 * | ------------------------------ | ----------------------------------------------------------------------------- |
 * | any                            | neither body moved                                                            |
 * | touching                       | the hulls are proven apart along the normal, or only part (`apart.ts`)        |
 * | an edge, not touching          | the same along the edge's normal                                              |
 * | both slow, not touching        | they do not overlap at the end of the step, or move too little to get deep    |
 *
 * All tests are functions of the poses at the start and end of the step and of the manifold, so
 * they depend on no history.
 *
 * Three things end a search early: a contact has used up its impacts, the search for a time has
 * failed, or the work of the whole search is over its bound (in a crowd of bullets each impact
 * moves bodies that then may hit a thousand others). Box2D lets the bodies pass each other then.
 * Here they stay where they are known to be apart, for the rest of the step. So they get through
 * nothing. They keep their velocity, and go on in the next step.
 */
import { Body, BodyFlag, BodyInt, MotionType, NONE } from "../core/body_rows.ts";
import { isStill, updateTransform } from "../core/body_transform.ts";
import { ContactFlag, ContactInt, ManifoldType } from "../core/contact_rows.ts";
import { FixtureInt } from "../core/fixture_rows.ts";
import { ShapeType, ShapeValue } from "../core/shape_rows.ts";
import { EPSILON, IMPACTS_MAX, LINEAR_SLOP } from "../core/tuning.ts";
import { setEdgeNormal, staysApart } from "../geometry/apart.ts";
import {
  IMPACT_TOLERANCE,
  impactDistance,
  impactTime,
  NO_IMPACT,
  timeOfImpact,
  UNDECIDED,
} from "../geometry/time_of_impact.ts";
import { travelOf, updateAabb, updateSweptAabb } from "../collision/aabb.ts";
import { ActiveRows } from "./active_rows.ts";
import { computeContactNormal } from "./contact_manifold.ts";
import type { Contacts } from "./contacts.ts";
import { solveImpact } from "./impact_solver.ts";
import { overlaps } from "./narrow_phase.ts";
import type { SensorSweeps } from "./sensor_sweeps.ts";
import type { World } from "./world.ts";

/** Both layouts have a flag of this name. */
const BODY_IN_ISLAND = BodyFlag.IN_ISLAND;
const CONTACT_IN_ISLAND = ContactFlag.IN_ISLAND;

/**
 * Metres: how far two shapes that do not touch must move to get as deep as a time of impact stops
 * them. Skins then overlap by 3 · b2_linearSlop.
 */
const MEETING_MIN = 3 * LINEAR_SLOP - IMPACT_TOLERANCE;
/**
 * Metres: by how much nearer a pair is searched that is near, but has no manifold. Hulls still do
 * not meet there.
 */
const NEARER = 0.75 * LINEAR_SLOP;
/** Times of impact this near the end of the step are none. */
const ALPHA_MAX = 1 - 10 * EPSILON;
/**
 * The work of an impact, beside that of its contacts: all active contacts are looked at for the
 * next one.
 */
const IMPACT_WORK = 8;

/**
 * Centre at the start and end of the step, angles, and `Body.ALPHA0`: the numbers that `advance`
 * changes.
 */
const SWEEP = [
  Body.CENTER_X,
  Body.CENTER_Y,
  Body.ANGLE,
  Body.CENTER_X0,
  Body.CENTER_Y0,
  Body.ANGLE0,
  Body.ALPHA0,
] as const;

/** The search for times of impact of one world. */
export class Impacts {
  readonly #world: World;
  readonly #contacts: Contacts;
  readonly #sensorSweeps: SensorSweeps | undefined;
  /** By row of the contact: the time of impact, 0 … 1, if it is known; 1 means none. */
  #times = new Float64Array(64);
  /**
   * The contacts of this search: those with a time of impact, and those that an impact has opened.
   * Scans are short.
   */
  readonly #searched: ActiveRows;
  /** The bodies whose sweeps no longer begin at the start of the step, some of them twice. */
  readonly #advanced: number[] = [];
  /**
   * The work of this search: the times of impact that were computed, the contacts that were solved,
   * and the impacts.
   */
  #work = 0;
  /** The bodies and contacts of the present impact. */
  readonly #impact = { bodies: [] as number[], contacts: [] as number[] };
  readonly #sweeps = [new Float64Array(SWEEP.length), new Float64Array(SWEEP.length)] as const;

  /** Finds the contacts of the two bodies on the way of a push. */
  readonly #findOnWay = (): void => {
    for (let i = 0; i < 2; i++) {
      const body = this.#impact.bodies[i]!;
      if (this.#isDynamic(body)) updateSweptAabb(this.#world, body, this.#contacts.broadPhase);
    }
    this.#findNewContacts();
  };

  /**
   * @param sensorSweeps gets the places where bodies change their direction; undefined if no sensor
   *   asks for them
   */
  constructor(world: World, contacts: Contacts, sensorSweeps: SensorSweeps | undefined) {
    this.#world = world;
    this.#contacts = contacts;
    this.#sensorSweeps = sensorSweeps;
    this.#searched = new ActiveRows((a, b) => world.contacts.isBefore(a, b));
  }

  /** Runs after all islands are solved, and only if a body moved. */
  solve(): void {
    this.#addCandidates();
    if (this.#searched.rows.length === 0) return;
    this.#work = 0;

    // The earliest impact first, until none is left
    for (;;) {
      const contact = this.#findEarliest();
      if (contact === NONE) break;
      if (this.#work > this.#world.workMax) {
        this.#stopAll();
        break;
      }

      // New contacts may have moved the rows to a larger table.
      const count = this.#world.contacts
        .ints[contact * ContactInt.STRIDE + ContactInt.IMPACT_COUNT]!;
      if (count > IMPACTS_MAX) this.#stopPair(contact, this.#times[contact]!);
      else this.#solveOne(contact, this.#times[contact]!);
    }

    // All bodies are at the end of the step again
    const { values } = this.#world.bodies;
    const advanced = this.#advanced;
    for (let i = 0; i < advanced.length; i++) {
      const body = advanced[i]!;
      const at = body * Body.STRIDE + Body.ALPHA0;
      if (values[at]! > 0) this.#sensorSweeps?.keepStart(body);
      values[at] = 0;
    }
    advanced.length = 0;
    this.#endSearch();
  }

  /** Begins with the pairs that may have an impact. */
  #addCandidates(): void {
    const { active, contacts: { ints } } = this.#world;
    const searched = this.#searched;
    searched.clear();
    active.mergeAdded();
    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!;
      const at = contact * ContactInt.STRIDE + ContactInt.FLAGS;
      if (
        (ints[at]! & (ContactFlag.SOLID | ContactFlag.OF_SENSOR | ContactFlag.CONTINUOUS)) !==
          (ContactFlag.SOLID | ContactFlag.CONTINUOUS) ||
        !this.#mayHit(contact)
      ) continue;
      ints[at]! |= ContactFlag.IMPACT_OPEN;
      searched.rows.push(contact);
    }
  }

  /** Outside of a search no contact is a part of one. */
  #endSearch(): void {
    const { ints } = this.#world.contacts;
    const { rows } = this.#searched;
    for (let i = 0; i < rows.length; i++) {
      const k = rows[i]! * ContactInt.STRIDE;
      ints[k + ContactInt.FLAGS]! &=
        ~(ContactFlag.IMPACT_KNOWN | ContactFlag.IMPACT_OPEN | ContactFlag.IMPACT_NEAR);
      ints[k + ContactInt.IMPACT_COUNT] = 0;
    }
  }

  /** Makes a contact a part of the search. Its time must be computed. */
  #open(contact: number): void {
    const { ints } = this.#world.contacts;
    const at = contact * ContactInt.STRIDE + ContactInt.FLAGS;
    const flags = ints[at]!;
    if (
      (flags & (ContactFlag.ACTIVE | ContactFlag.OF_SENSOR | ContactFlag.CONTINUOUS)) !==
        (ContactFlag.ACTIVE | ContactFlag.CONTINUOUS)
    ) return;
    if ((flags & (ContactFlag.IMPACT_KNOWN | ContactFlag.IMPACT_OPEN)) === 0) {
      this.#searched.add(contact);
    }
    ints[at] = flags & ~ContactFlag.IMPACT_KNOWN | ContactFlag.IMPACT_OPEN;
  }

  #reserveTimes(): void {
    const rows = this.#world.contacts.order.length;
    if (this.#times.length >= rows) return;
    const times = new Float64Array(rows);
    times.set(this.#times);
    this.#times = times;
  }

  /**
   * @returns the contact with the earliest time of impact, the first of several; `NONE` if there is
   *   none
   */
  #findEarliest(): number {
    this.#reserveTimes();
    const { ints } = this.#world.contacts;
    const searched = this.#searched;
    searched.mergeAdded();

    let earliest: number = NONE;
    let alphaMin = 1;
    for (let i = 0; i < searched.rows.length; i++) {
      const contact = searched.rows[i]!;
      const flags = ints[contact * ContactInt.STRIDE + ContactInt.FLAGS]!;
      if ((flags & ContactFlag.SOLID) === 0) continue;
      if ((flags & ContactFlag.IMPACT_OPEN) !== 0 && !this.#computeTime(contact)) continue;
      if (this.#times[contact]! < alphaMin) {
        earliest = contact;
        alphaMin = this.#times[contact]!;
      }
    }
    return ALPHA_MAX < alphaMin ? NONE : earliest;
  }

  /** Stops the bodies that have an impact left. All times are known. */
  #stopAll(): void {
    const { ints } = this.#world.contacts;
    const { rows } = this.#searched;
    for (let i = 0; i < rows.length; i++) {
      const contact = rows[i]!;
      const k = contact * ContactInt.STRIDE;
      const isAhead =
        (ints[k + ContactInt.FLAGS]! & (ContactFlag.SOLID | ContactFlag.IMPACT_KNOWN)) ===
          (ContactFlag.SOLID | ContactFlag.IMPACT_KNOWN) &&
        this.#times[contact]! <= ALPHA_MAX;
      if (!isAhead) continue;

      for (let side = 0; side < 2; side++) {
        const body = ints[k + ContactInt.BODY_A + side]!;
        if (this.#isDynamic(body)) this.#stop(body);
      }
    }
    this.#world.limitsReached.add("impacts");
  }

  /**
   * Stops the dynamic bodies of a pair at a share of the world step, up to which they are apart.
   */
  #stopPair(contact: number, alpha: number): void {
    const { ints } = this.#world.contacts;
    const k = contact * ContactInt.STRIDE;
    this.#work += IMPACT_WORK;
    for (let side = 0; side < 2; side++) {
      const body = ints[k + ContactInt.BODY_A + side]!;
      if (!this.#isDynamic(body)) continue;
      this.#advanceStart(body, alpha);
      this.#stop(body);
      this.#reopen(body);
    }
  }

  /** Puts a body where its sweep begins. */
  #stop(body: number): void {
    const { values } = this.#world.bodies;
    const b = body * Body.STRIDE;
    this.#world.edit(body);
    values[b + Body.CENTER_X] = values[b + Body.CENTER_X0]!;
    values[b + Body.CENTER_Y] = values[b + Body.CENTER_Y0]!;
    values[b + Body.ANGLE] = values[b + Body.ANGLE0]!;
    updateTransform(values, b);
    updateAabb(this.#world, body, this.#contacts.broadPhase);
  }

  /** Computes a contact's time of impact. @returns false if its bodies cannot have one */
  #computeTime(contact: number): boolean {
    const { contacts: { ints }, bodies, shapes } = this.#world;
    const { values } = bodies;
    const k = contact * ContactInt.STRIDE;
    const bodyA = ints[k + ContactInt.BODY_A]!;
    const bodyB = ints[k + ContactInt.BODY_B]!;
    if (!this.#world.isActive(bodyA) && !this.#world.isActive(bodyB)) return false;
    const a = bodyA * Body.STRIDE, b = bodyB * Body.STRIDE;

    // Bring both to the same time
    const alpha0 = Math.max(values[a + Body.ALPHA0]!, values[b + Body.ALPHA0]!);
    if (values[a + Body.ALPHA0]! < alpha0) this.#advanceStart(bodyA, alpha0);
    if (values[b + Body.ALPHA0]! < alpha0) this.#advanceStart(bodyB, alpha0);

    // A pair that is no longer in question, or that stays apart, needs no search
    ints[k + ContactInt.FLAGS] = ints[k + ContactInt.FLAGS]! & ~ContactFlag.IMPACT_OPEN |
      ContactFlag.IMPACT_KNOWN;
    this.#times[contact] = 1;
    if (this.#isOver(contact) || this.#staysApart(contact)) return true;

    // Search the rest of their ways
    this.#work++;
    const shapeA = this.#shapeOf(contact, 0);
    const shapeB = this.#shapeOf(contact, 1);
    const distance = impactDistance(shapes, shapeA, shapeB);
    const target = (ints[k + ContactInt.FLAGS]! & ContactFlag.IMPACT_NEAR) === 0
      ? distance
      : distance - NEARER;
    const outcome = timeOfImpact(shapes, shapeA, values, a, shapeB, b, target);

    if (outcome === NO_IMPACT) return true;
    if (outcome === UNDECIDED) ints[k + ContactInt.IMPACT_COUNT] = IMPACTS_MAX + 1;
    this.#times[contact] = Math.min(alpha0 + (1 - alpha0) * impactTime[0]!, 1);
    return true;
  }

  /** Solves one impact at the share `alpha` of the world step. */
  #solveOne(contact: number, alpha: number): void {
    const { ints } = this.#world.contacts;
    const { bodies: rows, contacts } = this.#impact;
    const k = contact * ContactInt.STRIDE;
    const bodyA = ints[k + ContactInt.BODY_A]!;
    const bodyB = ints[k + ContactInt.BODY_B]!;

    // Move both to the time of the impact
    this.#keepSweep(bodyA, 0);
    this.#keepSweep(bodyB, 1);
    this.#advance(bodyA, alpha);
    this.#advance(bodyB, alpha);
    this.#contacts.updateOne(contact);

    ints[k + ContactInt.FLAGS] = ints[k + ContactInt.FLAGS]! & ~ContactFlag.IMPACT_KNOWN |
      ContactFlag.IMPACT_OPEN;
    ints[k + ContactInt.IMPACT_COUNT]!++;
    this.#work += IMPACT_WORK;

    // No touch then: go back
    if (
      (ints[k + ContactInt.FLAGS]! & (ContactFlag.SOLID | ContactFlag.TOUCHING)) !==
        (ContactFlag.SOLID | ContactFlag.TOUCHING)
    ) {
      this.#restoreSweep(bodyA, 0);
      this.#restoreSweep(bodyB, 1);
      // Beside the end of an edge there is no manifold yet, but there may be one a little later,
      // before the hulls meet.
      const isEarly =
        (ints[k + ContactInt.FLAGS]! & (ContactFlag.TOUCHING | ContactFlag.IMPACT_NEAR)) === 0;
      if (isEarly) ints[k + ContactInt.FLAGS]! |= ContactFlag.IMPACT_NEAR;
      else ints[k + ContactInt.FLAGS]! &= ~ContactFlag.SOLID;
      return;
    }

    // An island of the two and of all that they touch
    this.#world.wake(bodyA);
    this.#world.wake(bodyB);
    rows.length = contacts.length = 0;
    this.#addBody(bodyA);
    this.#addBody(bodyB);
    this.#addContact(contact);
    this.#collectNeighbours(bodyA, alpha);
    this.#collectNeighbours(bodyB, alpha);
    this.#work += contacts.length;

    solveImpact(this.#world, this.#impact, alpha, this.#findOnWay);
    this.#endOne();
  }

  /**
   * Adds the contacts of one of the two bodies that touch at this time, and the bodies that they
   * touch.
   */
  #collectNeighbours(body: number, alpha: number): void {
    const { contacts: { ints }, bodies } = this.#world;
    if (bodies.ints[body * BodyInt.STRIDE + BodyInt.TYPE] !== MotionType.DYNAMIC) return;

    for (let link = bodies.ints[body * BodyInt.STRIDE + BodyInt.FIRST_CONTACT]!; link !== NONE;) {
      const contact = link >> 1;
      const k = contact * ContactInt.STRIDE;
      const side = link & 1;
      link = ints[k + ContactInt.NEXT_LINK + side]!;

      // Two dynamic bodies may tunnel unless one is a bullet.
      if (
        (ints[k + ContactInt.FLAGS]! &
          (CONTACT_IN_ISLAND | ContactFlag.OF_SENSOR | ContactFlag.CONTINUOUS)) !==
          ContactFlag.CONTINUOUS
      ) continue;

      // Move the other body to this time; if they do not touch, it goes back
      const other = ints[k + ContactInt.BODY_A + 1 - side]!;
      const isIncluded =
        (bodies.ints[other * BodyInt.STRIDE + BodyInt.FLAGS]! & BODY_IN_ISLAND) !== 0;
      this.#work++;
      this.#keepSweep(other, 0);
      if (!isIncluded) this.#advance(other, alpha);
      this.#contacts.updateOne(contact);
      if (
        (ints[k + ContactInt.FLAGS]! & (ContactFlag.SOLID | ContactFlag.TOUCHING)) !==
          (ContactFlag.SOLID | ContactFlag.TOUCHING)
      ) {
        this.#restoreSweep(other, 0);
        continue;
      }

      this.#addContact(contact);
      if (isIncluded) continue;
      this.#world.wake(other);
      this.#addBody(other);
    }
  }

  /**
   * Computes AABBs and finds new contacts of the bodies that moved. Their times of impact are out
   * of date.
   */
  #endOne(): void {
    const { bodies } = this.#world;
    const { bodies: rows } = this.#impact;
    for (let i = 0; i < rows.length; i++) {
      const body = rows[i]!;
      bodies.ints[body * BodyInt.STRIDE + BodyInt.FLAGS]! &= ~BODY_IN_ISLAND;
      if (this.#isDynamic(body)) updateSweptAabb(this.#world, body, this.#contacts.broadPhase);
    }
    this.#findNewContacts();
    for (let i = 0; i < rows.length; i++) if (this.#isDynamic(rows[i]!)) this.#reopen(rows[i]!);
  }

  /**
   * The new ones are searched, too: a body that bounces may meet a wall that was not on its way
   * before.
   */
  #findNewContacts(): void {
    const { created } = this.#contacts;
    this.#contacts.findNewContactsAtImpact();
    for (let i = 0; i < created.count; i++) this.#open(created.rows[i]!);
  }

  /** The way of a body has changed, so the times of its contacts are out of date. */
  #reopen(body: number): void {
    const { bodies, contacts: { ints } } = this.#world;
    for (let link = bodies.ints[body * BodyInt.STRIDE + BodyInt.FIRST_CONTACT]!; link !== NONE;) {
      const k = (link >> 1) * ContactInt.STRIDE;
      ints[k + ContactInt.FLAGS]! &= ~CONTACT_IN_ISLAND;
      this.#open(link >> 1);
      link = ints[k + ContactInt.NEXT_LINK + (link & 1)]!;
    }
  }

  #addBody(body: number): void {
    this.#world.bodies.ints[body * BodyInt.STRIDE + BodyInt.FLAGS]! |= BODY_IN_ISLAND;
    this.#impact.bodies.push(body);
  }

  #addContact(contact: number): void {
    this.#world.contacts.ints[contact * ContactInt.STRIDE + ContactInt.FLAGS]! |= CONTACT_IN_ISLAND;
    this.#impact.contacts.push(contact);
  }

  /**
   * Moves the start of a body's sweep to the share `alpha` of the world step. A body that does not
   * move keeps its bits: (1 − beta) · x + beta · x need not be x.
   */
  #advanceStart(body: number, alpha: number): void {
    const { values } = this.#world.bodies;
    const b = body * Body.STRIDE;
    const beta = (alpha - values[b + Body.ALPHA0]!) / (1 - values[b + Body.ALPHA0]!);
    this.#sensorSweeps?.keepStart(body);
    this.#advanced.push(body);
    values[b + Body.ALPHA0] = alpha;
    if (isStill(values, b)) return;
    this.#world.edit(body);
    values[b + Body.CENTER_X0] = beta * values[b + Body.CENTER_X]! +
      (1 - beta) * values[b + Body.CENTER_X0]!;
    values[b + Body.CENTER_Y0] = beta * values[b + Body.CENTER_Y]! +
      (1 - beta) * values[b + Body.CENTER_Y0]!;
    values[b + Body.ANGLE0] = beta * values[b + Body.ANGLE]! +
      (1 - beta) * values[b + Body.ANGLE0]!;
  }

  /** Moves a body to the share `alpha` of the world step. */
  #advance(body: number, alpha: number): void {
    const { values } = this.#world.bodies;
    const b = body * Body.STRIDE;
    this.#advanceStart(body, alpha);
    if (isStill(values, b)) return;
    values[b + Body.CENTER_X] = values[b + Body.CENTER_X0]!;
    values[b + Body.CENTER_Y] = values[b + Body.CENTER_Y0]!;
    values[b + Body.ANGLE] = values[b + Body.ANGLE0]!;
    updateTransform(values, b);
  }

  #keepSweep(body: number, slot: 0 | 1): void {
    const { values } = this.#world.bodies;
    const sweep = this.#sweeps[slot];
    for (let i = 0; i < SWEEP.length; i++) sweep[i] = values[body * Body.STRIDE + SWEEP[i]!]!;
  }

  #restoreSweep(body: number, slot: 0 | 1): void {
    const { values } = this.#world.bodies;
    const sweep = this.#sweeps[slot];
    for (let i = 0; i < SWEEP.length; i++) values[body * Body.STRIDE + SWEEP[i]!] = sweep[i]!;
    updateTransform(values, body * Body.STRIDE);
  }

  /** Whether a pair that is solid and continuous may have an impact in this step. */
  #mayHit(contact: number): boolean {
    const { contacts: { ints }, bodies } = this.#world;
    const k = contact * ContactInt.STRIDE;
    const flags = ints[k + ContactInt.FLAGS]!;
    const bodyA = ints[k + ContactInt.BODY_A]!;
    const bodyB = ints[k + ContactInt.BODY_B]!;
    const motion = bodies.ints[bodyA * BodyInt.STRIDE + BodyInt.FLAGS]! |
      bodies.ints[bodyB * BodyInt.STRIDE + BodyInt.FLAGS]!;
    if ((motion & BodyFlag.MOVED) === 0) return false;
    if ((flags & ContactFlag.TOUCHING) !== 0) return !this.#staysApart(contact);

    // Beside the end of an edge, and where a neighbour is nearer, hulls may be as near as they like
    // without touching.
    const isEdge =
      this.#world.shapes[this.#shapeOf(contact, 0) + ShapeValue.TYPE] === ShapeType.EDGE;
    if (isEdge && this.#staysApartFromEdge(contact)) return false;
    if ((motion & BodyFlag.FAST) !== 0) return true;
    const travel = travelOf(bodies.values, bodyA * Body.STRIDE) +
      travelOf(bodies.values, bodyB * Body.STRIDE);
    return (isEdge || travel > MEETING_MIN) && overlaps(this.#world, contact);
  }

  /** @returns the offset of the shape of a contact's fixture @param side 0 for A */
  #shapeOf(contact: number, side: 0 | 1): number {
    const { contacts: { ints }, fixtures } = this.#world;
    return fixtures
      .ints[
        ints[contact * ContactInt.STRIDE + ContactInt.FIXTURE_A + side]! * FixtureInt.STRIDE +
        FixtureInt.SHAPE
      ]!;
  }

  /**
   * Whether the hulls of a pair that touched when it was last looked at cannot meet in the rest of
   * the step.
   */
  #staysApart(contact: number): boolean {
    const { ints } = this.#world.contacts;
    const k = contact * ContactInt.STRIDE;
    if (ints[k + ContactInt.POINT_COUNT] === 0) return false;
    computeContactNormal(this.#world, contact);
    return this.#staysApartAlong(contact, ints[k + ContactInt.MANIFOLD_TYPE]!);
  }

  /** The same for an edge and a shape that do not touch, along the edge's normal. */
  #staysApartFromEdge(contact: number): boolean {
    const { contacts: { ints }, bodies: { values }, shapes } = this.#world;
    const k = contact * ContactInt.STRIDE;
    const a = ints[k + ContactInt.BODY_A]! * Body.STRIDE;
    const b = ints[k + ContactInt.BODY_B]! * Body.STRIDE;
    setEdgeNormal(shapes, this.#shapeOf(contact, 0), values, a, b);
    return this.#staysApartAlong(contact, ManifoldType.FACE_A);
  }

  #staysApartAlong(contact: number, type: number): boolean {
    const { contacts: { ints }, bodies: { values }, shapes } = this.#world;
    const k = contact * ContactInt.STRIDE;
    const a = ints[k + ContactInt.BODY_A]! * Body.STRIDE;
    const b = ints[k + ContactInt.BODY_B]! * Body.STRIDE;
    return staysApart(
      shapes,
      this.#shapeOf(contact, 0),
      values,
      a,
      this.#shapeOf(contact, 1),
      b,
      type,
    );
  }

  #isDynamic(body: number): boolean {
    return this.#world.bodies.ints[body * BodyInt.STRIDE + BodyInt.TYPE] === MotionType.DYNAMIC;
  }

  /**
   * Whether nothing of a pair moves in the rest of the step that a search could cut short. If it
   * has used up its impacts, then its dynamic bodies stay where they were stopped, although a
   * kinematic one moves on.
   */
  #isOver(contact: number): boolean {
    const { contacts: { ints }, bodies: { values } } = this.#world;
    const k = contact * ContactInt.STRIDE;
    const isUsedUp = ints[k + ContactInt.IMPACT_COUNT]! > IMPACTS_MAX;
    for (let side = 0; side < 2; side++) {
      const body = ints[k + ContactInt.BODY_A + side]!;
      if (!isStill(values, body * Body.STRIDE) && (!isUsedUp || this.#isDynamic(body))) {
        return false;
      }
    }
    return true;
  }
}
