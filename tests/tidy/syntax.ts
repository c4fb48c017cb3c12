/** Reads syntax trees of TypeScript and JavaScript with the parser of `deno lint`. */
import { fileURLToPath } from "node:url";
import type { FileSyntax } from "./syntax_plugin.ts";

/** A command line of more files could be too long for the system. */
const FILES_PER_RUN = 500;
const CONFIG = fileURLToPath(new URL("syntax.json", import.meta.url));

interface LintReport {
  readonly diagnostics: readonly { readonly filename: string; readonly message: string }[];
  /** Files that do not parse. */
  readonly errors: readonly { readonly file_path: string; readonly message: string }[];
}

/**
 * @param paths absolute paths
 * @returns the syntax of each file by its path. A file lacks where it does not parse, or begins
 *   with the directive that keeps `deno lint` away.
 * @throws Error if `deno lint` does not run
 */
export async function syntaxOf(paths: readonly string[]): Promise<Map<string, FileSyntax>> {
  const found = new Map<string, FileSyntax>();
  for (let i = 0; i < paths.length; i += FILES_PER_RUN) {
    const { diagnostics } = await lint(paths.slice(i, i + FILES_PER_RUN));
    for (const { filename, message } of diagnostics) {
      found.set(fileURLToPath(filename), JSON.parse(message));
    }
  }
  return found;
}

async function lint(paths: readonly string[]): Promise<LintReport> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["lint", "--quiet", "--config", CONFIG, "--json", ...paths],
    stdin: "null",
  }).output();
  try {
    return JSON.parse(new TextDecoder().decode(stdout));
  } catch (cause) {
    throw new Error(`deno lint: ${new TextDecoder().decode(stderr)}`, { cause });
  }
}
