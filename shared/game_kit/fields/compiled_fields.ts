/**
 * Compiles fields to the stage's numbers: one for each field, or for each element in a list.
 *
 * | kind      | on the stage                                                  |
 * | --------- | ------------------------------------------------------------- |
 * | flag      | u8: 0 or 1                                                    |
 * | choice    | u8: the index of the word                                     |
 * | clock     | u16                                                           |
 * | stopwatch | u8                                                            |
 * | reference | u32: the id of the thing, 0 for none                          |
 * | list      | its type, so many times, named "laps 0", "laps 1", …          |
 */
import type { FieldSpec } from "../../physics/core/types.ts";
import type { FieldType } from "../../body_list.ts";
import { heldAt, isRepresentable, RANGES } from "../../physics/core/fields.ts";
import { authorsPlace } from "../../source_place.ts";
import { GameError } from "../game_error.ts";
import type { FieldKind, FieldKinds } from "./kinds.ts";

/** The numbers in one thing or in the match, by the stage's names. */
export type RawFields = Record<string, number>;

/** A stage field that may hold only numbers below `count`. */
export interface FieldBound {
  readonly field: string;
  readonly count: number;
}

/** One thing's or the match's fields. */
export interface CompiledFields {
  readonly kinds: FieldKinds;
  readonly spec: FieldSpec;
  /** The stage fields that count down. */
  readonly clocks: readonly string[];
  /** The stage fields that count up, to `STOPWATCH_MAX`. */
  readonly stopwatches: readonly string[];
  /** The fields that may be out of range in a state from outside. */
  readonly bounds: readonly FieldBound[];
}

/** The stage's type for a clock. */
export const CLOCK_TYPE: FieldType = "u16";
/** The stage's type for a stopwatch. */
export const STOPWATCH_TYPE: FieldType = "u8";
/** Where a stopwatch stays: the body stream counts no field beyond it. */
export const STOPWATCH_MAX = 255;

/** Names one list element on the stage. Authors' field names contain no space. */
export const elementField = (name: string, index: number) => `${name} ${index}`;

/**
 * Compiles fields.
 * @param hidden the kit's own fields, which follow the author's: each is a u8 with `count` values
 */
export function compileFields(
  kinds: FieldKinds,
  hidden: readonly FieldBound[] = [],
): CompiledFields {
  const entries = Object.entries(kinds);
  return {
    kinds,
    spec: {
      ...Object.fromEntries(entries.flatMap(([name, kind]) => stageFields(name, kind))),
      ...Object.fromEntries(hidden.map(({ field }) => [field, "u8"] as const)),
    },
    clocks: entries.filter(([, kind]) => isOf(kind, "clock")).map(([name]) => name),
    stopwatches: entries.filter(([, kind]) => isOf(kind, "stopwatch")).map(([name]) => name),
    bounds: [
      ...entries.flatMap(([field, kind]) => {
        if (typeof kind === "string") return [];
        if (kind.kind === "flag") return [{ field, count: 2 }];
        return kind.kind === "choice" ? [{ field, count: kind.words.length }] : [];
      }),
      ...hidden,
    ],
  };
}

function isOf(kind: FieldKind, name: string): boolean {
  return typeof kind !== "string" && kind.kind === name;
}

function stageFields(name: string, kind: FieldKind): [name: string, type: FieldSpec[string]][] {
  if (typeof kind === "string") return [[name, kind]];
  switch (kind.kind) {
    case "flag":
    case "choice":
      return [[name, "u8"]];
    case "clock":
      return [[name, CLOCK_TYPE]];
    case "stopwatch":
      return [[name, STOPWATCH_TYPE]];
    case "reference":
      return [[name, "u32"]];
    case "list":
      return Array.from({ length: kind.length }, (_, i) => [elementField(name, i), kind.of]);
  }
}

/** A thing that a reference may name. */
interface Referable {
  readonly id: number;
  readonly name: string;
}

/** Where a field is written, for the words about a value that does not fit. */
export interface FieldOwner {
  /** Such as "car.hook". */
  readonly field: string;
  /** Such as "car 12"; undefined while the thing is not there yet. */
  readonly thing?: string;
  /** Takes a sentence about a number that is held at the end of its type. */
  readonly onHeld: (sentence: string) => void;
}

/** @param describe called only for a number that does not fit @throws as `heldNumber` */
function fittingNumber(type: FieldType, value: number, describe: () => FieldOwner): number {
  return isRepresentable(type, value) ? value : heldNumber(type, value, describe());
}

/**
 * Holds a number that does not fit at the end of its type, so that a counter that is full ends no
 * match.
 * @throws GameError for no number, and for a fraction in a field of whole numbers
 */
export function heldNumber(
  type: FieldType,
  value: number,
  { field, thing, onHeld }: FieldOwner,
): number {
  const [least, greatest] = RANGES[type];
  const range = `${type === "f32" ? "" : "whole numbers, "}${least} … ${greatest}`;
  const end = heldAt(type, value);
  const whose = thing === undefined ? "" : ` in ${thing}`;
  if (typeof value !== "number" || end === value || !isRepresentable(type, end)) {
    throw new GameError(`${field} is ${value}${whose}; a ${type} holds ${range}`);
  }

  const place = authorsPlace(new Error().stack);
  const where = place === undefined ? "" : `, written in ${place.file}:${place.line}`;
  onHeld(`${field} is ${value}${whose}; a ${type} holds ${range}, so it stays ${end}${where}`);
  return end;
}

/**
 * Converts a field's value to its number.
 * @param describe called only for a value that does not fit
 * @throws GameError if the value does not fit
 */
export function rawValue(
  kind: Exclude<FieldKind, { kind: "list" }>,
  value: unknown,
  describe: () => FieldOwner,
): number {
  if (typeof kind === "string") return fittingNumber(kind, value as number, describe);
  switch (kind.kind) {
    case "clock":
      return fittingNumber(CLOCK_TYPE, value as number, describe);
    case "stopwatch":
      return fittingNumber(STOPWATCH_TYPE, value as number, describe);
    case "flag":
      if (typeof value !== "boolean") {
        throw new GameError(`${describe().field} is ${value}, which is neither true nor false`);
      }
      return value ? 1 : 0;
    case "choice": {
      const index = kind.words.indexOf(value as string);
      if (index < 0) {
        throw new GameError(
          `${describe().field} is "${value}", which is none of ${kind.words.join(", ")}`,
        );
      }
      return index;
    }
    case "reference": {
      if (value === undefined) return 0;
      const { id, name } = value as Referable;
      if (name !== kind.to) {
        throw new GameError(`${describe().field} refers to "${kind.to}", not to "${name}"`);
      }
      return id;
    }
  }
}

/**
 * Converts a new thing's fields to numbers. Fields that are left out stay 0, the first word, or
 * without a thing.
 * @param owner the thing's name, for errors
 * @param onHeld as in `FieldOwner`
 * @throws GameError if a name or a value does not fit
 */
export function rawFields(
  kinds: FieldKinds,
  values: Readonly<Record<string, unknown>>,
  { owner, onHeld }: { readonly owner: string; readonly onHeld: FieldOwner["onHeld"] },
): RawFields {
  const raw: RawFields = {};
  for (const name in values) {
    const kind = kinds[name];
    const value = values[name];
    const field = `${owner}.${name}`;
    const describe = () => ({ field, onHeld });
    if (kind === undefined) throw new GameError(`${owner} has no field ${name}`);
    if (value === undefined) continue;

    // One number
    if (typeof kind === "string" || kind.kind !== "list") {
      raw[name] = rawValue(kind, value, describe);
      continue;
    }

    // A list gives a number for each element
    const elements = value as readonly number[];
    if (elements.length > kind.length) {
      throw new GameError(`${field} has ${kind.length} numbers, not ${elements.length}`);
    }
    elements.forEach((element, i) =>
      raw[elementField(name, i)] = fittingNumber(kind.of, element, describe)
    );
  }

  return raw;
}
