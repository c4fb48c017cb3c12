/**
 * Describes a game's commands by a table of fields. From it follow the neutral command, the codec
 * and the equality, and equal commands mostly share one object.
 *
 * Sharing matters because a match keeps a dozen commands a tick for seconds, too long for the
 * heap's young generation. The positions of its fields' values are the digits of a command's
 * number, and the number chooses a slot.
 */
import type { Codec } from "../../netcode/game.ts";
import type { Coder } from "../../netcode/wire/range_coder.ts";

/** What a page knows about one part of a rival's commands. */
export interface SeenPart<Value> {
  /** Its newest known value. */
  readonly value: Value;
  /** Ticks since then, at least 1. */
  readonly missingTicks: number;
  /**
   * For how many ticks, as far as the page knows, the player has held it: on one side of 0, and
   * without another press of the same button. 0 if it is neutral.
   */
  readonly heldTicks: number;
  /**
   * For how many ticks this player usually holds it: the mean of about the last eight times,
   * beginning with 0.1 s.
   */
  readonly usualTicks: number;
  /** Ticks per second. */
  readonly tickHz: number;
}

/** How one field of a command is guessed. Booleans are 0 and 1 here. */
export interface FieldGuess {
  /** The counter of the same button's presses; each press begins anew to hold it. */
  readonly of?: string | undefined;
  /**
   * @param report gets an author's mistake
   * @returns a value of the field
   */
  guess(seen: SeenPart<number>, report: (mistake: Error) => void): number;
}

/** One command field. */
export interface TableField<Value> {
  readonly neutral: Value;
  /** Whether the field becomes neutral while commands are missing. Press counters stay. */
  readonly isHeld: boolean;
  /** Its values are `count` whole numbers from `least` on, or two booleans. */
  readonly least: number;
  readonly count: number;
  /** How clients guess it of other players; by default it stays (`CommandGuesser`). */
  readonly guessed?: FieldGuess | undefined;
  /** Codes one field, as `Codec.code` codes a command. */
  code(value: Value, reference: Value, coder: Coder): Value;
}

/** The most slots, a prime. A new command replaces another one with the same remainder. */
const SLOTS_MAX = 4_093;

/** A command's fields by name, in wire order. */
type TableFields<Command> = { readonly [Name in keyof Command]: TableField<Command[Name]> };

/** A field with its name. */
export type NamedField<Command> = TableField<Command[keyof Command]> & {
  readonly name: keyof Command;
};

/**
 * Makes commands.
 * @typeParam Command a value for each field, by its name; at most 2^48 different ones
 */
export class CommandTable<Command extends object> {
  /** Its functions also work when called without it. */
  readonly codec: Codec<Command>;
  /** In wire order. */
  readonly fields: readonly NamedField<Command>[];
  readonly #slots: (Command | undefined)[];
  /** The number of the command in each slot. */
  readonly #numbers: number[] = [];

  constructor(table: TableFields<Command>) {
    // The fields, in the table's order
    const names = Object.keys(table) as (keyof Command)[];
    const fields = this.fields = names.map((name): NamedField<Command> => ({
      ...table[name],
      name,
    }));

    // A slot for each command, so that equal commands become one object
    this.#slots = new Array(
      Math.min(SLOTS_MAX, fields.reduce((product, { count }) => product * count, 1)),
    );
    this.#slots.fill(undefined);

    this.codec = {
      neutral: this.commandOf({}),
      code: (value, reference, coder) => {
        let number = 0;
        for (const field of fields) {
          const { name } = field;
          number = appendDigit(number, field, field.code(value[name], reference[name], coder));
        }
        return this.#withNumber(number);
      },
      same(a, b) {
        if (a === b) return true;
        for (const { name } of fields) if (a[name] !== b[name]) return false;
        return true;
      },
    };
  }

  /** Returns the command with these values; fields that are left out are neutral. */
  commandOf(values: Partial<Command>): Command {
    let number = 0;
    for (const field of this.fields) {
      number = appendDigit(number, field, values[field.name] ?? field.neutral);
    }
    return this.#withNumber(number);
  }

  /** Returns the command with other values in some of its fields. */
  changed(command: Command, values: Partial<Command>): Command {
    let number = 0;
    for (const field of this.fields) {
      number = appendDigit(number, field, values[field.name] ?? command[field.name]);
    }
    return this.#withNumber(number);
  }

  /** Returns the command with nothing held. Press counters and other fields stay. */
  release(command: Command): Command {
    let number = 0;
    for (const field of this.fields) {
      number = appendDigit(number, field, field.isHeld ? field.neutral : command[field.name]);
    }
    return this.#withNumber(number);
  }

  #withNumber(number: number): Command {
    const slot = number % this.#slots.length;
    const known = this.#slots[slot];
    if (known !== undefined && this.#numbers[slot] === number) return known;
    this.#numbers[slot] = number;
    return this.#slots[slot] = this.#newCommand(number);
  }

  #newCommand(number: number): Command {
    const entries: [keyof Command, unknown][] = [];
    // The last field is the last digit.
    for (let i = this.fields.length - 1; i >= 0; i--) {
      const { name, neutral, least, count } = this.fields[i]!;
      const digit = number % count;
      entries.unshift([name, typeof neutral === "boolean" ? digit === 1 : digit + least]);
      number = (number - digit) / count;
    }
    return Object.freeze(Object.fromEntries(entries)) as Command;
  }
}

function appendDigit<Value>(
  number: number,
  { count, least }: TableField<Value>,
  value: Value,
): number {
  return number * count + Number(value) - least;
}
