/**
 * Continuous collision: a body stops where it first hits something, so that it neither tunnels nor ends a step deep
 * inside. After the islands, the earliest time of impact of all candidates is solved, then the next, as in Box2D's
 * b2World::SolveTOI. The candidates are a few pairs in each step:
 *
 * | pair                     | is searched                                                              |
 * | ------------------------ | ------------------------------------------------------------------------ |
 * | one is fast (`aabb.ts`)  | unless they touch and slide along their face: they may pass each other   |
 * | both slow, not touching  | if they overlap at the end of the step: they cannot pass each other      |
 * | touching and bouncy      | if they move towards each other: another body pushed them together again |
 *
 * All tests are functions of the poses at the start and end of the step and of the manifold, so they depend on no
 * history.
 *
 * The work of one search is bounded: in a crowd of bullets each impact moves bodies that then may hit a thousand others.
 * At the bound, each body that would still hit something stays where it is for the rest of the step. So it gets through
 * nothing. It keeps its velocity, and goes on in the next step.
 */
import * as bodyLayout from "../core/body_rows.ts";
import { updateTransform } from "../core/body_transform.ts";
import * as contactLayout from "../core/contact_rows.ts";
import { FIXTURE_INTS, FIXTURE_SHAPE } from "../core/fixture_rows.ts";
import { EPSILON, IMPACTS_MAX } from "../core/tuning.ts";
import { WORLD_NORMAL_X, WORLD_NORMAL_Y, worldManifold } from "../geometry/world_manifold.ts";
import { timeOfImpact } from "../geometry/time_of_impact.ts";
import { rotationTravel, updateAabb, updateSweptAabb } from "../collision/aabb.ts";
import { computeContactNormal } from "./contact_manifold.ts";
import type { Contacts } from "./contacts.ts";
import { solveImpact } from "./impact_solver.ts";
import { overlaps } from "./narrow_phase.ts";
import type { SensorSweeps } from "./sensor_sweeps.ts";
import type { World } from "./world.ts";

const { ALPHA0, CENTER_X, CENTER_X0, CENTER_Y, CENTER_Y0, ANGLE, ANGLE0, MAX_SLOW_MOTION } = bodyLayout;
const { BODY_STRIDE, BODY_INTS, BODY_TYPE, BODY_FLAGS, DYNAMIC, BULLET, FAST, MOVED } = bodyLayout;
const { FIRST_CONTACT, NONE } = bodyLayout;
const { CONTACT_VALUES, CONTACT_INTS, CONTACT_FLAGS, FIXTURE_A, FIXTURE_B, NEXT_LINK, IMPACT_COUNT } = contactLayout;
const { CONTACT_BODY_A, CONTACT_BODY_B, PAIR_RESTITUTION } = contactLayout;
const { TOUCHING, SOLID, OF_SENSOR, IMPACT_KNOWN, IMPACT_OPEN } = contactLayout;
/** Both layouts have a flag of this name. */
const BODY_IN_ISLAND = bodyLayout.IN_ISLAND, CONTACT_IN_ISLAND = contactLayout.IN_ISLAND;

/**
 * Metres that a touching pair moves together before it counts. It touches at most 5 mm deep, where a time of impact
 * stops, so that it gets at most 2 cm deep.
 */
const PRESSED_MIN = 0.0125;
/** Times of impact this near the end of the step are none. */
const ALPHA_MAX = 1 - 10 * EPSILON;
/** The work of an impact, beside that of its contacts: all active contacts are looked at for the next one. */
const IMPACT_WORK = 8;

/** Centre at the start and end of the step, angles, and `ALPHA0`: the numbers that `advance` changes. */
const SWEEP = [CENTER_X, CENTER_Y, ANGLE, CENTER_X0, CENTER_Y0, ANGLE0, ALPHA0] as const;

/** The search for times of impact of one world. */
export class Impacts {
  readonly #world: World;
  readonly #contacts: Contacts;
  readonly #sensorSweeps: SensorSweeps | undefined;
  /** By row of the contact: the time of impact, 0 … 1, if it is known; 1 means none. */
  #times = new Float64Array(64);
  readonly #candidates: number[] = [];
  /** The bodies whose sweeps no longer begin at the start of the step, some of them twice. */
  readonly #advanced: number[] = [];
  /** The work of this search: the times of impact that were computed, the contacts that were solved, and the impacts. */
  #work = 0;
  /** The bodies and contacts of the present impact. */
  readonly #impact = { bodies: [] as number[], contacts: [] as number[] };
  readonly #sweeps = [new Float64Array(SWEEP.length), new Float64Array(SWEEP.length)] as const;

  /** @param sensorSweeps gets the places where bodies change their direction; undefined if no sensor asks for them */
  constructor(world: World, contacts: Contacts, sensorSweeps: SensorSweeps | undefined) {
    this.#world = world;
    this.#contacts = contacts;
    this.#sensorSweeps = sensorSweeps;
  }

  /** Runs after all islands are solved, and only if a body moved so far that it may have an impact. */
  solve(): void {
    const { active, contacts: { ints } } = this.#world, candidates = this.#candidates;
    candidates.length = 0;
    active.mergeAdded();
    for (let i = 0; i < active.rows.length; i++) if (this.#mayHit(active.rows[i]!)) candidates.push(active.rows[i]!);
    if (candidates.length === 0) return;
    this.#beginSearch();
    this.#work = 0;
    for (let i = 0; i < candidates.length; i++) ints[candidates[i]! * CONTACT_INTS + CONTACT_FLAGS]! |= IMPACT_OPEN;
    for (;;) {
      const contact = this.#findEarliest();
      if (contact === NONE) break;
      if (this.#work > this.#world.workMax) {
        this.#stopAll();
        break;
      }
      this.#solveOne(contact, this.#times[contact]!);
    }
    const { values } = this.#world.bodies, advanced = this.#advanced;
    for (let i = 0; i < advanced.length; i++) {
      const body = advanced[i]!, at = body * BODY_STRIDE + ALPHA0;
      if (values[at]! > 0) this.#sensorSweeps?.keepStart(body);
      values[at] = 0;
    }
    advanced.length = 0;
  }

  /** Marks all contacts as without an impact. */
  #beginSearch(): void {
    const { active, contacts: { ints } } = this.#world;
    for (let i = 0; i < active.rows.length; i++) {
      const k = active.rows[i]! * CONTACT_INTS;
      ints[k + CONTACT_FLAGS]! &= ~(IMPACT_KNOWN | IMPACT_OPEN);
      ints[k + IMPACT_COUNT] = 0;
    }
  }

  #reserveTimes(): void {
    const rows = this.#world.contacts.order.length;
    if (this.#times.length >= rows) return;
    const times = new Float64Array(rows);
    times.set(this.#times);
    this.#times = times;
  }

  /** @returns the contact with the earliest time of impact, the first of several; `NONE` if there is none */
  #findEarliest(): number {
    this.#reserveTimes();
    const { active, contacts: { ints } } = this.#world;
    active.mergeAdded();
    let earliest: number = NONE, alphaMin = 1;
    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!, k = contact * CONTACT_INTS, flags = ints[k + CONTACT_FLAGS]!;
      if ((flags & SOLID) === 0 || (flags & (IMPACT_KNOWN | IMPACT_OPEN)) === 0) continue;
      if (ints[k + IMPACT_COUNT]! > IMPACTS_MAX) continue;
      if ((flags & IMPACT_OPEN) !== 0 && !this.#computeTime(contact)) continue;
      if (this.#times[contact]! < alphaMin) {
        earliest = contact;
        alphaMin = this.#times[contact]!;
      }
    }
    return ALPHA_MAX < alphaMin ? NONE : earliest;
  }

  /** Stops the bodies that have an impact left. All times are known. */
  #stopAll(): void {
    const { active, bodies, contacts: { ints } } = this.#world;
    for (let i = 0; i < active.rows.length; i++) {
      const contact = active.rows[i]!, k = contact * CONTACT_INTS;
      const isAhead = (ints[k + CONTACT_FLAGS]! & (SOLID | IMPACT_KNOWN)) === (SOLID | IMPACT_KNOWN) &&
        this.#times[contact]! <= ALPHA_MAX;
      if (!isAhead) continue;
      for (let side = 0; side < 2; side++) {
        const body = ints[k + CONTACT_BODY_A + side]!;
        if (bodies.ints[body * BODY_INTS + BODY_TYPE] === DYNAMIC) this.#stop(body);
      }
    }
    this.#world.limitsReached.add("impacts");
  }

  /** Puts a body where its sweep begins. */
  #stop(body: number): void {
    const { values } = this.#world.bodies, b = body * BODY_STRIDE;
    this.#world.edit(body);
    values[b + CENTER_X] = values[b + CENTER_X0]!;
    values[b + CENTER_Y] = values[b + CENTER_Y0]!;
    values[b + ANGLE] = values[b + ANGLE0]!;
    updateTransform(values, b);
    updateAabb(this.#world, body, this.#contacts.broadPhase);
  }

  /** Computes a contact's time of impact. @returns false if its bodies cannot have one */
  #computeTime(contact: number): boolean {
    const { contacts: { ints }, bodies, fixtures, shapes } = this.#world, { values } = bodies;
    const k = contact * CONTACT_INTS, bodyA = ints[k + CONTACT_BODY_A]!, bodyB = ints[k + CONTACT_BODY_B]!;
    if ((ints[k + CONTACT_FLAGS]! & OF_SENSOR) !== 0) return false;
    if (!this.#world.isActive(bodyA) && !this.#world.isActive(bodyB)) return false;
    if (!isContinuous(bodies.ints, bodyA) && !isContinuous(bodies.ints, bodyB)) return false;
    const a = bodyA * BODY_STRIDE, b = bodyB * BODY_STRIDE;
    const alpha0 = Math.max(values[a + ALPHA0]!, values[b + ALPHA0]!);
    if (values[a + ALPHA0]! < alpha0) this.#advanceStart(bodyA, alpha0);
    if (values[b + ALPHA0]! < alpha0) this.#advanceStart(bodyB, alpha0);
    const shapeA = fixtures.ints[ints[k + FIXTURE_A]! * FIXTURE_INTS + FIXTURE_SHAPE]!;
    const shapeB = fixtures.ints[ints[k + FIXTURE_B]! * FIXTURE_INTS + FIXTURE_SHAPE]!;
    this.#work++;
    const beta = timeOfImpact(shapes, shapeA, values, a, shapeB, b);
    this.#times[contact] = beta < 0 ? 1 : Math.min(alpha0 + (1 - alpha0) * beta, 1);
    ints[k + CONTACT_FLAGS] = ints[k + CONTACT_FLAGS]! & ~IMPACT_OPEN | IMPACT_KNOWN;
    return true;
  }

  /** Solves one impact at the share `alpha` of the world step. */
  #solveOne(contact: number, alpha: number): void {
    const { ints } = this.#world.contacts, { bodies: rows, contacts } = this.#impact;
    const k = contact * CONTACT_INTS, bodyA = ints[k + CONTACT_BODY_A]!, bodyB = ints[k + CONTACT_BODY_B]!;
    this.#keepSweep(bodyA, 0);
    this.#keepSweep(bodyB, 1);
    this.#advance(bodyA, alpha);
    this.#advance(bodyB, alpha);
    this.#contacts.updateOne(contact);
    ints[k + CONTACT_FLAGS] = ints[k + CONTACT_FLAGS]! & ~IMPACT_KNOWN | IMPACT_OPEN;
    ints[k + IMPACT_COUNT]!++;
    this.#work += IMPACT_WORK;
    if ((ints[k + CONTACT_FLAGS]! & (SOLID | TOUCHING)) !== (SOLID | TOUCHING)) {
      ints[k + CONTACT_FLAGS]! &= ~SOLID;
      this.#restoreSweep(bodyA, 0);
      this.#restoreSweep(bodyB, 1);
      return;
    }
    this.#world.wake(bodyA);
    this.#world.wake(bodyB);
    rows.length = contacts.length = 0;
    this.#addBody(bodyA);
    this.#addBody(bodyB);
    this.#addContact(contact);
    this.#collectNeighbours(bodyA, alpha);
    this.#collectNeighbours(bodyB, alpha);
    this.#work += contacts.length;
    solveImpact(this.#world, this.#impact, alpha);
    this.#endOne();
  }

  /** Adds the contacts of one of the two bodies that touch at this time, and the bodies that they touch. */
  #collectNeighbours(body: number, alpha: number): void {
    const { contacts: { ints }, bodies } = this.#world;
    if (bodies.ints[body * BODY_INTS + BODY_TYPE] !== DYNAMIC) return;
    for (let link = bodies.ints[body * BODY_INTS + FIRST_CONTACT]!; link !== NONE;) {
      const contact = link >> 1, k = contact * CONTACT_INTS, side = link & 1;
      link = ints[k + NEXT_LINK + side]!;
      if ((ints[k + CONTACT_FLAGS]! & (CONTACT_IN_ISLAND | OF_SENSOR)) !== 0) continue;
      const other = ints[k + CONTACT_BODY_A + 1 - side]!;
      const isIncluded = (bodies.ints[other * BODY_INTS + BODY_FLAGS]! & BODY_IN_ISLAND) !== 0;
      // Two dynamic bodies that are no bullets may tunnel.
      if (!isContinuous(bodies.ints, body) && !isContinuous(bodies.ints, other)) continue;
      this.#work++;
      this.#keepSweep(other, 0);
      if (!isIncluded) this.#advance(other, alpha);
      this.#contacts.updateOne(contact);
      if ((ints[k + CONTACT_FLAGS]! & (SOLID | TOUCHING)) !== (SOLID | TOUCHING)) {
        this.#restoreSweep(other, 0);
        continue;
      }
      this.#addContact(contact);
      if (isIncluded) continue;
      this.#world.wake(other);
      this.#addBody(other);
    }
  }

  /** Computes AABBs and finds new contacts of the bodies that moved. Their times of impact are out of date. */
  #endOne(): void {
    const { bodies, contacts: { ints } } = this.#world, { bodies: rows } = this.#impact;
    for (let i = 0; i < rows.length; i++) {
      const body = rows[i]!;
      bodies.ints[body * BODY_INTS + BODY_FLAGS]! &= ~BODY_IN_ISLAND;
      if (bodies.ints[body * BODY_INTS + BODY_TYPE] !== DYNAMIC) continue;
      updateSweptAabb(this.#world, body, this.#contacts.broadPhase);
      for (let link = bodies.ints[body * BODY_INTS + FIRST_CONTACT]!; link !== NONE;) {
        const k = (link >> 1) * CONTACT_INTS;
        ints[k + CONTACT_FLAGS] = ints[k + CONTACT_FLAGS]! & ~(IMPACT_KNOWN | CONTACT_IN_ISLAND) | IMPACT_OPEN;
        link = ints[k + NEXT_LINK + (link & 1)]!;
      }
    }
    this.#contacts.findNewContactsAtImpact();
  }

  #addBody(body: number): void {
    this.#world.bodies.ints[body * BODY_INTS + BODY_FLAGS]! |= BODY_IN_ISLAND;
    this.#impact.bodies.push(body);
  }

  #addContact(contact: number): void {
    this.#world.contacts.ints[contact * CONTACT_INTS + CONTACT_FLAGS]! |= CONTACT_IN_ISLAND;
    this.#impact.contacts.push(contact);
  }

  /** Moves the start of a body's sweep to the share `alpha` of the world step. */
  #advanceStart(body: number, alpha: number): void {
    const { values } = this.#world.bodies, b = body * BODY_STRIDE;
    const beta = (alpha - values[b + ALPHA0]!) / (1 - values[b + ALPHA0]!);
    this.#sensorSweeps?.keepStart(body);
    this.#world.edit(body);
    this.#advanced.push(body);
    values[b + CENTER_X0] = beta * values[b + CENTER_X]! + (1 - beta) * values[b + CENTER_X0]!;
    values[b + CENTER_Y0] = beta * values[b + CENTER_Y]! + (1 - beta) * values[b + CENTER_Y0]!;
    values[b + ANGLE0] = beta * values[b + ANGLE]! + (1 - beta) * values[b + ANGLE0]!;
    values[b + ALPHA0] = alpha;
  }

  /** Moves a body to the share `alpha` of the world step. */
  #advance(body: number, alpha: number): void {
    const { values } = this.#world.bodies, b = body * BODY_STRIDE;
    this.#advanceStart(body, alpha);
    values[b + CENTER_X] = values[b + CENTER_X0]!;
    values[b + CENTER_Y] = values[b + CENTER_Y0]!;
    values[b + ANGLE] = values[b + ANGLE0]!;
    updateTransform(values, b);
  }

  #keepSweep(body: number, slot: 0 | 1): void {
    const { values } = this.#world.bodies, sweep = this.#sweeps[slot];
    for (let i = 0; i < SWEEP.length; i++) sweep[i] = values[body * BODY_STRIDE + SWEEP[i]!]!;
  }

  #restoreSweep(body: number, slot: 0 | 1): void {
    const { values } = this.#world.bodies, sweep = this.#sweeps[slot];
    for (let i = 0; i < SWEEP.length; i++) values[body * BODY_STRIDE + SWEEP[i]!] = sweep[i]!;
    updateTransform(values, body * BODY_STRIDE);
  }

  /** Whether the pair may have an impact in this step. */
  #mayHit(contact: number): boolean {
    const { contacts: { ints, values }, bodies } = this.#world, k = contact * CONTACT_INTS;
    const flags = ints[k + CONTACT_FLAGS]!, bodyA = ints[k + CONTACT_BODY_A]!, bodyB = ints[k + CONTACT_BODY_B]!;
    const motion = bodies.ints[bodyA * BODY_INTS + BODY_FLAGS]! | bodies.ints[bodyB * BODY_INTS + BODY_FLAGS]!;
    if ((motion & MOVED) === 0 || (flags & (SOLID | OF_SENSOR)) !== SOLID) return false;
    if (!isContinuous(bodies.ints, bodyA) && !isContinuous(bodies.ints, bodyB)) return false;
    const isFast = (motion & FAST) !== 0;
    if ((flags & TOUCHING) === 0) return isFast || overlaps(this.#world, contact);
    if (values[contact * CONTACT_VALUES + PAIR_RESTITUTION]! > 0 && this.#closingOf(contact) > PRESSED_MIN) return true;
    return isFast && !this.#isSlidingAlongFace(contact);
  }

  /** @returns how far the two have moved towards each other along the contact normal in this step, metres */
  #closingOf(contact: number): number {
    const { contacts: { ints }, bodies: { values } } = this.#world;
    computeContactNormal(this.#world, contact);
    const a = ints[contact * CONTACT_INTS + CONTACT_BODY_A]! * BODY_STRIDE;
    const b = ints[contact * CONTACT_INTS + CONTACT_BODY_B]! * BODY_STRIDE;
    const ax = values[a + CENTER_X]! - values[a + CENTER_X0]!, ay = values[a + CENTER_Y]! - values[a + CENTER_Y0]!;
    const bx = values[b + CENTER_X]! - values[b + CENTER_X0]!, by = values[b + CENTER_Y]! - values[b + CENTER_Y0]!;
    return (ax - bx) * worldManifold[WORLD_NORMAL_X]! + (ay - by) * worldManifold[WORLD_NORMAL_Y]!;
  }

  /** Whether the motion of both along the contact normal, plus the travel by rotation, is slow. */
  #isSlidingAlongFace(contact: number): boolean {
    const { contacts, bodies: { values, ints } } = this.#world;
    let rotation = 0, maxSlowMotion = Infinity;
    for (let side = 0; side < 2; side++) {
      const body = contacts.ints[contact * CONTACT_INTS + CONTACT_BODY_A + side]!;
      if ((ints[body * BODY_INTS + BODY_FLAGS]! & FAST) === 0) continue;
      rotation += rotationTravel(values, body * BODY_STRIDE);
      maxSlowMotion = Math.min(maxSlowMotion, values[body * BODY_STRIDE + MAX_SLOW_MOTION]!);
    }
    return Math.abs(this.#closingOf(contact)) + rotation <= maxSlowMotion;
  }
}

/** Whether a body stops at every body that it hits. Two dynamic bodies that are no bullets may tunnel. */
function isContinuous(ints: Int32Array, body: number): boolean {
  const at = body * BODY_INTS;
  return (ints[at + BODY_FLAGS]! & BULLET) !== 0 || ints[at + BODY_TYPE] !== DYNAMIC;
}
