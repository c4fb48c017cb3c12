/**
 * The first values of a joint, from the poses of its entities and the placement that the rules
 * give.
 */
import { canonicalizeFields, createFields, type FieldValues } from "../core/fields.ts";
import type { CompiledJoint } from "./compiled_joints.ts";
import { PLACEMENT_OPTIONS } from "./joint_options.ts";
import { LENGTH_MAX, LENGTH_MIN } from "./joint_form.ts";
import type { JointRecord } from "./joint.ts";
import { LASTING_VALUES_MAX } from "./joint_rows.ts";
import { Body, type BodyRow } from "../core/body_rows.ts";
import { checkOptions, VECTOR_OPTIONS } from "../core/declaration_checks.ts";
import { checkPosition, checkWithin, within } from "../core/limits.ts";
import { type JointPlacement, StageError } from "../core/types.ts";

/** Written by `rounded`, read by the caller of its result. */
const scratch = new Float64Array(LASTING_VALUES_MAX);

/** The owner of a number, named in errors. */
export interface Owner {
  toString(): string;
}

/**
 * The values of a new joint. They are rounded at once, so that they read the same before and after
 * the end of the tick. Places and entities may be at opposite edges of the world: an anchor or a
 * length that follows from them is held at its bound.
 * @returns an array that the next call overwrites
 * @throws StageError for values out of bounds
 */
export function initialValuesOf(
  name: string,
  compiled: CompiledJoint,
  a: BodyRow,
  b: BodyRow,
  at: JointPlacement,
): Float64Array {
  const { x, y, bx = x, by = y, axis, groundA, groundB } = at;
  const anchorA = toLocal(a, x, y);
  const anchorB = toLocal(b, bx, by);
  const values: Record<string, number> = {
    "anchorA.x": anchorA.x,
    "anchorA.y": anchorA.y,
    "anchorB.x": anchorB.x,
    "anchorB.y": anchorB.y,
    "target.x": x,
    "target.y": y,
    "groundA.x": groundA?.x ?? 0,
    "groundA.y": groundA?.y ?? 0,
    "groundB.x": groundB?.x ?? 0,
    "groundB.y": groundB?.y ?? 0,
    referenceAngle: b.values[b.offset + Body.ANGLE]! - a.values[a.offset + Body.ANGLE]!,
    motorSpeed: compiled.motorSpeed,
    length: at.length === undefined ? Math.min(lengthOf(compiled, at), LENGTH_MAX) : at.length,
  };

  if (compiled.form.names.includes("length")) checkLength(name, values["length"]!);

  if (axis !== undefined) {
    const c = a.values[a.offset + Body.COS]!, s = a.values[a.offset + Body.SIN]!;
    const length = Math.sqrt(axis.x * axis.x + axis.y * axis.y);
    values["axis.x"] = (c * axis.x + s * axis.y) / length;
    values["axis.y"] = (c * axis.y - s * axis.x) / length;
  }

  return rounded(compiled, values);
}

/** @returns the values of a new gear, as `initialValuesOf` */
export function initialGearValuesOf(
  compiled: CompiledJoint,
  first: JointRecord,
  second: JointRecord,
): Float64Array {
  const ratio = compiled.constants.find(({ name }) => name === "ratio")!.value;
  return rounded(compiled, { constant: coordinateOf(first) + ratio * coordinateOf(second) });
}

/** The angle or the translation of a joint that a gear couples. */
function coordinateOf({ joint, compiled: { definition } }: JointRecord): number {
  return definition.type === "prismatic" ? joint.translation : joint.angle;
}

function rounded(
  { form: { names, maxima } }: CompiledJoint,
  values: Readonly<Record<string, number>>,
): Float64Array {
  names.forEach((name, i) =>
    scratch[i] = Math.fround(within(values[name] ?? 0, maxima[i] ?? Infinity))
  );
  return scratch.subarray(0, names.length);
}

/** The distance of the two anchors, or the whole length of a pulley. */
function lengthOf(
  { constants }: CompiledJoint,
  { x, y, bx = x, by = y, groundA, groundB }: JointPlacement,
): number {
  if (groundA === undefined || groundB === undefined) {
    return Math.sqrt((bx - x) * (bx - x) + (by - y) * (by - y));
  }
  const ax = x - groundA.x;
  const ay = y - groundA.y;
  const dx = bx - groundB.x;
  const dy = by - groundB.y;
  const ratio = constants.find(({ name }) => name === "ratio")!.value;
  return Math.sqrt(ax * ax + ay * ay) + ratio * Math.sqrt(dx * dx + dy * dy);
}

/** @returns a point of the stage in the body's frame */
function toLocal(
  { values, offset }: BodyRow,
  x: number,
  y: number,
): { readonly x: number; readonly y: number } {
  const dx = x - values[offset + Body.ORIGIN_X]!, dy = y - values[offset + Body.ORIGIN_Y]!;
  const c = values[offset + Body.COS]!, s = values[offset + Body.SIN]!;
  return { x: c * dx + s * dy, y: c * dy - s * dx };
}

/** @throws StageError for a field that is not declared, or whose type cannot hold the value */
export function initialFieldsOf(
  name: string,
  compiled: CompiledJoint,
  at: Pick<JointPlacement, "fields">,
): FieldValues {
  for (const field in at.fields) {
    if (!compiled.layout.names.includes(field)) {
      throw new StageError(`${name} has no field ${field}`);
    }
  }
  const fields = Object.assign(createFields(compiled.layout), at.fields);
  canonicalizeFields(fields, compiled.layout, name);
  return fields;
}

/**
 * @throws StageError if a value is missing that the type needs, or if the type does not have a
 *   given one
 */
export function checkPlacement(
  name: string,
  { definition: { type }, form: { names } }: CompiledJoint,
  at: JointPlacement,
) {
  const { x, y, bx, by, axis, length, groundA, groundB } = at;

  // Where it is; ends and a length
  checkOptions(at, PLACEMENT_OPTIONS, name);
  checkPosition(name, x, y);

  if (names.includes("length")) {
    if (bx === undefined || by === undefined) {
      throw new StageError(`${name}: bx and by are missing`);
    }
    checkPosition(`${name}, end b`, bx, by);
  } else if (bx !== undefined || by !== undefined || length !== undefined) {
    throw new StageError(
      `${name}: bx, by and length are for distance, rope and pulley joints; this is a ${type} one`,
    );
  }

  // The anchors of the ropes on the ground
  for (const [what, ground] of [["groundA", groundA], ["groundB", groundB]] as const) {
    if ((ground !== undefined) !== names.includes(`${what}.x`)) {
      throw new StageError(
        `${name}: ${what} is for pulleys, which need it; this is a ${type} joint`,
      );
    }
    if (ground === undefined) continue;
    checkOptions(ground, VECTOR_OPTIONS, `${name}, ${what}`);
    checkPosition(`${name}, ${what}`, ground.x, ground.y);
  }

  // The axis
  if ((axis !== undefined) !== names.includes("axis.x")) {
    throw new StageError(
      `${name}: axis is for prismatic and wheel joints, which need it; this is a ${type} one`,
    );
  }
  if (axis === undefined) return;
  checkOptions(axis, VECTOR_OPTIONS, `${name}, axis`);
  checkWithin(axis.x, LENGTH_MAX, name, "axis.x");
  checkWithin(axis.y, LENGTH_MAX, name, "axis.y");
  if (Math.max(Math.abs(axis.x), Math.abs(axis.y)) < LENGTH_MIN) {
    throw new StageError(`${name}: axis has no direction`);
  }
}

/** Metres. @throws StageError */
export function checkLength(owner: Owner, length: number): void {
  if (typeof length !== "number" || !(length >= LENGTH_MIN && length <= LENGTH_MAX)) {
    throw new StageError(
      `${owner}: length is ${length}; ${LENGTH_MIN} to ${LENGTH_MAX} are allowed`,
    );
  }
}
