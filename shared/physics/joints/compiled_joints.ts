/**
 * A stage's joint definitions, checked once and compiled to the form that the stage uses. A compiled joint has an
 * index, the layout of its fields and the constants of its rows. The stage refuses the types of planck's joints that it
 * does not have.
 */
import { type FieldLayout, layoutOf } from "../core/fields.ts";
import { JOINT_FORMS } from "./joint_forms.ts";
import { type JointForm, LENGTH_MAX } from "./joint_form.ts";
import { ANGLE_MAX, SPEED_MAX, SPIN_MAX } from "../core/limits.ts";
import { ANGULAR_SLOP, LINEAR_SLOP } from "../core/tuning.ts";
import { type JointDef, type JointLimits, type JointSpring, type StageDef, StageError } from "../core/types.ts";

/** A definition's index fits a byte. */
const JOINT_KINDS_MAX = 255;
/** N or N·m: a thousand tonnes at 100 times gravity. A larger number is a mistake. */
const FORCE_MAX = 1e9;
/** The solvers treat limits that are closer as equal, as planck does. Radians and metres. */
const EQUAL_ANGLES = 2 * ANGULAR_SLOP;
const EQUAL_TRANSLATIONS = 2 * LINEAR_SLOP;
/** A spring with more damping only creeps. */
const DAMPING_RATIO_MAX = 10;

/** A joint definition, ready for use. */
export interface CompiledJoint {
  /** Position in the declaration. */
  readonly index: number;
  // deno-lint-ignore no-explicit-any
  readonly definition: JointDef<any>;
  readonly form: JointForm;
  readonly layout: FieldLayout;
  readonly hasLimits: boolean;
  /** Radians or metres; 0 without limits. */
  readonly lower: number;
  readonly upper: number;
  /** Whether the limits are so close that the solver treats them as equal. */
  readonly limitsEqual: boolean;
  readonly hasMotor: boolean;
  /** The declared speed, rad/s or m/s. */
  readonly motorSpeed: number;
  /** The largest torque or force of the motor, N·m or N; 0 without a motor. */
  readonly motorMax: number;
  /** The largest speed that a motor may be set to, in either direction. */
  readonly motorSpeedMax: number;
  /** The spring; 0 without one. */
  readonly frequencyHz: number;
  readonly dampingRatio: number;
  /** Whether the two bodies may touch each other. */
  readonly collide: boolean;
  /** N; infinite for a joint that never breaks. */
  readonly breakForce: number;
  /** Length of a world step, seconds: force = impulse / stepS. */
  readonly stepS: number;
}

/** @throws StageError for a definition that is wrong; the message names the joint and the part */
export function compileJoints(def: StageDef): readonly CompiledJoint[] {
  const joints = def.joints ?? [];
  if (joints.length > JOINT_KINDS_MAX) throw new StageError(`more than ${JOINT_KINDS_MAX} kinds of joints`);
  if (new Set(joints.map(({ name }) => name)).size !== joints.length) {
    throw new StageError("two kinds of joints have one name");
  }
  return joints.map((joint, index) => compileJoint(joint, index, 1 / (def.tickHz * def.substeps)));
}

function compileJoint(definition: JointDef, index: number, stepS: number): CompiledJoint {
  const { name, type, collide = false, breakForce = Infinity } = definition;
  const form = Object.hasOwn(JOINT_FORMS, type) ? JOINT_FORMS[type] : undefined;
  if (form === undefined) {
    const supported = Object.keys(JOINT_FORMS).join(", ");
    throw new StageError(`joint ${name} is of type "${type}", which is not supported; supported are ${supported}`);
  }
  if (breakForce !== Infinity) checkWithin(breakForce, FORCE_MAX, `${name}.breakForce`);
  if (!(breakForce > 0)) throw new StageError(`joint ${name}.breakForce is ${breakForce}; more than 0 is allowed`);
  const { limits, motor, spring } = checkedParts(definition);
  const isAngular = type === "revolute";
  return {
    index,
    definition,
    form,
    layout: layoutOf(definition.fields, `joint ${name}`),
    collide,
    breakForce,
    stepS,
    hasLimits: limits !== undefined,
    ...compileLimits(limits, name, isAngular),
    hasMotor: motor !== undefined,
    ...compileMotor(motor, name, isAngular),
    ...compileSpring(spring, name, stepS),
  };
}

/** The parts that some types of joints have. */
interface Parts {
  readonly limits?: JointLimits;
  readonly motor?: { readonly speed: number; readonly torqueMax?: number; readonly forceMax?: number };
  readonly spring?: JointSpring;
}

/** @throws StageError for a part that the type does not have, as untyped code may give it */
function checkedParts(definition: JointDef): Parts {
  const { name, type } = definition, parts = definition as Parts;
  const { driven } = JOINT_FORMS[type], springy = type === "distance" || type === "weld";
  const unsupported = parts.limits !== undefined && !driven
    ? "limits"
    : parts.motor !== undefined && !driven
    ? "motor"
    : parts.spring !== undefined && !springy
    ? "spring"
    : undefined;
  if (unsupported !== undefined) throw new StageError(`joint ${name} has a ${unsupported}, which no ${type} joint has`);
  return parts;
}

function compileLimits(limits: JointLimits | undefined, name: string, isAngular: boolean) {
  if (limits === undefined) return { lower: 0, upper: 0, limitsEqual: false };
  const { lower, upper } = limits, max = isAngular ? ANGLE_MAX : LENGTH_MAX;
  checkWithin(lower, max, `${name}.limits.lower`);
  checkWithin(upper, max, `${name}.limits.upper`);
  if (lower > upper) throw new StageError(`joint ${name}.limits.lower is ${lower}, more than upper, which is ${upper}`);
  return { lower, upper, limitsEqual: Math.abs(upper - lower) < (isAngular ? EQUAL_ANGLES : EQUAL_TRANSLATIONS) };
}

function compileMotor(motor: Parts["motor"], name: string, isAngular: boolean) {
  const motorSpeedMax = isAngular ? SPIN_MAX : SPEED_MAX;
  if (motor === undefined) return { motorSpeed: 0, motorMax: 0, motorSpeedMax };
  checkWithin(motor.speed, motorSpeedMax, `${name}.motor.speed`);
  const strength = isAngular ? "torqueMax" : "forceMax", motorMax = motor[strength]!;
  checkWithin(motorMax, FORCE_MAX, `${name}.motor.${strength}`);
  if (motorMax < 0) throw new StageError(`joint ${name}.motor.${strength} is ${motorMax}; less than 0 makes no sense`);
  return { motorSpeed: motor.speed, motorMax, motorSpeedMax };
}

function compileSpring(spring: JointSpring | undefined, name: string, stepS: number) {
  if (spring === undefined) return { frequencyHz: 0, dampingRatio: 0 };
  const { frequencyHz, dampingRatio } = spring, frequencyHzMax = 0.5 / stepS;
  if (!(frequencyHz > 0) || !(frequencyHz <= frequencyHzMax)) {
    throw new StageError(
      `joint ${name}.spring.frequencyHz is ${frequencyHz}; more than 0 and at most ${frequencyHzMax}, half of the world steps a second, is allowed`,
    );
  }
  checkWithin(dampingRatio, DAMPING_RATIO_MAX, `${name}.spring.dampingRatio`);
  if (dampingRatio < 0) {
    throw new StageError(`joint ${name}.spring.dampingRatio is ${dampingRatio}; 0 to 10 are allowed`);
  }
  return { frequencyHz, dampingRatio };
}

function checkWithin(value: number, max: number, what: string): void {
  if (!(Math.abs(value) <= max)) throw new StageError(`joint ${what} is ${value}; at most ${max} is allowed`);
}
