/** Deno std's TOML, from npm. That package has no types. */
import * as toml from "deno-std/toml/parse.js";

/** @throws SyntaxError for a text that is no TOML */
export const parseToml = (toml as { parse: (text: string) => Record<string, unknown> }).parse;
