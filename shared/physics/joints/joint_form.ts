/**
 * The code and the constants that differ by the type of joint, and the parts that several types
 * share. A joint's lasting values are the first numbers of its row (`joint_rows.ts`). Anchors and
 * angles follow from the poses when the joint is made; impulses are for warm starting. Rounding,
 * snapshots and their checks go by the names of these values.
 */
import { Body } from "../core/body_rows.ts";
import { type JointRows, JointValue } from "./joint_rows.ts";
import type { JointType } from "../core/types.ts";
import { ANGLE_MAX } from "../core/limits.ts";

/** Metres: an anchor's largest coordinate in its body's frame, as `POSITION_MAX`. */
export const ANCHOR_MAX = 1e5;
/**
 * Metres. Below b2_linearSlop = 0.005 a distance has no direction. The maximum is the largest
 * coordinate.
 */
export const LENGTH_MIN = 1 / 128;
export const LENGTH_MAX = 1e5;
/** Radians: the sum of both bodies' angles, and a limit beyond them. */
export const REFERENCE_MAX = 4 * ANGLE_MAX;
/** Nearly the largest float32: impulses have no smaller bound. */
export const IMPULSE_MAX = 3.4e38;

/** Names and bounds that several types have. */
export const ANCHORS = ["anchorA.x", "anchorA.y", "anchorB.x", "anchorB.y"];
export const ANCHOR_MAXIMA = [ANCHOR_MAX, ANCHOR_MAX, ANCHOR_MAX, ANCHOR_MAX];
export const IMPULSES = ["impulse.x", "impulse.y", "impulse.z"];
export const IMPULSE_MAXIMA = [IMPULSE_MAX, IMPULSE_MAX, IMPULSE_MAX];

/** A part that only some types have. */
export type JointPart = "limits" | "motor" | "spring";

/**
 * One type of joint. The methods take the row of a joint as `joint`, or `at`, the index of its
 * first value.
 */
export interface JointForm {
  /** As definitions name it. */
  readonly type: JointType;
  /** The parts that a definition of the type may have. */
  readonly parts: readonly JointPart[];
  /** The forms of definitions that have a part with lasting values of its own. */
  readonly variants?: Readonly<Partial<Record<JointPart, JointForm>>>;
  /** Whether the type may have limits or a motor, which takes one more word in a snapshot. */
  readonly driven: boolean;
  /** The bodies that must be dynamic. */
  readonly moves: "one" | "b" | "both";
  /** Names of the lasting values, in the order of the row. */
  readonly names: readonly string[];
  /** Bounds of their magnitudes. */
  readonly maxima: readonly number[];
  /**
   * Index of the reference angle, of the motor's speed, and of the limits' impulse; −1 if there is
   * none.
   */
  readonly referenceAt: number;
  readonly motorSpeedAt: number;
  readonly limitImpulseAt: number;
  /** Checks that bounds alone cannot express: a unit axis, a least length. */
  isSound(values: Float64Array, at: number): boolean;
  /**
   * Magnitude of the impulse at the anchor in the last world step, N·s. A gear on a revolute joint
   * has N·m·s.
   */
  impulse(values: Float64Array, at: number): number;
  /** Angular impulse in the last world step, N·m·s. */
  twist(values: Float64Array, at: number): number;
  /** Computes the values of this world step and applies the impulses of the last one. */
  prepare(rows: JointRows, joint: number): void;
  /** One iteration. */
  solveVelocity(rows: JointRows, joint: number): void;
  /** One iteration. @returns whether the error was within its tolerance */
  solvePosition(rows: JointRows, joint: number): boolean;
}

/** Whether a joint of this type moves what it holds, if its bodies are dynamic or not. */
export function canMove({ moves }: JointForm, isDynamicA: boolean, isDynamicB: boolean): boolean {
  if (moves === "one") return isDynamicA || isDynamicB;
  return isDynamicB && (isDynamicA || moves === "b");
}

/**
 * Whether a joint of this type holds a point of the stage: the target of a mouse joint, the wheels
 * of a pulley.
 */
export function holdsPlace({ names }: JointForm): boolean {
  return names.includes("target.x") || names.includes("groundA.x");
}

/** Whether a joint of this type holds nothing: it only keeps two bodies from touching. */
export function holdsNothing({ names }: JointForm): boolean {
  return names.length === 0;
}

/**
 * Sets the arms of a joint: r := R (anchor − centre of mass), with the transforms of its bodies.
 * @param values of the joints; `j` the joint's first
 * @param bodies of the world; `a` and `b` the rows of the joint's bodies
 */
export function computeArms(
  values: Float64Array,
  j: number,
  bodies: Float64Array,
  a: number,
  b: number,
): void {
  const cosA = bodies[a + Body.COS]!;
  const sinA = bodies[a + Body.SIN]!;
  const cosB = bodies[b + Body.COS]!;
  const sinB = bodies[b + Body.SIN]!;
  const ax = values[j + JointValue.ANCHOR_AX]! - bodies[a + Body.LOCAL_CENTER_X]!;
  const ay = values[j + JointValue.ANCHOR_AY]! - bodies[a + Body.LOCAL_CENTER_Y]!;
  const bx = values[j + JointValue.ANCHOR_BX]! - bodies[b + Body.LOCAL_CENTER_X]!;
  const by = values[j + JointValue.ANCHOR_BY]! - bodies[b + Body.LOCAL_CENTER_Y]!;
  values[j + JointValue.R_AX] = cosA * ax - sinA * ay;
  values[j + JointValue.R_AY] = sinA * ax + cosA * ay;
  values[j + JointValue.R_BX] = cosB * bx - sinB * by;
  values[j + JointValue.R_BY] = sinB * bx + cosB * by;
}
