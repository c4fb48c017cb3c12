/**
 * The house in order: nothing so long that it cannot be read in one go, no export that nobody asks for, and words at every public
 * door. All of it is read from the text as `deno fmt` leaves it, where indentation tells what belongs to what.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";

const ROOT = new URL("../", import.meta.url);
const FILE_LINES_MAX = 300;
const TEST_FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 60;

/** What runs; the rest is tests. */
const HOUSE = /^(server|client|shared)\//;
/** Whose exports have docstrings: what a game's author and a server's reader build on. */
const DOCUMENTED = /^(shared|server\/match)\//;

interface Source {
  /** From the top of the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(`${folder}/`, ROOT))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory && entry.name !== "dist") yield* filesBelow(path);
    else if (entry.isFile && path.endsWith(".ts")) yield path;
  }
}

async function readSources(): Promise<Source[]> {
  const sources: Source[] = [];
  for (const folder of ["server", "client", "shared", "tests"]) {
    for await (const path of filesBelow(folder)) {
      const text = await Deno.readTextFile(new URL(path, ROOT));
      sources.push({ path, text, lines: text.trimEnd().split("\n") });
    }
  }
  return sources.sort((a, b) => a.path < b.path ? -1 : 1);
}

const sources = await readSources();
const house = sources.filter(({ path }) => HOUSE.test(path));

Deno.test("tidy: no file is longer than one reading", () => {
  assertGreater(house.length, 60);
  const long = sources.filter(({ path, lines }) =>
    lines.length > (HOUSE.test(path) ? FILE_LINES_MAX : TEST_FILE_LINES_MAX)
  );
  assertEquals(long.map(({ path, lines }) => `${path}: ${lines.length} lines`), []);
});

// Length of functions.

const indentOf = (line: string) => line.length - line.trimStart().length;

/** A block whose `{` follows parameters, a return type or an arrow: a function's body, or a statement's inside one. */
const FUNCTION_OPENER = /(\)(: .+)?|=>) \{$/;

interface Block {
  /** From 0. */
  readonly begin: number;
  readonly end: number;
}

/** Every function with its signature, and every long statement, which would make its function longer still. */
function* blocksOf({ lines }: Source): Generator<Block> {
  for (const [i, line] of lines.entries()) {
    if (!FUNCTION_OPENER.test(line)) continue;
    const indent = indentOf(line);
    const closes = (at: number) => indentOf(lines[at]!) === indent && lines[at]!.trimStart().startsWith("}");
    let end = i + 1;
    while (end < lines.length && !closes(end)) end++;
    let begin = i;
    // A signature over several lines ends with ") {" below where it began.
    if (line.trimStart().startsWith(")")) {
      while (begin > 0 && (begin === i || indentOf(lines[begin]!) > indent)) begin--;
    }
    yield { begin, end };
  }
}

Deno.test("tidy: no function is longer than a screen", () => {
  const long: string[] = [];
  let functions = 0;
  for (const source of sources) {
    for (const { begin, end } of blocksOf(source)) {
      functions++;
      const length = end - begin + 1;
      if (length > FUNCTION_LINES_MAX) {
        long.push(`${source.path}:${begin + 1} ${source.lines[begin]!.trim()} ${length} lines`);
      }
    }
  }
  assertGreater(functions, 1_000);
  assertEquals(long, []);
});

// Exports that nobody names.

const EXPORT =
  /^export (?:default )?(?:declare )?(?:abstract )?(async function\*?|function\*?|class|const|let|interface|type|enum) (\w+)/;

interface Export {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  /** Where its declaration stands, from 0. */
  readonly line: number;
}

function* exportsOf({ path, lines }: Source): Generator<Export> {
  for (const [line, text] of lines.entries()) {
    const [, kind, name] = text.match(EXPORT) ?? [];
    if (name !== undefined) yield { path, kind: kind!, name, line };
  }
}

/** "path name" of everything that this file takes from others; "path *" where it takes all. */
function* namedBy({ path, text }: Source): Generator<string> {
  const targetOf = (specifier: string) => new URL(specifier, `http://x/${path}`).pathname.slice(1);
  const statements = /^(?:import|export)\s+(?:type\s+)?(\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+"(\.[^"]+)"/gm;
  for (const [, what, specifier] of text.matchAll(statements)) {
    const names = what!.startsWith("*") ? ["*"] : what!.slice(1, -1).split(",").map(importedName).filter(Boolean);
    for (const name of names) yield `${targetOf(specifier!)} ${name}`;
  }
  for (const [, specifier] of text.matchAll(/\bimport\("(\.[^"]+)"\)/g)) yield `${targetOf(specifier!)} *`;
}

/** What is taken by `type Name as other`. */
function importedName(clause: string): string {
  return clause.trim().replace(/^type\s+/, "").split(/\s+as\s+/)[0]!;
}

/** Text of the declaration that begins at a line: of a function its signature, of anything else all of it. */
function declarationAt({ lines }: Source, begin: number): string {
  let end = begin + 1;
  while (end < lines.length && (lines[end] === "" || indentOf(lines[end]!) > 0)) end++;
  const isOneLine = /^export (?:async )?function.*\{$|[;}]$/.test(lines[begin]!);
  return lines.slice(begin, isOneLine ? begin + 1 : end + 1).join("\n");
}

/** A type that stands in another exported declaration of its file is part of that one. */
function isPartOfAnother(dead: Export, source: Source): boolean {
  if (dead.kind !== "interface" && dead.kind !== "type") return false;
  const word = new RegExp(`\\b${dead.name}\\b`);
  return [...exportsOf(source)].some(({ line, name }) => name !== dead.name && word.test(declarationAt(source, line)));
}

Deno.test("tidy: no export that no other file takes", () => {
  const taken = new Set(sources.flatMap((source) => [...namedBy(source)]));
  const dead: string[] = [];
  let exported = 0;
  for (const source of house) {
    for (const each of exportsOf(source)) {
      exported++;
      if (taken.has(`${each.path} ${each.name}`) || taken.has(`${each.path} *`)) continue;
      if (!isPartOfAnother(each, source)) dead.push(`${each.path} exports ${each.name}`);
    }
  }
  assertGreater(exported, 200);
  assertEquals(dead, []);
});

// Words at the doors.

/** An interface with something to call; one with only data says it all in its fields. */
function isContract(source: Source, { kind, line }: Export): boolean {
  if (kind === "type" || kind === "const" || kind === "let" || kind === "enum") return false;
  return kind !== "interface" || /^ {2}(?:readonly )?\w*(?:<.*>)?\(/m.test(declarationAt(source, line));
}

Deno.test("tidy: every function, class and contract of shared/ and server/match/ says what it is for", () => {
  const silent: string[] = [];
  let spoken = 0;
  for (const source of house.filter(({ path }) => DOCUMENTED.test(path))) {
    for (const each of exportsOf(source)) {
      if (!isContract(source, each)) continue;
      if (source.lines[each.line - 1]?.trimEnd().endsWith("*/")) spoken++;
      else silent.push(`${each.path}:${each.line + 1} ${each.kind} ${each.name}`);
    }
  }
  assertGreater(spoken, 60);
  assertEquals(silent, []);
});

Deno.test("tidy: the measures themselves find what is planted", () => {
  const body = Array.from({ length: 60 }, (_, i) => `  call(${i});`);
  const planted = (...lines: string[]): Source => ({ path: "shared/x.ts", text: lines.join("\n"), lines });
  const lengths = (source: Source) => [...blocksOf(source)].map(({ begin, end }) => end - begin + 1);
  assertEquals(lengths(planted("function a(): { b: number } {", ...body, "}")), [62]);
  assertEquals(lengths(planted("function a(", "  b: number,", "): void {", ...body, "}")), [64]);
  assertEquals(lengths(planted("const a = (b) => {", ...body, "};")), [62]);
  assertEquals(lengths(planted("class A {", "  get #b(): void {", ...body.map((line) => `  ${line}`), "  }", "}")), [
    62,
  ]);
  const source = planted(
    "export interface A {",
    "  b(): void;",
    "}",
    "",
    "export type C = number;",
    "export function d(c: C) {}",
  );
  assertEquals([...exportsOf(source)].map(({ name }) => name), ["A", "C", "d"]);
  assert(isPartOfAnother([...exportsOf(source)][1]!, source));
  assert(!isPartOfAnother([...exportsOf(source)][0]!, source));
  assert(isContract(source, [...exportsOf(source)][0]!));
  const importing = planted('import { A, type C as E } from "./y.ts";', 'export * from "../z.ts";');
  assertEquals([...namedBy(importing)], ["shared/y.ts A", "shared/y.ts C", "z.ts *"]);
});
