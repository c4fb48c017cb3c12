/** A joint as a plain object, for debuggers and tests. */
import type { JointType } from "../core/types.ts";
import type { Entity } from "../stage/entity.ts";
import type { JointRecord } from "./joint.ts";
import { JointFlag, JointInt } from "./joint_rows.ts";

/** Which entity something refers to. */
export interface EntityName {
  /** Its number; 0 for the ground. */
  readonly id: number;
  /** The name of its archetype; "ground" for the ground. */
  readonly archetype: string;
}

/** A joint as a plain object: `Joint` has the units, and what a type does not have is 0. */
export interface JointDescription {
  /** Its number. */
  readonly id: number;
  /** The name of its definition. */
  readonly definition: string;
  readonly type: JointType;
  /** The entities that it holds. */
  readonly a: EntityName;
  readonly b: EntityName;
  /** Whether a and b may touch each other. */
  readonly collide: boolean;
  /** The anchors in the world, metres. */
  readonly anchorA: { readonly x: number; readonly y: number };
  readonly anchorB: { readonly x: number; readonly y: number };
  /** N, of the last world step. */
  readonly force: number;
  /** N·m, of the last world step. */
  readonly torque: number;
  /** N; null if no force breaks it. */
  readonly breakForce: number | null;
  /** N·m; null if no torque breaks it. */
  readonly breakTorque: number | null;
  /** By which b has turned against a, radians. */
  readonly angle: number;
  /** By which b has slid along the axis, metres. */
  readonly translation: number;
  /** Metres, of a distance joint, a pulley or a rope. */
  readonly length: number;
  /** The points over which a pulley's rope runs, metres. */
  readonly groundA: { readonly x: number; readonly y: number };
  /** The one on b's side. */
  readonly groundB: { readonly x: number; readonly y: number };
  /** Whether the limits hold. */
  readonly limit: boolean;
  /** The limits, radians or metres. */
  readonly lower: number;
  /** The same. */
  readonly upper: number;
  /** Whether the motor runs. */
  readonly motor: boolean;
  /** rad/s or m/s. */
  readonly motorSpeed: number;
  /** N·m or N. */
  readonly motorMax: number;
  /** The spring. */
  readonly frequencyHz: number;
  /** A ratio. */
  readonly dampingRatio: number;
  /** N, of a mouse, motor or friction joint. */
  readonly forceMax: number;
  /** N·m, of a motor or friction joint. */
  readonly torqueMax: number;
  /** Of a gear or a pulley, or the correction factor of a motor joint. */
  readonly ratio: number;
  /** The ids of the two joints that a gear couples; none of any other type. */
  readonly geared: readonly number[];
  /** The declared fields. */
  readonly fields: Readonly<Record<string, number>>;
}

/** A function of the state. */
export function describeJoint({ compiled, joint, rows, intsAt }: JointRecord): JointDescription {
  const { name, type } = joint.definition;
  return {
    id: joint.id,
    definition: name,
    type,
    a: nameOf(joint.a),
    b: nameOf(joint.b),
    collide: (rows.ints[intsAt + JointInt.FLAGS]! & JointFlag.COLLIDES) !== 0,
    anchorA: { x: joint.ax, y: joint.ay },
    anchorB: { x: joint.bx, y: joint.by },
    force: joint.force,
    torque: joint.torque,
    breakForce: finiteOrNull(compiled.breakForce),
    breakTorque: finiteOrNull(compiled.breakTorque),
    angle: joint.angle,
    translation: joint.translation,
    length: joint.length,
    groundA: joint.groundA,
    groundB: joint.groundB,
    limit: joint.isLimitEnabled,
    lower: joint.lower,
    upper: joint.upper,
    motor: joint.isMotorEnabled,
    motorSpeed: joint.motorSpeed,
    motorMax: joint.motorMax,
    frequencyHz: joint.frequencyHz,
    dampingRatio: joint.dampingRatio,
    forceMax: joint.forceMax,
    torqueMax: joint.torqueMax,
    ratio: joint.ratio,
    geared: (joint.joints ?? []).map(({ id }) => id),
    fields: { ...joint.fields },
  };
}

function finiteOrNull(value: number): number | null {
  return value < Infinity ? value : null;
}

function nameOf({ id, archetype: { name } }: Entity): EntityName {
  return { id, archetype: name };
}
