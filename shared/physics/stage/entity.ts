/**
 * One thing on the stage, seen from two sides: `Entity` is the author's handle, with values to read and fields to assign;
 * `EntityRecord` is the stage's own record behind it, of which there are two sorts: one has a planck body, one is a projectile and has
 * nothing but its own motion.
 */
import * as bodyLayout from "../core/body_rows.ts";
import { createFields, type FieldValues } from "../core/fields.ts";
import type { CompiledArchetype, CompiledBody, CompiledProjectile } from "./compiled_archetypes.ts";
import type { PlanckBody, PlanckFixture } from "../planck/planck.ts";
import type { Archetype, Fields, FieldSpec } from "../core/types.ts";

const { ORIGIN_X, ORIGIN_Y, ANGLE, VX, VY, SPIN } = bodyLayout;

/** Where an entity on a path will be when the tick closes. */
export class PathTarget {
  /** Metres and radians, as a snapshot holds them. */
  x = 0;
  y = 0;
  angle = 0;
  /** In the tick that is open; never over its end. */
  isSet = false;
}

/** The stage's record of one entity. */
export abstract class EntityRecord {
  readonly id: number;
  abstract readonly compiled: CompiledArchetype;
  readonly fields: FieldValues;
  readonly entity: Entity;
  teleports = 0;
  // What an entity's handle reads.
  abstract readonly x: number;
  abstract readonly y: number;
  abstract readonly angle: number;
  abstract readonly vx: number;
  abstract readonly vy: number;
  abstract readonly spin: number;
  abstract readonly awake: boolean;
  abstract readonly expired: boolean;

  constructor(id: number, compiled: CompiledArchetype) {
    this.id = id;
    this.fields = createFields(compiled.layout);
    this.entity = new Entity(this, compiled.archetype);
  }

  /** For errors: "entity 12 dragon". */
  toString(): string {
    return `entity ${this.id} ${this.compiled.archetype.name}`;
  }
}

/** An entity with a body in planck's world; the ground is one, too. */
export class BodyRecord extends EntityRecord {
  readonly compiled: CompiledBody;
  readonly body: PlanckBody;
  /** In the order of their declaration. */
  readonly fixtures: readonly PlanckFixture[];
  /** Of a body on a path. */
  readonly pathTarget: PathTarget | undefined;

  constructor(id: number, compiled: CompiledBody, body: PlanckBody, fixtures: readonly PlanckFixture[]) {
    super(id, compiled);
    this.compiled = compiled;
    this.body = body;
    this.fixtures = fixtures;
    this.pathTarget = compiled.path === undefined ? undefined : new PathTarget();
    body.m_userData = this;
  }

  get x(): number {
    return this.body.values[this.body.offset + ORIGIN_X]!;
  }

  get y(): number {
    return this.body.values[this.body.offset + ORIGIN_Y]!;
  }

  get angle(): number {
    return this.body.values[this.body.offset + ANGLE]!;
  }

  get vx(): number {
    return this.body.values[this.body.offset + VX]!;
  }

  get vy(): number {
    return this.body.values[this.body.offset + VY]!;
  }

  get spin(): number {
    return this.body.values[this.body.offset + SPIN]!;
  }

  get awake(): boolean {
    return this.body.m_awakeFlag;
  }

  get expired(): boolean {
    return false;
  }
}

/** An entity that is a moving point or circle: all of it stands here, in the order of the snapshot. */
export class ProjectileRecord extends EntityRecord {
  readonly compiled: CompiledProjectile;
  /** Ticks of physics so far, and hits survived. */
  ageTicks = 0;
  bounces = 0;
  x = 0;
  y = 0;
  vx = 0;
  vy = 0;
  /** Moves no more; the tick's end takes it away, so that it is in no snapshot. */
  expired = false;

  constructor(id: number, compiled: CompiledProjectile) {
    super(id, compiled);
    this.compiled = compiled;
  }

  get angle(): number {
    return 0;
  }

  get spin(): number {
    return 0;
  }

  get awake(): boolean {
    return true;
  }
}

/** Whose body it is. */
export function recordOf(body: PlanckBody): BodyRecord {
  return body.m_userData as BodyRecord;
}

/**
 * One thing on the stage. A handle stays good while an entity of its id and archetype is there, also over a `load`; a load
 * that makes another archetype of that id, or none, leaves it dead, so whoever keeps things over a load keeps ids and gets the
 * handles anew. Its values read what moves.
 */
export class Entity<Spec extends FieldSpec = FieldSpec> {
  readonly #record: EntityRecord;
  /** 1, 2, 3 …; never used again on one timeline; 0 is the ground. */
  readonly id: number;
  readonly archetype: Archetype<Spec>;
  /** The declared numbers; sealed. The author assigns freely, `endTick` checks. */
  readonly fields: Fields<Spec>;

  constructor(record: EntityRecord, archetype: Archetype<Spec>) {
    this.#record = record;
    this.id = record.id;
    this.archetype = archetype;
    this.fields = record.fields as Fields<Spec>;
  }

  /** A body's origin, a projectile's centre; metres. */
  get x(): number {
    return this.#record.x;
  }

  get y(): number {
    return this.#record.y;
  }

  /** Radians, unwrapped: turning on and on counts on, up to 1,024 rad. 0 for a projectile. */
  get angle(): number {
    return this.#record.angle;
  }

  /** The centre of mass's velocity, m/s. */
  get vx(): number {
    return this.#record.vx;
  }

  get vy(): number {
    return this.#record.vy;
  }

  /** rad/s, counter-clockwise positive. */
  get spin(): number {
    return this.#record.spin;
  }

  /** A body that rests for half a second falls asleep and costs nothing until something touches it; projectiles are awake. */
  get awake(): boolean {
    return this.#record.awake;
  }

  /** A projectile that has hit its last or outlived its time: it moves no more, and `endTick` takes it off the stage. */
  get expired(): boolean {
    return this.#record.expired;
  }

  /** Teleports so far, modulo 256; part of the state. */
  get teleports(): number {
    return this.#record.teleports;
  }
}
