/**
 * One joint on the stage, seen from two sides, as an entity is: `Joint` is the author's handle, with values to read and fields to
 * assign; `JointRecord` is the stage's own record behind it, with the planck joint.
 */
import type { BodyRecord, Entity } from "../stage/entity.ts";
import { createFields, type FieldValues } from "../core/fields.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
import { type DrivenJoint, NUMBERS_MAX } from "../planck/joint_planck.ts";
import type { PlanckBody, PlanckJoint, Vector } from "../planck/planck.ts";
import type { Fields, FieldSpec, JointDef } from "../core/types.ts";

/** Where a joint's numbers are read to for a moment. */
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
  /** N: the most that it took in a world step of this tick so far, of a kind that breaks. Only `advance` uses it. */
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

  /** Of kinds that may have limits and a motor. */
  get driven(): DrivenJoint | undefined {
    return this.compiled.form.driven ? this.planck as DrivenJoint : undefined;
  }

  /** N, of the last world step. */
  get force(): number {
    return this.compiled.form.impulse(this.planck) / this.compiled.stepS;
  }

  /** For errors: "joint 12 lever". */
  toString(): string {
    return `joint ${this.id} ${this.compiled.definition.name}`;
  }
}

/** Whose planck joint it is. */
export function jointRecordOf(planck: PlanckJoint): JointRecord {
  return planck.m_userData as JointRecord;
}

/**
 * One joint on the stage. A handle stays good while a joint of its id, kind and entities is there, also over a `load`, as
 * entities' do. Its values read the live bodies.
 */
export class Joint<Spec extends FieldSpec = FieldSpec> {
  readonly #record: JointRecord;
  /** From the same counter as entities' ids. */
  readonly id: number;
  readonly definition: JointDef<Spec>;
  /** May be the ground. */
  readonly a: Entity;
  readonly b: Entity;
  /** The declared numbers; sealed. The author assigns freely, `endTick` checks. */
  readonly fields: Fields<Spec>;

  constructor(record: JointRecord) {
    this.#record = record;
    this.id = record.id;
    this.definition = record.compiled.definition;
    this.a = record.a.entity;
    this.b = record.b.entity;
    this.fields = record.fields as Fields<Spec>;
  }

  /** N: how hard it pulled or pushed at its anchors in the last world step, >= 0. */
  get force(): number {
    return this.#record.force;
  }

  /** N·m: how hard it turned b against a in the last world step, counter-clockwise positive; motors and limits included. */
  get torque(): number {
    return this.#record.compiled.form.twist(this.#record.planck) / this.#record.compiled.stepS;
  }

  /** The anchor on a, in the world, metres. */
  get ax(): number {
    return worldX(this.#record.a.body, this.#record.planck.m_localAnchorA);
  }

  get ay(): number {
    return worldY(this.#record.a.body, this.#record.planck.m_localAnchorA);
  }

  /** The anchor on b, in the world, metres. */
  get bx(): number {
    return worldX(this.#record.b.body, this.#record.planck.m_localAnchorB);
  }

  get by(): number {
    return worldY(this.#record.b.body, this.#record.planck.m_localAnchorB);
  }

  /** Distance and rope: the length that it keeps, or at most has, metres. 0 for others. */
  get length(): number {
    return this.#value("length");
  }

  /** Radians that b has turned against a since the joint was made; 0 for distance and rope, which ignore it. */
  get angle(): number {
    const { a, b, compiled } = this.#record;
    if (compiled.form.referenceAt < 0) return 0;
    return b.body.m_sweep.a - a.body.m_sweep.a - this.#value("referenceAngle");
  }

  /** Prismatic: metres that b's anchor has slid along the axis from a's. 0 for others. */
  get translation(): number {
    const { q } = this.#record.a.body.m_xf, x = this.#value("axis.x"), y = this.#value("axis.y");
    return (this.bx - this.ax) * (q.c * x - q.s * y) + (this.by - this.ay) * (q.s * x + q.c * y);
  }

  /** Whether limits hold it now; never where its kind has none. */
  get isLimitEnabled(): boolean {
    return this.#record.driven?.m_enableLimit ?? false;
  }

  /** Whether a motor drives it now; never where its kind has none. */
  get isMotorEnabled(): boolean {
    return this.#record.driven?.m_enableMotor ?? false;
  }

  /** rad/s or m/s that the motor strives for; 0 where its kind has none. */
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
