/**
 * Reads the repository as text, for every measure and for the tests in this folder.
 *
 * Paths start at the repository's root and have slashes. Generated files are left out.
 */
import { styleTokensOf, type Token, tokensOf } from "./tokens.ts";

const ROOT = new URL("../../", import.meta.url);
/** The folders with code. */
const CODE = /^(server|client|shared|tests)\//;
const GENERATED = new Set([".git", "node_modules", "dist"]);

export interface TextFile {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

/** A TypeScript file or a style sheet in one of the code folders. */
export interface Source extends TextFile {
  readonly tokens: readonly Token[];
}

/** A place that a measure counts. `line` is from 1. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Repository {
  /** Paths of all files, ascending. */
  readonly paths: readonly string[];
  /** The `.ts` files, ascending. */
  readonly sources: readonly Source[];
  readonly styles: readonly Source[];
  /** All Markdown files, `deno.json` and `.ci/run`. */
  readonly documents: readonly TextFile[];
}

/** @throws Deno.errors.NotCapable without the permission to read the repository */
export async function readRepository(): Promise<Repository> {
  const paths = (await Array.fromAsync(filesBelow(""))).sort();
  const read = async <File>(pattern: RegExp, fileOf: (path: string, text: string) => File) =>
    await Promise.all(
      paths.filter((path) => pattern.test(path)).map(async (path) =>
        fileOf(path, await Deno.readTextFile(new URL(path, ROOT)))
      ),
    );
  return {
    paths,
    sources: (await read(/\.ts$/, sourceOf)).filter(({ path }) => CODE.test(path)),
    styles: (await read(/\.css$/, sourceOf)).filter(({ path }) => CODE.test(path)),
    documents: await read(/\.md$|^deno\.json$|^\.ci\/run$/, textFileOf),
  };
}

/** Whether a file is code of the server, the client or both, and no test. */
export function isProduct(path: string): boolean {
  return CODE.test(path) && !path.startsWith("tests/");
}

export function sourceOf(path: string, text: string): Source {
  const tokens = path.endsWith(".css") ? styleTokensOf(text) : tokensOf(text);
  return { ...textFileOf(path, text), tokens };
}

export function textFileOf(path: string, text: string): TextFile {
  return { path, text, lines: text.trimEnd().split("\n") };
}

/** Path of a module from the repository's root. @param url its `import.meta.url` */
export function pathOfModule(url: string): string {
  return url.slice(ROOT.href.length);
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(new URL(folder, ROOT))) {
    if (isDirectory && !GENERATED.has(name)) yield* filesBelow(`${folder}${name}/`);
    else if (isFile) yield folder + name;
  }
}
