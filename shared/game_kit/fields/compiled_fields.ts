/**
 * Compiles fields to the stage's numbers: one for each field, or for each element in a list.
 *
 * | kind      | on the stage                                                  |
 * | --------- | ------------------------------------------------------------- |
 * | flag      | u8: 0 or 1                                                    |
 * | choice    | u8: the index of the word                                     |
 * | clock     | u16                                                           |
 * | reference | u32: the id of the thing, 0 for none                          |
 * | list      | its type, so many times, named "laps 0", "laps 1", …          |
 */
import type { FieldSpec } from "../../physics/core/types.ts";
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
  /** The fields that may be out of range in a state from outside. */
  readonly bounds: readonly FieldBound[];
}

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
      return [[name, "u16"]];
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

/** Converts a field's value to its number. @param owner for the error, such as "car.hook" */
export function rawValue(
  kind: Exclude<FieldKind, { kind: "list" }>,
  value: unknown,
  owner: string,
): number {
  if (typeof kind === "string" || kind.kind === "clock") return value as number;
  switch (kind.kind) {
    case "flag":
      if (typeof value !== "boolean") {
        throw new GameError(`${owner} is ${value}, which is neither true nor false`);
      }
      return value ? 1 : 0;
    case "choice": {
      const index = kind.words.indexOf(value as string);
      if (index < 0) {
        throw new GameError(`${owner} is "${value}", which is none of ${kind.words.join(", ")}`);
      }
      return index;
    }
    case "reference": {
      if (value === undefined) return 0;
      const { id, name } = value as Referable;
      if (name !== kind.to) {
        throw new GameError(`${owner} refers to "${kind.to}", not to "${name}"`);
      }
      return id;
    }
  }
}

/**
 * Converts a new thing's fields to numbers. Fields that are left out stay 0, the first word, or
 * without a thing.
 * @param owner the thing's name, for errors
 * @throws GameError if a name or a value does not fit
 */
export function rawFields(
  kinds: FieldKinds,
  values: Readonly<Record<string, unknown>>,
  owner: string,
): RawFields {
  const raw: RawFields = {};
  for (const name in values) {
    const kind = kinds[name];
    const value = values[name];
    const field = `${owner}.${name}`;
    if (kind === undefined) throw new GameError(`${owner} has no field ${name}`);
    if (value === undefined) continue;

    // One number
    if (typeof kind === "string" || kind.kind !== "list") {
      raw[name] = rawValue(kind, value, field);
      continue;
    }

    // A list gives a number for each element
    const elements = value as readonly number[];
    if (elements.length > kind.length) {
      throw new GameError(`${field} has ${kind.length} numbers, not ${elements.length}`);
    }
    elements.forEach((element, i) => raw[elementField(name, i)] = element);
  }

  return raw;
}
