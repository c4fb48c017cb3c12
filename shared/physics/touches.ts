/**
 * Who touched whom during one tick, once per pair of entities however many fixtures, world steps and times of impact it took,
 * and how it began. planck tells of each contact on its own, several times a step; rules want one answer.
 */
import { type Actor, actorOf, type BodyActor, type Entity } from "./entity.ts";
import { type Contacts, isSensor } from "./contacts.ts";
import { createWorldManifold, type PlanckBody, type PlanckContact, type Vector } from "./planck.ts";

/** Two entities that touched; `a` has the smaller id and may be the ground. Valid until the next `advance` or `load`. */
export interface Touch {
  readonly a: Entity;
  readonly b: Entity;
  /** They did not touch at the end of the tick before. */
  readonly began: boolean;
  /** Where both were when they first touched in this tick; at its start where they already did. Metres. */
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  /** How fast they closed in along the normal when they first touched, m/s, >= 0; 0 where they already did. */
  readonly approach: number;
  /** Unit vector from a to b: the surface's at the contact, from centre to centre for sensors. */
  readonly nx: number;
  readonly ny: number;
}

class TouchRecord implements Touch {
  a!: Entity;
  b!: Entity;
  began = false;
  ax = 0;
  ay = 0;
  bx = 0;
  by = 0;
  approach = 0;
  nx = 0;
  ny = 1;
  /** Seen touching in this tick; until then it only did at the end of the tick before. */
  seen = false;
  /** An earlier record of this tick with the same larger actor. */
  older: TouchRecord | undefined = undefined;
}

const manifold = createWorldManifold();
const scratch = { x: 0, y: 0 };

/** Who touched whom in one tick: pooled, one entry a pair, in order. */
export class TouchLog {
  /** Ascending by (a.id, b.id). */
  readonly touches: Touch[] = [];
  /** The first `#used` are this tick's. */
  readonly #pool: TouchRecord[] = [];
  #used = 0;
  /**
   * The newest record of each larger actor, the others by `older`. The larger never is the ground, so the chains are short.
   */
  readonly #newest = new Map<Actor, TouchRecord>();

  clear(): void {
    this.touches.length = 0;
    this.#used = 0;
    this.#newest.clear();
  }

  /** Before the first world step: notes who touches already. */
  begin(contacts: Contacts): void {
    this.clear();
    for (let contact = contacts.first; contact !== null; contact = contact.m_next) {
      if (contact.m_touchingFlag) this.#note(contact, false);
    }
  }

  /** From planck, in the middle of a world step. */
  contactBegan(contact: PlanckContact): void {
    this.#note(contact, true).seen = true;
  }

  /** After each world step. */
  see(contacts: Contacts): void {
    for (let contact = contacts.first; contact !== null; contact = contact.m_next) {
      if (contact.m_touchingFlag) this.#note(contact, true).seen = true;
    }
  }

  /** After the last one: fills `touches`. */
  end(): void {
    for (let i = 0; i < this.#used; i++) if (this.#pool[i]!.seen) this.touches.push(this.#pool[i]!);
    this.touches.sort(byIds);
  }

  /** The pair's record; a new one describes it as it is now. */
  #note(contact: PlanckContact, began: boolean): TouchRecord {
    const one = actorOf(contact.m_fixtureA.m_body), other = actorOf(contact.m_fixtureB.m_body);
    const a = one.id < other.id ? one : other, b = a === one ? other : one;
    const newest = this.#newest.get(b);
    for (let record = newest; record !== undefined; record = record.older) if (record.a === a.entity) return record;
    const record = this.#pool[this.#used++] ??= new TouchRecord();
    record.older = newest;
    this.#newest.set(b, record);
    record.a = a.entity;
    record.b = b.entity;
    record.began = began;
    record.seen = false;
    const point = describe(record, contact, a, b);
    record.approach = began ? approachAt(point, record, a.body, b.body) : 0;
    return record;
  }
}

/** Sets where both are and the normal; returns where they touch. */
function describe(record: TouchRecord, contact: PlanckContact, a: BodyActor, b: BodyActor): Vector {
  record.ax = a.entity.x;
  record.ay = a.entity.y;
  record.bx = b.entity.x;
  record.by = b.entity.y;
  return isSensor(contact) ? centreToCentre(record, a.body, b.body) : surface(record, contact, a);
}

/** How fast they close in along the normal where they touch, m/s. */
function approachAt(point: Vector, { nx, ny }: TouchRecord, a: PlanckBody, b: PlanckBody): number {
  const along = (velocityAt(a, point, "x") - velocityAt(b, point, "x")) * nx +
    (velocityAt(a, point, "y") - velocityAt(b, point, "y")) * ny;
  return Math.max(0, along);
}

/** Sets the normal; returns where they touch. */
function surface(record: TouchRecord, contact: PlanckContact, a: BodyActor): Vector {
  contact.getWorldManifold(manifold);
  const sign = contact.m_fixtureA.m_body === a.body ? 1 : -1;
  record.nx = sign * manifold.normal.x;
  record.ny = sign * manifold.normal.y;
  const [first, second] = manifold.points;
  if (manifold.pointCount === 1) return first;
  scratch.x = (first.x + second.x) / 2;
  scratch.y = (first.y + second.y) / 2;
  return scratch;
}

function centreToCentre(record: TouchRecord, a: PlanckBody, b: PlanckBody): Vector {
  const from = a.m_sweep.c, to = b.m_sweep.c;
  const dx = to.x - from.x, dy = to.y - from.y, distance = Math.sqrt(dx * dx + dy * dy);
  record.nx = distance > 0 ? dx / distance : 0;
  record.ny = distance > 0 ? dy / distance : 1;
  scratch.x = (from.x + to.x) / 2;
  scratch.y = (from.y + to.y) / 2;
  return scratch;
}

/** v + w x r, one coordinate of it. */
function velocityAt(body: PlanckBody, point: Vector, axis: "x" | "y"): number {
  const { c } = body.m_sweep;
  return axis === "x"
    ? body.m_linearVelocity.x - body.m_angularVelocity * (point.y - c.y)
    : body.m_linearVelocity.y + body.m_angularVelocity * (point.x - c.x);
}

function byIds(a: Touch, b: Touch): number {
  return a.a.id - b.a.id || a.b.id - b.b.id;
}
