/** One thing in the world, as rules and views see it. */
import type { FieldType } from "../../body_list.ts";
import type { Entity } from "../../physics/stage/entity.ts";
import type {
  Choice,
  Clock,
  FieldKind,
  FieldKinds,
  Flag,
  NumberList,
  Reference,
  Stopwatch,
} from "../fields/kinds.ts";
import type { FieldsOf, GameTypes } from "../game_types.ts";

/** A game's names for its things. */
export type Name<G extends GameTypes> = keyof G["things"] & string;

/** The numbers in a `list`: you may assign elements, but not add any. */
export interface Numbers {
  /** As declared. */
  readonly length: number;
  [index: number]: number;
  /** Goes through all numbers. */
  [Symbol.iterator](): Iterator<number>;
}

/** `Numbers` for code that only reads. */
export interface ReadonlyNumbers {
  /** As declared. */
  readonly length: number;
  readonly [index: number]: number;
  /** Goes through all numbers. */
  [Symbol.iterator](): Iterator<number>;
}

/** A field's value in rules. */
export type FieldValue<G extends GameTypes, Kind extends FieldKind> = Kind extends
  FieldType | Clock | Stopwatch ? number
  : Kind extends Flag ? boolean
  : Kind extends Choice<infer Word> ? Word
  : Kind extends Reference<infer To> ? To extends Name<G> ? Thing<G, To> | undefined : never
  : Kind extends NumberList ? Numbers
  : never;

/** A field's value for code that only reads. */
export type ReadonlyFieldValue<G extends GameTypes, Kind extends FieldKind> = Kind extends
  Reference<infer To> ? To extends Name<G> ? ReadonlyThing<G, To> | undefined : never
  : Kind extends NumberList ? ReadonlyNumbers
  : FieldValue<G, Kind>;

/** A thing's or the match's fields. Assign a list element by element. */
export type FieldValues<G extends GameTypes, Kinds extends FieldKinds> =
  & {
    -readonly [Field in keyof Kinds as Kinds[Field] extends NumberList ? never : Field]: FieldValue<
      G,
      Kinds[Field]
    >;
  }
  & { readonly [Field in keyof Kinds as Kinds[Field] extends NumberList ? Field : never]: Numbers };

/** A thing's or the match's fields for code that only reads. */
export type ReadonlyFieldValues<G extends GameTypes, Kinds extends FieldKinds> = {
  readonly [Field in keyof Kinds]: ReadonlyFieldValue<G, Kinds[Field]>;
};

/** A new thing's fields; a list as a plain array. */
export type FirstFieldValues<G extends GameTypes, Kinds extends FieldKinds> = {
  readonly [Field in keyof Kinds]?: Kinds[Field] extends NumberList ? readonly number[]
    : FieldValue<G, Kinds[Field]>;
};

/** The members that every thing shares. All values are live: they change with the world. */
export interface ThingBase<ThingName extends string> {
  /** 1, 2, 3 …; 0 is the ground. Ids are never reused. */
  readonly id: number;
  /** The name in `things`. */
  readonly name: ThingName;
  /** The body's origin, or the projectile's centre, metres. */
  readonly x: number;
  readonly y: number;
  /** Radians, counter-clockwise. */
  readonly angle: number;
  /** m/s. */
  readonly vx: number;
  readonly vy: number;
  /** rad/s, counter-clockwise. */
  readonly spin: number;
  /** kg; 0 if forces do not move it. */
  readonly mass: number;
  /**
   * Turns a point on the body into a place in the world: `tank.worldPoint(1.2, 0)` is the tip of a
   * barrel that ends 1.2 m ahead of the origin. Metres.
   */
  worldPoint(x: number, y: number): { x: number; y: number };
  /** Turns a place in the world into a point on the body. Metres. */
  localPoint(x: number, y: number): { x: number; y: number };
  /**
   * Turns a direction in the body's frame into one in the world: `car.worldVector(9, 0)` is 9 m/s
   * straight ahead.
   */
  worldVector(x: number, y: number): { x: number; y: number };
  /**
   * Turns a direction in the world into one in the body's frame: a car's `localVector(vx, vy).y` is
   * its drift.
   */
  localVector(x: number, y: number): { x: number; y: number };
  /** Whether it may move: false for a body that sleeps, which costs nothing until it is touched. */
  readonly awake: boolean;
  /** The seat that drives it; −1 for all but players. */
  readonly seat: number;
  /** False once it was despawned, which a list that rules walk may still contain. */
  readonly isHere: boolean;
  /** The stage's own handle, if you need more. */
  readonly entity: Entity;
}

/** A thing in rules: assign its fields, and change all else by the world's verbs. */
export interface Thing<G extends GameTypes, ThingName extends Name<G>>
  extends ThingBase<ThingName> {
  /** The declared fields by name. Assign them: `me.fields.score++`. */
  readonly fields: FieldValues<G, FieldsOf<G, ThingName>>;
}

/** A thing for code that only reads. */
export interface ReadonlyThing<G extends GameTypes, ThingName extends Name<G>>
  extends ThingBase<ThingName> {
  /** The declared fields by name. */
  readonly fields: ReadonlyFieldValues<G, FieldsOf<G, ThingName>>;
}

/** The ground: id 0, at the origin. */
export interface Ground extends ThingBase<"ground"> {
  /** None. */
  readonly fields: Readonly<Record<never, never>>;
}

/** Any thing, or any with one of these names: `thing.name === "car"` narrows it. */
export type AnyThing<G extends GameTypes, Names extends Name<G> = Name<G>> = {
  [ThingName in Names]: Thing<G, ThingName>;
}[Names];
/** As `AnyThing`, for code that only reads. */
export type AnyReadonlyThing<G extends GameTypes, Names extends Name<G> = Name<G>> = {
  [ThingName in Names]: ReadonlyThing<G, ThingName>;
}[Names];

/** Any thing, or the ground: `thing.id === 0` narrows it. */
export type GroundOr<G extends GameTypes> = AnyThing<G> | Ground;

/** A thing that left the world or became another one, as a `touchEnd` rule sees it. */
export interface GoneThing<ThingName extends string>
  extends Pick<ThingBase<ThingName>, "id" | "name"> {
  /** False: its place, fields and seat are gone, and reading them throws an error. */
  readonly isHere: false;
}

/**
 * One of two things that parted. It may be gone by now: `if (thing.isHere)` narrows it to a thing.
 */
export type Parted<G extends GameTypes, PartedName> = PartedName extends Name<G>
  ? (Thing<G, PartedName> & { readonly isHere: true }) | GoneThing<PartedName>
  : Ground;

/** A thing, or the ground, by name. */
export type Touched<G extends GameTypes, TouchedName> = TouchedName extends Name<G>
  ? Thing<G, TouchedName>
  : Ground;
