/** Joints of a stage as planck's, with the same anchors, limits, motors and springs. */
import * as planck from "planck";
import { mayTouch } from "../../../shared/physics/joints/compiled_joints.ts";
import type { JointRecord } from "../../../shared/physics/joints/joint.ts";
import { JointFlag, JointValue } from "../../../shared/physics/joints/joint_rows.ts";

type JointClass = new (settings: object) => planck.Joint;

const CLASSES = {
  revolute: planck.RevoluteJoint,
  prismatic: planck.PrismaticJoint,
  distance: planck.DistanceJoint,
  rope: planck.RopeJoint,
  weld: planck.WeldJoint,
  wheel: planck.WheelJoint,
  mouse: planck.MouseJoint,
  motor: planck.MotorJoint,
  friction: planck.FrictionJoint,
  pulley: planck.PulleyJoint,
  gear: planck.GearJoint,
  // planck has none: a rope that is never taut.
  filter: planck.RopeJoint,
} as unknown as Readonly<Record<JointRecord["compiled"]["definition"]["type"], JointClass>>;

/** Metres: longer than any two bodies are apart. */
const NEVER_TAUT = 1e6;

/**
 * planck's class of a joint. A distance joint whose limits alone hold it is a rope: planck has no
 * least length, and no springs of hinges and rails.
 */
function classOf({ compiled: { definition } }: JointRecord): JointClass {
  const isSlack = definition.type === "distance" && definition.limits !== undefined &&
    definition.spring === undefined;
  return isSlack ? CLASSES.rope : CLASSES[definition.type];
}

/** The greatest length of what is a rope in planck. */
function maxLengthOf({ compiled: { definition } }: JointRecord, length: number, upper: number) {
  if (definition.type === "filter") return NEVER_TAUT;
  return definition.type === "distance" ? upper : length;
}

/** One joint of the stage and its equal. */
interface JointPair {
  readonly record: JointRecord;
  readonly joint: planck.Joint;
  readonly bodyA: planck.Body;
  readonly bodyB: planck.Body;
  /** The settings that planck's has, as JSON. */
  settings: string;
}

/** The joints of one of planck's worlds. */
export class PlanckJoints {
  readonly #world: planck.World;
  readonly #bodyOf: (id: number) => planck.Body;
  /** By id, ascending, so that a gear comes after its joints. */
  readonly #pairs = new Map<number, JointPair>();

  /** @param bodyOf planck's body of an entity */
  constructor(world: planck.World, bodyOf: (id: number) => planck.Body) {
    this.#world = world;
    this.#bodyOf = bodyOf;
  }

  /**
   * Adds, changes and removes planck's joints as the rules have done with the stage's. Call it
   * while planck has all bodies, and before it loses some: with a body its joints go.
   * @param records all joints of the stage, ascending by id
   */
  follow(records: readonly JointRecord[]): void {
    const present = new Set(records);
    for (const [id, pair] of [...this.#pairs].reverse()) {
      if (!present.has(pair.record) || !this.#fits(pair)) this.#remove(id, pair);
    }

    for (const record of records) {
      const settings = settingsOf(record);
      const text = JSON.stringify(settings);
      const pair = this.#pairs.get(record.id);
      if (pair === undefined) this.#add(record, settings);
      else if (pair.settings !== text) this.#change(pair, settings);
    }
  }

  /** Whether the joint still holds the bodies of its entities, and a gear its joints. */
  #fits({ record: { a, b, geared }, bodyA, bodyB }: JointPair): boolean {
    return bodyA === this.#bodyOf(a.id) && bodyB === this.#bodyOf(b.id) &&
      (geared === undefined || geared.every(({ id }) => this.#fits(this.#pairs.get(id)!)));
  }

  #remove(id: number, { joint }: JointPair): void {
    this.#world.destroyJoint(joint);
    this.#pairs.delete(id);
  }

  #change(pair: JointPair, settings: object): void {
    const { record, joint, bodyA, bodyB } = pair;
    // planck computes a pulley's whole length once.
    if (joint instanceof planck.PulleyJoint) {
      this.#remove(record.id, pair);
      this.#add(record, settings);
      return;
    }

    joint._reset(settings);
    if (joint instanceof planck.MouseJoint) joint.setTarget(pointOf(record, "target"));
    bodyA.setAwake(true);
    bodyB.setAwake(true);
    pair.settings = JSON.stringify(settings);
  }

  #add(record: JointRecord, settings: object): void {
    const { id, compiled, a, b, geared } = record;
    const { type } = compiled.definition;
    const bodyA = this.#bodyOf(a.id);
    const bodyB = this.#bodyOf(b.id);
    const [joint1, joint2] = geared?.map(({ id }) => this.#pairs.get(id)!.joint) ?? [];
    // A mouse joint takes hold of the point of the body that is at its first target.
    const grip = type === "mouse" && { target: bodyB.getWorldPoint(pointOf(record, "anchorB")) };

    const joint = new (classOf(record))({
      bodyA,
      bodyB,
      collideConnected: mayTouch(compiled, a, b),
      joint1,
      joint2,
      ...settings,
      ...grip,
    });

    if (joint instanceof planck.MouseJoint) joint.setTarget(pointOf(record, "target"));
    // Without a spring planck 1.5.0 multiplies 0 by these, which it has not set: NaN.
    if (joint instanceof planck.WheelJoint) Object.assign(joint, { m_sAx: 0, m_sBx: 0 });
    this.#world.createJoint(joint);
    this.#pairs.set(id, { record, joint, bodyA, bodyB, settings: JSON.stringify(settings) });
  }
}

/** All that rules may change, and the anchors in the frames of both bodies. */
function settingsOf(record: JointRecord): object {
  const { rows: { values }, at } = record;
  const constant = (name: JointValue) => values[at + name]!;
  const limits = { lower: constant(JointValue.LOWER), upper: constant(JointValue.UPPER) };
  const strength = constant(JointValue.MOTOR_MAX);
  const ratio = constant(JointValue.RATIO);
  const length = valueOf(record, "length");

  return {
    localAnchorA: pointOf(record, "anchorA"),
    localAnchorB: pointOf(record, "anchorB"),
    localAxisA: pointOf(record, "axis"),
    referenceAngle: valueOf(record, "referenceAngle"),
    length,
    maxLength: maxLengthOf(record, length, limits.upper),
    // A pulley's length is a's side and `ratio` times b's; planck keeps their sum, too.
    lengthA: length,
    lengthB: 0,
    groundAnchorA: pointOf(record, "groundA"),
    groundAnchorB: pointOf(record, "groundB"),
    target: pointOf(record, "target"),
    linearOffset: pointOf(record, "anchorA"),
    angularOffset: valueOf(record, "referenceAngle"),
    enableLimit: record.has(JointFlag.LIMIT_ON),
    lowerAngle: limits.lower,
    upperAngle: limits.upper,
    lowerTranslation: limits.lower,
    upperTranslation: limits.upper,
    enableMotor: record.has(JointFlag.MOTOR_ON),
    motorSpeed: record.motorSpeed,
    maxMotorTorque: strength,
    maxMotorForce: strength,
    frequencyHz: constant(JointValue.FREQUENCY_HZ),
    dampingRatio: constant(JointValue.DAMPING_RATIO),
    maxForce: constant(JointValue.FORCE_MAX),
    maxTorque: constant(JointValue.TORQUE_MAX),
    ratio,
    correctionFactor: ratio,
  };
}

function pointOf(record: JointRecord, name: string): { x: number; y: number } {
  return { x: valueOf(record, `${name}.x`), y: valueOf(record, `${name}.y`) };
}

/** A lasting value of a joint; 0 for one that its type does not have. */
function valueOf({ compiled: { form }, rows: { values }, at }: JointRecord, name: string): number {
  const index = form.names.indexOf(name);
  return index < 0 ? 0 : values[at + index]!;
}
