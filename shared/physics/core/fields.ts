/**
 * Declared fields: checked, rounded, and saved as one word each. A canonicalized value is exactly
 * the value that comes back from a snapshot.
 *
 * Loops over fields use `for … in`, in the order of declaration: V8 then has each field's offset at
 * hand. Access by a name from a list costs a lookup each time, a tenth of a dragon tick in all.
 */
import type { FieldType } from "../../body_list.ts";
import { FLOAT_MAX } from "./limits.ts";
import { type FieldSpec, StageError } from "./types.ts";
import type { Snapshot } from "../../snapshot.ts";

/** The values of an entity's fields by name. */
export type FieldValues = Record<string, number>;

/** A declaration as lists, in its order. */
export interface FieldLayout {
  readonly names: readonly string[];
  readonly types: readonly FieldType[];
  /** Every field at 0. */
  readonly zeros: Readonly<FieldValues>;
}

const FIELD_TYPES: ReadonlySet<string> = new Set<FieldType>(["u8", "u16", "u32", "i32", "f32"]);

/** @throws StageError for an unknown type, e.g. from untyped code */
export function layoutOf(spec: FieldSpec, owner: string): FieldLayout {
  const names = Object.keys(spec);
  const types = names.map((name) => spec[name]!);
  types.forEach((type, i) => {
    if (!FIELD_TYPES.has(type)) {
      throw new StageError(`${owner}.${names[i]} is declared as "${type}", which is no type`);
    }
  });
  return { names, types, zeros: Object.fromEntries(names.map((name) => [name, 0])) };
}

/** The fields of all that has none. */
const NONE: FieldValues = Object.seal({});

/** @returns an object with every declared field at 0, sealed against others */
export function createFields({ names, zeros }: FieldLayout): FieldValues {
  return names.length === 0 ? NONE : Object.seal({ ...zeros });
}

/** Whether a field of this type can hold the value. */
export function isRepresentable(type: FieldType, value: number): boolean {
  switch (type) {
    case "u8":
      return (value & 0xff) === value;
    case "u16":
      return (value & 0xffff) === value;
    case "u32":
      return value >>> 0 === value;
    case "i32":
      return (value | 0) === value;
    case "f32":
      // Untyped rules may assign null, which counts as 0 elsewhere.
      return typeof value === "number" && Number.isFinite(Math.fround(value));
  }
}

/** The least and the greatest number of each type. */
export const RANGES: Readonly<Record<FieldType, readonly [min: number, max: number]>> = {
  u8: [0, 0xff],
  u16: [0, 0xffff],
  u32: [0, 0xffff_ffff],
  i32: [-0x8000_0000, 0x7fff_ffff],
  f32: [-FLOAT_MAX, FLOAT_MAX],
};

/** Notes a value that was held at the end of its type. */
export interface HeldValues {
  add(sentence: string): void;
}

/**
 * @returns the end of the type's range that the value is beyond; the value itself if it is within,
 *   or no number
 */
export function heldAt(type: FieldType, value: number): number {
  const [min, max] = RANGES[type];
  return value > max ? max : value < min ? min : value;
}

/**
 * Rounds the `f32` fields to 32 bits and checks all fields.
 * @param owner for the error, e.g. "entity 12 dragon"
 * @param held if it is given, it notes values beyond their types, which then stay at the types'
 * ends: a counter that is full must not end a match
 * @throws StageError that names the field whose value does not fit its type
 */
export function canonicalizeFields(
  fields: FieldValues,
  layout: FieldLayout,
  owner: { toString(): string },
  held?: HeldValues,
): void {
  const { types } = layout;
  let i = 0;

  for (const name in fields) {
    const type = types[i++]!;
    let value = fields[name]!;

    // A value beyond its type: hold it at the type's end, or refuse it
    if (!isRepresentable(type, value)) {
      const end = held === undefined ? value : heldAt(type, value);
      if (end === value || !isRepresentable(type, end)) {
        throw new StageError(`${owner}.${name} is ${value}, which no ${type} can hold`);
      }
      held!.add(`${owner}.${name} is ${value}; a ${type} holds it at ${end}`);
      fields[name] = value = end;
    }

    // -0 + 0 is 0. A word that holds an integer has no -0, either.
    const canonical = type === "f32" ? Math.fround(value) : value + 0;
    // Rare; the test is cheaper than the write. `Object.is` is cheap for a constant only.
    if (canonical !== value || Object.is(value, -0)) fields[name] = canonical;
  }
}

/**
 * Writes one word per field, from `cursor` on.
 * @param owner for the error
 * @returns the cursor after the last field
 * @throws StageError for a value that was assigned after `endTick` and does not survive the round
 *   trip
 */
export function saveFields(
  fields: FieldValues,
  layout: FieldLayout,
  owner: { toString(): string },
  into: Snapshot,
  cursor: number,
): number {
  const { types } = layout;
  let i = 0;
  for (const name in fields) {
    const value = fields[name]!;
    const type = types[i++]!;
    if (type === "f32") into.floats[cursor] = value;
    else into.words[cursor] = value;
    if (readField(type, into, cursor++) !== value) {
      throw new StageError(
        `${owner}.${name} was set to ${value} after endTick(), which no ${type} holds exactly`,
      );
    }
  }
  return cursor;
}

/**
 * Reads the words of `saveFields` once `firstInvalidField` has returned -1.
 * @returns the cursor after them
 */
export function loadFields(
  fields: FieldValues,
  layout: FieldLayout,
  from: Snapshot,
  cursor: number,
): number {
  const { types } = layout;
  let i = 0;
  for (const name in fields) fields[name] = readField(types[i++]!, from, cursor++);
  return cursor;
}

/**
 * @returns the index of the first field whose word is not a value of its type, -1 if there is none
 */
export function firstInvalidField(layout: FieldLayout, from: Snapshot, cursor: number): number {
  return layout.types.findIndex((type, i) =>
    !isRepresentable(type, readField(type, from, cursor + i))
  );
}

function readField(type: FieldType, from: Snapshot, cursor: number): number {
  if (type === "f32") return from.floats[cursor]!;
  return type === "i32" ? from.words[cursor]! | 0 : from.words[cursor]!;
}
