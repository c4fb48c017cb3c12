/**
 * Parses command lines. One table has every flag with its purpose and its allowed values. The usage
 * text, the checks and the error messages all come from the table, so they cannot disagree.
 */
import { parseArgs } from "node:util";
import * as z from "zod";
import { quoted } from "./quoted.ts";
import { UsageError } from "./usage_error.ts";

export { EXIT_UNUSABLE, UsageError } from "./usage_error.ts";

/** One flag. A flag with `switch: true` takes no value; all others take one. */
export interface FlagDef {
  /**
   * Checks the text and returns the value; with `.default` or `.optional` if the flag may be
   * omitted.
   */
  readonly schema: z.ZodType;
  /** The purpose of the flag. */
  readonly about: string;
  /** The allowed values in words. */
  readonly allowed: string;
  readonly switch?: boolean;
  /** Whether its text may have a secret: then no message repeats it. */
  readonly secret?: boolean;
}

export type FlagTable = Readonly<Record<string, FlagDef>>;
export type FlagValues<Table extends FlagTable> = {
  [Name in keyof Table]: z.output<Table[Name]["schema"]>;
};

/** The schema of a whole number `min` … `max` in decimal digits. */
export function wholeNumber(max: number, min = 0) {
  return z.string().regex(/^\d{1,10}$/).transform(Number).refine((value) =>
    value >= min && value <= max
  );
}

/**
 * The schema of a comma list of some `names`, or "all". Its value has each name once, in the order
 * of `names`.
 */
export function someOf(names: readonly string[]) {
  return z.string().transform((list) => list === "all" ? names : list.split(","))
    .refine((list) => list.every((name) => names.includes(name)))
    .transform((list) => names.filter((name) => list.includes(name)));
}

/** A rate: so many at one instant, and so many per second for ever. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** The schema of a rate as BURST/PERSECOND, such as 100/20, each 1 … 1,000,000. */
export function rate() {
  return z.string().regex(/^[1-9]\d{0,6}\/[1-9]\d{0,6}$/).transform((text): Rate => {
    const [burst, perSecond] = text.split("/").map(Number);
    return { burst: burst!, perSecond: perSecond! };
  });
}

/** The schema of a flag with `switch: true`: whether it is given. */
export function present() {
  return z.string().optional().transform((value) => value !== undefined);
}

/**
 * The usage text, one line per flag.
 * @param command the text before the flags
 * @param helps what `--help` and other words behind it show
 */
export function usage(
  command: string,
  table: FlagTable,
  helps: Readonly<Record<string, string>> = { help: "this text" },
): string {
  const lines = Object.entries(table).map(([name, { about, allowed }]) =>
    [name, `${about}${allowed === "" ? "" : `: ${allowed}`}`] as const
  );
  const all = [...lines, ...Object.entries(helps)];
  const width = Math.max(...all.map(([name]) => name.length));
  const texts = all.map(([name, text]) => `  --${name.padEnd(width)}  ${text}`);
  return [`Usage: ${command} [flags]`, ...texts].join("\n");
}

/** Texts of settings by the flags' names, from a place that counts less than the command line. */
export interface FlagSource {
  readonly texts: Readonly<Record<string, string>>;
  /** How error messages name the setting here, such as `WYVERN_PORT`. */
  label(name: string): string;
}

/**
 * Parses the arguments after the program's name. If a flag is given twice, the later one counts.
 * @returns the values, or "help" for `--help`
 * @throws UsageError for an unknown flag, a value that is not allowed, or an argument that is no
 *   flag
 */
export function parseFlags<const Table extends FlagTable>(
  args: string[],
  table: Table,
): FlagValues<Table> | "help" {
  const texts = readFlags(args, table);
  return texts === "help" ? texts : parseValues([flagSource(texts)], table);
}

/** The command line as a source. @param texts as `readFlags` returns them */
export function flagSource(texts: Readonly<Record<string, string>>): FlagSource {
  return { texts, label: (name) => `--${name}` };
}

/**
 * Reads the flags' texts without a check of their values; a switch has the empty text.
 * @throws UsageError for an unknown flag, an argument that is no flag, or a flag without its value
 */
export function readFlags(args: string[], table: FlagTable): Record<string, string> | "help" {
  const texts: Record<string, string> = {};
  for (const token of tokensOf(args, table)) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      throw new UsageError(`${quoted(token.value)} is no flag; ${allowedFlags(table)}`);
    }
    if (token.name === "help") return "help";
    const flag = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (flag === undefined) {
      throw new UsageError(`${quoted(token.rawName)} is no flag; ${allowedFlags(table)}`);
    }
    if (flag.switch && token.value !== undefined) {
      throw new UsageError(`--${token.name} takes no value`);
    }
    if (!flag.switch && token.value === undefined) {
      throw new UsageError(`--${token.name} needs a value: ${flag.allowed}`);
    }
    texts[token.name] = token.value ?? "";
  }

  return texts;
}

/**
 * Checks the values of all flags.
 * @param sources the first one that has a text for a flag counts
 * @throws UsageError for a value that is not allowed
 */
export function parseValues<Table extends FlagTable>(
  sources: readonly FlagSource[],
  table: Table,
): FlagValues<Table> {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, allowed, secret }] of Object.entries(table)) {
    const source = sources.find(({ texts }) => Object.hasOwn(texts, name));
    const text = source?.texts[name];
    const result = schema.safeParse(text);
    if (!result.success) {
      const shown = text !== undefined && !secret && quoted(text);
      const given = text === undefined ? "is needed" : `cannot be ${shown || "this"}`;
      throw new UsageError(`${source?.label(name) ?? `--${name}`} ${given}; allowed: ${allowed}`);
    }
    values[name] = result.data;
  }
  return values as FlagValues<Table>;
}

/** Not strict, so that `parseFlags` throws the errors, which list the allowed values. */
function tokensOf(args: string[], table: FlagTable) {
  const options = Object.fromEntries(
    Object.entries(table).map((
      [name, flag],
    ) => [name, { type: flag.switch ? "boolean" as const : "string" as const }]),
  );
  return parseArgs({ args, options, strict: false, tokens: true }).tokens;
}

function allowedFlags(table: FlagTable): string {
  return `allowed: ${Object.keys(table).map((name) => `--${name}`).join(" ")} --help`;
}
