/**
 * Exported declarations, and the names that files import. The patterns rely on the layout that
 * `deno fmt` produces.
 */
import { pathOfSpecifier } from "./imports.ts";
import type { Source } from "./sources.ts";

const EXPORT =
  /^export (?:default )?(?:declare )?(?:abstract )?(async function\*?|function\*?|class|const|let|interface|type|enum) (\w+)/;

/** One exported declaration. */
export interface Export {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  /** Line of the declaration, from 0. */
  readonly line: number;
}

/** @returns the declarations that a file exports, in their order */
export function* exportsOf({ path, lines }: Source): Generator<Export> {
  for (const [line, text] of lines.entries()) {
    const [, kind, name] = text.match(EXPORT) ?? [];
    if (name !== undefined) yield { path, kind: kind!, name, line };
  }
}

/**
 * @returns "path name" for each name that this file imports or passes on, "path *" for all names of
 *   a file
 */
export function* namedBy({ path, text }: Source): Generator<string> {
  const statements =
    /^(?:import|export)\s+(?:type\s+)?(\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+"(\.[^"]+)"/gm;
  for (const [, clause, specifier] of text.matchAll(statements)) {
    const names = clause!.startsWith("*")
      ? ["*"]
      : clause!.slice(1, -1).split(",").map(importedName).filter(Boolean);
    for (const name of names) yield `${pathOfSpecifier(path, specifier!)} ${name}`;
  }
  for (const [, specifier] of text.matchAll(/\bimport\("(\.[^"]+)"\)/g)) {
    yield `${pathOfSpecifier(path, specifier!)} *`;
  }
}

/** @param clause such as `type Name as other` @returns `Name` */
function importedName(clause: string): string {
  return clause.trim().replace(/^type\s+/, "").split(/\s+as\s+/)[0]!;
}

/** Text of the declaration that begins at a line. A function is cut after its signature. */
function declarationAt({ lines }: Source, begin: number): string {
  let end = begin + 1;
  while (end < lines.length && (lines[end] === "" || indentOf(lines[end]!) > 0)) end++;
  const isOneLine = /^export (?:async )?function.*\{$|[;}]$/.test(lines[begin]!);
  return lines.slice(begin, isOneLine ? begin + 1 : end + 1).join("\n");
}

/** Number of blanks at the line's begin. */
function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * Whether another exported declaration of its file names this type. It is then a part of that
 * declaration.
 */
export function isPartOfAnother({ kind, name }: Export, source: Source): boolean {
  if (kind !== "interface" && kind !== "type") return false;
  const word = new RegExp(`\\b${name}\\b`);
  return [...exportsOf(source)].some((other) =>
    other.name !== name && word.test(declarationAt(source, other.line))
  );
}

/** Whether other code can call it: a function, a class, or an interface with methods. */
export function isContract(source: Source, { kind, line }: Export): boolean {
  if (kind === "type" || kind === "const" || kind === "let" || kind === "enum") return false;
  return kind !== "interface" ||
    /^ {2}(?:readonly )?\w*(?:<.*>)?\(/m.test(declarationAt(source, line));
}
