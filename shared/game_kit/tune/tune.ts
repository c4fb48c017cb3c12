/**
 * Constants that their author tunes while a match goes on. A server in development lets a player's
 * command set one of them, so the change is a command like any other: every client steps it at the
 * same tick, and the log repeats it. All other servers take such changes out of commands, so every
 * match keeps the declared values there.
 *
 *     command: 0, or which constant gets which of its values       state: the value's index
 *     values: the declared one, then the slider's from its lower end on
 */
import type { CommandFieldSchema } from "../../netcode/game.ts";
import type { FieldBound } from "../fields/compiled_fields.ts";
import type { Command } from "../command/parts.ts";

/** A constant of the rules: `tune(…)`. */
export interface TunedConstant {
  readonly kind: "tune";
  /** The value that the rules begin with, and the only one outside development. */
  readonly value: number;
  /** The slider's lower end. */
  readonly min: number;
  /** Its upper end. */
  readonly max: number;
  /** The slider's step. */
  readonly step: number;
}

/** Constants by name. */
export type TunedConstants = Readonly<Record<string, TunedConstant>>;

/** The most steps of a slider: a step and the declared value fit in a byte of the state. */
export const TUNE_STEPS_MAX = 254;
/** How many steps a slider has if its declaration names no step. */
export const TUNE_STEPS = 100;
/** Decimals of a value: it reads as an author would write it, without 0.30000000000000004. */
const ROUNDING = 1e6;
const ROUNDING_ERROR = 1e-6;

/** The part of the command that changes a constant. Authors' names contain no space. */
export const TUNE_PART = "kit tune";
/** The chance, of 4096, that a command changes no constant. */
const UNCHANGED = 4_095;

/**
 * Declares a constant that a slider changes under `deno task dev`, while the match goes on. Rules
 * read it as `world.tune.NAME`.
 * @param value what it is at first, and always outside development: `min` … `max`
 * @param options.step by default a hundredth of the range; at most 254 steps fit between the ends
 */
export function tune(
  value: number,
  { min, max, step = (max - min) / TUNE_STEPS }: {
    readonly min: number;
    readonly max: number;
    readonly step?: number;
  },
): TunedConstant {
  return { kind: "tune", value, min, max, step };
}

/** How many steps lie between the ends of a constant. */
export function tuneSteps({ min, max, step }: TunedConstant): number {
  // 0.3 has three steps of 0.1, although the quotient is less.
  return Math.floor((max - min) / step + ROUNDING_ERROR);
}

/** One constant, prepared for commands and for the state. */
interface Row {
  readonly name: string;
  readonly field: string;
  /** The declared value, then the slider's. */
  readonly values: readonly number[];
  /** The command's number for the declared value. */
  readonly first: number;
}

/** Translates between commands, states and values of one game's constants. */
export class Tuning {
  readonly #rows: readonly Row[];
  /** The greatest number in a command. */
  readonly #greatest: number;

  /** @param constants checked ones */
  constructor(constants: TunedConstants) {
    let next = 1;
    this.#rows = Object.entries(constants).map(([name, constant]) => {
      const values = tuneValues(constant);
      const first = next;
      next += values.length;
      return { name, field: `tune ${name}`, values, first };
    });
    this.#greatest = next - 1;
  }

  get hasConstants(): boolean {
    return this.#greatest > 0;
  }

  /** The match's fields that hold the constants. */
  get fields(): readonly FieldBound[] {
    return this.#rows.map(({ field, values }) => ({ field, count: values.length }));
  }

  /** The command's field, or none for a game without such constants. */
  get schema(): readonly CommandFieldSchema[] {
    if (!this.hasConstants) return [];
    return [{
      name: TUNE_PART,
      type: "number",
      least: 0,
      greatest: this.#greatest,
      wraps: false,
      neutral: 0,
      held: true,
      unchanged: UNCHANGED,
    }];
  }

  /** Makes what rules and views read, which shows the state's values. */
  readerOf(state: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
    const reader = {};
    for (const { name, field, values } of this.#rows) {
      Object.defineProperty(reader, name, { enumerable: true, get: () => values[state[field]!] });
    }
    return Object.freeze(reader);
  }

  /** Sets in the state what a command changes. */
  apply(command: Command, state: Record<string, number>): void {
    const number = command[TUNE_PART]!;
    if (number === 0) return;
    const row = this.#rows.findLast(({ first }) => first <= number)!;
    state[row.field] = number - row.first;
  }

  /**
   * Returns the command's number for the nearest value that a constant can have.
   * @throws RangeError for a name that no constant has
   */
  numberOf(name: string, value: number): number {
    const row = this.#rows.find((row) => row.name === name);
    if (row === undefined) throw new RangeError(`no constant is named "${name}"`);
    return row.first + row.values.indexOf(nearest(row.values, value));
  }
}

/** The values that a constant can have: the declared one, then the slider's, ascending. */
export function tuneValues(constant: TunedConstant): readonly number[] {
  const { value, min, step } = constant;
  const count = tuneSteps(constant) + 1;
  const stepped = Array.from(
    { length: count },
    (_, i) => Math.round((min + i * step) * ROUNDING) / ROUNDING,
  );
  return [value, ...stepped];
}

/** Finds the first of the values that is nearest to a number. */
export function nearest(values: readonly number[], to: number): number {
  const distances = values.map((value) => Math.abs(value - to));
  return values[distances.indexOf(Math.min(...distances))]!;
}
