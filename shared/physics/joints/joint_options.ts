/** The names of all options of joints: of their definitions, their placements and their setters. */
import { checkOptions, type OptionsOf } from "../core/declaration_checks.ts";
import type {
  FieldSpec,
  JointDef,
  JointLimits,
  JointPlacement,
  JointSpring,
  JointType,
} from "../core/types.ts";
import type { JointForm, JointPart } from "./joint_form.ts";

type Names = Readonly<Record<string, 1>>;

/** The options that every type of joint has. */
const SHARED: OptionsOf<JointDef> = {
  name: 1,
  type: 1,
  fields: 1,
  collide: 1,
  breakForce: 1,
  changeable: 1,
};
/** A filter joint holds nothing that could break, and is there to keep two from touching. */
const OF_FILTER: Names = { name: 1, type: 1, fields: 1 };
/** The numbers that a type has of its own. */
const NUMBERS: Readonly<Partial<Record<JointType, Names>>> = {
  revolute: { breakTorque: 1 },
  prismatic: { breakTorque: 1 },
  weld: { breakTorque: 1 },
  wheel: { breakTorque: 1 },
  mouse: { forceMax: 1 },
  motor: { forceMax: 1, torqueMax: 1, correctionFactor: 1, breakTorque: 1 },
  friction: { forceMax: 1, torqueMax: 1, breakTorque: 1 },
  pulley: { ratio: 1 },
  gear: { ratio: 1 },
};
const LIMITS: OptionsOf<JointLimits> = { lower: 1, upper: 1 };
const SPRING: OptionsOf<JointSpring> = { frequencyHz: 1, dampingRatio: 1 };

export const PLACEMENT_OPTIONS: OptionsOf<JointPlacement<FieldSpec>> = {
  x: 1,
  y: 1,
  bx: 1,
  by: 1,
  axis: 1,
  groundA: 1,
  groundB: 1,
  length: 1,
  fields: 1,
};
/** Of a gear and of a filter. */
export const FIELDS_ONLY: Names = { fields: 1 };
export const SET_MOTOR_OPTIONS: Names = { on: 1, speed: 1, torqueMax: 1, forceMax: 1 };
export const SET_LIMITS_OPTIONS: Names = { on: 1, ...LIMITS };
export const SET_SPRING_OPTIONS: Names = SPRING;
export const SET_STRENGTH_OPTIONS: Names = { forceMax: 1, torqueMax: 1 };
export const SET_OFFSET_OPTIONS: Names = { x: 1, y: 1, angle: 1 };

/** @throws StageError for an option that a definition, its limits, motor or spring does not have */
export function checkJointOptions(definition: JointDef, { parts }: JointForm): void {
  const { name, type } = definition;
  const owner = `joint ${name}`;
  const motor = { speed: 1, [type === "prismatic" ? "forceMax" : "torqueMax"]: 1 } as const;
  const of: Readonly<Record<JointPart, Names>> = { limits: LIMITS, motor, spring: SPRING };
  const own = Object.fromEntries(parts.map((part) => [part, 1 as const]));
  const shared = type === "filter" ? OF_FILTER : SHARED;
  checkOptions(definition, { ...shared, ...own, ...NUMBERS[type] }, owner);
  for (const part of parts) {
    const value = (definition as Partial<Record<JointPart, object>>)[part];
    if (value !== undefined) checkOptions(value, of[part], `${owner}.${part}`);
  }
}
