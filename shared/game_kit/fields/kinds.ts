/**
 * The kinds of fields that things and the match may declare, besides the stage's numbers:
 *
 * | kind                        | value                                                                         |
 * | --------------------------- | ----------------------------------------------------------------------------- |
 * | `flag()`                    | a boolean; false at first                                                     |
 * | `choice("blue", "orange")`  | one of the words; the first one at first                                      |
 * | `clock()`                   | ticks left, which count down to 0 by themselves, before the rules of each tick |
 * | `stopwatch()`               | ticks since it was set to 0, which count up to 255 by themselves, at that time |
 * | `reference("ball")`         | a thing of that name, or undefined; undefined once it is gone                 |
 * | `list("u8", 4)`             | so many numbers, each 0 at first                                              |
 */
import type { FieldType } from "../../body_list.ts";

/** A field: `flag()`. */
export interface Flag {
  readonly kind: "flag";
}

/** A field, or a choice of `join` or `options`: `choice(…)`. */
export interface Choice<Word extends string = string> {
  readonly kind: "choice";
  /** 1 … 256 different words. */
  readonly words: readonly Word[];
}

/** A field: `clock()`. */
export interface Clock {
  readonly kind: "clock";
}

/** A field: `stopwatch()`. */
export interface Stopwatch {
  readonly kind: "stopwatch";
}

/** A field: `reference(…)`. */
export interface Reference<ThingName extends string = string> {
  readonly kind: "reference";
  /** The name of the things that it may refer to. */
  readonly to: ThingName;
}

/** A field: `list(…)`. */
export interface NumberList {
  readonly kind: "list";
  /** Its numbers' type. */
  readonly of: FieldType;
  /** 1 … 64. */
  readonly length: number;
}

/** A stage number such as "u8", or one of the kit's kinds. */
export type FieldKind = FieldType | Flag | Choice | Clock | Stopwatch | Reference | NumberList;

/** A thing's or the match's fields by name. */
export type FieldKinds = Readonly<Record<string, FieldKind>>;

/** Words to choose from, by the choice's name. */
export type Choices = Readonly<Record<string, Choice>>;

/** Declares a field that is true or false. */
export function flag(): Flag {
  return { kind: "flag" };
}

/** Declares a choice between 1 … 256 different words; it starts with the first. */
export function choice<const Word extends string>(
  ...words: readonly [Word, ...Word[]]
): Choice<Word> {
  return { kind: "choice", words };
}

/** Declares ticks that are left, 0 … 65,535. Assign `world.ticks(seconds)` in rules. */
export function clock(): Clock {
  return { kind: "clock" };
}

/**
 * Declares ticks since something happened, 0 … 255. Assign 0 when it happens. It stays at 255, so
 * assign 255 for what has never happened.
 */
export function stopwatch(): Stopwatch {
  return { kind: "stopwatch" };
}

/** Declares a field that refers to a thing with this name, or undefined. */
export function reference<const ThingName extends string>(to: ThingName): Reference<ThingName> {
  return { kind: "reference", to };
}

/** Declares a fixed number of numbers. @param length 1 … 64 */
export function list(of: FieldType, length: number): NumberList {
  return { kind: "list", of, length };
}

/** The words of a choice. */
type WordOf<Kind> = Kind extends Choice<infer Word> ? Word : never;

/** The chosen word of each choice. */
export type Chosen<C> = { readonly [Name in keyof C]: WordOf<C[Name]> };
