/** Deno std's YAML, from npm. That package has no types. */
import * as yaml from "deno-std/yaml/parse.js";

/** @throws SyntaxError for a text that is no YAML */
export const parseYaml = (yaml as { parse: (text: string) => unknown }).parse;
