/**
 * Between commands, which travel, and inputs, which devices and `think` give and which rules see.
 *
 *     command = quantize( input, command before )        input = read( command, counters of the state )
 *
 * The counters of presses are part of the command and of the state of each player's thing. The
 * rules see their difference, so each press counts once, also if its own command came too late.
 */
import type { FieldBound } from "../fields/compiled_fields.ts";
import { GameError } from "../game_error.ts";
import type { Choices } from "../fields/kinds.ts";
import type { CommandTable } from "./command_table.ts";
import { AIM_STEPS, type Command, type CommandPart, type CommandParts } from "./parts.ts";

const TURN = 2 * Math.PI;
/** A counter is 2 bits wide. */
const PRESSES_MAX = 3;

/** An input: a number for axis, aim, dial and press, a boolean for hold, a word for a choice. */
export type LooseInput = Readonly<Record<string, number | boolean | string | undefined>>;

/** The hidden fields of a player's thing, by part. A field name of an author has no space. */
const seenField = (part: string) => `seen ${part}`;
const joinField = (choice: string) => `join ${choice}`;

/** One part with what it needs. */
interface Row {
  readonly name: string;
  readonly kind: CommandPart["kind"] | "join";
  /** Steps of an axis to each side, steps of a turn, values of a dial. */
  readonly steps: number;
  /** The words of a choice. */
  readonly words: readonly string[];
  /** The field of a player's thing that keeps it: counters, dials, choices. */
  readonly kept: string;
}

/** Makes commands and inputs of one game. */
export class Inputs {
  readonly #rows: readonly Row[];
  readonly #table: CommandTable<Command>;
  /** Scratch: a value for each part. */
  readonly #values: Record<string, number> = {};

  constructor(parts: CommandParts, join: Choices, table: CommandTable<Command>) {
    this.#table = table;
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
  }

  /**
   * The fields that keep something of a player's commands, and how many values each has. Each fits
   * 8 bits.
   */
  get keptFields(): readonly FieldBound[] {
    return this.#rows.filter(({ kept }) => kept !== "").map(({ kept: field, steps: count }) => ({
      field,
      count,
    }));
  }

  /**
   * The command that an input means, with each number rounded to a step within its range.
   * @param input parts that it leaves out are neutral; an aim, a dial and a choice stay
   * @param before the command before, or what `keptCommand` returns
   * @throws GameError for a word that is none of its choice, and a name that is no part
   */
  quantize(input: LooseInput, before: Command): Command {
    const values = this.#values;
    for (const name in input) {
      if (before[name] === undefined) throw new GameError(`"${name}" is no part of the command`);
    }
    for (const row of this.#rows) {
      values[row.name] = quantizePart(row, input[row.name], before[row.name]!);
    }
    return this.#table.commandOf(values);
  }

  /** An input for `read`. */
  newInput(): Record<string, number | boolean | string> {
    return Object.seal(
      Object.fromEntries(
        this.#rows.map(({ name, kind, words }) => [name, firstInput(kind, words)]),
      ),
    );
  }

  /**
   * Sets an input to what a command means for a thing, and keeps its counters in the thing's
   * fields.
   * @param kept the fields of a player's thing
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
          // The choice of the first command stays; later commands do not change it.
          input[name] = row.words[kept[row.kept]!]!;
      }
    }
  }

  /** The fields of a new player's thing: its first command presses nothing. */
  keep(command: Command, fields: Record<string, number>): void {
    for (const { name, kept } of this.#rows) if (kept !== "") fields[kept] = command[name]!;
  }

  /** A command with all that a thing keeps, and nothing else. */
  keptCommand(kept: Readonly<Record<string, number>>): Command {
    const { neutral } = this.#table.codec;
    const values = this.#values;
    for (const row of this.#rows) {
      values[row.name] = row.kept === "" ? neutral[row.name]! : kept[row.kept]!;
    }
    return this.#table.commandOf(values);
  }

  /** The words that a player chose. */
  chosen(command: Command): Record<string, string> {
    const rows = this.#rows.filter(({ kind }) => kind === "join");
    return Object.fromEntries(rows.map(({ name, words }) => [name, words[command[name]!]!]));
  }

  /**
   * Whether a command moves a body far if others expect that it stays as `before`: presses, and an
   * axis that turns round by at least the way from its middle to its end. A stick that trembles
   * about its middle is not urgent.
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

function rowOf(name: string, part: CommandPart): Row {
  const { kind } = part;
  const keeps = kind === "press" || kind === "dial";
  return { name, kind, steps: stepsOf(part), words: [], kept: keeps ? seenField(name) : "" };
}

/** @returns steps of an axis to each side, of a turn, or the number of values */
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

  // An input without a number for an aim or a dial leaves it as it was.
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
