/**
 * Translates between commands, which travel, and inputs, which devices and `think` give and rules
 * see.
 *
 *     command = quantize( input, command before )        input = read( command, counters of the state )
 *
 * Press counters are in the command and in the state of each player's thing. Rules see the
 * difference, so each press counts once, even if its own command came too late.
 */
import type { FieldBound } from "../fields/compiled_fields.ts";
import { GameError, listed } from "../game_error.ts";
import type { Choices } from "../fields/kinds.ts";
import type { CommandTable } from "./command_table.ts";
import { AIM_STEPS, type Command, type CommandPart, type CommandParts } from "./parts.ts";

const TURN = 2 * Math.PI;
/** A counter is 2 bits wide. */
const PRESSES_MAX = 3;

/**
 * An input: a number for an axis, aim, dial or press, a boolean for a hold, a word for a choice.
 */
export type LooseInput = Readonly<Record<string, number | boolean | string | undefined>>;

/** The hidden fields in a player's thing, by part. Authors' field names contain no space. */
const seenField = (part: string) => `seen ${part}`;
const joinField = (choice: string) => `join ${choice}`;

/** One part, prepared for conversion. */
interface Row {
  readonly name: string;
  readonly kind: CommandPart["kind"] | "join";
  /** An axis's steps to each side, an aim's steps in a turn, or the number of values. */
  readonly steps: number;
  /** A choice's words. */
  readonly words: readonly string[];
  /**
   * The field in a player's thing that keeps counters, dials and choices; empty for other parts.
   */
  readonly kept: string;
}

/** A part of which a player's thing keeps something. */
interface KeptPart {
  readonly part: string;
  readonly field: string;
  /** Whether it is a choice of `join`, which the first command makes. */
  readonly isChoice: boolean;
}

/** Converts one game's commands and inputs. */
export class Inputs {
  readonly #rows: readonly Row[];
  readonly #rowsByName: ReadonlyMap<string, Row>;
  readonly #table: CommandTable<Command>;
  readonly #leftOut: string | undefined;
  readonly #keptParts: readonly KeptPart[];
  /** Scratch: a value for each part. */
  readonly #values: Record<string, number> = {};

  /** @param leftOut a member of inputs that is no part, because plans read it */
  constructor(
    parts: CommandParts,
    join: Choices,
    { commands, leftOut }: {
      readonly commands: CommandTable<Command>;
      readonly leftOut?: string | undefined;
    },
  ) {
    this.#table = commands;
    this.#leftOut = leftOut;
    this.#rows = [
      ...Object.entries(parts).map(([name, part]) => rowOf(name, part)),
      ...Object.entries(join).map(([name, { words }]): Row => ({
        name,
        kind: "join",
        steps: words.length,
        words,
        kept: joinField(name),
      })),
    ];
    this.#rowsByName = new Map(this.#rows.map((row) => [row.name, row]));
    this.#keptParts = this.#rows.filter(({ kept }) => kept !== "").map(
      ({ name: part, kept: field, kind }) => ({ part, field, isChoice: kind === "join" }),
    );
  }

  /**
   * The fields that keep something from a player's commands, and how many values each takes. Each
   * fits in 8 bits.
   */
  get keptFields(): readonly FieldBound[] {
    return this.#rows.filter(({ kept }) => kept !== "").map(({ kept: field, steps: count }) => ({
      field,
      count,
    }));
  }

  /**
   * Makes the command that an input means, with each number rounded to a step within its range.
   * @param input parts that it leaves out are neutral; an aim, a dial and a choice stay
   * @param before the previous command, or what `keptCommand` returns
   * @throws GameError if a word is not in its choice, or a name is not a part
   */
  quantize(input: LooseInput, before: Command): Command {
    const values = this.#values;
    for (const name in input) {
      if (before[name] !== undefined || name === this.#leftOut) continue;
      throw new GameError(`"${name}" is no part of the command`);
    }
    for (const row of this.#rows) {
      values[row.name] = quantizePart(row, input[row.name], before[row.name]!);
    }
    return this.#table.commandOf(values);
  }

  /**
   * Checks what `think` returns, which has no device's excuse for a number that is none.
   * @param thing whose input it is, for the error, such as "car 12"
   * @throws GameError that names thing and part
   */
  checkThought(input: LooseInput, thing: { toString(): string }): void {
    for (const name in input) {
      if (name === this.#leftOut) continue;
      const row = this.#rowsByName.get(name);
      if (row === undefined) {
        throw new GameError(
          `think of ${thing} returns "${name}", which is no part of the command: ${
            listed(this.#rows.map(({ name }) => name))
          }`,
        );
      }
      const value = input[name];
      if (value === undefined || row.kind === "join" || Number.isFinite(value)) continue;
      if (row.kind === "hold" && typeof value === "boolean") continue;
      throw new GameError(
        `think of ${thing} returns ${name}: ${value}; ${
          row.kind === "hold" ? "a hold is true or false" : `${wordOf(row.kind)} is a finite number`
        }`,
      );
    }
  }

  /** The parts of which a thing keeps something, and the fields that keep it. */
  get keptParts(): readonly KeptPart[] {
    return this.#keptParts;
  }

  /** Creates an input for `read` to fill. */
  newInput(): Record<string, number | boolean | string> {
    return Object.seal(
      Object.fromEntries(
        this.#rows.map(({ name, kind, words }) => [name, firstInput(kind, words)]),
      ),
    );
  }

  /**
   * Sets an input to what a command means for a thing, and keeps the command's counters in the
   * thing's fields.
   * @param kept the fields in a player's thing
   */
  read(
    command: Command,
    kept: Record<string, number>,
    input: Record<string, number | boolean | string>,
  ): void {
    const rows = this.#rows;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const { name } = row;
      const value = command[name]!;
      switch (row.kind) {
        case "axis":
          input[name] = value / row.steps;
          break;
        case "aim":
          input[name] = value * TURN / row.steps;
          break;
        case "hold":
          input[name] = value === 1;
          break;
        case "dial":
          input[name] = value;
          if (kept[row.kept] !== value) kept[row.kept] = value;
          break;
        case "press":
          input[name] = (value - kept[row.kept]!) & PRESSES_MAX;
          if (kept[row.kept] !== value) kept[row.kept] = value;
          break;
        case "join":
          // The first command's choice stays; later commands do not change it.
          input[name] = row.words[kept[row.kept]!]!;
      }
    }
  }

  /** Fills a new player's fields so that the first command presses nothing. */
  keep(command: Command, fields: Record<string, number>): void {
    for (const { name, kept } of this.#rows) if (kept !== "") fields[kept] = command[name]!;
  }

  /** Makes a command from what a thing keeps, otherwise neutral. */
  keptCommand(kept: Readonly<Record<string, number>>): Command {
    const { neutral } = this.#table.codec;
    const values = this.#values;
    for (const row of this.#rows) {
      values[row.name] = row.kept === "" ? neutral[row.name]! : kept[row.kept]!;
    }
    return this.#table.commandOf(values);
  }

  /** Finds the words that a player chose. */
  chosen(command: Command): Record<string, string> {
    const rows = this.#rows.filter(({ kind }) => kind === "join");
    return Object.fromEntries(rows.map(({ name, words }) => [name, words[command[name]!]!]));
  }

  /**
   * Whether a command moves a body far from where others expect it with `before`: it presses, or
   * reverses an axis by at least the way from its middle to its end. A stick that trembles about
   * its middle is not urgent.
   */
  isUrgent(command: Command, before: Command): boolean {
    for (const { name, kind, steps } of this.#rows) {
      const value = command[name]!;
      const last = before[name]!;
      if (kind === "press" && value !== last) return true;
      if (kind === "axis" && value * last < 0 && Math.abs(value - last) >= steps) return true;
    }
    return false;
  }
}

/**
 * Rounds a part's value, as rules see it, to what travels.
 * @returns the neutral value for what is no number
 */
export function quantizedPart(name: string, part: CommandPart, value: number | boolean): number {
  return quantizePart(rowOf(name, part), value, 0);
}

function wordOf(kind: string): string {
  return `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
}

function rowOf(name: string, part: CommandPart): Row {
  const { kind } = part;
  const keeps = kind === "press" || kind === "dial";
  return { name, kind, steps: stepsOf(part), words: [], kept: keeps ? seenField(name) : "" };
}

/** @returns an axis's steps to each side, an aim's steps in a turn, or the number of values */
function stepsOf(part: CommandPart): number {
  switch (part.kind) {
    case "axis":
      return part.steps ?? 1;
    case "aim":
      return part.steps ?? AIM_STEPS;
    case "dial":
      return part.values;
    case "press":
      return PRESSES_MAX + 1;
    case "hold":
      return 2;
  }
}

function firstInput(kind: Row["kind"], words: readonly string[]): number | boolean | string {
  if (kind === "hold") return false;
  return kind === "join" ? words[0]! : 0;
}

function quantizePart(
  { name, kind, steps, words }: Row,
  given: LooseInput[string],
  before: number,
): number {
  if (kind === "join") return given === undefined ? before : indexOfWord(name, words, given);
  const stays = kind === "aim" || kind === "dial";
  const value = Number(given);
  const isNumber = given !== undefined && Number.isFinite(value);

  // Without a number in the input, an aim or a dial stays as it was.
  if (!isNumber && stays) return before;
  const number = isNumber ? value : 0;

  switch (kind) {
    case "axis":
      return within(number * steps, -steps, steps);
    case "aim":
      return Math.round((number / TURN - Math.floor(number / TURN)) * steps) % steps;
    case "dial":
      return within(number, 0, steps - 1);
    case "press":
      return (before + within(number, 0, PRESSES_MAX)) & PRESSES_MAX;
    case "hold":
      return number === 0 ? 0 : 1;
  }
}

function within(value: number, least: number, greatest: number): number {
  return Math.max(least, Math.min(greatest, Math.round(value))) + 0;
}

function indexOfWord(name: string, words: readonly string[], word: LooseInput[string]): number {
  const index = words.indexOf(word as string);
  if (index < 0) {
    throw new GameError(`"${word}" is none of ${words.join(", ")}, the words of ${name}`);
  }
  return index;
}
