/** Deno std's YAML, from npm. That package has no types. */
import * as yaml from "deno-std/yaml/parse.js";

const { parse, parseAll } = yaml as {
  parse: (text: string) => unknown;
  parseAll: (text: string) => unknown;
};

/** @throws SyntaxError for a text that is no YAML, or has a key twice */
export const parseYaml = parse;

/**
 * The documents of a text, which lines of three hyphens separate.
 * @throws SyntaxError as `parseYaml`
 */
export const parseYamls = parseAll as (text: string) => unknown[];
