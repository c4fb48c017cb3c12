/**
 * One joint on the stage, in two views, like an entity. `Joint` is the author's handle: values to read and fields to
 * assign. `JointRecord` is the stage's own record behind it, with the number of the joint's row.
 */
import * as jointLayout from "./joint_rows.ts";
import { ANGLE, type BodyRow, COS, ORIGIN_X, ORIGIN_Y, SIN } from "../core/body_rows.ts";
import type { BodyRecord, Entity } from "../stage/entity.ts";
import { createFields, type FieldValues } from "../core/fields.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
import type { JointRows } from "./joint_rows.ts";
import type { Fields, FieldSpec, JointDef } from "../core/types.ts";

const { JOINT_VALUES, JOINT_INTS, JOINT_FLAGS, ANCHOR_AX, ANCHOR_BX } = jointLayout;
const { LIMIT_ON, MOTOR_ON } = jointLayout;

/** The stage's record of one joint. */
export class JointRecord {
  readonly id: number;
  readonly compiled: CompiledJoint;
  readonly a: BodyRecord;
  readonly b: BodyRecord;
  /** The rows of all joints, and the number of this one's. */
  readonly rows: JointRows;
  readonly row: number;
  readonly fields: FieldValues;
  readonly joint: Joint;
  /** The largest force in a world step of this tick, N, if the joint can break. Only `advance` uses it. */
  peakForce = 0;

  constructor(id: number, compiled: CompiledJoint, a: BodyRecord, b: BodyRecord, rows: JointRows) {
    this.id = id;
    this.compiled = compiled;
    this.a = a;
    this.b = b;
    this.rows = rows;
    this.row = rows.add(a.row, b.row);
    this.fields = createFields(compiled.layout);
    this.joint = new Joint(this);
  }

  /** Index of its first value in the rows' `values`. */
  get at(): number {
    return this.row * JOINT_VALUES;
  }

  /** Index of its first number in the rows' `ints`. */
  get intsAt(): number {
    return this.row * JOINT_INTS;
  }

  /** Whether a bit of its flags is set: `LIMIT_ON` or `MOTOR_ON`. */
  has(flag: number): boolean {
    return (this.rows.ints[this.intsAt + JOINT_FLAGS]! & flag) !== 0;
  }

  /** Sets or clears a bit of its flags. */
  setFlag(flag: number, on: boolean): void {
    const { ints } = this.rows, index = this.intsAt + JOINT_FLAGS;
    ints[index] = on ? ints[index]! | flag : ints[index]! & ~flag;
  }

  /** The motor's target speed, rad/s or m/s; 0 if its type has no motor. */
  get motorSpeed(): number {
    const { motorSpeedAt } = this.compiled.form;
    return motorSpeedAt < 0 ? 0 : this.rows.values[this.at + motorSpeedAt]!;
  }

  /** The force in the last world step, N. */
  get force(): number {
    return this.compiled.form.impulse(this.rows.values, this.at) / this.compiled.stepS;
  }

  /** The name in errors: "joint 12 lever". */
  toString(): string {
    return `joint ${this.id} ${this.compiled.definition.name}`;
  }
}

/**
 * One joint on the stage, as the game's author sees it. The values are live: they change with the stage.
 *
 * A handle stays valid as long as a joint of its id, definition and entities is on the stage, also across a `load`.
 */
export class Joint<Spec extends FieldSpec = FieldSpec> {
  readonly #record: JointRecord;
  /** Joints and entities share one counter of ids. */
  readonly id: number;
  readonly definition: JointDef<Spec>;
  /** The two entities; one may be the ground. */
  readonly a: Entity;
  readonly b: Entity;
  /** The declared fields, sealed. The author assigns freely; `endTick` checks and rounds them. */
  readonly fields: Fields<Spec>;

  constructor(record: JointRecord) {
    this.#record = record;
    this.id = record.id;
    this.definition = record.compiled.definition;
    this.a = record.a.entity;
    this.b = record.b.entity;
    this.fields = record.fields as Fields<Spec>;
  }

  /** The force at the anchors in the last world step, N, >= 0. */
  get force(): number {
    return this.#record.force;
  }

  /**
   * The torque of a on b in the last world step, N·m, counter-clockwise positive; motors and limits included. 0 for
   * distance and rope.
   */
  get torque(): number {
    const { compiled: { form, stepS }, rows, at } = this.#record;
    return form.twist(rows.values, at) / stepS;
  }

  /** The anchor on a, in the frame of the stage, metres. */
  get ax(): number {
    return worldX(this.#record.a, this.#record.rows.values, this.#record.at + ANCHOR_AX);
  }

  get ay(): number {
    return worldY(this.#record.a, this.#record.rows.values, this.#record.at + ANCHOR_AX);
  }

  /** The anchor on b, in the frame of the stage, metres. */
  get bx(): number {
    return worldX(this.#record.b, this.#record.rows.values, this.#record.at + ANCHOR_BX);
  }

  get by(): number {
    return worldY(this.#record.b, this.#record.rows.values, this.#record.at + ANCHOR_BX);
  }

  /** The length of a distance joint or the maximum length of a rope, metres. 0 for other types. */
  get length(): number {
    return this.#value("length");
  }

  /** The angle by which b has turned against a since the joint was made, radians. 0 for distance and rope. */
  get angle(): number {
    const { a, b, compiled } = this.#record;
    if (compiled.form.referenceAt < 0) return 0;
    return angleOf(b) - angleOf(a) - this.#value("referenceAngle");
  }

  /** The distance by which b's anchor has slid along the axis from a's, metres. 0 for types other than prismatic. */
  get translation(): number {
    const { values, offset } = this.#record.a, c = values[offset + COS]!, s = values[offset + SIN]!;
    const x = this.#value("axis.x"), y = this.#value("axis.y");
    return (this.bx - this.ax) * (c * x - s * y) + (this.by - this.ay) * (s * x + c * y);
  }

  /** Whether its limits hold now. False for a definition without limits. */
  get isLimitEnabled(): boolean {
    return this.#record.has(LIMIT_ON);
  }

  /** Whether its motor runs now. False for a definition without a motor. */
  get isMotorEnabled(): boolean {
    return this.#record.has(MOTOR_ON);
  }

  /** The motor's target speed, rad/s or m/s. 0 for a definition without a motor. */
  get motorSpeed(): number {
    return this.#record.motorSpeed;
  }

  #value(name: string): number {
    const { compiled: { form }, rows, at } = this.#record, index = form.names.indexOf(name);
    return index < 0 ? 0 : rows.values[at + index]!;
  }
}

function angleOf({ values, offset }: BodyRow): number {
  return values[offset + ANGLE]!;
}

/** @param local of the joints' values, with the point in the body's frame at `at` */
function worldX({ values, offset }: BodyRow, local: Float64Array, at: number): number {
  return values[offset + ORIGIN_X]! + (values[offset + COS]! * local[at]! - values[offset + SIN]! * local[at + 1]!);
}

function worldY({ values, offset }: BodyRow, local: Float64Array, at: number): number {
  return values[offset + ORIGIN_Y]! + (values[offset + SIN]! * local[at]! + values[offset + COS]! * local[at + 1]!);
}
