/**
 * Casts: projectiles without the solver. Before each world step every cast, in the order of ids, flies its way and meets what is
 * first on it:
 *
 *     v -= gravity * h;   x += v * t   to the earliest hit;   v += J / m * n;   on with what is left of h
 *
 * Others move on meanwhile as fast as they do now, so the way is relative to each one's velocity. What a cast hits it hits at
 * once: the blow is in the target's velocity before the world step that follows.
 */
import { Box } from "../collision/sweep_and_prune.ts";
import * as at from "../core/body_rows.ts";
import type { FlatBroadPhase } from "../collision/broad_phase.ts";
import { type BodyRecord, type Entity, type ProjectileRecord, recordOf } from "./entity.ts";
import { BOUNCES_ANY } from "./compiled_archetypes.ts";
import type { Outline } from "../collision/swept_shape.ts";
import type { PairRules } from "./pair_rules.ts";
import type { PlanckBody, PlanckFixture, PlanckProxy } from "../planck/planck.ts";
import type { EntityTable } from "./entity_table.ts";
import { castLands } from "../dynamics/one_way.ts";
import { Sweep } from "../collision/circle_cast.ts";

const { VX, VY, SPIN, CENTER_X, CENTER_Y, INVERSE_MASS, INVERSE_INERTIA } = at;

/** Ways between two hits in one world step; in a narrower wedge than these get it out of it loses the rest of its way. */
const LEGS_MAX = 4;
/** m/s: slower hits do not bounce, as in planck's solver (`velocityThreshold`). */
const BOUNCING_SPEED_MIN = 1;

/** A cast has hit something. Valid until the next `advance` or `load`. */
export interface Hit {
  readonly cast: Entity;
  /** May be the ground. */
  readonly target: Entity;
  /** Where the cast's centre was, metres. */
  readonly x: number;
  readonly y: number;
  /** Unit vector from the target's surface to the cast. */
  readonly nx: number;
  readonly ny: number;
  /** How fast they closed in along it before the blow, m/s, >= 0. */
  readonly approach: number;
  /** It was the cast's last: `close` takes it away. */
  readonly spent: boolean;
}

class HitRecord implements Hit {
  cast!: Entity;
  target!: Entity;
  x = 0;
  y = 0;
  nx = 0;
  ny = 1;
  approach = 0;
  spent = false;
}

/** All casts of one stage, in flight. */
export class Casts {
  /** Of this tick: by world step, cast, and order along its way. */
  readonly hits: Hit[] = [];
  readonly #pool: HitRecord[] = [];
  readonly #entities: EntityTable;
  readonly #broadPhase: FlatBroadPhase;
  readonly #rules: PairRules;
  /** m/s², downwards positive. */
  readonly #gravity: number;
  /** Around the way of the one that flies. */
  readonly #within = new Box();
  readonly #sweep = new Sweep();
  /** How far the fastest body comes in this world step, metres: whoever starts farther from a cast's way is not met. */
  #reach = 0;
  /** The way that the present cast still has in this world step, and what lies behind it. Seconds. */
  #left = 0;
  #elapsed = 0;
  /** The earliest hit of the present leg. */
  #at = 0;
  #nx = 0;
  #ny = 0;

  constructor(
    entities: EntityTable,
    broadPhase: FlatBroadPhase,
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
  fly(seconds: number): void {
    const { casts, bodies } = this.#entities;
    if (casts.length === 0) return;
    this.#reach = fastest(bodies) * seconds;
    for (let i = 0; i < casts.length; i++) if (!casts[i]!.spent) this.#flyOne(casts[i]!, seconds);
  }

  /** After the last world step of a tick. */
  age(): void {
    const { casts } = this.#entities;
    for (let i = 0; i < casts.length; i++) {
      const cast = casts[i]!;
      if (!cast.spent && ++cast.age >= cast.compiled.cast.lifeTicks) cast.spent = true;
    }
  }

  /** At the tick's end. */
  removeSpent(): void {
    const { casts } = this.#entities;
    for (let i = casts.length - 1; i >= 0; i--) if (casts[i]!.spent) this.#entities.remove(casts[i]!);
  }

  #flyOne(cast: ProjectileRecord, seconds: number): void {
    cast.vy -= this.#gravity * cast.compiled.cast.gravityScale * seconds;
    this.#left = seconds;
    this.#elapsed = 0;
    let proxy: PlanckProxy | undefined;
    for (let leg = 0; leg < LEGS_MAX; leg++) {
      proxy = this.#firstOnWay(cast, proxy);
      const flown = proxy === undefined ? this.#left : this.#left * this.#at;
      cast.x += cast.vx * flown;
      cast.y += cast.vy * flown;
      if (proxy === undefined) return;
      this.#left -= flown;
      this.#elapsed += flown;
      this.#hit(cast, proxy.fixture, seconds);
      if (cast.spent) return;
    }
  }

  /**
   * What the cast meets first on the way that is left; of several at once the one with the smallest key.
   * @param last what it comes from. Shapes are convex, so nobody meets the same one twice in a row; one that yields by turning
   * alone would seem to be met again
   */
  #firstOnWay(cast: ProjectileRecord, last: PlanckProxy | undefined): PlanckProxy | undefined {
    const { found } = this.#broadPhase, count = this.#findAround(cast), sweep = this.#sweep;
    let first: PlanckProxy | undefined;
    this.#at = Infinity;
    for (let i = 0; i < count; i++) {
      const proxy = this.#broadPhase.proxyOf(found[i]!), { fixture } = proxy;
      if (proxy === last || fixture.m_isSensor || !mayMeet(cast, fixture)) continue;
      const { m_body: body } = fixture, vx = body.numbers[body.row + VX]!, vy = body.numbers[body.row + VY]!;
      sweep.x = cast.x - vx * this.#elapsed;
      sweep.y = cast.y - vy * this.#elapsed;
      sweep.dx = (cast.vx - vx) * this.#left;
      sweep.dy = (cast.vy - vy) * this.#left;
      if (!sweep.meets(fixture.m_userData as Outline, body)) continue;
      if (sweep.at > this.#at || (sweep.at === this.#at && proxy.key > first!.key)) continue;
      const target = recordOf(fixture.m_body);
      if (!this.#pushes(cast, target)) continue;
      if (fixture.oneWay && !(castLands(sweep) && this.#rules.lands(cast, target))) continue;
      first = proxy;
      this.#at = sweep.at;
      this.#nx = sweep.nx;
      this.#ny = sweep.ny;
    }
    return first;
  }

  /** @returns how many boxes lie on the cast's way or could come into it: the broad-phase's `found` has them */
  #findAround(cast: ProjectileRecord): number {
    const { radius } = cast.compiled.cast, margin = radius + this.#reach;
    const toX = cast.x + cast.vx * this.#left, toY = cast.y + cast.vy * this.#left;
    this.#sweep.radius = radius;
    const within = this.#within;
    within.left = Math.min(cast.x, toX) - margin;
    within.bottom = Math.min(cast.y, toY) - margin;
    within.right = Math.max(cast.x, toX) + margin;
    within.top = Math.max(cast.y, toY) + margin;
    return this.#broadPhase.findWithin(within);
  }

  #pushes(cast: ProjectileRecord, target: BodyRecord): boolean {
    if (target.id === 0) return true;
    const { pushes } = this.#rules;
    if (pushes === undefined) return true;
    return cast.id < target.id ? pushes(cast, target) : pushes(target, cast);
  }

  /** The cast is where it hits. */
  #hit(cast: ProjectileRecord, fixture: PlanckFixture, seconds: number): void {
    const target = recordOf(fixture.m_body), { bouncesMax, stops } = cast.compiled.cast;
    const record = this.#pool[this.hits.length] ??= new HitRecord();
    record.cast = cast.entity;
    record.target = target.entity;
    record.x = cast.x;
    record.y = cast.y;
    record.nx = this.#nx;
    record.ny = this.#ny;
    record.approach = this.#bounce(cast, fixture, seconds);
    const isOver = bouncesMax !== BOUNCES_ANY && cast.bounces === bouncesMax;
    cast.spent = isOver || (fixture.m_filterCategoryBits & stops) !== 0;
    if (!cast.spent && cast.bounces < BOUNCES_ANY) cast.bounces++;
    record.spent = cast.spent;
    this.hits.push(record);
  }

  /** Gives and takes the blow. @returns how fast they closed in, m/s */
  #bounce(cast: ProjectileRecord, { m_body: body, m_restitution }: PlanckFixture, seconds: number): number {
    const nx = this.#nx, ny = this.#ny, { mass, restitution } = cast.compiled.cast;
    const { numbers, row } = body, vx = numbers[row + VX]!, vy = numbers[row + VY]!, spin = numbers[row + SPIN]!;
    const x = numbers[row + CENTER_X]!, y = numbers[row + CENTER_Y]!;
    // The normal's arm about the centre of mass: the same at the cast's centre as where they touch.
    const lever = (cast.x - x - vx * this.#elapsed) * ny - (cast.y - y - vy * this.#elapsed) * nx;
    const approach = (vx - cast.vx) * nx + (vy - cast.vy) * ny + spin * lever;
    if (approach <= 0) return 0; // it meets a side that turns away
    const declared = this.#rules.restitution(cast, recordOf(body));
    const bounciness = declared >= 0 ? declared : Math.max(restitution, m_restitution);
    const change = approach * (approach < BOUNCING_SPEED_MIN ? 1 : 1 + bounciness);
    const yielding = mass * (numbers[row + INVERSE_MASS]! + numbers[row + INVERSE_INERTIA]! * lever * lever);
    const ownChange = change / (1 + yielding);
    cast.vx += ownChange * nx;
    cast.vy += ownChange * ny;
    if (yielding === 0) return approach;
    push(body, mass * ownChange, { nx, ny, lever });
    this.#reach = Math.max(this.#reach, speedOf(body) * seconds);
    return approach;
  }
}

/** An impulse in N·s against the normal; `lever` is the normal's arm about the centre of mass, metres. */
function push(body: PlanckBody, impulse: number, { nx, ny, lever }: { nx: number; ny: number; lever: number }): void {
  body.setAwake(true);
  const { numbers, row } = body, inverseMass = numbers[row + INVERSE_MASS]!;
  numbers[row + VX]! -= impulse * inverseMass * nx;
  numbers[row + VY]! -= impulse * inverseMass * ny;
  numbers[row + SPIN]! -= impulse * numbers[row + INVERSE_INERTIA]! * lever;
}

function mayMeet(cast: ProjectileRecord, fixture: PlanckFixture): boolean {
  const { category, mask } = cast.compiled.cast;
  return (mask & fixture.m_filterCategoryBits) !== 0 && (fixture.m_filterMaskBits & category) !== 0;
}

/** m/s. */
function fastest(bodies: readonly BodyRecord[]): number {
  let squared = 0;
  for (let i = 0; i < bodies.length; i++) {
    const { numbers, row } = bodies[i]!.body, x = numbers[row + VX]!, y = numbers[row + VY]!;
    squared = Math.max(squared, x * x + y * y);
  }
  return Math.sqrt(squared);
}

function speedOf({ numbers, row }: PlanckBody): number {
  const x = numbers[row + VX]!, y = numbers[row + VY]!;
  return Math.sqrt(x * x + y * y);
}
