/**
 * Projectiles move without the solver. Before each world step of h seconds, projectiles move in the order of their ids.
 * Each moves along a straight segment to its earliest hit, bounces there, and continues with the rest of h:
 *
 *     v −= g · h        once per world step; g is gravity
 *     x += v · t        t is the time to the earliest hit, or the rest of h
 *     v += J / m · n    J is the impulse, m the projectile's mass, n the normal of the surface
 *
 * Bodies move on meanwhile at their present velocity, so a segment is relative to each body's velocity. A body that is
 * hit receives the impulse at once, before the world step.
 */
import { Aabb } from "../collision/sweep_and_prune.ts";
import * as bodyLayout from "../core/body_rows.ts";
import type { BroadPhase } from "../collision/broad_phase.ts";
import { type BodyRecord, type Entity, type ProjectileRecord, recordOf } from "./entity.ts";
import { BOUNCES_UNLIMITED } from "./compiled_archetypes.ts";
import type { SweptShape } from "../collision/swept_shape.ts";
import type { PairRules } from "./pair_rules.ts";
import type { PlanckBody, PlanckFixture, PlanckProxy } from "../planck/planck.ts";
import type { EntityTable } from "./entity_table.ts";
import { projectileLands } from "../dynamics/one_way.ts";
import { CircleCast } from "../collision/circle_cast.ts";

const { VX, VY, SPIN, CENTER_X, CENTER_Y, INVERSE_MASS, INVERSE_INERTIA } = bodyLayout;

/**
 * Segments per projectile and world step. A projectile with more hits, in a narrow wedge, loses the rest of its motion.
 */
const SEGMENTS_MAX = 4;
/** m/s. Slower hits do not bounce, as in planck's solver (`velocityThreshold`). */
const BOUNCING_SPEED_MIN = 1;

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
  readonly #entities: EntityTable;
  readonly #broadPhase: BroadPhase;
  readonly #rules: PairRules;
  /** m/s², downwards positive. */
  readonly #gravity: number;
  /** The AABB around the present segment. */
  readonly #queryBox = new Aabb();
  readonly #circleCast = new CircleCast();
  /**
   * The distance that the fastest body moves in this world step, metres. A body farther from a segment cannot be hit.
   */
  #bodyTravelMax = 0;
  /** Time that the present projectile has left in this world step, and time behind it, seconds. */
  #remainingS = 0;
  #elapsedS = 0;
  /** The earliest hit of the present segment: its fraction of the segment, 0 … 1, and its normal. */
  #hitFraction = 0;
  #hitNx = 0;
  #hitNy = 0;

  constructor(
    entities: EntityTable,
    broadPhase: BroadPhase,
    { rules, gravity }: { rules: PairRules; gravity: number },
  ) {
    this.#entities = entities;
    this.#broadPhase = broadPhase;
    this.#rules = rules;
    this.#gravity = gravity;
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
    for (let i = 0; i < projectiles.length; i++) {
      if (!projectiles[i]!.expired) this.#integrateOne(projectiles[i]!, seconds);
    }
  }

  /** Ages all projectiles by a tick, after its last world step. */
  tickLifetimes(): void {
    const { projectiles } = this.#entities;
    for (let i = 0; i < projectiles.length; i++) {
      const projectile = projectiles[i]!;
      if (!projectile.expired && ++projectile.ageTicks >= projectile.compiled.projectile.lifeTicks) {
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
    projectile.vy -= this.#gravity * projectile.compiled.projectile.gravityScale * seconds;
    this.#remainingS = seconds;
    this.#elapsedS = 0;
    let proxy: PlanckProxy | undefined;
    for (let segment = 0; segment < SEGMENTS_MAX; segment++) {
      proxy = this.#firstHit(projectile, proxy);
      const travelS = proxy === undefined ? this.#remainingS : this.#remainingS * this.#hitFraction;
      projectile.x += projectile.vx * travelS;
      projectile.y += projectile.vy * travelS;
      if (proxy === undefined) return;
      this.#remainingS -= travelS;
      this.#elapsedS += travelS;
      this.#recordHit(projectile, proxy.fixture, seconds);
      if (projectile.expired) return;
    }
  }

  /**
   * @param last the fixture of the previous hit, which does not count. Shapes are convex, so no projectile hits one
   * twice in a row. But a body that yields only by turning would seem to be hit again.
   * @returns the fixture that the projectile hits first in the remaining time, or undefined. If it hits several at the
   * same time, the smallest key decides
   */
  #firstHit(projectile: ProjectileRecord, last: PlanckProxy | undefined): PlanckProxy | undefined {
    const { queryResults } = this.#broadPhase, count = this.#queryAround(projectile), circleCast = this.#circleCast;
    let first: PlanckProxy | undefined;
    this.#hitFraction = Infinity;
    for (let i = 0; i < count; i++) {
      const proxy = this.#broadPhase.proxyOf(queryResults[i]!), { fixture } = proxy;
      if (proxy === last || fixture.m_isSensor || !canCollide(projectile, fixture)) continue;
      const { m_body: body } = fixture, vx = body.values[body.offset + VX]!, vy = body.values[body.offset + VY]!;
      circleCast.x = projectile.x - vx * this.#elapsedS;
      circleCast.y = projectile.y - vy * this.#elapsedS;
      circleCast.dx = (projectile.vx - vx) * this.#remainingS;
      circleCast.dy = (projectile.vy - vy) * this.#remainingS;
      if (!circleCast.intersect(fixture.m_userData as SweptShape, body)) continue;
      if (
        circleCast.fraction > this.#hitFraction || (circleCast.fraction === this.#hitFraction && proxy.key > first!.key)
      ) continue;
      const target = recordOf(fixture.m_body);
      if (!this.#rules.shouldCollide(projectile, target)) continue;
      if (fixture.oneWay && !(projectileLands(circleCast) && this.#rules.landsOn(projectile, target))) continue;
      first = proxy;
      this.#hitFraction = circleCast.fraction;
      this.#hitNx = circleCast.nx;
      this.#hitNy = circleCast.ny;
    }
    return first;
  }

  /** @returns the number of proxies that the projectile may hit; `queryResults` of the broad phase has their ids */
  #queryAround(projectile: ProjectileRecord): number {
    const { radius } = projectile.compiled.projectile, margin = radius + this.#bodyTravelMax;
    const toX = projectile.x + projectile.vx * this.#remainingS, toY = projectile.y + projectile.vy * this.#remainingS;
    this.#circleCast.radius = radius;
    const box = this.#queryBox;
    box.left = Math.min(projectile.x, toX) - margin;
    box.bottom = Math.min(projectile.y, toY) - margin;
    box.right = Math.max(projectile.x, toX) + margin;
    box.top = Math.max(projectile.y, toY) + margin;
    return this.#broadPhase.query(box);
  }

  /**
   * Records a hit at the projectile's present position, applies the bounce and decides whether the projectile expires.
   */
  #recordHit(projectile: ProjectileRecord, fixture: PlanckFixture, seconds: number): void {
    const target = recordOf(fixture.m_body), { bouncesMax, expiresOn } = projectile.compiled.projectile;
    const record = this.#pool[this.hits.length] ??= new HitRecord();
    record.projectile = projectile.entity;
    record.target = target.entity;
    record.x = projectile.x;
    record.y = projectile.y;
    record.nx = this.#hitNx;
    record.ny = this.#hitNy;
    record.approachSpeed = this.#applyBounce(projectile, fixture, seconds);
    const isOver = bouncesMax !== BOUNCES_UNLIMITED && projectile.bounces === bouncesMax;
    projectile.expired = isOver || (fixture.m_filterCategoryBits & expiresOn) !== 0;
    if (!projectile.expired && projectile.bounces < BOUNCES_UNLIMITED) projectile.bounces++;
    record.expired = projectile.expired;
    this.hits.push(record);
  }

  /** Changes the velocities of both. @returns the approach speed, m/s */
  #applyBounce(projectile: ProjectileRecord, { m_body: body, m_restitution }: PlanckFixture, seconds: number): number {
    const nx = this.#hitNx, ny = this.#hitNy, { mass, restitution } = projectile.compiled.projectile;
    const { values, offset } = body,
      vx = values[offset + VX]!,
      vy = values[offset + VY]!,
      spin = values[offset + SPIN]!;
    const x = values[offset + CENTER_X]!, y = values[offset + CENTER_Y]!;
    // r × n about the body's centre of mass. The projectile's centre and the point of contact give the same value.
    const rCrossN = (projectile.x - x - vx * this.#elapsedS) * ny - (projectile.y - y - vy * this.#elapsedS) * nx;
    const approachSpeed = (vx - projectile.vx) * nx + (vy - projectile.vy) * ny + spin * rCrossN;
    if (approachSpeed <= 0) return 0; // the surface turns away
    const declared = this.#rules.restitution(projectile, recordOf(body));
    const bounciness = declared >= 0 ? declared : Math.max(restitution, m_restitution);
    const change = approachSpeed * (approachSpeed < BOUNCING_SPEED_MIN ? 1 : 1 + bounciness);
    const massRatio = mass * (values[offset + INVERSE_MASS]! + values[offset + INVERSE_INERTIA]! * rCrossN * rCrossN);
    const ownChange = change / (1 + massRatio);
    projectile.vx += ownChange * nx;
    projectile.vy += ownChange * ny;
    if (massRatio === 0) return approachSpeed;
    applyImpulse(body, mass * ownChange, { nx, ny, rCrossN });
    this.#bodyTravelMax = Math.max(this.#bodyTravelMax, speedOf(body) * seconds);
    return approachSpeed;
  }
}

/** Applies an impulse, N·s, against the normal. @param rCrossN r × n about the centre of mass, metres */
function applyImpulse(
  body: PlanckBody,
  impulse: number,
  { nx, ny, rCrossN }: { nx: number; ny: number; rCrossN: number },
): void {
  body.setAwake(true);
  const { values, offset } = body, inverseMass = values[offset + INVERSE_MASS]!;
  values[offset + VX]! -= impulse * inverseMass * nx;
  values[offset + VY]! -= impulse * inverseMass * ny;
  values[offset + SPIN]! -= impulse * values[offset + INVERSE_INERTIA]! * rCrossN;
}

function canCollide(projectile: ProjectileRecord, fixture: PlanckFixture): boolean {
  const { category, mask } = projectile.compiled.projectile;
  return (mask & fixture.m_filterCategoryBits) !== 0 && (fixture.m_filterMaskBits & category) !== 0;
}

/** The speed of the fastest body, m/s. */
function maxSpeed(bodies: readonly BodyRecord[]): number {
  let squared = 0;
  for (let i = 0; i < bodies.length; i++) {
    const { values, offset } = bodies[i]!.body, x = values[offset + VX]!, y = values[offset + VY]!;
    squared = Math.max(squared, x * x + y * y);
  }
  return Math.sqrt(squared);
}

function speedOf({ values, offset }: PlanckBody): number {
  const x = values[offset + VX]!, y = values[offset + VY]!;
  return Math.sqrt(x * x + y * y);
}
