/**
 * Projectiles move without the solver. Before each world step of h seconds, projectiles move in the
 * order of their ids. Each moves along a straight segment to its earliest hit, bounces there, and
 * continues with the rest of h:
 *
 *     v += g · h        once per world step; g is gravity
 *     x += v · t        t is the time to the earliest hit, or the rest of h
 *     v += J / m · n    J is the impulse, m the projectile's mass, n the normal of the surface
 *
 * Bodies move on meanwhile at their present velocity, so a segment is relative to each body's
 * velocity. A body that is hit receives the impulse at once, before the world step.
 */
import { Aabb } from "../collision/sweep_and_prune.ts";
import { Body, NONE } from "../core/body_rows.ts";
import type { BroadPhase } from "../collision/broad_phase.ts";
import { type BodyRecord, type Entity, type ProjectileRecord, recordOf } from "./entity.ts";
import { BOUNCES_UNLIMITED } from "./compiled_archetypes.ts";
import type { PairRules } from "./pair_rules.ts";
import { Fixture, FixtureFlag, FixtureInt } from "../core/fixture_rows.ts";
import type { World } from "../dynamics/world.ts";
import type { EntityTable } from "./entity_table.ts";
import { projectileLands } from "../dynamics/one_way.ts";
import { castCircle, CircleCast, circleCast } from "../geometry/circle_cast.ts";

/**
 * Segments per projectile and world step. A projectile with more hits, in a narrow wedge, loses the
 * rest of its motion.
 */
const SEGMENTS_MAX = 4;

/** One hit of a projectile. Valid until the next `advance` or `load`. */
export interface Hit {
  readonly projectile: Entity;
  /** The entity that was hit; may be the ground. */
  readonly target: Entity;
  /** The projectile's centre at the hit, metres. */
  readonly x: number;
  readonly y: number;
  /** Unit normal of the target's surface, toward the projectile. */
  readonly nx: number;
  readonly ny: number;
  /** Speed at which both approached along the normal before the hit, m/s, >= 0. */
  readonly approachSpeed: number;
  /** Whether it was the projectile's last hit. `endTick` then removes the projectile. */
  readonly expired: boolean;
}

class HitRecord implements Hit {
  projectile!: Entity;
  target!: Entity;
  x = 0;
  y = 0;
  nx = 0;
  ny = 1;
  approachSpeed = 0;
  expired = false;
}

/** Moves all projectiles of one stage. */
export class Projectiles {
  /** The hits of this tick, by world step, projectile id, and time. */
  readonly hits: Hit[] = [];
  readonly #pool: HitRecord[] = [];
  readonly #world: World;
  readonly #entities: EntityTable;
  readonly #broadPhase: BroadPhase;
  readonly #rules: PairRules;
  /** The AABB around the present segment. */
  readonly #queryBox = new Aabb();
  /**
   * The distance that the fastest body moves in this world step, metres. A body farther from a
   * segment cannot be hit.
   */
  #bodyTravelMax = 0;
  /** Fixtures that the projectiles of this world step may still be cast against. */
  #castsLeft = 0;
  /** Time that the present projectile has left in this world step, and time behind it, seconds. */
  #remainingS = 0;
  #elapsedS = 0;
  /**
   * The earliest hit of the present segment: its fraction of the segment, 0 … 1, and its normal.
   */
  #hitFraction = 0;
  #hitNx = 0;
  #hitNy = 0;

  constructor(world: World, entities: EntityTable, broadPhase: BroadPhase, rules: PairRules) {
    this.#world = world;
    this.#entities = entities;
    this.#broadPhase = broadPhase;
    this.#rules = rules;
  }

  /** Removes all hits. */
  clear(): void {
    this.hits.length = 0;
  }

  /** Moves all projectiles, before a world step of so many seconds. */
  integrate(seconds: number): void {
    const { projectiles, bodies } = this.#entities;
    if (projectiles.length === 0) return;
    this.#bodyTravelMax = maxSpeed(bodies) * seconds;
    this.#castsLeft = this.#world.workMax;
    for (let i = 0; i < projectiles.length; i++) {
      if (!projectiles[i]!.expired) this.#integrateOne(projectiles[i]!, seconds);
    }
  }

  /** Ages all projectiles by a tick, after its last world step. */
  tickLifetimes(): void {
    const { projectiles } = this.#entities;
    for (let i = 0; i < projectiles.length; i++) {
      const projectile = projectiles[i]!;
      if (
        !projectile.expired && ++projectile.ageTicks >= projectile.compiled.projectile.lifeTicks
      ) {
        projectile.expired = true;
      }
    }
  }

  /** Removes expired projectiles, at the end of the tick. */
  removeExpired(): void {
    const { projectiles } = this.#entities;
    for (let i = projectiles.length - 1; i >= 0; i--) {
      if (projectiles[i]!.expired) this.#entities.remove(projectiles[i]!);
    }
  }

  #integrateOne(projectile: ProjectileRecord, seconds: number): void {
    const { gravityX, gravityY } = this.#world;
    const { gravityScale } = projectile.compiled.projectile;
    if (gravityX !== 0) projectile.vx += gravityX * gravityScale * seconds;
    projectile.vy += gravityY * gravityScale * seconds;
    this.#remainingS = seconds;
    this.#elapsedS = 0;
    let fixture: number = NONE;

    for (let segment = 0; segment < SEGMENTS_MAX; segment++) {
      // It stays where it is for the rest of the step, so that it gets through nothing.
      if (this.#castsLeft <= 0) return void this.#world.limitsReached.add("casts");
      fixture = this.#firstHit(projectile, fixture);
      const travelS = fixture === NONE ? this.#remainingS : this.#remainingS * this.#hitFraction;
      projectile.x += projectile.vx * travelS;
      projectile.y += projectile.vy * travelS;
      if (fixture === NONE) return;
      this.#remainingS -= travelS;
      this.#elapsedS += travelS;
      this.#recordHit(projectile, fixture, seconds);
      if (projectile.expired) return;
    }
  }

  /**
   * @param last the fixture of the previous hit, which does not count. Shapes are convex, so no
   * projectile hits one twice in a row. But a body that yields only by turning would seem to be hit
   * again.
   * @returns the fixture that the projectile hits first in the remaining time, or `NONE`. If it
   * hits several at the same time, the smallest key decides
   */
  #firstHit(projectile: ProjectileRecord, last: number): number {
    const { queryResults } = this.#broadPhase;
    const count = this.#queryAround(projectile);
    const { fixtures: { ints, values: keys }, bodies: { values }, shapes, segments } = this.#world;

    let first: number = NONE;
    this.#castsLeft -= count;
    this.#hitFraction = Infinity;
    for (let i = 0; i < count; i++) {
      const fixture = queryResults[i]!;
      const at = fixture * FixtureInt.STRIDE;
      const flags = ints[at + FixtureInt.FLAGS]!;
      if (
        fixture === last || (flags & FixtureFlag.SENSOR) !== 0 || !canCollide(projectile, ints, at)
      ) continue;

      // The motion relative to the body
      const row = ints[at + FixtureInt.BODY]!;
      const b = row * Body.STRIDE;
      const vx = values[b + Body.VX]!;
      const vy = values[b + Body.VY]!;
      circleCast[CircleCast.X] = projectile.x - vx * this.#elapsedS;
      circleCast[CircleCast.Y] = projectile.y - vy * this.#elapsedS;
      circleCast[CircleCast.DX] = (projectile.vx - vx) * this.#remainingS;
      circleCast[CircleCast.DY] = (projectile.vy - vy) * this.#remainingS;

      // The earliest hit; of several at the same time, that of the smallest key
      const shape = ints[at + FixtureInt.SHAPE]!;
      if (!castCircle(shapes, shape, values, b) || segments?.isGhostHit(shapes, shape, values, b)) {
        continue;
      }
      const fraction = circleCast[CircleCast.FRACTION]!;
      if (fraction > this.#hitFraction) continue;
      const isLater =
        keys[fixture * Fixture.STRIDE + Fixture.KEY]! > keys[first * Fixture.STRIDE + Fixture.KEY]!;
      if (fraction === this.#hitFraction && isLater) continue;

      // The author's rules
      const target = recordOf(this.#world, row);
      if (!this.#rules.shouldCollide(projectile, target)) continue;
      const isOneWay = (flags & FixtureFlag.ONE_WAY) !== 0;
      if (
        isOneWay &&
        !(projectileLands(this.#world, fixture) && this.#rules.landsOn(projectile, target))
      ) continue;

      first = fixture;
      this.#hitFraction = fraction;
      this.#hitNx = circleCast[CircleCast.NORMAL_X]!;
      this.#hitNy = circleCast[CircleCast.NORMAL_Y]!;
    }

    return first;
  }

  /**
   * @returns the number of proxies that the projectile may hit; `queryResults` of the broad phase
   *   has their ids
   */
  #queryAround(projectile: ProjectileRecord): number {
    const { radius } = projectile.compiled.projectile;
    const margin = radius + this.#bodyTravelMax;
    const toX = projectile.x + projectile.vx * this.#remainingS;
    const toY = projectile.y + projectile.vy * this.#remainingS;
    circleCast[CircleCast.RADIUS] = radius;
    const box = this.#queryBox;
    box.left = Math.min(projectile.x, toX) - margin;
    box.bottom = Math.min(projectile.y, toY) - margin;
    box.right = Math.max(projectile.x, toX) + margin;
    box.top = Math.max(projectile.y, toY) + margin;
    return this.#broadPhase.query(box);
  }

  /**
   * Records a hit at the projectile's present position, applies the bounce and decides whether the
   * projectile expires.
   */
  #recordHit(projectile: ProjectileRecord, fixture: number, seconds: number): void {
    const { ints } = this.#world.fixtures;
    const { bouncesMax, expiresOn } = projectile.compiled.projectile;
    const target = recordOf(this.#world, ints[fixture * FixtureInt.STRIDE + FixtureInt.BODY]!);
    const record = this.#pool[this.hits.length] ??= new HitRecord();
    record.projectile = projectile.entity;
    record.target = target.entity;
    record.x = projectile.x;
    record.y = projectile.y;
    record.nx = this.#hitNx;
    record.ny = this.#hitNy;
    record.approachSpeed = this.#applyBounce(projectile, fixture, seconds);
    const isOver = bouncesMax !== BOUNCES_UNLIMITED && projectile.bounces === bouncesMax;
    projectile.expired = isOver ||
      (ints[fixture * FixtureInt.STRIDE + FixtureInt.CATEGORY]! & expiresOn) !== 0;
    if (!projectile.expired && projectile.bounces < BOUNCES_UNLIMITED) projectile.bounces++;
    record.expired = projectile.expired;
    this.hits.push(record);
  }

  /** Changes the velocities of both. @returns the approach speed, m/s */
  #applyBounce(projectile: ProjectileRecord, fixture: number, seconds: number): number {
    const nx = this.#hitNx;
    const ny = this.#hitNy;
    const { mass, restitution } = projectile.compiled.projectile;
    const { bodies: { values }, fixtures } = this.#world;

    // The body's motion where it is hit
    const row = fixtures.ints[fixture * FixtureInt.STRIDE + FixtureInt.BODY]!;
    const offset = row * Body.STRIDE;
    const vx = values[offset + Body.VX]!;
    const vy = values[offset + Body.VY]!;
    const spin = values[offset + Body.SPIN]!;
    const x = values[offset + Body.CENTER_X]!, y = values[offset + Body.CENTER_Y]!;

    // r × n about the body's centre of mass. The projectile's centre and the point of contact give
    // the same value.
    const rCrossN = (projectile.x - x - vx * this.#elapsedS) * ny -
      (projectile.y - y - vy * this.#elapsedS) * nx;
    const approachSpeed = (vx - projectile.vx) * nx + (vy - projectile.vy) * ny + spin * rCrossN;
    if (approachSpeed <= 0) return 0; // the surface turns away

    // How much the projectile's speed changes, for its mass beside the body's
    const declared = this.#rules.restitution(projectile, recordOf(this.#world, row));
    const own = fixtures.values[fixture * Fixture.STRIDE + Fixture.RESTITUTION]!;
    const bounciness = declared >= 0 ? declared : Math.max(restitution, own);
    const change = approachSpeed *
      (approachSpeed < this.#world.projectileBouncingSpeedMin ? 1 : 1 + bounciness);
    const massRatio = mass *
      (values[offset + Body.INVERSE_MASS]! +
        values[offset + Body.INVERSE_INERTIA]! * rCrossN * rCrossN);
    const ownChange = change / (1 + massRatio);

    projectile.vx += ownChange * nx;
    projectile.vy += ownChange * ny;

    // The body
    if (massRatio === 0) return approachSpeed;
    this.#world.wake(row);
    applyImpulse(values, offset, mass * ownChange, { nx, ny, rCrossN });
    this.#bodyTravelMax = Math.max(this.#bodyTravelMax, speedOf(values, offset) * seconds);
    return approachSpeed;
  }
}

/**
 * Applies an impulse, N·s, against the normal.
 * @param rCrossN r × n about the centre of mass, metres
 */
function applyImpulse(
  values: Float64Array,
  offset: number,
  impulse: number,
  { nx, ny, rCrossN }: { nx: number; ny: number; rCrossN: number },
): void {
  const inverseMass = values[offset + Body.INVERSE_MASS]!;
  values[offset + Body.VX]! -= impulse * inverseMass * nx;
  values[offset + Body.VY]! -= impulse * inverseMass * ny;
  values[offset + Body.SPIN]! -= impulse * values[offset + Body.INVERSE_INERTIA]! * rCrossN;
}

/** @param at offset of the fixture in `ints` */
function canCollide(projectile: ProjectileRecord, ints: Int32Array, at: number): boolean {
  const { category, mask } = projectile.compiled.projectile;
  return (mask & ints[at + FixtureInt.CATEGORY]!) !== 0 &&
    (ints[at + FixtureInt.MASK]! & category) !== 0;
}

/** The speed of the fastest body, m/s. */
function maxSpeed(bodies: readonly BodyRecord[]): number {
  let squared = 0;
  for (let i = 0; i < bodies.length; i++) {
    const { values, offset } = bodies[i]!;
    const x = values[offset + Body.VX]!;
    const y = values[offset + Body.VY]!;
    squared = Math.max(squared, x * x + y * y);
  }
  return Math.sqrt(squared);
}

function speedOf(values: Float64Array, offset: number): number {
  const x = values[offset + Body.VX]!, y = values[offset + Body.VY]!;
  return Math.sqrt(x * x + y * y);
}
