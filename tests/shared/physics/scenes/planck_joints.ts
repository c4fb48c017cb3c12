/**
 * planck's own joints, for tests that compare the stage's solvers with them. `planckJointOf` makes an equal of one of
 * the stage's joints. `PlanckJoints` is a `JointSolver` for one of the stage's worlds: planck's objects solve, on copies
 * of their bodies' rows.
 */
import { planck } from "../geometry/planck_reference.ts";
import * as bodyLayout from "../../../../shared/physics/core/body_rows.ts";
import { updateTransformAt, type Vector } from "../../../../shared/physics/core/body_transform.ts";
import type { JointSolver } from "../../../../shared/physics/dynamics/joint_solver.ts";
import type { World } from "../../../../shared/physics/dynamics/world.ts";
import type { JointRecord } from "../../../../shared/physics/joints/joint.ts";
import { LIMIT_ON, LIMIT_SIDE, MOTOR_ON } from "../../../../shared/physics/joints/joint_rows.ts";

const { VX, VY, SPIN, CENTER_X, CENTER_Y, ANGLE, BODY_STRIDE, BODY_INTS, BODY_FLAGS, IN_ISLAND } = bodyLayout;

/** A body of planck's with the copies that planck's solver works on. */
export interface JoinedBody {
  readonly c_position: { readonly c: Vector; a: number };
  readonly c_velocity: { readonly v: Vector; w: number };
}

/** The hidden state of planck's joints, as far as the types have it. */
export interface MirrorJoint {
  /** Distance joints and ropes have a number. */
  m_impulse: { x: number; y: number; z: number } | number;
  m_motorImpulse: number;
  m_limitState?: number;
  m_enableLimit: boolean;
  m_enableMotor: boolean;
  initVelocityConstraints(step: planck.TimeStep): void;
  solveVelocityConstraints(step: planck.TimeStep): void;
  solvePositionConstraints(step: planck.TimeStep): boolean;
}

const CLASSES = {
  revolute: planck.RevoluteJoint,
  prismatic: planck.PrismaticJoint,
  distance: planck.DistanceJoint,
  rope: planck.RopeJoint,
  weld: planck.WeldJoint,
} as unknown as Readonly<Record<string, new (def: object) => object>>;

/** @returns planck's joint with the constants, lasting values and switches of the stage's */
export function planckJointOf(record: JointRecord, bodyA: JoinedBody, bodyB: JoinedBody): MirrorJoint {
  const { compiled, at, intsAt, rows } = record;
  const { lower, upper, motorMax, frequencyHz, dampingRatio, collide, form } = compiled;
  const value = (name: string) => rows.values[at + form.names.indexOf(name)] ?? 0;
  const joint = new CLASSES[compiled.definition.type]!({
    bodyA,
    bodyB,
    collideConnected: collide,
    localAnchorA: { x: value("anchorA.x"), y: value("anchorA.y") },
    localAnchorB: { x: value("anchorB.x"), y: value("anchorB.y") },
    localAxisA: { x: value("axis.x"), y: value("axis.y") },
    referenceAngle: value("referenceAngle"),
    length: value("length"),
    maxLength: value("length"),
    motorSpeed: value("motorSpeed"),
    enableLimit: record.has(LIMIT_ON),
    enableMotor: record.has(MOTOR_ON),
    lowerAngle: lower,
    upperAngle: upper,
    lowerTranslation: lower,
    upperTranslation: upper,
    maxMotorTorque: motorMax,
    maxMotorForce: motorMax,
    frequencyHz,
    dampingRatio,
  }) as MirrorJoint;
  // planck's constructor scales the axis once more.
  if (joint instanceof planck.PrismaticJoint) {
    setAxis(joint as unknown as HiddenAxes, value("axis.x"), value("axis.y"));
  }
  if (typeof joint.m_impulse === "number") joint.m_impulse = value("impulse");
  else Object.assign(joint.m_impulse, { x: value("impulse.x"), y: value("impulse.y"), z: value("impulse.z") });
  if (!form.driven) return joint;
  joint.m_motorImpulse = value("motorImpulse");
  joint.m_limitState = rows.ints[intsAt + LIMIT_SIDE]!;
  return joint;
}

interface HiddenAxes {
  readonly m_localXAxisA: Vector;
  readonly m_localYAxisA: Vector;
}

function setAxis({ m_localXAxisA: axis, m_localYAxisA: perp }: HiddenAxes, x: number, y: number): void {
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

  /** Adds an equal of a joint in another world with the same rows. @returns planck's */
  add(record: JointRecord): MirrorJoint {
    const { a: { row: a }, b: { row: b }, compiled: { collide } } = record;
    const joint = planckJointOf(record, this.#bodyOf(a), this.#bodyOf(b)), joined = { joint, a, b, collide };
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
      if ((ints[other * BODY_INTS + BODY_FLAGS]! & IN_ISLAND) !== 0) continue;
      ints[other * BODY_INTS + BODY_FLAGS]! |= IN_ISLAND;
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
    return (this.#joined.get(b) ?? []).some((joined) => !joined.collide && (joined.a === a || joined.b === a));
  }

  /** Copies the rows to planck's bodies, solves, and copies the results back. */
  #solve(solve: (joint: MirrorJoint) => void): void {
    const { values } = this.#world.bodies;
    for (const row of this.#rows) {
      const { c_position, c_velocity } = this.#bodyOf(row), b = row * BODY_STRIDE;
      Object.assign(c_position.c, { x: values[b + CENTER_X], y: values[b + CENTER_Y] });
      Object.assign(c_velocity.v, { x: values[b + VX], y: values[b + VY] });
      c_position.a = values[b + ANGLE]!;
      c_velocity.w = values[b + SPIN]!;
    }
    for (const { joint } of this.#joints) solve(joint);
    for (const row of this.#rows) {
      const { c_position: { c, a }, c_velocity: { v, w } } = this.#bodyOf(row), b = row * BODY_STRIDE;
      values[b + CENTER_X] = c.x;
      values[b + CENTER_Y] = c.y;
      values[b + ANGLE] = a;
      values[b + VX] = v.x;
      values[b + VY] = v.y;
      values[b + SPIN] = w;
      updateTransformAt(values, b);
    }
  }
}
