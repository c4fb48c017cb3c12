/**
 * Declared fields: how an author's numbers are checked, rounded and kept, one word each. A field that passed here is exactly
 * what comes back from a snapshot.
 *
 * The loops over all fields go by `for … in`, in the order of the declaration: V8 then knows where each one lies, while by a name out of
 * a list it looks it up each time (a tenth of a dragon tick).
 */
import { type FieldSpec, type FieldType, StageError } from "./types.ts";
import type { Snapshot } from "../../snapshot.ts";

/** An author's fields as the stage handles them: by name, all of them numbers. */
export type FieldValues = Record<string, number>;

/** A declaration in its order. */
export interface FieldLayout {
  readonly names: readonly string[];
  readonly types: readonly FieldType[];
  /** Every one at 0. */
  readonly zeros: Readonly<FieldValues>;
}

const FIELD_TYPES: ReadonlySet<string> = new Set<FieldType>(["u8", "u16", "u32", "i32", "f32"]);

/** @throws StageError for a type that does not exist, e.g. from untyped code */
export function layoutOf(spec: FieldSpec, owner: string): FieldLayout {
  const names = Object.keys(spec);
  const types = names.map((name) => spec[name]!);
  types.forEach((type, i) => {
    if (!FIELD_TYPES.has(type)) throw new StageError(`${owner}.${names[i]} is declared as "${type}", which is no type`);
  });
  return { names, types, zeros: Object.fromEntries(names.map((name) => [name, 0])) };
}

/** An object with every declared field at 0, and no room for another. */
export function createFields(layout: FieldLayout): FieldValues {
  return Object.seal({ ...layout.zeros });
}

/** Whether a field of this type may hold the value. */
function isRepresentable(type: FieldType, value: number): boolean {
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
      return Number.isFinite(Math.fround(value));
  }
}

/**
 * Rounds the `f32` ones to 32 bits and checks all.
 * @param owner for the error, e.g. "entity 12 dragon"
 * @throws StageError naming the field that does not fit
 */
export function canonicalizeFields(fields: FieldValues, layout: FieldLayout, owner: { toString(): string }): void {
  const { types } = layout;
  let i = 0;
  for (const name in fields) {
    const value = fields[name]!, type = types[i++]!;
    if (!isRepresentable(type, value)) {
      throw new StageError(`${owner}.${name} is ${value}, which no ${type} can hold`);
    }
    // adding 0 makes a -0 an 0, which is what an integer's word gives back
    const canonical = type === "f32" ? Math.fround(value) : value + 0;
    if (!Object.is(canonical, value)) fields[name] = canonical; // seldom, and writing costs more than asking
  }
}

/**
 * Writes one word per field from `cursor` on.
 * @param owner for the error
 * @returns the place after them
 * @throws StageError for a value that was assigned after the tick was closed and that no word can hold
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
    const value = fields[name]!, type = types[i++]!;
    if (type === "f32") into.floats[cursor] = value;
    else into.words[cursor] = value;
    if (readField(type, into, cursor++) !== value) {
      throw new StageError(`${owner}.${name} was set to ${value} after endTick(), which no ${type} holds exactly`);
    }
  }
  return cursor;
}

/** Reads what `saveFields` wrote, after `firstInvalidField` found nothing. @returns the place after them */
export function loadFields(fields: FieldValues, layout: FieldLayout, from: Snapshot, cursor: number): number {
  const { types } = layout;
  let i = 0;
  for (const name in fields) fields[name] = readField(types[i++]!, from, cursor++);
  return cursor;
}

/** The index of the first field whose word it cannot hold, -1 where all fit. */
export function firstInvalidField(layout: FieldLayout, from: Snapshot, cursor: number): number {
  return layout.types.findIndex((type, i) => !isRepresentable(type, readField(type, from, cursor + i)));
}

function readField(type: FieldType, from: Snapshot, cursor: number): number {
  if (type === "f32") return from.floats[cursor]!;
  return type === "i32" ? from.words[cursor]! | 0 : from.words[cursor]!;
}
