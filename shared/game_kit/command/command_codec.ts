/**
 * The codec of a game's commands, from their fields. A command is one whole number for each field.
 *
 * A match keeps a dozen commands a tick for seconds, too long for the heap's young generation. Equal commands therefore
 * mostly share one object: a command has a number, whose digits are its values, and a slot of a table for that number.
 */
import type { Codec, CommandFieldSchema } from "../../netcode/game.ts";
import { type FieldCoder, fieldCoderOf } from "../../netcode/wire/command_fields.ts";
import type { Coder } from "../../netcode/wire/range_coder.ts";
import { GameError } from "../game_error.ts";
import type { Command } from "./parts.ts";

/** 2^48: the number of a command is exact. */
const COMMANDS_MAX = 281_474_976_710_656;
/** A prime: a table of at most so many commands. A new one takes the place of another one with the same remainder. */
const SLOTS_MAX = 4_093;

interface CommandField {
  readonly name: string;
  readonly neutral: number;
  readonly isHeld: boolean;
  /** Its numbers are `least` … `least + count − 1`. */
  readonly least: number;
  readonly count: number;
  readonly code: FieldCoder;
}

/** The codec, and what else a table of fields can say about commands. */
export class CommandCodec implements Codec<Command> {
  readonly neutral: Command;
  readonly #fields: readonly CommandField[];
  readonly #slots: (Command | undefined)[];
  /** The numbers of the commands in the slots. */
  readonly #numbers: Float64Array;
  /** Scratch: a value for each field. */
  readonly #values: number[];

  /** @throws GameError for fields with too many commands; RangeError for a field that is out of range */
  constructor(schema: readonly CommandFieldSchema[]) {
    this.#fields = schema.map((field) => {
      const { name, neutral, held: isHeld } = field, { least, greatest } = rangeOf(field);
      return { name, neutral, isHeld, least, count: greatest - least + 1, code: fieldCoderOf(field) };
    });
    const count = this.#fields.reduce((product, field) => product * field.count, 1);
    if (count > COMMANDS_MAX) throw new GameError("the parts of the command have over 2^48 values together");
    const slots = Math.min(count, SLOTS_MAX);
    this.#slots = new Array(slots).fill(undefined);
    this.#numbers = new Float64Array(slots);
    this.#values = this.#fields.map(({ neutral }) => neutral);
    this.neutral = this.commandOf(this.#values);
  }

  code(value: Command, reference: Command, coder: Coder): Command {
    const fields = this.#fields, values = this.#values;
    for (let i = 0; i < fields.length; i++) {
      const { name, code } = fields[i]!;
      values[i] = code(value[name]!, reference[name]!, coder);
    }
    return this.commandOf(values);
  }

  same(a: Command, b: Command): boolean {
    if (a === b) return true;
    for (const { name } of this.#fields) if (a[name] !== b[name]) return false;
    return true;
  }

  /** @param values a whole number within its range for each field, in the order of the fields */
  commandOf(values: readonly number[]): Command {
    const fields = this.#fields;
    let number = 0;
    for (let i = 0; i < fields.length; i++) number = number * fields[i]!.count + (values[i]! - fields[i]!.least);
    const slot = number % this.#slots.length, known = this.#slots[slot];
    if (known !== undefined && this.#numbers[slot] === number) return known;
    const command = Object.freeze(Object.fromEntries(fields.map(({ name }, i) => [name, values[i]! + 0])));
    this.#slots[slot] = command;
    this.#numbers[slot] = number;
    return command;
  }

  /** The command with nothing held. Press counters and all that stays are the same. */
  release(command: Command): Command {
    const values = this.#values;
    for (const [i, { name, neutral, isHeld }] of this.#fields.entries()) values[i] = isHeld ? neutral : command[name]!;
    return this.commandOf(values);
  }
}

function rangeOf(field: CommandFieldSchema): { least: number; greatest: number } {
  if (field.type === "number") return field;
  return { least: field.values[0]!, greatest: field.values.at(-1)! };
}
