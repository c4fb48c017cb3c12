/**
 * The declarations that a game's author makes before a stage exists: archetypes with their bodies,
 * fixtures and fields.
 *
 * A declaration never changes. Only motions and declared fields change, and the stage saves both by
 * itself. Units are metres, radians (counter-clockwise positive), seconds, kilograms and newtons; y
 * points up.
 *
 * `new Stage(definition)` checks every declaration and throws a `StageError` for a value outside
 * its range. Unless a range is given below, a number is finite and at most 1e5 in magnitude.
 */

import type { Fields, FieldSpec } from "./field_types.ts";
import type { JointDef } from "./joint_types.ts";

export type { Fields, FieldSpec };
export {
  type JointDef,
  jointDef,
  type JointLimits,
  type JointPlacement,
  type JointSpring,
  type JointType,
} from "./joint_types.ts";

/**
 * A convex shape in its body's frame, metres. Offsets and angles default to 0.
 *
 * Boxes, polygons and edges have a skin of 1 cm, as in Box2D: two boxes touch and push each other
 * when they are 2 cm apart, and rest 1.5 cm apart; a ball touches a box 1 cm away. Draw shapes as
 * they are declared, or 5 to 10 mm larger. Circles and rounded shapes have no skin.
 *
 * | shape     | value                                                                          |
 * | --------- | ------------------------------------------------------------------------------ |
 * | `circle`  | radius, > 0                                                                    |
 * | `box`     | half width and half height, both > 0                                           |
 * | `polygon` | 3 to 12 corners of a convex polygon, in either order, at least 3 mm apart.     |
 * |           | Those on a straight side do no harm: they are left out, and do not count       |
 * | `edge`    | two different end points; solid from both sides                                |
 * | `capsule` | the centres of both ends, at least 5 mm apart, and the `radius`                |
 *
 * A box or a polygon with a `radius` is rounded: all within this distance of it belongs to the
 * shape, so it is larger by the radius on each side. A `radius` is at least 1 cm, and needs the
 * feature `rounded`.
 */
export type Shape =
  | { readonly circle: number; readonly x?: number; readonly y?: number }
  | {
    readonly box: readonly [halfWidth: number, halfHeight: number];
    readonly x?: number;
    readonly y?: number;
    readonly angle?: number;
    readonly radius?: number;
  }
  | { readonly polygon: readonly (readonly [x: number, y: number])[]; readonly radius?: number }
  | { readonly edge: readonly [x1: number, y1: number, x2: number, y2: number] }
  | {
    readonly capsule: readonly [x1: number, y1: number, x2: number, y2: number];
    readonly radius: number;
  };

/** A point in the body's frame, metres. */
export type ChainPoint = readonly [x: number, y: number];

/**
 * A line of straight segments, solid from both sides: smooth ground. Bodies, projectiles and
 * queries do not catch at the inner corners, where two segments meet. Two points in sequence are
 * at least 5 mm apart. It needs the feature `chains`.
 */
export interface Chain {
  /** At least two points, in either direction; at least three for a loop. */
  readonly chain: readonly ChainPoint[];
  /** Whether a last segment leads back to the first point. Default false. */
  readonly loop?: boolean;
  /**
   * The points at which something else continues the line before its first and after its last
   * point: a body does not catch at that end either. Null for an end that stands free, which is the
   * default for both. Not for a loop.
   */
  readonly ghosts?: readonly [before: ChainPoint | null, after: ChainPoint | null];
}

/** One solid part of a body or of the ground. */
export interface FixtureDef {
  /** Where it is solid. */
  readonly shape: Shape | Chain;
  /** kg/m², ≥ 0. Default 1; the ground has no mass. */
  readonly density?: number;
  /**
   * Coulomb's coefficient, ≥ 0; default 0.6. A pair uses the geometric mean of both, unless
   * `StageDef.frictions` has an entry.
   */
  readonly friction?: number;
  /**
   * 0 … 1, default 0: the share of its speed that a body keeps in a bounce, at any length of step.
   * A pair uses the larger of both, unless `StageDef.restitutions` has an entry. An approach of at
   * most 0.4 m/s does not bounce, unless the stage declares a `restitutionThreshold`.
   */
  readonly restitution?: number;
  /**
   * Makes the surface a conveyor belt: it carries what lies on it at this speed, m/s, at most 1e4,
   * as far as friction does. Positive: a body on top goes to the right, one below to the left.
   * Default 0.
   */
  readonly surfaceSpeed?: number;
  /**
   * How hard a circle, a capsule or another rounded shape rolls, ≥ 0; default 0. It rolls down
   * slopes that are steeper than this (0.1 is 1 in 10) and comes to rest on all others. A pair uses
   * the larger of both, and the larger radius.
   */
  readonly rollingResistance?: number;
  /** Reports contacts but pushes nothing. Default false. */
  readonly sensor?: boolean;
  /**
   * Whether the fixture is there at first: false only if the body's `mutable` has `enabled`, so
   * that the rules can switch it on. One that is off has no mass, and nothing touches or finds it.
   * Default true.
   */
  readonly enabled?: boolean;
  /**
   * A sensor that also sees a body pass within a world step: it touches, and the touch begins and
   * ends in that step. Sensors see a `bullet` so in any case. A pass less than 15 mm deep may go
   * unseen. Default false.
   */
  readonly swept?: boolean;
  /**
   * Solid only for bodies that come down on it, where its surface faces up within 60 degrees. A
   * vector in the body's frame, at least 1/128 long, replaces up: the side on which the fixture is
   * solid. Default false; no sensor.
   *
   * The stage decides whether a body lands or passes when the body's first fixture begins to touch.
   * The decision holds until the last one parts. A passing body still has contact events. A
   * projectile hits the fixture from that side only.
   */
  readonly oneWay?: boolean | { readonly x: number; readonly y: number };
  /** The author's name for the fixture, such as "lava": touches have it. Default none. */
  readonly tag?: string;
  /**
   * 16 bits: the fixture's own groups, default 1. Two fixtures collide if each `mask` meets the
   * other's `category`.
   */
  readonly category?: number;
  /** 16 bits: the groups that the fixture collides with, default all. */
  readonly mask?: number;
}

/**
 * The sorts of bodies. No two of the last two sorts make a contact.
 *
 * | type        | is moved by                   | mass     | pushes         | takes                         |
 * | ----------- | ----------------------------- | -------- | -------------- | ----------------------------- |
 * | `dynamic`   | the solver                    | by shape | whom it hits   | all                           |
 * | `kinematic` | its velocity, or its path     | infinite | dynamic bodies | velocity and teleport, or path |
 * | `static`    | nothing; it never sleeps      | infinite | dynamic bodies | teleport                      |
 */
export type BodyType = "dynamic" | "kinematic" | "static";

/** The properties that may change, those of a body first, then those of each of its fixtures. */
export interface PropertyTypes {
  readonly type: BodyType;
  readonly bullet: boolean;
  readonly fixedRotation: boolean;
  readonly gravityScale: number;
  readonly linearDamping: number;
  readonly angularDamping: number;
  readonly friction: number;
  readonly restitution: number;
  readonly category: number;
  readonly mask: number;
  readonly sensor: boolean;
  readonly enabled: boolean;
}

/** A property of a body, or of each of its fixtures, that may change. */
export type MutableProperty = keyof PropertyTypes;

/** A rigid body. */
export interface BodyDef {
  /** Default `dynamic`, or `kinematic` with a path. */
  readonly type?: BodyType;
  /**
   * At most 64; 256 of a static body. A chain counts as one, but with all segments of its chains a
   * body has at most 256 parts.
   */
  readonly fixtures: readonly FixtureDef[];
  /**
   * No contact, joint, force or torque turns the body; `spawn`, `teleport` and `setSpin` may.
   * Default false. "upright": they may not either. The angle of a dynamic body is then 0 for ever,
   * and the body stream does not carry it.
   */
  readonly fixedRotation?: boolean | "upright";
  /** Whether the body may fall asleep, and those that touch it. Default true. */
  readonly allowSleep?: boolean;
  /**
   * Does not tunnel through other dynamic bodies either, and no sensor misses it on its way, at
   * some cost: for small fast bodies. Default false.
   */
  readonly bullet?: boolean;
  /** Factor on the stage's gravity, default 1. */
  readonly gravityScale?: number;
  /** 1/s, ≥ 0, default 0: v := v / (1 + h · damping) in each solver step of h seconds. */
  readonly linearDamping?: number;
  /** The same for the spin, 1/s. */
  readonly angularDamping?: number;
  /**
   * The properties that the rules may change with `Stage.properties`. Each is one word of the
   * snapshot, or one for each fixture; `sensor` and `enabled` take one for every 16 fixtures. Needs
   * the feature `properties`. Default: none.
   */
  readonly mutable?: readonly MutableProperty[];
  /** Makes the body kinematic, and only the path moves it. */
  readonly path?: Path;
}

/**
 * A moving point or circle without a solver body. It falls under gravity and hits what a solid
 * circle of its radius would hit. A hit makes it bounce or expire. It costs a small fraction of a
 * body, and it does not tunnel at any speed.
 */
export interface ProjectileDef {
  /** Metres, ≥ 0; 0 for a point. */
  readonly radius: number;
  /** Factor on the stage's gravity, default 1. */
  readonly gravityScale?: number;
  /**
   * 0 … 1, default 0. A hit uses the larger of this and the fixture's, unless
   * `StageDef.restitutions` has an entry. Below an approach of 1 m/s nothing bounces, unless the
   * stage declares a `restitutionThreshold`.
   */
  readonly restitution?: number;
  /**
   * kg behind the impulse that a hit gives to its target, ≥ 0. Default 0, which moves no target.
   */
  readonly mass?: number;
  /**
   * Number of hits that the projectile survives, 0 … 255. Default 0: the first hit expires it. 255
   * means unlimited.
   */
  readonly bouncesMax?: number;
  /** Lifetime in ticks of physics, 1 … 65,535. */
  readonly lifeTicks: number;
  /** As a fixture's, default 1. Projectiles never hit projectiles or sensors. */
  readonly category?: number;
  /** As a fixture's, default all. */
  readonly mask?: number;
  /**
   * 16 bits: a hit on one of these categories expires the projectile despite `bouncesMax`. Default
   * none.
   */
  readonly expiresOn?: number;
}

/**
 * Returns the pose of a body's origin at the end of `tick`. It must be a pure function of the tick
 * and the entity's fields.
 *
 * The stage calls it at the spawn, and once per tick before the world steps. Fields that rules
 * change after `advance` therefore count from the next tick on. The body moves evenly over the
 * tick, with velocity (pose − old pose) / tick, so it carries bodies that stand on it. It turns the
 * shorter way.
 *
 * A move beyond the stage's `speedMax` or `spinMax`, 2 m or a quarter turn per world step, is a
 * teleport. The body then jumps without a velocity and pushes nothing on the way.
 *
 * Metres, at most 1e5; `angle` in radians, default 0, at most 1e9. Beyond them the body stays at
 * these ends. For a pose that is not a number `advance` or `spawn` throws a `StageError`.
 */
export type Path = (
  tick: number,
  fields: Readonly<Record<string, number>>,
) => { readonly x: number; readonly y: number; readonly angle?: number };

/**
 * A class of entities with the same body or projectile and the same fields. The name "ground" is
 * reserved.
 */
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
export function archetype<const Spec extends FieldSpec>(
  definition: PathArchetype<Spec>,
): PathArchetype<Spec>;
/** Declares any other archetype; gives `fields` its exact type. */
export function archetype<const Spec extends FieldSpec>(
  definition: Archetype<Spec>,
): Archetype<Spec>;
/** @returns the definition as it is */
export function archetype<const Spec extends FieldSpec>(
  definition: Archetype<Spec>,
): Archetype<Spec> {
  return definition;
}

/**
 * A part of the physics that a stage has only if its declaration lists it: `chains`
 * (`chains/feature.ts`), `descriptions` (`stage/describe.ts`), `joints` (`joints/feature.ts`),
 * `paths` (`stage/kinematic_paths.ts`), `properties` (`stage/properties.ts`), `queries`
 * (`stage/queries.ts`), `rounded` (`rounded/feature.ts`), `touches` (`events/touches.ts`). A bundler leaves out what no declaration
 * names.
 */
export interface StageFeature<Name extends FeatureName = FeatureName> {
  readonly feature: Name;
}

type FeatureName =
  | "chains"
  | "descriptions"
  | "joints"
  | "paths"
  | "properties"
  | "queries"
  | "rounded"
  | "touches";

/**
 * How much one match may hold, so that no tick costs more than the author has thought of. A state
 * beyond the limits is not loaded. Play that reaches one goes on: what comes last in the order of
 * ids is left out, and `Stage.limited` says so.
 */
export interface StageLimits {
  /**
   * Entities at the end of a tick, 1 … 1,024; default 1,024. The newest ones beyond them are
   * removed when the tick ends.
   */
  readonly entities?: number;
  /**
   * Pairs of parts that are near enough to touch, 8 … 8,192; default 8 for each entity. The pairs
   * beyond them pass through each other until there is room: those of the newest entities, never
   * those of the ground.
   */
  readonly contacts?: number;
}

/** A stage: its rules of physics, its ground, and all that may be spawned on it. */
export interface StageDef<Spec extends FieldSpec = FieldSpec> {
  /**
   * m/s²: a number is downwards positive; or the direction in which all falls. Each number at most
   * 1e5.
   */
  readonly gravity: number | { readonly x: number; readonly y: number };
  /**
   * What the rules may change of the stage itself: the gravity, with `Stage.setGravity`. It is then
   * two words of the snapshot, rounded to 32 bits. Needs the feature `properties`. Default: none.
   */
  readonly mutable?: readonly "gravity"[];
  /** Ticks per second, 1 … 1,000. */
  readonly tickHz: number;
  /**
   * World steps per tick, 1 … 8. Two steps of 25 ms keep a stack of eight standing. One step of 50
   * ms lets it topple, in unmodified planck, too (DESIGN 4).
   */
  readonly substeps: number;
  /**
   * Solver steps in a world step, 1 … 8; default 1. A world step finds contacts once and then moves
   * its bodies in so many shorter steps, each with a share of the iterations. 4 carry far more at
   * about the same cost: arches, bridges, cantilevers, hinges at their limits (`docs/rates.md`).
   */
  readonly solverSteps?: number;
  /**
   * Iterations of the velocity solver in a solver step, 1 … 100. Default: 8, as Box2D's manual
   * recommends, divided by `solverSteps` and rounded up.
   */
  readonly velocityIterations?: number;
  /** The same of the position solver, in a world step. Default 3. */
  readonly positionIterations?: number;
  /**
   * m/s, 0 … 1e4: what approaches at most this fast does not bounce. Default 0.4 for bodies and 1
   * for projectiles. With gravity, a ball bounces down to this speed before it rests.
   */
  readonly restitutionThreshold?: number;
  /**
   * The greatest speed of a body, m/s, 0.1 … 1e4. Default: 2 m in a world step, which is 80 m/s at
   * 40 steps a second.
   */
  readonly speedMax?: number;
  /**
   * The greatest spin, rad/s, 0.1 … half a turn in a world step. Default: a quarter turn in a world
   * step.
   */
  readonly spinMax?: number;
  /**
   * A body that is faster at the end of a world step: `clamp` slows it down, and `Stage.clamped`
   * lists it; the default. `refuse` makes `advance` throw a `StageError` that names it. So do
   * `spawn`, `setVelocity` and `setSpin` at once.
   */
  readonly onSpeedMax?: "clamp" | "refuse";
  /** How much one match may hold. Default: all that a stage can hold. */
  readonly limits?: StageLimits;
  /** The parts of the physics that this declaration uses. Default: none. */
  readonly features?: readonly StageFeature[];
  /**
   * All that never moves and needs no name, as fixtures of one static body at the origin. At most
   * 256, segments of chains counted. A floor, goal or zone with an id or fields is an entity with a
   * static body.
   */
  readonly ground: readonly FixtureDef[];
  /**
   * Every archetype that may be spawned, at most 255, with different names. Their order is part of
   * the rules.
   */
  // deno-lint-ignore no-explicit-any
  readonly archetypes: readonly Archetype<any>[];
  /**
   * Every joint definition that may be used, at most 255, with different names. Their order is part
   * of the rules.
   */
  // deno-lint-ignore no-explicit-any
  readonly joints?: readonly JointDef<any>[];
  /** State of the match as a whole: clocks, the state of the random generator. */
  readonly fields: Spec;
  /**
   * Restitution between two archetypes, 0 … 1, in place of the larger of their fixtures' values.
   * The name "ground" stands for the ground. Either order of a pair will do.
   */
  readonly restitutions?:
    readonly (readonly [archetypeName: string, archetypeName: string, restitution: number])[];
  /**
   * Friction between two archetypes, ≥ 0, in place of the geometric mean of their fixtures' values;
   * otherwise the same.
   */
  readonly frictions?:
    readonly (readonly [archetypeName: string, archetypeName: string, friction: number])[];
  /**
   * Whether two touching entities push each other now; always true if left out. It must be a pure
   * function of their fields and ids. `a` has the smaller id. The stage never calls it for the
   * ground.
   *
   * Two bodies that do not push each other still have contact events. A projectile flies through
   * without a hit.
   */
  readonly shouldCollide?: (a: StagedEntity, b: StagedEntity) => boolean;
  /**
   * Whether `entity` may stand on a one-way fixture of `platform`, which may be the ground; always
   * true if left out. It must be a pure function of their fields and ids. The stage calls it before
   * each world step.
   *
   * If it or `shouldCollide` returns false, the entity falls through and keeps passing until the
   * two have parted.
   */
  readonly landsOn?: (entity: StagedEntity, platform: StagedEntity) => boolean;
}

/** The part of an entity that `shouldCollide` and `landsOn` may read. */
export interface StagedEntity {
  /** 0 for the ground. */
  readonly id: number;
  // deno-lint-ignore no-explicit-any
  readonly archetype: Archetype<any>;
  readonly fields: Readonly<Record<string, number>>;
}

/**
 * An entity's initial pose, motion and fields, all 0 by default. A projectile takes no angle and no
 * spin, a static body no velocity and no spin. A body on a path takes `fields` only. A value out of
 * range, or an unknown field, makes `spawn` throw a `StageError`.
 */
export interface Spawn<Spec extends FieldSpec> {
  /** Metres, at most 101,024. */
  readonly x: number;
  readonly y: number;
  /** Radians, at most 1,024. */
  readonly angle?: number;
  /** m/s, at most 1e4. A world step slows a body down to the stage's `speedMax`. */
  readonly vx?: number;
  readonly vy?: number;
  /** rad/s, at most 1e4. */
  readonly spin?: number;
  readonly fields?: Partial<Fields<Spec>>;
}

/**
 * A value that no stage may hold, or an action that no stage can do. The message names entity and
 * field.
 */
export class StageError extends Error {
  override readonly name = "StageError";
}
