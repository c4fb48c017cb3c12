/**
 * The lasting state of a planck joint as a row of numbers. Anchors and angles follow from the poses when the joint is
 * made; impulses are for warm starting. planck computes all other values in every step. Rounding, snapshots and their
 * checks all use this row.
 */
import { ANGLE_MAX, SPEED_MAX, SPIN_MAX } from "../core/limits.ts";
import type { PlanckJoint, Vector } from "./planck.ts";
import type { JointType } from "../core/types.ts";

/** Metres: an anchor's largest coordinate in its body's frame, as `POSITION_MAX`. */
export const ANCHOR_MAX = 1e5;
/** Metres. Below b2_linearSlop = 0.005 planck's joints have no direction. The maximum is the largest coordinate. */
export const LENGTH_MIN = 1 / 128;
export const LENGTH_MAX = 1e5;
/** Radians: the sum of both bodies' angles, and a limit beyond them. */
export const REFERENCE_MAX = 4 * ANGLE_MAX;
/** Length of the longest row. */
export const NUMBERS_MAX = 12;

/** planck's values of a joint's limit state. A change of it resets the limit's impulse. */
export const LIMIT_FREE = 0;
export const LIMIT_EQUAL = 3;

interface Vector3 extends Vector {
  z: number;
}

/** The hidden part of joints that may have limits and a motor. */
export interface DrivenJoint extends PlanckJoint {
  m_referenceAngle: number;
  readonly m_impulse: Vector3;
  m_motorImpulse: number;
  m_motorSpeed: number;
  m_limitState: number;
  m_enableLimit: boolean;
  m_enableMotor: boolean;
}

interface RevoluteJoint extends DrivenJoint {
  m_lowerAngle: number;
  m_upperAngle: number;
  m_maxMotorTorque: number;
}

interface PrismaticJoint extends DrivenJoint {
  readonly m_localXAxisA: Vector;
  readonly m_localYAxisA: Vector;
  m_lowerTranslation: number;
  m_upperTranslation: number;
  m_maxMotorForce: number;
}

interface SpringJoint extends PlanckJoint {
  m_frequencyHz: number;
  m_dampingRatio: number;
}

interface DistanceJoint extends SpringJoint {
  m_impulse: number;
  m_length: number;
}

interface RopeJoint extends PlanckJoint {
  m_impulse: number;
  m_maxLength: number;
}

interface WeldJoint extends SpringJoint {
  m_referenceAngle: number;
  readonly m_impulse: Vector3;
}

/** Constants of a joint definition, which no row holds. 0 if a type has none. */
export interface JointConstants {
  readonly lower: number;
  readonly upper: number;
  /** N or N·m. */
  readonly motorMax: number;
  readonly frequencyHz: number;
  readonly dampingRatio: number;
}

/** All code and constants that differ by the type of joint. */
export interface JointForm {
  /** Whether the type has flags for limit and motor, one more word in a snapshot. */
  readonly driven: boolean;
  /** Names of the numbers, in order. */
  readonly names: readonly string[];
  /** Index of the reference angle, −1 if there is none. */
  readonly referenceAt: number;
  /** Bounds of the numbers' magnitudes. */
  readonly maxima: readonly number[];
  /** Sets the constants. */
  fix(joint: PlanckJoint, constants: JointConstants): void;
  read(joint: PlanckJoint, into: Float64Array): void;
  write(joint: PlanckJoint, from: Float64Array): void;
  /** Checks that bounds alone cannot express: a unit axis, a least length. */
  sound(numbers: Float64Array): boolean;
  /** Magnitude of the impulse at the anchor in the last world step, N·s. */
  impulse(joint: PlanckJoint): number;
  /** Angular impulse in the last world step, N·m·s. */
  twist(joint: PlanckJoint): number;
}

const ANCHORS = ["anchorA.x", "anchorA.y", "anchorB.x", "anchorB.y"];
const ANCHOR_MAXIMA = [ANCHOR_MAX, ANCHOR_MAX, ANCHOR_MAX, ANCHOR_MAX];
const IMPULSES = ["impulse.x", "impulse.y", "impulse.z"];
/** Nearly the largest float32: impulses have no smaller bound. */
const IMPULSE_MAX = 3.4e38;
const IMPULSE_MAXIMA = [IMPULSE_MAX, IMPULSE_MAX, IMPULSE_MAX];

const REVOLUTE = {
  driven: true,
  referenceAt: 4,
  names: [...ANCHORS, "referenceAngle", ...IMPULSES, "motorImpulse", "motorSpeed"],
  maxima: [...ANCHOR_MAXIMA, REFERENCE_MAX, ...IMPULSE_MAXIMA, IMPULSE_MAX, SPIN_MAX],
  fix(joint: RevoluteJoint, { lower, upper, motorMax }: JointConstants): void {
    joint.m_lowerAngle = lower;
    joint.m_upperAngle = upper;
    joint.m_maxMotorTorque = motorMax;
  },
  read(joint: RevoluteJoint, into: Float64Array): void {
    readAnchors(joint, into);
    into[4] = joint.m_referenceAngle;
    readImpulse(joint.m_impulse, into, 5);
    into[8] = joint.m_motorImpulse;
    into[9] = joint.m_motorSpeed;
  },
  write(joint: RevoluteJoint, from: Float64Array): void {
    writeAnchors(joint, from);
    joint.m_referenceAngle = from[4]!;
    writeImpulse(joint.m_impulse, from, 5);
    joint.m_motorImpulse = from[8]!;
    joint.m_motorSpeed = from[9]!;
  },
  sound: () => true,
  impulse: ({ m_impulse: { x, y } }: RevoluteJoint): number => Math.sqrt(x * x + y * y),
  twist: (joint: RevoluteJoint): number => joint.m_impulse.z + joint.m_motorImpulse,
};

/** Components of its impulse: x across the axis, y against rotation, z along the axis at a limit. */
const PRISMATIC = {
  driven: true,
  referenceAt: 4,
  names: [...ANCHORS, "referenceAngle", "axis.x", "axis.y", ...IMPULSES, "motorImpulse", "motorSpeed"],
  maxima: [...ANCHOR_MAXIMA, REFERENCE_MAX, 1, 1, ...IMPULSE_MAXIMA, IMPULSE_MAX, SPEED_MAX],
  fix(joint: PrismaticJoint, { lower, upper, motorMax }: JointConstants): void {
    joint.m_lowerTranslation = lower;
    joint.m_upperTranslation = upper;
    joint.m_maxMotorForce = motorMax;
  },
  read(joint: PrismaticJoint, into: Float64Array): void {
    readAnchors(joint, into);
    into[4] = joint.m_referenceAngle;
    into[5] = joint.m_localXAxisA.x;
    into[6] = joint.m_localXAxisA.y;
    readImpulse(joint.m_impulse, into, 7);
    into[10] = joint.m_motorImpulse;
    into[11] = joint.m_motorSpeed;
  },
  write(joint: PrismaticJoint, from: Float64Array): void {
    writeAnchors(joint, from);
    joint.m_referenceAngle = from[4]!;
    joint.m_localXAxisA.x = joint.m_localYAxisA.y = from[5]!;
    joint.m_localXAxisA.y = from[6]!;
    joint.m_localYAxisA.x = -from[6]!;
    writeImpulse(joint.m_impulse, from, 7);
    joint.m_motorImpulse = from[10]!;
    joint.m_motorSpeed = from[11]!;
  },
  sound: (numbers: Float64Array) => Math.abs(numbers[5]! * numbers[5]! + numbers[6]! * numbers[6]! - 1) < 1e-6,
  impulse({ m_impulse: { x, z }, m_motorImpulse: motor }: PrismaticJoint): number {
    return Math.sqrt(x * x + (motor + z) * (motor + z));
  },
  twist: (joint: PrismaticJoint): number => joint.m_impulse.y,
};

const DISTANCE = {
  driven: false,
  referenceAt: -1,
  names: [...ANCHORS, "length", "impulse"],
  maxima: [...ANCHOR_MAXIMA, LENGTH_MAX, IMPULSE_MAX],
  fix: setSpring,
  read(joint: DistanceJoint, into: Float64Array): void {
    readAnchors(joint, into);
    into[4] = joint.m_length;
    into[5] = joint.m_impulse;
  },
  write(joint: DistanceJoint, from: Float64Array): void {
    writeAnchors(joint, from);
    joint.m_length = from[4]!;
    joint.m_impulse = from[5]!;
  },
  sound: (numbers: Float64Array) => numbers[4]! >= LENGTH_MIN,
  impulse: (joint: DistanceJoint): number => Math.abs(joint.m_impulse),
  twist: (): number => 0,
};

const ROPE = {
  driven: false,
  referenceAt: -1,
  names: DISTANCE.names,
  maxima: DISTANCE.maxima,
  fix: (): void => {},
  read(joint: RopeJoint, into: Float64Array): void {
    readAnchors(joint, into);
    into[4] = joint.m_maxLength;
    into[5] = joint.m_impulse;
  },
  write(joint: RopeJoint, from: Float64Array): void {
    writeAnchors(joint, from);
    joint.m_maxLength = from[4]!;
    joint.m_impulse = from[5]!;
  },
  sound: DISTANCE.sound,
  impulse: (joint: RopeJoint): number => Math.abs(joint.m_impulse),
  twist: (): number => 0,
};

const WELD = {
  driven: false,
  referenceAt: 4,
  names: [...ANCHORS, "referenceAngle", ...IMPULSES],
  maxima: [...ANCHOR_MAXIMA, REFERENCE_MAX, ...IMPULSE_MAXIMA],
  fix: setSpring,
  read(joint: WeldJoint, into: Float64Array): void {
    readAnchors(joint, into);
    into[4] = joint.m_referenceAngle;
    readImpulse(joint.m_impulse, into, 5);
  },
  write(joint: WeldJoint, from: Float64Array): void {
    writeAnchors(joint, from);
    joint.m_referenceAngle = from[4]!;
    writeImpulse(joint.m_impulse, from, 5);
  },
  sound: () => true,
  impulse: ({ m_impulse: { x, y } }: WeldJoint): number => Math.sqrt(x * x + y * y),
  twist: (joint: WeldJoint): number => joint.m_impulse.z,
};

/** The form of each supported type. */
export const JOINT_FORMS: Readonly<Record<JointType, JointForm>> = {
  revolute: REVOLUTE,
  prismatic: PRISMATIC,
  distance: DISTANCE,
  rope: ROPE,
  weld: WELD,
};

function setSpring(joint: SpringJoint, { frequencyHz, dampingRatio }: JointConstants): void {
  joint.m_frequencyHz = frequencyHz;
  joint.m_dampingRatio = dampingRatio;
}

function readAnchors({ m_localAnchorA: a, m_localAnchorB: b }: PlanckJoint, into: Float64Array): void {
  into[0] = a.x;
  into[1] = a.y;
  into[2] = b.x;
  into[3] = b.y;
}

function writeAnchors({ m_localAnchorA: a, m_localAnchorB: b }: PlanckJoint, from: Float64Array): void {
  a.x = from[0]!;
  a.y = from[1]!;
  b.x = from[2]!;
  b.y = from[3]!;
}

function readImpulse(impulse: Vector3, into: Float64Array, at: number): void {
  into[at] = impulse.x;
  into[at + 1] = impulse.y;
  into[at + 2] = impulse.z;
}

function writeImpulse(impulse: Vector3, from: Float64Array, at: number): void {
  impulse.x = from[at]!;
  impulse.y = from[at + 1]!;
  impulse.z = from[at + 2]!;
}
