/**
 * One joint on the stage, seen from two sides, as an entity is: `Joint` is the author's handle, with values to read and fields to
 * assign; `Bond` is the stage's own record behind it, with the planck joint.
 */
import type { BodyRecord, Entity } from "../stage/entity.ts";
import { createFields, type FieldValues } from "../core/fields.ts";
import type { BondKind } from "./compiled_joints.ts";
import { type DrivenJoint, NUMBERS_MAX } from "../planck/joint_planck.ts";
import type { PlanckBody, PlanckJoint, Vector } from "../planck/planck.ts";
import type { Fields, FieldSpec, JointKind } from "../core/types.ts";

/** Where a joint's numbers are read to for a moment. */
const scratch = new Float64Array(NUMBERS_MAX);

/** The stage's record of one joint. */
export class Bond {
  readonly id: number;
  readonly kind: BondKind;
  readonly a: BodyRecord;
  readonly b: BodyRecord;
  readonly planck: PlanckJoint;
  readonly fields: FieldValues;
  readonly joint: Joint;
  /** N: the most that it took in a world step of this tick so far, of a kind that breaks. Only `advance` uses it. */
  peak = 0;

  constructor(id: number, kind: BondKind, a: BodyRecord, b: BodyRecord, planck: PlanckJoint) {
    this.id = id;
    this.kind = kind;
    this.a = a;
    this.b = b;
    this.planck = planck;
    this.fields = createFields(kind.layout);
    this.joint = new Joint(this);
    planck.m_userData = this;
  }

  /** Of kinds that may have limits and a motor. */
  get driven(): DrivenJoint | undefined {
    return this.kind.form.driven ? this.planck as DrivenJoint : undefined;
  }

  /** N, of the last world step. */
  get force(): number {
    return this.kind.form.impulse(this.planck) / this.kind.stepS;
  }

  /** For errors: "joint 12 lever". */
  toString(): string {
    return `joint ${this.id} ${this.kind.definition.name}`;
  }
}

/** Whose planck joint it is. */
export function bondOf(planck: PlanckJoint): Bond {
  return planck.m_userData as Bond;
}

/**
 * One joint on the stage. A handle stays good while a joint of its id, kind and entities is there, also over a `load`, as
 * entities' do. Its values read the live bodies.
 */
export class Joint<Spec extends FieldSpec = FieldSpec> {
  readonly #bond: Bond;
  /** From the same counter as entities' ids. */
  readonly id: number;
  readonly kind: JointKind<Spec>;
  /** May be the ground. */
  readonly a: Entity;
  readonly b: Entity;
  /** The declared numbers; sealed. The author assigns freely, `close` checks. */
  readonly fields: Fields<Spec>;

  constructor(bond: Bond) {
    this.#bond = bond;
    this.id = bond.id;
    this.kind = bond.kind.definition;
    this.a = bond.a.entity;
    this.b = bond.b.entity;
    this.fields = bond.fields as Fields<Spec>;
  }

  /** N: how hard it pulled or pushed at its anchors in the last world step, >= 0. */
  get force(): number {
    return this.#bond.force;
  }

  /** N·m: how hard it turned b against a in the last world step, counter-clockwise positive; motors and limits included. */
  get torque(): number {
    return this.#bond.kind.form.twist(this.#bond.planck) / this.#bond.kind.stepS;
  }

  /** The anchor on a, in the world, metres. */
  get ax(): number {
    return worldX(this.#bond.a.body, this.#bond.planck.m_localAnchorA);
  }

  get ay(): number {
    return worldY(this.#bond.a.body, this.#bond.planck.m_localAnchorA);
  }

  /** The anchor on b, in the world, metres. */
  get bx(): number {
    return worldX(this.#bond.b.body, this.#bond.planck.m_localAnchorB);
  }

  get by(): number {
    return worldY(this.#bond.b.body, this.#bond.planck.m_localAnchorB);
  }

  /** Distance and rope: the length that it keeps, or at most has, metres. 0 for others. */
  get length(): number {
    return this.#number("length");
  }

  /** Radians that b has turned against a since the joint was made; 0 for distance and rope, which do not mind. */
  get angle(): number {
    const { a, b, kind } = this.#bond;
    if (kind.form.referenceAt < 0) return 0;
    return b.body.m_sweep.a - a.body.m_sweep.a - this.#number("referenceAngle");
  }

  /** Prismatic: metres that b's anchor has slid along the axis from a's. 0 for others. */
  get translation(): number {
    const { q } = this.#bond.a.body.m_xf, x = this.#number("axis.x"), y = this.#number("axis.y");
    return (this.bx - this.ax) * (q.c * x - q.s * y) + (this.by - this.ay) * (q.s * x + q.c * y);
  }

  /** Whether limits hold it now; never where its kind has none. */
  get limitOn(): boolean {
    return this.#bond.driven?.m_enableLimit ?? false;
  }

  /** Whether a motor drives it now; never where its kind has none. */
  get motorOn(): boolean {
    return this.#bond.driven?.m_enableMotor ?? false;
  }

  /** rad/s or m/s that the motor strives for; 0 where its kind has none. */
  get motorSpeed(): number {
    return this.#bond.driven?.m_motorSpeed ?? 0;
  }

  #number(name: string): number {
    const { form } = this.#bond.kind, place = form.names.indexOf(name);
    if (place < 0) return 0;
    form.read(this.#bond.planck, scratch);
    return scratch[place]!;
  }
}

function worldX({ m_xf: { p, q } }: PlanckBody, local: Vector): number {
  return p.x + (q.c * local.x - q.s * local.y);
}

function worldY({ m_xf: { p, q } }: PlanckBody, local: Vector): number {
  return p.y + (q.s * local.x + q.c * local.y);
}
