/**
 * Projectiles: projectiles without the solver. Before each world step every projectile, in the order of ids, flies its way and meets what is
 * first on it:
 *
 *     v -= gravity * h;   x += v * t   to the earliest hit;   v += J / m * n;   on with what is left of h
 *
 * Others move on meanwhile as fast as they do now, so the way is relative to each one's velocity. What a projectile hits it hits at
 * once: the blow is in the target's velocity before the world step that follows.
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

/** Ways between two hits in one world step; in a narrower wedge than these get it out of it loses the rest of its way. */
const SEGMENTS_MAX = 4;
/** m/s: slower hits do not bounce, as in planck's solver (`velocityThreshold`). */
const BOUNCING_SPEED_MIN = 1;

/** A projectile has hit something. Valid until the next `advance` or `load`. */
export interface Hit {
  readonly projectile: Entity;
  /** May be the ground. */
  readonly target: Entity;
  /** Where the projectile's centre was, metres. */
  readonly x: number;
  readonly y: number;
  /** Unit vector from the target's surface to the projectile. */
  readonly nx: number;
  readonly ny: number;
  /** How fast they closed in along it before the blow, m/s, >= 0. */
  readonly approachSpeed: number;
  /** It was the projectile's last: `endTick` takes it away. */
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

/** All projectiles of one stage, in flight. */
export class Projectiles {
  /** Of this tick: by world step, cast, and order along its way. */
  readonly hits: Hit[] = [];
  readonly #pool: HitRecord[] = [];
  readonly #entities: EntityTable;
  readonly #broadPhase: BroadPhase;
  readonly #rules: PairRules;
  /** m/s², downwards positive. */
  readonly #gravity: number;
  /** Around the way of the one that flies. */
  readonly #queryBox = new Aabb();
  readonly #circleCast = new CircleCast();
  /** How far the fastest body comes in this world step, metres: whoever starts farther from a projectile's way is not met. */
  #bodyTravelMax = 0;
  /** The way that the present projectile still has in this world step, and what lies behind it. Seconds. */
  #remainingS = 0;
  #elapsedS = 0;
  /** The earliest hit of the present leg. */
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

  /** Forgets all hits. */
  clear(): void {
    this.hits.length = 0;
  }

  /** Before each world step of so many seconds. */
  integrate(seconds: number): void {
    const { projectiles, bodies } = this.#entities;
    if (projectiles.length === 0) return;
    this.#bodyTravelMax = maxSpeed(bodies) * seconds;
    for (let i = 0; i < projectiles.length; i++) {
      if (!projectiles[i]!.expired) this.#integrateOne(projectiles[i]!, seconds);
    }
  }

  /** After the last world step of a tick. */
  tickLifetimes(): void {
    const { projectiles } = this.#entities;
    for (let i = 0; i < projectiles.length; i++) {
      const projectile = projectiles[i]!;
      if (!projectile.expired && ++projectile.ageTicks >= projectile.compiled.projectile.lifeTicks) {
        projectile.expired = true;
      }
    }
  }

  /** At the tick's end. */
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
   * What the projectile meets first on the way that is left; of several at once the one with the smallest key.
   * @param last what it comes from. Shapes are convex, so nobody meets the same one twice in a row; one that yields by turning
   * alone would seem to be met again
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

  /** @returns how many boxes lie on the projectile's way or could come into it: the broad-phase's `queryResults` has them */
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

  /** The projectile is where it hits. */
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

  /** Gives and takes the blow. @returns how fast they closed in, m/s */
  #applyBounce(projectile: ProjectileRecord, { m_body: body, m_restitution }: PlanckFixture, seconds: number): number {
    const nx = this.#hitNx, ny = this.#hitNy, { mass, restitution } = projectile.compiled.projectile;
    const { values, offset } = body,
      vx = values[offset + VX]!,
      vy = values[offset + VY]!,
      spin = values[offset + SPIN]!;
    const x = values[offset + CENTER_X]!, y = values[offset + CENTER_Y]!;
    // The normal's arm about the centre of mass: the same at the projectile's centre as where they touch.
    const rCrossN = (projectile.x - x - vx * this.#elapsedS) * ny - (projectile.y - y - vy * this.#elapsedS) * nx;
    const approachSpeed = (vx - projectile.vx) * nx + (vy - projectile.vy) * ny + spin * rCrossN;
    if (approachSpeed <= 0) return 0; // it meets a side that turns away
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

/** An impulse in N·s against the normal; `rCrossN` is the normal's arm about the centre of mass, metres. */
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

/** m/s. */
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
