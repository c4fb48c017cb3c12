/** One match's world, as rules and views see it. */
import type {
  Fields,
  FieldSpec,
  JointPlacement,
  MutableProperty,
  PropertyTypes,
} from "../../physics/core/types.ts";
import type { BrokenJoint, Joint } from "../../physics/joints/joints.ts";
import type { Blast } from "../../physics/stage/explosion.ts";
import type { PropertyValues } from "../../physics/stage/properties.ts";
import type { QueryFilter, QueryShape } from "../../physics/stage/queries.ts";
import type { Chosen } from "../fields/kinds.ts";
import type { FieldsOf, GameTypes, JointFieldsOf, NpcKind } from "../game_types.ts";
import type { ThingDescription } from "./describe_thing.ts";
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

/** Where a new thing begins: whatever you leave out is 0. A body on a path takes only fields. */
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
  /** Fields that you leave out are 0, false, empty or the first word. */
  readonly fields?: FirstFieldValues<G, FieldsOf<G, ThingName>>;
}

/** How two things touch, seen from the first one. Valid while the rule runs. */
export interface Contact {
  /** The unit normal from the first to the second. */
  readonly nx: number;
  readonly ny: number;
  /** The speed at which they approached, m/s, ≥ 0; 0 unless they began to touch in this tick. */
  readonly speed: number;
  /** Whether they began to touch in this tick. */
  readonly began: boolean;
  /** Both origins when they began to touch, or as this tick's physics began, metres. */
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  /**
   * Where they touch at that moment: the middle of the points of all their fixtures, metres. A
   * sensor has no points: then it is the middle between both origins. For a projectile it is its
   * centre. Two bodies need the feature `TOUCHES`, also for the impulses below.
   */
  readonly x: number;
  readonly y: number;
  /**
   * The impulse along the normal in this tick, N·s, ≥ 0: what rests on the ground presses with its
   * weight times the length of a tick. 0 for sensors and projectiles, which push nothing.
   */
  readonly impulse: number;
  /** The friction's impulse in this tick, N·s, ≥ 0. */
  readonly frictionImpulse: number;
  /**
   * Whether a sensor detected the touch in passing, between two physics steps, so that they no
   * longer touch.
   */
  readonly swept: boolean;
}

/** A match as views and `think` see it, which cannot change it. */
export interface WorldView<G extends GameTypes> {
  /** How many ticks have ended. */
  readonly tick: number;
  /** The match's own fields. */
  readonly match: ReadonlyFieldValues<G, G["match"]>;
  /** What the player who opened the room chose. */
  readonly options: Chosen<G["options"]>;
  /** The constants that the game declares as `tune`, with their values now. */
  readonly tune: { readonly [Constant in keyof G["tune"]]: number };
  /** How many NPCs the room asked for. */
  readonly npcs: number;
  /** The seats that have an NPC, ascending: those that the room asked for, then those of rules. */
  readonly npcSeats: readonly number[];
  /**
   * The kind of the NPC on a seat, which stays until the seat gets another one. Undefined for a
   * player's seat, and in a game that declares no kinds.
   */
  npcKind(seat: number): NpcKind<G> | undefined;
  /** Everything that never moves. */
  readonly ground: Ground;
  /** The gravity now, m/s², as a vector: (0, −10) for `gravity: 10`. */
  readonly gravity: Place;
  /** Converts seconds to ticks, rounded. */
  ticks(seconds: number): number;
  /** Converts ticks to seconds. */
  seconds(ticks: number): number;
  /**
   * Lists all things with one of these names, ascending by id: `world.all("coin", "crate")`. A
   * returned list never changes, so rules may spawn and despawn while they walk it.
   */
  all<ThingName extends Name<G>>(
    ...names: readonly [ThingName, ...ThingName[]]
  ): readonly AnyReadonlyThing<G, ThingName>[];
  /** Finds the thing with this name and the smallest id, or undefined. */
  one<ThingName extends Name<G>>(name: ThingName): ReadonlyThing<G, ThingName> | undefined;
  /** Finds the thing with this id, or undefined. */
  get(id: number): AnyReadonlyThing<G> | undefined;
  /** Finds the thing that this seat drives, or undefined. */
  player(seat: number): ReadonlyThing<G, G["player"]> | undefined;
  /** Whether something below pushes the body up: the ground, or another body; a wall does not. */
  isSupported(thing: AnyReadonlyThing<G>): boolean;
  /**
   * Finds what pushes the body up, or undefined. Of several it is the one with the smallest id, so
   * that the ground comes first.
   */
  supportOf(thing: AnyReadonlyThing<G>): AnyReadonlyThing<G> | Ground | undefined;
  /**
   * Lists the things, and the ground, that touch this one now, ascending by id: their `touch` has
   * begun and not ended. A projectile throws an error, because it touches nothing.
   */
  touchingNow(thing: AnyReadonlyThing<G>): readonly (AnyReadonlyThing<G> | Ground)[];
  /**
   * All that the world knows of a thing or of the ground, as a plain object: pose, motion, fields,
   * fixtures, contacts and joints. For debuggers and tests: it costs too much for rules. It needs
   * the feature `DESCRIPTIONS`, which changes nothing else.
   */
  describe(thing: AnyReadonlyThing<G> | Ground): ThingDescription;
  /**
   * Reads a property that the body declares as `mutable`, such as whether a fixture is enabled;
   * needs the feature `PROPERTIES`.
   */
  property<Property extends MutableProperty>(
    thing: AnyReadonlyThing<G>,
    property: Property,
    fixture?: number,
  ): PropertyTypes[Property];
  /** Rays and shapes. */
  readonly queries: Queries<G>;
  /** The joints, to read. */
  readonly joints: JointsView<G>;
}

/** A match as rules see and change it. A function that takes a `WorldView` takes a `World`, too. */
export type World<G extends GameTypes> = WorldVerbs<G> & WorldView<G>;

/**
 * The part of a `World` that only rules get. All verbs throw a `StageError` for a value out of
 * range.
 */
export interface WorldVerbs<G extends GameTypes> {
  /** The match's own fields. Assign them: `world.match.left--`. */
  readonly match: FieldValues<G, G["match"]>;
  /** As `WorldView.all`. */
  all<ThingName extends Name<G>>(
    ...names: readonly [ThingName, ...ThingName[]]
  ): readonly AnyThing<G, ThingName>[];
  /** As `WorldView.one`. */
  one<ThingName extends Name<G>>(name: ThingName): Thing<G, ThingName> | undefined;
  /** As `WorldView.get`. */
  get(id: number): AnyThing<G> | undefined;
  /** As `WorldView.player`. */
  player(seat: number): Thing<G, G["player"]> | undefined;
  /** As `WorldView.supportOf`. */
  supportOf(thing: AnyReadonlyThing<G>): GroundOr<G> | undefined;
  /** As `WorldView.touchingNow`. */
  touchingNow(thing: AnyReadonlyThing<G>): readonly GroundOr<G>[];
  /** The joints, to add, change and remove. */
  readonly joints: Joints<G>;

  /** Draws a whole number, 0 … count − 1, from the match's own generator. @param count 1 … 2^32 */
  random(count: number): number;
  /**
   * Asks for one more NPC of a kind that the game declares. Its thing enters a few ticks later, by
   * the rule `enter`. It returns the NPC's seat; undefined if no seat is free.
   */
  addNpc(kind: NpcKind<G>): number | undefined;
  /**
   * Gives up an NPC that `addNpc` asked for; it does nothing for other seats. The NPC's thing stays
   * for a few ticks, unless rules despawn it.
   */
  removeNpc(seat: number): void;
  /** Adds a thing. */
  spawn<ThingName extends Name<G>>(
    name: ThingName,
    at?: Placement<G, ThingName>,
  ): Thing<G, ThingName>;
  /** Removes a thing and its joints. A seat's own thing goes by itself when the player leaves. */
  despawn(thing: AnyThing<G>): void;
  /**
   * Turns it into a thing with another name. It keeps its id, motion, and fields with equal names;
   * the old handle is dead. Joints stay if they can still move one of their things, unless it
   * becomes a projectile, which cannot be joined.
   */
  become<ThingName extends Name<G>>(
    thing: AnyThing<G>,
    name: ThingName,
    fields?: FirstFieldValues<G, FieldsOf<G, ThingName>>,
  ): Thing<G, ThingName>;
  /**
   * Shows an event at a thing, or at a place, such as the middle of the field. A second one with the
   * same name, thing and tick is dropped; events at places count as the ground's.
   * @param amount how much it was, in your own unit, such as the speed of a hit or the points won
   */
  emit(
    event: keyof G["events"] & string,
    at: GroundOr<G> | Place,
    other?: GroundOr<G>,
    amount?: number,
  ): void;

  /**
   * Applies a force during the coming physics, newtons; at the centre of mass, or at a point in the
   * world.
   */
  applyForce(thing: AnyThing<G>, fx: number, fy: number, point?: Place): void;
  /** Applies a torque during the coming physics, newton metres. */
  applyTorque(thing: AnyThing<G>, torque: number): void;
  /** Applies an impulse at once, newton seconds. */
  applyImpulse(thing: AnyThing<G>, ix: number, iy: number, point?: Place): void;
  /** Applies an angular impulse at once, newton metre seconds. */
  applyAngularImpulse(thing: AnyThing<G>, impulse: number): void;
  /**
   * Pushes all dynamic bodies around a point away from it, at once: by the width of their sides that
   * face it. Nothing gives cover. Needs the feature `QUERIES`. It returns the things that were
   * pushed, ascending by id.
   */
  explode(x: number, y: number, explosion: Explosion<G>): readonly AnyThing<G>[];
  /** m/s. */
  setVelocity(thing: AnyThing<G>, vx: number, vy: number): void;
  /** rad/s. */
  setSpin(thing: AnyThing<G>, spin: number): void;
  /**
   * Moves a thing to a pose, metres and radians, which views do not ease. A list of things moves as
   * one piece, and the pose is for the first one: `teleport([car, ...wheels], 0, 2)`. Joints within
   * the piece hold; those to anything else end, so one thing alone loses all its joints.
   */
  teleport(
    things: AnyThing<G> | readonly AnyThing<G>[],
    x: number,
    y: number,
    angle?: number,
  ): void;
  /**
   * Changes the gravity at once, and wakes everything: m/s², a number downwards or a vector. The
   * game declares `mutable: ["gravity"]` and the feature `PROPERTIES`.
   */
  setGravity(gravity: number | Place): void;
  /**
   * Wakes a body, or keeps it awake for another half second. A static one wakes what touches it and
   * what is joined to it.
   */
  wake(thing: AnyThing<G>): void;
  /** Sets properties that the body declares as `mutable`; needs the feature `PROPERTIES`. */
  setProperties(thing: AnyThing<G>, values: PropertyValues, fixture?: number): void;
}

/** An explosion's strength, as the stage has it. */
export interface Explosion<G extends GameTypes> extends Omit<Blast, "except"> {
  /** A thing that is not pushed, such as the one that explodes. */
  readonly except?: AnyReadonlyThing<G>;
}

/** A game's names for its joints. */
export type JointName<G extends GameTypes> = keyof G["joints"] & string;

/** The joints as views see them. Needs the feature `JOINTS`. */
export interface JointsView<G extends GameTypes> {
  /** Lists a thing's joints, or only those with one name, ascending by id. */
  of<Of extends JointName<G>>(
    thing: AnyReadonlyThing<G> | Ground,
    name?: Of,
  ): readonly Joint<JointFieldsOf<G, Of>>[];
  /** Lists all joints with a name, ascending by id. A returned list never changes. */
  all<Of extends JointName<G>>(name: Of): readonly Joint<JointFieldsOf<G, Of>>[];
}

/** The joints as rules see them. `Joint` is the stage's handle: `joint.a.id` is a thing's id. */
export interface Joints<G extends GameTypes> extends JointsView<G> {
  /**
   * The joints that were overloaded and broke in this tick's physics, ascending by id. Read it only
   * in the rules after physics, such as `touch` and `tick`; elsewhere it throws an error.
   */
  readonly broken: readonly BrokenJoint[];
  /** Joins two things at places in the world. */
  add<Of extends JointName<G>>(
    name: Of,
    a: GroundOr<G>,
    b: GroundOr<G>,
    placement: JointPlacement<JointFieldsOf<G, Of>>,
  ): Joint<JointFieldsOf<G, Of>>;
  /** Adds a gear, which couples two other joints. */
  addGear<Of extends JointName<G>>(
    name: Of,
    first: Joint,
    second: Joint,
    fields?: Partial<Fields<JointFieldsOf<G, Of>>>,
  ): Joint<JointFieldsOf<G, Of>>;
  /** Two things that do not touch each other, as long as the joint is there. */
  addFilter<Of extends JointName<G>>(
    name: Of,
    a: GroundOr<G>,
    b: GroundOr<G>,
    fields?: Partial<Fields<JointFieldsOf<G, Of>>>,
  ): Joint<JointFieldsOf<G, Of>>;
  /** Removes a joint. */
  remove(joint: Joint<FieldSpec>): void;
  /** Sets a motor, in m/s or rad/s, N m, N; what you leave out stays. */
  setMotor(
    joint: Joint,
    options: { on?: boolean; speed?: number; torqueMax?: number; forceMax?: number },
  ): void;
  /** Sets limits, in metres or radians; what you leave out stays. */
  setLimits(joint: Joint, options: { on?: boolean; lower?: number; upper?: number }): void;
  /** Sets a spring; needs `changeable` in the definition. */
  setSpring(joint: Joint, options: { frequencyHz?: number; dampingRatio?: number }): void;
  /** Sets how strong a joint is, in N, N m; needs `changeable` in the definition. */
  setStrength(joint: Joint, options: { forceMax?: number; torqueMax?: number }): void;
  /** Sets a mouse joint's target, metres. */
  setTarget(joint: Joint, x: number, y: number): void;
  /**
   * Sets the pose at which a motor joint holds its second body, seen from the first: metres,
   * radians.
   */
  setOffset(joint: Joint, offset: { x?: number; y?: number; angle?: number }): void;
  /**
   * Sets a joint's length, metres. A shorter joint draws its things together without doing work.
   */
  setLength(joint: Joint, length: number): void;
}

/** What a query found. */
export interface Found<G extends GameTypes> {
  /** A thing, or the ground. */
  readonly thing: GroundOr<G>;
  /** The fixture, by its number. */
  readonly fixture: number;
}

/** How far two things are from each other. */
export interface Apart {
  /** Metres; 0 if they overlap. */
  readonly distance: number;
  /** The nearest points of both, metres. */
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  /** The numbers of their fixtures there. */
  readonly fixtureA: number;
  readonly fixtureB: number;
}

/** What a ray or a moving shape found. */
export interface FoundOnWay<G extends GameTypes> extends Found<G> {
  /** How much of the way lies before the hit, 0 … 1. */
  readonly fraction: number;
  /** Where the ray ends, or the shape's centre at the hit, metres. */
  readonly x: number;
  readonly y: number;
  /** The unit normal on what was hit. */
  readonly nx: number;
  readonly ny: number;
}

/** The nearest fixture that a query found. */
export interface Nearest<G extends GameTypes> extends Found<G> {
  /** The nearest point on the fixture, metres. */
  readonly x: number;
  readonly y: number;
  /** Metres. */
  readonly distance: number;
}

/** Which fixtures a query considers; by default all but sensors. */
export interface Filter<G extends GameTypes> extends Omit<QueryFilter, "except" | "where"> {
  /** A thing to ignore, such as the one that looks. */
  readonly except?: AnyReadonlyThing<G>;
  /** Decides last: a pure function of the state. */
  where?(thing: GroundOr<G>, fixture: number): boolean;
}

/** Queries on the world as it is now. They need the feature `QUERIES`. */
export interface Queries<G extends GameTypes> {
  /** Finds the first fixture on the way, or undefined. */
  rayCast(from: Place, to: Place, filter?: Filter<G>): FoundOnWay<G> | undefined;
  /** Finds all fixtures on the way, in order. */
  rayCastAll(from: Place, to: Place, filter?: Filter<G>): readonly FoundOnWay<G>[];
  /** Finds the first fixture that a shape meets on its way, or undefined. */
  castShape(
    shape: QueryShape,
    from: Place,
    to: Place,
    filter?: Filter<G>,
  ): FoundOnWay<G> | undefined;
  /** Finds the fixture nearest to a point, at most `distanceMax` metres away, or undefined. */
  closest(to: Place, distanceMax: number, filter?: Filter<G>): Nearest<G> | undefined;
  /** Finds all fixtures that a shape overlaps at a place, ascending by id. */
  overlap(shape: QueryShape, at: Place, filter?: Filter<G>): readonly Found<G>[];
  /**
   * How far two things are from each other, or a thing from the ground, without sensors. Undefined if
   * one of them has nothing but sensors.
   */
  distance(
    a: AnyReadonlyThing<G> | Ground,
    b: AnyReadonlyThing<G> | Ground,
  ): Apart | undefined;
  /** All fixtures that a point is in, ascending by id: what a click hits. */
  at(place: Place, filter?: Filter<G>): readonly Found<G>[];
}
