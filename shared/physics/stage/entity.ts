/**
 * One entity on the stage, in two views. `Entity` is the author's handle: values to read and fields
 * to assign. `EntityRecord` is the stage's own record behind it. A `BodyRecord` has a row in the
 * world's bodies. A `ProjectileRecord` has only its own motion.
 */
import { Body, BodyFlag, BodyInt, MotionType } from "../core/body_rows.ts";
import { createFields, type FieldValues } from "../core/fields.ts";
import { checkPosition, checkVector } from "../core/limits.ts";
import {
  type CompiledArchetype,
  type CompiledBody,
  type CompiledProjectile,
} from "./compiled_archetypes.ts";
import type { World } from "../dynamics/world.ts";
import { type Archetype, type Fields, type FieldSpec, StageError } from "../core/types.ts";

/** The pose that a body on a path will have at the end of the tick. */
export class PathTarget {
  /** Metres and radians, rounded to 32 bits. */
  x = 0;
  y = 0;
  angle = 0;
  /** Whether the pose is valid for the open tick. `endTick` resets it. */
  isSet = false;
}

/** The stage's record of one entity. */
export abstract class EntityRecord {
  readonly id: number;
  abstract readonly compiled: CompiledArchetype;
  readonly fields: FieldValues;
  readonly entity: Entity;
  teleports = 0;
  /** Whether it has left the stage. */
  isGone = false;
  /** Index of its first word in the saved state, if that has the entities on the stage. */
  savedAt = 0;
  // The handle reads these.
  abstract readonly x: number;
  abstract readonly y: number;
  abstract readonly angle: number;
  /** Cosine and sine of the angle. */
  abstract readonly cosine: number;
  abstract readonly sine: number;
  abstract readonly vx: number;
  abstract readonly vy: number;
  abstract readonly spin: number;
  abstract readonly centerX: number;
  abstract readonly centerY: number;
  abstract readonly mass: number;
  abstract readonly inertia: number;
  abstract readonly awake: boolean;
  abstract readonly expired: boolean;

  constructor(
    id: number,
    compiled: CompiledArchetype,
    fields: FieldValues = createFields(compiled.layout),
  ) {
    this.id = id;
    this.fields = fields;
    this.entity = new Entity(this, compiled.archetype);
  }

  /** The name in errors: "entity 12 dragon". */
  toString(): string {
    return `entity ${this.id} ${this.compiled.archetype.name}`;
  }
}

/** The arrays of `BodyTable` in which a record finds its row. */
interface BodyArrays {
  readonly values: Float64Array;
  readonly ints: Int32Array;
}

/** An entity with a body in the world, or the ground. */
export class BodyRecord extends EntityRecord {
  readonly compiled: CompiledBody;
  /** Undefined if the body is not on a path. */
  readonly pathTarget: PathTarget | undefined;
  #bodies: BodyArrays;
  #row: number;

  constructor(id: number, compiled: CompiledBody, { bodies, owners }: World, row: number) {
    super(id, compiled);
    this.compiled = compiled;
    this.pathTarget = compiled.path === undefined ? undefined : new PathTarget();
    this.#bodies = bodies;
    this.#row = row;
    owners[row] = this;
  }

  /** The row of its body. */
  get row(): number {
    return this.#row;
  }

  /** The array of the bodies' numbers. A new body may replace it. */
  get values(): Float64Array {
    return this.#bodies.values;
  }

  /** Whether the solver moves it. */
  get isDynamic(): boolean {
    return this.#type === MotionType.DYNAMIC;
  }

  /** Whether only a teleport moves it. */
  get isStatic(): boolean {
    return this.#type === MotionType.STATIC;
  }

  get #type(): number {
    return this.#bodies.ints[this.#row * BodyInt.STRIDE + BodyInt.TYPE]!;
  }

  /** Index of its body's first number in `values`. */
  get offset(): number {
    return this.#row * Body.STRIDE;
  }

  /**
   * Keeps the last numbers for code that still refers to the entity. The row is about to become
   * another body's.
   */
  detach(): void {
    const { values, ints } = this.#bodies;
    const row = this.#row;
    this.#bodies = {
      values: values.slice(row * Body.STRIDE, (row + 1) * Body.STRIDE),
      ints: ints.slice(row * BodyInt.STRIDE, (row + 1) * BodyInt.STRIDE),
    };
    this.#row = 0;
  }

  get x(): number {
    return this.values[this.offset + Body.ORIGIN_X]!;
  }

  get y(): number {
    return this.values[this.offset + Body.ORIGIN_Y]!;
  }

  get angle(): number {
    return this.values[this.offset + Body.ANGLE]!;
  }

  get cosine(): number {
    return this.values[this.offset + Body.COS]!;
  }

  get sine(): number {
    return this.values[this.offset + Body.SIN]!;
  }

  get vx(): number {
    return this.values[this.offset + Body.VX]!;
  }

  get vy(): number {
    return this.values[this.offset + Body.VY]!;
  }

  get spin(): number {
    return this.values[this.offset + Body.SPIN]!;
  }

  get centerX(): number {
    return this.values[this.offset + Body.CENTER_X]!;
  }

  get centerY(): number {
    return this.values[this.offset + Body.CENTER_Y]!;
  }

  get mass(): number {
    return reciprocal(this.values[this.offset + Body.INVERSE_MASS]!);
  }

  get inertia(): number {
    return reciprocal(this.values[this.offset + Body.INVERSE_INERTIA]!);
  }

  get awake(): boolean {
    return (this.#bodies.ints[this.#row * BodyInt.STRIDE + BodyInt.FLAGS]! & BodyFlag.AWAKE) !== 0;
  }

  get expired(): boolean {
    return false;
  }
}

/** An entity that is a moving point or circle, with all of its state. */
export class ProjectileRecord extends EntityRecord {
  readonly compiled: CompiledProjectile;
  /** Ticks of physics since the spawn. */
  ageTicks = 0;
  /** Hits survived. */
  bounces = 0;
  x = 0;
  y = 0;
  vx = 0;
  vy = 0;
  /** An expired projectile does not move. `endTick` removes it, so no snapshot contains it. */
  expired = false;

  constructor(id: number, compiled: CompiledProjectile) {
    super(id, compiled);
    this.compiled = compiled;
  }

  get angle(): number {
    return 0;
  }

  get cosine(): number {
    return 1;
  }

  get sine(): number {
    return 0;
  }

  get spin(): number {
    return 0;
  }

  get centerX(): number {
    return this.x;
  }

  get centerY(): number {
    return this.y;
  }

  get mass(): number {
    return this.compiled.projectile.mass;
  }

  get inertia(): number {
    return 0;
  }

  get awake(): boolean {
    return true;
  }
}

/**
 * An entity that has left the stage, or has become one of another archetype, in the end of one of
 * its touches. A stage that was loaded knows its id and its archetype alone. So that is all that
 * any stage tells.
 */
export class GoneRecord extends EntityRecord {
  readonly compiled: CompiledArchetype;

  constructor(id: number, compiled: CompiledArchetype) {
    const fields = {};
    for (const name of compiled.layout.names) {
      Object.defineProperty(fields, name, { get: () => this.#refuse(name) });
    }
    super(id, compiled, fields);
    this.compiled = compiled;
    this.isGone = true;
  }

  get x(): number {
    return this.#refuse("x");
  }

  get y(): number {
    return this.#refuse("y");
  }

  get angle(): number {
    return this.#refuse("angle");
  }

  get cosine(): number {
    return this.#refuse("angle");
  }

  get sine(): number {
    return this.#refuse("angle");
  }

  get vx(): number {
    return this.#refuse("vx");
  }

  get vy(): number {
    return this.#refuse("vy");
  }

  get spin(): number {
    return this.#refuse("spin");
  }

  get centerX(): number {
    return this.#refuse("centerX");
  }

  get centerY(): number {
    return this.#refuse("centerY");
  }

  get mass(): number {
    return this.#refuse("mass");
  }

  get inertia(): number {
    return this.#refuse("inertia");
  }

  get awake(): boolean {
    return this.#refuse("awake");
  }

  get expired(): boolean {
    return this.#refuse("expired");
  }

  #refuse(what: string): never {
    throw new StageError(
      `${this} has left the stage: its ended touch has its id and archetype, and no ${what}`,
    );
  }
}

/** 1 / value, or 0 for 0. */
function reciprocal(value: number): number {
  return value === 0 ? 0 : 1 / value;
}

/** The record that owns the body in this row. */
export function recordOf({ owners }: World, row: number): BodyRecord {
  return owners[row] as BodyRecord;
}

/**
 * One entity on the stage, as the game's author sees it. The values are live: they change with the
 * stage.
 *
 * A handle stays valid as long as an entity of its id and archetype is on the stage, also across a
 * `load`. A load may remove the entity or give its id to another archetype; then the handle is
 * dead. Code that must survive a load therefore keeps ids and calls `Stage.get`.
 */
export class Entity<Spec extends FieldSpec = FieldSpec> {
  readonly #record: EntityRecord;
  /** 1, 2, 3 …; 0 is the ground. An id is never used twice on one timeline. */
  readonly id: number;
  readonly archetype: Archetype<Spec>;
  /** The declared fields, sealed. The author assigns freely; `endTick` checks and rounds them. */
  readonly fields: Fields<Spec>;

  constructor(record: EntityRecord, archetype: Archetype<Spec>) {
    this.#record = record;
    this.id = record.id;
    this.archetype = archetype;
    this.fields = record.fields as Fields<Spec>;
  }

  /** The body's origin or the projectile's centre, metres. */
  get x(): number {
    return this.#record.x;
  }

  get y(): number {
    return this.#record.y;
  }

  /**
   * Radians, unwrapped: full turns count. Beyond ±1,024 rad `endTick` takes whole turns off. 0 for
   * a projectile.
   */
  get angle(): number {
    return this.#record.angle;
  }

  /** Velocity of the centre of mass, m/s. */
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

  /** The centre of mass, metres; of a body without mass its origin. */
  get centerX(): number {
    return this.#record.centerX;
  }

  get centerY(): number {
    return this.#record.centerY;
  }

  /** kg; 0 for a kinematic or static body, which no force moves. */
  get mass(): number {
    return this.#record.mass;
  }

  /** Moment of inertia about the centre of mass, kg·m²; 0 for a body that no torque turns. */
  get inertia(): number {
    return this.#record.inertia;
  }

  /**
   * The velocity of the body's point that is at (x, y) now, m/s.
   * @param x metres in the world, at most 101,024
   * @throws StageError for a place out of bounds
   */
  velocityAt(x: number, y: number): { x: number; y: number } {
    checkPosition(this.#record, x, y);
    const { vx, vy, spin, centerX, centerY } = this;
    return { x: vx - spin * (y - centerY), y: vy + spin * (x - centerX) };
  }

  /**
   * Where a point of the body is in the world, as it stands and is turned now, metres.
   * @param x metres in the body's frame, from its origin, at most 101,024
   * @throws StageError for a number out of bounds
   */
  worldPoint(x: number, y: number): { x: number; y: number } {
    checkPosition(this.#record, x, y);
    const turned = this.worldVector(x, y);
    return { x: turned.x + this.x, y: turned.y + this.y };
  }

  /**
   * Which point of the body is at a place in the world now, metres in the body's frame.
   * @param x metres in the world, at most 101,024
   * @throws StageError for a place out of bounds
   */
  localPoint(x: number, y: number): { x: number; y: number } {
    checkPosition(this.#record, x, y);
    return this.localVector(x - this.x, y - this.y);
  }

  /**
   * A direction of the body's frame in the world: (x, y) turned by `angle`. In any unit.
   * @throws StageError for what is no number of 32 bits
   */
  worldVector(x: number, y: number): { x: number; y: number } {
    checkVector(this.#record, x, y);
    const { cosine, sine } = this.#record;
    return { x: cosine * x - sine * y, y: sine * x + cosine * y };
  }

  /**
   * A direction of the world in the body's frame: (x, y) turned back by `angle`. In any unit.
   * @throws StageError for what is no number of 32 bits
   */
  localVector(x: number, y: number): { x: number; y: number } {
    checkVector(this.#record, x, y);
    const { cosine, sine } = this.#record;
    return { x: cosine * x + sine * y, y: -sine * x + cosine * y };
  }

  /**
   * A body that rests for half a second falls asleep. It costs nothing until something touches it.
   * Projectiles and static bodies are always awake.
   */
  get awake(): boolean {
    return this.#record.awake;
  }

  /**
   * Whether a projectile has had its last hit or reached the end of its life. It does not move any
   * more, and `endTick` removes it. False for a body.
   */
  get expired(): boolean {
    return this.#record.expired;
  }

  /**
   * Whether it is on the stage: neither despawned nor removed by a load. A list that rules walk may
   * contain it still.
   */
  get isOnStage(): boolean {
    return !this.#record.isGone;
  }

  /** The number of teleports so far, modulo 256; part of the state. */
  get teleports(): number {
    return this.#record.teleports;
  }
}
