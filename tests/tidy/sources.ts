/**
 * Reads the repository as text, for every measure and for the tests in this folder.
 *
 * Paths start at the repository's root and have slashes. Generated files are left out.
 */
import { fileURLToPath, pathToFileURL } from "node:url";
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

/** A file and its absolute path. */
export type LocatedFile = TextFile & { readonly absolute: string };

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
  const paths = (await Array.fromAsync(filesBelow(ROOT))).sort();
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

/**
 * Reads any folder: its sources in TypeScript and JavaScript, and its documents in Markdown.
 * @param root absolute, or relative to the working directory
 * @throws Deno.errors.NotFound if there is no such folder
 */
export async function readFolder(
  root: string,
): Promise<{ readonly sources: LocatedFile[]; readonly documents: LocatedFile[] }> {
  const folder = pathToFileURL(`${await Deno.realPath(root)}/`);
  const paths = (await Array.fromAsync(filesBelow(folder))).sort();
  const read = async (pattern: RegExp) =>
    await Promise.all(
      paths.filter((path) => pattern.test(path)).map(async (path) => {
        const url = new URL(encodeURI(path), folder);
        return { ...textFileOf(path, await Deno.readTextFile(url)), absolute: fileURLToPath(url) };
      }),
    );
  return { sources: await read(/\.[cm]?[jt]sx?$/), documents: await read(/\.md$/) };
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

/** Absolute path of a file. @param path from the repository's root */
export function absoluteOf(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}

async function* filesBelow(root: URL, folder = ""): AsyncGenerator<string> {
  const entries = Deno.readDir(new URL(encodeURI(folder), root));
  for await (const { name, isDirectory, isFile } of entries) {
    if (isDirectory && !GENERATED.has(name)) yield* filesBelow(root, `${folder}${name}/`);
    else if (isFile) yield folder + name;
  }
}
