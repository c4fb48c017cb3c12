/**
 * A stage's joint definitions, checked once and compiled to the form that the stage uses. A
 * compiled joint has an index, the layout of its fields and the constants of its rows.
 */
import { type FieldLayout, layoutOf } from "../core/fields.ts";
import { checkJointOptions } from "./joint_options.ts";
import { type JointForm, type JointPart, LENGTH_MAX, LENGTH_MIN } from "./joint_form.ts";
import { JointValue } from "./joint_rows.ts";
import { ANGLE_MAX, SPEED_MAX, SPIN_MAX } from "../core/limits.ts";
import { solverStepsOf } from "../dynamics/world_parameters.ts";
import {
  type JointDef,
  type JointLimits,
  type JointSpring,
  type StageDef,
  StageError,
} from "../core/types.ts";

/** A definition's index fits a byte. */
const JOINT_KINDS_MAX = 255;
/** N or N·m: a thousand tonnes at 100 times gravity. A larger number is a mistake. */
const STRENGTH_MAX = 1e9;
/** The smallest float32: a frequency of 0 means no spring. */
const FREQUENCY_HZ_MIN = 1.401298464324817e-45;
/** A spring with more damping only creeps. */
const DAMPING_RATIO_MAX = 10;
/** Beyond these magnitudes one side of a gear or a pulley does not move. */
const RATIO_MIN = 1e-3;
const RATIO_MAX = 1e3;
/** The defaults of Box2D's b2MouseJointDef and b2MotorJointDef. */
const MOUSE_SPRING: JointSpring = { frequencyHz: 5, dampingRatio: 0.7 };
const CORRECTION_FACTOR = 0.3;

/** One of a definition's numbers that is in the rows of its joints. */
export interface JointConstant {
  /** As in the setters, and in labels. */
  readonly name: string;
  /** Its place in a row. */
  readonly at: number;
  readonly value: number;
  /** Bounds of a changed value. */
  readonly min: number;
  readonly max: number;
}

/** A joint definition, ready for use. */
export interface CompiledJoint {
  /** Position in the declaration. */
  readonly index: number;
  // deno-lint-ignore no-explicit-any
  readonly definition: JointDef<any>;
  readonly form: JointForm;
  readonly layout: FieldLayout;
  readonly isGear: boolean;
  readonly hasLimits: boolean;
  /** The declared limits, radians or metres; 0 without limits. */
  readonly lower: number;
  readonly upper: number;
  readonly hasMotor: boolean;
  /** The declared speed, rad/s or m/s. */
  readonly motorSpeed: number;
  /** The largest speed that a motor may be set to, in either direction. */
  readonly motorSpeedMax: number;
  /** What the definition declares of limits, strengths, spring and ratio. */
  readonly constants: readonly JointConstant[];
  /**
   * Those that may change, in the order of their words; none unless the definition is changeable.
   */
  readonly changing: readonly JointConstant[];
  /** As declared: whether the two bodies may touch each other. `mayTouch` has the default. */
  readonly collide: boolean | undefined;
  /** N, and N·m; infinite for a joint that never breaks by it. */
  readonly breakForce: number;
  readonly breakTorque: number;
  /** Length of a solver step, seconds: force = impulse / stepS. */
  readonly stepS: number;
}

/**
 * @param forms the types that the definitions may have
 * @throws StageError for a definition that is wrong; the message names the joint and the part
 */
export function compileJoints(
  def: StageDef,
  forms: readonly JointForm[],
): readonly CompiledJoint[] {
  const joints = def.joints ?? [];
  if (joints.length > JOINT_KINDS_MAX) {
    throw new StageError(`more than ${JOINT_KINDS_MAX} kinds of joints`);
  }
  if (new Set(joints.map(({ name }) => name)).size !== joints.length) {
    throw new StageError("two kinds of joints have one name");
  }
  const stepsPerS = def.tickHz * def.substeps * solverStepsOf(def);
  return joints.map((joint, index) => compileJoint(joint, { index, forms, stepS: 1 / stepsPerS }));
}

/**
 * Whether the two bodies of a joint may touch each other. Unless the definition says it, they may
 * if one of them is the ground: all floors and walls are one body here, and a pin in one of them
 * must not open the others.
 */
export function mayTouch(
  { collide }: CompiledJoint,
  a: { readonly id: number },
  b: { readonly id: number },
): boolean {
  return collide ?? (a.id === 0 || b.id === 0);
}

function compileJoint(
  definition: JointDef,
  { index, forms, stepS }: {
    readonly index: number;
    readonly forms: readonly JointForm[];
    readonly stepS: number;
  },
): CompiledJoint {
  const { name, type, breakForce = Infinity, changeable = false } = definition;
  const { breakTorque = Infinity } = definition as { readonly breakTorque?: number };
  const collide = type === "filter" ? false : definition.collide;

  // The type, and how much it holds
  const typeForm = forms.find((form) => form.type === type);
  if (typeForm === undefined) {
    const listed = forms.map((form) => form.type).join(", ");
    throw new StageError(
      `joint ${name} is of type "${type}"; the feature joints has ${listed || "no type"}`,
    );
  }

  if (breakForce !== Infinity) checkWithin(breakForce, STRENGTH_MAX, `${name}.breakForce`);
  if (!(breakForce > 0)) {
    throw new StageError(`joint ${name}.breakForce is ${breakForce}; more than 0 is allowed`);
  }

  if (breakTorque !== Infinity) checkWithin(breakTorque, STRENGTH_MAX, `${name}.breakTorque`);
  if (!(breakTorque > 0)) {
    throw new StageError(`joint ${name}.breakTorque is ${breakTorque}; more than 0 is allowed`);
  }

  // Its parts, and the constants that they are in a row
  const parts = checkedParts(definition, typeForm);
  const { limits, motor } = parts;
  const form = formOf(parts, typeForm);
  const declared = [
    ...limitsOf(parts, definition),
    ...motorOf(parts, name, type === "prismatic"),
    ...springOf(type === "mouse" ? { spring: MOUSE_SPRING, ...parts } : parts, name, stepS),
    ...strengthsOf(definition),
  ];

  if (changeable && declared.length === 0) {
    throw new StageError(`joint ${name} is changeable, but nothing of it is`);
  }
  const constants = changeable
    ? declared.map((each) => ({ ...each, value: Math.fround(each.value) }))
    : declared;

  return {
    index,
    definition,
    form,
    layout: layoutOf(definition.fields, `joint ${name}`),
    collide,
    breakForce,
    breakTorque,
    stepS,
    isGear: type === "gear",
    hasLimits: limits !== undefined,
    lower: limits?.lower ?? 0,
    upper: limits?.upper ?? 0,
    hasMotor: motor !== undefined,
    motorSpeed: motor?.speed ?? 0,
    motorSpeedMax: type === "prismatic" ? SPEED_MAX : SPIN_MAX,
    constants: [...constants, ...ratioOf(definition)],
    changing: changeable ? constants : [],
  };
}

/** The parts that some types of joints have. */
interface Parts {
  readonly limits?: JointLimits;
  readonly motor?: {
    readonly speed: number;
    readonly torqueMax?: number;
    readonly forceMax?: number;
  };
  readonly spring?: JointSpring;
}

const PARTS: readonly JointPart[] = ["limits", "motor", "spring"];

/** @throws StageError for a part that the type does not have, as untyped code may give it */
function checkedParts(definition: JointDef, form: JointForm): Parts {
  const { name, type } = definition;
  const parts = definition as Parts;
  const unsupported = PARTS.find((part) => parts[part] !== undefined && !form.parts.includes(part));
  if (unsupported !== undefined) {
    throw new StageError(`joint ${name} has a ${unsupported}, which no ${type} joint has`);
  }
  checkJointOptions(definition, form);
  return parts;
}

/** @returns the form of a definition with these parts */
function formOf(parts: Parts, form: JointForm): JointForm {
  const part = PARTS.find((each) => parts[each] !== undefined && form.variants?.[each]);
  return part === undefined ? form : form.variants![part]!;
}

function limitsOf({ limits }: Parts, { name, type }: JointDef): JointConstant[] {
  if (limits === undefined) return [];
  const { lower, upper } = limits;
  const max = type === "revolute" ? ANGLE_MAX : LENGTH_MAX;
  const min = type === "distance" ? LENGTH_MIN : -max;
  for (const [what, limit] of [["lower", lower], ["upper", upper]] as const) {
    if (type === "distance") checkBetween(limit, min, max, `${name}.limits.${what}`);
    else checkWithin(limit, max, `${name}.limits.${what}`);
  }
  if (lower > upper) {
    throw new StageError(
      `joint ${name}.limits.lower is ${lower}, more than upper, which is ${upper}`,
    );
  }
  return [
    { name: "lower", at: JointValue.LOWER, value: lower, min, max },
    { name: "upper", at: JointValue.UPPER, value: upper, min, max },
  ];
}

function motorOf({ motor }: Parts, name: string, slides: boolean): JointConstant[] {
  if (motor === undefined) return [];
  checkWithin(motor.speed, slides ? SPEED_MAX : SPIN_MAX, `${name}.motor.speed`);
  const strength = slides ? "forceMax" : "torqueMax";
  return [{
    name: strength,
    ...checkedStrength(motor[strength]!, JointValue.MOTOR_MAX, `${name}.motor.${strength}`),
  }];
}

function springOf({ spring }: Parts, name: string, stepS: number): JointConstant[] {
  if (spring === undefined) return [];

  const { frequencyHz, dampingRatio } = spring;
  const frequencyHzMax = 0.5 / stepS;
  if (!(Math.fround(frequencyHz) > 0) || !(frequencyHz <= frequencyHzMax)) {
    throw new StageError(
      `joint ${name}.spring.frequencyHz is ${frequencyHz}; more than 0 and at most ${frequencyHzMax}, half of the world steps a second, is allowed`,
    );
  }
  checkWithin(dampingRatio, DAMPING_RATIO_MAX, `${name}.spring.dampingRatio`);
  if (dampingRatio < 0) {
    throw new StageError(
      `joint ${name}.spring.dampingRatio is ${dampingRatio}; 0 to 10 are allowed`,
    );
  }

  const min = FREQUENCY_HZ_MIN;
  return [
    {
      name: "frequencyHz",
      at: JointValue.FREQUENCY_HZ,
      value: frequencyHz,
      min,
      max: Math.fround(frequencyHzMax),
    },
    {
      name: "dampingRatio",
      at: JointValue.DAMPING_RATIO,
      value: dampingRatio,
      min: 0,
      max: DAMPING_RATIO_MAX,
    },
  ];
}

/** The largest force and torque of a type that has them itself. */
function strengthsOf(definition: JointDef): JointConstant[] {
  const { name, type } = definition;
  if (type !== "mouse" && type !== "motor" && type !== "friction") return [];
  const force = {
    name: "forceMax",
    ...checkedStrength(definition.forceMax, JointValue.FORCE_MAX, `${name}.forceMax`),
  };
  if (type === "mouse") return [force];
  return [force, {
    name: "torqueMax",
    ...checkedStrength(definition.torqueMax, JointValue.TORQUE_MAX, `${name}.torqueMax`),
  }];
}

/**
 * The ratio of a gear or a pulley, or the correction factor of a motor joint. They never change.
 */
function ratioOf(definition: JointDef): JointConstant[] {
  const { name, type } = definition;
  if (type === "motor") {
    const { correctionFactor: value = CORRECTION_FACTOR } = definition;
    checkBetween(value, 0, 1, `${name}.correctionFactor`);
    return [{ name: "correctionFactor", at: JointValue.RATIO, value, min: 0, max: 1 }];
  }
  if (type !== "gear" && type !== "pulley") return [];
  const { ratio: value = 1 } = definition;
  checkBetween(type === "gear" ? Math.abs(value) : value, RATIO_MIN, RATIO_MAX, `${name}.ratio`);
  return [{ name: "ratio", at: JointValue.RATIO, value, min: -RATIO_MAX, max: RATIO_MAX }];
}

function checkedStrength(value: number, at: number, what: string): Omit<JointConstant, "name"> {
  checkWithin(value, STRENGTH_MAX, what);
  if (value < 0) throw new StageError(`joint ${what} is ${value}; less than 0 makes no sense`);
  return { at, value, min: 0, max: STRENGTH_MAX };
}

function checkWithin(value: number, max: number, what: string): void {
  if (!(Math.abs(value) <= max)) {
    throw new StageError(`joint ${what} is ${value}; at most ${max} is allowed`);
  }
}

function checkBetween(value: number, min: number, max: number, what: string): void {
  if (!(value >= min && value <= max)) {
    throw new StageError(`joint ${what} is ${value}; ${min} to ${max} are allowed`);
  }
}
