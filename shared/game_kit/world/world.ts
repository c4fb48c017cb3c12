/** The world of one match, as rules and views see it. */
import type {
  Fields,
  FieldSpec,
  JointPlacement,
  MutableProperty,
} from "../../physics/core/types.ts";
import type { BrokenJoint, Joint } from "../../physics/joints/joints.ts";
import type { PropertyValues } from "../../physics/stage/properties.ts";
import type { QueryFilter, QueryShape } from "../../physics/stage/queries.ts";
import type { Chosen } from "../fields/kinds.ts";
import type { FieldsOf, GameTypes, JointFieldsOf } from "../game_types.ts";
import type {
  AnyReadonlyThing,
  AnyThing,
  FieldValues,
  FirstFieldValues,
  Ground,
  GroundOr,
  Name,
  ReadonlyFieldValues,
  ReadonlyThing,
  Thing,
} from "./thing.ts";

/** A point, metres. */
export interface Place {
  /** Metres. */
  readonly x: number;
  readonly y: number;
}

/**
 * The place at which a new thing begins: 0 for all that is left out. A body on a path takes fields
 * only.
 */
export interface Placement<G extends GameTypes, ThingName extends Name<G>> {
  /** Metres. */
  readonly x?: number;
  readonly y?: number;
  /** Radians. */
  readonly angle?: number;
  /** m/s. */
  readonly vx?: number;
  readonly vy?: number;
  /** rad/s. */
  readonly spin?: number;
  /** Fields that are left out are 0, false, empty or the first word. */
  readonly fields?: FirstFieldValues<G, FieldsOf<G, ThingName>>;
}

/** How two things began to touch, seen from the first one. */
export interface Contact {
  /** The unit normal from the first to the second. */
  readonly nx: number;
  readonly ny: number;
  /** The speed at which they approached, m/s, ≥ 0. */
  readonly speed: number;
  /** The origins of both at that moment, metres. */
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  /** Whether a sensor saw it in passing, between two steps of physics: they touch no more. */
  readonly swept: boolean;
}

/** A match as views and `think` see it: they change nothing. */
export interface WorldView<G extends GameTypes> {
  /** The number of ticks that have ended. */
  readonly tick: number;
  /** The match's own fields. */
  readonly match: ReadonlyFieldValues<G, G["match"]>;
  /** The choices of the player who opened the room. */
  readonly options: Chosen<G["options"]>;
  /** The number of NPC seats. */
  readonly npcs: number;
  /** All that never moves. */
  readonly ground: Ground;
  /** Ticks in so many seconds, rounded. */
  ticks(seconds: number): number;
  /**
   * All things of a name, ascending by id. The list never changes, so rules may spawn and despawn
   * while they walk it.
   */
  all<ThingName extends Name<G>>(name: ThingName): readonly ReadonlyThing<G, ThingName>[];
  /** The thing of a name with the smallest id. */
  one<ThingName extends Name<G>>(name: ThingName): ReadonlyThing<G, ThingName> | undefined;
  /** The thing with this id, or undefined. */
  get(id: number): AnyReadonlyThing<G> | undefined;
  /** The thing that this seat drives, or undefined. */
  player(seat: number): ReadonlyThing<G, G["player"]> | undefined;
  /** Whether something below pushes the body up: the ground, or another body; a wall does not. */
  isSupported(thing: AnyReadonlyThing<G>): boolean;
  /**
   * The things that touch this one now, and the ground, ascending by id: those whose `touch` has
   * begun and not ended. A projectile touches nothing: asking throws an error.
   */
  touchingNow(thing: AnyReadonlyThing<G>): readonly (AnyReadonlyThing<G> | Ground)[];
  /** Rays and shapes. */
  readonly queries: Queries<G>;
  /** The joints, to read. */
  readonly joints: JointsView<G>;
}

/** A match as rules see and change it. A function that takes a `WorldView` takes a `World`, too. */
export type World<G extends GameTypes> = WorldVerbs<G> & WorldView<G>;

/**
 * The part of a `World` that only rules have. All verbs throw a `StageError` for a value out of
 * range.
 */
export interface WorldVerbs<G extends GameTypes> {
  /** The match's own fields. Assign them: `world.match.left--`. */
  readonly match: FieldValues<G, G["match"]>;
  /** As `WorldView.all`. */
  all<ThingName extends Name<G>>(name: ThingName): readonly Thing<G, ThingName>[];
  /** As `WorldView.one`. */
  one<ThingName extends Name<G>>(name: ThingName): Thing<G, ThingName> | undefined;
  /** As `WorldView.get`. */
  get(id: number): AnyThing<G> | undefined;
  /** As `WorldView.player`. */
  player(seat: number): Thing<G, G["player"]> | undefined;
  /** As `WorldView.touchingNow`. */
  touchingNow(thing: AnyReadonlyThing<G>): readonly GroundOr<G>[];
  /** The joints, to add, change and remove. */
  readonly joints: Joints<G>;

  /** A whole number, 0 … count − 1, from the match's own generator. @param count 1 … 2^32 */
  random(count: number): number;
  /** Adds a thing. */
  spawn<ThingName extends Name<G>>(
    name: ThingName,
    at?: Placement<G, ThingName>,
  ): Thing<G, ThingName>;
  /** Removes a thing and its joints. Seats' own things go when their player leaves. */
  despawn(thing: AnyThing<G>): void;
  /**
   * Makes it a thing of another name: it keeps its id, motion, and fields of equal names. The old
   * handle is dead. Joints stay if they can still move one of their things, but a projectile has
   * none.
   */
  become<ThingName extends Name<G>>(
    thing: AnyThing<G>,
    name: ThingName,
    fields?: FirstFieldValues<G, FieldsOf<G, ThingName>>,
  ): Thing<G, ThingName>;
  /** Shows an event at a thing. A second one of the same name, thing and tick is dropped. */
  emit(event: keyof G["events"] & string, thing: GroundOr<G>, other?: GroundOr<G>): void;

  /**
   * A force for the coming tick of physics, newtons; at the centre of mass, or at a point in the
   * world.
   */
  applyForce(thing: AnyThing<G>, fx: number, fy: number, point?: Place): void;
  /** Newton metres, for the coming tick of physics. */
  applyTorque(thing: AnyThing<G>, torque: number): void;
  /** Newton seconds, at once. */
  applyImpulse(thing: AnyThing<G>, ix: number, iy: number, point?: Place): void;
  /** Newton metre seconds, at once. */
  applyAngularImpulse(thing: AnyThing<G>, impulse: number): void;
  /** m/s. */
  setVelocity(thing: AnyThing<G>, vx: number, vy: number): void;
  /** rad/s. */
  setSpin(thing: AnyThing<G>, spin: number): void;
  /**
   * Metres and radians. Views do not ease it. A list of things moves as one piece, and the pose is
   * that of the first one: `teleport([car, ...wheels], 0, 2)`. Joints within the piece hold; those
   * to anything else end, so one thing alone loses all its joints.
   */
  teleport(
    things: AnyThing<G> | readonly AnyThing<G>[],
    x: number,
    y: number,
    angle?: number,
  ): void;
  /** Properties that the body declares as `mutable`; needs the feature `PROPERTIES`. */
  setProperties(thing: AnyThing<G>, values: PropertyValues, fixture?: number): void;
  /** The value of such a property now. */
  property(thing: AnyReadonlyThing<G>, property: MutableProperty, fixture?: number): number;
}

/** The names of a game's joints. */
export type JointName<G extends GameTypes> = keyof G["joints"] & string;

/** The joints as views see them. Needs the feature `JOINTS`. */
export interface JointsView<G extends GameTypes> {
  /** The joints of a thing, or those of one name, ascending by id. */
  of<Of extends JointName<G>>(
    thing: AnyReadonlyThing<G> | Ground,
    name?: Of,
  ): readonly Joint<JointFieldsOf<G, Of>>[];
  /** All joints of a name, ascending by id. The list never changes. */
  all<Of extends JointName<G>>(name: Of): readonly Joint<JointFieldsOf<G, Of>>[];
}

/**
 * The joints as rules see them. `Joint` is the stage's handle: `joint.a.id` is the id of a thing.
 */
export interface Joints<G extends GameTypes> extends JointsView<G> {
  /**
   * The joints that were overloaded and broke in this tick's physics, ascending by id. Only the
   * rules after physics have the list: `touch`, `touchEnd` and `tick`. Reading it elsewhere throws
   * an error.
   */
  readonly broken: readonly BrokenJoint[];
  /** Joins two things at places in the world. */
  add<Of extends JointName<G>>(
    name: Of,
    a: GroundOr<G>,
    b: GroundOr<G>,
    placement: JointPlacement<JointFieldsOf<G, Of>>,
  ): Joint<JointFieldsOf<G, Of>>;
  /** A gear couples two other joints. */
  addGear<Of extends JointName<G>>(
    name: Of,
    first: Joint,
    second: Joint,
    fields?: Partial<Fields<JointFieldsOf<G, Of>>>,
  ): Joint<JointFieldsOf<G, Of>>;
  /** Removes a joint. */
  remove(joint: Joint<FieldSpec>): void;
  /** m/s or rad/s, N m, N: what is left out stays. */
  setMotor(
    joint: Joint,
    options: { on?: boolean; speed?: number; torqueMax?: number; forceMax?: number },
  ): void;
  /** Metres or radians: what is left out stays. */
  setLimits(joint: Joint, options: { on?: boolean; lower?: number; upper?: number }): void;
  /** Needs `changeable` in the definition. */
  setSpring(joint: Joint, options: { frequencyHz?: number; dampingRatio?: number }): void;
  /** N, N m. Needs `changeable` in the definition. */
  setStrength(joint: Joint, options: { forceMax?: number; torqueMax?: number }): void;
  /** The target of a mouse joint, metres. */
  setTarget(joint: Joint, x: number, y: number): void;
  /** The pose of a motor joint's second body seen from the first: metres, radians. */
  setOffset(joint: Joint, offset: { x?: number; y?: number; angle?: number }): void;
  /** Metres. A shorter joint draws its things together without doing work. */
  setLength(joint: Joint, length: number): void;
}

/** An answer to a query: a thing, or the ground. */
export interface Found<G extends GameTypes> {
  /** A thing, or the ground. */
  readonly thing: GroundOr<G>;
  /** The number of its fixture. */
  readonly fixture: number;
}

/** An answer for a ray or a moving shape. */
export interface FoundOnWay<G extends GameTypes> extends Found<G> {
  /** The share of the way before the hit, 0 … 1. */
  readonly fraction: number;
  /** The point where the ray ends, or the centre of the shape at the hit, metres. */
  readonly x: number;
  readonly y: number;
  /** The unit normal of what was hit. */
  readonly nx: number;
  readonly ny: number;
}

/** An answer about the nearest fixture. */
export interface Nearest<G extends GameTypes> extends Found<G> {
  /** The nearest point of the fixture, metres. */
  readonly x: number;
  readonly y: number;
  /** Metres. */
  readonly distance: number;
}

/** The fixtures that count, as the stage has them; by default all but sensors. */
export interface Filter<G extends GameTypes> extends Omit<QueryFilter, "except" | "where"> {
  /** A thing that does not count, such as the one that looks. */
  readonly except?: AnyReadonlyThing<G>;
  /** Decides last: a pure function of the state. */
  where?(thing: GroundOr<G>, fixture: number): boolean;
}

/** Queries of the world as it is now. They need the feature `QUERIES`. */
export interface Queries<G extends GameTypes> {
  /** The first fixture on the way, or undefined. */
  rayCast(from: Place, to: Place, filter?: Filter<G>): FoundOnWay<G> | undefined;
  /** All fixtures on the way, in its order. */
  rayCastAll(from: Place, to: Place, filter?: Filter<G>): readonly FoundOnWay<G>[];
  /** The first fixture that a shape meets on its way. */
  castShape(
    shape: QueryShape,
    from: Place,
    to: Place,
    filter?: Filter<G>,
  ): FoundOnWay<G> | undefined;
  /** The fixture that is nearest to a point, at most so many metres away, or undefined. */
  closest(to: Place, distanceMax: number, filter?: Filter<G>): Nearest<G> | undefined;
  /** All fixtures that a shape overlaps at a place, ascending by id. */
  overlap(shape: QueryShape, at: Place, filter?: Filter<G>): readonly Found<G>[];
}
