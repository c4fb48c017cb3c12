/**
 * planck's own joints, for tests that compare the stage's solvers with them. `planckJointOf` makes
 * an equal of one of the stage's joints. `PlanckJoints` is a `JointSolver` for one of the stage's
 * worlds: planck's objects solve, on copies of their bodies' rows.
 */
import { planck } from "../geometry/planck_reference.ts";
import { Body, BodyFlag, BodyInt } from "../../../../shared/physics/core/body_rows.ts";
import { updateTransformAt, type Vector } from "../../../../shared/physics/core/body_transform.ts";
import type { JointSolver } from "../../../../shared/physics/dynamics/joint_solver.ts";
import type { World } from "../../../../shared/physics/dynamics/world.ts";
import { mayTouch } from "../../../../shared/physics/joints/compiled_joints.ts";
import type { JointRecord } from "../../../../shared/physics/joints/joint.ts";
import {
  JointFlag,
  JointInt,
  JointValue,
  LimitSide,
} from "../../../../shared/physics/joints/joint_rows.ts";

/** A body of planck's with the copies that planck's solver works on. */
export interface JoinedBody {
  readonly c_position: { readonly c: Vector; a: number };
  readonly c_velocity: { readonly v: Vector; w: number };
}

/** The hidden state of planck's joints, as far as the types have it. */
export interface MirrorJoint {
  /** Distance joints and ropes have a number. */
  m_impulse: { x: number; y: number; z: number } | number;
  /** Motor and friction joints have these two instead. */
  readonly m_linearImpulse?: Vector;
  m_angularImpulse?: number;
  m_motorImpulse: number;
  m_springImpulse?: number;
  m_localAnchorB: Vector;
  m_constant: number;
  m_limitState?: number;
  m_enableLimit: boolean;
  m_enableMotor: boolean;
  initVelocityConstraints(step: planck.TimeStep): void;
  solveVelocityConstraints(step: planck.TimeStep): void;
  solvePositionConstraints(step: planck.TimeStep): boolean;
}

/** The hidden state of planck's friction joint. */
interface HiddenFriction {
  readonly m_bodyA: JoinedBody;
  readonly m_bodyB: JoinedBody;
  readonly m_linearImpulse: Vector;
  readonly m_rA: Vector;
  readonly m_rB: Vector;
  readonly m_invMassA: number;
  readonly m_invMassB: number;
  readonly m_invIA: number;
  readonly m_invIB: number;
}

/**
 * planck 1.5.0 subtracts the linear impulse of a friction joint from itself, so it is never applied
 * within a step. This class applies it, as Box2D does.
 */
class Friction extends planck.FrictionJoint {
  override solveVelocityConstraints(step: planck.TimeStep): void {
    const joint = this as unknown as HiddenFriction;
    const { x, y } = joint.m_linearImpulse;
    super.solveVelocityConstraints(step);
    const dx = joint.m_linearImpulse.x - x, dy = joint.m_linearImpulse.y - y;
    const { m_rA: rA, m_rB: rB, m_bodyA: { c_velocity: a }, m_bodyB: { c_velocity: b } } = joint;
    a.v.x -= joint.m_invMassA * dx;
    a.v.y -= joint.m_invMassA * dy;
    a.w -= joint.m_invIA * (rA.x * dy - rA.y * dx);
    b.v.x += joint.m_invMassB * dx;
    b.v.y += joint.m_invMassB * dy;
    b.w += joint.m_invIB * (rB.x * dy - rB.y * dx);
  }
}

/** The hidden state of planck's pulley. */
interface HiddenPulley {
  readonly m_bodyA: JoinedBody;
  readonly m_bodyB: JoinedBody;
  readonly m_localAnchorA: Vector;
  readonly m_localAnchorB: Vector;
  readonly m_localCenterA: Vector;
  readonly m_localCenterB: Vector;
  m_rA: Vector;
  m_rB: Vector;
}

/**
 * planck 1.5.0 corrects positions with the arms of the step's beginning. This class has the present
 * ones, as Box2D.
 */
class Pulley extends planck.PulleyJoint {
  override solvePositionConstraints(step: planck.TimeStep): boolean {
    const joint = this as unknown as HiddenPulley;
    joint.m_rA = armOf(joint.m_bodyA, joint.m_localAnchorA, joint.m_localCenterA);
    joint.m_rB = armOf(joint.m_bodyB, joint.m_localAnchorB, joint.m_localCenterB);
    return super.solvePositionConstraints(step);
  }
}

function armOf({ c_position: { a } }: JoinedBody, anchor: Vector, center: Vector): Vector {
  return planck.Rot.mulVec2(planck.Rot.neo(a), planck.Vec2.sub(anchor, center));
}

const CLASSES = {
  revolute: planck.RevoluteJoint,
  prismatic: planck.PrismaticJoint,
  distance: planck.DistanceJoint,
  rope: planck.RopeJoint,
  weld: planck.WeldJoint,
  wheel: planck.WheelJoint,
  mouse: planck.MouseJoint,
  motor: planck.MotorJoint,
  friction: Friction,
  pulley: Pulley,
  gear: planck.GearJoint,
} as unknown as Readonly<Record<string, new (def: object) => object>>;

/**
 * @param geared planck's equals of the two joints of a gear
 * @returns planck's joint with the constants, lasting values and switches of the stage's
 */
export function planckJointOf(
  record: JointRecord,
  bodyA: JoinedBody,
  bodyB: JoinedBody,
  geared: readonly MirrorJoint[],
): MirrorJoint {
  const { compiled, at, rows, a, b } = record;
  const { form } = compiled;
  const value = (name: string) => rows.values[at + form.names.indexOf(name)] ?? 0;
  const point = (name: string) => ({ x: value(`${name}.x`), y: value(`${name}.y`) });
  const joint = new CLASSES[compiled.definition.type]!({
    bodyA,
    bodyB,
    collideConnected: mayTouch(compiled, a, b),
    localAnchorA: point("anchorA"),
    localAnchorB: point("anchorB"),
    linearOffset: point("anchorA"),
    angularOffset: value("referenceAngle"),
    target: point("target"),
    groundAnchorA: point("groundA"),
    groundAnchorB: point("groundB"),
    lengthA: 1,
    lengthB: 1,
    localAxisA: point("axis"),
    referenceAngle: value("referenceAngle"),
    length: value("length"),
    maxLength: value("length"),
    motorSpeed: value("motorSpeed"),
    enableLimit: record.has(JointFlag.LIMIT_ON),
    enableMotor: record.has(JointFlag.MOTOR_ON),
    joint1: geared[0],
    joint2: geared[1],
    ...constantsOf(rows.values.subarray(at)),
  }) as MirrorJoint;

  // planck's constructor scales the axis once more.
  if (joint instanceof planck.PrismaticJoint) {
    setAxis(joint as unknown as HiddenAxes, value("axis.x"), value("axis.y"));
  }

  // Without a spring planck computes 0 · undefined.
  if (joint instanceof planck.WheelJoint) Object.assign(joint, { m_sAx: 0, m_sBx: 0 });
  if (joint instanceof planck.MouseJoint) Object.assign(joint.m_localAnchorB, point("anchorB"));
  if (joint instanceof planck.PulleyJoint) joint.m_constant = value("length");
  if (joint instanceof planck.GearJoint) joint.m_constant = value("constant");
  setImpulses(joint, record, value);
  return joint;
}

function constantsOf(values: Float64Array): object {
  return {
    lowerAngle: values[JointValue.LOWER],
    upperAngle: values[JointValue.UPPER],
    lowerTranslation: values[JointValue.LOWER],
    upperTranslation: values[JointValue.UPPER],
    maxMotorTorque: values[JointValue.MOTOR_MAX],
    maxMotorForce: values[JointValue.MOTOR_MAX],
    frequencyHz: values[JointValue.FREQUENCY_HZ],
    dampingRatio: values[JointValue.DAMPING_RATIO],
    maxForce: values[JointValue.FORCE_MAX],
    maxTorque: values[JointValue.TORQUE_MAX],
    ratio: values[JointValue.RATIO],
    correctionFactor: values[JointValue.RATIO],
  };
}

function setImpulses(
  joint: MirrorJoint,
  record: JointRecord,
  value: (name: string) => number,
): void {
  const impulse = { x: value("impulse.x"), y: value("impulse.y"), z: value("impulse.z") };
  if (joint.m_linearImpulse !== undefined) {
    Object.assign(joint.m_linearImpulse, { x: impulse.x, y: impulse.y });
    joint.m_angularImpulse = impulse.z;
  } else if (typeof joint.m_impulse === "number") joint.m_impulse = value("impulse");
  else Object.assign(joint.m_impulse, impulse);
  if (joint.m_springImpulse !== undefined) joint.m_springImpulse = value("springImpulse");
  if (!record.compiled.form.driven) return;
  joint.m_motorImpulse = value("motorImpulse");
  const side = record.rows.ints[record.intsAt + JointInt.LIMIT_SIDE]!;
  joint.m_limitState = side === LimitSide.OFF ? LimitSide.FREE : side;
}

interface HiddenAxes {
  readonly m_localXAxisA: Vector;
  readonly m_localYAxisA: Vector;
}

function setAxis(
  { m_localXAxisA: axis, m_localYAxisA: perp }: HiddenAxes,
  x: number,
  y: number,
): void {
  axis.x = perp.y = x;
  axis.y = y;
  perp.x = -y;
}

/** A joint in one of the stage's worlds, and the rows of its bodies. */
interface JoinedRows {
  readonly joint: MirrorJoint;
  readonly a: number;
  readonly b: number;
  readonly collide: boolean;
}

/** Solves planck's joints in a world of the stage. */
export class PlanckJoints implements JointSolver {
  readonly #world: World;
  readonly #bodyOf: (row: number) => JoinedBody;
  readonly #step = new planck.TimeStep();
  /** planck's equal of each joint. */
  readonly #equals = new Map<JointRecord, MirrorJoint>();
  /** By row of a body: its joints, the newest first. */
  readonly #joined = new Map<number, JoinedRows[]>();
  /** The joints that are in an island of this world step. */
  readonly #collected = new Set<JoinedRows>();
  /** The joints of this island, and the rows of their bodies. */
  readonly #joints: JoinedRows[] = [];
  readonly #rows = new Set<number>();

  /** @param bodyOf planck's body of a row; the joints read only its mass and its centre of mass */
  constructor(world: World, bodyOf: (row: number) => JoinedBody) {
    this.#world = world;
    this.#bodyOf = bodyOf;
    const { stepS } = world;
    Object.assign(this.#step, { dt: stepS, inv_dt: 1 / stepS, dtRatio: 1, warmStarting: true });
    world.joints = this;
  }

  get count(): number {
    return this.#joints.length;
  }

  /** These worlds have one solver step. */
  keepImpulses(): void {}

  /** Adds an equal of a joint in another world with the same rows. @returns planck's */
  add(record: JointRecord): MirrorJoint {
    const { a: { row: a }, b: { row: b }, geared = [] } = record;
    const collide = mayTouch(record.compiled, record.a, record.b);
    const equals = geared.map((each) => this.#equals.get(each)!);
    const joint = planckJointOf(record, this.#bodyOf(a), this.#bodyOf(b), equals);
    const joined = { joint, a, b, collide };
    this.#equals.set(record, joint);
    for (const row of [a, b]) this.#joined.set(row, [joined, ...this.#joined.get(row) ?? []]);
    return joint;
  }

  beginStep(): void {
    this.#collected.clear();
  }

  beginIsland(): void {
    this.#joints.length = 0;
    this.#rows.clear();
  }

  collect(body: number, stack: number[], height: number): number {
    const { ints } = this.#world.bodies;
    for (const joined of this.#joined.get(body) ?? []) {
      if (this.#collected.has(joined)) continue;
      this.#collected.add(joined);
      this.#joints.push(joined);
      this.#rows.add(joined.a).add(joined.b);
      const other = joined.a === body ? joined.b : joined.a;
      if ((ints[other * BodyInt.STRIDE + BodyInt.FLAGS]! & BodyFlag.IN_ISLAND) !== 0) continue;
      ints[other * BodyInt.STRIDE + BodyInt.FLAGS]! |= BodyFlag.IN_ISLAND;
      stack[height++] = other;
    }
    return height;
  }

  prepare(): void {
    this.#solve((joint) => joint.initVelocityConstraints(this.#step));
  }

  solveVelocities(): void {
    this.#solve((joint) => joint.solveVelocityConstraints(this.#step));
  }

  solvePositions(): boolean {
    let isSolved = true;
    this.#solve((joint) => isSolved = joint.solvePositionConstraints(this.#step) && isSolved);
    return isSolved;
  }

  preventsContact(a: number, b: number): boolean {
    return (this.#joined.get(b) ?? []).some((joined) =>
      !joined.collide && (joined.a === a || joined.b === a)
    );
  }

  /** Copies the rows to planck's bodies, solves, and copies the results back. */
  #solve(solve: (joint: MirrorJoint) => void): void {
    const { values } = this.#world.bodies;
    for (const row of this.#rows) {
      const { c_position, c_velocity } = this.#bodyOf(row);
      const b = row * Body.STRIDE;
      Object.assign(c_position.c, { x: values[b + Body.CENTER_X], y: values[b + Body.CENTER_Y] });
      Object.assign(c_velocity.v, { x: values[b + Body.VX], y: values[b + Body.VY] });
      c_position.a = values[b + Body.ANGLE]!;
      c_velocity.w = values[b + Body.SPIN]!;
    }

    for (const { joint } of this.#joints) solve(joint);
    for (const row of this.#rows) {
      const { c_position: { c, a }, c_velocity: { v, w } } = this.#bodyOf(row);
      const b = row * Body.STRIDE;
      values[b + Body.CENTER_X] = c.x;
      values[b + Body.CENTER_Y] = c.y;
      values[b + Body.ANGLE] = a;
      values[b + Body.VX] = v.x;
      values[b + Body.VY] = v.y;
      values[b + Body.SPIN] = w;
      updateTransformAt(values, b);
    }
  }
}
