/**
 * Who is on the stage, ascending by id, and their bodies. planck's own list of bodies is kept in descending order of id with
 * the ground last, which is what creation gives and what a load must restore, because planck solves in that order.
 */
import { FlatBroadPhase } from "./broad_phase.ts";
import { Actor, type Entity } from "./entity.ts";
import type { Kind } from "./kinds.ts";
import { cos, sin } from "./math.ts";
import type { PlanckWorld } from "./planck.ts";
import { StageError } from "./types.ts";

/** Beyond these an entity is lost, not playing. Metres, m/s, rad/s. */
export const POSITION_MAX = 1e5;
export const SPEED_MAX = 1e4;
export const SPIN_MAX = 1e4;
/** A float32 is exact to 6e-5 rad up to here; `settle` takes whole turns off beyond it. Radians. */
export const ANGLE_MAX = 1024;

const TURN = 2 * Math.PI;

/** Everybody on one stage, by id and by kind. */
export class Roster {
  readonly kinds: readonly Kind[];
  readonly ground: Actor;
  /** Ascending by id, without the ground. */
  readonly actors: Actor[] = [];
  readonly #world: PlanckWorld;
  readonly #broadPhase: FlatBroadPhase;
  /** By kind index: handles ascending by id. */
  readonly #entities: Entity[][];

  constructor(world: PlanckWorld, broadPhase: FlatBroadPhase, kinds: readonly Kind[]) {
    this.#world = world;
    this.#broadPhase = broadPhase;
    this.kinds = kinds;
    this.#entities = kinds.map(() => []);
    // At the origin: when something hits it in the middle of a step, planck moves it, too, but there only by sums of zeros.
    this.ground = this.#create(kinds[0]!, 0);
    broadPhase.endGround();
  }

  /** By binary search; the ground for 0, undefined where there is none. */
  get(id: number): Actor | undefined {
    if (id === 0) return this.ground;
    const place = this.#placeOf(id);
    const actor = this.actors[place];
    return actor?.id === id ? actor : undefined;
  }

  entitiesOf(kind: Kind): readonly Entity[] {
    return this.#entities[kind.index]!;
  }

  /** A new body at the origin, at rest. Its id must be larger than all others. */
  add(kind: Kind, id: number): Actor {
    const actor = this.#create(kind, id);
    this.actors.push(actor);
    this.#entities[kind.index]!.push(actor.entity);
    return actor;
  }

  /** Takes it and its contacts away; what it touched wakes up. */
  remove(actor: Actor): void {
    this.actors.splice(this.#placeOf(actor.id), 1);
    const entities = this.#entities[actor.kind.index]!;
    entities.splice(entities.indexOf(actor.entity), 1);
    this.#world.destroyBody(actor.body);
  }

  /**
   * Makes the roster exactly `count` actors with these ids, ascending, and kinds: the surplus goes first, because on a
   * mispredicted timeline the same id may be another kind; then the missing come.
   */
  become(count: number, idAt: (index: number) => number, kindAt: (index: number) => Kind): void {
    const before = this.actors.slice();
    let old = 0;
    for (let i = 0; i < count; i++) {
      while (old < before.length && before[old]!.id < idAt(i)) this.#world.destroyBody(before[old++]!.body);
      const same = before[old];
      if (same?.id === idAt(i) && same.kind !== kindAt(i)) this.#world.destroyBody(before[old++]!.body);
      else if (same?.id === idAt(i)) old++;
    }
    while (old < before.length) this.#world.destroyBody(before[old++]!.body);
    this.actors.length = 0;
    for (const entities of this.#entities) entities.length = 0;
    old = 0;
    for (let i = 0; i < count; i++) {
      while (old < before.length && before[old]!.id < idAt(i)) old++;
      const same = before[old];
      const kept = same !== undefined && same.id === idAt(i) && same.kind === kindAt(i);
      const actor = kept ? same : this.#create(kindAt(i), idAt(i));
      this.actors.push(actor);
      this.#entities[actor.kind.index]!.push(actor.entity);
    }
    this.#relink();
  }

  /** Puts the body's origin to (x, y) at an angle. */
  place(actor: Actor, x: number, y: number, angle: number): void {
    const { localCenter } = actor.body.m_sweep;
    const s = sin(angle), c = cos(angle);
    const centerX = x + (c * localCenter.x - s * localCenter.y), centerY = y + (s * localCenter.x + c * localCenter.y);
    this.placeCenter(actor, centerX, centerY, angle);
  }

  /** Puts the centre of mass to (x, y) at an angle; the body has never been anywhere else. */
  placeCenter(actor: Actor, x: number, y: number, angle: number): void {
    const sweep = actor.body.m_sweep;
    sweep.c.x = sweep.c0.x = x;
    sweep.c.y = sweep.c0.y = y;
    sweep.a = sweep.a0 = angle;
    sweep.alpha0 = 0;
    actor.body.synchronizeTransform();
    for (const fixture of actor.fixtures) {
      const proxy = fixture.m_proxies[0];
      fixture.m_shape.computeAABB(proxy.aabb, actor.body.m_xf, 0);
      this.#broadPhase.moveProxy(proxy.proxyId, proxy.aabb);
    }
  }

  /**
   * Rounds the body's motion to 32 bits and makes everything that planck derives from it a function of the rounded values.
   * @throws StageError for an actor that is lost: not a number, or beyond the bounds
   */
  settle(actor: Actor): void {
    const { m_sweep: sweep, m_linearVelocity: velocity } = actor.body;
    const turns = Math.abs(sweep.a) > ANGLE_MAX ? Math.round(sweep.a / TURN) : 0;
    this.placeCenter(actor, Math.fround(sweep.c.x), Math.fround(sweep.c.y), Math.fround(sweep.a - turns * TURN));
    velocity.x = Math.fround(velocity.x);
    velocity.y = Math.fround(velocity.y);
    actor.body.m_angularVelocity = Math.fround(actor.body.m_angularVelocity);
    actor.body.m_sleepTime = Math.fround(actor.body.m_sleepTime);
    checkPosition(actor, sweep.c.x, sweep.c.y);
    checkAngle(actor, sweep.a);
    checkVelocity(actor, velocity.x, velocity.y);
    checkSpin(actor, actor.body.m_angularVelocity);
  }

  #create(kind: Kind, id: number): Actor {
    const body = this.#world.createBody(kind.body);
    const fixtures = kind.fixtures.map((def, i) => {
      const fixture = body.createFixture(def);
      fixture.m_proxies[0].key = id * 256 + i;
      return fixture;
    });
    return new Actor(id, kind, body, fixtures);
  }

  /** The first place whose id is not smaller. */
  #placeOf(id: number): number {
    let low = 0, high = this.actors.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.actors[middle]!.id < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #relink(): void {
    let next = this.ground.body;
    next.m_next = null;
    for (const { body } of this.actors) {
      body.m_next = next;
      next.m_prev = body;
      next = body;
    }
    next.m_prev = null;
    this.#world.m_bodyList = next;
  }
}

/** Who a number belongs to, for errors. */
interface Owner {
  toString(): string;
}

/** Metres. @throws StageError naming owner and quantity, like the others below */
export function checkPosition(owner: Owner, x: number, y: number): void {
  checkWithin(x, POSITION_MAX, owner, "x");
  checkWithin(y, POSITION_MAX, owner, "y");
}

/** m/s. @throws StageError naming the owner where it is not finite or out of bounds */
export function checkVelocity(owner: Owner, vx: number, vy: number): void {
  checkWithin(vx, SPEED_MAX, owner, "vx");
  checkWithin(vy, SPEED_MAX, owner, "vy");
}

/** Radians. @throws StageError naming the owner where it is not finite or out of bounds */
export function checkAngle(owner: Owner, angle: number): void {
  checkWithin(angle, ANGLE_MAX, owner, "angle");
}

/** rad/s. @throws StageError naming the owner where it is not finite or out of bounds */
export function checkSpin(owner: Owner, spin: number): void {
  checkWithin(spin, SPIN_MAX, owner, "spin");
}

function checkWithin(value: number, max: number, owner: Owner, what: string): void {
  if (!(Math.abs(value) <= max)) throw new StageError(`${owner}: ${what} is ${value}; at most ${max} is allowed`);
}
