/**
 * One joint on the stage, in two views, like an entity. `Joint` is the author's handle: values to read and fields to
 * assign. `JointRecord` is the stage's own record behind it, with the planck joint.
 */
import type { BodyRecord, Entity } from "../stage/entity.ts";
import { createFields, type FieldValues } from "../core/fields.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
import { type DrivenJoint, NUMBERS_MAX } from "../planck/joint_planck.ts";
import type { PlanckBody, PlanckJoint, Vector } from "../planck/planck.ts";
import type { Fields, FieldSpec, JointDef } from "../core/types.ts";

/** The values of the joint that was read last. */
const scratchValues = new Float64Array(NUMBERS_MAX);

/** The stage's record of one joint. */
export class JointRecord {
  readonly id: number;
  readonly compiled: CompiledJoint;
  readonly a: BodyRecord;
  readonly b: BodyRecord;
  readonly planck: PlanckJoint;
  readonly fields: FieldValues;
  readonly joint: Joint;
  /** The largest force in a world step of this tick, N, if the joint can break. Only `advance` uses it. */
  peakForce = 0;

  constructor(id: number, compiled: CompiledJoint, a: BodyRecord, b: BodyRecord, planck: PlanckJoint) {
    this.id = id;
    this.compiled = compiled;
    this.a = a;
    this.b = b;
    this.planck = planck;
    this.fields = createFields(compiled.layout);
    this.joint = new Joint(this);
    planck.m_userData = this;
  }

  /** The planck joint, if its type may have limits and a motor. */
  get driven(): DrivenJoint | undefined {
    return this.compiled.form.driven ? this.planck as DrivenJoint : undefined;
  }

  /** The force in the last world step, N. */
  get force(): number {
    return this.compiled.form.impulse(this.planck) / this.compiled.stepS;
  }

  /** The name in errors: "joint 12 lever". */
  toString(): string {
    return `joint ${this.id} ${this.compiled.definition.name}`;
  }
}

/** The record that owns a planck joint. */
export function jointRecordOf(planck: PlanckJoint): JointRecord {
  return planck.m_userData as JointRecord;
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
    return this.#record.compiled.form.twist(this.#record.planck) / this.#record.compiled.stepS;
  }

  /** The anchor on a, in the frame of the stage, metres. */
  get ax(): number {
    return worldX(this.#record.a.body, this.#record.planck.m_localAnchorA);
  }

  get ay(): number {
    return worldY(this.#record.a.body, this.#record.planck.m_localAnchorA);
  }

  /** The anchor on b, in the frame of the stage, metres. */
  get bx(): number {
    return worldX(this.#record.b.body, this.#record.planck.m_localAnchorB);
  }

  get by(): number {
    return worldY(this.#record.b.body, this.#record.planck.m_localAnchorB);
  }

  /** The length of a distance joint or the maximum length of a rope, metres. 0 for other types. */
  get length(): number {
    return this.#value("length");
  }

  /** The angle by which b has turned against a since the joint was made, radians. 0 for distance and rope. */
  get angle(): number {
    const { a, b, compiled } = this.#record;
    if (compiled.form.referenceAt < 0) return 0;
    return b.body.m_sweep.a - a.body.m_sweep.a - this.#value("referenceAngle");
  }

  /** The distance by which b's anchor has slid along the axis from a's, metres. 0 for types other than prismatic. */
  get translation(): number {
    const { q } = this.#record.a.body.m_xf, x = this.#value("axis.x"), y = this.#value("axis.y");
    return (this.bx - this.ax) * (q.c * x - q.s * y) + (this.by - this.ay) * (q.s * x + q.c * y);
  }

  /** Whether its limits hold now. False for a definition without limits. */
  get isLimitEnabled(): boolean {
    return this.#record.driven?.m_enableLimit ?? false;
  }

  /** Whether its motor runs now. False for a definition without a motor. */
  get isMotorEnabled(): boolean {
    return this.#record.driven?.m_enableMotor ?? false;
  }

  /** The motor's target speed, rad/s or m/s. 0 for a definition without a motor. */
  get motorSpeed(): number {
    return this.#record.driven?.m_motorSpeed ?? 0;
  }

  #value(name: string): number {
    const { form } = this.#record.compiled, index = form.names.indexOf(name);
    if (index < 0) return 0;
    form.read(this.#record.planck, scratchValues);
    return scratchValues[index]!;
  }
}

function worldX({ m_xf: { p, q } }: PlanckBody, local: Vector): number {
  return p.x + (q.c * local.x - q.s * local.y);
}

function worldY({ m_xf: { p, q } }: PlanckBody, local: Vector): number {
  return p.y + (q.s * local.x + q.c * local.y);
}
