/**
 * The declarations of joints that a game's author makes before a stage exists. Units are metres,
 * radians, seconds, kilograms and newtons.
 */
import type { Fields, FieldSpec } from "./field_types.ts";

/** The types of joints. Those of Box2D, which the same names have there. */
export type JointType =
  | "revolute"
  | "prismatic"
  | "distance"
  | "rope"
  | "weld"
  | "wheel"
  | "mouse"
  | "motor"
  | "friction"
  | "pulley"
  | "gear"
  | "filter";

/**
 * The part of a definition that all types of joints share. Every joint connects two bodies a and b.
 */
interface JointBase<Spec extends FieldSpec> {
  /** The author's name for the definition. */
  readonly name: string;
  /** The fields of each joint. */
  readonly fields: Spec;
  /**
   * Whether a and b may touch each other. Default: two entities make no contacts, as in Box2D; an
   * entity and the ground do. The ground is one body with all floors and walls. With `collide:
   * false`, a joint to the ground lets its entity through all of them.
   */
  readonly collide?: boolean;
  /**
   * N, > 0 … 1e9. A larger force in a world step breaks the joint at the end of `advance`. Default:
   * unbreakable. A gear whose first joint is revolute has N·m instead.
   */
  readonly breakForce?: number;
  /**
   * Whether the declared limits, spring, and strengths (of a motor, or `forceMax` and `torqueMax`)
   * may change at run time. Each of their numbers is then state: a word in the snapshot, rounded to
   * 32 bits. Default false. Switches, speeds, lengths, targets and offsets may always change.
   */
  readonly changeable?: boolean;
}

/**
 * The range of b's position relative to a, counted from the poses at which the joint was made; of a
 * distance joint that of its length. lower ≤ upper.
 */
export interface JointLimits {
  /** Metres or radians, by the type of the joint. */
  readonly lower: number;
  /** The same. */
  readonly upper: number;
}

/** A joint that a torque may break. */
interface Twisting {
  /**
   * N·m, > 0 … 1e9. A larger torque in a world step, in either direction, breaks the joint at the
   * end of `advance`, as a `breakForce` does. It counts motors, limits and springs. Default:
   * unbreakable.
   */
  readonly breakTorque?: number;
}

/** A pin: both bodies turn about one point. */
interface RevoluteDef extends Twisting {
  readonly type: "revolute";
  /**
   * Turns b back against a to the angle at which the joint was made. Its frequency is that of the
   * whole swing about the pin. Default: b turns freely.
   */
  readonly spring?: JointSpring;
  /** Radians, within ±1,024. Default: free. */
  readonly limits?: JointLimits;
  /** Turns b against a at `speed` rad/s (at most 1e4) with at most `torqueMax` N·m (0 … 1e9). */
  readonly motor?: { readonly speed: number; readonly torqueMax: number };
}

/** A rail: b slides along an axis that is fixed in a, and does not turn against a. */
interface PrismaticDef extends Twisting {
  readonly type: "prismatic";
  /** Draws b back to where it was when the joint was made. Default: b slides freely. */
  readonly spring?: JointSpring;
  /** Metres along the axis, within ±1e5. Default: free. */
  readonly limits?: JointLimits;
  /** Drives b along the axis at `speed` m/s (at most 1e4) with at most `forceMax` N (0 … 1e9). */
  readonly motor?: { readonly speed: number; readonly forceMax: number };
}

/**
 * A damped spring, as Box2D's soft constraints define it. They integrate implicitly, which is
 * stable at any frequency and damps besides: a solver step of h seconds leaves 1 / √(1 + 2 ζ ω h +
 * (ω h)²) of the amplitude, with ω = 2π · frequency. So a spring without damping dies away, too:
 * `docs/archetypes_and_fields.md` has figures.
 */
export interface JointSpring {
  /** Natural frequency, > 0, at most half of the solver steps per second. */
  readonly frequencyHz: number;
  /**
   * ζ, 0 … 10. At 0 only the integration damps, about as a ratio of ω h / 2 would. At 1 the damping
   * is critical.
   */
  readonly dampingRatio: number;
}

/** A rod between two points; with a spring an elastic one. */
interface DistanceDef {
  readonly type: "distance";
  /** Default: the rod is stiff. */
  readonly spring?: JointSpring;
  /**
   * The least and the greatest distance of the two points, metres, 1/128 … 1e5. Without a spring
   * nothing else holds them then. Default: `length` alone holds.
   */
  readonly limits?: JointLimits;
}

/** Keeps the distance of two points at or below its length. */
interface RopeDef {
  readonly type: "rope";
}

/** Makes a and b one piece; with a spring they may bend against each other at the anchor. */
interface WeldDef extends Twisting {
  readonly type: "weld";
  /** Default: the two do not bend. */
  readonly spring?: JointSpring;
}

/**
 * A wheel on its suspension: b moves along an axis that is fixed in a, and turns freely. No limits.
 */
interface WheelDef extends Twisting {
  readonly type: "wheel";
  /**
   * Pulls b back along the axis to where it was when the joint was made. Default: b slides freely
   * along the axis.
   */
  readonly spring?: JointSpring;
  /** Turns b against a at `speed` rad/s (at most 1e4) with at most `torqueMax` N·m (0 … 1e9). */
  readonly motor?: { readonly speed: number; readonly torqueMax: number };
}

/**
 * Pulls b to a target, a point of the stage that the rules move with `setTarget`: for a player's
 * drag. b must be dynamic. a is mostly the ground, and nothing pulls it: it is only an end for
 * `collide`, and for what sleeps together.
 */
interface MouseDef {
  readonly type: "mouse";
  /** N, 0 … 1e9. Box2D's manual recommends a thousand times the mass. */
  readonly forceMax: number;
  /** Default: 5 Hz with a damping ratio of 0.7. */
  readonly spring?: JointSpring;
}

/**
 * Drives b's anchor to a's anchor, and b's angle against a to a reference, with a largest force and
 * torque. The rules move a's anchor and the reference with `setOffset`.
 */
interface MotorDef extends Twisting {
  readonly type: "motor";
  /** N, 0 … 1e9. */
  readonly forceMax: number;
  /** N·m, 0 … 1e9. */
  readonly torqueMax: number;
  /** 0 … 1: the share of the error that a world step corrects. Default 0.3. */
  readonly correctionFactor?: number;
}

/** Resists motion of b against a with a largest force and torque: friction seen from above. */
interface FrictionDef extends Twisting {
  readonly type: "friction";
  /** N, 0 … 1e9. */
  readonly forceMax: number;
  /** N·m, 0 … 1e9. */
  readonly torqueMax: number;
}

/**
 * A rope over two points of the stage: |anchor of a to its point| + ratio · |anchor of b to its
 * point| stays.
 */
interface PulleyDef {
  readonly type: "pulley";
  /** 1e-3 … 1e3, default 1. With 2, b moves half as far as a and feels twice the force. */
  readonly ratio?: number;
}

/**
 * Couples two revolute or prismatic joints: coordinate of the first + ratio · coordinate of the
 * second stays. A coordinate is an angle or a translation. It is made by `joints.addGear`.
 */
interface GearDef {
  readonly type: "gear";
  /**
   * 1e-3 … 1e3 in magnitude, default 1. Two toothed wheels have radius of the second / radius of
   * the first.
   */
  readonly ratio?: number;
}

/**
 * Keeps two bodies from touching each other, and holds nothing. It is made by `joints.addFilter`,
 * and a teleport does not end it.
 */
interface FilterDef {
  readonly type: "filter";
  readonly collide?: never;
  readonly breakForce?: never;
  readonly changeable?: never;
}

/** A class of joints with the same type, limits, motor or spring, and fields. */
export type JointDef<Spec extends FieldSpec = FieldSpec> =
  & JointBase<Spec>
  & (
    | RevoluteDef
    | PrismaticDef
    | DistanceDef
    | RopeDef
    | WeldDef
    | WheelDef
    | MouseDef
    | MotorDef
    | FrictionDef
    | PulleyDef
    | GearDef
    | FilterDef
  );

/** Declares a class of joints; gives `fields` its exact type. */
export function jointDef<const Spec extends FieldSpec>(definition: JointDef<Spec>): JointDef<Spec> {
  return definition;
}

/**
 * A joint's anchors in the world, and its initial fields. Metres, at most 101,024. A type refuses
 * what it does not need.
 *
 * | types                    | x, y                                  | besides                                    |
 * | ------------------------ | ------------------------------------- | ------------------------------------------ |
 * | revolute, weld, friction | the anchor of both bodies             |                                            |
 * | motor                    | the anchor of both; mostly b's origin |                                            |
 * | prismatic, wheel         | the anchor of both bodies             | `axis`                                     |
 * | distance, rope           | the anchor of a                       | `bx`, `by`; `length`                       |
 * | pulley                   | the anchor of a                       | `bx`, `by`, `groundA`, `groundB`; `length` |
 * | mouse                    | the anchor of b, and the first target |                                            |
 */
export interface JointPlacement<Spec extends FieldSpec = FieldSpec> {
  /** The anchor of a, metres in the world. */
  readonly x: number;
  readonly y: number;
  /** The anchor of b. */
  readonly bx?: number;
  readonly by?: number;
  /** The direction in which b slides, 1/128 … 1e5 long. */
  readonly axis?: { readonly x: number; readonly y: number };
  /** The points over which a pulley's rope runs on the sides of a and b. */
  readonly groundA?: { readonly x: number; readonly y: number };
  readonly groundB?: { readonly x: number; readonly y: number };
  /** 1/128 … 1e5. Default: as the anchors are. A pulley counts b's side `ratio` times. */
  readonly length?: number;
  /** The first values of the joint's own fields; default 0. */
  readonly fields?: Partial<Fields<Spec>>;
}
