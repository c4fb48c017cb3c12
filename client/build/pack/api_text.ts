/**
 * Writes down what a library promises: every exported symbol with its declaration, and the
 * declarations that those name. Of comments only that a symbol is deprecated is left, so a text
 * differs exactly if the promise does (`tests/client/build/package/api_test.ts`).
 *
 * It reads declarations as TypeScript writes them: a statement begins in the first column.
 */
import type { DeclarationFile } from "./declarations.ts";
import { importNameOf, LIBRARIES, type Library } from "../libraries.ts";
import { declarationPath } from "./declarations.ts";

/** What a library exports. */
export interface ApiText {
  /** The names, ascending. */
  readonly symbols: readonly string[];
  readonly text: string;
}

/** A declaration: where it stands, and under which name. */
interface Symbol {
  readonly file: string;
  readonly name: string;
}

/** A declaration file, in parts. */
interface Module {
  /** The text of each declaration by its name; overloads stand together. */
  readonly declared: ReadonlyMap<string, string>;
  /** The declared names that a docstring calls deprecated. */
  readonly deprecated: ReadonlySet<string>;
  /** Names from other modules, by the local name. */
  readonly imported: ReadonlyMap<string, Symbol>;
  /** What the module exports, by the exported name: its own names, or those of other modules. */
  readonly exported: ReadonlyMap<string, Symbol>;
}

const DECLARATION =
  /^(export )?(?:default )?(?:declare )?(?:abstract )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/;
/** A docstring with the tag, and the name that is declared after it. */
const DEPRECATED =
  /\/\*\*(?:(?!\*\/)[^])*@deprecated(?:(?!\*\/)[^])*\*\/\s*export (?:declare )?\w+ (\w+)/g;
const LIST = /^(import|export) (?:type )?\{([^}]*)\}(?: from "(\.[^"]+)\.js")?/;
const COMMENT = /[ \t]*\/\*[^]*?\*\/\n?/g;
/** What a class keeps for itself, and what only the physics sees of a stage. */
const HIDDEN_MEMBER =
  /^ +(?:#private;|(?:private |protected )[^\n]*|(?:readonly )?\[INTERNALS\][^\n]*)\n/gm;

/**
 * What stands behind handles and features: the physics' own rows and records. A handle's constructor
 * names them, and only the stage calls it.
 */
const INNER =
  /^shared\/physics\/(dynamics|collision|snapshot|geometry)\/|^shared\/physics\/stage\/(internals|entity_table|compiled_\w+|limit_report)\.|^shared\/physics\/joints\/(joint_table|joint_rows|joint_form|compiled_joints)\.|^shared\/physics\/core\/\w+_rows\.|^shared\/physics\/events\/(ended_touches|tick_logs)\.| \w+Record$/;

/**
 * Reads the libraries' declarations. A declaration that several of them need stands in the text of
 * one that exports it.
 * @throws Error for an export without a declaration
 */
export function apiTextsOf(files: readonly DeclarationFile[]): Readonly<Record<Library, ApiText>> {
  const modules = new Map(files.map(({ path, text }) => [path, moduleOf(path, text)]));
  const exportsOf = (path: string) =>
    [...modules.get(declarationPath(path))!.exported].map(([symbol, target]) =>
      [symbol, resolved(target, modules)] as const
    ).sort(byFirst);
  const isPublic = new Set(
    Object.values(LIBRARIES).flatMap(exportsOf).map(([, target]) => keyOf(target)),
  );
  const entries = Object.entries(LIBRARIES).map(([library, path]) =>
    [library, apiTextOf(importNameOf(library), exportsOf(path), { modules, isPublic })] as const
  );
  return Object.fromEntries(entries) as Record<Library, ApiText>;
}

function apiTextOf(
  name: string,
  exported: readonly (readonly [symbol: string, target: Symbol])[],
  { modules, isPublic }: {
    modules: ReadonlyMap<string, Module>;
    /** The keys of what any library exports. */
    isPublic: ReadonlySet<string>;
  },
): ApiText {
  // What is exported, and then what those declarations name
  const texts = exported.map(([symbol, target]) => {
    const isDeprecated = modules.get(target.file)!.deprecated.has(target.name);
    return [isDeprecated ? `${symbol} (deprecated)` : symbol, textOf(target, modules)] as const;
  });
  const isShown = new Set(isPublic);
  const waiting = exported.map(([, target]) => target);
  const named: (readonly [string, string])[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const target of namedBy(next, modules)) {
      const key = keyOf(target);
      if (isShown.has(key) || INNER.test(key)) continue;
      isShown.add(key);
      waiting.push(target);
      named.push([`${target.name} ${target.file}`, textOf(target, modules)]);
    }
  }

  const lines = [
    `${name}: ${exported.length} symbols`,
    ...texts.map(([symbol, text]) => `== ${symbol}\n${text}`),
    "-- named by these",
    ...named.sort(byFirst).map(([, text]) => text),
  ];
  return {
    symbols: exported.map(([symbol]) => symbol),
    text: `${lines.map((line) => line.trimEnd()).join("\n\n")}\n`,
  };
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}

function keyOf({ file, name }: Symbol): string {
  return `${file} ${name}`;
}

/** Follows re-exports to the declaration. */
function resolved(symbol: Symbol, modules: ReadonlyMap<string, Module>): Symbol {
  const module = modules.get(symbol.file);
  if (module?.declared.has(symbol.name)) return symbol;
  const next = module?.imported.get(symbol.name) ?? module?.exported.get(symbol.name);
  if (next === undefined || keyOf(next) === keyOf(symbol)) {
    throw new Error(`${symbol.file} has no declaration of ${symbol.name}`);
  }
  return resolved(next, modules);
}

function textOf({ file, name }: Symbol, modules: ReadonlyMap<string, Module>): string {
  return modules.get(file)!.declared.get(name)!;
}

/** The declarations of the project that a declaration's text names. */
function namedBy(symbol: Symbol, modules: ReadonlyMap<string, Module>): Symbol[] {
  const module = modules.get(symbol.file)!;
  const words = new Set(textOf(symbol, modules).match(/\b[A-Za-z_]\w*\b/g));
  const named: Symbol[] = [];
  for (const word of words) {
    if (word === symbol.name) continue;
    const target = module.imported.get(word);
    if (target !== undefined) named.push(resolved(target, modules));
    else if (module.declared.has(word)) named.push({ file: symbol.file, name: word });
  }
  return named;
}

function moduleOf(path: string, text: string): Module {
  const declared = new Map<string, string>();
  const imported = new Map<string, Symbol>();
  const exported = new Map<string, Symbol>();
  for (const statement of statementsOf(text)) {
    const [, isExport, name] = DECLARATION.exec(statement) ?? [];
    if (name !== undefined) {
      const before = declared.get(name);
      declared.set(name, before === undefined ? statement : `${before}\n${statement}`);
      if (isExport !== undefined) exported.set(name, { file: path, name });
      continue;
    }

    const [, kind, list, from] = LIST.exec(statement) ?? [];
    if (list === undefined) continue;
    const file = from === undefined ? path : targetOf(path, from);
    for (const { name, as } of namesIn(list)) {
      (kind === "import" ? imported : exported).set(as, { file, name });
    }
  }
  const deprecated = new Set([...text.matchAll(DEPRECATED)].map(([, name]) => name!));
  return { declared, deprecated, imported, exported };
}

/** Cuts a declaration file at each line that begins a statement. */
function statementsOf(text: string): string[] {
  const plain = text.replace(COMMENT, "").replace(HIDDEN_MEMBER, "");
  return plain.split(/^(?=[a-z])/m).map((statement) => statement.trimEnd()).filter(Boolean);
}

/** @param list such as `type A, B as C` */
function namesIn(list: string): { name: string; as: string }[] {
  return list.split(",").map((part) => part.trim().replace(/^type /, "")).filter(Boolean).map(
    (part) => {
      const [name, as = name] = part.split(" as ");
      return { name: name!, as: as! };
    },
  );
}

/** @param specifier relative, without its ending */
function targetOf(path: string, specifier: string): string {
  return new URL(`${specifier}.d.ts`, `file:///${path}`).pathname.slice(1);
}
