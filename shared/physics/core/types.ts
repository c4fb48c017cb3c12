/**
 * What a game author declares before a stage exists: archetypes with their bodies, fixtures and fields. Everything here is
 * constant for ever; everything that changes is a body's motion or a declared field, and both are saved without a line of
 * the author's. Lengths are metres, angles radians, times seconds, masses kilograms.
 */

/** How a field is kept in the state. Integers must be whole and in range, `f32` finite (it is rounded to 32 bits). */
export type FieldType = "u8" | "u16" | "u32" | "i32" | "f32";

/** Names and types of the numbers that an entity carries. Order of declaration is their order in the snapshot. */
export type FieldSpec = Readonly<Record<string, FieldType>>;

/** An entity's fields as the author sees them. */
export type Fields<Spec extends FieldSpec> = { -readonly [Name in keyof Spec]: number };

/** In the body's frame. */
export type Shape =
  | { readonly circle: number; readonly x?: number; readonly y?: number }
  | {
    readonly box: readonly [halfWidth: number, halfHeight: number];
    readonly x?: number;
    readonly y?: number;
    readonly angle?: number;
  }
  | { readonly polygon: readonly (readonly [x: number, y: number])[] }
  | { readonly edge: readonly [x1: number, y1: number, x2: number, y2: number] };

export interface FixtureDef {
  readonly shape: Shape;
  /** kg/m²; 1 where not given, 0 on the ground. */
  readonly density?: number;
  /** 0.6 where not given. */
  readonly friction?: number;
  /** 0 where not given. */
  readonly restitution?: number;
  /** Touches, but pushes nobody. */
  readonly sensor?: boolean;
  /**
   * Solid only for what comes down on it: where its surface, within 60 degrees, faces up. Whether a body lands or passes is
   * decided when the first of its fixtures touches it and holds until the last one parts. Two that pass still touch. A projectile
   * hits it from above only.
   */
  readonly oneWay?: boolean;
  /** 16 bits: what it is; 1 where not given. Two fixtures collide where each one's `mask` has a bit of the other's `category`. */
  readonly category?: number;
  /** 16 bits: what it collides with; all where not given. */
  readonly mask?: number;
}

export interface BodyDef {
  /** At most 64. */
  readonly fixtures: readonly FixtureDef[];
  readonly fixedRotation?: boolean;
  /** Swept against other moving bodies, too: for small fast ones. */
  readonly bullet?: boolean;
  /** 1 where not given. */
  readonly gravityScale?: number;
  /** 1/s. */
  readonly linearDamping?: number;
  readonly angularDamping?: number;
  /** Moves the body, and nothing else does: it pushes others and is pushed by nobody. Not where a solver shall move it. */
  readonly path?: Path;
}

/**
 * A moving point or circle, not a solver body: a projectile. It flies straight, falls, meets what a solid circle of its radius
 * would meet, bounces off it or is spent. It costs a small fraction of a body, and no speed takes it through a wall.
 */
export interface ProjectileDef {
  /** Metres; 0 for a point. */
  readonly radius: number;
  /** 1 where not given. */
  readonly gravityScale?: number;
  /** 0 … 1, 0 where not given: the larger of its and the fixture's counts, or the pair's own; below 1 m/s none, as for bodies. */
  readonly restitution?: number;
  /** kg behind the blow that it gives to what it hits; 0, where not given, moves nobody. */
  readonly mass?: number;
  /** Hits that it survives, 0 … 255; 0 where not given: the first one spends it. 255: any number. */
  readonly bouncesMax?: number;
  /** Ticks of physics after which it is spent, 1 … 65,535. */
  readonly lifeTicks: number;
  /** As a fixture's. Projectiles never meet projectiles nor sensors. */
  readonly category?: number;
  readonly mask?: number;
  /** 16 bits: categories whose fixtures spend it at once, whatever `bouncesMax` says; none where not given. */
  readonly expiresOn?: number;
}

/**
 * Where a body's origin is at the end of a tick. A pure function of the tick and the entity's declared fields; asked once a
 * tick, before the world steps, and at the spawn. The body goes there evenly over the tick, with the velocity that takes, so
 * what stands on it is carried; turns are taken the shorter way. Farther than 2 m or a quarter turn per world step is a jump:
 * it is put there, with no velocity, and pushes nobody on its way. Fields that the rules change after `advance` count from
 * the next tick on.
 *
 * `x`, `y` metres, at most 1e5; `angle` radians, 0 where not given, at most 1e9. Others make `advance` or `spawn` throw.
 */
export type Path = (
  tick: number,
  fields: Readonly<Record<string, number>>,
) => { readonly x: number; readonly y: number; readonly angle?: number };

/** A kind of entity, either a dynamic body, a body on a path or a projectile; an entity never changes its kind. */
export type Archetype<Spec extends FieldSpec = FieldSpec> =
  & { readonly name: string; readonly fields: Spec }
  & ({ readonly body: BodyDef; readonly projectile?: never } | {
    readonly projectile: ProjectileDef;
    readonly body?: never;
  });

/** An archetype whose body is on a path. */
export type PathArchetype<Spec extends FieldSpec = FieldSpec> = Archetype<Spec> & {
  readonly body: BodyDef & { readonly path: Path };
};

/** Declares an archetype whose body is on a path; gives `fields` its exact type. */
export function archetype<const Spec extends FieldSpec>(definition: PathArchetype<Spec>): PathArchetype<Spec>;
/** Declares any other; gives `fields` its exact type. */
export function archetype<const Spec extends FieldSpec>(definition: Archetype<Spec>): Archetype<Spec>;
/** The two above. */
export function archetype<const Spec extends FieldSpec>(definition: Archetype<Spec>): Archetype<Spec> {
  return definition;
}

export interface StageDef<Spec extends FieldSpec = FieldSpec> {
  /** m/s², downwards positive. */
  readonly gravity: number;
  readonly tickHz: number;
  /** World steps per tick; 2 keep an eight-high stack standing (one 50 ms step lets it topple, in stock planck, too). */
  readonly substeps: number;
  /** All that never moves: fixtures of one static body at the origin. At most 256. */
  readonly ground: readonly FixtureDef[];
  /** Every kind of entity that may be spawned; their order is part of the rules. At most 255. */
  // deno-lint-ignore no-explicit-any
  readonly archetypes: readonly Archetype<any>[];
  /** Every kind of joint that may be made; their order is part of the rules. At most 255. */
  // deno-lint-ignore no-explicit-any
  readonly joints?: readonly JointDef<any>[];
  /** State of the match as a whole: clocks, the random generator's state. */
  readonly fields: Spec;
  /** Restitution between two archetypes instead of the larger of their fixtures'; "ground" is one, too. Order is free. */
  readonly restitutions?: readonly (readonly [archetypeName: string, archetypeName: string, restitution: number])[];
  /**
   * Whether two touching entities push each other now; all do where not given. A pure function of their fields and ids; never
   * asked about the ground. Bodies that do not push still touch: the rules hear of them. A projectile flies through in silence.
   */
  readonly shouldCollide?: (a: StagedEntity, b: StagedEntity) => boolean;
  /**
   * Whether `who` may stand on a one-way fixture of `on`, which may be the ground; all may where not given. A pure function of
   * their fields and ids. Where it says no, or `shouldCollide` does, `who` falls through, and passes until the two have parted. It is
   * asked before each world step.
   */
  readonly landsOn?: (entity: StagedEntity, platform: StagedEntity) => boolean;
}

/** What `shouldCollide` sees of an entity. */
export interface StagedEntity {
  readonly id: number;
  // deno-lint-ignore no-explicit-any
  readonly archetype: Archetype<any>;
  readonly fields: Readonly<Record<string, number>>;
}

/**
 * Where and how fast an entity begins. All zero where not given; unnamed fields begin at 0. A projectile has no angle and no
 * spin; a path gives all but `fields`.
 */
export interface Spawn<Spec extends FieldSpec> {
  readonly x: number;
  readonly y: number;
  readonly angle?: number;
  /** m/s. */
  readonly vx?: number;
  readonly vy?: number;
  /** rad/s. */
  readonly spin?: number;
  readonly fields?: Partial<Fields<Spec>>;
}

/** The joints that a stage makes exact. planck's others (gear, pulley, mouse, wheel, motor, friction) are refused. */
export type JointType = "revolute" | "prismatic" | "distance" | "rope" | "weld";

/** What all kinds of joints declare. */
interface JointBase<Spec extends FieldSpec> {
  readonly name: string;
  readonly fields: Spec;
  /** Whether what it holds may touch each other; it may not where not given: the two make no contacts. */
  readonly collide?: boolean;
  /** N: it is gone at the end of a tick in which a world step asked more of it. Never where not given. At most 1e9. */
  readonly breakForce?: number;
}

/** Where not given: free. Counted from how both were when the joint was made; lower <= upper. */
export interface JointLimits {
  readonly lower: number;
  readonly upper: number;
}

/** A pin: both turn about one point. */
interface RevoluteDef {
  readonly type: "revolute";
  /** Radians, within +-1,024. */
  readonly limits?: JointLimits;
  /** Turns b against a at `speed` rad/s (counter-clockwise positive, at most 1e4) with at most `torqueMax` N·m (at most 1e9). */
  readonly motor?: { readonly speed: number; readonly torqueMax: number };
}

/** A rail: b slides along an axis that is fixed in a, and does not turn against it. */
interface PrismaticDef {
  readonly type: "prismatic";
  /** Metres along the axis, within +-1e5. */
  readonly limits?: JointLimits;
  /** Drives b along the axis at `speed` m/s (at most 1e4) with at most `forceMax` N (at most 1e9). */
  readonly motor?: { readonly speed: number; readonly forceMax: number };
}

/** How stiff and how lively what is held swings. */
export interface JointSpring {
  /** More than 0, at most half of the world steps a second. */
  readonly frequencyHz: number;
  /** 0 swings on and on, 1 does not swing at all. At most 10. */
  readonly dampingRatio: number;
}

/** A rod between two points, or with a spring an elastic one. */
interface DistanceDef {
  readonly type: "distance";
  readonly spring?: JointSpring;
}

/** Two points are never farther apart than its length. */
interface RopeDef {
  readonly type: "rope";
}

/** Both are one piece; with a spring they may bend against each other at the anchor. */
interface WeldDef {
  readonly type: "weld";
  readonly spring?: JointSpring;
}

/** A kind of joint; a joint never changes its kind. */
export type JointDef<Spec extends FieldSpec = FieldSpec> =
  & JointBase<Spec>
  & (RevoluteDef | PrismaticDef | DistanceDef | RopeDef | WeldDef);

/** Declares a kind of joint; gives `fields` its exact type. */
export function jointDef<const Spec extends FieldSpec>(definition: JointDef<Spec>): JointDef<Spec> {
  return definition;
}

/** Where a joint takes hold, in the world. All metres. */
export interface JointPlacement<Spec extends FieldSpec = FieldSpec> {
  /** Of both; of a where there are `bx` and `by`. */
  readonly x: number;
  readonly y: number;
  /** Of b; distance and rope only, which need them. */
  readonly bx?: number;
  readonly by?: number;
  /** Prismatic only, which needs it: the way that b slides, of any length. */
  readonly axis?: { readonly x: number; readonly y: number };
  /** Distance and rope only, 1/128 … 1e5; how far the two anchors are apart where not given. */
  readonly length?: number;
  readonly fields?: Partial<Fields<Spec>>;
}

/** A value that no stage may hold or a thing that none can do; names the entity and the field. */
export class StageError extends Error {
  override readonly name = "StageError";
}
