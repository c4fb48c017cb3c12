/**
 * A command line as a checked value. One table names every flag, what it is about and what is allowed; the usage text, the
 * checks and the complaints are read from it, so they cannot disagree.
 */
import { parseArgs } from "node:util";
import * as z from "zod";
import { quoted } from "./quoted.ts";

/** A command line that cannot be obeyed; the message is one line for whoever typed it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What the process says of a command line that cannot be obeyed. */
export const EXIT_UNUSABLE = 2;

/** One flag. A switch has `switch: true` and takes no value; all others take one. */
export interface FlagDef {
  /** Checks the text and gives the value; with `.default` or `.optional` where the flag may be left out. */
  readonly schema: z.ZodType;
  readonly about: string;
  /** What is allowed, in words. */
  readonly allowed: string;
  readonly switch?: boolean;
}

export type FlagTable = Readonly<Record<string, FlagDef>>;
export type FlagValues<Table extends FlagTable> = { [Name in keyof Table]: z.output<Table[Name]["schema"]> };

/** A whole number `min` … `max` in decimal digits. */
export function wholeNumber(max: number, min = 0) {
  return z.string().regex(/^\d{1,10}$/).transform(Number).refine((value) => value >= min && value <= max);
}

/** Whether the flag is there: for `switch: true`. */
export function present() {
  return z.string().optional().transform((value) => value !== undefined);
}

/** One line for each flag. @param command what to type before them */
export function usage(command: string, table: FlagTable): string {
  const names = [...Object.keys(table), "help"];
  const width = Math.max(...names.map((name) => name.length));
  const lines = Object.entries(table).map(([name, { about, allowed }]) =>
    `  --${name.padEnd(width)}  ${about}${allowed === "" ? "" : `: ${allowed}`}`
  );
  return [`Usage: ${command} [flags]`, ...lines, `  --${"help".padEnd(width)}  this text`].join("\n");
}

/**
 * Reads the arguments after the program's name. Where a flag is given twice, the later one counts.
 * @returns the values, or "help" where that was asked for
 * @throws UsageError for an unknown flag, a value that is not allowed, or an argument that is no flag
 */
export function parseFlags<const Table extends FlagTable>(args: string[], table: Table): FlagValues<Table> | "help" {
  const text: Record<string, string> = {};
  for (const token of tokensOf(args, table)) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") throw new UsageError(`${quoted(token.value)} is no flag; ${allowedFlags(table)}`);
    if (token.name === "help") return "help";
    const flag = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (flag === undefined) throw new UsageError(`${quoted(token.rawName)} is no flag; ${allowedFlags(table)}`);
    if (flag.switch && token.value !== undefined) throw new UsageError(`--${token.name} takes no value`);
    if (!flag.switch && token.value === undefined) {
      throw new UsageError(`--${token.name} needs a value: ${flag.allowed}`);
    }
    text[token.name] = token.value ?? "";
  }
  return parseValues(text, table);
}

function parseValues<Table extends FlagTable>(text: Record<string, string>, table: Table): FlagValues<Table> {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, allowed }] of Object.entries(table)) {
    const result = schema.safeParse(text[name]);
    if (!result.success) {
      const given = text[name] === undefined ? "is needed" : `cannot be ${quoted(text[name])}`;
      throw new UsageError(`--${name} ${given}; allowed: ${allowed}`);
    }
    values[name] = result.data;
  }
  return values as FlagValues<Table>;
}

/** Not strict, so that the complaints are ours and name what is allowed. */
function tokensOf(args: string[], table: FlagTable) {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, flag]) => [name, { type: flag.switch ? "boolean" as const : "string" as const }]),
  );
  return parseArgs({ args, options, strict: false, tokens: true }).tokens;
}

function allowedFlags(table: FlagTable): string {
  return `allowed: ${Object.keys(table).map((name) => `--${name}`).join(" ")} --help`;
}
