/**
 * Declared kinds of joints, checked once and brought into the form that the stage works with: a compiled joint is a declaration with
 * its number, its fields' layout, and the constants for planck. What planck can do but the stage cannot keep exact is refused.
 */
import { type FieldLayout, layoutOf } from "../core/fields.ts";
import { JOINT_FORMS, type JointConstants, type JointForm, LENGTH_MAX } from "../planck/joint_planck.ts";
import { ANGLE_MAX, SPEED_MAX, SPIN_MAX } from "../core/limits.ts";
import { type JointDef, type JointLimits, type JointSpring, type StageDef, StageError } from "../core/types.ts";

/** A kind is a byte. */
const JOINT_KINDS_MAX = 255;
/** A thousand tonnes held against 100 g: what is larger is a slip. N or N·m. */
const FORCE_MAX = 1e9;
/** planck's own slop: limits that are closer than twice this are one. Radians (2 degrees), metres. */
const EQUAL_ANGLES = 2 * (2 / 180 * Math.PI);
const EQUAL_TRANSLATIONS = 2 * 0.005;
/** A spring that is damped more only creeps. */
const DAMPING_RATIO_MAX = 10;

/** A declared kind of joint, ready for use. */
export interface CompiledJoint extends JointConstants {
  readonly index: number;
  // deno-lint-ignore no-explicit-any
  readonly definition: JointDef<any>;
  readonly form: JointForm;
  readonly layout: FieldLayout;
  readonly hasLimits: boolean;
  /** Its limits are so close that planck takes them for one. */
  readonly limitsEqual: boolean;
  readonly hasMotor: boolean;
  /** rad/s or m/s, as declared. */
  readonly motorSpeed: number;
  /** Either way: of what a motor may be set to. */
  readonly motorSpeedMax: number;
  readonly collide: boolean;
  /** N; infinite where it never breaks. */
  readonly breakForce: number;
  /** One world step, seconds: what makes an impulse a force. */
  readonly stepS: number;
}

/** @throws StageError naming the kind and what is wrong with it */
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

/** All that one of the types may have. */
interface Parts {
  readonly limits?: JointLimits;
  readonly motor?: { readonly speed: number; readonly torqueMax?: number; readonly forceMax?: number };
  readonly spring?: JointSpring;
}

/** @throws StageError for a part that the type does not have, e.g. from untyped code */
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
