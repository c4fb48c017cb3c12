/**
 * One joint on the stage, in two views, like an entity. `Joint` is the author's handle: values to
 * read and fields to assign. `JointRecord` is the stage's own record behind it, with the number of
 * the joint's row.
 */
import { JointFlag, JointInt, type JointRows, JointValue } from "./joint_rows.ts";
import { Body, type BodyRow } from "../core/body_rows.ts";
import type { BodyRecord, Entity } from "../stage/entity.ts";
import { createFields, type FieldValues } from "../core/fields.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
import type { Fields, FieldSpec, JointDef } from "../core/types.ts";

/** The two joints that a gear couples. */
export type GearedJoints = readonly [first: JointRecord, second: JointRecord];

/** All that a joint holds. */
export interface JointEnds {
  readonly a: BodyRecord;
  readonly b: BodyRecord;
  readonly geared?: GearedJoints | undefined;
}

/** The stage's record of one joint. */
export class JointRecord {
  readonly id: number;
  readonly compiled: CompiledJoint;
  /** The entity at an end may become one of another archetype, which is another record. */
  a: BodyRecord;
  b: BodyRecord;
  /** The rows of all joints, and the number of this one's. */
  readonly rows: JointRows;
  readonly row: number;
  /** Undefined for a joint that is not a gear. */
  readonly geared: GearedJoints | undefined;
  readonly fields: FieldValues;
  readonly joint: Joint;
  /**
   * The largest force in a world step of this tick, N, if the joint can break. Only `advance` uses
   * it.
   */
  peakForce = 0;
  /** The same for the torque, N·m. */
  peakTorque = 0;

  constructor(
    id: number,
    compiled: CompiledJoint,
    { a, b, geared }: JointEnds,
    rows: JointRows,
  ) {
    this.id = id;
    this.compiled = compiled;
    this.a = a;
    this.b = b;
    this.geared = geared;
    this.rows = rows;
    this.row = rows.add(a.row, b.row);
    this.fields = createFields(compiled.layout);
    this.joint = new Joint(this);
  }

  /** Index of its first value in the rows' `values`. */
  get at(): number {
    return this.row * JointValue.STRIDE;
  }

  /** Index of its first number in the rows' `ints`. */
  get intsAt(): number {
    return this.row * JointInt.STRIDE;
  }

  /** Whether a bit of its flags is set: `JointFlag.LIMIT_ON` or `JointFlag.MOTOR_ON`. */
  has(flag: number): boolean {
    return (this.rows.ints[this.intsAt + JointInt.FLAGS]! & flag) !== 0;
  }

  /** Sets or clears a bit of its flags. */
  setFlag(flag: number, on: boolean): void {
    const { ints } = this.rows;
    const index = this.intsAt + JointInt.FLAGS;
    ints[index] = on ? ints[index]! | flag : ints[index]! & ~flag;
  }

  /** The motor's target speed, rad/s or m/s; 0 if its type has no motor. */
  get motorSpeed(): number {
    const { motorSpeedAt } = this.compiled.form;
    return motorSpeedAt < 0 ? 0 : this.rows.values[this.at + motorSpeedAt]!;
  }

  /** The force in the last solver step, N. */
  get force(): number {
    return this.compiled.form.impulse(this.rows.values, this.at) / this.compiled.stepS;
  }

  /** The torque of a on b in the last solver step, N·m. */
  get torque(): number {
    return this.compiled.form.twist(this.rows.values, this.at) / this.compiled.stepS;
  }

  /** The name in errors: "joint 12 lever". */
  toString(): string {
    return `joint ${this.id} ${this.compiled.definition.name}`;
  }
}

/**
 * One joint on the stage, as the game's author sees it. The values are live: they change with the
 * stage.
 *
 * A handle stays valid as long as a joint of its id, definition and entities is on the stage, also
 * across a `load` and if one of the entities becomes another archetype.
 */
export class Joint<Spec extends FieldSpec = FieldSpec> {
  readonly #record: JointRecord;
  /** Joints and entities share one counter of ids. */
  readonly id: number;
  readonly definition: JointDef<Spec>;
  /** The declared fields, sealed. The author assigns freely; `endTick` checks and rounds them. */
  readonly fields: Fields<Spec>;

  constructor(record: JointRecord) {
    this.#record = record;
    this.id = record.id;
    this.definition = record.compiled.definition;
    this.fields = record.fields as Fields<Spec>;
  }

  /** The two entities; one may be the ground. */
  get a(): Entity {
    return this.#record.a.entity;
  }

  get b(): Entity {
    return this.#record.b.entity;
  }

  /**
   * The force at the anchors in the last world step, N, >= 0. Of a gear: on its first joint, which
   * is N·m if that is revolute.
   */
  get force(): number {
    return this.#record.force;
  }

  /**
   * The torque of a on b in the last solver step, N·m, counter-clockwise positive; motors, limits and
   * springs included. 0 for distance, rope, pulley, mouse and filter. A gear has its force here with
   * its sign.
   */
  get torque(): number {
    return this.#record.torque;
  }

  /**
   * The anchor on a, in the frame of the stage, metres. The target of a mouse joint. Of a gear the
   * anchor on the b of its first joint.
   */
  get ax(): number {
    const { geared, a, rows: { values }, at } = this.#record;
    if (geared !== undefined) return geared[0].joint.bx;
    return this.#hasTarget
      ? values[at + JointValue.ANCHOR_AX]!
      : worldX(a, values, at + JointValue.ANCHOR_AX);
  }

  get ay(): number {
    const { geared, a, rows: { values }, at } = this.#record;
    if (geared !== undefined) return geared[0].joint.by;
    return this.#hasTarget
      ? values[at + JointValue.ANCHOR_AY]!
      : worldY(a, values, at + JointValue.ANCHOR_AX);
  }

  /**
   * The anchor on b, in the frame of the stage, metres. Of a gear that on the b of its second
   * joint.
   */
  get bx(): number {
    const { geared, b, rows, at } = this.#record;
    return geared !== undefined
      ? geared[1].joint.bx
      : worldX(b, rows.values, at + JointValue.ANCHOR_BX);
  }

  get by(): number {
    const { geared, b, rows, at } = this.#record;
    return geared !== undefined
      ? geared[1].joint.by
      : worldY(b, rows.values, at + JointValue.ANCHOR_BX);
  }

  /**
   * The length of a distance joint or of a pulley, or the maximum length of a rope, metres. 0 for
   * other types.
   */
  get length(): number {
    return this.#value("length");
  }

  /**
   * The points over which a pulley's rope runs, on a's side and on b's, metres. 0 for other types.
   */
  get groundA(): { readonly x: number; readonly y: number } {
    return { x: this.#value("groundA.x"), y: this.#value("groundA.y") };
  }

  get groundB(): { readonly x: number; readonly y: number } {
    return { x: this.#value("groundB.x"), y: this.#value("groundB.y") };
  }

  /** The two joints that a gear couples; undefined for other types. */
  get joints(): readonly [first: Joint, second: Joint] | undefined {
    const { geared } = this.#record;
    return geared && [geared[0].joint, geared[1].joint];
  }

  /**
   * The angle by which b has turned against a since the joint was made, radians; beyond its
   * reference for a motor joint. 0 for distance, rope, wheel, mouse, friction, pulley and gear.
   */
  get angle(): number {
    const { a, b, compiled } = this.#record;
    if (compiled.form.referenceAt < 0) return 0;
    return angleOf(b) - angleOf(a) - this.#value("referenceAngle");
  }

  /**
   * The distance by which b's anchor has slid along the axis from a's, metres. 0 but for prismatic
   * and wheel.
   */
  get translation(): number {
    const { values, offset } = this.#record.a;
    const c = values[offset + Body.COS]!;
    const s = values[offset + Body.SIN]!;
    const x = this.#value("axis.x"), y = this.#value("axis.y");
    return (this.bx - this.ax) * (c * x - s * y) + (this.by - this.ay) * (s * x + c * y);
  }

  /** The limits as they are now, radians or metres. 0 for a definition without limits. */
  get lower(): number {
    return this.#constant(JointValue.LOWER);
  }

  get upper(): number {
    return this.#constant(JointValue.UPPER);
  }

  /** The spring as it is now: Hz, and a ratio. 0 for a definition without a spring. */
  get frequencyHz(): number {
    return this.#constant(JointValue.FREQUENCY_HZ);
  }

  get dampingRatio(): number {
    return this.#constant(JointValue.DAMPING_RATIO);
  }

  /** The largest force of a mouse, motor or friction joint, N. 0 for other types. */
  get forceMax(): number {
    return this.#constant(JointValue.FORCE_MAX);
  }

  /** The largest torque of a motor or friction joint, N·m. 0 for other types. */
  get torqueMax(): number {
    return this.#constant(JointValue.TORQUE_MAX);
  }

  /**
   * The largest torque or force of the motor of a revolute, prismatic or wheel joint, N·m or N. 0
   * without a motor.
   */
  get motorMax(): number {
    return this.#constant(JointValue.MOTOR_MAX);
  }

  /**
   * The ratio of a gear or a pulley, or the correction factor of a motor joint. 0 for other types.
   */
  get ratio(): number {
    return this.#constant(JointValue.RATIO);
  }

  /** Whether its limits hold now. False for a definition without limits. */
  get isLimitEnabled(): boolean {
    return this.#record.has(JointFlag.LIMIT_ON);
  }

  /** Whether its motor runs now. False for a definition without a motor. */
  get isMotorEnabled(): boolean {
    return this.#record.has(JointFlag.MOTOR_ON);
  }

  /** The motor's target speed, rad/s or m/s. 0 for a definition without a motor. */
  get motorSpeed(): number {
    return this.#record.motorSpeed;
  }

  get #hasTarget(): boolean {
    return this.#record.compiled.form.names[0] === "target.x";
  }

  #constant(at: number): number {
    return this.#record.rows.values[this.#record.at + at]!;
  }

  #value(name: string): number {
    const { compiled: { form }, rows, at } = this.#record;
    const index = form.names.indexOf(name);
    return index < 0 ? 0 : rows.values[at + index]!;
  }
}

function angleOf({ values, offset }: BodyRow): number {
  return values[offset + Body.ANGLE]!;
}

/** @param local of the joints' values, with the point in the body's frame at `at` */
function worldX({ values, offset }: BodyRow, local: Float64Array, at: number): number {
  return values[offset + Body.ORIGIN_X]! +
    (values[offset + Body.COS]! * local[at]! - values[offset + Body.SIN]! * local[at + 1]!);
}

function worldY({ values, offset }: BodyRow, local: Float64Array, at: number): number {
  return values[offset + Body.ORIGIN_Y]! +
    (values[offset + Body.SIN]! * local[at]! + values[offset + Body.COS]! * local[at + 1]!);
}
