/**
 * The parameters of a stage's world steps, from its declaration: the values are checked, and the
 * defaults filled in.
 */
import {
  BOUNCING_SPEED_MIN,
  MAX_ROTATION,
  MAX_TRANSLATION,
  PROJECTILE_BOUNCING_SPEED_MIN,
} from "../core/tuning.ts";
import { type StageDef, StageError, type StageLimits } from "../core/types.ts";
import { CONTACTS_MAX, CONTACTS_PER_ENTITY, ENTITIES_MAX, SPEED_MAX } from "../core/limits.ts";
import type { WorldParameters } from "./world.ts";
import {
  checkInteger,
  checkNumber,
  checkOptions,
  checkRange,
  LIMIT_OPTIONS,
  VECTOR_OPTIONS,
} from "../core/declaration_checks.ts";

/** More world steps per tick cost more time than a match has. */
const SUBSTEPS_MAX = 8;
/** More steps of the solver gain nothing: each of them then has one iteration. */
const SOLVER_STEPS_MAX = 8;
/**
 * A tick shorter than a millisecond makes no sense, and a path's metres per tick must keep their
 * precision as a float32.
 */
const TICK_HZ_MAX = 1000;
/** More iterations cost more time than a match has. */
const ITERATIONS_MAX = 100;
/** Radians: a body that turns farther in a world step has the same pose as one that turns back. */
const ROTATION_MAX = Math.PI;

/** Speeds and spins below these make no sense as limits, in m/s and rad/s. */
const LIMIT_MIN = 0.1;

/** @throws StageError for a value out of range */
export function compileParameters(def: StageDef): Omit<WorldParameters, "shapes"> {
  const { gravity, tickHz, substeps, velocityIterations, positionIterations } = def;
  for (const value of typeof gravity === "number" ? [gravity] : [gravity?.x, gravity?.y]) {
    checkNumber(value, "gravity");
  }
  if (typeof gravity === "object") checkOptions(gravity, VECTOR_OPTIONS, "gravity");
  if (!(tickHz >= 1 && tickHz <= TICK_HZ_MAX)) throw new StageError(`tickHz is ${tickHz}`);
  if (!Number.isInteger(substeps) || substeps < 1 || substeps > SUBSTEPS_MAX) {
    throw new StageError(`substeps is ${substeps}; 1 to ${SUBSTEPS_MAX} are allowed`);
  }
  const solverSteps = solverStepsOf(def);
  for (const iterations of ["velocityIterations", "positionIterations"] as const) {
    const { [iterations]: value } = def;
    if (value !== undefined) checkInteger(value, iterations, { min: 1, max: ITERATIONS_MAX });
  }
  const stepS = 1 / (tickHz * substeps);
  const { contacts } = limitsOf(def);
  return {
    gravity,
    stepS,
    solverSteps,
    ...velocityIterations !== undefined && { velocityIterations },
    ...positionIterations !== undefined && { positionIterations },
    contactsMax: contacts,
    ...compileSpeeds(def, stepS),
  };
}

/** @returns how many steps the solver makes in a world step @throws StageError if out of range */
export function solverStepsOf({ solverSteps = 1 }: StageDef): number {
  checkInteger(solverSteps, "solverSteps", { min: 1, max: SOLVER_STEPS_MAX });
  return solverSteps;
}

/** @returns all limits of a declaration @throws StageError for one out of range */
export function limitsOf({ limits = {} }: StageDef): Required<StageLimits> {
  checkOptions(limits, LIMIT_OPTIONS, "limits");
  const { entities = ENTITIES_MAX } = limits;
  checkInteger(entities, "limits.entities", { min: 1, max: ENTITIES_MAX });
  const { contacts = entities * CONTACTS_PER_ENTITY } = limits;
  checkInteger(contacts, "limits.contacts", { min: CONTACTS_PER_ENTITY, max: CONTACTS_MAX });
  return { entities, contacts };
}

function compileSpeeds(
  { restitutionThreshold, speedMax, spinMax, onSpeedMax = "clamp" }: StageDef,
  stepS: number,
) {
  const allowed = { min: LIMIT_MIN, max: SPEED_MAX };
  if (restitutionThreshold !== undefined) {
    checkRange(restitutionThreshold, "restitutionThreshold", { ...allowed, min: 0 });
  }
  if (speedMax !== undefined) checkRange(speedMax, "speedMax", allowed);
  if (spinMax !== undefined) {
    checkRange(spinMax, "spinMax", { ...allowed, max: ROTATION_MAX / stepS });
  }
  if (onSpeedMax !== "clamp" && onSpeedMax !== "refuse") {
    throw new StageError(`onSpeedMax is ${onSpeedMax}`);
  }

  return {
    bouncingSpeedMin: restitutionThreshold ?? BOUNCING_SPEED_MIN,
    projectileBouncingSpeedMin: restitutionThreshold ?? PROJECTILE_BOUNCING_SPEED_MIN,
    translationMax: speedMax === undefined ? MAX_TRANSLATION : speedMax * stepS,
    rotationMax: spinMax === undefined ? MAX_ROTATION : spinMax * stepS,
    speedLimits: onSpeedMax === "clamp" ? undefined : {
      speedMax: speedMax ?? MAX_TRANSLATION / stepS,
      spinMax: spinMax ?? MAX_ROTATION / stepS,
    },
  };
}
